/** What JDL says, in the words of the language. */
import { type Draft, type DraftEntity, Drafting, sentence, snake } from '../draft.ts'
import { patternRule } from '../pattern.ts'
import { isPassword, passwordNote, textOf } from '../types.ts'
import { type Importing, noteAnnotations } from './importing.ts'
import type { JdlEntity, JdlEnum, JdlField, JdlModel } from './model.ts'
import { noteOptions } from './options.ts'
import { addRelationships } from './relationships.ts'
import { jdlType, usualLength, type WrittenType } from './types.ts'

/** `file` is what the text was read from, for the title and the notes: `library.jh`. */
export function draftOfJdl(model: JdlModel, file: string): Draft {
  const drafting = new Drafting()
  const entities = new Map(
    model.entities.map(entity => [
      entity.name,
      drafting.entity(sentence(entity.name), entity.comment === null ? [] : [entity.comment]),
    ]),
  )
  const importing: Importing = { model, drafting, entities, keys: new Map() }
  for (const entity of model.entities) addEntity(importing, entity)
  addRelationships(importing)
  noteOptions(importing)
  const [only, ...others] = model.applications
  const title = others.length === 0 ? (only?.baseName ?? null) : null
  return {
    title: sentence(title ?? file.replace(/\.[^.]*$/, '')),
    origin: `Imported from ${file} (JHipster Domain Language).`,
    entities: drafting.entities,
    rules: [],
    notes: drafting.notes,
  }
}

function addEntity(importing: Importing, entity: JdlEntity): void {
  const { drafting } = importing
  const draft = importing.entities.get(entity.name)!
  if (draft.name !== sentence(entity.name)) drafting.note(draft, entity.name, `is named ${draft.name} here`)
  if (entity.table !== null)
    drafting.note(draft, entity.name, `its table is named after the entity here, not ${entity.table}`)
  noteAnnotations(drafting, draft, entity.name, entity.annotations)
  const keys = new Map<string, string>()
  importing.keys.set(entity.name, keys)
  for (const field of entity.fields) addField(importing, draft, entity, field, keys)
}

/** Types of keys that JHipster gives by itself, and nobody fills in. */
const givenKeys: ReadonlySet<string> = new Set(['Long', 'Integer', 'UUID'])

function addField(
  { model, drafting }: Importing,
  draft: DraftEntity,
  entity: JdlEntity,
  field: JdlField,
  keys: Map<string, string>,
): void {
  const about = `${entity.name}.${field.name}`
  const note = (text: string) => drafting.note(draft, about, text)
  const wanted = snake(field.name)
  const instant = field.type === 'Instant' || field.type === 'ZonedDateTime'
  if (wanted === 'created_at' && instant) {
    keys.set(field.name, wanted)
    note('every record remembers when it was created, in `created_at`')
    return
  }
  if (wanted === 'id' && givenKeys.has(field.type)) {
    keys.set(field.name, wanted)
    note('is replaced by the key that every record has')
    return
  }
  const key = drafting.fieldKey(draft, wanted)
  keys.set(field.name, key)
  if (key !== wanted) note(`is named \`${key}\` here`)
  const meanings = field.comment === null ? [] : [field.comment]
  const rules: string[] = []
  const { type, bounds, note: lost } = typeOf(model, field, meanings, note)
  if (lost !== null) note(lost)
  const isId = field.annotations.some(({ name }) => name.toLowerCase() === 'id')
  const has = (name: string) => field.validations.some(validation => validation.name === name)
  if (has('required') || isId) rules.push('required')
  if ((has('unique') || isId) && canBeUnique(type)) rules.push('unique')
  else if (has('unique')) note(`values of the type ${type} cannot be unique here`)
  if (field.type === 'UUID') rules.push(patternRule('[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}')!)
  addBounds(model, field, { type, bounds }, rules, note)
  noteAnnotations(
    drafting,
    draft,
    about,
    field.annotations.filter(({ name }) => name.toLowerCase() !== 'id'),
  )
  draft.fields.push({ key, type, rules, label: null, meaning: meanings.join(' ') })
}

function typeOf(model: JdlModel, field: JdlField, meanings: string[], note: (text: string) => void): WrittenType {
  if (field.type === 'String' && isPassword(field.name)) return { type: 'secret', note: passwordNote, bounds: 'none' }
  const length = numberOf(model, field, 'maxlength')
  if (field.type === 'String' && length !== null && Number.isInteger(length) && length > 0)
    return { ...textOf(length), bounds: 'length' }
  const known = jdlType(field.type)
  if (known !== null) return known
  const list = model.enums.find(({ name }) => name === field.type)
  const text = { type: `text ${usualLength}`, note: null, bounds: 'length' } as const
  if (list === undefined) {
    note(`there is no type ${field.type}: any text`)
    return text
  }
  return choiceOf(list, meanings) ?? { ...text, note: `its values cannot be a list of choices here: any text` }
}

/** Null where the names are none that a choice can have: none at all, too many, or two that differ in capitals only. */
function choiceOf(list: JdlEnum, meanings: string[]): WrittenType | null {
  const names = list.values.map(({ name }) => name.charAt(0).toUpperCase() + name.slice(1))
  const distinct = new Set(names.map(name => name.toLowerCase()))
  if (
    names.length === 0 ||
    names.length > 200 ||
    distinct.size < names.length ||
    names.some(({ length }) => length > 80)
  )
    return null
  const said = list.values.flatMap(({ label, comment }, index) =>
    label === null && comment === null
      ? []
      : [`${names[index]}: ${[label, comment].filter(text => text !== null).join(', ')}`],
  )
  if (list.comment !== null) meanings.push(list.comment)
  if (said.length > 0) meanings.push(said.join('; '))
  const renamed = list.values.some(({ name }, index) => name !== names[index])
  return {
    type: `choice: ${names.join(', ')}`,
    note: renamed ? 'choices begin with a capital letter here' : null,
    bounds: 'none',
  }
}

const canBeUnique = (type: string): boolean => !/^(?:long text|file|image|secret)\b/.test(type)

function addBounds(
  model: JdlModel,
  field: JdlField,
  { type, bounds }: Pick<WrittenType, 'type' | 'bounds'>,
  rules: string[],
  note: (text: string) => void,
): void {
  for (const { name, argument } of field.validations) {
    const said = `\`${name}(${argument})\``
    if (name === 'required' || name === 'unique') continue
    if (name === 'pattern') {
      const rule = /^text\b/.test(type) ? patternRule(argument ?? '') : null
      if (rule === null) note(`the pattern /${argument}/ is not carried over: it has no portable form`)
      else if (!rules.some(other => other.startsWith('pattern'))) rules.push(rule)
      continue
    }
    const value = written(model, argument)
    if (value === null) {
      note(`${said} is not carried over: there is no constant ${argument}`)
      continue
    }
    const rule = boundRule(name, value, { type, bounds }, field)
    if (rule === null) note(`${said} is not carried over: it does not go with ${type}`)
    else if (rule !== '') rules.push(rule)
  }
}

/** Empty where the type says it already; null where it does not go with the type. */
function boundRule(
  name: string,
  value: string,
  { type, bounds }: Pick<WrittenType, 'type' | 'bounds'>,
  field: JdlField,
): string | null {
  if (bounds === 'length' && /^\d+$/.test(value)) {
    const isSome = Number(value) > 0
    if (name === 'maxlength') return field.type === 'String' && isSome ? '' : `max ${value}`
    if (name === 'minlength') return isSome ? `min ${value}` : ''
  }
  const isSize = bounds === 'size' && (type !== 'integer' || /^-?\d+$/.test(value))
  return isSize && (name === 'min' || name === 'max') ? `${name} ${value}` : null
}

const written = (model: JdlModel, argument: string | null): string | null =>
  argument === null || /^-?\d/.test(argument) ? argument : (model.constants.get(argument)?.value ?? null)

function numberOf(model: JdlModel, field: JdlField, name: string): number | null {
  const value = written(model, field.validations.find(validation => validation.name === name)?.argument ?? null)
  return value === null ? null : Number(value)
}
