/** What follows from a mistake that is reported anyway: by the ties of codes, and by the rows and fields that a finding stands in. */
import type { Diagnostic, Params } from '../../document/diagnostic.ts'
import type { Span } from '../../document/source.ts'
import type { Context } from '../context.ts'
import { declaredIn, holdersOf, isInside, lineOf, textAt, titleAbove } from './about.ts'
import { tiesIn } from './ties.ts'
import { withoutFollowing } from './walk.ts'

/** The findings without those that would not be there if another one were cured. */
export function withoutConsequences(context: Context): readonly Diagnostic[] {
  const errors = context.found.filter(({ severity }) => severity === 'error')
  const consequences = new Set(suspectReads(context, errors))
  return withoutFollowing(context.found, tiesIn(errors)).filter(
    found =>
      !consequences.has(found) &&
      !followsFrom(context, found, errors) &&
      !isUncreated(context, found, errors) &&
      !isUnstarted(found, errors),
  )
}

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
  if (code === 'N1304' && isOfList(context, span, params)) return errors.some(other => other.code !== code)
  const unknown = errors.filter(other => other.code === 'N1301' || other.code === 'N1305')
  if (unknown.length === 0) return false
  // Without the entity under heading 4 there are no states and no steps.
  const lives = context.document.sections.filter(({ number }) => number === 4).flatMap(({ subjects }) => subjects)
  const isStateless = unknown.some(other => lives.some(({ title }) => isInside(other.span, title)))
  return isStateless && (textAt(span) === 'state' || (declaredIn(code) === 4 && !hasWorkflow(context, params)))
}

/** Whether heading 4 says something of the entity that a finding names; of any, where it names none. */
function hasWorkflow({ entities, workflows }: Context, { entity }: Params): boolean {
  return entity === undefined ? workflows.size > 0 : workflows.has(entities.all.get(String(entity))?.key ?? '')
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

/** A call or a mail has no record whose values it could send, because the line that starts it could not be read. */
function isUnstarted({ code, section, span }: Diagnostic, errors: readonly Diagnostic[]): boolean {
  if (section !== 7 || (code !== 'N0220' && code !== 'N1722')) return false
  const [call] = titleAbove(span, 3).split(' ')
  const [, mail] = cellsOf(span)
  const starts = (act: string) => act === `call ${call}` || `${act} `.startsWith(`send mail ${mail} `)
  return errors.some(other => other.section === 4 && cellsOf(other.span).some(cell => cell.split(/; */).some(starts)))
}

/** Of the row of a table that a place stands in; the first of them stands before its first bar. */
const cellsOf = (span: Span): readonly string[] =>
  textAt(lineOf(span))
    .split(/(?<!\\)\|/)
    .map(text => text.trim())

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
