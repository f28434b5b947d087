/** A record among others: what it is called, whom it is about, what tells it from others, and until when it is to be done. */
import { dateOf, dayNumber } from '../../expression/dates.ts'
import type { Type } from '../../expression/type.ts'
import { faceKeys, recordFace } from '../../headings/3-entities/face.ts'
import { beforeReference } from '../../headings/3-entities/titles.ts'
import { dayIn } from '../../kinds/fields/dates.ts'
import type { ReadRow } from '../../kinds/screens/read-data.ts'
import type { FaceView, FactView, ValueView } from '../../kinds/screens/view-model.ts'
import { initialsOf } from '../../ui/page.tsx'
import { fileAddress } from '../routes/files.ts'
import { say } from '../sentences.ts'
import { fieldInfo, type Site } from '../site.ts'
import { type Building, calledOf, cellAt, openHref } from './common.ts'
import { isNumeric } from './values.ts'

/** What is read of a record for its face, besides what names it. */
export const faceFields = ({ app }: Site, entity: string): readonly string[] => faceKeys(app, entity)

/** As far as it was read and may be seen: what is closed to its reader is left out. `without`: what stands elsewhere. */
export function faceView(
  build: Building,
  entity: string,
  row: ReadRow,
  without: (field: string) => boolean = () => false,
): FaceView {
  const { site } = build
  const { app } = site
  const face = recordFace(app, entity)
  const { title, reference } = calledOf(site, entity, row)
  const date = face.date === null ? null : factAt(build, entity, row, face.date.field)
  return {
    title,
    reference,
    href: openHref(build, entity, row),
    ...pictureOf(site, entity, row),
    said: saidOf(build, entity, row, without),
    date: date === null || date.value.text === '' ? null : date,
  }
}

/** Whom it is about, and its facts, each as a text that speaks for itself. */
export function saidOf(
  { site, context }: Building,
  entity: string,
  row: ReadRow,
  without: (field: string) => boolean = () => false,
): readonly string[] {
  const { person, facts } = recordFace(site.app, entity)
  return [person, ...facts].flatMap(key => {
    if (key === null || row.values[key] == null || without(key)) return []
    if (key === person && row.values[key] === context.request.actor.id) return [say(site, 'you')]
    const field = fieldInfo(site.app, entity, key)
    const text = field === null ? '' : shortName(site, field.type, cellAt(site, entity, row, key).text)
    if (field === null || text === '') return []
    const isBare = !isNumeric(field.type) || field.type.kind === 'money'
    return [isBare && field.type.kind !== 'yes/no' ? text : `${field.label} ${text}`]
  })
}

/** What a record is called in a line with others, where its reference would only part what belongs together. */
function shortName({ app }: Site, type: Type, label: string): string {
  if (type.kind !== 'reference' || app.entities.get(type.entity)!.reference === null) return label
  const end = label.lastIndexOf(beforeReference)
  return end > 0 ? label.slice(0, end) : label
}

export function pictureOf(site: Site, entity: string, row: ReadRow): Pick<FaceView, 'image' | 'initials'> {
  const { picture } = recordFace(site.app, entity)
  const isThere = picture !== null && typeof row.values[picture] === 'string'
  return { image: isThere ? fileAddress(entity, row.id, picture) : null, initials: initialsIn(site, entity, row) }
}

/** The first letters of the person that it is about, be it in its title. */
function initialsIn({ app }: Site, entity: string, { labels }: ReadRow): string | null {
  const { called, fields } = app.entities.get(entity)!
  const { person } = recordFace(app, entity)
  const isPerson = (key: string) =>
    fields.some(field => field.key === key && field.type.kind === 'reference' && field.type.entity === 'person')
  const name = labels[person ?? called.find(isPerson) ?? '']
  return name === undefined ? null : initialsOf(name)
}

/** The same with their labels, where each stands in a line of its own. */
export const factsOf = (build: Building, entity: string, row: ReadRow): readonly FactView[] => {
  const { person, facts, date } = recordFace(build.site.app, entity)
  return [person, ...facts, date?.field].flatMap(key =>
    key == null || row.values[key] == null ? [] : (factAt(build, entity, row, key) ?? []),
  )
}

export function factAt(build: Building, entity: string, row: ReadRow, key: string): FactView | null {
  const field = fieldInfo(build.site.app, entity, key)
  if (field === null) return null
  return { key, label: field.label, value: withDue(build, entity, row, key, cellAt(build.site, entity, row, key)) }
}

/** Days before its day on which something is said to be due soon. */
const soon = 3

/** A day until which something is to be done says so while it is not done and the day is near, or past. */
export function withDue(
  { site, context }: Building,
  entity: string,
  row: ReadRow,
  key: string,
  value: ValueView,
): ValueView {
  const { date } = recordFace(site.app, entity)
  const [wire, state] = [row.values[key], row.values.state]
  if (date?.field !== key || !date.due || typeof wire !== 'string' || typeof state !== 'string') return value
  const is = site.app.workflows.get(entity)?.states.find(({ name }) => name === state)
  if (is === undefined || is.kind === 'end') return value
  const { format } = site.reader
  const day = dayNumber(wire.includes('T') ? dayIn(wire, site.app.product.timeZone.name) : wire)
  if (day === null) return value
  const days = day - dayNumber(context.request.today)!
  if (days > soon) return value
  return {
    ...value,
    due:
      days < 0
        ? { tone: 'bad', said: say(site, 'daysLate', { count: -days }), day: dateOf(day)! }
        : { tone: 'wait', said: format.days(days), day: dateOf(day)! },
  }
}
