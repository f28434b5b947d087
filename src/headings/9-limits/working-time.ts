/** `### Working time` under heading 9: on which days and between which hours there is work. */
import { slice, splitAt, splitCell, trimmed } from '../../document/cell.ts'
import { readProperties } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import { didYouMean } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import type { Content, Subject } from '../../document/tree.ts'
import type { Calendar, Hours } from '../../expression/calendar.ts'
import { keyOf } from '../../expression/names.ts'
import { wordingOf } from '../../expression/wording.ts'
import { noField } from '../3-entities/no-field.ts'
import { type Context, cellOrNull, documentReporter, sectionsOf } from '../context.ts'
import { bothPlaces, writeOneOf } from '../names.ts'
import { limitCodes } from './codes.ts'
import type { WorkingTime } from './model.ts'
import { workingTime } from './table.ts'

const section = 9

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** Whether a heading 3 under heading 9 is the one that says when there is work. */
export const isWorkingTime = (title: Cell): boolean => /^working time$/i.test(title.text)

interface WorkingTimeDraft {
  readonly cell: Cell
  readonly days: readonly boolean[]
  readonly hours: WorkingTime['hours']
  readonly closed: Cell | null
}

/** Days and hours, before the first expression is read. Null: the document does not say. */
export function declareWorkingTime(context: Context): WorkingTimeDraft | null {
  const { report } = reporter(limitCodes, section, context.found)
  const [first, ...others] = sectionsOf(context, section)
    .flatMap(({ subjects }) => subjects)
    .filter(({ title }) => isWorkingTime(title))
  if (first === undefined) return null
  for (const other of others) report('N1910', other.title, {}, bothPlaces(other.title, first.title))
  return readDraft(context, first)
}

function readDraft(context: Context, subject: Subject): WorkingTimeDraft {
  const { title, properties }: Pick<Subject, 'title'> & Pick<Content, 'properties'> = subject
  const keys = readProperties(properties, workingTime, title, documentReporter(context, section))
  const said = cellOrNull(keys.cell('Days'))
  const cell = cellOrNull(keys.cell('Hours'))
  const named = said === null ? null : readDays(context, said)
  const byDay = cell === null || !isByDay(cell) ? null : readHoursByDay(context, cell, named)
  const days = named ?? byDay?.map(span => span !== null) ?? weekdays.map((_, index) => index < 5)
  const span = cell === null || isByDay(cell) ? null : readSpan(context, cell)
  return {
    cell: title,
    days,
    hours: byDay ?? (span === null ? null : days.map(works => (works ? span : null))),
    closed: cellOrNull(keys.cell('Closed on')),
  }
}

/** `Monday to Friday, Sunday`, or `every day`; null after a report. */
export function readDays(context: Context, cell: Cell): readonly boolean[] | null {
  if (/^every day$/i.test(cell.text)) return weekdays.map(() => true)
  const open = weekdays.map(() => false)
  const dayOf = (piece: Cell): number => {
    const name = piece.text.charAt(0).toUpperCase() + piece.text.slice(1).toLowerCase()
    const index = weekdays.findIndex(day => day === name || day === name.replace(/s$/, ''))
    if (index < 0) {
      const { report } = reporter(limitCodes, section, context.found)
      const meant = didYouMean(piece.text, weekdays)
      report('N1907', piece, { day: piece.text, meant }, { fixes: writeOneOf(piece, weekdays) })
    }
    return index
  }
  for (const piece of splitCell(cell, ',')) {
    const ends = splitAt(piece, 'to')
    const from = dayOf(ends === null ? piece : ends.before)
    const to = ends === null ? from : dayOf(ends.after)
    if (from < 0 || to < 0) return null
    for (let day = from; ; day = (day + 1) % 7) {
      open[day] = true
      if (day === to) break
    }
  }
  return open
}

const isByDay = ({ text }: Cell): boolean => /^[a-z]/i.test(text)

/** `Monday to Thursday 08:00 to 17:00, Friday 08:00 to 14:00`. `days`: those that `Days` names; null: it says nothing. Null after a report. */
function readHoursByDay(
  context: Context,
  cell: Cell,
  days: readonly boolean[] | null,
): readonly (Hours | null)[] | null {
  const hours: (Hours | null)[] = weekdays.map(() => null)
  const wrong = (why: string) => {
    reporter(limitCodes, section, context.found).report('N1908', cell, { hours: cell.text, why })
    return null
  }
  let named: boolean[] = weekdays.map(() => false)
  for (const piece of splitCell(cell, ',')) {
    const begin = piece.text.search(/\d/)
    const own = readDays(context, begin < 0 ? piece : trimmed(slice(piece, 0, begin)))
    if (own === null) return null
    named = named.map((is, index) => is || own[index]!)
    // `Monday, Tuesday 08:00 to 12:00`: the hours stand behind the last of its days.
    if (begin < 0) continue
    const span = readSpan(context, trimmed(slice(piece, begin)))
    if (span === null) return null
    for (const [index, day] of weekdays.entries()) {
      if (!named[index]) continue
      if (hours[index] !== null) return wrong(`${day} has hours twice`)
      hours[index] = span
    }
    named = weekdays.map(() => false)
  }
  if (named.includes(true)) return wrong(`${weekdays[named.indexOf(true)]} has no hours`)
  const odd = days === null ? -1 : days.findIndex((works, index) => works !== (hours[index] !== null))
  if (odd < 0) return hours
  return wrong(
    `${weekdays[odd]} ${days![odd] ? 'is a working day by `Days`, and has no hours' : 'is no working day by `Days`'}`,
  )
}

/** `09:00 to 17:00`; the end may be 24:00. Null after a report. */
function readSpan(context: Context, cell: Cell): Hours | null {
  const wrong = (why: string) => {
    reporter(limitCodes, section, context.found).report('N1908', cell, { hours: cell.text, why })
    return null
  }
  const ends = splitAt(cell, 'to')
  if (ends === null) return wrong('it has no `to`')
  const [from, to] = [ends.before, ends.after].map(({ text }) => {
    const match = /^(\d{1,2}):(\d\d)$/.exec(text)
    const minute = Number(match?.[1]) * 60 + Number(match?.[2])
    return match !== null && Number(match[2]) < 60 && minute <= 24 * 60 ? minute : null
  })
  if (from == null || to == null) return wrong('times reach from 00:00 to 24:00')
  return from < to ? { from, to } : wrong('the earlier time comes first')
}

export const calendarOf = (zone: string, language: string, draft: WorkingTimeDraft | null): Calendar => ({
  zone,
  wording: wordingOf(language),
  ...(draft !== null && { week: { days: draft.days, hours: draft.hours, closed: draft.closed !== null } }),
  ...(draft?.closed != null && closingOf(draft.closed)),
})

/** What is written, before it is known whether that is there. */
function closingOf(cell: Cell): Pick<Calendar, 'closing'> {
  const { entity, field, of } = partsOf(cell)
  return entity === null || of === null ? {} : { closing: { entity: keyOf(entity.text), day: field.text, of: of.text } }
}

/** `Closing day.day of site`. */
function partsOf(cell: Cell): { readonly entity: Cell | null; readonly field: Cell; readonly of: Cell | null } {
  const whose = splitAt(cell, 'of')
  const dated = whose?.before ?? cell
  const dot = dated.text.lastIndexOf('.')
  const field = trimmed(slice(dated, dot + 1))
  return { entity: dot < 0 ? null : trimmed(slice(dated, 0, dot)), field, of: whose?.after ?? null }
}

/** `Closing day.day`: a date that records have. Entities must have their fields. */
export function readWorkingTime(context: Context, draft: WorkingTimeDraft | null): WorkingTime | null {
  if (draft === null) return null
  const { cell, days, hours } = draft
  return { cell, days, hours, closed: draft.closed === null ? null : readClosed(context, draft.closed) }
}

function readClosed(context: Context, cell: Cell): WorkingTime['closed'] {
  const { report } = reporter(limitCodes, section, context.found)
  const { entity: named, field: name, of } = partsOf(cell)
  if (named === null) {
    report('N1909', cell, { field: cell.text, why: 'it names no field' })
    return null
  }
  const entity = context.entities.find(named)
  const shape = entity === null ? undefined : context.schema.get(entity.key)
  if (shape === undefined) return null
  if (shape.tenant !== undefined && shape.tenant.field !== of?.text) {
    report('N1940', cell, { entity: shape.name })
    return null
  }
  const whose = of === null ? null : shape.fields.get(of.text)
  if (whose === undefined) return noField(context, section, shape, of!)
  if (whose !== null && (whose.type.kind !== 'reference' || whose.computed !== undefined)) {
    report('N1909', of!, { field: of!.text, why: 'it says whose the day is, and is no reference that is stored' })
    return null
  }
  const field = shape.fields.get(name.text)
  if (field === undefined) return noField(context, section, shape, name)
  if (field.type.kind === 'error') return null
  if (field.type.kind === 'date' && field.computed === undefined)
    return { cell, entity: shape.key, field: field.key, of: whose?.key ?? null }
  const why = field.computed === undefined ? `\`${field.key}\` is no date` : `\`${field.key}\` is computed`
  report('N1909', cell, { field: cell.text, why })
  return null
}
