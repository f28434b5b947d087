/** What a column becomes: a field with what speaks for it, and the values of its cells. */
import type { FileCell } from '../../document/file-cells.ts'
import { keyOf, nameMeant } from '../../expression/names.ts'
import { codePoints } from '../../kinds/fields/texts.ts'
import { type DraftEntity, type Drafting, type DraftWorkflow, labelUnlessDerived } from '../draft.ts'
import { administrator } from '../opened.ts'
import { choiceOf, mostLongText, mostText } from '../types.ts'
import { type Writing, writingOf } from './locale.ts'
import { fittingOf, misfitsOf, nearestOf, type Reading, readingsOf } from './readings.ts'
import { type Reference, referenceHeading, referencesOf } from './references.ts'
import { type Column, isUncounted, isWrong, placeOf, type Sheet, writtenIn } from './sheet.ts'
import { doubled, folded, isDistinct, namesKey, type SheetTable } from './table.ts'

export interface FilledTable {
  readonly table: SheetTable
  readonly columns: readonly FilledColumn[]
}

interface FilledColumn {
  readonly key: string
  readonly column: Column
  /** In the canonical form, row by row: null where there is nothing. */
  readonly values: (string | null)[]
}

/** What a column could be. */
interface Proposal {
  readonly type: string
  readonly rules: readonly string[]
  /** The heading that the field is named by. */
  readonly heading: string
  readonly values: readonly (string | null)[]
}

/** Adds the fields of all entities to the draft. */
export function fillTables(drafting: Drafting, tables: readonly SheetTable[]): readonly FilledTable[] {
  const writing = writingOf(tables.flatMap(({ columns }) => columns))
  if (writing.openDay !== null)
    drafting.note(null, writing.openDay, 'could be two days: days are read with the day first, then the month')
  const references = referencesOf(tables)
  return tables.map(table => ({
    table,
    columns: table.columns.map(column => fill(drafting, table, column, { references, writing })),
  }))
}

interface Known {
  readonly references: readonly Reference[]
  readonly writing: Writing
}

function fill(drafting: Drafting, table: SheetTable, column: Column, known: Known): FilledColumn {
  const { entity } = table
  const isFree = entity.workflow === null && entity.fields.every(({ key }) => key !== 'state')
  const states = isFree ? statesOf(column) : null
  if (states !== null) {
    const names = states.type.split(', ')
    entity.workflow = anyToAny(names)
    noteMisfits(drafting, table, column, states)
    const begin = states.values.includes(null) ? `; a row without one begins as ${names[0]}` : ''
    entity.evidence.lines.push(`\`state\`: ${names.length} states, in ${said(column, states)}${begin}`)
    return { key: 'state', column, values: [...states.values] }
  }
  const readings = valuesOf(column, known.writing)
  const proposal =
    referring(column, known.references) ??
    identifying(column, known.references) ??
    reading(column, readings) ??
    choosing(column) ??
    writing(column)
  const key = drafting.fieldKey(entity, wantedKey(entity, proposal.heading))
  const isFull =
    column.cells.length > 1 && column.cells.every((cell, row) => cell !== null && proposal.values[row] !== null)
  const isRequired = isFull && !isCircular(column, known.references)
  entity.fields.push({
    key,
    type: proposal.type,
    rules: [...(isRequired ? ['required'] : []), ...proposal.rules],
    label: labelUnlessDerived(proposal.heading, key),
    meaning: '',
  })
  noteMisfits(drafting, table, column, proposal)
  if (/^(?:long )?text/.test(proposal.type) && proposal.rules.length === 0)
    noteNearMiss(drafting, table, column, readings, key)
  if (namesKey(column.heading))
    for (const row of doubled(column)) {
      const why = `"${column.texts[row]}" stands in a row above, too: otherwise \`${key}\` would tell records apart`
      drafting.note(entity, placeOf(table.sheet, row, column.at), why)
    }
  const speaking = isRequired ? '; required, since no row is without' : ''
  entity.evidence.lines.push(`\`${key}\`: ${proposal.type.replace(/:.*/, '')}, in ${said(column, proposal)}${speaking}`)
  return { key, column, values: [...proposal.values] }
}

/** How many of the cells in which something stands are as proposed. */
const said = ({ cells }: Column, { values }: Proposal): string => {
  const filled = cells.flatMap((cell, row) => (cell === null ? [] : [values[row]]))
  return `${filled.filter(value => value !== null).length} of ${filled.length} cells`
}

/** What identifies a record to people must not be called as what identifies it here. */
function wantedKey(entity: DraftEntity, heading: string): string {
  const key = nameMeant(heading)
  if (key === 'id') return `${keyOf(entity.name)}_id`
  return key === '' ? 'column' : key.replace(/^_/, 'column_')
}

function noteMisfits(drafting: Drafting, { sheet, entity }: SheetTable, column: Column, { type, values }: Proposal) {
  noteUncounted(drafting, sheet, entity, column)
  for (const [row, cell] of column.cells.entries()) {
    if (cell === null || values[row] !== null || isUncounted(cell)) continue
    const why = isWrong(cell)
      ? `${writtenIn(cell)} is an error of the spreadsheet`
      : `"${writtenIn(cell)}" is no ${type.replace(/:.*/, '')}`
    drafting.note(entity, placeOf(sheet, row, column.at), `${why}: left out`)
  }
}

/** Once for all of a column, of which they are mostly the whole. */
function noteUncounted(drafting: Drafting, sheet: Sheet, entity: DraftEntity, { at, cells }: Column): void {
  const rows = cells.flatMap((cell, row) => (cell !== null && isUncounted(cell) ? [row] : []))
  if (rows.length === 0) return
  const [first] = rows
  drafting.note(
    entity,
    placeOf(sheet, first!, at),
    `\`${writtenIn(cells[first!]!)}\` is a formula whose result is not in the file, ${rows.length === 1 ? 'and is' : `and so are ${rows.length - 1} more of this column: all are`} left out. A spreadsheet program that opens the file and saves it adds the results`,
  )
}

function referring(column: Column, references: readonly Reference[]): Proposal | null {
  const reference = references.find(one => one.column === column)
  if (reference === undefined) return null
  const values = column.texts.map(text => (text === null ? null : (reference.named.get(folded(text)) ?? null)))
  return { type: reference.to.entity.name, rules: [], heading: referenceHeading(reference), values }
}

/** Whether a record would have to be there before itself. */
function isCircular(column: Column, references: readonly Reference[]): boolean {
  const reference = references.find(one => one.column === column)
  if (reference === undefined) return false
  const seen = new Set([reference.to])
  for (const table of seen) for (const { from, to } of references) if (from === table) seen.add(to)
  return seen.has(reference.from)
}

/** What tells records apart is a text, also of digits: nobody counts with it. */
function identifying(column: Column, references: readonly Reference[]): Proposal | null {
  const isReferred = references.some(({ key }) => key === column)
  if (!isDistinct(column) || !(isReferred || namesKey(column.heading))) return null
  const { type, values } = writing(column)
  if (!type.startsWith('text')) return null
  return { type, rules: ['unique'], heading: column.heading, values }
}

/** The cells of a column that hold values, and as what they could be read. */
function valuesOf({ heading, cells }: Column, { locale }: Writing): Readable {
  const filled = cells.filter(cell => cell !== null && !isWrong(cell)) as readonly FileCell[]
  return { filled, readings: readingsOf(heading, filled, locale, filled.length < cells.length) }
}

interface Readable {
  readonly filled: readonly FileCell[]
  readonly readings: readonly Reading[]
}

function reading({ heading, cells }: Column, { filled, readings }: Readable): Proposal | null {
  const found = fittingOf(readings, filled)
  if (found === null) return null
  const { type, read, whenEmpty = null } = found
  const values = cells.map(cell => (cell === null ? whenEmpty : isWrong(cell) ? null : read(cell)))
  return { type, rules: whenEmpty === null ? [] : [`default ${whenEmpty}`], heading, values }
}

/** A text that would be something better if a few of its cells were corrected: which these are. */
function noteNearMiss(
  drafting: Drafting,
  { sheet, entity }: SheetTable,
  { at, cells }: Column,
  { filled, readings }: Readable,
  key: string,
): void {
  const nearest = nearestOf(readings, filled)
  if (nearest === null) return
  const wrong = new Set(misfitsOf(filled, nearest))
  const rows = cells.flatMap((cell, row) => (cell !== null && wrong.has(cell) ? [row] : []))
  const most = `${filled.length - rows.length} of ${filled.length} cells`
  const why = `is no ${nearest.type}, as ${most} are: \`${key}\` stays a text, which keeps them all`
  for (const row of rows.slice(0, mostNamed)) drafting.note(entity, placeOf(sheet, row, at), why)
}

/** Of many cells with the same mistake, so many show what it is. */
const mostNamed = 5

/** Words that come again: on average each twice. */
function choosing({ heading, texts }: Column): Proposal | null {
  const filled = texts.filter(text => text !== null)
  const spelled = spellings(filled)
  if (spelled.size < 2 || spelled.size > mostChoices || spelled.size * 2 > filled.length) return null
  if (filled.some(text => text.length > longestChoice)) return null
  const choices = choiceOf([...spelled.values()])
  if (choices === null) return null
  const values = texts.map(text => (text === null ? null : choices.choices.get(spelled.get(folded(text))!)!))
  return { type: choices.type, rules: [], heading, values }
}

const [mostChoices, longestChoice] = [20, 40]

/** Texts that differ in capitals only are one, as it is written most. */
function spellings(texts: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [key, same] of Map.groupBy(texts, folded)) {
    const [most] = [...Map.groupBy(same, text => text)].sort(([, left], [, right]) => right.length - left.length)
    found.set(key, most![0])
  }
  return found
}

/** From each state a step leads to every other: which of them may not be, no sheet says. */
const anyToAny = (names: readonly string[]): DraftWorkflow => ({
  states: names.map(name => ({ name, kind: '', locked: false })),
  steps: names.map(name => ({
    name: `mark ${name.toLowerCase()}`,
    from: names.filter(other => other !== name),
    to: name,
    who: administrator,
  })),
})

/** A column of that name with a few words is the state of the record; abbreviations of regions are none. */
function statesOf(column: Column): Proposal | null {
  if (!/^(?:.*[\s_-])?(?:status|state|stage|phase|zustand|stand)$/i.test(column.heading.trim())) return null
  const chosen = choosing(column)
  if (chosen === null) return null
  const names = chosen.type.replace(/^choice: /, '').split(', ')
  if (names.length > mostStates || names.some(name => !/^\p{Lu}[\p{L}\p{N} ]*\p{Ll}[\p{L}\p{N} ]*$/u.test(name)))
    return null
  const first = names.find(name =>
    /^(?:new|open|draft|planned|requested|received|to ?do|backlog|neu|offen|entwurf|geplant)\b/i.test(name),
  )
  return {
    ...chosen,
    type: (first === undefined ? names : [first, ...names.filter(name => name !== first)]).join(', '),
  }
}

const mostStates = 12

function writing({ heading, texts }: Column): Proposal {
  const filled = texts.filter(text => text !== null)
  const longest = Math.max(1, ...filled.map(codePoints))
  const length = lengths.find(length => length >= longest * 1.2) ?? mostLongText
  const isShort = length <= mostText && filled.every(text => !text.includes('\n'))
  return { type: isShort ? `text ${length}` : `long text ${Math.max(length, 1000)}`, rules: [], heading, values: texts }
}

const lengths = [20, 40, 80, 120, 200, 300, 500, 1000, 5000, 20_000]
