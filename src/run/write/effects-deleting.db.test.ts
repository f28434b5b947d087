/** What steps and timers delete of other records. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { fireTimers } from '../later/fire.ts'
import { systemRequest } from '../people/people.ts'
import { codes, done, input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { remove, takeStep } from './writes.ts'

// Dan is at the desk.
let run: TestRun
const library = join(import.meta.dirname, '../fixtures/library.md')

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(library))
})
afterAll(() => run?.drop())

const query = (text: ReturnType<typeof sql>) => run.runtime.store.query(text)

test('what a step deletes goes as if by hand: refused as a whole where something names it, told in the history', async () => {
  const dan = () => run.as('Dan')
  const box = await made(
    run,
    'Dan',
    'box',
    input({ label: 'A' }, { parts: [{ what: 'Lid', worn: true }, { what: 'Hinge' }] }),
  )
  const boxStep = async (key: string) => takeStep(run.runtime, await dan(), 'box', box, key, null)
  const parts = () => query(sql`select what from box_part where box = ${box} order by position`)
  const top = await made(run, 'Dan', 'tag', input({ box }))
  await made(run, 'Dan', 'tag', input({ box, under: top }))
  const slip = await made(run, 'Dan', 'slip', input({ tag: top, box }))
  const before = (await query(sql`select * from box where id = ${box}`))[0]!
  expect(before).toMatchObject({ tags: '2', version: '3' })

  // The slip is archived, and still names the tag: all of it is undone.
  expect(await boxStep('clear')).toMatchObject({
    kind: 'refused',
    problems: [{ code: 'NF-IN-USE', message: 'This Tag cannot be deleted: Slip (Tag) refers to it.', field: null }],
  })
  expect(await query(sql`select * from box where id = ${box}`)).toEqual([before])
  expect(await parts()).toHaveLength(2)

  done(await boxStep('sort'))
  expect(await parts()).toEqual([{ what: 'Hinge' }])
  await run.runtime.store.query(sql`delete from slip where id = ${slip}`)
  const other = await made(run, 'Dan', 'tag', input({ box: await made(run, 'Dan', 'box', input({ label: 'B' })) }))
  const kept = await made(run, 'Dan', 'slip', input({ tag: other, box }))
  done(await boxStep('clear'))
  expect(await parts()).toEqual([])
  expect(await query(sql`select id from tag where box = ${box}`)).toEqual([])
  expect(await query(sql`select archived_at is not null as gone from slip where id = ${kept}`)).toEqual([
    { gone: true },
  ])
  expect(await query(sql`select tags from box where id = ${box}`)).toEqual([{ tags: '0' }])
  const line =
    readFileSync(library, 'utf8')
      .split('\n')
      .findIndex(one => one.startsWith('| clear |')) + 1
  const [last] = await query(sql`select kind, actor, system, because from ninefold.history
    where entity = 'tag' and record = ${top} order by id desc limit 1`)
  expect(last).toMatchObject({
    kind: 'delete',
    actor: run.people.Dan,
    system: 'effect',
    because: `library.md:${line}`,
  })

  // Done again, there is nothing to do. What a state locks is locked for people, and the record itself may go.
  done(await boxStep('clear'))
  done(await boxStep('seal'))
  expect(codes(await remove(run.runtime, await dan(), 'box', box, null))).toEqual(['NF-DELETE-DENIED'])
  expect(codes(await boxStep('throw_away'))).toEqual(['NF-IN-USE'])
  await run.runtime.store.query(sql`delete from slip where id = ${kept}`)
  expect(await boxStep('throw_away')).toMatchObject({ kind: 'done', gone: true })
  expect(await query(sql`select id from box where id = ${box}`)).toEqual([])
})

test('a timer that goes through records deletes those it finds, and nothing of it stays due', async () => {
  const box = await made(run, 'Dan', 'box', input({ label: 'C' }))
  const [old, young] = [
    await made(run, 'Dan', 'tag', input({ box, spare: true })),
    await made(run, 'Dan', 'tag', input({ box })),
  ]
  // The first time is the one after the document was applied.
  for (const now of ['2026-03-05T09:00:00.000Z', '2026-03-06T09:00:00.000Z', '2026-03-06T09:00:01.000Z']) {
    const system = await systemRequest(run.runtime, 'timer', { ...run.door(), now: new Date(now) })
    await fireTimers(run.runtime, system, { worker: 'w', limit: 50 })
  }
  expect(await query(sql`select id from tag where box = ${box}`)).toEqual([{ id: young }])
  expect(await query(sql`select tags from box where id = ${box}`)).toEqual([{ tags: '1' }])
  expect(await query(sql`select timer from ninefold.timer where record = ${old}`)).toEqual([])
})
