/** An address, and a role that comes from what stands in a record, in every way in which a record is written. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { readApp } from '../../headings/index.ts'
import type { Request } from '../request.ts'
import { codes, done, input, startTestRun, type TestRun } from '../testing.ts'
import { change, create, takeStep } from '../write/writes.ts'
import { systemRequest } from './people.ts'

const text = `# Desk

- **Ninefold:** 1

## 1 What the product does and for whom

- **Time zone:** UTC

## 3 Entities and their fields

### Person

- **Sign-in when:** firm is empty or not firm.closed

| Field | Type | Rules |
| --- | --- | --- |
| kind | choice: Plain, Chief | required; default Plain |
| firm | Firm | |

### Firm

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
| trusted | yes/no | required; default no |
| rating | integer | |
| closed | yes/no | required; default no |

### Seat

| Field | Type | Rules |
| --- | --- | --- |
| person | Person | required |

### Move

| Field | Type | Rules |
| --- | --- | --- |
| person | Person | required |
| email | e-mail | required |

## 4 States and transitions

### Firm

| State | Kind |
| --- | --- |
| New | start |
| Known | |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
| trust | New | Known | Clerk | set trusted = yes |

### Move

| State | Kind |
| --- | --- |
| Asked | start |
| Made | end |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
| make | Asked | Made | Clerk | set person.email = email |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |
| Chief | \`my.kind = Chief\` |
| Auditor | \`my.firm.trusted\` |
| Sitter | \`count(Seat where person = me) > 0\` |

### Person

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Clerk | yes | yes | yes |

### Firm

| Role | See | Create | Change | Do |
| --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | all |

### Seat

| Role | See | Create | Delete |
| --- | --- | --- | --- |
| Clerk | yes | yes | yes |

### Move

| Role | See | Create | Do |
| --- | --- | --- | --- |
| Clerk | yes | yes | make |
`

let run: TestRun
let clerk: Request
let far: Request
let key: Request
beforeAll(async () => {
  const { app, found } = readApp('desk.md', () => text)
  expect(found.filter(one => one.severity === 'error')).toEqual([])
  run = await startTestRun(inject('databaseUrl'), app!)
})
beforeEach(async () => {
  const present = await run.as('Cleo')
  clerk = present
  far = { ...present, present: false }
  key = { ...far, key: 'Night import' }
})
afterAll(() => run?.drop())

const told = () =>
  run.runtime.store.query<{ to: string }>(
    sql`select payload->'to'->>'address' as to from ninefold.outbox where name = 'sign_in_changed' order by id`,
  )
const newPerson = async (name: string) =>
  done(
    await create(
      run.runtime,
      clerk,
      'person',
      input({ name, email: `${name.toLowerCase()}@example.org`, kind: 'Plain' }),
    ),
  )

test('an effect of a step moves an address for whoever is there alone, and for nobody by an ordinary key', async () => {
  const person = await newPerson('Ada')
  const move = done(await create(run.runtime, clerk, 'move', input({ person, email: 'new@example.org' })))
  const make = (request: Request) => takeStep(run.runtime, request, 'move', move, 'make', null)
  expect(codes(await make(far))).toEqual(['NF-PRESENCE'])
  expect(codes(await make(key))).toEqual(['NF-KEY-SIGN-IN'])
  expect(await told()).toEqual([])
  done(await make(clerk))
  expect((await told()).map(({ to }) => to)).toEqual(['ada@example.org', 'new@example.org'])
})

test('a role by condition is given like any other: by whoever has it or is there', async () => {
  const person = await newPerson('Ben')
  const rise = (request: Request) => change(run.runtime, request, 'person', person, null, input({ kind: 'Chief' }))
  expect(codes(await rise(far))).toEqual(['NF-PRESENCE'])
  expect(codes(await rise(key))).toEqual(['NF-KEY-SIGN-IN'])
  const fresh = input({ name: 'Eve', email: 'eve@example.org', kind: 'Chief' })
  expect(codes(await create(run.runtime, key, 'person', fresh))).toEqual(['NF-KEY-SIGN-IN'])
  // What gives no role is not in the way.
  done(await change(run.runtime, key, 'person', person, null, input({ name: 'Benjamin' })))
  done(await create(run.runtime, key, 'person', input({ name: 'Eve', email: 'eve@example.org', kind: 'Plain' })))
  done(await rise(clerk))
  // Nobody rises who is there already.
  done(await change(run.runtime, key, 'person', person, null, input({ name: 'Ben' })))
})

test('nor is it given through another record that its condition reads, whichever way that is written', async () => {
  const firm = done(await create(run.runtime, key, 'firm', input({ name: 'Acme', trusted: false })))
  const person = await newPerson('Fay')
  done(await change(run.runtime, key, 'person', person, null, input({ firm })))
  const trust = (request: Request) => change(run.runtime, request, 'firm', firm, null, input({ trusted: true }))
  expect([codes(await trust(far)), codes(await trust(key))]).toEqual([['NF-PRESENCE'], ['NF-KEY-SIGN-IN']])
  const step = await takeStep(run.runtime, key, 'firm', firm, 'trust', null)
  expect(codes(step), 'by a step').toEqual(['NF-KEY-SIGN-IN'])
  const seat = (request: Request) => create(run.runtime, request, 'seat', input({ person }))
  expect(codes(await seat(key)), 'by there being one').toEqual(['NF-KEY-SIGN-IN'])
  // What gives nobody a role is not in the way: another field, a firm of nobody, and a seat of who has one.
  done(await change(run.runtime, key, 'firm', firm, null, input({ rating: '3' })))
  const other = done(await create(run.runtime, key, 'firm', input({ name: 'Nobody’s', trusted: true })))
  done(await seat(clerk))
  done(await seat(key))
  done(await trust(clerk))
  done(await change(run.runtime, key, 'firm', firm, null, input({ trusted: false })))
  expect(codes(await change(run.runtime, key, 'person', person, null, input({ firm: other })))).toEqual([
    'NF-KEY-SIGN-IN',
  ])
})

test('no record keeps out the last of those who appoint people', async () => {
  const { Cleo } = run.people as Record<'Cleo', string>
  const firm = done(await create(run.runtime, clerk, 'firm', input({ name: 'All of us' })))
  const close = (closed: boolean) => change(run.runtime, clerk, 'firm', firm, null, input({ closed }))
  await run.runtime.store.query(sql`delete from ninefold.appointment where person <> ${Cleo}::uuid`)
  done(await close(true))
  done(await close(false))
  done(await change(run.runtime, clerk, 'person', Cleo, null, input({ firm })))
  expect(codes(await close(true))).toEqual(['NF-LAST-HOLDER'])
  // Another one who appoints is enough.
  const other = await newPerson('Gus')
  await run.runtime.store.query(
    sql`insert into ninefold.appointment (person, role, at) values (${other}::uuid, 'Clerk', ${run.now})`,
  )
  done(await close(true))
  done(await close(false))
  done(await change(run.runtime, clerk, 'person', Cleo, null, input({ firm: null })))
})

test('two records that keep out one of them each, at the same moment, do not keep out both', async () => {
  const { Cleo } = run.people as Record<'Cleo', string>
  const other = await newPerson('Gil')
  await run.runtime.store.query(sql`delete from ninefold.appointment where person <> ${Cleo}::uuid`)
  await run.runtime.store.query(
    sql`insert into ninefold.appointment (person, role, at) values (${other}::uuid, 'Clerk', ${run.now})`,
  )
  const employ = async (person: string) => {
    const firm = done(await create(run.runtime, clerk, 'firm', input({ name: 'One each' })))
    done(await change(run.runtime, clerk, 'person', person, null, input({ firm })))
    return firm
  }
  const firms = [await employ(Cleo), await employ(other)]
  const close = (firm: string) => change(run.runtime, clerk, 'firm', firm, null, input({ closed: true }))
  for (let round = 0; round < 10; round++) {
    const outcomes = await Promise.all(firms.map(close))
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['done', 'refused'])
    await run.runtime.store.query(sql`update public.firm set closed = false`)
  }
  await run.runtime.store.query(sql`update public.person set firm = null`)
})

test('who has come in before is told of a role that their record gives them', async () => {
  const { Cleo } = run.people as Record<'Cleo', string>
  await run.runtime.store.query(sql`delete from ninefold.outbox`)
  await run.runtime.store.query(
    sql`insert into ninefold.device (token_hash, person, ends_at) values ('x'::bytea, ${Cleo}::uuid, ${run.now})`,
  )
  const be = (kind: string, name: string) => change(run.runtime, clerk, 'person', Cleo, null, input({ kind, name }))
  done(await be('Chief', 'Cleo'))
  done(await be('Chief', 'Cleopatra'))
  const texts = await run.runtime.store.query<{ text: string }>(
    sql`select payload->>'text' as text from ninefold.outbox where name = 'sign_in_changed'`,
  )
  expect(texts.map(({ text: said }) => said.split('\n')[0])).toEqual(['You have the role Chief now.'])
  done(await be('Plain', 'Cleo'))
})

test('what the document does by itself it does; the old address is told, and sample data tell nobody', async () => {
  const person = await newPerson('Dan')
  const before = (await told()).length
  const move = (request: Request, email: string) =>
    change(run.runtime, request, 'person', person, null, input({ email }))
  done(await move(await systemRequest(run.runtime, 'call', run.door()), 'fed@example.org'))
  expect((await told()).slice(before).map(({ to }) => to)).toEqual(['dan@example.org', 'fed@example.org'])
  done(await move(await systemRequest(run.runtime, 'seed', run.door()), 'seeded@example.org'))
  expect((await told()).length).toBe(before + 2)
})
