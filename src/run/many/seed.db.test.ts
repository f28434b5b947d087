/** What `dev` fills a new database with: the examples, on days that are not all alike, and rows that a document refuses; what lists of them weigh. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { raw, sql } from '../../expression/sql.ts'
import { readApp } from '../../headings/index.ts'
import { specified } from '../../headings/specified.ts'
import { place } from '../../trace/words.ts'
import { standardAssets } from '../../web/standard-assets.ts'
import { serveTestRun, weigh } from '../../web/testing.ts'
import { readSound, startTestRun, type TestRun } from '../testing.ts'
import { seed } from './seed.ts'

const running = new Map<string, TestRun>()
afterAll(async () => {
  await Promise.all([...running.values()].map(run => run.drop()))
})

const example = (name: string) => readSound(join(import.meta.dirname, '../../../examples', name, `${name}.md`))

/** The day after the clocks changed, the last day of a year, a Saturday that begins a Sunday elsewhere, a leap day, a holiday. */
test.each([
  ['loan-desk', '2026-03-30T06:00:00.000Z'],
  ['equipment-desk', '2026-12-31T10:00:00.000Z'],
  ['purchasing', '2027-02-27T23:30:00.000Z'],
  ['street-defects', '2028-02-29T12:00:00.000Z'],
  ['absence-desk', '2026-05-01T05:00:00.000Z'],
])('%s on %s: nothing is refused, every state has records, nothing leaves the house', async (name, now) => {
  const run = await startTestRun(inject('databaseUrl'), example(name), null, { files: true, now })
  running.set(name, run)
  const { runtime, door } = run
  const { app, store } = runtime
  for (const { entity, states } of app.workflows.values()) {
    const rows = await store.query<{ state: string }>(sql`select distinct state from ${raw(`"${entity}"`)}`)
    const has = rows.map(({ state }) => state)
    expect([entity, states.map(({ name: state }) => state).filter(state => !has.includes(state))]).toEqual([entity, []])
  }
  const counts = await store.query<{ what: string; n: string }>(
    sql`select what, count(*) as n from ninefold.history where kind not in ('appointment') group by what order by what`,
  )
  expect(counts.map(({ what }) => what).filter(what => what !== 'change')).toEqual(['create', 'sample data'])
  expect(Number(counts.find(({ what }) => what === 'sample data')!.n)).toBeGreaterThan(45)
  expect(await store.query(sql`select id from ninefold.outbox`)).toEqual([])
  // What looks through all records once stands for no record.
  const due = sql`select timer from ninefold.timer where fired_at is null and due_at <= ${now} and timer <> ' rearm'`
  expect(await store.query(due)).toEqual([])
  expect((await seed(runtime, door(), { files: true })).created).toBe(0)
})

test('rows are what they say: state, number, rows, who did it, the time on that day; timers are armed or had their time', async () => {
  const { runtime } = running.get('loan-desk')!
  const [loan] = await runtime.store.query(
    sql`select l.number, l.state, a.name as approved, l.out_on::text, l.handed_out_at, l.id,
          (select array_agg(i.tag || ' ' || n.value order by n.position) from loan_line n join item i on i.id = n.item where n.loan = l.id) as lines
        from loan l join person p on p.id = l.borrower left join person a on a.id = l.approved_by
        where p.name = 'Carla Nowak' and l.state = 'Out'`,
  )
  const { id, ...values } = loan as { id: string }
  expect(values).toMatchObject({
    number: expect.stringMatching(/^LN-2026-\d{5}$/),
    approved: 'Dan',
    out_on: '2026-03-24',
    // Summer time began on the day before: it was 11:20 then as it is now.
    handed_out_at: '2026-03-24T10:20:00.000Z',
    lines: ['PR-0003 3950.00'],
  })
  const timers = await runtime.store.query(
    sql`select timer, due_at, fired_at is not null as fired from ninefold.timer where record = ${id} order by 1`,
  )
  expect(timers).toEqual([
    { timer: 'due_soon', due_at: '2026-03-29T07:00:00.000Z', fired: true },
    { timer: 'overdue', due_at: '2026-04-01T06:00:00.000Z', fired: false },
  ])
})

test('every list of every example weighs at most 60 KB with all that it loads, of which JavaScript at most 30', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ninefold lists '))
  const assets = await standardAssets(folder)
  const weights = new Map<string, ReturnType<typeof weigh>>()
  for (const [name, run] of running) {
    const served = await serveTestRun(run, { assets })
    const lists = run.runtime.app.screens.flatMap(({ route, shows }) =>
      specified(shows)?.kind === 'list' ? [specified(route)?.pattern ?? ''] : [],
    )
    for (const person of Object.keys(run.people)) {
      const browser = await served.browser(person)
      for (const path of lists.filter(list => !weights.has(`${name} ${list}`))) {
        const { status, text } = await browser.get(path)
        if (status === 200) weights.set(`${name} ${path}`, weigh(assets, text))
      }
    }
    expect(lists.filter(path => !weights.has(`${name} ${path}`))).toEqual([])
    await served.stop()
  }
  await rm(folder, { recursive: true })
  expect([...weights].filter(([, { scripts, all }]) => scripts > 30_000 || all > 60_000)).toEqual([])
})

test('people name what cannot be there without them, as long as one of both may be empty', async () => {
  const text = `# Members

## 3 Entities and their fields

### Person

| Field | Type | Rules |
| --- | --- | --- |
| acting_for | Member | |

#### Sample data

| name | acting_for |
| --- | --- |
| Hana | Lark |
| Bea | Lark |

### Member

| Field | Type | Rules |
| --- | --- | --- |
| name | text 20 | required; unique |
| holder | Person | required |

#### Sample data

| name | holder |
| --- | --- |
| Lark | Hana |
`
  const { app } = readApp('members.md', () => text)
  const { runtime, drop } = await startTestRun(inject('databaseUrl'), app!)
  try {
    const rows = await runtime.store.query(
      sql`select p.name, m.name as of, h.name as held from person p join member m on m.id = p.acting_for join person h on h.id = m.holder order by p.name`,
    )
    expect(rows).toEqual([
      { name: 'Bea', of: 'Lark', held: 'Hana' },
      { name: 'Hana', of: 'Lark', held: 'Hana' },
    ])
  } finally {
    await drop()
  }
})

test('a moment is one of the time zone of the application', async () => {
  const text = `# Visits

## 1 What the product does and for whom

- **Time zone:** Pacific/Auckland

## 3 Entities and their fields

### Visit

| Field | Type | Rules |
| --- | --- | --- |
| at | date and time | |

#### Sample data

| at |
| --- |
| 2026-07-08 08:00 |
| 2026-07-08T08:00Z |
`
  const { app } = readApp('visits.md', () => text)
  const { runtime, drop } = await startTestRun(inject('databaseUrl'), app!)
  try {
    const rows = await runtime.store.query<{ at: Date }>(sql`select at from visit order by at`)
    expect(rows.map(({ at }) => new Date(at).toISOString())).toEqual([
      '2026-07-07T20:00:00.000Z',
      '2026-07-08T08:00:00.000Z',
    ])
  } finally {
    await drop()
  }
})

test('a row that breaks what always holds is told with its line; what is asked on create is not asked', async () => {
  const files: Readonly<Record<string, string>> = {
    'desk.md': `# Desk

- **Ninefold:** 1

## 3 Entities and their fields

### Loan

- **Sample data:** [loans.csv](loans.csv)

| Field | Type | Rules |
| --- | --- | --- |
| title | text 20 | required; unique |
| out_on | date | required |
| due_back | date | required |

## 4 States and transitions

| On | Of | When | Then |
| --- | --- | --- | --- |
| created | Loan | | set due_back = out_on |

## 5 Validation rules

| Rule | Applies to | Must hold | Field | Error |
| --- | --- | --- | --- | --- |
| V-1 | Loan | \`due_back > out_on\` | due_back | E-1 |
| V-2 | Loan on create | \`out_on >= today\` | out_on | E-2 |

## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-1 | Later. |
| E-2 | Past. |
`,
    'loans.csv': 'title,out_on,due_back\nA,today - 3 days,today\nB,today,today - 1 day\nA,today,today + 1 day\n',
  }
  const app = readApp('desk.md', path => files[path] ?? null).app!
  const run = await startTestRun(inject('databaseUrl'), app)
  running.set('refused', run)
  const { created, problems } = await seed(run.runtime, run.door(), { files: true })
  expect([created, problems.map(({ code, row }) => `${place(row!)} ${code}`)]).toEqual([
    1,
    ['loans.csv:3:1 E-1', 'loans.csv:4:1 NF-UNIQUE'],
  ])
  expect(await run.runtime.store.query(sql`select title, due_back::text from loan`)).toEqual([
    { title: 'A', due_back: '2026-03-02' },
  ])
})

test('records that name each other all find each other, and a record that is never there is told with its line', async () => {
  const files: Readonly<Record<string, string>> = {
    'desk.md': `# Desk

- **Ninefold:** 1

## 3 Entities and their fields

### Company

- **Sample data:** [companies.csv](companies.csv)

| Field | Type | Rules |
| --- | --- | --- |
| title | text 20 | required; unique |
| contacts | several Person | |
| first_order | Order | |

### Label

- **Sample data:** [labels.csv](labels.csv)

| Field | Type | Rules |
| --- | --- | --- |
| title | text 20 | required |
| pipe | Pipe | required |

### Pipe (part of Order)

- **Sample data:** [pipes.csv](pipes.csv)

| Field | Type | Rules |
| --- | --- | --- |
| bore | integer | required |

### Order

- **Sample data:** [orders.csv](orders.csv)

| Field | Type | Rules |
| --- | --- | --- |
| title | text 20 | required; unique |
| company | Company | required |
| pieces | integer | required |
| pipes | list of Pipe | |

### Person

- **Sample data:** [people.csv](people.csv)

| Field | Type | Rules |
| --- | --- | --- |
| company | Company | |
`,
    'companies.csv': 'title,contacts,first_order\nSpring,"Ida Ox, Jon Elk",Pipes\nWell,Ida Ox,Valves\n',
    'orders.csv': 'title,company,pieces\nPipes,Spring,2\nValves,Well,\n',
    'labels.csv': 'title,pipe\nThick,PI-2\n',
    'pipes.csv': 'order,Pipe,bore\nPipes,PI-1,10\nPipes,PI-2,20\n',
    'people.csv': 'name,company\nIda Ox,Spring\nJon Elk,Well\n',
  }
  const app = readApp('desk.md', path => files[path] ?? null).app!
  const run = await startTestRun(inject('databaseUrl'), app)
  running.set('circular', run)
  const { problems } = await seed(run.runtime, run.door(), { files: true })
  expect(problems.map(({ code, field, row }) => `${place(row!)} ${code} ${field}`)).toEqual([
    'orders.csv:3:1 NF-REQUIRED pieces',
    'companies.csv:3:1 NF-NO-RECORD first_order',
  ])
  const companies = sql`select c.title, o.title as first,
      (select string_agg(p.name, ', ' order by p.name) from company_contacts l join person p on p.id = l.member where l.owner = c.id) as contacts
    from company c left join "order" o on o.id = c.first_order order by c.title`
  expect(await run.runtime.store.query(companies)).toEqual([
    { title: 'Spring', first: 'Pipes', contacts: 'Ida Ox, Jon Elk' },
    { title: 'Well', first: null, contacts: 'Ida Ox' },
  ])
  const labelled = sql`select l.title, p.bore from label l join pipe p on p.id = l.pipe`
  expect(await run.runtime.store.query(labelled)).toEqual([{ title: 'Thick', bore: '20' }])
})

test('demo people have what the document requires of people, each their own where that is unique', async () => {
  const text = `# Desk

- **Ninefold:** 1

## 3 Entities and their fields

### Person

| Field | Type | Rules |
| --- | --- | --- |
| badge | text 10 | required; unique |
| card | text 8 | required; unique; pattern AA-9999 |
| mobile | phone | required; unique |
| locker | integer | required; unique |
| born | date | required; unique |
| fee | money EUR | required; unique |
| shift | time | required; unique |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |
| Clerk | appointed by Clerk |
| Auditor | appointed by Clerk |
`
  const run = await startTestRun(inject('databaseUrl'), readApp('desk.md', () => text).app!)
  running.set('badges', run)
  expect((await seed(run.runtime, run.door())).problems).toEqual([])
  expect(Object.keys(run.people)).toHaveLength(3)
})

test('of a role that hangs on other records somebody signs in who has it', async () => {
  const text = `# Chamber

- **Ninefold:** 1

## 3 Entities and their fields

### Person

#### Sample data

| name | role |
| --- | --- |
| Cleo | Clerk |
| Kim | |

### Candidate

| Field | Type | Rules |
| --- | --- | --- |
| person | Person | required |
| deputy | yes/no | default no |

#### Sample data

| person |
| --- |
| Kim |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |
| Candidate | any(Candidate where person = me) |
| Deputy | any(Candidate where person = me and deputy) |
`
  const run = await startTestRun(inject('databaseUrl'), readApp('chamber.md', () => text).app!)
  running.set('chamber', run)
  const { people } = await seed(run.runtime, run.door())
  // Nobody is a deputy: whoever was made up for it stays.
  expect(people.map(({ name, roles }) => `${name}: ${roles.join(', ')}`)).toEqual([
    'Cleo: Clerk',
    'Dan: Deputy',
    'Kim: Candidate',
  ])
})

test('people of the sample data come first for roles by a condition, have no value for what is not there, and a refused row is named', async () => {
  const text = `# Yard

- **Ninefold:** 1

## 3 Entities and their fields

### Person

- **Sample data:** [people.csv](people.csv)

| Field | Type | Rules |
| --- | --- | --- |
| badge | text 10 | only when position = Picker; required when position = Picker |
| position | choice: Picker, Driver | required; default Driver |
| licence | text 10 | required when position = Driver |

#### Sample data

| name | position | badge | role |
| --- | --- | --- | --- |
| Vera | Driver | | |
| Pia | Picker | P-1 | |
| Kai | | | Boss |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Packer | my.position = Picker |
| Mover | my.position = Driver |
| Watch | my.licence = "L-7" |
| Boss | appointed by Boss |
`
  const files: Record<string, string> = { 'yard.md': text, 'people.csv': 'name,position,badge\nTom,Driver,P-2\n' }
  const run = await startTestRun(inject('databaseUrl'), readApp('yard.md', path => files[path] ?? null).app!)
  running.set('yard', run)
  const { people, problems } = await seed(run.runtime, run.door(), { files: true })
  expect(people.map(({ name, roles }) => `${name}: ${roles.join(', ')}`)).toEqual([
    'Kai: Boss',
    'Pia: Packer',
    'Vera: Mover',
    'Willi: Watch',
  ])
  expect(problems.map(({ code, field, row }) => `${place(row!)} ${code} ${field}`)).toEqual([
    'people.csv:2:1 NF-ONLY-WHEN badge',
  ])
  const held = sql`select name, position, badge, licence is not null as licensed from person order by name`
  expect(await run.runtime.store.query(held)).toEqual([
    { name: 'Kai', position: 'Driver', badge: null, licensed: true },
    { name: 'Pia', position: 'Picker', badge: 'P-1', licensed: false },
    { name: 'Vera', position: 'Driver', badge: null, licensed: true },
    { name: 'Willi', position: 'Driver', badge: null, licensed: true },
  ])
})

test('a row that says no record which it is part of is told, and not dropped', async () => {
  const text = `# Yard

## 3 Entities and their fields

### Order

| Field | Type | Rules |
| --- | --- | --- |
| code | text 20 | required; unique |
| pipes | list of Pipe | |

#### Sample data

| code |
| --- |
| A |

### Pipe (part of Order)

| Field | Type | Rules |
| --- | --- | --- |
| length | integer | |

#### Sample data

| order | length |
| --- | --- |
| A | 1 |
| | 2 |
`
  const { app } = readApp('yard.md', path => (path === 'yard.md' ? text : null))
  const started = await startTestRun(inject('databaseUrl'), app!).then(
    run => run.drop().then(() => 'nothing was told'),
    (failure: Error) => failure.message,
  )
  expect(started).toContain('Order')
})
