/** What the text of a refusal tells of other records. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Wire } from '../../expression/type.ts'
import { readApp } from '../../headings/index.ts'
import { done, input, startTestRun, type TestRun } from '../testing.ts'
import { create } from '../write/writes.ts'

const text = `# Repairs

## 3 Entities and their fields

### Report

| Field | Type | Rules |
| --- | --- | --- |
| number | auto number R-{00} | |
| flat | text 10 | required |
| by | Person | required; default me |
| note | text 20 | |
| secret | integer | |

## 5 Validation rules

| Rule | Applies to | Must hold | Error |
| --- | --- | --- | --- |
| V-1 | Report | \`none(other Report where flat = this.flat)\` | E-OPEN |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Tenant | everyone signed in |
| Dispatcher | appointed by Dispatcher |

### Report

| Role | See | Create |
| --- | --- | --- |
| Tenant | \`by = me\` | yes |
| Dispatcher | yes | yes |

| Field | See | Change |
| --- | --- | --- |
| secret | Dispatcher | Dispatcher |

## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-OPEN | It is {first(other Report where flat = this.flat order by created_at).number}: {first(other Report where flat = this.flat order by created_at).note}, {first(other Report where flat = this.flat order by created_at).secret}; {first(other Report where flat = this.flat order by secret).number} of {count(other Report where flat = this.flat)}. |
`

let run: TestRun
let names: { readonly tenant: string; readonly dispatcher: string }

beforeAll(async () => {
  const { app, found } = readApp('repairs.md', () => text)
  expect(found.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []))).toEqual([])
  run = await startTestRun(inject('databaseUrl'), app!)
  const roles = await Promise.all(
    Object.keys(run.people).map(async name => ({ name, roles: (await run.as(name)).actor.roles })),
  )
  const named = (dispatches: boolean) => roles.find(one => one.roles.includes('Dispatcher') === dispatches)!.name
  names = { tenant: named(false), dispatcher: named(true) }
})
afterAll(() => run?.drop())

const report = async (who: string, values: Readonly<Record<string, Wire>>) =>
  create(run.runtime, await run.as(who), 'report', input(values))
const told = async (who: string, flat: string) => {
  const outcome = await report(who, { flat })
  return outcome.kind === 'refused' ? outcome.problems.map(({ message }) => message) : outcome.kind
}

test('the first of others is told to whoever sees that one, as far as they see it and what chooses it', async () => {
  done(await report(names.tenant, { flat: '1', note: 'Tap' }))
  expect(await told(names.tenant, '1')).toEqual(['It is R-01: Tap, ;  of 1.'])
  done(await report(names.dispatcher, { flat: '2', note: 'Roof', secret: '7' }))
  expect(await told(names.dispatcher, '2')).toEqual(['It is R-03: Roof, 7; R-03 of 1.'])
  expect(await told(names.tenant, '2')).toEqual(['It is : , ;  of 1.'])
})
