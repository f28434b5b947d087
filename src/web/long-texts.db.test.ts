/** Texts as long as they may be: whole where one record is read, their beginning where many are. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { appOf } from '../kinds/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let served: TestWeb
let ada: TestBrowser

const long = (name: string) => `${name} begins ${'with *many* words '.repeat(2000)} and ends`

beforeAll(async () => {
  served = await startTestWeb(
    inject('databaseUrl'),
    appOf(`# Notes

- **Ninefold:** 1

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /notes | Notes | Member | list of Note |
| /notes/{number} | Note | Member | one Note |
| /notes/{number}/paper | Paper | Member | print of Note |

### Notes

- **Columns:** number, text
- **Sort:** number

### Paper

- **Columns:** number, text

## 3 Entities and their fields

### Note

| Field | Type | Rules |
| --- | --- | --- |
| number | auto number N-{0} | |
| text | markdown 100000 | |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |

### Note

| Role | See | Create |
| --- | --- | --- |
| Member | yes | yes |
`),
  )
  ada = await served.newcomer('Ada')
  for (const name of ['One', 'Two'])
    expect((await ada.json('POST', '/api/v1/note', { text: long(name) })).status).toBe(201)
})
afterAll(() => served?.stop())

test('a list shows their beginning', async () => {
  const { text } = await ada.get('/notes')
  expect(text).toContain('One begins')
  expect(text).toContain('Two begins')
  expect(text).not.toContain('and ends')
  expect(text.length).toBeLessThan(60_000)
})

test('a record and the API have them whole', async () => {
  expect((await ada.get('/notes/N-1')).text).toContain('and ends')
  const { data } = JSON.parse((await ada.json('GET', '/api/v1/note')).text)
  expect(data.map((item: { text: string }) => item.text).toSorted()).toEqual([long('One'), long('Two')])
})

test('a print of many has them whole, one record after the other in the order of the list', async () => {
  const { text, status } = await ada.send('/-/print?screen=paper', [
    ['_all', 'yes'],
    ['_list', '/notes'],
  ])
  expect(status).toBe(200)
  expect(text.match(/<article class="one"/g)).toHaveLength(2)
  expect(text.match(/and ends/g)).toHaveLength(2)
  expect(text.match(/(?:One|Two) begins/g)).toEqual(['One begins', 'Two begins'])
})
