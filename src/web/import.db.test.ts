/** A file is brought in: every cell is judged before anything is written, each row is written once, and nobody gets round a rule by it. */
import { join } from 'node:path'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { greatBritain } from '../kinds/fields/dates.ts'
import { workJobs } from '../run/many/work-jobs.ts'
import { readSound } from '../run/testing.ts'
import { Unavailable } from '../store/unavailable.ts'
import { fieldsOf, type TestBrowser } from './testing.ts'
import { goodTools, type ImportDesk, rowOf, startImports } from './testing-import.ts'

let web: ImportDesk['web']
let keeper: ImportDesk['keeper']
let helper: ImportDesk['helper']
let tools: ImportDesk['tools']
let clear: ImportDesk['clear']
let upload: ImportDesk['upload']
let tried: ImportDesk['tried']

beforeAll(async () => {
  ;({ web, keeper, helper, tools, clear, upload, tried } = await startImports(inject('databaseUrl')))
})
afterAll(() => web?.stop())

/** The figure beside the notices. */
const unseen = async () => /data-counts="unread">(\d+)</.exec((await keeper.get('/-/account')).text)?.[1]

test('who may not import finds neither a button nor anything at the addresses', async () => {
  expect((await keeper.get('/tools')).text).toContain('/-/import?entity=tool')
  expect((await helper.get('/tools')).text).not.toContain('/-/import')
  expect((await helper.get('/-/import?entity=tool')).status).toBe(404)
  expect((await upload(helper, goodTools)).status).toBe(404)
  expect((await keeper.get('/-/import?entity=kind')).status).toBe(404)
  expect((await keeper.get('/-/import?entity=nothing')).status).toBe(404)
  const job = await tried(goodTools)
  expect((await helper.get(job)).status).toBe(404)
  expect((await helper.send(job, { do: 'apply' })).status).toBe(404)
  expect(await tools()).toEqual([])
})

test('a file is tried without writing anything, then brought in; brought in again it changes nothing', async () => {
  const job = await tried(goodTools)
  const checked = await keeper.get(job)
  expect(checked.text).toContain('2 rows are right, 0 would change nothing, 0 have something wrong.')
  expect(checked.text).toContain('<title>Tried out · Import tools')
  expect(await tools()).toEqual([])
  await keeper.submit(job, job, { do: 'apply' })
  expect((await keeper.get(job)).text).toContain('2 rows done, 0 refused, 0 left.')
  expect(await tools()).toEqual([
    { code: 'B-1', name: 'Jigsaw', price: '99.90', count: '2', bought: '2026-01-31', electric: true, version: '1' },
    { code: 'B-2', name: 'Auger', price: '1200.00', count: '1', bought: null, electric: false, version: '1' },
  ])
  const again = await tried(goodTools)
  expect((await keeper.get(again)).text).toContain('0 rows are right, 2 would change nothing, 0 have something wrong.')
  expect((await keeper.get(again)).text).not.toContain('No column goes into')
  const changed = await tried('code;name\nB-2;Hand auger\n')
  expect((await keeper.get(changed)).text).toContain('No column goes into Kind')
  await keeper.submit(changed, changed, { do: 'apply' })
  expect((await tools())[1]).toMatchObject({ name: 'Hand auger', price: '1200.00', version: '2' })
  // Told to go on when there is nothing left, it does nothing.
  await keeper.submit(changed, changed, { do: 'apply' }).catch(() => null)
  await keeper.send(changed, { do: 'apply' })
  expect((await tools())[1]).toMatchObject({ version: '2' })
  await clear()
})

test('who may create and not change may bring in again what stands there, and nothing else', async () => {
  const first = await tried(goodTools)
  await keeper.submit(first, first, { do: 'apply' })
  const unchanging = readSound(join(import.meta.dirname, 'fixtures/shed.md'), text =>
    text.replace(/^(\| Keeper \| yes \| yes) \| [^|]+ \|/m, '$1 | no |'),
  )
  await web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app: unchanging } })
  try {
    const same = await tried(goodTools)
    expect((await keeper.get(same)).text).toContain('0 rows are right, 2 would change nothing, 0 have something wrong.')
    const other = await tried('code;name\nB-2;Hand auger\n')
    expect(rowOf((await keeper.get(other)).text, 2)).toContain('You may not change this Tool now.')
  } finally {
    await web.web.reload(web.served)
    await clear()
  }
})

test('every cell has its verdict in the words of the catalogue, and only what is right is written', async () => {
  const job = await tried(
    [
      'Code,Name,Kind,Price,Count,Bought',
      'C-1,Right,Saw,1,1,',
      'C-2,Unknown kind,Spoon,1,1,',
      'C-3,Bad price,Saw,cheap,1,',
      'C-4,None of it,Saw,1,0,',
      ',No code,Saw,1,1,',
      'C-1,Twice,Saw,1,1,',
      'C-7,,Saw,-1,x,31.31.2026',
    ].join('\r\n'),
  )
  const { text } = await keeper.get(job)
  expect(text).toContain('1 row is right, 0 would change nothing, 6 have something wrong.')
  expect(rowOf(text, 3)).toContain('Spoon|Kind was not found: it does not exist, or you may not see it.')
  expect(rowOf(text, 4)).toContain('cheap|Price must be')
  expect(rowOf(text, 5)).toContain(
    '0|A tool that is there is there at least once, not 0 times. Enter how many there are.',
  )
  expect(rowOf(text, 6)).toContain('Code is empty, so it is unclear which record this row is about.')
  expect(rowOf(text, 7)).toContain('Row 2 of the file is about the same record.')
  expect(rowOf(text, 8)).toMatch(/Name is missing.*-1\|Price must be at least.*x\|Count must be.*31\.31\.2026\|Bought/s)
  await keeper.submit(job, job, { do: 'apply' })
  expect((await tools()).map(({ code }) => code)).toEqual(['C-1'])
  await clear()
})

test('a long file goes on in the background, each row once, whoever works on it and wherever it breaks off', async () => {
  const lines = Array.from({ length: 180 }, (_, at) => `E-${String(at).padStart(3, '0')},Tool ${at},Saw,1`)
  const job = await tried(`Code,Name,Kind,Price\n${lines.join('\n')}\n`)
  expect((await keeper.get(job)).text).toContain('50 of 180 rows')
  const worker = (name: string) => workJobs(web.run.runtime, web.run.door(), { worker: name, limit: 70 })
  expect(await worker('a')).toBe(70)
  expect(await worker('a')).toBe(60)
  expect(await unseen(), 'its trial').toBe('1')
  await keeper.send('/-/notices', { read: 'all' })
  expect(await unseen()).toBeUndefined()
  await keeper.submit(job, job, { do: 'apply' })
  expect((await tools()).length).toBe(50)
  await keeper.submit(job, job, { do: 'stop' })
  expect(await worker('a')).toBe(0)
  expect((await keeper.get(job)).text).toContain('Stopped')
  await keeper.submit(job, job, { do: 'apply' })
  expect((await tools()).length).toBe(100)
  // A worker that died in the middle: its claim runs out within seconds, whatever clock the others go by, and another one goes on with what is left.
  const claimedUntil = (end: string) =>
    web.run.runtime.store.query(
      sql`update ninefold.job set claimed_by = 'dead', claimed_until = now() + ${end}::interval, attempts = 1 where state = 'applying'`,
    )
  await claimedUntil('9 seconds')
  for (const skew of [-1, 0, 1]) {
    web.run.now = new Date(web.run.now.getTime() + skew * 3_600_000)
    expect(await worker('b')).toBe(0)
  }
  // Nothing is claimed for a day: the clock of the database was wrong.
  await claimedUntil('1 day')
  // Two at once share nothing, and together they do it all.
  // Whoever left the page finds it again.
  expect((await keeper.get(job)).text).toContain('It goes on when you leave this page.')
  expect((await keeper.get('/-/notices')).text).toMatch(
    new RegExp(`href="${job.replace('?', '\\?')}">Import tools</a>: Being done, tools.csv `),
  )
  expect((await helper.get('/-/notices')).text).not.toContain('Import tools')
  const done = await Promise.all([worker('b'), worker('c')])
  expect(done.toSorted()).toEqual([0, 70])
  expect(await unseen()).toBeUndefined()
  expect(await worker('b')).toBe(10)
  // It ended while nobody looked: that is told until they have.
  expect(await unseen()).toBe('1')
  expect((await helper.get('/-/account')).text).not.toContain('data-counts="unread">')
  expect((await helper.get(job)).status).toBe(404)
  expect((await keeper.get('/-/notices')).text).toMatch(/New<\/span> <a href="[^"]*">Import tools/)
  expect((await keeper.get(job)).text).toContain('180 rows done, 0 refused, 0 left.')
  expect(await unseen()).toBeUndefined()
  expect((await keeper.get('/-/notices')).text).not.toContain('New</span>')
  expect((await tools()).map(({ version }) => version)).toEqual(Array(180).fill('1'))
  await clear()
  // Stopped while it is tried: what was not even tried is left, too.
  const cut = await tried(`Code,Name,Kind,Price\n${lines.slice(0, 52).join('\n')}\n`)
  await keeper.submit(cut, cut, { do: 'stop' })
  expect((await keeper.get(cut)).text).toContain('0 rows done, 0 refused, 52 left.')
  const left = (await keeper.get(`${cut}&rows=rowsLeft&after=50`)).text
  expect(left).toMatch(/>new<[\s\S]*>not tried yet</)
  await keeper.submit(cut, cut, { do: 'apply' })
  expect((await keeper.get(cut)).text).toContain('52 rows are right')
})

test.each([
  { imports: 'yes', written: 4 },
  { imports: 'whole', written: 0 },
])(
  'with Import: $imports, the page of a job comes in time, however long its rows take',
  async ({ imports, written }) => {
    const app = readSound(join(import.meta.dirname, 'fixtures/shed.md'), text =>
      text.replace('all | yes | yes |', `all | yes | ${imports} |`),
    )
    const runtime = { ...web.served.runtime, app }
    let at = web.run.now.getTime()
    let slow = 0
    const clock = () => {
      at += slow
      return new Date(at)
    }
    const slowly = await web.another({ clock, served: { ...web.served, runtime } })
    const someone = await web.signedIn(web.run.people.Kira!, slowly)
    const worker = () => workJobs(runtime, web.run.door(), { worker: 'w', limit: 100 })
    const lines = Array.from({ length: 8 }, (_, number) => `S-${number},Tool ${number},Saw,1`)
    const { location: job } = await upload(someone, `Code,Name,Kind,Price\n${lines.join('\n')}\n`)
    slow = 300
    await someone.submit(job!, job!, { do: 'check' })
    expect((await someone.get(job!)).text).toContain('4 of 8 rows')
    expect(await worker()).toBe(4)
    await someone.submit(job!, job!, { do: 'apply' })
    expect(await tools()).toHaveLength(written)
    expect(await worker()).toBe(8 - written)
    expect((await someone.get(job!)).text).toContain('8 rows done, 0 refused, 0 left.')
    slow = 0
    // Who did not have to wait is told nothing.
    const { location: same } = await upload(someone, `Code,Name,Kind,Price\nS-9,Plane,Saw,1\n`)
    await someone.submit(same!, same!, { do: 'check', key: '' })
    await someone.submit(same!, same!, { do: 'apply' })
    expect((await someone.get('/-/account')).text).not.toContain('data-counts="unread">')
    await clear()
    await slowly.close()
  },
)

test('it stops, and says why, when whoever started it lost the right or is kept out; afterwards it goes on with what is left', async () => {
  const job = await tried('Code,Name,Kind,Price\nF-1,Plane,Saw,1\n')
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`delete from ninefold.appointment where person = ${web.run.people.Kira}::uuid`),
  )
  await workJobs(web.run.runtime, web.run.door(), { worker: 'x', limit: 10 })
  await keeper.send(job, { do: 'apply' })
  expect(await tools()).toEqual([])
  expect((await keeper.get(job)).text).toContain('because you may not import tools any more')
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(
      sql`insert into ninefold.appointment (person, role, at) values (${web.run.people.Kira}::uuid, 'Keeper', ${web.run.now})`,
    ),
  )
  expect((await keeper.get(job)).text).toContain('0 rows done, 0 refused, 1 left.')
  const disabled = (at: Date | null) =>
    web.run.runtime.store.inTransaction(tx =>
      tx.write(sql`insert into ninefold.account (person, disabled_at, changed_at) values (${web.run.people.Kira}::uuid, ${at}::timestamptz, ${web.run.now})
        on conflict (person) do update set disabled_at = excluded.disabled_at`),
    )
  const work = () => workJobs(web.run.runtime, web.run.door(), { worker: 'x', limit: 10 })
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`update ninefold.job set state = 'applying' where state = 'stopped'`),
  )
  await disabled(web.run.now)
  await work()
  expect([await tools(), await work()]).toEqual([[], 0])
  await disabled(null)
  const page = (await keeper.get(job)).text
  expect(page).toContain('because you could not sign in at that time')
  expect(page).not.toContain('because you may not import')
  // Whoever began with it died, three times; that the database took nothing does not count.
  const { runtime } = web.run
  const id = new URL(job, web.url).searchParams.get('id')
  const left = (attempts: number) =>
    runtime.store.query(
      sql`update ninefold.job set state = 'applying', attempts = ${String(attempts)}::integer, claimed_until = null where id = ${id}::uuid`,
    )
  await left(2)
  const away = { ...runtime.store, inTransaction: () => Promise.reject(new Unavailable('Full', '')) }
  const inVain = workJobs({ ...runtime, store: away }, web.run.door(), { worker: 'x', limit: 10 })
  await expect(inVain).rejects.toThrow('Full')
  expect(await runtime.store.query(sql`select attempts from ninefold.job where id = ${id}::uuid`)).toEqual([
    { attempts: '0' },
  ])
  await left(3)
  await expect(work()).rejects.toThrow('begun 3 times and never ended')
  expect([await tools(), await work()]).toEqual([[], 0])
  expect((await keeper.get(job)).text).toContain('because the server broke off three times')
  await keeper.submit(job, job, { do: 'apply' })
  expect((await keeper.get(job)).text).toContain('1 row done, 0 refused, 0 left.')
  await clear()
})

test('rows that were not taken come back as a file that says why, and corrected they are taken', async () => {
  const job = await tried('Code;Name;Price;Kind\nH-1;Plane;1;Saw\nH-2;=1+1;"1,500.00";Spoon\n;"Half; done";x;Saw\n')
  const href = `${job}&_export=csv`
  expect((await keeper.get(job)).text).toContain('2 rows to correct, as a file')
  await keeper.submit(job, job, { do: 'apply' })
  expect((await keeper.get(job)).text).toContain('2 rows to correct, as a file')
  expect((await helper.get(href)).status).toBe(404)
  expect((await keeper.get(`${job}&_export=pdf`)).status).toBe(404)
  const file = await keeper.get(href)
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="tool-refused.csv"')
  const [head, first, second] = file.text.replace('\ufeff', '').split('\r\n')
  expect(head).toBe('Code;Name;Price;Kind;Why refused')
  expect(first).toBe(
    "H-2;'=1+1;1,500.00;Spoon;Kind was not found: it does not exist, or you may not see it. Choose one from the list. (D3)",
  )
  expect(second).toMatch(/^;"Half; done";x;Saw;Code is empty, .* Price must be/)
  // Told in the language of whoever reads it; the column itself is brought in nowhere.
  const german = await keeper.get(href, { 'accept-language': 'de' })
  expect(german.text).toContain(';Warum abgelehnt')
  const corrected = german.text.replace('Spoon', 'Saw').replace(/\r\n;"Half.*/, '')
  const again = await tried(corrected)
  expect((await keeper.get(again)).text).toContain('1 row is right, 0 would change nothing, 0 have something wrong.')
  expect((await keeper.get(again)).text).not.toMatch(/Warum abgelehnt|to correct/)
  expect((await keeper.get(`${again}&_export=csv`)).status).toBe(404)
  await keeper.submit(again, again, { do: 'apply' })
  expect(await tools()).toMatchObject([{ code: 'H-1' }, { code: 'H-2', name: '=1+1', price: '1500.00' }])
  await clear()
})

test('of a workbook they come back as a workbook, with its figures, dates and yes/no; whoever reads German is told so', async () => {
  const cells = ['I-1', 'Plane', 'Saw', -1.5, new Date('2026-02-28T00:00:00.000Z'), true, 'abgenutzt, alt', 'Worn']
  const rows = [
    ['Code', 'Name', 'Kind', 'Price', 'Bought', 'Electric', 'Condition', 'Seen as'],
    cells,
    ['I-2', 'File', 'Saw', 1, null, false, 'Glänzend', ''],
    ['I-3', 'Adze', 'Saw', 1, null, false, 'Good', 'Abgenutzt, alt, good'],
  ]
  const { location } = await upload(keeper, Buffer.from(await writeXlsx({ sheets: [{ name: 'A', rows }] })))
  const id = new URL(location!, web.url).searchParams.get('id')!
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`update ninefold.job set state = 'checking', locale = 'de-DE' where id = ${id}::uuid`),
  )
  const work = () => workJobs(web.run.runtime, web.run.door(), { worker: 'x', limit: 10 })
  await work()
  const answer = await fetch(`${web.url}${location}&_export=xlsx`, {
    headers: { cookie: [...keeper.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()))
  expect(sheets[0]?.rows[1]).toEqual([
    ...cells,
    'Price muss mindestens 0,00\u00a0€ sein; dies ist -1,50\u00a0€. Geben Sie einen höheren Wert ein. (D2)',
  ])
  expect(sheets[0]?.rows[2]?.at(-1)).toBe(
    'Condition muss eines von diesen sein: Good, Abgenutzt, alt. Wählen Sie eines davon. (G3)',
  )
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`update ninefold.job set state = 'applying' where id = ${id}::uuid`),
  )
  await work()
  expect(await web.run.runtime.store.query(sql`select code, seen_as from tool`)).toEqual([
    { code: 'I-3', seen_as: 'Good, Worn' },
  ])
  await clear()
})

test('a row that fails by a mistake of ours is said to, and keeps nobody from the others', async () => {
  const { location } = await upload(keeper, 'Code,Name,Kind,Price\nG-1,Plane,Saw,1\nG-2,File,Saw,1\n')
  const id = new URL(location!, web.url).searchParams.get('id')!
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`update ninefold.job set state = 'checking', what = what || '{"mapping": 5}' where id = ${id}::uuid`),
  )
  await expect(workJobs(web.run.runtime, web.run.door(), { worker: 'x', limit: 1 })).rejects.toThrow()
  await expect(workJobs(web.run.runtime, web.run.door(), { worker: 'x', limit: 1 })).rejects.toThrow()
  const rows = await web.run.runtime.store.query(sql`
    select r.state, r.problems -> 0 ->> 'code' as code, j.state as job from ninefold.job_row as r
    join ninefold.job as j on j.id = r.job where j.id = ${id}::uuid order by r.number`)
  const failed = { state: 'wrong', code: 'NF-ROW-FAILED', job: 'checked' }
  expect(rows).toEqual([failed, failed])
  await web.run.runtime.store.inTransaction(tx => tx.write(sql`delete from ninefold.job where id = ${id}::uuid`))
})

test('a file with the columns of the last one goes into the same fields, so that a corrected one is only tried again', async () => {
  const csv = 'Sticker;Name;Price;Kind\nS-1;Plane;15;Saw\n'
  const chosen = async (browser: TestBrowser) => {
    const { location } = await upload(browser, csv)
    const form = fieldsOf((await browser.get(location!)).text, location!)
    return { location: location!, form: [form.c0, form.key, form.written] }
  }
  const first = await chosen(keeper)
  expect(first.form).toEqual(['', '', 'en-GB'])
  const like = [...(await keeper.get(first.location)).text.matchAll(/<option value="(\w\w-[^"]+)"[^>]*>([^<]+)/g)]
  expect(like.map(([, tag, text]) => [tag, text])).toEqual([
    ['en-GB', '1,234.50; 2026-03-28'],
    [greatBritain, '1,234.50; 28/03/2026'],
    ['en-US', '1,234.50; 03/28/2026'],
    ['de-DE', '1.234,50; 28.03.2026'],
  ])
  await keeper.submit(first.location, first.location, { do: 'check', c0: 'code', key: 'code', written: 'de-DE' })
  expect((await chosen(keeper)).form).toEqual(['code', 'code', 'de-DE'])
})

test('what rows name is looked up for many at once: another row costs only what it takes to write it', async () => {
  const file = (from: number, to: number) =>
    `Code,Name,Kind,Price\n${Array.from({ length: to - from }, (_, at) => `F-${from + at},Tool,Saw,1`).join('\n')}\n`
  const spent = async (limit: number) =>
    (await web.run.runtime.store.counted(() => workJobs(web.run.runtime, web.run.door(), { worker: 'w', limit })))
      .statements
  const job = await tried(file(0, 130), { key: 'code' })
  const [few, many] = [await spent(10), await spent(40)]
  // Locks, what is unique, the row, what it alone has; begun and undone.
  expect(many.length - few.length).toBe(30 * 6)
  while ((await spent(50)).length > 3);
  await keeper.submit(job, job, { do: 'apply' })
  const written = [await spent(10), await spent(40)]
  // Its record by the key, locks, what is unique, the row, its outcome; begun and kept.
  expect(written[1]!.length - written[0]!.length).toBe(30 * 7)
  while ((await spent(50)).length > 3);
  expect((await tools()).length).toBe(130)
  await clear()
})

test('what waits for another one says so, and its page looks again without scripts', async () => {
  const { store } = web.run.runtime
  const [first, second] = [(await upload(keeper, goodTools)).location!, (await upload(keeper, goodTools)).location!]
  const both = [first, second].map(href => new URL(href, web.url).searchParams.get('id'))
  await store.query(sql`update ninefold.job set state = 'checking' where id = any(${both}::uuid[])`)
  const [running, waiting] = [(await keeper.get(first)).text, (await keeper.get(second)).text]
  expect([running, waiting].map(text => text.includes('It waits its turn'))).toEqual([false, true])
  for (const text of [running, waiting])
    expect(text).toContain('<noscript><meta http-equiv="refresh" content="5"/></noscript>')
  await store.query(sql`delete from ninefold.job where state = 'checking'`)
  expect((await keeper.get(await tried(goodTools))).text).not.toContain('http-equiv="refresh"')
})

test('where Import says whole, all rows are written or none', async () => {
  const whole = readSound(join(import.meta.dirname, 'fixtures/shed.md'), text =>
    text.replace('all | yes | yes |', 'all | yes | whole |'),
  )
  await web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app: whole } })
  const worker = () => workJobs({ ...web.run.runtime, app: whole }, web.run.door(), { worker: 'w', limit: 200 })
  const wrong = await tried('Code,Name,Kind,Price\nW-1,Plane,Saw,1\nW-2,Plane,Spoon,1\n')
  const page = (await keeper.get(wrong)).text
  expect(page).toContain('A file is brought in with all its rows or not at all.')
  expect(page).not.toContain('value="apply"')
  expect((await keeper.get(`${wrong}&_export=csv`)).text.split('\r\n').slice(1, 3)).toEqual([
    'W-1,Plane,Saw,1,',
    expect.stringMatching(/^W-2,Plane,Spoon,1,"Kind was not found/),
  ])
  await keeper.send(wrong, { do: 'apply' })
  expect(await tools()).toEqual([])
  // What is refused only while it is written undoes what was written before it.
  const rows = Array.from({ length: 60 }, (_, at) => `W-${at},Plane,Saw,1`)
  const job = await tried(['Code,Name,Kind,Price', ...rows].join('\n'), { key: '' })
  await worker()
  const one = await tried('Code,Name,Kind,Price\nW-30,Plane,Saw,1\n')
  await keeper.submit(one, one, { do: 'apply' })
  expect(await tools()).toHaveLength(1)
  await keeper.submit(job, job, { do: 'apply' })
  expect((await keeper.get(job)).text).not.toContain('value="stop"')
  await worker()
  expect((await keeper.get(job)).text).toContain('59 rows are right, 0 would change nothing, 1 has something wrong.')
  expect(rowOf((await keeper.get(job)).text, 32)).toContain('Code is taken')
  expect(await tools()).toHaveLength(1)
  await clear()
  const columns = { c0: 'code', c1: 'name', c2: 'kind', c3: 'price' }
  await keeper.submit(job, job, { do: 'check', key: '', ...columns })
  await worker()
  await keeper.submit(job, job, { do: 'apply' })
  await worker()
  expect((await keeper.get(job)).text).toContain('60 rows done, 0 refused, 0 left.')
  expect(await tools()).toHaveLength(60)
  await clear()
  await web.web.reload(web.served)
})

test('a number is given by the application: one that is not there makes no record, and none is left out silently', async () => {
  const { store } = web.run.runtime
  const numbered = readSound(join(import.meta.dirname, 'fixtures/shed.md'), text =>
    text.replace(/^(\| code \|.*)$/m, '| number | auto number T-{0000} | |\n$1'),
  )
  await store.query(sql`alter table public.tool add column number text`)
  await web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app: numbered } })
  try {
    const file = 'Number,Code,Name,Kind,Price\nT-0007,N-1,Plane,Saw,1\n'
    const { text } = await keeper.get(await tried(file, { key: 'number' }))
    expect(text).toContain(
      'There is no Tool T-0007, or you may not see it. New ones get their Number from the application.',
    )
    expect(text).not.toContain('from the list')
    const again = await tried('Code,Name,Kind,Price\nN-1,Plane,Saw,1\n', { key: 'code' })
    await keeper.submit(again, again, { do: 'apply' })
    await store.query(sql`update public.tool set number = 'T-0001'`)
    const rows = `${file}T-0001,N-1,Plane,Saw,2\nT-0002,N-2,Plane,Saw,2\n,N-3,Plane,Saw,2\n`
    const told = (await keeper.get(await tried(rows, { key: 'code' }))).text
    const refused = [2, 3, 4, 5].filter(at => rowOf(told, at).includes('Number cannot be set by hand here.'))
    expect(refused).toEqual([2, 4])
  } finally {
    await clear()
    await web.web.reload(web.served)
    await store.query(sql`alter table public.tool drop column number`)
    store.tablesChanged()
  }
})

test('a page of a job takes at most four statements, and so does the one that takes its mark away', async () => {
  await keeper.send('/-/notices', { read: 'all' })
  const job = await tried(goodTools)
  const mark = sql`update ninefold.job set unseen_since = ${web.run.now} where id = ${job.slice(-36)}::uuid`
  await web.run.runtime.store.inTransaction(tx => tx.write(mark))
  for (const shown of ['the first time', 'again']) {
    web.statements.length = 0
    const { text } = await keeper.get(job)
    expect(web.statements.length, shown).toBeLessThanOrEqual(4)
    expect(text).not.toContain('data-counts="unread">')
  }
})
