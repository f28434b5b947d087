/**
 * Vectors of the JSON Schema test suite that are about one value (`vectors.json`: those whose keyword the language has, for values
 * of the type). Form, API and the database, asked directly, say the same of each, and what the suite says.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { identifier, raw, sql } from '../../src/expression/sql.ts'
import { readApp } from '../../src/headings/index.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from '../../src/web/testing.ts'

type Door = 'form' | 'api' | 'sql'

interface Group {
  readonly file: string
  readonly group: string
  readonly type: string
  readonly rules: string
  /** A rule over the value, where no field rule says it: `> 1.1`. */
  readonly mustHold: string | null
  readonly doors: readonly Door[]
  readonly tests: readonly { readonly id: string; readonly value: string | number; readonly valid: boolean }[]
}

const { groups } = JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8')) as {
  readonly groups: readonly Group[]
}
const key = (index: number) => `value_${index}`

const ruled = groups.flatMap(({ mustHold }, index) => (mustHold === null ? [] : [{ mustHold, index }]))
const text = `# Values

- **Ninefold:** 1

## 1 What the product does and for whom

Values of many kinds.

- **Time zone:** Europe/London
- **Languages:** English
- **Sign-in:** password

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /values | Values | everyone signed in | list of Value |
| /values/{id} | Value | everyone signed in | one Value |

## 3 Entities and their fields

### Value

| Field | Type | Rules |
| --- | --- | --- |
${groups.map(({ type, rules }, index) => `| ${key(index)} | ${type} | ${rules} |`).join('\n')}

## 4 States and transitions

none

## 5 Validation rules

| Rule | Applies to | Must hold | Field | Error |
| --- | --- | --- | --- | --- |
${ruled.map(({ mustHold, index }) => `| V-${index} | Value | \`${key(index)} ${mustHold}\` | ${key(index)} | E-VALUE |`).join('\n')}

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |

### Value

| Role | See | Create |
| --- | --- | --- |
| Member | yes | yes |

## 7 The calls it makes

none

## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-VALUE | That is not a value. |

## 9 Business constants and limits

none
`

let web: TestWeb
let somebody: TestBrowser

beforeAll(async () => {
  const { app, found } = readApp('values.md', () => text, { version: () => 'values' })
  expect(found.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([])
  web = await startTestWeb(inject('databaseUrl'), app!)
  somebody = await web.browser(Object.keys(web.run.people)[0]!)
})
afterAll(() => web?.stop())

/** Whether a new record with this value alone is accepted. */
const doors: Readonly<Record<Door, (field: string, value: string | number) => Promise<boolean>>> = {
  async form(field, value) {
    const blank = fieldsOf((await somebody.get('/values/new')).text, '/values/new')
    const { status } = await somebody.post('/values/new', { ...blank, [field]: String(value) })
    if (status !== 303 && status !== 422) throw new Error(`The form answers ${status}.`)
    return status === 303
  },
  async api(field, value) {
    // Numbers that JSON readers round travel as text.
    const written = typeof value === 'number' && !Number.isSafeInteger(Math.trunc(value)) ? String(value) : value
    const { status } = await somebody.json('POST', '/api/v1/value', { [field]: written })
    if (status !== 201 && status !== 422) throw new Error(`The API answers ${status}.`)
    return status === 201
  },
  async sql(field, value) {
    const written = typeof value === 'number' ? raw(String(value)) : sql`${value}`
    const insert = sql`insert into value (id, created_at, changed_at, ${identifier(field)})
      values (gen_random_uuid(), now(), now(), ${written})`
    return web.run.runtime.store.query(insert).then(
      () => true,
      (error: { readonly code?: string }) => {
        // A check, a value that the type does not hold.
        if (error.code?.startsWith('23') || error.code?.startsWith('22')) return false
        throw error
      },
    )
  },
}

/** What people may type, and files have, though programs write it in one form alone. */
const alsoTyped = /YYYYMMDD without dashes/

describe.each(groups.map((group, index) => ({ ...group, name: `${group.file}: ${group.group}`, field: key(index) })))(
  '$name',
  ({ tests, doors: asked, field }) => {
    test.each(tests)('$id', async ({ id, value, valid }) => {
      const answers = await Promise.all(asked.map(async door => [door, await doors[door](field, value)] as const))
      const expected = (door: Door) => valid || (door === 'form' && alsoTyped.test(id))
      expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(asked.map(door => [door, expected(door)])))
    })
  },
)
