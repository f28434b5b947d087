/** What a record is called by: its title, or, without one of its own, what it refers to and when it is. */
import type { Entity, FaceLine, Field } from './model.ts'
import type { TypedEntity } from './shape.ts'

type Naming = Pick<Entity, 'title' | 'called' | 'reference'>

/** Fields of these names are what a record is called, before any other text. */
export const usualNames = ['title', 'subject', 'name', 'summary', 'what']

/** A longer text tells too much to be a name. */
const longestName = 200

/**
 * `Face` or `display` says it. Else a required text is the title, best one of the usual names, and an auto number or a unique text the
 * reference behind it; where only a number is there, the first record that it must refer to says what it is about.
 */
export function namingOf(
  entities: ReadonlyMap<string, TypedEntity>,
  { draft }: TypedEntity,
  fields: readonly Field[],
  face: FaceLine | null,
): Naming {
  if (draft.builtIn) return { title: ['name'], called: ['name'], reference: null }
  const said = face?.parts.get('title')
  const reference = face?.parts.get('reference')
  const displayed = fields.filter(({ display }) => display !== null).map(({ key }) => key)
  if (displayed.length > 0 && said === undefined) return { title: displayed, called: displayed, reference: null }
  const number = fields.find(({ parameters }) => parameters.picture !== undefined)
  const texts = fields.filter(field => field !== number && field.type.kind === 'text' && isShown(field))
  const unique = texts.find(
    field => field.unique?.within.length === 0 && field.unique.while === null && !field.optional,
  )
  const telling = texts.filter(field => !field.optional && (field.parameters.length ?? 0) <= longestName)
  const usual = usualNames.flatMap(name => telling.find(({ key }) => key === name) ?? [])
  // Before a step gives the number, something else has to tell what it is.
  const early = number === undefined || number.givenOn !== null ? texts : []
  const called = [...usual, ...telling.filter(field => field !== unique), ...(unique === undefined ? early : [])][0]
  const coded = number ?? unique
  const about = called === undefined && coded !== undefined ? aboutOf(entities, fields) : null
  const first = said ?? [about ?? called?.key ?? coded?.key].flatMap(key => key ?? [])
  const behind = reference === undefined ? coded?.key : reference[0]
  const follows = behind !== undefined && !first.includes(behind) ? behind : null
  const isText = (key: string) => fields.some(field => field.key === key && field.type.kind === 'text')
  const title = [...first, ...(follows === null ? [] : [follows])].filter(isText)
  return { title: title.length > 0 ? title : ['id'], called: first, reference: follows }
}

/** The first record that it must refer to, and that has a name. */
const aboutOf = (entities: ReadonlyMap<string, TypedEntity>, fields: readonly Field[]): string | null =>
  fields.find(
    field =>
      field.type.kind === 'reference' && isShown(field) && !field.optional && isCalled(entities.get(field.type.entity)),
  )?.key ?? null

const isCalled = (entity: TypedEntity | undefined): boolean =>
  entity !== undefined &&
  (entity.draft.builtIn ||
    [...entity.fields.values()].some(
      ({ kind, rules, type }) => type.kind === 'text' && kind.entered && rules.has('required'),
    ))

const isShown = ({ hidden, computed }: Field): boolean => hidden === null && computed === null

type Named = Pick<Entity, 'called' | 'reference' | 'fields' | 'partOf'>

/** The fields that name a record to people, its reference last. Child rows are named by the first thing that they refer to, else by their first text. */
export function titleFields({ called, reference, fields, partOf }: Named): readonly string[] {
  if (called.length > 0) return reference === null ? called : [...called, reference]
  const first = (...kinds: readonly string[]) =>
    fields.find(({ type, hidden, computed }) => kinds.includes(type.kind) && hidden === null && computed === null)
  const thing = first('reference')
  const telling = partOf === null ? [thing, first('date', 'moment')] : [thing ?? first('text')]
  return telling.flatMap(field => field?.key ?? [])
}

/** Between what a record is called by: `Ada Lovelace` of two texts, `Loom 3, 4 Dec` where they are of several kinds. */
export const betweenTitles = (of: Named): string =>
  titleFields(of).every(
    key => key === of.reference || of.fields.some(field => field.key === key && field.type.kind === 'text'),
  )
    ? ' '
    : ', '

/** Between what a record is called and its reference: `Ladder · RQ-12`. */
export const beforeReference = ' · '

type Texts = readonly (readonly [key: string, text: string | null])[]

/** The texts of `titleFields`, those that are there; empty where none is. */
export function titleParts(of: Named, texts: Texts) {
  const { reference } = of
  const joined = (isReference: boolean) =>
    texts.flatMap(([key, text]) => ((key === reference) === isReference && text ? [text] : [])).join(betweenTitles(of))
  return { called: joined(false), reference: joined(true) }
}

/** The same as one. */
export function joinedTitle(of: Named, texts: Texts): string {
  const { called, reference } = titleParts(of, texts)
  return [called, reference].filter(text => text !== '').join(beforeReference)
}

/** Where a sentence names a record by its whole title: what tells it from others is enough where a reference follows, else what it is stands before it. */
export const namedThing = (of: Pick<Entity, 'name' | 'reference'>, title: string): string =>
  of.reference === null ? `${of.name} ${title}` : title
