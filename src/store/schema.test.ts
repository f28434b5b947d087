import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { App } from '../headings/app.ts'
import { readApp } from '../headings/index.ts'
import type { Table } from './physical.ts'
import { indexDefinition } from './plan/definition.ts'
import { columnText, constraintText } from './plan/statements.ts'
import { constraintsOf, schemaOf } from './schema.ts'

const loanDesk = readFileSync(join(import.meta.dirname, '../../examples/loan-desk/loan-desk.md'), 'utf8')

function appOf(text: string): App {
  const { app, found } = readApp('app.md', path => (path === 'app.md' ? text : null))
  const errors = found.filter(one => one.severity === 'error')
  expect(errors.map(one => `${one.code} ${one.message}`)).toEqual([])
  return app!
}

/** A document whose heading 3 is this. */
const withEntities = (entities: string, rules = ''): string =>
  `# App\n\n- **Ninefold:** 1\n\n## 3 Entities and their fields\n\n${entities}\n\n## 5 Validation rules\n\n${rules}\n`
const fields = (...rows: string[]): string => ['| Field | Type | Rules |', '| --- | --- | --- |', ...rows].join('\n')
const tableOf = (text: string, name: string): Table => schemaOf(appOf(text)).tables.get(name)!
const constraint = (table: Table, name: string): string | undefined => {
  const found = table.constraints.find(one => one.name === name)
  return found && constraintText(found)
}
const column = (table: Table, name: string): string | undefined => {
  const found = table.columns.find(one => one.name === name)
  return found && columnText(found)
}

test('the loan desk has a table per entity, and no column for what is computed or a list', () => {
  const { tables } = schemaOf(appOf(loanDesk))
  expect([...tables.keys()].sort()).toEqual(['category', 'item', 'loan', 'loan_line', 'person'])
  const loan = tables.get('loan')!
  expect(loan.was).toBe('booking')
  expect(loan.columns.map(one => one.name)).toEqual([
    ...['id', 'version', 'created_at', 'created_by', 'changed_at', 'changed_by', 'state', 'state_since'],
    ...[
      'number',
      'borrower',
      'out_on',
      'due_back',
      'purpose',
      'approved_by',
      'handed_out_at',
      'returned_at',
      'register_ref',
    ],
  ])
})

test('columns have real types, and are not null where the field is required', () => {
  const { tables } = schemaOf(appOf(loanDesk))
  expect(column(tables.get('item')!, 'value')).toBe('"value" numeric(19,2) not null')
  expect(column(tables.get('loan')!, 'handed_out_at')).toBe('"handed_out_at" timestamp(3) with time zone')
  expect(column(tables.get('loan')!, 'due_back')).toBe('"due_back" date not null')
  expect(column(tables.get('loan_line')!, 'damaged')).toBe('"damaged" boolean not null')
  expect(column(tables.get('loan_line')!, 'value')).toBe('"value" numeric(19,2)')
})

test('child rows go with their parent, and other records are held by what refers to them', () => {
  const line = schemaOf(appOf(loanDesk)).tables.get('loan_line')!
  expect(constraint(line, 'loan_line_loan_fkey')).toBe(
    'foreign key ("loan") references public."loan" ("id") on delete cascade',
  )
  expect(constraint(line, 'loan_line_item_fkey')).toBe(
    'foreign key ("item") references public."item" ("id") on delete restrict',
  )
  expect(constraint(line, 'loan_line_loan_item_key')).toBe('unique ("loan", "item") deferrable initially immediate')
  expect(line.columns.find(one => one.name === 'loan')?.was).toBe('booking')
})

test('what one record alone decides is a check; what needs constants, today or other records is not', () => {
  const held = constraintsOf(schemaOf(appOf(loanDesk)))
  const rules = [...held.values()].filter(one => one.rule === 'rule').map(one => one.name)
  expect(rules).toEqual(['V-1'])
  expect(held.get('loan_rule_v_1')?.field).toBe('due_back')
  expect(held.get('item_tag_pattern_check')?.cell.text).toBe('pattern AA-9999')
  expect(held.get('item_value_min_check')?.rule).toBe('min')
  expect(held.has('loan_line_value_min_check')).toBe(false)
})

test('a warning is no check: what was confirmed is stored', () => {
  const app = appOf(
    withEntities(
      `### Item\n\n${fields('| pieces | integer | |')}`,
      `| Rule | Applies to | Must hold | Error | Severity |
| --- | --- | --- | --- | --- |
| V-1 | Item | \`pieces > 1\` | TBD | warning |
| V-2 | Item | \`pieces > 0\` | TBD | Error |
| V-3 | Item | \`pieces < 9\` | TBD | |`,
    ),
  )
  expect(app.rules.map(({ warns }) => warns)).toEqual([true, false, false])
  const held = [...constraintsOf(schemaOf(app)).values()].filter(one => one.rule === 'rule')
  expect(held.map(({ name }) => name)).toEqual(['V-2', 'V-3'])
})

test('an index serves each reference, each row rule, and the order of each screen; none is the beginning of another', () => {
  const { tables } = schemaOf(appOf(loanDesk))
  const names = (name: string, folded = false) =>
    tables
      .get(name)!
      .indexes.filter(one => one.folded === folded)
      .map(one => one.columns.map(col => col.name).join(', '))
  expect(names('loan')).toEqual([
    'borrower, due_back, number, id',
    'state, due_back, number, id',
    'due_back, number, id',
    'borrower, id',
    'approved_by',
  ])
  expect(names('loan_line')).toEqual(['loan, position', 'item'])
  const ordered = (order: string, rules = '') =>
    tableOf(
      withEntities(
        `### Item\n\n- **Order:** ${order}\n\n${fields(`| code | text 9 | ${rules} |`, `| place | integer | ${rules} |`)}`,
      ),
      'item',
    )
      .indexes.filter(one => !one.folded)
      .map(one => `${one.name} ${indexDefinition(one)}`)
  const people = ' collate ninefold.counting'
  expect(ordered('place, code')).toEqual([`item_place_code_id_idx ("place", "code"${people}, "id")`])
  expect(ordered('place, code down')).toEqual([
    `item_place_code_down_id_down_idx ("place", "code"${people} desc nulls last, "id" desc)`,
  ])
  expect(ordered('place down')).toEqual(['item_place_down_id_down_idx ("place" desc nulls last, "id" desc)'])
  // What is never empty is gone through from either end.
  expect(ordered('place down', 'required')).toEqual(['item_place_id_idx ("place", "id")'])
  expect(ordered('place down, code', 'required')).toEqual([
    `item_place_down_code_id_idx ("place" desc, "code"${people}, "id")`,
  ])
  expect(names('loan', true)).toEqual(['number, purpose'])
  expect(names('loan_line', true)).toEqual([])
  for (const table of tables.values())
    for (const one of table.indexes)
      for (const other of table.indexes.filter(two => two !== one && two.folded === one.folded))
        expect(`${JSON.stringify(other.columns).slice(0, -1)},`).not.toContain(
          `${JSON.stringify(one.columns).slice(0, -1)},`,
        )
})

test('what expressions look for is found by an index, which says whose it is', () => {
  const looking = withEntities(
    [
      `### Day\n\n${fields('| day | date | required; unique |', '| crowded | yes/no | = any(Line where booking.day = this.day and over) |')}`,
      `### Booking\n\n${fields('| day | date | required |', '| room | text 20 | unique within day |', '| lines | list of Line | |', '| same | integer | = count(other Booking where day = this.day and room = this.room) |')}`,
      `### Line (part of Booking)\n\n${fields(
        '| tag | text 9 | |',
        '| note | text 9 | |',
        '| over | yes/no | = any(other Line where booking = this.booking and tag is this.tag and note = "x") |',
        '| own | yes/no | = tag = note |',
        '| first | yes/no | = any(Day where day = this.booking.day) |',
      )}`,
    ].join('\n\n'),
  )
  const served = (name: string) =>
    tableOf(looking, name).indexes.map(one => [one.columns.map(col => col.name), one.serves])
  expect(served('booking')).toContainEqual([
    ['day'],
    'finding Booking by Day in `any(Line where booking.day = this.day and over)`',
  ])
  expect(served('line').map(([columns]) => columns)).toContainEqual(['booking', 'tag'])
  // A unique field is found already; what the document says itself, and what is compared inside of one record, finds nothing.
  expect(served('day').filter(([, serves]) => /finding/.test(`${serves}`))).toEqual([])
  expect(served('booking').filter(([columns]) => columns!.includes('room') && columns!.length < 3)).toHaveLength(1)
  expect(served('line').flatMap(([columns]) => columns)).not.toContain('own')
})

test('text is ordered by the one collation for people', () => {
  const number = schemaOf(appOf(loanDesk))
    .tables.get('loan')!
    .indexes[0]!.columns.find(one => one.name === 'number')
  expect(number?.forPeople).toBe(true)
})

test('every object keeps the cell that decides it', () => {
  const lineOf = (start: number) => loanDesk.slice(0, start).split('\n').length
  for (const table of schemaOf(appOf(loanDesk)).tables.values()) {
    if (table.name === 'person') continue
    for (const one of [...table.constraints.map(two => two.holds), ...table.columns, ...table.indexes])
      expect(lineOf(one.cell.start)).toBeGreaterThan(1)
  }
})

test('bounds, patterns and conditions of a field are checks', () => {
  const text = withEntities(
    `### Crate\n\n${fields(
      '| code | text 8 | required; min 3; max 6 |',
      '| weight | decimal 6.2 | from 0.5 to 20 |',
      '| sent | date | min 2020-01-01 |',
      '| fragile | yes/no | required |',
      '| note | text | required when `fragile` |',
    )}`,
  )
  const crate = tableOf(text, 'crate')
  expect(constraint(crate, 'crate_code_min_check')).toBe('check (char_length("code") >= 3)')
  expect(constraint(crate, 'crate_code_max_check')).toBe('check (char_length("code") <= 6)')
  expect(constraint(crate, 'crate_weight_min_check')).toBe('check ("weight" >= 0.5)')
  expect(constraint(crate, 'crate_weight_max_check')).toBe('check ("weight" <= 20)')
  expect(constraint(crate, 'crate_sent_min_check')).toMatch(/^check \("sent" >= date '2020-01-01'\)$/)
  expect(constraint(crate, 'crate_note_required_check')).toBe('check (("fragile") is not true or "note" is not null)')
  expect(column(crate, 'note')).toBe('"note" text')
})

test('names that SQL reserves, and names that are too long for it, are names like others', () => {
  const long = 'a_field_with_a_name_that_is_about_as_long_as_one_would_ever_write'.slice(0, 60)
  const text = withEntities(
    `### Order\n\n${fields('| user | text | unique |', `| ${long} | text | required; unique; min 2 |`)}`,
  )
  const order = tableOf(text, 'order')
  expect(column(order, 'user')).toBe('"user" text')
  const names = [...order.constraints, ...order.indexes].map(one => one.name)
  for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63)
  expect(new Set(names).size).toBe(names.length)
})

test('the seed document, in which nothing is decided, has only its people', () => {
  const seed = readFileSync(join(import.meta.dirname, '../../examples/seed/specification.md'), 'utf8')
  expect([...schemaOf(appOf(seed)).tables.keys()]).toEqual(['person'])
})

/** What is kept of an order, where a screen says this of it, or `others` read it. */
const keptWhere = (shows: string, keys: string, others = '') =>
  tableOf(
    `# App

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| / | Orders | everyone signed in | ${shows} |

### Orders

${keys}

## 3 Entities and their fields

### Customer

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
${others}

### Order

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
| kind | choice: Plain, Rush | |
| customer | Customer | |
| lines | list of Line | |
| total | decimal 9.2 | = sum(lines.net) |
| far | decimal 9.2 | = sum(lines.net where item.dear) |
| by_limit | integer | = count(lines where quantity > limits.most) |
| today_s | integer | = count(lines where day = today) |
| yearly | integer | = count(lines where date(at) = day) |
| worth | yes/no | = total > 100 and kind is Rush |

### Line (part of Order)

| Field | Type | Rules |
| --- | --- | --- |
| item | Item | |
| quantity | integer | |
| day | date | |
| at | date and time | |
| price | decimal 9.2 | |
| net | decimal 9.2 | = price * quantity |

### Item

| Field | Type | Rules |
| --- | --- | --- |
| dear | yes/no | required; default no |

## 9 Business constants and limits

| Name | Value |
| --- | --- |
| most | 5 |
`,
    'order',
  )

test.each([
  ['list of Order', '- **Columns:** name, far, by_limit, today_s, yearly', '', []],
  ['list of Order', '- **Columns:** name', '', []],
  ['list of Order', '- **Columns:** name, total', '', ['_total']],
  ['list of Order', '- **Sort:** total down', '', ['_total']],
  ['list of Order', '- **Where:** `total > 5`', '', ['_total']],
  ['list of Order', '- **View:** Dear where total > 5', '', ['_total']],
  ['list of Order', '- **Filters:** worth', '', ['_total', '_worth']],
  ['board of Order by kind', '- **Card:** name, total', '', []],
  ['report of Order by kind', '- **Measure:** sum of total', '', ['_total']],
  ['report of Order by kind', '- **Measure:** share of count where worth out of count', '', ['_total', '_worth']],
  [
    'list of Customer',
    '- **Columns:** name',
    '| open | decimal 9.2 | = sum(Order.total where customer = this) |',
    ['_total'],
  ],
])('the database keeps what many records are asked for: %s, %s %s', (shows, keys, others, kept) => {
  const { kept: columns, indexes } = keptWhere(shows, keys, others)
  expect(columns.map(({ name }) => name)).toEqual(kept)
  const isSorted = keys.includes('Sort')
  expect(indexes.some(({ columns: [first] }) => first?.name === '_total')).toBe(isSorted || keys.includes('total > 5'))
})
