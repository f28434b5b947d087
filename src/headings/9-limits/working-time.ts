/** `### Working time` under heading 9: on which days and between which hours there is work. */
import { slice, splitAt, splitCell, trimmed } from '../../document/cell.ts'
import { readProperties } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import { didYouMean } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import type { Content, Subject } from '../../document/tree.ts'
import type { Calendar } from '../../expression/calendar.ts'
import { noField } from '../3-entities/no-field.ts'
import { type Context, cellOrNull, documentReporter, readTables, sectionsOf } from '../context.ts'
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
  readTables(context, subject, section, [])
  const keys = readProperties(properties, workingTime, title, documentReporter(context, section))
  const days = cellOrNull(keys.cell('Days'))
  const hours = cellOrNull(keys.cell('Hours'))
  return {
    cell: title,
    days: (days === null ? null : readDays(context, days)) ?? weekdays.map((_, index) => index < 5),
    hours: hours === null ? null : readHours(context, hours),
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

/** `09:00 to 17:00`; the end may be 24:00. Null after a report. */
function readHours(context: Context, cell: Cell): WorkingTime['hours'] {
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

export const calendarOf = (zone: string, draft: WorkingTimeDraft | null): Calendar =>
  draft === null ? { zone } : { zone, week: { days: draft.days, hours: draft.hours, closed: draft.closed !== null } }

/** `Closing day.day`: a date that records have. Entities must have their fields. */
export function readWorkingTime(context: Context, draft: WorkingTimeDraft | null): WorkingTime | null {
  if (draft === null) return null
  const { cell, days, hours } = draft
  return { cell, days, hours, closed: draft.closed === null ? null : readClosed(context, draft.closed) }
}

function readClosed(context: Context, cell: Cell): WorkingTime['closed'] {
  const { report } = reporter(limitCodes, section, context.found)
  const dot = cell.text.lastIndexOf('.')
  if (dot < 0) {
    report('N1909', cell, { field: cell.text, why: 'it names no field' })
    return null
  }
  const entity = context.entities.find(trimmed(slice(cell, 0, dot)))
  const shape = entity === null ? undefined : context.schema.get(entity.key)
  if (shape === undefined) return null
  if (shape.tenant !== undefined) {
    report('N1940', cell, { entity: shape.name })
    return null
  }
  const name = trimmed(slice(cell, dot + 1))
  const field = shape.fields.get(name.text)
  if (field === undefined) return noField(context, section, shape, name)
  if (field.type.kind === 'error') return null
  if (field.type.kind === 'date' && field.computed === undefined) return { cell, entity: shape.key, field: field.key }
  const why = field.computed === undefined ? `\`${field.key}\` is no date` : `\`${field.key}\` is computed`
  report('N1909', cell, { field: cell.text, why })
  return null
}
