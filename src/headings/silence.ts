/**
 * One mistake, one message: what follows from a mistake that is reported anyway is taken out again, in one place, instead of every
 * reader knowing of every other. Errors only; gaps are facts.
 */
import type { Diagnostic } from '../document/diagnostic.ts'
import type { SourceFile, Span } from '../document/source.ts'
import { keyOf } from '../expression/names.ts'
import { type Context, noneYet } from './context.ts'
import { ofOptions } from './values.ts'

/** Where names of a kind are declared: "there is no such name" is no news while that heading cannot be read whole. */
const declaredUnder: Readonly<Record<string, number>> = {
  N0201: 3,
  N0204: 3,
  N0218: 3,
  N1010: 3,
  N1205: 3,
  N1301: 3,
  N1304: 3,
  N1305: 3,
  N1316: 3,
  N0207: 4,
  N1210: 4,
  N1227: 4,
  N1401: 4,
  N1403: 4,
  N1417: 4,
  N1429: 4,
  N1502: 4,
  N1503: 5,
  N1601: 6,
  N0205: 7,
  N1701: 7,
  N1703: 7,
  N1011: 8,
  N1801: 8,
  N0203: 9,
}

/** A table, row or name that could not be read: what it declares is missing everywhere else. */
const unreadable = new Set(['N0304', 'N0310', 'N0311', 'N0312', 'N0313', 'N0314', 'N0317', 'N0318'])
/** A name that cannot be one: it is missing under the name that it would have. */
const misnamed = new Set(['N1309', 'N1421', 'N1901'])
/** A file or a whole heading that could not be read. */
const unread = new Set(['N0002', 'N0007', 'N0013', 'N0016', 'N0301', 'N0303'])

/** What is left of the findings, in the document's order. */
export function settle(context: Context): readonly Diagnostic[] {
  const { files } = context.document
  // Files of sample data come last: what they lack is missing in the document.
  const place = ({ file, start }: Span) => [files.includes(file) ? files.indexOf(file) : files.length, start] as const
  const sorted = withoutConsequences(context)
    .map((found, order) => ({ found, order, at: place(found.span) }))
    .sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1] || a.order - b.order)
    .map(({ found }) => found)
  return onePerName(onePerPlace(sorted))
}

function withoutConsequences(context: Context): readonly Diagnostic[] {
  const errors = context.found.filter(({ severity }) => severity === 'error')
  const isBlind = errors.some(({ code }) => unread.has(code))
  const broken = new Set(errors.filter(({ code }) => unreadable.has(code)).map(({ section }) => section))
  const missing = new Set(errors.flatMap(({ code, span }) => (misnamed.has(code) ? [keyOf(textAt(span))] : [])))
  const consequences = new Set(suspectReads(context, errors))
  return context.found.filter(found => {
    if (consequences.has(found) || isBelow(found, errors) || followsFrom(context, found, errors)) return false
    if (isUncreated(context, found, errors) || isByField(found, errors) || isUnseen(context, found)) return false
    const section = declaredUnder[found.code]
    if (section === undefined || found.severity !== 'error') return true
    return !isBlind && !broken.has(section) && !missing.has(keyOf(textAt(found.span)))
  })
}

/** A table that nothing reads because of the heading 4 above it. */
function isBelow({ code, span }: Diagnostic, errors: readonly Diagnostic[]): boolean {
  if (code !== 'N0310') return false
  const { file, start } = span
  return errors.some(
    ({ code, span: title }) =>
      code === 'N1004' &&
      title.file === file &&
      title.end <= start &&
      !file.text.slice(title.end, start).includes('\n#'),
  )
}

/** What an entity that there is not leaves behind: no record, no list, no steps, nothing that a scenario could do. */
const afterEntity = new Set(['N0220', 'N1007', 'N1008', 'N1010', 'N1316', 'N1722'])

function followsFrom(
  context: Context,
  { code, span, message, related, help }: Diagnostic,
  errors: readonly Diagnostic[],
): boolean {
  // What the table says is wrong already: that the bold key says something else is no news.
  if (code === 'N1207')
    return errors.some(other => other.code !== code && related.some(place => isInside(other.span, place.span)))
  // Without a role nobody has it.
  if (code === 'N1010' && message.includes(' names no Person ')) return errors.some(other => other.code === 'N1601')
  const unknown = errors.filter(other => other.code === 'N1301' || other.code === 'N1305')
  if (unknown.length === 0) return false
  if (afterEntity.has(code)) return true
  // Without the entity under heading 4 there are no states and no steps.
  const lives = context.document.sections.filter(({ number }) => number === 4).flatMap(({ subjects }) => subjects)
  const isStateless = unknown.some(other => lives.some(({ title }) => isInside(other.span, title)))
  const isAboutNone = declaredUnder[code] === 4 && help?.includes(noneYet) === true
  return isStateless && (isAboutNone || textAt(span) === 'state')
}

/** Nobody can fill a required field, because the act that creates its records could not be read. */
function isUncreated(context: Context, { code, span }: Diagnostic, errors: readonly Diagnostic[]): boolean {
  if (code !== unfilled) return false
  const entity = [...context.typed.values()].find(({ draft }) => draft.rows.some(row => isInside(span, row)))
  if (entity === undefined) return false
  const creates = new RegExp(`\\bcreate ${entity.draft.name}\\b`)
  return errors.some(other => other.code !== unfilled && creates.test(textAt(lineOf(other.span))))
}

/** Who is named by a field that there is not is no role, either. */
function isByField({ code, span }: Diagnostic, errors: readonly Diagnostic[]): boolean {
  if (code !== 'N1601') return false
  const [field] = textAt(span).split('.')
  return errors.some(other => noFields.has(other.code) && textAt(other.span) === field)
}

/** Who sees no record of an entity takes none of its steps. */
function isUnseen({ found }: Context, { span, message }: Diagnostic): boolean {
  const role = stepRole(message)
  if (role === undefined || role === '') return false
  const entity = titleAbove(span, 3).replace(/ \(was .*/, '')
  return found.some(
    ({ code, message }) => code === 'N1212' && message.startsWith(role) && message.endsWith(` ${entity}`),
  )
}

/** There is no field of that name. */
const noFields = new Set(['N0201', 'N1205', 'N1304'])

/** Says nothing against the type of its field. */
const unfilled = 'N1312'

/** Findings in expressions that read a field whose own row is wrong, or a constant whose own row is. */
function suspectReads(context: Context, errors: readonly Diagnostic[]): readonly Diagnostic[] {
  const rows = [
    ...[...context.typed.values()].flatMap(({ draft }) =>
      draft.rows.map(row => ({ row, name: row.cell('Field')?.text.split(/\s/)[0] ?? '' })),
    ),
    ...[...context.limits.values()].map(({ cell, key }) => ({ row: lineOf(cell), name: key })),
  ].filter(({ name }) => /^\w+$/.test(name))
  const suspects = rows.filter(({ row }) => errors.some(({ code, span }) => code !== unfilled && isInside(span, row)))
  if (suspects.length === 0) return []
  return context.failures.flatMap(({ cell, found }) => {
    const reads = suspects.some(({ row, name }) => !isInside(cell, row) && new RegExp(`\\b${name}\\b`).test(cell.text))
    return reads ? found : []
  })
}

const textAt = ({ file, start, end }: Span): string => file.text.slice(start, end)

const isInside = (span: Span, row: Span): boolean =>
  span.file === row.file && span.start >= row.start && span.end <= row.end

function lineOf({ file, start }: Span): Span {
  const from = file.text.lastIndexOf('\n', start - 1) + 1
  const to = file.text.indexOf('\n', start)
  return { file, start: from, end: to < 0 ? file.text.length : to }
}

/** Two errors or warnings at one place are two views of one mistake: the first is enough. The same text of a gap is one gap. */
function onePerPlace(sorted: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Map<SourceFile, Set<string>>()
  return sorted.filter(({ span, severity, message }) => {
    const here = seen.get(span.file) ?? new Set()
    seen.set(span.file, here)
    const key = severity === 'gap' ? `${span.start} ${message}` : `${span.start} ${severity}`
    return !here.has(key) && here.add(key)
  })
}

/**
 * A name that is unknown in several places is one mistake, whoever says so: one message with all places, and fixes that write all
 * of them. Only codes of names that one heading declares; the text at the place is the name. So is a line that is missing under
 * heading 2 or 6, whatever lacks it.
 */
function onePerName(sorted: readonly Diagnostic[]): readonly Diagnostic[] {
  const first = new Map<string, Diagnostic>()
  sorted.forEach((found, index) => {
    const key = mistakeOf(found) ?? String(index)
    const before = first.get(key)
    first.set(key, before === undefined ? found : together(before, found))
  })
  return [...first.values()]
}

/** What it is that is missing; null: it is a mistake of its own. */
function mistakeOf({ code, severity, message, span }: Diagnostic): string | null {
  const section = severity === 'error' && !notNames.has(code) ? declaredUnder[code] : undefined
  const name = textAt(span).replace(/^["'`]|["'`]$/g, '')
  if (section !== undefined) return `${section} ${name}`
  // A state that is missing, or a choice.
  if (code === 'N1009' && message.includes(ofOptions)) return `4 ${name}`
  if (code === 'N1004') return `N1004 ${titleAbove(span, 3)}`
  if (code === 'N1212') return message
  const role = code === 'N1422' || code === 'N1409' ? stepRole(message) : undefined
  return role === undefined ? null : `steps ${titleAbove(span, 3)} ${role}`
}

/** Whom heading 6 lets take no step of an entity (empty: nobody may); undefined: the message is about something else. */
function stepRole(message: string): string | undefined {
  const found = /^(.+) is in the Who|: Who names (.+?), and heading 6 lets|: heading 6 lets nobody do it/.exec(message)
  return found === null ? undefined : (found[1] ?? found[2] ?? '')
}

/** The heading that a place stands under. */
function titleAbove({ file, start }: Span, depth: number): string {
  const mark = `\n${'#'.repeat(depth)} `
  const from = file.text.lastIndexOf(mark, start - 1)
  return from < 0 ? '' : file.text.slice(from + mark.length, file.text.indexOf('\n', from + 1))
}

/** These follow from an unknown name, but what stands at their place is not one. */
const notNames = new Set(['N0218', 'N1316', 'N1417'])

function together(before: Diagnostic, found: Diagnostic): Diagnostic {
  const fixes = before.fixes.map(fix => {
    const same = found.fixes.find(({ title }) => title === fix.title)
    return same === undefined ? fix : { ...fix, edits: [...fix.edits, ...same.edits] }
  })
  const related = [...before.related, { span: found.span, message: 'also here' }, ...found.related]
  return { ...before, related, fixes }
}
