/** Whoever `Sign-in when` keeps out is not offered, and not taken, where a step waits for the person that a field names. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { appOf } from '../../kinds/testing.ts'
import { readOptions } from '../read/options.ts'
import { codes, input, startTestRun, type TestRun } from '../testing.ts'
import { create } from './writes.ts'

const requests = `# Requests

## 3 Entities and their fields

### Person

- **Sign-in when:** left_on is empty or left_on > today

| Field | Type | Rules |
| --- | --- | --- |
| left_on | date | |

### Request

| Field | Type | Rules |
| --- | --- | --- |
| what | text 40 | required |
| approver | Person | required |
| about | Person | |

## 4 States and transitions

### Request

| State | Kind |
| --- | --- |
| Asked | start |
| Approved | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| approve | Asked | Approved | approver |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | appointed by Member |
| Chief | appointed by Chief |

### Request

| Role | See | Create | Change | Do |
| --- | --- | --- | --- | --- |
| Member | yes | yes | yes | all |
| Chief | yes | yes | yes | all |

### Person

| Role | See |
| --- | --- |
| Member | yes |
| Chief | yes |
`

let run: TestRun
beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), appOf(requests))
})
afterAll(() => run?.drop())

test('the person who left is neither offered nor taken for a decision, and is where nothing waits for them', async () => {
  const [here, left] = Object.entries(run.people) as [[string, string], [string, string]]
  await run.runtime.store.query(sql`update person set left_on = '2020-01-01' where id = ${left[1]}::uuid`)
  const request = await run.as(here[0])
  const offered = async (field: string) => {
    const { options } = await readOptions(run.runtime, request, { entity: 'request', field, search: null, limit: 10 })
    return options.map(({ value }) => value)
  }
  expect(await offered('approver')).toEqual([here[1]])
  expect((await offered('about')).length).toBe(2)
  const ask = (approver: string) =>
    create(run.runtime, request, 'request', input({ what: 'Leave', approver, about: left[1] }))
  expect(codes(await ask(left[1]))).toEqual(['NF-NOT-OFFERED'])
  expect((await ask(here[1])).kind).toBe('done')
})
