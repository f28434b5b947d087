/** What DocTypes say, in the words of the language. */
import { labelOf as derived, isName, keyOf, nameMeant } from '../../expression/names.ts'
import { type Draft, type DraftEntity, Drafting } from '../draft.ts'
import { leftOutOfField, leftOutOfType } from './left-out.ts'
import { type DocField, type DocType, type DocTypes, says, saysText } from './model.ts'
import { grantsOf, workflowOf } from './rights.ts'
import { docFieldType, isLayout } from './types.ts'

interface Importing {
  readonly all: DocTypes
  readonly drafting: Drafting
  /** Of what is no table. */
  readonly entities: ReadonlyMap<string, DraftEntity>
}

/** `from` is what they were read from: `crm`. */
export function draftOfDocTypes(all: DocTypes, from: string): Draft {
  const drafting = new Drafting()
  const roots = all.types.filter(({ isTable }) => !isTable)
  const entities = new Map(
    roots.map(({ name, description }) => [
      name,
      drafting.entity(plainName(name), description === '' ? [] : [description]),
    ]),
  )
  const importing: Importing = { all, drafting, entities }
  for (const type of roots) {
    const entity = entities.get(type.name)!
    if (entity.name !== type.name) drafting.note(entity, type.name, `is named ${entity.name} here`)
    noteLeftOut(drafting, entity, type)
    entity.grants.push(...grantsOf(drafting, entity, type))
    entity.workflow = workflowOf(drafting, entity, type, all.workflows.find(({ of }) => of === type.name) ?? null)
    addNumber(drafting, entity, type)
    for (const field of type.fields) addField(importing, entity, type, field)
  }
  for (const [kind, count] of all.others)
    drafting.note(null, kind, count === 1 ? 'is not carried over' : `is not carried over, ${count} times`)
  for (const { of } of all.workflows)
    if (!entities.has(of)) drafting.note(null, `Workflow of ${of}`, 'is not carried over: there is no such DocType')
  return {
    title: from,
    origin: `Imported from ${from} (DocTypes of Frappe).`,
    entities: drafting.entities,
    rules: [],
    notes: drafting.notes,
  }
}

/** Names of Frappe have capitals throughout: `Sales Order` stays so. */
const plainName = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()

const wordsOfDates: Readonly<Record<string, string>> = { YYYY: '{yyyy}', YY: '{yy}', MM: '{mm}', DD: '{dd}' }

/** `SO-.YYYY.-.#####` and `format:SO-{YYYY}-{#####}` → `SO-{yyyy}-{00000}`; null where anything else is in it. */
function pictureOf(naming: string): string | null {
  const parts = naming.startsWith('format:') ? naming.slice('format:'.length).split(/[{}]/) : naming.split('.')
  const written = parts
    .map(part => wordsOfDates[part] ?? (/^#+$/.test(part) ? `{${'0'.repeat(part.length)}}` : part))
    .join('')
  const picture = /\{0+\}/.test(written) ? written : `${written}{00000}`
  return /^(?:[A-Za-z0-9/_-]|\{(?:yyyy|yy|mm|dd|0{1,9})\})+$/.test(picture) ? picture : null
}

/** How Frappe names a record, where that says something to people. */
function addNumber(drafting: Drafting, entity: DraftEntity, { name, autoname, fields }: DocType): void {
  const series = fields
    .find(field => field.name === 'naming_series')
    ?.options.split('\n')
    .find(one => one.trim() !== '')
  const naming = /^naming_series:?$/.test(autoname) ? series : autoname
  if (
    naming === undefined ||
    naming === '' ||
    /^(?:hash|autoincrement|UUID)$/i.test(naming) ||
    naming.startsWith('field:')
  )
    return
  const add = (type: string, rules: readonly string[]) =>
    entity.fields.push({
      key: drafting.fieldKey(entity, type.startsWith('text') ? 'name' : 'number'),
      type,
      rules: [...rules],
      label: null,
      meaning: '',
    })
  if (naming.toLowerCase() === 'prompt') {
    add('text 140', ['required', 'unique'])
    return
  }
  const picture = pictureOf(naming.trim())
  if (picture === null) drafting.note(entity, name, `how it is named is not carried over: ${naming}`)
  else add(`auto number ${picture}`, [])
}

function addField(importing: Importing, entity: DraftEntity, of: DocType, field: DocField): void {
  const { drafting } = importing
  if (field.name === 'naming_series') return
  const about = `${of.name}.${field.name}`
  const note = (text: string) => drafting.note(entity, about, text)
  if (isLayout(field.type)) {
    noteLayout(field, note)
    return
  }
  if (field.name === 'amended_from') {
    note('is not carried over: no step corrects a cancelled record by a copy of it')
    return
  }
  if (/^Table(?: MultiSelect)?$/.test(field.type)) {
    addRows(importing, entity, of, field)
    return
  }
  if (field.type === 'Password' && entity.partOf !== null) {
    note('is not carried over: rows of a record keep no secrets here')
    return
  }
  const wanted = nameMeant(field.name) || 'field'
  const key = drafting.fieldKey(entity, isName(wanted) ? wanted : `own_${wanted.replace(/^_+/, '')}`)
  if (key !== field.name) note(`is named \`${key}\` here`)
  const found = typeOf(importing, field)
  if (found.note !== null) note(found.note)
  const { type } = found
  const isUnique = says(field, 'unique') || of.autoname === `field:${field.name}`
  const isRequired = (says(field, 'reqd') || of.autoname === `field:${field.name}`) && !says(field, 'hidden')
  const canBe = !/^(?:long text|markdown|file|image|secret)\b/.test(type)
  if (isUnique && !canBe) note(`values of the type ${type} cannot be unique here`)
  if (says(field, 'hidden') && says(field, 'reqd')) note('is required there, and hidden: it may be empty here')
  entity.fields.push({
    key,
    type,
    rules: [
      ...(isRequired ? ['required'] : []),
      ...(isUnique && canBe ? ['unique'] : []),
      ...(says(field, 'non_negative') && /^(?:integer|decimal|percent)\b/.test(type) ? ['min 0'] : []),
      ...(says(field, 'set_only_once') ? ['read-only after create'] : []),
      ...defaultOf(field, type, found.choices, note),
      ...(of.titleField === field.name && /^text\b/.test(type) ? ['display'] : []),
    ],
    label: labelOf(field, key),
    meaning: field.description.replace(/<[^>]*>/g, ''),
  })
  noteConditions(field, note)
  if (field.type === 'Currency' && field.options !== '') note(`its currency stands in ${field.options} there`)
  for (const said of leftOutOfField(field.says)) note(`\`${said}\` is not carried over${wayOf[said] ?? ''}`)
}

const [byRights, inLists] = [': say it as a rule, or under heading 6', ': say under heading 2 what lists show']

/** How to say here what is not carried over. */
const wayOf: Readonly<Record<string, string>> = {
  read_only: byRights,
  hidden: byRights,
  permlevel: byRights,
  allow_on_submit: ': say under heading 4 what a state locks',
  in_list_view: inLists,
  in_standard_filter: inLists,
}

function noteConditions(field: DocField, note: (text: string) => void): void {
  for (const said of ['depends_on', 'mandatory_depends_on', 'read_only_depends_on', 'fetch_from'])
    if (saysText(field, said) !== '') note(`\`${said}\` is not carried over: ${saysText(field, said)}`)
}

/** Where fields stand is not carried over; what is more than that is noted. */
function noteLayout(field: DocField, note: (text: string) => void): void {
  if (/^(?:HTML|Button|Image)$/.test(field.type)) note(`is a ${field.type} of the form, and no field here`)
  noteConditions(field, note)
}

function noteLeftOut(drafting: Drafting, entity: DraftEntity, { name, says }: DocType): void {
  for (const said of leftOutOfType(says))
    drafting.note(
      entity,
      name,
      said === 'issingle'
        ? 'there is one of it alone there, with the settings of the application; here it is an entity like any other'
        : `\`${said}\` is not carried over`,
    )
}

function typeOf({ entities, drafting }: Importing, field: DocField) {
  if (field.type !== 'Link') {
    const known = docFieldType(field)
    return known ?? { type: 'text 140', note: `there is no type ${field.type} here: any text`, choices: null }
  }
  if (field.options === 'User') return { type: drafting.person().name, note: null, choices: null }
  const other = entities.get(field.options)
  return other === undefined
    ? { type: 'text 140', note: `there is no DocType ${field.options} among these: any text`, choices: null }
    : { type: other.name, note: null, choices: null }
}

function defaultOf(
  field: DocField,
  type: string,
  choices: ReadonlyMap<string, string> | null,
  note: (text: string) => void,
): readonly string[] {
  if (type === 'yes/no') return [`default ${field.default === '1' ? 'yes' : 'no'}`]
  if (field.default === '') return []
  const choice = choices?.get(field.default)
  if (choice !== undefined && /^[A-Za-z][A-Za-z0-9]*$/.test(choice)) return [`default ${choice}`]
  if (type === 'date' && /^today$/i.test(field.default)) return ['default today']
  if (type === 'date and time' && /^now$/i.test(field.default)) return ['default now']
  if (
    /^(?:integer|decimal)\b/.test(type) &&
    /^\d{1,9}(?:\.\d{1,2})?$/.test(field.default) &&
    (type !== 'integer' || !field.default.includes('.'))
  )
    return [`default ${field.default}`]
  if (type === 'Person' && /^user$/i.test(field.default)) return ['default me']
  note(`what it begins with is not carried over: ${field.default}`)
  return []
}

/** `Customer Name` is what the language derives, but for the capitals that Frappe writes. */
const labelOf = ({ label }: DocField, key: string): string | null =>
  label === '' || label.toLowerCase() === derived(key).toLowerCase() ? null : label

/** A table of another DocType: rows of this one, with the fields of that. */
function addRows(importing: Importing, entity: DraftEntity, of: DocType, field: DocField): void {
  const { all, drafting } = importing
  const child = all.types.find(({ name, isTable }) => isTable && name === field.options)
  const about = `${of.name}.${field.name}`
  if (child === undefined || entity.partOf !== null) {
    drafting.note(
      entity,
      about,
      child === undefined
        ? `is not carried over: there is no table ${field.options} among these`
        : 'is not carried over: rows have no rows',
    )
    return
  }
  const rows = drafting.rowsOf(entity, plainName(child.name))
  const key = drafting.fieldKey(entity, nameMeant(field.name) || keyOf(rows.name))
  entity.fields.push({
    key,
    type: `list of ${rows.name}`,
    rules: says(field, 'reqd') ? ['min 1'] : [],
    label: labelOf(field, key),
    meaning: field.description.replace(/<[^>]*>/g, ''),
  })
  noteLeftOut(drafting, rows, child)
  for (const one of child.fields) addField(importing, rows, child, one)
}
