/** What a database says of itself, in the words of the language. A table is an entity, named for one of its records; a column a field of the same name. */
import { isName } from '../../expression/names.ts'
import {
  type Draft,
  type DraftEntity,
  type DraftField,
  Drafting,
  labelUnlessDerived,
  leaveOpen,
  sentence,
  singular,
  snake,
} from '../draft.ts'
import { patternRule } from '../pattern.ts'
import { isPassword } from '../types.ts'
import type { Catalogue, ForeignColumn, ForeignTable } from './catalogue.ts'
import { addChecks, addChoices, noteCheck } from './checks.ts'
import { readSql, write } from './expression.ts'
import { aboutOf, type Importing, keysOf, knownIn, type TableImport } from './importing.ts'
import { columnType } from './types.ts'
import { addUniques } from './uniques.ts'

export function draftOfDatabase(catalogue: Catalogue): { readonly draft: Draft; readonly importing: Importing } {
  const drafting = new Drafting()
  const tables = new Map<string, TableImport>()
  const known = catalogue.tables.map(({ name }) => withoutSchema(name))
  const names = new Set(known.map(sentence))
  for (const table of catalogue.tables) {
    const own = withoutSchema(table.name)
    const isShared = known.filter(name => name === own).length > 1
    const several = sentence(isShared ? table.name.replace('.', '_') : own)
    const one = singular(several)
    const name = names.has(one) ? several : one
    const entity = drafting.entity(name, table.comment === null ? [] : [table.comment], table.name)
    if (entity.name !== name) drafting.note(entity, table.name, `the entity is named ${entity.name} here`)
    if (table.name === 'person')
      drafting.note(
        entity,
        table.name,
        'Ninefold keeps those who sign in in a table of that name: rename this one before the document is applied to the same database',
      )
    tables.set(table.name, { table, entity, columns: new Map(), fields: new Map() })
  }
  const importing: Importing = { catalogue, drafting, tables, carried: [] }
  for (const table of tables.values()) addColumns(importing, table)
  for (const table of tables.values()) {
    addChoices(importing, table)
    addUniques(importing, table)
    addChecks(importing, table)
    addDefaults(importing, table)
    for (const { name, kind, definition } of table.table.constraints)
      if (kind === 'exclusion') noteCheck(importing, table, name, definition)
  }
  for (const other of catalogue.others)
    drafting.note(
      null,
      other,
      other.startsWith('schema ')
        ? 'was not read: `--schema`, once for each, names those whose tables belong to the document'
        : 'has no place in a document',
    )
  const draft = {
    title: sentence(catalogue.name),
    origin: `Imported from the tables of the schema ${catalogue.schemas.join(', ')} of the PostgreSQL database ${catalogue.name}.`,
    entities: drafting.entities,
    rules: drafting.rules,
    notes: drafting.notes,
  }
  return { draft, importing }
}

const withoutSchema = (table: string): string => table.slice(table.indexOf('.') + 1)

function addColumns(importing: Importing, into: TableImport): void {
  const { drafting } = importing
  const { table, entity } = into
  for (const column of table.columns) {
    const about = aboutOf(table, column.name)
    const replaced = replacedBy(table, column)
    if (replaced !== null) {
      drafting.note(entity, about, replaced)
      continue
    }
    const note = (text: string) => drafting.note(entity, about, text)
    const reference = referenceOf(importing, into, column)
    const key = drafting.fieldKey(entity, isName(column.name) ? column.name : snake(column.name))
    if (key !== column.name) note(`is named \`${key}\` here`)
    const { type, choices } = typeOf(table, column, reference, note)
    const isOptional = isOptionalHere(column, note) || type === 'json'
    const field: DraftField = {
      key,
      type,
      // What only calls write cannot be asked for.
      rules: isOptional ? [] : ['required'],
      label: reference === null ? null : labelUnlessDerived(sentence(key.replace(/_id$/, '')), key),
      meaning: column.comment ?? '',
    }
    if (column.type === 'uuid' && reference === null)
      field.rules.push(patternRule('[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}')!)
    entity.fields.push(field)
    into.fields.set(column.name, field)
    into.columns.set(column.name, { key, type, choices, optional: isOptional })
  }
}

function typeOf(
  table: ForeignTable,
  column: ForeignColumn,
  reference: DraftEntity | null,
  note: (text: string) => void,
): Pick<ReturnType<typeof columnType>, 'type' | 'choices'> {
  const found = reference === null ? columnType(column, isIndexed(table, column.name)) : null
  if (found !== null && found.note !== null) note(found.note)
  if (found !== null && /text/.test(found.type) && isPassword(column.name))
    note('holds passwords, or what was made of them: say under heading 6 who sees it')
  if (column.domain !== null) note(`is of the domain ${column.domain} there, whose checks are not carried over`)
  return found ?? { type: reference!.name, choices: null }
}

function isOptionalHere({ notNull, measure }: ForeignColumn, note: (text: string) => void): boolean {
  const blank = notNull ? (measure?.blank ?? 0) : 0
  if (blank > 0)
    note(
      `holds a text with nothing in it in ${blank} of the records: not required here, and what is left empty is written so`,
    )
  return !notNull || blank > 0
}

/** Why a column needs no field: what it holds is in every record already. */
function replacedBy(table: ForeignTable, column: ForeignColumn): string | null {
  if (keysOf(table).join() === column.name && isGiven(column) && referringFrom(table, column.name) === null)
    return 'is replaced by the key that every record has: the database gave it, and it says nothing else'
  if (column.name === 'created_at' && column.type.startsWith('timestamp'))
    return 'every record remembers when it was created, in `created_at`'
  return null
}

/** A number or an id that the database makes up. */
const isGiven = ({ identity, default: given }: ForeignColumn): boolean =>
  identity || /^(?:nextval\(|gen_random_uuid\(\)|uuid_generate_v\d\w*\(\)|uuidv\d\()/.test(given ?? '')

const referringFrom = (table: ForeignTable, column: string) =>
  table.constraints.find(({ kind, columns }) => kind === 'foreign' && columns.length === 1 && columns[0] === column) ??
  null

/** The entity that a column refers to; null where it refers to none, or to one that the document does not have. */
function referenceOf(
  { tables, drafting }: Importing,
  { table, entity }: TableImport,
  { name }: ForeignColumn,
): DraftEntity | null {
  const all = table.constraints.filter(({ kind, columns }) => kind === 'foreign' && columns.includes(name))
  let found: DraftEntity | null = null
  for (const { name: constraint, columns, refersTo, onDelete, definition } of all) {
    const about = aboutOf(table, name)
    if (columns.length > 1) {
      if (columns[0] === name)
        drafting.note(entity, about, `the key of several columns ${constraint} is not carried over: ${definition}`)
      continue
    }
    const other = tables.get(refersTo!.table)
    if (other === undefined || found !== null) {
      drafting.note(entity, about, `the reference ${constraint} is not carried over: ${definition}`)
      continue
    }
    found = other.entity
    if (onDelete !== null)
      drafting.note(
        entity,
        about,
        `on delete ${onDelete} is not carried over: what is referred to cannot be deleted here`,
      )
  }
  return found
}

const isIndexed = (table: ForeignTable, column: string): boolean =>
  table.constraints.some(
    ({ kind, columns }) => (kind === 'primary' || kind === 'unique') && columns.includes(column),
  ) || table.uniques.some(({ columns }) => columns?.includes(column) === true)

function addDefaults(importing: Importing, into: TableImport): void {
  for (const column of into.table.columns) {
    const field = into.fields.get(column.name)
    if (field === undefined || column.default === null) continue
    const about = aboutOf(into.table, column.name)
    const note = (text: string) => importing.drafting.note(into.entity, about, text)
    const node = readSql(column.default, knownIn(into))
    const known = into.columns.get(column.name)!
    const choice = node?.kind === 'text' ? known.choices?.get(node.value) : undefined
    const text = node === null ? null : write(choice === undefined ? node : { kind: 'text', value: choice })
    const carry = (rule: string) => {
      importing.carried.push({ entity: into.entity, field, rule, about, source: column.default! })
      field.rules.push(rule)
    }
    if (column.generated && text !== null) {
      field.rules.length = 0
      carry(`= ${text}`)
    } else if (column.generated) note(`is computed there, and entered here: ${column.default}`)
    else if (!/^NULL\b/i.test(column.default)) {
      const rule = defaultRule(column, field, text)
      if ('why' in rule) {
        note(`what it begins with is not carried over${rule.why}: ${column.default}`)
        leaveOpen(field)
      } else carry(rule.rule)
    }
  }
}

function defaultRule(
  column: ForeignColumn,
  { type }: DraftField,
  text: string | null,
): { readonly rule: string } | { readonly why: string } {
  if (text === null || isGiven(column) || type === 'json') return { why: '' }
  if (type !== 'yes/no') return { rule: `default ${text}` }
  if (!column.notNull) return { why: ', because it could then never be empty here' }
  return { rule: `default ${text === 'true' ? 'yes' : 'no'}` }
}
