/** What a Prisma schema says, in the words of the language. */
import { type Draft, type DraftEntity, type DraftField, Drafting, leaveOpen, sentence, snake } from '../draft.ts'
import { choiceOf, isPassword, passwordNote } from '../types.ts'
import type { PrismaAttribute, PrismaField, PrismaModel, PrismaSchema } from './parse.ts'
import { prismaType } from './types.ts'

interface Importing {
  readonly schema: PrismaSchema
  readonly drafting: Drafting
  readonly entities: ReadonlyMap<string, DraftEntity>
}

interface Model {
  readonly model: PrismaModel
  readonly entity: DraftEntity
  /** By the names of Prisma; a column that holds a key has the field that refers. */
  readonly fields: Map<string, DraftField>
}

/** `file` is what the text was read from: `schema.prisma`. */
export function draftOfPrisma(schema: PrismaSchema, file: string): Draft {
  const drafting = new Drafting()
  const entities = new Map(
    schema.models.map(({ name, comment }) => [name, drafting.entity(sentence(name), comment === '' ? [] : [comment])]),
  )
  const importing: Importing = { schema, drafting, entities }
  for (const model of schema.models)
    addModel(importing, { model, entity: entities.get(model.name)!, fields: new Map() })
  for (const { name, said } of schema.enums)
    if (said.length > 0)
      drafting.note(null, `enum ${name}`, `what it says of its values is not carried over: ${said.join('; ')}`)
  for (const other of schema.others) drafting.note(null, other, 'is not carried over')
  return {
    title: sentence(file.replace(/\.[^.]*$/, '')),
    origin: `Imported from ${file} (Prisma).`,
    entities: drafting.entities,
    rules: [],
    notes: drafting.notes,
  }
}

const attribute = ({ attributes }: PrismaField, name: string): PrismaAttribute | null =>
  attributes.find(one => one.name === name) ?? null

/** The columns that `fields: [a, b]` names. */
const namesIn = (argument: string, key: string): readonly string[] =>
  (new RegExp(`${key}:?\\s*\\[([^\\]]*)\\]`).exec(argument)?.[1] ?? '')
    .split(',')
    .map(name => name.trim().replace(/\(.*$/, ''))
    .filter(name => name !== '')

/** The columns of a model that hold keys of others, by the field that says so. */
const keysOf = (field: PrismaField): readonly string[] =>
  namesIn(attribute(field, 'relation')?.argument ?? '', 'fields')

function addModel(importing: Importing, into: Model): void {
  const { model, entity } = into
  const { drafting } = importing
  if (entity.name !== sentence(model.name)) drafting.note(entity, model.name, `is named ${entity.name} here`)
  for (const field of model.fields) addField(importing, into, field)
  for (const { name, argument } of model.attributes) {
    if (name === 'id' || name === 'unique') addUnique(importing, into, `@@${name}`, argument)
    else if (!/^(?:map|index|schema|fulltext)$/.test(name))
      drafting.note(entity, model.name, `@@${name}(${argument}) is not carried over`)
  }
}

/** Whether a column is part of a key by which the record refers to another one, which is a field by itself. */
const isHeldByReference = ({ entities }: Importing, { fields }: PrismaModel, column: string): boolean =>
  fields.some(one => keysOf(one).includes(column) && entities.has(one.type))

const isUniqueAlone = ({ fields }: PrismaModel, column: string): boolean =>
  fields.some(one => one.name === column && (attribute(one, 'unique') ?? attribute(one, 'id')) !== null)

function addField(importing: Importing, into: Model, field: PrismaField): void {
  const { schema, drafting, entities } = importing
  const { model, entity } = into
  const about = `${model.name}.${field.name}`
  const note = (text: string) => drafting.note(entity, about, text)
  const other = entities.get(field.type)
  if (other !== undefined) {
    addRelation(importing, into, field, other)
    return
  }
  if (isHeldByReference(importing, model, field.name)) return
  const replaced = replacedBy(field)
  if (replaced !== null) {
    note(replaced)
    return
  }
  const key = drafting.fieldKey(entity, snake(field.name))
  if (key !== snake(field.name)) note(`is named \`${key}\` here`)
  const isId = attribute(field, 'id') !== null
  const isUnique = isId || attribute(field, 'unique') !== null
  const list = schema.enums.find(({ name }) => name === field.type)
  const choices = list === undefined ? null : choiceOf(list.values)
  const known = choices ??
    (field.type === 'String' && !field.isList && isPassword(field.name)
      ? { type: 'secret', note: passwordNote }
      : null) ??
    prismaType(field, isUnique) ?? { type: 'text 500', note: `there is no type ${field.type} here: any text` }
  if (known.note !== null) note(known.note)
  const type = field.isList ? severalOf(known.type, note) : known.type
  const canBe = !/^(?:long text|file|json|several|secret)\b/.test(type)
  if (isUnique && !canBe) note(`values of the type ${type} cannot be unique here`)
  const rules = [
    ...(field.isOptional || field.isList || type === 'json' ? [] : ['required']),
    ...(isUnique && canBe ? ['unique'] : []),
  ]
  noteAttributes(field, note)
  const made: DraftField = { key, type, rules, label: null, meaning: field.comment }
  entity.fields.push(made)
  into.fields.set(field.name, made)
  addDefault(field, made, choices?.choices ?? null, note)
}

const taken = /^(?:id|default|unique|relation|updatedAt|map|db\..*)$/

function noteAttributes({ attributes }: PrismaField, note: (text: string) => void): void {
  for (const { name, argument } of attributes)
    if (!taken.test(name)) note(`@${name}${argument === '' ? '' : `(${argument})`} is not carried over`)
}

/** What is referred to cannot be deleted here; there the relation says, or whether it may be empty. */
function noteDeletion(field: PrismaField, note: (text: string) => void): void {
  const argument = attribute(field, 'relation')?.argument ?? ''
  const said = (event: string) => new RegExp(`\\b${event}:\\s*(\\w+)`).exec(argument)?.[1]
  const deletes = said('onDelete') ?? (field.isOptional ? 'SetNull' : 'Restrict')
  if (deletes === 'Cascade')
    note(
      'onDelete: Cascade is not carried over: what is referred to cannot be deleted here. Rows, `(part of …)` it, go with it',
    )
  else if (!/^(?:Restrict|NoAction)$/.test(deletes))
    note(`onDelete: ${deletes} is not carried over: what is referred to cannot be deleted here`)
  const updates = said('onUpdate')
  if (updates !== undefined && updates !== 'Cascade')
    note(`onUpdate: ${updates} is not carried over: the key of a record never changes here`)
}

function severalOf(type: string, note: (text: string) => void): string {
  if (type.startsWith('choice: ')) return type.replace(/^choice/, 'several of')
  note('is a list there, and a text here')
  return 'text 500'
}

/** Why a column needs no field: what it holds is in every record already. */
function replacedBy(field: PrismaField): string | null {
  const given = /^(?:autoincrement|uuid|cuid|nanoid|ulid|auto|dbgenerated)\(/.test(
    attribute(field, 'default')?.argument ?? '',
  )
  if (attribute(field, 'id') !== null && given) return 'is replaced by the key that every record has'
  if (attribute(field, 'updatedAt') !== null) return 'every record remembers when it was changed, in `changed_at`'
  return /^created_?at$/i.test(field.name) && field.type === 'DateTime'
    ? 'every record remembers when it was created, in `created_at`'
    : null
}

function addDefault(
  field: PrismaField,
  made: DraftField,
  choices: ReadonlyMap<string, string> | null,
  note: (text: string) => void,
): void {
  const given = attribute(field, 'default')?.argument
  if (given === undefined) return
  const written = choices?.get(given) ?? defaultOf(made.type, given)
  // With one, yes or no is never empty here.
  if (written === null || field.isList || (made.type === 'yes/no' && field.isOptional)) {
    note(`what it begins with is not carried over: ${given}`)
    leaveOpen(made)
  } else made.rules.push(`default ${written}`)
}

function defaultOf(type: string, given: string): string | null {
  if (type === 'yes/no') return given === 'true' ? 'yes' : given === 'false' ? 'no' : null
  if (type === 'date and time' || type === 'date') return given !== 'now()' ? null : type === 'date' ? 'today' : 'now'
  if (/^(?:integer|decimal)\b/.test(type)) return /^-?\d{1,9}(?:\.\d{1,2})?$/.test(given) ? given : null
  return /^text\b/.test(type) && /^"[^"\\|;`]{1,200}"$/.test(given) ? given : null
}

/** The side that has the column refers; of two lists, the first holds rows with one reference each. */
function addRelation(importing: Importing, into: Model, field: PrismaField, other: DraftEntity): void {
  const { schema, drafting } = importing
  const { model, entity, fields } = into
  const about = `${model.name}.${field.name}`
  const keys = keysOf(field)
  if (keys.length > 0) {
    const made: DraftField = {
      key: drafting.fieldKey(entity, snake(field.name)),
      type: other.name,
      rules: [
        ...(field.isOptional ? [] : ['required']),
        ...(keys.length === 1 && isUniqueAlone(model, keys[0]!) ? ['unique'] : []),
      ],
      label: null,
      meaning: field.comment,
    }
    entity.fields.push(made)
    noteAttributes(field, text => drafting.note(entity, about, text))
    noteDeletion(field, text => drafting.note(entity, about, text))
    fields.set(field.name, made)
    // What one column of several leads to is told by the reference that has this column alone.
    for (const name of keys) if (keys.length === 1 || !fields.has(name)) fields.set(name, made)
    return
  }
  const back = backOf(schema, model, field)
  if (back === null || !field.isList || !back.field.isList) {
    drafting.note(entity, about, `is the other side of what ${other.name} refers by, and no field of its own`)
    return
  }
  const isFirst =
    schema.models.indexOf(model) < schema.models.indexOf(back.model) ||
    (model === back.model && model.fields.indexOf(field) < model.fields.indexOf(back.field))
  if (!isFirst) {
    drafting.note(entity, about, `is the other side of rows of ${other.name}, and no field of its own`)
    return
  }
  const rows = drafting.rowsOf(entity, `${entity.name} ${sentence(field.name).toLowerCase()}`)
  const key = drafting.fieldKey(entity, snake(field.name))
  entity.fields.push({ key, type: `list of ${rows.name}`, rules: [], label: null, meaning: field.comment })
  const wanted = other === entity ? `other_${snake(field.type)}` : snake(field.type)
  rows.fields.push({
    key: drafting.fieldKey(rows, wanted),
    type: other.name,
    rules: ['required', `unique within ${entity.name}`],
    label: null,
    meaning: '',
  })
  drafting.note(rows, about, 'many to many is an entity of its own here: one row for each link')
}

/** The field of the other model that means the same relation. */
function backOf({ models }: PrismaSchema, model: PrismaModel, field: PrismaField) {
  const name = (one: PrismaField) =>
    /^\s*(?:name:\s*)?"([^"]*)"/.exec(attribute(one, 'relation')?.argument ?? '')?.[1] ?? ''
  const other = models.find(one => one.name === field.type)!
  const back = other.fields.find(one => one !== field && one.type === model.name && name(one) === name(field))
  return back === undefined ? null : { model: other, field: back }
}

function addUnique({ drafting }: Importing, { model, entity, fields }: Model, name: string, argument: string): void {
  const columns = namesIn(argument.includes('fields:') ? argument : `fields: ${argument}`, 'fields')
  const found = columns.map(column => fields.get(column))
  const carrier = found.findLast(field => field?.rules.every(rule => !rule.startsWith('unique')) === true)
  // A reference stands for all columns of its key, and not for some of them.
  const parts = model.fields.filter(field => {
    const inside = keysOf(field).filter(key => columns.includes(key))
    return found.includes(fields.get(field.name)) && inside.length > 0 && inside.length < keysOf(field).length
  })
  const isHeld =
    parts.length === 0 &&
    found.every(
      field => field !== undefined && !/^(?:long text|file|image|json|list|several|secret)\b/.test(field.type),
    )
  if (carrier === undefined || !isHeld) {
    drafting.note(entity, model.name, `${name}(${argument}) is not carried over`)
    return
  }
  const others = [...new Set(found)].filter(field => field !== carrier).map(field => field!.key)
  carrier.rules.splice(
    carrier.rules[0] === 'required' ? 1 : 0,
    0,
    others.length === 0 ? 'unique' : `unique within ${others.join(', ')}`,
  )
}
