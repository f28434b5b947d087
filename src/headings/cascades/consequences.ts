/** What follows from a mistake that is reported anyway. Gaps are facts, and stay. */
import type { Diagnostic, Params } from '../../document/diagnostic.ts'
import type { Span } from '../../document/source.ts'
import { keyOf, nameMeant } from '../../expression/names.ts'
import { type Context, noneYet } from '../context.ts'
import { headingOfTable } from '../recovery/forms.ts'
import {
  declaredUnder,
  holdersOf,
  isInside,
  isMisplaced,
  lineOf,
  misnamed,
  recordsOf,
  textAt,
  titleAbove,
} from './about.ts'
import { facts } from './facts.ts'
import { withoutFollowing } from './walk.ts'

/** What needs several headings: no news while one of them cannot be read whole, or lacks a name. */
const looksAt: Readonly<Record<string, readonly number[]>> = {
  N0202: [3, 4, 5, 6, 7, 9],
  N0231: [9],
  N1004: [2],
  N1228: [2, 3],
  N1231: [3, 6],
  N1246: [2, 6],
  N1431: [3, 4],
  N1261: [2],
  N1434: [4],
  N1464: [4],
  N1620: [2, 3, 6],
  N1621: [3, 6],
  N1622: [3, 4, 6],
  N1719: [7],
}

/** A table, row, heading or name that could not be read: what it declares is missing everywhere else. */
const unreadable = new Set('N0304 N0310 N0311 N0312 N0313 N0314 N0317 N0318 N0322 N0326 N0330'.split(' '))
/** A file or a whole heading that could not be read. */
const unread = new Set(['N0002', 'N0007', 'N0013', 'N0016', 'N0301', 'N0303'])

/** The findings without those that would not be there if another one were cured. */
export function withoutConsequences(context: Context): readonly Diagnostic[] {
  const errors = context.found.filter(({ severity }) => severity === 'error')
  const isBlind = errors.some(({ code }) => unread.has(code))
  const broken = brokenSections(errors)
  const torn = new Set(errors.filter(isTorn).map(placeOfLine))
  const missing = new Set(
    errors.flatMap(({ code, span }) => (misnamed.has(code) ? [keyOf(textAt(span)), nameMeant(textAt(span))] : [])),
  )
  const consequences = new Set(suspectReads(context, errors))
  return withoutFollowing(context.found).filter(found => {
    if (consequences.has(found) || isBelow(found, errors) || followsFrom(context, found, errors)) return false
    if (isUncreated(context, found, errors) || isByField(found, errors)) return false
    if (isAcross(found, errors, broken) || isUnsampled(found, errors, broken)) return false
    if (isBesideMisplaced(found, errors) || isInTornRow(found, torn)) return false
    const section = sectionOf(found)
    if (section === undefined || found.severity !== 'error') return true
    return !isBlind && !broken.has(section) && !missing.has(keyOf(textAt(found.span)))
  })
}

/** A row with more cells than its header, of which nobody knows which is too many. */
const isTorn = ({ code, fixes }: Diagnostic): boolean => code === 'N0311' && fixes.every(({ kind }) => kind !== 'write')

/** Where a line stands, in which file. */
const placeOfLine = ({ span }: Diagnostic): string => `${span.file.path} ${lineOf(span).start}`

/** What is said of cells of a row that stand in the wrong columns. */
const isInTornRow = (found: Diagnostic, torn: ReadonlySet<string>): boolean =>
  torn.size > 0 && found.code !== 'N0311' && torn.has(placeOfLine(found))

/** Headings that cannot be read whole: a table is not understood, or several lines together are read by nothing. */
function brokenSections(errors: readonly Diagnostic[]): ReadonlySet<number> {
  const places = errors.filter(isMisplaced).map(({ span, section }) => ({ section, place: titleAbove(span, 3) }))
  const several = places.filter(({ place }, index) => places.findIndex(other => other.place === place) < index)
  const tables = errors.filter(({ code }) => unreadable.has(code))
  const strayed = errors.flatMap(({ code, span }) => (code === 'N0324' ? (headingOf(span) ?? []) : []))
  return new Set([...[...tables, ...several].map(({ section }) => section), ...strayed])
}

/** The heading that a table belongs to which is not understood where it stands. */
function headingOf(span: Span): number | null {
  const header = textAt(lineOf(span)).replace(/^\s*\||\|\s*$/g, '')
  return headingOfTable(header.split('|').map(text => text.trim()))
}

/** What looks at several headings, of which one is not whole: a line of it is read by nothing, or a name of it is unknown. */
function isAcross(found: Diagnostic, errors: readonly Diagnostic[], broken: ReadonlySet<number>): boolean {
  const sections = isOfLink(found) ? [6] : (looksAt[found.code] ?? [])
  if (sections.length === 0) return false
  return errors.some(other => {
    if (other.code === found.code) return false
    const lacks = isMisplaced(other) || broken.has(other.section) ? other.section : (declaredUnder[other.code] ?? 0)
    return sections.includes(lacks)
  })
}

/** A name in a second list of a screen's keys that has a line which nothing reads: the list is of a screen whose heading is missing. */
function isBesideMisplaced({ code, section, span }: Diagnostic, errors: readonly Diagnostic[]): boolean {
  if (section !== 2 || declaredUnder[code] === undefined) return false
  const list = secondList(span)
  return (
    list !== null &&
    errors.some(other => isMisplaced(other) && other.span.file === span.file && secondList(other.span) === list)
  )
}

/** Where the list begins that a place stands in, if another list stands directly above it. */
function secondList({ file, start }: Span): number | null {
  const begin = file.text.lastIndexOf('\n\n', start)
  const above = file.text.slice(0, Math.max(0, begin)).trimEnd()
  return above.slice(above.lastIndexOf('\n') + 1).startsWith('- **') ? begin : null
}

/** The heading whose names a finding lacks. States, and the field that holds them, come from heading 4. */
function sectionOf({ code, causes, span }: Diagnostic): number | undefined {
  const isState = causes?.includes(facts.whole(4)) || (noFields.has(code) && textAt(span) === 'state')
  return isState ? 4 : declaredUnder[code]
}

/** The address of a link, which a role has. */
const isOfLink = ({ code, span }: Diagnostic): boolean => code === 'N0201' && textAt(span) === 'link'

/** A record or a person that an unreadable table, or a row that lacks names itself, would have introduced. */
function isUnsampled(found: Diagnostic, errors: readonly Diagnostic[], broken: ReadonlySet<number>): boolean {
  if (found.code !== 'N1010' && found.code !== 'N1008') return false
  if (broken.size > 0 || errors.some(({ code, section }) => code === 'N0305' && section === 3)) return true
  return (
    recordsOf(found) === 'Person' &&
    errors.some(
      ({ code, section, fixes }) => (code === 'N1008' && fixes.length === 0) || (code !== 'N1010' && section === 6),
    )
  )
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
  { code, span, params, related }: Diagnostic,
  errors: readonly Diagnostic[],
): boolean {
  // What the table says is wrong already: that the bold key says something else is no news.
  if (code === 'N1207')
    return errors.some(other => other.code !== code && related.some(place => isInside(other.span, place.span)))
  // A screen whose row is read in other columns.
  if (code === 'N1218')
    return errors.some(
      other => other.code !== code && other.section === 2 && textAt(lineOf(other.span)).includes(`| ${textAt(span)} |`),
    )
  // A field whose own row is wrong.
  if (code === 'N1204') return errors.some(other => other.code !== code && isInRowOf(context, textAt(span), other.span))
  // Without a role nobody has it.
  if (code === 'N1010' && params.entity === 'Person') return errors.some(other => other.code === 'N1601')
  if (code === 'N1304' && isOfList(context, span, params)) return errors.some(other => other.code !== code)
  const unknown = errors.filter(other => other.code === 'N1301' || other.code === 'N1305')
  if (unknown.length === 0) return false
  if (afterEntity.has(code)) return true
  // Without the entity under heading 4 there are no states and no steps.
  const lives = context.document.sections.filter(({ number }) => number === 4).flatMap(({ subjects }) => subjects)
  const isStateless = unknown.some(other => lives.some(({ title }) => isInside(other.span, title)))
  const isAboutNone = declaredUnder[code] === 4 && params.known === noneYet
  return isStateless && (isAboutNone || textAt(span) === 'state')
}

/** Whether a place stands in the row of a field of that name. */
const isInRowOf = ({ typed }: Context, name: string, span: Span): boolean =>
  [...typed.values()].some(({ draft }) =>
    draft.rows.some(row => row.cell('Field')?.text.split(/\s/)[0] === name && isInside(span, row)),
  )

/** A value of rows, said of the record that has no list of them. */
function isOfList({ typed }: Context, span: Span, { entity: name }: Params): boolean {
  const entities = [...typed.values()]
  return entities.some(({ draft, fields }) => draft.partOf?.text === name && fields.has(textAt(span)))
}

/** Nobody can fill a required field, because the act that creates its records could not be read. */
function isUncreated(context: Context, { code, span }: Diagnostic, errors: readonly Diagnostic[]): boolean {
  if (code !== unfilled) return false
  const entity = [...context.typed.values()].find(({ draft }) => draft.rows.some(row => isInside(span, row)))
  if (entity === undefined) return false
  // Rows are created with the record that they are part of, too.
  const made = [entity.draft, ...(entity.parent === null ? [] : [entity.parent])].map(({ name }) => name)
  const creates = new RegExp(`\\bcreate (?:${made.join('|')})\\b`)
  return errors.some(other => other.code !== unfilled && creates.test(textAt(lineOf(other.span))))
}

/** Who is named by a field that there is not is no role, either. */
function isByField({ code, span }: Diagnostic, errors: readonly Diagnostic[]): boolean {
  if (code !== 'N1601') return false
  const [field] = textAt(span).split('.')
  return errors.some(other => noFields.has(other.code) && textAt(other.span) === field)
}

/** There is no field of that name. */
const noFields = new Set(['N0201', 'N1205', 'N1304'])

/** Says nothing against the type of its field. */
const unfilled = 'N1312'

/** Findings in expressions that read a field whose own row is wrong, or a constant whose own row is, and in values of such a field. */
function suspectReads(context: Context, errors: readonly Diagnostic[]): readonly Diagnostic[] {
  const rows = [
    ...[...context.typed.values()].flatMap(({ draft }) =>
      draft.rows.map(row => ({ row, name: row.cell('Field')?.text.split(/\s/)[0] ?? '' })),
    ),
    ...[...context.limits.values()].map(({ cell, key }) => ({ row: lineOf(cell), name: key })),
  ].filter(({ name }) => /^\w+$/.test(name))
  const holdsError = holdersOf(errors.flatMap(({ code, span }) => (code === unfilled ? [] : [span])))
  const suspects = rows.filter(({ row }) => holdsError(row))
  if (suspects.length === 0) return []
  // One value may be wrong by itself; several are those of the type that was there before.
  const byName = Map.groupBy(suspects, ({ name }) => name)
  const unfit = Map.groupBy(
    context.found.filter(({ code }) => code === 'N1009'),
    ({ params }) => String(params.field),
  )
  const values = [...byName.keys()].map(name => unfit.get(name) ?? []).filter(({ length }) => length > 1)
  const read = context.failures.flatMap(({ cell, found }) => {
    const named = (cell.text.match(/\w+/g) ?? []).flatMap(word => byName.get(word) ?? [])
    return named.some(({ row }) => !isInside(cell, row)) ? found : []
  })
  return [...values.flat(), ...read]
}
