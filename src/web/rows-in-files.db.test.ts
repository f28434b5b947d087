/** Records with their rows, and theirs, in one file: brought in, taken out, and brought in again. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import { multipart, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'
import { rowOf } from './testing-import.ts'

let web: TestWeb
let planner: TestBrowser
let worker: TestBrowser

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/jobs.md')))
  ;[planner, worker] = [await web.browser('Pia'), await web.browser('Wim')]
})
beforeEach(() => web.run.runtime.store.inTransaction(tx => tx.write(sql`delete from job`)))
afterAll(() => web?.stop())

/** As lines of the database: job, part, task, minutes. */
const held = async () =>
  (
    await web.run.runtime.store.query<Record<string, string | null>>(sql`
      select job.code, job.rate, part.name, part.hint, task.what, task.minutes, task.secret, task.hidden from job
      left join part on part.job = job.id left join task on task.part = part.id
      order by job.code, part.position, task.position`)
  ).map(row =>
    Object.values(row)
      .map(value => (value === null ? '' : String(value)))
      .join(' '),
  )

/** Uploads a file and tries it. Gives the address of its job. */
async function tried(file: string | Buffer, who = planner, more: Readonly<Record<string, string>> = {}) {
  const parts = multipart([
    ['_csrf', await who.token()],
    ['file', file, 'jobs'],
  ])
  const { location, status, text } = await who.request('POST', '/-/import?entity=job', parts)
  expect([status, status === 303 ? '' : text]).toEqual([303, ''])
  await who.submit(location!, location!, { do: 'check', ...more })
  return location!
}

const verdict = async (job: string, who = planner) =>
  /\d+ rows? (?:is|are) right[^<]*/.exec((await who.get(job)).text)?.[0]

async function broughtIn(file: string | Buffer, who = planner) {
  const job = await tried(file, who)
  const said = await verdict(job, who)
  await who.send(job, { do: 'apply' })
  return said
}

/** What the page of a job says of a row that has something wrong. */
const wrongIn = async (job: string, number: number, who = planner) =>
  rowOf((await who.get(`${job}&rows=rowsWrong`)).text, number)

async function exported(format: string, who = planner) {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${web.url}/jobs?sort=code&_export=${format}&_rows=yes`, { headers: { cookie } })
  return Buffer.from(await answer.arrayBuffer())
}

const repeated = `Code,Rate,Parts: Name,Parts: Tasks: What,Parts: Tasks: Minutes
A-1,10,Cleaning,Mop,30
A-1,10,Cleaning,Dust,20
A-1,10,Paint,Undercoat,90
A-2,12,Cleaning,Mop,15
`
const blank = `code;rate;parts.name;parts.tasks.what;parts.tasks.minutes
A-1;10;Cleaning;Mop;30
;;;Dust;20
;;Paint;Undercoat;90
A-2;12;Cleaning;Mop;15
`
const both = [
  'A-1 10.00 Cleaning  Mop 30  false',
  'A-1 10.00 Cleaning  Dust 20  false',
  'A-1 10.00 Paint  Undercoat 90  false',
  'A-2 12.00 Cleaning  Mop 15  false',
]
const allRight = '4 rows are right, 0 would change nothing, 0 have something wrong.'

test.each([
  ['said again in each row', repeated],
  ['left empty where it is said above', blank],
])('records come with their rows and theirs: what they are part of is %s', async (_, file) => {
  expect(await broughtIn(file)).toBe(allRight)
  expect(await held()).toEqual(both)
})

test.each(['csv', 'xlsx'])('what goes out with its rows comes in the same (%s)', async format => {
  await broughtIn(repeated)
  await broughtIn('code,parts #,parts hint,parts tasks #,parts tasks secret\nA-1,2,wet,1,S1\nA-1,1,,2,S2\n')
  const before = await held()
  expect(before[2]).toBe('A-1 10.00 Paint wet Undercoat 90 S1 false')
  expect(before[1]).toContain('S2')
  const file = await exported(format)
  expect(await broughtIn(file)).toBe('0 rows are right, 4 would change nothing, 0 have something wrong.')
  await web.run.runtime.store.inTransaction(tx => tx.write(sql`delete from job`))
  const columns = [...(await planner.get(await tried(file))).text.matchAll(/<label[^>]*for="(c\d+)"[^>]*>([^<]*)/g)]
  const [, number] = columns.find(([, , label]) => label === 'Parts: Tasks: Number')!
  const given = await tried(file, planner, { [number!]: 'parts.tasks.number' })
  expect(await wrongIn(given, 2)).toContain('There is no Task T-00')
  const job = await tried(file, planner, { [number!]: '' })
  expect(await verdict(job)).toBe(allRight)
  await planner.send(job, { do: 'apply' })
  expect(await held()).toEqual(before)
})

test('a file has three levels of rows, and goes out as it came in', async () => {
  const file = `Code,Parts: Name,Parts: Tasks: What,Parts: Tasks: Minutes,Parts: Tasks: Uses: Item,Parts: Tasks: Uses: Pieces
A-1,Cleaning,Mop,30,Soap,2
A-1,Cleaning,Mop,30,Cloth,3
A-1,Paint,Undercoat,90,Paint,10
`
  const uses = async () =>
    (
      await web.run.runtime.store.query<{ item: string; pieces: string }>(sql`
        select use.item, use.pieces from use join task on task.id = use.task join part on part.id = task.part
        order by part.position, task.position, use.position`)
    ).map(({ item, pieces }) => `${item} ${pieces}`)
  expect(await broughtIn(file)).toBe('3 rows are right, 0 would change nothing, 0 have something wrong.')
  expect(await uses()).toEqual(['Soap 2', 'Cloth 3', 'Paint 10'])
  expect(await broughtIn(await exported('csv'))).toBe(
    '0 rows are right, 3 would change nothing, 0 have something wrong.',
  )
  const job = await tried(file.replace('Cloth,3', 'Cloth,51'))
  expect(await wrongIn(job, 3)).toMatch(/Pieces [^|]*at most 50[^|]*\(F3\)/)
  expect(await broughtIn(file.replace('Cloth,3', 'Cloth,4'))).toContain('3 rows are right')
  expect(await uses()).toEqual(['Soap 2', 'Cloth 4', 'Paint 10'])
})

test('a file with rows alone adds and changes those of a record that is there, and nothing else', async () => {
  await broughtIn(repeated)
  const ids = () => web.run.runtime.store.query<{ id: string }>(sql`select id from task order by id`)
  const first = await ids()
  const file =
    'Code,Parts: Name,Parts: Tasks: What,Parts: Tasks: Minutes\nA-1,paint,Top coat,45\nA-1,Cleaning,Dust,25\nA-1,Roof,Tile,60\n'
  expect(await broughtIn(file.replace('paint', 'Paint'))).toBe(
    '3 rows are right, 0 would change nothing, 0 have something wrong.',
  )
  expect(await held()).toEqual([
    both[0],
    'A-1 10.00 Cleaning  Dust 25  false',
    both[2],
    'A-1 10.00 Paint  Top coat 45  false',
    'A-1 10.00 Roof  Tile 60  false',
    both[3],
  ])
  const kept = new Set((await ids()).map(({ id }) => id))
  expect(first.every(({ id }) => kept.has(id))).toBe(true)
})

test('what is wrong is said in its row and cell, and beside it in the others of the record', async () => {
  const file = `Code,Rate,Parts: Name,Parts: Tasks #,Parts: Tasks: What,Parts: Tasks: Minutes
B-1,10,Cleaning,1,Mop,30
B-1,11,Cleaning,2,Idle,500
B-1,,Cleaning,1,Mop,31
B-2,10,Paint,0,Undercoat,x
B-3,10,Paint,,Undercoat,5
`
  const job = await tried(file)
  expect(await verdict(job)).toBe('1 row is right, 0 would change nothing, 4 have something wrong.')
  expect(await wrongIn(job, 2)).toContain('same record as row 3')
  const third = await wrongIn(job, 3)
  expect(third).toContain('Rate is another one than in row 2, which is about the same.')
  expect(third).toContain('(B3)')
  expect(third).toContain('at most 480; this is 500')
  expect(third).toContain('(F3)')
  expect(third).toContain('Idle is nothing to do while cleaning.')
  expect(await wrongIn(job, 4)).toContain('Parts: Tasks: Minutes is another one than in row 2')
  const fifth = await wrongIn(job, 5)
  expect(fifth).toContain('Parts: Tasks # must be at least 1; this is 0.')
  expect(fifth).toMatch(/Minutes [^|]*\(F5\)/)
  const refused = (await planner.get(`${job}&_export=csv`)).text.trim().split('\r\n')
  expect(refused).toHaveLength(5)
  await planner.send(job, { do: 'apply' })
  expect(await held()).toEqual(['B-3 10.00 Paint  Undercoat 5  false'])
})

test('without what tells records apart, those that say the same above each other are one', async () => {
  const job = await tried(`${repeated}A-3,10,Paint,Undercoat,90\n`, planner, { key: '' })
  await planner.send(job, { do: 'apply' })
  expect(await held()).toEqual([...both, 'A-3 10.00 Paint  Undercoat 90  false'])
})

test('rights of rows are asked of each: of those that are not seen nothing goes out, and nothing is overwritten', async () => {
  await broughtIn(
    'Code,Parts: Name,Parts: Hint,Parts: Tasks: What,Parts: Tasks: Minutes,Parts: Tasks: Hidden\nC-1,Cleaning,wet,Mop,30,yes\nC-1,,,Dust,20,no\nC-1,,,Wipe,120,no\n',
  )
  const file = String(await exported('csv', worker))
  expect(file).not.toContain('Mop')
  expect(file).not.toContain('Secret')
  expect(await broughtIn(Buffer.from(file), worker)).toContain('2 would change nothing')
  const own = 'Code,Parts #,Parts: Tasks #,Parts: Tasks: Minutes\n'
  expect(await broughtIn(`${own}C-1,1,1,21\n`, worker)).toContain('1 row is right')
  const denied = await tried(`${own}C-1,1,2,60\n`, worker)
  expect(await wrongIn(denied, 2, worker)).toContain('may not')
  expect((await held()).map(line => line.split(' ').slice(4, 6))).toEqual([
    ['Mop', '30'],
    ['Dust', '21'],
    ['Wipe', '120'],
  ])
  const page = await planner.get(denied)
  expect(page.status).toBe(404)
})

test('a job that is whole brings in all records with their rows, or none', async () => {
  await broughtIn(repeated)
  const add = 'Code,Parts: Name,Parts: Tasks: What,Parts: Tasks: Minutes\n'
  const wrong = await tried(`${add}A-1,Cleaning,Wax,5\nA-2,Cleaning,Wax,0\n`, worker)
  await worker.send(wrong, { do: 'apply' })
  expect(await held()).toEqual(both)
  await broughtIn(`${add}A-1,Cleaning,Wax,5\nA-2,Cleaning,Wax,6\n`, worker)
  expect(await held()).toHaveLength(6)
})
