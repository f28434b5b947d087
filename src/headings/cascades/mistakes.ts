/** What several findings say about one mistake is one message, with the other places beside it. */
import { type Diagnostic, type Fix, filled } from '../../document/diagnostic.ts'
import type { Span } from '../../document/source.ts'
import { allCodes } from '../all-codes.ts'
import { declaredIn, headingAbove, isInScenario, isMisplaced, lineOf, recordsOf, textAt, titleAbove } from './about.ts'
import type { Blank } from './blanks.ts'
import { facts } from './facts.ts'

/**
 * One message for each mistake, with all its places and fixes that write all of them: for a name that is unknown in several
 * places, whoever says so; for names that nothing is like and one missing table or row would have declared; for lines that
 * stand together where nothing reads them.
 */
export function onePerMistake(sorted: readonly Diagnostic[], blanks: readonly Blank[]): readonly Diagnostic[] {
  const unsampled = entitiesWithout(sorted)
  const mistakes: { found: Diagnostic }[] = []
  const named = new Map<string, { found: Diagnostic }>()
  for (const one of sorted) {
    const isMissing = unsampled.has(recordsOf(one) ?? '')
    const found = isMissing ? likeNone(one) : one
    const blank = blanks.find(({ causes }) => causes(one))
    const keys = isMissing ? [`records ${recordsOf(one)}`] : blank ? [`blank ${blank.cell.start}`] : mistakesOf(found)
    const before = keys.flatMap(key => named.get(key) ?? [])[0]
    const mistake = before ?? { found: blank === undefined ? found : beside(found, blank) }
    if (before === undefined) mistakes.push(mistake)
    else before.found = together(before.found, found)
    for (const key of keys) if (!named.has(key)) named.set(key, mistake)
  }
  return mistakes.map(({ found }) => found)
}

const beside = (found: Diagnostic, { cell, message }: Blank): Diagnostic => ({
  ...found,
  related: [{ span: cell, message }, ...found.related],
})

/** Entities of which so many names are unknown that their sample data is missing, and not one letter of each. */
function entitiesWithout(found: readonly Diagnostic[]): ReadonlySet<string> {
  const names = Map.groupBy(
    found.filter(({ code }) => code === 'N1010'),
    recordsOf,
  )
  const isMissing = (all: readonly Diagnostic[]) => new Set(all.map(({ span }) => textAt(span))).size > misspeltAtMost
  return new Set([...names].flatMap(([entity, all]) => (entity !== undefined && isMissing(all) ? [entity] : [])))
}

const misspeltAtMost = 2

/** The finding without its guess: where a whole table is missing, its names are no misspellings of others. */
function likeNone(found: Diagnostic): Diagnostic {
  const params = { ...found.params, meant: '' }
  return { ...found, params, message: filled(allCodes.get(found.code)!.message, params), fixes: [] }
}

/** Keys of the mistake that a finding is about: findings that share one are told together. None: it is a mistake of its own. */
function mistakesOf(found: Diagnostic): readonly string[] {
  const { code, severity, subject, params, span } = found
  if (subject !== undefined) return [subject]
  const name = textAt(span).replace(/^["'`]|["'`]$/g, '')
  const unknown = unknownRecord(found, name)
  if (unknown !== null) return unknown
  const section = severity === 'error' && !notNames.has(code) ? declaredIn(code) : undefined
  if (section !== undefined) {
    if (archived.has(name)) return ['archives']
    const isInList = found.fixes.length === 0 && inLists.has(code)
    return [facts.name(section, name), ...(isInList ? [`${code} ${lineOf(span).start}`] : [])]
  }
  if (isMisplaced(found)) return [`below ${headingAbove(span, code === 'N1004' ? 3 : 4)?.start}`]
  switch (code) {
    case 'N0220':
    case 'N1722':
      return [`record ${titleAbove(span, 3)}`]
    case 'N0240':
    case 'N0231':
      return [`${code} ${params.name}`]
    case 'N0259':
      return [`${code} ${params.why}`]
    case 'N0222':
    case 'N0213':
      return /\blimits\./.test(name) ? ['units of limits'] : []
    case 'N0251':
      return [`empty ${name}`]
    default:
      return ofStates.has(code) ? [`states ${titleAbove(span, 3)}`] : []
  }
}

/** A record, a person or a screen that is not there: the same one elsewhere, and all of its scenario or table where none is like it. */
function unknownRecord(found: Diagnostic, name: string): readonly string[] | null {
  const { code, span, fixes } = found
  const isLikeNone = fixes.length === 0
  if (code === 'N1218') return [`screen ${name}`]
  if (code === 'N1008') return [`record Person ${name}`, `screen ${name}`, ...(isLikeNone ? [scenarioOf(span)] : [])]
  if (code !== 'N1010') return null
  const records = recordsOf(found)
  const together = [...(isInScenario(span) ? [scenarioOf(span)] : []), `records ${records}`]
  return [`record ${records} ${name}`, ...(isLikeNone ? together : [])]
}

/** States that cannot be entered or left. */
const ofStates = new Set(['N1404', 'N1405'])

/** Where several names stand in one line, of fields or of steps: what is none of a whole line belongs to something else. */
const inLists = new Set(['N1205', 'N1304', 'N1403'])

const scenarioOf = (span: Span): string => `names of ${titleAbove(span, 4)}`

/** Fields and steps that an entity has where its records are archived. */
const archived = new Set(['archived_at', 'archived_by', 'restore', 'archive'])

/** These follow from an unknown name, but what stands at their place is not one. */
const notNames = new Set(['N0218', 'N1316', 'N1417'])

/** What a fix writes, in however many places. */
const writtenBy = ({ edits }: Fix): string => JSON.stringify([...new Set(edits.map(({ text }) => text))])

function together(before: Diagnostic, found: Diagnostic): Diagnostic {
  const fixes = before.fixes.map(fix => {
    const same = found.fixes.find(other => writtenBy(other) === writtenBy(fix))
    return same === undefined ? fix : { ...fix, edits: [...fix.edits, ...same.edits] }
  })
  const here = textAt(found.span)
  const isSame = here === textAt(before.span) || here.includes('\n')
  const message = isSame ? 'also here' : found.code === before.code ? `also \`${here}\`` : found.message
  return { ...before, related: [...before.related, { span: found.span, message }, ...found.related], fixes }
}
