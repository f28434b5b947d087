/** For the tests of this folder and of those above it: schemas in a few words, and expressions from bare text. */
import type { Diagnostic } from '../document/diagnostic.ts'
import type { Cell } from '../document/source.ts'
import { archivedAt } from './archived.ts'
import type { Expression } from './expression.ts'
import { type ReadExpression, readExpression } from './read.ts'
import type { Scope } from './scope.ts'
import type { EntityShape, FieldShape, Schema, Type } from './type.ts'

/** A cell that is a file of its own. */
export function cellOf(text: string): Cell {
  return { file: { path: 'test.md', text }, start: 0, end: text.length, text, gaps: [] }
}

/**
 * Fields by key, each a type in words: `text`, `integer`, `decimal`, `percent`, `money EUR`, `yes/no`, `date`, `moment`, `time`,
 * `clock`, `calendar`, `choice A B`, `list line`, or an entity's key for a reference. `?` at the end: may be empty. `= …` after it:
 * computed so.
 */
type EntityText = Readonly<Record<string, string>>

/** A field called as its parent entity makes a child entity; write it first and end it with `^`: `loan: 'loan ^'`. */
export function schemaOf(entities: Readonly<Record<string, EntityText>>, more: Partial<Scope> = {}): Schema {
  const schema = new Map<string, EntityShape>()
  for (const [key, fields] of Object.entries(entities)) {
    const shapes = new Map<string, FieldShape>([
      ['id', { key: 'id', type: { kind: 'reference', entity: key }, optional: false }],
    ])
    let parent: string | undefined
    for (const [name, written] of Object.entries(fields)) {
      const [declared, ...formulas] = written.split(' = ') as [string, ...string[]]
      const formula = formulas.length === 0 ? undefined : formulas.join(' = ')
      const optional = declared.endsWith('?')
      const words = declared.replace(/[?^]/, '').trim()
      if (declared.endsWith('^')) parent = name
      const type = typeOf(words, key, name)
      const computed =
        formula === undefined
          ? undefined
          : () => readExpression(cellOf(formula), scopeOf(schema, key, { old: false, ...more }), type).expression
      shapes.set(name, { key: name, type, optional, computed })
    }
    const label = key.replaceAll('_', ' ')
    const archives = archivedAt in fields ? { archives: true as const } : {}
    const name = label.charAt(0).toUpperCase() + label.slice(1)
    schema.set(key, { key, name, fields: shapes, parent, ...archives })
  }
  return schema
}

export function typeOf(words: string, entity: string, field: string): Type {
  const [first, ...rest] = words.split(' ') as [string, ...string[]]
  switch (first) {
    case 'text':
    case 'integer':
    case 'decimal':
    case 'yes/no':
    case 'date':
    case 'moment':
    case 'time':
    case 'file':
      return { kind: first }
    case 'percent':
      return { kind: 'decimal', percent: true }
    case 'money':
      if (rest[0] === 'in') return { kind: 'money', currency: { of: rest[1]! } }
      return { kind: 'money', currency: rest[0]!, ...(rest[1] !== undefined && { places: Number(rest[1]) }) }
    case 'clock':
    case 'calendar':
      return { kind: 'duration', of: first }
    case 'choice':
      return { kind: 'choice', of: `${entity}.${field}`, options: rest }
    case 'choices':
      return { kind: 'choices', of: `${entity}.${field}`, options: rest }
    case 'list':
      return { kind: 'list', entity: rest[0]! }
    default:
      return { kind: 'reference', entity: first }
  }
}

/** On change, signed in, without constants. */
export function scopeOf(schema: Schema, self: string, more: Partial<Scope> = {}): Scope {
  return {
    schema,
    self: schema.get(self) ?? null,
    me: schema.get('person') ?? null,
    limits: new Map(),
    old: true,
    answer: false,
    ...more,
  }
}

/** The expression of a text that has no mistakes; throws with what was found otherwise. */
export function expressionOf(text: string, scope: Scope, expected?: Type | 'yes/no'): Expression {
  const { expression, found }: ReadExpression = readExpression(cellOf(text), scope, expected)
  if (expression !== null) return expression
  throw new Error(`${text}: ${found.map(({ code, message }) => `${code} ${message}`).join('; ')}`)
}

const schema = schemaOf({
  person: { name: 'text', manager: 'person?' },
  category: { name: 'text', keeper: 'person?' },
  item: { tag: 'text', category: 'category', value: 'money EUR', unit: 'money EUR 4?', retired_on: 'date?' },
  loan: {
    borrower: 'person',
    keeper: 'person?',
    state: 'choice Draft Requested Approved Out Returned',
    finish: 'choice Matt Glossy',
    out_on: 'date',
    due_back: 'date',
    purpose: 'text?',
    title: 'text',
    photo: 'file?',
    total: 'money EUR',
    fee: 'money USD',
    ratio: 'decimal?',
    number: 'integer',
    done: 'yes/no',
    damaged: 'yes/no?',
    handed_out_at: 'moment?',
    notice: 'calendar?',
    lines: 'list loan_line',
    members: 'list person',
    days: 'integer = due_back - out_on',
    worth: 'money EUR = sum(lines.value)',
  },
  loan_line: { loan: 'loan ^', item: 'item', value: 'money EUR', damaged: 'yes/no', parts: 'list part' },
  part: { loan_line: 'loan_line ^', cost: 'money EUR' },
})

const limits: Scope['limits'] = new Map([
  ['max_loan_days', { type: { kind: 'integer' }, optional: false }],
  ['open', { type: { kind: 'integer' }, optional: true }],
  ['undecided', { type: { kind: 'error' }, optional: true }],
  ['undecided_too', { type: { kind: 'error' }, optional: true }],
])

/** Loans with their items, for messages: fields of every kind, constants, one of them open and two not decided. */
export const loanScope = scopeOf(schema, 'loan', { limits })

/** What is found, each as `N0201 message ⟦marked⟧ → the text after each fix`. */
export function told(text: string, expected?: Type | 'yes/no', where: Scope = loanScope): string[] {
  return readExpression(cellOf(text), where, expected).found.map(one => shown(text, one))
}

export function shown(text: string, { code, message, span, fixes }: Diagnostic): string {
  const cured = fixes.map(({ edits }) =>
    edits.reduceRight((all, edit) => all.slice(0, edit.span.start) + edit.text + all.slice(edit.span.end), text),
  )
  return [`${code} ${message} ⟦${text.slice(span.start, span.end)}⟧`, ...cured].join(' → ')
}
