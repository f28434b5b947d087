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
      { state: 'Pending', doc_status: '0' },
      { state: 'Approved', doc_status: '1' },
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
const flags = fc.record({ reqd: fc.constantFrom(0, 1), unique: fc.constantFrom(0, 1), hidden: fc.constantFrom(0, 1) })
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
    { numRuns: sampled(400), examples: [[[docType('Item', [])], [twice]]] },
  )
})
