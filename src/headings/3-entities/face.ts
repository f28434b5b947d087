/** What is shown of a record among others, beside its title: as `Face` says it, else what the document lets expect. */
import type { App } from '../app.ts'
import { isPicture, mostFacts } from './face-line.ts'
import type { Entity, FacePart, Field } from './model.ts'
import { titleFields } from './titles.ts'

/** Keys of fields, besides those of the title. */
export interface Face {
  /** Figures and words that tell it from others. */
  readonly facts: readonly string[]
  /** Who asked for it, whom it is for, or who is in charge. */
  readonly person: string | null
  /** `due`: what is not done by then is late. */
  readonly date: { readonly field: string; readonly due: boolean } | null
  readonly picture: string | null
}

const known = new WeakMap<App, Map<string, Face>>()

/** Worked out once per document. */
export function recordFace(app: App, entity: string): Face {
  const faces = known.get(app) ?? new Map<string, Face>()
  known.set(app, faces)
  const face = faces.get(entity) ?? derived(app, app.entities.get(entity)!)
  faces.set(entity, face)
  return face
}

/** The fields of its face, besides those of the title. */
export function faceKeys(app: App, entity: string): readonly string[] {
  const { person, facts, date, picture } = recordFace(app, entity)
  return [person, ...facts, date?.field, picture].flatMap(key => key ?? [])
}

function derived(app: App, entity: Entity): Face {
  const said = (part: FacePart) => entity.face?.parts.get(part)
  const naming = new Set(titleFields(entity))
  const shown = entity.fields.filter(({ key, hidden }) => hidden === null && !naming.has(key))
  const first = (fits: (field: Field) => boolean) => [shown.find(fits)?.key].flatMap(key => key ?? [])
  const isReference = ({ type }: Field, to: 'person' | 'thing') =>
    type.kind === 'reference' && (type.entity === 'person') === (to === 'person')
  // Who it is about is in charge of nothing else: one whose title is a person needs no second one.
  const isOfPerson = entity.fields.some(field => naming.has(field.key) && isReference(field, 'person'))
  const [person = null] = said('person') ?? (isOfPerson ? [] : first(field => isReference(field, 'person')))
  const [date = null] = said('date') ?? dateOf(app, entity, shown)
  const [picture = null] = said('picture') ?? first(isPicture)
  const isMoney = ({ type }: Field) => type.kind === 'money'
  const money = first(field => isMoney(field) && field.computed !== null)
  const facts = said('facts') ?? [
    ...(money.length > 0 ? money : first(isMoney)),
    ...first(field => isReference(field, 'thing')),
    ...first(({ type }) => type.kind === 'choice'),
  ]
  return {
    facts: facts.slice(0, mostFacts),
    person,
    date: date === null ? null : { field: date, due: isDue(app, entity, date) },
    picture,
  }
}

const isDate = ({ type }: Field): boolean => type.kind === 'date' || type.kind === 'moment'

/** Words by which fields are called that say until when something is to be done. */
const dueWords = /(?:^|_)(?:due|until|by|needed|deadline|return|ends?)(?:_|$)/

/** What a mark or a timer goes by, the end of a span, or what is called like one. */
function dateOf(app: App, { key, marks }: Entity, shown: readonly Field[]): readonly string[] {
  const timed = app.timers.flatMap(({ entity, at }) =>
    entity === key && 'kind' in at && at.kind === 'once' ? at.at.reads : [],
  )
  const read = new Set([...marks.flatMap(({ where }) => where.reads), ...timed])
  const ends = new Set(shown.flatMap(({ noOverlap }) => noOverlap?.end ?? []))
  const dates = shown.filter(isDate)
  const found =
    dates.find(field => read.has(field.key)) ??
    dates.find(field => ends.has(field.key)) ??
    dates.find(field => dueWords.test(field.key))
  return found === undefined ? [] : [found.key]
}

/** Its name says so, and no mark of the document does: that one has its own word for it. A span has an end and is not late. */
function isDue(app: App, entity: Entity, date: string): boolean {
  const isSpan = entity.fields.some(({ noOverlap }) => noOverlap?.end === date)
  const isMarked = entity.marks.some(({ where }) => where.reads.includes(date))
  return app.workflows.has(entity.key) && dueWords.test(date) && !isSpan && !isMarked
}
