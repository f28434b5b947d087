/** What goes out as a file comes in the same: records with values of every kind of field, as CSV and as a workbook. */
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { input, made, readSound } from '../run/testing.ts'
import { multipart, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const fields = {
  name: 'text 200',
  notes: 'long text',
  whole: 'integer',
  exact: 'decimal 15.4',
  open: 'decimal',
  part: 'percent',
  amount: 'money EUR',
  sure: 'yes/no',
  day: 'date',
  moment: 'date and time',
  hour: 'time',
  length: 'duration',
  condition: 'choice: Good, Worn, No',
  seen_as: 'several of: Good, Worn',
  mail: 'e-mail',
  phone: 'phone',
  site: 'link',
}

const document = `# Things

- **Ninefold:** 1

## 1 What the product does and for whom

Things with fields of every kind.

- **Time zone:** Europe/Berlin
- **Languages:** English

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /things | Things | everyone signed in | list of Thing |

### Things

- **Columns:** code, ${Object.keys(fields).join(', ')}
- **Sort:** code

## 3 Entities and their fields

### Thing

| Field | Type | Rules |
| --- | --- | --- |
| code | text 20 | required; unique |
${Object.entries(fields)
  .map(([name, type]) => `| ${name} | ${type} | |`)
  .join('\n')}

## 4 States and transitions

None.

## 5 Validation rules

None.

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Keeper | everyone signed in |

### Thing

| Role | See | Create | Change | Delete | Export | Import |
| --- | --- | --- | --- | --- | --- | --- |
| Keeper | yes | yes | yes | yes | yes | yes |

## 7 The calls it makes

None.

## 8 The error catalogue

None.

## 9 Business constants and limits

None.
`

/** Texts that a spreadsheet, or whoever reads its file, could take for something else. */
const misleading = fc.constantFrom(
  ...[
    '=1+1',
    '-5',
    '00501',
    "'x",
    '+49',
    '@home',
    '1,5',
    '(5)',
    'yes',
    '2026-03-04',
    '1-Feb-2026',
    '19%',
    'a;b',
    'a "b"',
  ],
)
const word = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 }).map(text => `<${text}>`)
const dayBetween = (min: string, max: string) =>
  fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true }).map(date => date.toISOString())
const scaled = (places: number, most: number) =>
  fc.integer({ min: -most, max: most }).map(units => (units / 10 ** places).toFixed(places))
const anyDay = fc.oneof(
  dayBetween('0001-01-01', '9999-12-31'),
  dayBetween('1899-12-20', '1900-03-10'),
  dayBetween('1990-01-01', '2040-01-01'),
)

const thing = fc.record({
  name: fc.oneof(word, misleading),
  notes: fc.oneof(
    fc.tuple(word, word).map(lines => lines.join('\n')),
    misleading,
  ),
  whole: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  exact: scaled(4, 2 ** 31 - 1),
  open: fc
    .oneof(scaled(9, 2 ** 31 - 1), fc.constant('123456789012345678.0123456789'))
    .map(text => text.replace(/\.?0+$/, '') || '0'),
  part: fc.integer({ min: 0, max: 1000 }).map(units => String(units / 1000)),
  amount: scaled(2, 2 ** 31 - 1),
  sure: fc.boolean(),
  day: anyDay.map(iso => iso.slice(0, 10)),
  moment: anyDay.map(iso => `${iso.slice(0, 19)}.000Z`),
  hour: dayBetween('2000-01-01', '2000-01-02').map(iso => iso.slice(11, 16)),
  length: fc.integer({ min: 0, max: 10 ** 7 }).map(seconds => `PT${seconds}S`),
  condition: fc.constantFrom('Good', 'Worn', 'No'),
  seen_as: fc.constantFrom('Good', 'Worn', 'Good, Worn'),
  mail: fc.constantFrom('a@example.org', 'b.c@example.org'),
  phone: fc.constantFrom('+49 30 1234-56', '0170 123456'),
  site: fc.constantFrom('https://example.org/a?b=c', 'http://example.org/'),
})

let web: TestWeb
let keeper: TestBrowser

beforeAll(async () => {
  const app = readSound(join(import.meta.dirname, 'fixtures/shed.md'), () => document)
  web = await startTestWeb(inject('databaseUrl'), app)
  keeper = await web.browser(web.served.people[0]!.name)
})
afterAll(() => web?.stop())

async function exported(format: string): Promise<Buffer> {
  const cookie = [...keeper.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${web.url}/things?_export=${format}`, { headers: { cookie } })
  return Buffer.from(await answer.arrayBuffer())
}

async function bringIn(file: Buffer): Promise<string> {
  const parts = multipart([
    ['_csrf', await keeper.token()],
    ['file', file, 'things'],
  ])
  const { location: job } = await keeper.request('POST', '/-/import?entity=thing', parts)
  await keeper.submit(job!, job!, { do: 'check' })
  const { text } = await keeper.get(job!)
  await keeper.send(job!, { do: 'apply' })
  return [/[^>]*would change nothing[^<]*/.exec(text)?.[0], ...text.matchAll(/class="err">.*?<span>([^<]*)/gs)].join(
    '\n',
  )
}

test.each(['csv', 'xlsx'])('as %s', async format => {
  await fc.assert(
    fc.asyncProperty(fc.array(thing, { minLength: 8, maxLength: 8 }), async things => {
      const { store } = web.run.runtime
      await store.inTransaction(tx => tx.write(sql`delete from thing`))
      for (const [at, values] of things.entries())
        await made(web.run, web.served.people[0]!.name, 'thing', input({ code: `T-${at}`, ...values }))
      const held = () =>
        store.query(
          sql`select to_jsonb(thing) - '{id,version,created_at,changed_at}'::text[] as it from thing order by code`,
        )
      const before = await held()
      const file = await exported(format)
      expect(await bringIn(file)).toBe('0 rows are right, 8 would change nothing, 0 have something wrong.')
      await store.inTransaction(tx => tx.write(sql`delete from thing`))
      expect(await bringIn(file)).toBe('8 rows are right, 0 would change nothing, 0 have something wrong.')
      expect(await held()).toEqual(before)
    }),
    { numRuns: 4 },
  )
})
