/** Roles by what stands in a person's record, and effects that choose anew. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { readApp } from '../../headings/index.ts'
import { codes, done, input, made, startTestRun, type TestRun } from '../testing.ts'
import { change, create, takeStep } from '../write/writes.ts'
import { appoint, withdraw } from './appointments.ts'
import { erasePerson } from './erasure.ts'
import { previewedRoles } from './people.ts'

const text = `# Desk

- **Ninefold:** 1

## 1 What the product does and for whom

- **Time zone:** UTC

## 3 Entities and their fields

### Person

- **Sign-in when:** until is empty or working_days(until, today) < 5

| Field | Type | Rules |
| --- | --- | --- |
| kind | choice: Student, Staff | required; default Student |
| until | date | |
| firm | Firm | |

### Firm

| Field | Type | Rules |
| --- | --- | --- |
| name | text 20 | required |

### Closing

| Field | Type | Rules |
| --- | --- | --- |
| day | date | required |

### Piece

| Field | Type | Rules |
| --- | --- | --- |
| name | text 20 | required; unique |
| broken | yes/no | default no; set by steps only |

### Booking

| Field | Type | Rules |
| --- | --- | --- |
| borrower | Person | required; default me |
| day | date | required |
| piece | Piece | assigned from Piece where not broken; unique within day else E-FREE |
| attention | yes/no | default no; set by steps only |

## 4 States and transitions

### Piece

| State | Kind |
| --- | --- |
| Here | start |
| Away | end |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
| break | Here | Away | Staff member | set broken = yes; for each (Booking where piece = this): assign piece |

### Firm

| State | Kind |
| --- | --- |
| Trading | start |
| Closed | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| close | Trading | Closed | Owner |

| On | Of | When | Then |
| --- | --- | --- | --- |
| changed | Booking | \`piece is empty and old.piece is not empty\` | set attention = yes; send mail gone; send mail sorry |

## 6 Roles and permissions

- **Personal data for:** Owner

| Role | Who |
| --- | --- |
| Student | \`my.kind = Student\` |
| Staff member | \`my.kind = Staff and (my.until is empty or working_days(my.until, today) < 1)\` |
| Owner | appointed by Owner |
| Guest | \`my.firm.state = Trading\` |
| Customer | everyone except Staff member, Owner |

### Firm

| Role | See | Create | Do |
| --- | --- | --- | --- |
| Owner | yes | yes | close |

### Person

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Owner | yes | no | yes |

### Closing

| Role | See | Create |
| --- | --- | --- |
| Owner | yes | yes |

### Piece

| Role | See | Create | Change | Delete | Do |
| --- | --- | --- | --- | --- | --- |
| Staff member | yes | yes | yes | no | all |

### Booking

| Role | See | Create |
| --- | --- | --- |
| Student | \`borrower = me\` | yes |
| Staff member | yes | yes |

## 7 The calls it makes

| Mail | To | Subject |
| --- | --- | --- |
| gone | Staff member | {day}: nothing is free |
| sorry | Customer | {day}: nothing is free |

## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-FREE | Nothing is free. |

## 9 Business constants and limits

### Working time

- **Closed on:** Closing.day
`

let run: TestRun

beforeAll(async () => {
  const { app, found } = readApp('desk.md', name => (name === 'desk.md' ? text : null))
  const errors = found.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ code, message }) => `${code} ${message}`)).toEqual([])
  run = await startTestRun(inject('databaseUrl'), app!)
})
afterAll(() => run?.drop())

const rolesOf = async (name: string) => (await run.as(name)).actor.roles
const setKind = async (name: string, values: Record<string, string | null>) =>
  done(await change(run.runtime, await run.as('Olga'), 'person', run.people[name]!, null, input(values)))
const pieceOf = async (id: string) =>
  (
    await run.runtime.store.query<{ name: string | null; attention: boolean }>(
      sql`select p.name, b.attention from booking as b left join piece as p on p.id = b.piece where b.id = ${id}`,
    )
  )[0]!

test('demo people are made so that they have the role', async () => {
  expect(Object.keys(run.people)).toEqual(['Sven', 'Anna', 'Olga', 'Greta'])
  expect(await rolesOf('Sven')).toEqual(['Student', 'Customer'])
  expect(await rolesOf('Anna')).toEqual(['Staff member'])
  expect(await rolesOf('Olga')).toEqual(['Student', 'Owner'])
  expect(await rolesOf('nobody')).toEqual(['Customer'])
})

test('a role follows the record at once, one that leaves it out too, and so does what it may', async () => {
  const add = async () => create(run.runtime, await run.as('Sven'), 'piece', input({ name: 'Lens' }))
  expect(codes(await add())).toEqual(['NF-CREATE-DENIED'])
  await setKind('Sven', { kind: 'Staff' })
  expect(await rolesOf('Sven')).toEqual(['Staff member'])
  expect((await add()).kind).toBe('done')
  await setKind('Sven', { until: '2026-03-01' })
  expect(await rolesOf('Sven')).toEqual(['Customer'])
  await setKind('Sven', { kind: 'Student', until: null })
})

test('who somebody is may go by working days, which are asked before anybody is known', async () => {
  await setKind('Sven', { kind: 'Staff', until: '2026-02-27' })
  expect(await rolesOf('Sven')).toEqual(['Customer'])
  await made(run, 'Olga', 'closing', input({ day: '2026-03-02' }))
  expect(await rolesOf('Sven')).toEqual(['Staff member'])
  await setKind('Sven', { kind: 'Student', until: null })
})

test('a role follows what the record names', async () => {
  const firm = await made(run, 'Olga', 'firm', input({ name: 'Harbour' }))
  await setKind('Sven', { firm })
  expect(await rolesOf('Sven')).toEqual(['Student', 'Guest', 'Customer'])
  done(await takeStep(run.runtime, await run.as('Olga'), 'firm', firm, 'close', null))
  expect(await rolesOf('Sven')).toEqual(['Student', 'Customer'])
})

test('who sees the application as another role gets none that their own keep them out of', () => {
  const as = (own: readonly string[]) => previewedRoles(run.runtime.app, own, 'Student')
  expect([as(['Student', 'Owner']), as(['Student', 'Customer'])]).toEqual([['Student'], ['Student', 'Customer']])
})

test('who alone appoints people is not kept out; with somebody else who can come in, they may be', async () => {
  const leaves = async (name: string, until: string | null) =>
    change(run.runtime, await run.as('Olga'), 'person', run.people[name]!, null, input({ until }))
  expect(codes(await leaves('Olga', '2020-01-01'))).toEqual(['NF-LAST-HOLDER'])
  done(await leaves('Olga', '2030-01-01'))
  done(await appoint(run.runtime, await run.as('Olga'), run.people.Greta!, 'Owner'))
  done(await leaves('Greta', '2020-01-01'))
  expect(codes(await leaves('Olga', '2020-01-01'))).toEqual(['NF-LAST-HOLDER'])
  // That somebody else's account is disabled says nothing of theirs.
  await run.runtime.store.query(
    sql`insert into ninefold.account (person, disabled_at, changed_at) values (${run.people.Sven}::uuid, ${run.now}, ${run.now})`,
  )
  done(await leaves('Greta', null))
  done(await leaves('Olga', '2020-01-01'))
  await run.runtime.store.query(sql`update public.person set until = null`)
  done(await leaves('Greta', '2020-01-01'))
  await run.runtime.store.query(sql`delete from ninefold.account where person = ${run.people.Sven}::uuid`)
  // Greta still has the role and cannot come in: it is taken from her, and not from Olga.
  expect(codes(await withdraw(run.runtime, await run.as('Olga'), run.people.Olga!, 'Owner'))).toEqual([
    'NF-LAST-HOLDER',
  ])
  expect(await erasePerson(run.runtime, await run.as('Olga'), run.people.Olga!)).toMatchObject({
    problems: [{ code: 'NF-LAST-HOLDER' }],
  })
  done(await withdraw(run.runtime, await run.as('Olga'), run.people.Greta!, 'Owner'))
  done(await appoint(run.runtime, await run.as('Olga'), run.people.Greta!, 'Owner'))
  done(await leaves('Greta', null))
  done(await leaves('Olga', '2020-01-01'))
  await run.runtime.store.query(sql`update public.person set until = null`)
  await run.runtime.store.query(sql`delete from ninefold.appointment where person = ${run.people.Greta}::uuid`)
})

test('nobody is appointed to it', async () => {
  const outcome = await appoint(run.runtime, await run.as('Olga'), run.people.Sven!, 'Staff member')
  expect(codes(outcome)).toEqual(['NF-APPOINT-DENIED'])
})

test('what breaks is chosen anew elsewhere; where nothing is free, it is told to those who have the role', async () => {
  await made(run, 'Anna', 'piece', input({ name: 'Tripod' }))
  const day = '2026-03-10'
  const first = await made(run, 'Sven', 'booking', input({ day }))
  const other = await made(run, 'Sven', 'booking', input({ day: '2026-03-11' }))
  expect((await pieceOf(first)).name).toBe('Lens')
  const id = async (name: string) =>
    (await run.runtime.store.query<{ id: string }>(sql`select id from piece where name = ${name}`))[0]!.id
  const broken = async (name: string) =>
    done(await takeStep(run.runtime, await run.as('Anna'), 'piece', await id(name), 'break', null))
  await broken('Lens')
  expect(await pieceOf(first)).toEqual({ name: 'Tripod', attention: false })
  expect(await pieceOf(other)).toEqual({ name: 'Tripod', attention: false })
  await broken('Tripod')
  expect(await pieceOf(first)).toEqual({ name: null, attention: true })
  const mails = (name: string) =>
    run.runtime.store.query<{ to: string }>(
      sql`select payload -> 'to' ->> 'name' as to from ninefold.outbox where record = ${first} and name = ${name} order by 1`,
    )
  expect((await mails('gone')).map(({ to }) => to)).toEqual(['Anna'])
  const customers = Object.keys(run.people).filter(name => !['Anna', 'Olga'].includes(name))
  expect((await mails('sorry')).map(({ to }) => to)).toEqual(customers.toSorted())
})
