/** An error that a step reports stands in the history of its record, in words that are the same for whoever reads it. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { demoPeople } from '../headings/demo-people.ts'
import { readImported } from '../import/testing.ts'
import { done, input, made } from '../run/testing.ts'
import { takeStep } from '../run/write/writes.ts'
import { startTestWeb, type TestWeb } from './testing.ts'

const document = `# Parcels
- **Ninefold:** 1

## 2 Screens and routes
| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /parcels/{number} | Parcel | everyone signed in | one Parcel |

## 3 Entities and their fields
### Parcel
| Field | Type | Rules |
| --- | --- | --- |
| number | auto number P-{0} | |
| worth | integer | required |

## 4 States and transitions
### Parcel
| State | Kind |
| --- | --- |
| Sent | start |
| Lost | |
| Gone | end |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
| lose | Sent | Lost | Member | report E-LOST |
| give up | Lost | Gone | Member | report E-GONE |

## 6 Roles and permissions
| Role | Who |
| --- | --- |
| Member | everyone signed in |
### Parcel
| Role | See | Create | Change | Do |
| --- | --- | --- | --- | --- |
| Member | yes | yes | yes | lose, give up |

## 8 The error catalogue
| Code | Message |
| --- | --- |
| E-LOST | A parcel was lost. |
| E-GONE | What was worth {worth} is gone. |
`

let web: TestWeb

beforeAll(async () => {
  const { app, wrong } = readImported(document)
  expect(wrong).toEqual([])
  web = await startTestWeb(inject('databaseUrl'), app)
})
afterAll(() => web?.stop())

test('each with its code; the words only where nothing of the record is in them', async () => {
  const name = demoPeople(web.run.runtime.app)[0]!.name
  const id = await made(web.run, name, 'parcel', input({ worth: '4711' }))
  for (const step of ['lose', 'give_up'])
    done(await takeStep(web.run.runtime, await web.run.as(name), 'parcel', id, step, null, input({})))
  const { text } = await (await web.browser(name)).get('/parcels/P-1')
  expect(text).toContain('reported the error E-LOST')
  expect(text).toContain('A parcel was lost.')
  expect(text).toContain('reported the error E-GONE')
  expect(text).not.toContain('What was worth 4')
})
