import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampled } from '../../../scripts/limits.ts'
import { readImported } from '../testing.ts'
import { importDocTypes } from './import.ts'

function imported(...files: readonly unknown[]) {
  const result = importDocTypes(files, 'Selling')!
  return { ...result, ...readImported(result.document) }
}

const rowsOf = (document: string, entity: string) =>
  document
    .split(`### ${entity}\n`)[1]!
    .split('\n##')[0]!
    .split('\n')
    .filter(line => /^\| [a-z]/.test(line))

const field = (fieldname: string, fieldtype: string, more: object = {}) => ({
  fieldname,
  fieldtype,
  label: '',
  ...more,
})
const docType = (name: string, fields: readonly object[], more: object = {}) => ({
  doctype: 'DocType',
  name,
  fields,
  ...more,
})

const customer = docType(
  'Customer',
  [
    field('section', 'Section Break'),
    field('customer_name', 'Data', { reqd: 1, label: 'Customer Name' }),
    field('mail', 'Data', { options: 'Email' }),
    field('group', 'Select', { options: '\nRetail\nWholesale', default: 'Retail' }),
    field('active', 'Check', { default: '1' }),
    field('manager', 'Link', { options: 'User' }),
    field('about', 'Text Editor'),
  ],
  { autoname: 'field:customer_name', title_field: 'customer_name', description: 'Who buys.' },
)
const item = docType(
  'Sales Order Item',
  [
    field('item', 'Data', { reqd: 1 }),
    field('qty', 'Float', { default: '1', precision: '3' }),
    field('rate', 'Currency'),
  ],
  { istable: 1 },
)
const order = docType(
  'Sales Order',
  [
    field('naming_series', 'Select', { options: 'SO-.YYYY.-.#####' }),
    field('customer', 'Link', { options: 'Customer', reqd: 1 }),
    field('territory', 'Link', { options: 'Territory' }),
    field('date', 'Date', { default: 'Today' }),
    field('items', 'Table', { options: 'Sales Order Item', reqd: 1, label: 'Items' }),
    field('total', 'Currency', { read_only: 1 }),
    field('amended_from', 'Link', { options: 'Sales Order' }),
  ],
  {
    autoname: 'naming_series:',
    is_submittable: 1,
    permissions: [
      { role: 'System Manager', read: 1, write: 1, create: 1 },
      { role: 'Sales User', read: 1, write: 1, create: 1, submit: 1, if_owner: 1, export: 1 },
      { role: 'Sales Manager', read: 1, write: 1, create: 1, delete: 1, submit: 1, cancel: 1, import: 1 },
      { role: 'Guest', read: 1 },
    ],
  },
)

test('fields, tables, numbers and permissions are said in the words of the language', () => {
  const { document, notes, wrong } = imported(customer, item, order)
  expect(wrong).toEqual([])
  expect(rowsOf(document, 'Customer')).toEqual([
    '| customer_name | text 140 | required; unique; display |',
    '| mail | e-mail | |',
    '| group | choice: Retail, Wholesale | default Retail |',
    '| active | yes/no | default yes |',
    '| manager | Person | |',
    '| about | markdown | |',
  ])
  expect(rowsOf(document, 'Sales Order').slice(0, 6)).toEqual([
    '| number | auto number SO-{yyyy}-{00000} | |',
    '| customer | Customer | required |',
    '| territory | text 140 | |',
    '| date | date | default today |',
    '| items | list of Sales Order Item | min 1 |',
    '| total | decimal 21.2 | |',
  ])
  expect(rowsOf(document, 'Sales Order Item (part of Sales Order)')).toEqual([
    '| item | text 140 | required |',
    '| qty | decimal 21.3 | default 1 |',
    '| rate | decimal 21.2 | |',
  ])
  for (const line of [
    '| /sales-orders/{id}/edit | Change sales Order | Administrator, Sales User, Sales Manager | form for Sales Order |',
    '| Sales User | appointed by Administrator |',
    '| Sales User | `created_by = me` | yes | `created_by = me` | no | all | yes | no |',
    '| Sales Manager | yes | yes | yes | yes | all | no | yes |',
    '| Submitted | | all |',
    '| submit | Draft | Submitted | Administrator, Sales User, Sales Manager |',
    '| cancel | Submitted | Cancelled | Administrator, Sales Manager |',
  ])
    expect(document).toContain(line)
  for (const note of [
    'Sales Order.territory: there is no DocType Territory among these: any text',
    'Sales Order, Guest: is not carried over: say under heading 6 what everyone may',
    'Sales Order.total: `read_only` is not carried over: say it as a rule, or under heading 6',
  ])
    expect(notes).toContain(note)
})

test('what is said beyond is taken or told, but for how forms and prints look', () => {
  const { document, notes, wrong } = imported(
    docType(
      'Job',
      [
        field('title', 'Data', { in_list_view: 1, bold: 1, set_only_once: 1, print_hide: 1 }),
        field('cost', 'Currency', { non_negative: 1, options: 'currency', allow_on_submit: 1 }),
        field('door_code', 'Password', { unique: 1 }),
        field('number_plate', 'Data', { reqd: 1, hidden: 1, link_filters: '[]', fetch_if_empty: '0' }),
        field('more', 'Section Break', { depends_on: 'eval:doc.cost', label: 'More' }),
        field('send', 'Button'),
        field('amended_from', 'Link', { options: 'Job', read_only: 1, no_copy: 1 }),
      ],
      {
        issingle: 1,
        search_fields: 'title',
        editable_grid: 1,
        links: [],
        permissions: [{ role: 'Clerk', read: 1, amend: 1, print: 1, email: 1 }],
      },
    ),
    { doctype: 'Notification', name: 'a' },
    { doctype: 'Notification', name: 'b' },
    { doctype: 'Workflow', document_type: 'Job', is_active: 0 },
    { name: 'of no kind' },
  )
  expect(wrong).toEqual([])
  expect(rowsOf(document, 'Job')).toEqual([
    '| title | text 140 | read-only after create |',
    '| cost | decimal 21.2 | min 0 |',
    '| door_code | secret | |',
    '| number_plate | text 140 | |',
  ])
  expect(notes).toEqual([
    'Job: there is one of it alone there, with the settings of the application; here it is an entity like any other',
    'Job: `search_fields` is not carried over',
    'Job, Clerk: `amend` is no permission here',
    'Job.title: `in_list_view` is not carried over: say under heading 2 what lists show',
    expect.stringMatching(/^Job\.cost: an amount names its currency here/),
    'Job.cost: its currency stands in currency there',
    'Job.cost: `allow_on_submit` is not carried over: say under heading 4 what a state locks',
    expect.stringMatching(/^Job\.door_code: is a secret here: written and never read/),
    'Job.door_code: values of the type secret cannot be unique here',
    'Job.number_plate: is required there, and hidden: it may be empty here',
    'Job.number_plate: `hidden` is not carried over: say it as a rule, or under heading 6',
    'Job.number_plate: `link_filters` is not carried over',
    'Job.more: `depends_on` is not carried over: eval:doc.cost',
    'Job.send: is a Button of the form, and no field here',
    'Job.amended_from: is not carried over: no step corrects a cancelled record by a copy of it',
    'Notification: is not carried over, 2 times',
    'Workflow that is not active: is not carried over',
  ])
})

test('a workflow becomes states and steps, of those who may take them', () => {
  const step = (state: string, action: string, next_state: string, allowed: string, more: object = {}) => ({
    state,
    action,
    next_state,
    allowed,
    ...more,
  })
  const { app, document, notes, wrong } = imported([customer, item, order], {
    doctype: 'Workflow',
    document_type: 'Sales Order',
    states: [
      { state: 'Pending', doc_status: '0', allow_edit: 'Sales User' },
      { state: 'Approved', doc_status: '1', update_field: 'open', update_value: 0 },
      { state: 'Rejected', doc_status: '0' },
    ],
    transitions: [
      step('Pending', 'Approve', 'Approved', 'Sales Manager', { condition: 'doc.total < 100', allow_self_approval: 0 }),
      step('Pending', 'Approve', 'Approved', 'Sales User'),
      step('Pending', 'Reject', 'Rejected', 'Sales Manager'),
      step('Rejected', 'Reopen', 'Pending', 'Nobody Here'),
    ],
  })
  expect(wrong).toEqual([])
  expect(app.workflows.get('sales_order')?.states.map(({ name, kind }) => [name, kind])).toEqual([
    ['Pending', 'start'],
    ['Approved', 'end'],
    ['Rejected', null],
  ])
  for (const line of [
    '| Approved | end | all |',
    '| approve | Pending | Approved | Administrator, Sales Manager, Sales User |',
    '| reopen | Rejected | Pending | Administrator |',
  ])
    expect(document).toContain(line)
  for (const note of [
    'Pending: only Sales User changes a record in it there: say so under heading 6',
    'Approved: what it sets is not carried over: open = 0',
    'Pending, Approve: its condition is not carried over: doc.total < 100',
    'Pending, Approve: nobody takes it for a record of their own there: write `except created_by`',
    'Rejected, Reopen: Nobody Here has no permission for Sales Order, and does not take it here',
  ])
    expect(notes).toContain(note)
})

test('files that hold no DocType are none', () => {
  expect(importDocTypes([{ doctype: 'Report', name: 'x' }, 'text', null, [1]], 'x')).toBeNull()
})

const word = fc.constantFrom(
  '',
  'A',
  'Item',
  'Person',
  'All',
  'No',
  'where',
  'id',
  '2nd step',
  'Größe',
  'Sales User',
  'state',
  'x|y',
  'List',
)
const flags = fc.record({
  reqd: fc.constantFrom(0, 1),
  unique: fc.constantFrom(0, 1),
  hidden: fc.constantFrom(0, 1),
  non_negative: fc.constantFrom(0, 1),
  set_only_once: fc.constantFrom(0, 1),
})
const anyField = fc
  .tuple(
    word,
    fc.constantFrom(
      'Data',
      'Select',
      'Check',
      'Link',
      'Table',
      'Float',
      'Currency',
      'Date',
      'Datetime',
      'Attach',
      'Text',
      'Rating',
      'Odd',
      'Duration',
      'Password',
    ),
    word,
    word,
    flags,
  )
  .map(([fieldname, fieldtype, options, preset, more]) => ({
    ...field(fieldname, fieldtype, {
      options: `${options}\nB`.replace(/\nB$/, fieldtype === 'Select' ? '\nB' : ''),
      default: preset,
      label: options,
    }),
    ...more,
  }))
const permission = fc
  .tuple(
    word,
    fc.subarray(['read', 'write', 'create', 'delete', 'submit', 'cancel', 'export', 'import', 'if_owner']),
    fc.constantFrom(0, 1),
  )
  .map(([role, verbs, permlevel]) => ({ role, permlevel, ...Object.fromEntries(verbs.map(verb => [verb, 1])) }))
const anyType = fc
  .tuple(
    word,
    fc.array(anyField, { maxLength: 5 }),
    fc.array(permission, { maxLength: 3 }),
    fc.constantFrom(0, 1),
    fc.constantFrom(0, 1),
    fc.constantFrom('', 'hash', 'prompt', 'format:A-{##}', 'X.Y.#', 'field:a'),
  )
  .map(([name, fields, permissions, istable, is_submittable, autoname]) =>
    docType(name, fields, { permissions, istable, is_submittable, autoname }),
  )
const anyWorkflow = fc
  .tuple(word, fc.array(word, { maxLength: 4 }), fc.array(fc.tuple(word, word, word, word), { maxLength: 4 }))
  .map(([document_type, states, steps]) => ({
    doctype: 'Workflow',
    document_type,
    states: states.map((state, at) => ({ state, doc_status: at % 3 })),
    transitions: steps.map(([state, action, next_state, allowed]) => ({ state, action, next_state, allowed })),
  }))

/** A state that is there twice. */
const twice = {
  doctype: 'Workflow',
  document_type: 'Item',
  states: ['A', 'All', 'All'].map((state, doc_status) => ({ state, doc_status })),
  transitions: [{ state: 'A', action: 'Item', next_state: 'All', allowed: '' }],
}

/** A password in rows. */
const safe = [
  docType('Safe', [field('locks', 'Table', { options: 'Lock' })]),
  docType('Lock', [field('code', 'Password')], { istable: 1 }),
]

test('whatever DocTypes say, the document is understood', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyType, { selector: ({ name }) => name, minLength: 1, maxLength: 3 }),
      fc.array(anyWorkflow, { maxLength: 2 }),
      (types, workflows) => {
        const result = importDocTypes([...types, ...workflows], 'x')
        if (result !== null) expect(readImported(result.document).wrong).toEqual([])
      },
    ),
    {
      numRuns: sampled(400),
      examples: [
        [[docType('Item', [])], [twice]],
        [[...safe], []],
      ],
    },
  )
})
