/** Nothing leaves a role that appoints without anybody who can sign in, in whatever way people come out of it. */
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { readApp } from '../../headings/index.ts'
import type { Outcome } from '../outcome.ts'
import { codes, done, input, made, startTestRun, type TestRun } from '../testing.ts'
import { change, create, remove, takeStep } from '../write/writes.ts'
import { appoint, withdraw } from './appointments.ts'
import { erasePerson } from './erasure.ts'
import { keepTimes } from './keep.ts'

const text = `# Desk

- **Ninefold:** 1

## 1 What the product does and for whom

- **Time zone:** UTC

## 3 Entities and their fields

### Person

- **Sign-in when:** office is empty or not office.shut
- **Keep:** 1 year after left_on

| Field | Type | Rules |
| --- | --- | --- |
| kind | choice: Plain, Chief | required; default Plain |
| firm | Firm | |
| office | Office | |
| left_on | date | |
| until | date | |

#### Sample data

| name | kind | role |
| --- | --- | --- |
| Olga | Chief | Owner |
| Ben | Plain | Clerk |

### Firm

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
| closed | yes/no | required; default no |

### Office

| Field | Type | Rules |
| --- | --- | --- |
| shut | yes/no | required; default no |

### Leaving

| Field | Type | Rules |
| --- | --- | --- |
| person | Person | required |

### Closing

| Field | Type | Rules |
| --- | --- | --- |
| day | date | required |

## 4 States and transitions

### Leaving

| State | Kind |
| --- | --- |
| Asked | start |
| Done | end |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
| leave | Asked | Done | Clerk | set person.kind = Plain |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Owner | \`my.kind = Chief and (my.firm is empty or not my.firm.closed) and (my.until is empty or working_days(my.until, today) >= 2)\` |
| Clerk | appointed by Owner, Clerk |
| Guest | appointed by Clerk |
| Host | everyone signed in except Guest |
| Helper | appointed by Host |

- **Personal data for:** Clerk

### Person

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | yes |

### Firm

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Clerk | yes | yes | yes |

### Office

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Clerk | yes | yes | yes |

### Leaving

| Role | See | Create | Do |
| --- | --- | --- | --- |
| Clerk | yes | yes | leave |

### Closing

| Role | See | Create |
| --- | --- | --- |
| Clerk | yes | yes |

## 9 Business constants and limits

### Working time

- **Closed on:** Closing.day
`

let run: TestRun
let ben: string
let olga: string

const asBen = () => run.as('Ben')
const setOlga = async (values: Record<string, string | null>) =>
  done(await change(run.runtime, await asBen(), 'person', olga, null, input(values)))
const query = (statement: Parameters<TestRun['runtime']['store']['query']>[0]) => run.runtime.store.query(statement)

beforeEach(async () => {
  const { app, found } = readApp('desk.md', name => (name === 'desk.md' ? text : null))
  const errors = found.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ code, message }) => `${code} ${message}`)).toEqual([])
  run = await startTestRun(inject('databaseUrl'), app!)
  ;[ben, olga] = [run.people.Ben!, run.people.Olga!]
  await query(sql`delete from public.person where id <> all(${[ben, olga]}::uuid[])`)
})
afterEach(() => run?.drop())

/** What must stand before, and the way out, each of Olga, the one Owner. */
const ways: Readonly<Record<string, readonly [() => Promise<unknown>, (stood: unknown) => Promise<Outcome>]>> = {
  'their own record': [
    async () => null,
    async () => change(run.runtime, await asBen(), 'person', olga, null, input({ kind: 'Plain' })),
  ],
  'a step of another record': [
    () => made(run, 'Ben', 'leaving', input({ person: olga })),
    async id => takeStep(run.runtime, await asBen(), 'leaving', id as string, 'leave', null),
  ],
  'a record that the condition of the role reads': [
    async () => {
      const firm = await made(run, 'Ben', 'firm', input({ name: 'Harbour' }))
      await setOlga({ firm })
      return firm
    },
    async firm => change(run.runtime, await asBen(), 'firm', firm as string, null, input({ closed: true })),
  ],
  'a record that keeps them out': [
    async () => {
      const office = await made(run, 'Ben', 'office', input({}))
      await setOlga({ office })
      return office
    },
    async office => change(run.runtime, await asBen(), 'office', office as string, null, input({ shut: true })),
  ],
  'a day that is closed': [
    () => setOlga({ until: '2026-02-26' }),
    async () => create(run.runtime, await asBen(), 'closing', input({ day: '2026-02-27' })),
  ],
  'their deletion': [async () => null, async () => remove(run.runtime, await asBen(), 'person', olga, null)],
  'their erasure': [
    async () => null,
    async () => {
      const erased = await erasePerson(run.runtime, await asBen(), olga)
      return 'kind' in erased ? erased : { kind: 'done', id: olga, version: 1 }
    },
  ],
  'the end of the time that they are kept': [
    () => setOlga({ left_on: '2020-01-01' }),
    async () => {
      const { failed } = await keepTimes(run.runtime, run.door())
      return failed.length > 0
        ? { kind: 'refused', problems: failed.flatMap(({ problems }) => problems) }
        : { kind: 'done', id: olga, version: 1 }
    },
  ],
}

for (const [name, [before, out]] of Object.entries(ways))
  test(`the last in a role that appoints stays: ${name}`, async () => {
    const stood = await before()
    const refused = await out(stood)
    expect(refused).toMatchObject({ kind: 'refused', problems: [{ code: 'NF-LAST-HOLDER' }] })
    expect(refused.kind === 'refused' && refused.problems[0]!.message).toContain('Owner')
    // Nothing of it was done; and with another one, all of it is.
    expect((await run.as('Olga')).actor.roles).toContain('Owner')
    await query(sql`update public.person set kind = 'Chief' where id = ${ben}::uuid`)
    done(await out(stood))
  })

test('a role that appoints and is everybody’s but for some has somebody left, too', async () => {
  done(await appoint(run.runtime, await asBen(), olga, 'Guest'))
  expect(codes(await appoint(run.runtime, await asBen(), ben, 'Guest'))).toEqual(['NF-LAST-HOLDER'])
  done(await withdraw(run.runtime, await asBen(), olga, 'Guest'))
  done(await appoint(run.runtime, await asBen(), ben, 'Guest'))
})

test('two whose records take one out each, at the same moment, leave one', async () => {
  for (let round = 0; round < 10; round++) {
    await query(sql`update public.person set kind = 'Chief'`)
    const request = await asBen()
    const outcomes = await Promise.all(
      [ben, olga].map(person => change(run.runtime, request, 'person', person, null, input({ kind: 'Plain' }))),
    )
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['done', 'refused'])
  }
})
