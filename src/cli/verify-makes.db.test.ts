/** What verify makes for others to name: each person once, however many tries need it. */
import { afterEach, expect, inject, test, vi } from 'vitest'
import { readApp } from '../headings/index.ts'
import { createTestDatabase } from '../store/testing.ts'
import { verifyOn } from './verify.ts'

const roles = ['Keeper', 'Tenant', 'Porter', 'Painter', 'Plumber']

const chain = ['Region', 'Site', 'House', 'Flat', 'Report']

/** Each needs the one before. All are made by keepers alone, reports by everybody, who see nothing that these name. */
const desk = `# Flats

## 3 Entities and their fields

${chain
  .map(
    (name, at) => `### ${name}

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
${at === 0 ? '' : `| above | ${chain[at - 1]} | required |\n`}`,
  )
  .join('\n')}
## 4 States and transitions

### Report

| State | Kind |
| --- | --- |
| New | start |
| Seen | |
| Done | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| look | New | Seen | Keeper |
| finish | Seen | Done | Porter |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
${roles.map(role => `| ${role} | appointed by Keeper |`).join('\n')}

${chain
  .map(
    name => `### ${name}

| Role | See | Create | Delete | Do |
| --- | --- | --- | --- | --- |
${
  name === 'Report'
    ? roles.map(role => `| ${role} | yes | yes | no | all |`).join('\n')
    : '| Keeper | `created_by = me` | yes | yes | none |'
}
`,
  )
  .join('\n')}`

afterEach(() => vi.restoreAllMocks())

test('records that others name are made once, and those that were not changed are used again', async () => {
  const { app, found } = readApp('flats.md', name => (name === 'flats.md' ? desk : null))
  expect(found.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []))).toEqual([])
  const asked = vi.spyOn(globalThis, 'fetch')
  const database = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(app!, database.store, () => undefined)
    expect(lines.filter(({ passed }) => !passed).map(({ title, detail }) => `${title}: ${detail}`)).toEqual([])
    const posts = asked.mock.calls.map(([url, init]) => `${init?.method} ${new URL(String(url)).pathname}`)
    const madeOf = (name: string) => posts.filter(one => one === `POST /api/v1/${name.toLowerCase()}`).length
    // A name of two lengths, none, of another type, and nothing above; and one that is changed.
    const edges = 6
    // Everybody and a visitor try it, and one is made again after it was deleted.
    // A request is sent twice with one key.
    const repeated = 2
    // One is led along its steps, to see who is told.
    const led = 1
    const triesOfEach = roles.length + 2 + edges + repeated + led
    expect(chain.map(madeOf).filter(count => count > triesOfEach)).toEqual([])
  } finally {
    await database.drop()
  }
})
