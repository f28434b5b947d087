/** Relationships become references; many to many becomes rows that belong to the owning side, each with one reference. */
import { keyOf } from '../../expression/names.ts'
import { type DraftEntity, sentence, snake, titleOf } from '../draft.ts'
import { type Importing, noteAnnotations } from './importing.ts'
import type { JdlRelationship, JdlSide } from './model.ts'

export function addRelationships(importing: Importing): void {
  for (const relationship of importing.model.relationships) addRelationship(importing, relationship)
}

function addRelationship(importing: Importing, relationship: JdlRelationship): void {
  const { drafting } = importing
  const { kind, from, to } = relationship
  const ends = [from, to].map(side => entityOf(importing, side.entity))
  const missing = [from, to].find((_, index) => ends[index] === null)
  if (missing !== undefined) {
    const about = `${kind} ${shown(from)} to ${shown(to)}`
    drafting.note(null, about, `is not carried over: there is no entity ${missing.entity}`)
    return
  }
  const [first, second] = ends as [DraftEntity, DraftEntity]
  if (kind === 'ManyToMany') addRows(importing, { side: from, entity: first }, { side: to, entity: second })
  // The column stands where `Many` stands; of one to one, where the relationship begins.
  else if (kind === 'OneToMany')
    addReference(importing, relationship, { side: to, entity: second }, { side: from, entity: first })
  else addReference(importing, relationship, { side: from, entity: first }, { side: to, entity: second })
}

/** The people of JHipster are the people of Ninefold. */
function entityOf({ entities, drafting }: Importing, name: string): DraftEntity | null {
  return entities.get(name) ?? (name === 'User' ? drafting.person() : null)
}

interface End {
  readonly side: JdlSide
  readonly entity: DraftEntity
}

function addReference(importing: Importing, { kind }: JdlRelationship, owner: End, other: End): void {
  const { drafting } = importing
  const name = owner.side.field ?? lowerFirst(other.side.entity)
  const key = keyFor(importing, owner, name)
  const unique = kind === 'OneToOne'
  owner.entity.fields.push({
    key,
    type: other.entity.name,
    rules: [...(owner.side.required ? ['required'] : []), ...(unique ? ['unique'] : [])],
    label: null,
    meaning: owner.side.comment ?? '',
  })
  noteSide(importing, owner, other)
  const { field, required, comment } = other.side
  const about = `${other.side.entity}.${field ?? lowerFirst(owner.side.entity)}`
  if (field !== null)
    drafting.note(
      other.entity,
      about,
      `is the other side of \`${key}\` of ${owner.entity.name}, and no field of its own`,
    )
  if (required)
    drafting.note(
      other.entity,
      about,
      `that there must be one is not carried over: \`${owner.entity.name}\` refers to it, not the other way round`,
    )
  if (comment !== null) drafting.note(other.entity, about, comment)
  noteAnnotations(drafting, other.entity, about, other.side.annotations)
}

/** `Book{author} to Author{book}`: a book has a list of `Book author`, rows with one reference to an author each. */
function addRows(importing: Importing, owner: End, other: End): void {
  const { drafting } = importing
  const name = owner.side.field ?? lowerFirst(other.side.entity)
  const rows = drafting.rowsOf(owner.entity, `${owner.entity.name} ${sentence(name).toLowerCase()}`)
  const key = keyFor(importing, owner, name)
  owner.entity.fields.push({
    key,
    type: `list of ${rows.name}`,
    rules: owner.side.required ? ['min 1'] : [],
    label: null,
    meaning: owner.side.comment ?? '',
  })
  const wanted = snake(name)
  const reference = drafting.fieldKey(rows, wanted === keyOf(owner.entity.name) ? `other_${wanted}` : wanted)
  rows.fields.push({
    key: reference,
    type: other.entity.name,
    rules: ['required', `unique within ${owner.entity.name}`],
    label: null,
    meaning: '',
  })
  const about = `${owner.side.entity}.${name}`
  drafting.note(rows, about, 'many to many is an entity of its own here: one row for each link')
  noteSide(importing, owner, other)
  const { field, required, comment } = other.side
  const back = `${other.side.entity}.${field ?? lowerFirst(owner.side.entity)}`
  if (field !== null) drafting.note(other.entity, back, `is the other side of ${rows.name}, and no field of its own`)
  if (required) drafting.note(other.entity, back, 'that there must be one is not carried over')
  if (comment !== null) drafting.note(other.entity, back, comment)
  noteAnnotations(drafting, other.entity, back, other.side.annotations)
}

function keyFor({ drafting, keys }: Importing, { entity, side }: End, name: string): string {
  const wanted = snake(name)
  const key = drafting.fieldKey(entity, wanted)
  if (key !== wanted) drafting.note(entity, `${side.entity}.${name}`, `is named \`${key}\` here`)
  const known = keys.get(side.entity) ?? new Map<string, string>()
  keys.set(side.entity, known.set(name, key))
  return key
}

/** What people are shown of the other record is what names it everywhere: the field that JDL asks for first. */
function noteSide(importing: Importing, { side, entity }: End, other: End): void {
  const { drafting, keys } = importing
  const about = `${side.entity}.${side.field ?? lowerFirst(other.side.entity)}`
  noteAnnotations(drafting, entity, about, side.annotations)
  if (side.display === null) return
  const display = keys.get(other.side.entity)?.get(side.display) ?? snake(side.display)
  const title = titleOf(other.entity)
  if (title.includes(display)) return
  const field = other.entity.fields.find(({ key, type }) => key === display && /^text\b/.test(type))
  if (field !== undefined && other.entity.fields.every(({ rules }) => !rules.includes('display')))
    field.rules.push('display')
  else
    drafting.note(
      entity,
      about,
      `people see the ${title.length === 0 ? 'id' : title.map(key => `\`${key}\``).join(' and ')} of ${other.entity.name}, not its \`${display}\``,
    )
}

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

const shown = ({ entity, field }: JdlSide): string => (field === null ? entity : `${entity}{${field}}`)
