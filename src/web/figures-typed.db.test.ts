/** Keyboards of telephones: that of figures has no minus, so it comes up only where nothing below zero is taken; figures end where they end anywhere. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { appOf } from '../kinds/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const types = { count: 'integer', rate: 'decimal 6.2', sum: 'money EUR', share: 'percent' }
const fields = Object.entries(types).flatMap(([name, type]) => [
  `| ${name} | ${type} | |`,
  `| ${name}_up | ${type} | min 0 |`,
])
const names = Object.keys(types).flatMap(name => [name, `${name}_up`])

const app = appOf(`# Figures

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /figures | Figures | everyone signed in | list of Figure |
| /figures/new | New figure | everyone signed in | form for Figure |

### Figures

- **Filters:** ${names.join(', ')}

## 3 Entities and their fields

### Figure

| Field | Type | Rules |
| --- | --- | --- |
${fields.join('\n')}

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |

### Figure

| Role | See | Create |
| --- | --- | --- |
| Member | yes | yes |
`)

let web: TestWeb
let max: TestBrowser
beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), app)
  max = await web.newcomer('Max')
  // An empty list has no filters.
  await max.json('POST', '/api/v1/figure', {})
})
afterAll(() => web?.stop())

test.each(['/figures/new', '/figures'])('%s asks for figures with the keys that they need', async path => {
  const { text } = await max.get(path)
  const boxes = names.map(name => text.match(new RegExp(`<input[^>]* name="${name}"[^>]*>`))?.[0] ?? '')
  expect(boxes.map(box => / inputMode="([a-z]+)"/.exec(box)?.[1] ?? null)).toEqual([
    ...[null, 'numeric'],
    ...[null, 'decimal'],
    ...[null, 'decimal'],
    ...[null, 'decimal'],
  ])
  expect(boxes.map(box => / class="([^"]*)"/.exec(box)?.[1])).toEqual(names.map(() => 'in num'))
})
