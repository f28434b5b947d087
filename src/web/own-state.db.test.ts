/** An entity without states may have a field that is called `state`: it is written, kept and shown as every other one. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { raw } from '../expression/sql.ts'
import { demoPeople } from '../headings/demo-people.ts'
import { readImported } from '../import/testing.ts'
import { done, input, made } from '../run/testing.ts'
import { change } from '../run/write/writes.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const document = `# Letters
- **Ninefold:** 1

## 2 Screens and routes
| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /addresses | Addresses | everyone signed in | list of Address |
| /addresses/{id} | Address | everyone signed in | one Address |
| /by-state | By state | everyone signed in | board of Address by state |

## 3 Entities and their fields
### Address
| Field | Type | Rules |
| --- | --- | --- |
| street | text 80 | required |
| state | choice: California, Nevada | required |
| state_since | date | |

## 5 Validation rules
| Rule | Applies to | Must hold | Error |
| --- | --- | --- | --- |
| V-1 | Address | \`state = "California" or state_since is not empty\` | E-SINCE |

## 6 Roles and permissions
| Role | Who |
| --- | --- |
| Member | everyone signed in |
### Address
| Role | See | Create | Change |
| --- | --- | --- | --- |
| Member | yes | yes | yes |

## 8 The error catalogue
| Code | Message |
| --- | --- |
| E-SINCE | Say since when. |
`

let web: TestWeb
let browser: TestBrowser
let name: string
let id: string

beforeAll(async () => {
  const { app, wrong } = readImported(document)
  expect(wrong).toEqual([])
  web = await startTestWeb(inject('databaseUrl'), app)
  name = demoPeople(app)[0]!.name
  browser = await web.browser(name)
  id = await made(web.run, name, 'address', input({ street: 'Elm 1', state: 'California' }))
})
afterAll(() => web?.stop())

test('it is changed, and the history tells from what', async () => {
  const { runtime } = web.run
  const as = await web.run.as(name)
  expect(await change(runtime, as, 'address', id, null, input({ state: 'Nevada' }))).toMatchObject({
    kind: 'refused',
    problems: [{ code: 'E-SINCE' }],
  })
  done(await change(runtime, as, 'address', id, null, input({ state: 'Nevada', state_since: '2026-01-01' })))
  expect(await runtime.store.query(raw('select state, state_since::text from address'))).toEqual([
    { state: 'Nevada', state_since: '2026-01-01' },
  ])
  const { text } = await browser.get(`/addresses/${id}`)
  expect(text).toMatch(/California.*Nevada/s)
})

test('its page names it with the other fields, and not as a state', async () => {
  const { text } = await browser.get(`/addresses/${id}`)
  expect(text).toMatch(/<dt[^>]*>State<\/dt>/)
  expect(text).not.toMatch(/class="st [^"]*pill/)
  expect((await browser.get('/addresses')).text).toContain('Nevada')
})

test('a board has its values as columns', async () => {
  const { text } = await browser.get('/by-state')
  expect(text).toMatch(/California.*Nevada/s)
  expect(text).toContain('Elm 1')
})
