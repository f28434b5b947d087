/** A form whose defaults come from code of the document that fails: it says what is missing, and where, and takes what people fill in. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readSound } from '../run/testing.ts'
import { type CodeFailure, listenToCode } from '../run/write/code.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const screens = `## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /orders | Orders | Clerk | list of Order |
| /orders/new | New order | Clerk | form for Order |

## 3 Entities and their fields`
const failing = `export const greeting = (day: string): string => {
  throw new Error(\`nothing for \${day}\`)
}`

let web: TestWeb
let clerk: TestBrowser
const serve = async (code: string | null) => {
  const edit = (text: string) =>
    text
      .replace('## 3 Entities and their fields', screens)
      .replace('| code | text 20 | |', '| code | text 20 | default greeting(today) |')
      .replace(/export const greeting = .*/, whole => code ?? whole)
  web = await startTestWeb(
    inject('databaseUrl'),
    readSound(join(import.meta.dirname, '../run/fixtures/coded.md'), edit),
  )
  clerk = await web.browser(Object.keys(web.run.people)[0]!)
}
beforeAll(() => serve(failing))
afterAll(() => web?.stop())

test('the form says which field could not be worked out, of rows too; where, those are told who look after it', async () => {
  const failures: CodeFailure[] = []
  listenToCode(web.run.runtime.app, failure => failures.push(failure))
  const { status, text } = await clerk.get('/orders/new')
  expect(status).toBe(200)
  expect(text).toContain('Token could not be worked out: greeting in code/fees.ts failed.')
  expect(text).toContain('Code could not be worked out: greeting in code/fees.ts failed.')
  // What it threw may tell what nobody may see.
  expect(text).not.toContain('nothing for')
  expect(failures.map(({ at }) => at)).toContainEqual(expect.stringMatching(/^code\/fees\.ts:\d+:9$/))
})

test('what people fill in themselves is taken', async () => {
  const customer = JSON.parse((await clerk.json('POST', '/api/v1/customer', { name: 'Acme' })).text).id
  const lines = [{ quantity: 1, price: '1.00', code: 'x' }]
  const given = await clerk.json('POST', '/api/v1/order', { customer, token: 'own', lines })
  expect([given.status, JSON.parse(given.text).token]).toEqual([201, 'own'])
})

test('where it works nothing is said', async () => {
  await web.stop()
  await serve(null)
  expect((await clerk.get('/orders/new')).text).not.toContain('could not be worked out')
})
