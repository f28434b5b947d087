/** Values as tables of samples, examples and scenarios write them: canonical texts, and records by what names them. */
import { slice } from '../document/cell.ts'
import { type Diagnostic, reporter } from '../document/diagnostic.ts'
import { writeInstead } from '../document/fix.ts'
import { didYouMean } from '../document/nearest.ts'
import type { Cell } from '../document/source.ts'
import { isPercent } from '../expression/fit.ts'
import { fillHoles } from '../expression/holes.ts'
import type { FieldShape } from '../expression/type.ts'
import { parseDate } from '../kinds/fields/dates.ts'
import type { InvalidValue } from '../kinds/fields/field-kind.ts'
import { heldEnding, knownEndings } from '../kinds/fields/file/types.ts'
import { englishRefusals } from '../kinds/fields/refusals.ts'
import { namedIn } from '../kinds/fields/several/links.ts'
import type { FieldDraft, TypedEntity } from './3-entities/shape.ts'
import { facts } from './cascades/facts.ts'
import { commonCodes } from './codes.ts'
import { type Context, saysNothing } from './context.ts'
import { evened, writeNearest, writeOneOf } from './names.ts'

/**
 * Whether a cell is a value of a field; reports N1009 or N1010 where it is not. An empty cell is an empty value. A state is
 * written by its name; `names` are the records that a reference may name here beside the sample data (those of a scenario).
 */
export function checkValue(
  context: Context,
  shape: FieldShape,
  field: FieldDraft | null,
  cell: Cell,
  section: number,
  names: ReadonlySet<string> = new Set(),
): void {
  const { report } = reporter(commonCodes, section, context.found)
  if (cell.text === '' || (saysNothing(cell) && shape.type.kind !== 'yes/no')) return
  if (shape.type.kind === 'reference') {
    if (!names.has(cell.text)) checkReference(context, shape.type.entity, cell, section)
    return
  }
  if (shape.type.kind === 'list') {
    for (const one of eachNamed(cell))
      if (!names.has(one.text)) checkReference(context, shape.type.entity, one, section)
    return
  }
  if (shape.type.kind === 'choice') checkChoice(context, shape.key, shape.type.options, cell, section)
  else if (shape.type.kind === 'file') {
    if (heldEnding(cell.text) !== null) return
    const why = `it is not the name of a file that can be made for trying (${knownEndings.join(', ')})`
    report('N1009', cell, { value: cell.text, field: shape.key, why, type: field?.typeCell.text ?? 'file' })
  } else if (field !== null && shape.type.kind !== 'error') checkText(context, shape, field, cell, section)
}

function checkChoice(context: Context, field: string, options: readonly string[], cell: Cell, section: number): void {
  if (options.includes(cell.text)) return
  const why = `it is none of ${options.join(', ')}${didYouMean(cell.text, options)}`
  // The states of an entity are the options of its state: there are none where heading 4 lacks its table.
  const rests = { subject: facts.name(4, cell.text), causes: options.length === 0 ? [facts.whole(4)] : [] }
  reporter(commonCodes, section, context.found).report(
    'N1009',
    cell,
    { value: cell.text, field, why, type: 'choice' },
    { fixes: writeOneOf(cell, options), ...rests },
  )
}

/** What a field of its kind would read, as everywhere the same. */
function checkText(context: Context, { key, type }: FieldShape, field: FieldDraft, cell: Cell, section: number): void {
  const { text } = cell
  const tell = (why: string, instead: readonly string[]) =>
    reporter(commonCodes, section, context.found).report(
      'N1009',
      cell,
      { value: text, field: key, why, type: field.typeCell.text },
      { fixes: instead.map(one => writeInstead(cell, one)) },
    )
  if (isPercent(type) && /^-?[\d.,]*[1-9][\d.,]*$/.test(text)) {
    const why = `it has no sign, and could be the fraction; write \`${text} %\` where it is the percentage`
    tell(why, [`${text} %`])
    return
  }
  const parse = (one: string) => field.kind.parse(one, field.parameters, 'en', context.calendar.zone)
  const parsed = parse(text)
  if ('invalid' in parsed) {
    const meant = meantBy(text, parsed.invalid).filter(one => !('invalid' in parse(one)))
    tell(whyInvalid(parsed.invalid, key), meant)
    return
  }
  const day = dayInFigures.exec(text)?.[0]
  if (!ofDays.has(type.kind) || day === undefined) return
  const date = parseDate(day, 'en')
  const iso = 'value' in date ? [text.replace(day, String(date.value))] : []
  tell('a document writes a date like 2026-03-28, which reads the same everywhere', iso)
}

const ofDays = new Set(['date', 'moment'])

/** A day in figures, at the beginning of a date or of a moment. */
const dayInFigures = /^\d{1,2}\D\d{1,2}\D\d+/

/** What somebody may have meant: each of two readings, or `14.5` by `14,5`, which is a number in other places of the world. */
function meantBy(text: string, { code, detail }: InvalidValue): readonly string[] {
  if (code === 'NF-AMBIGUOUS')
    return [detail.first, detail.second].map(one =>
      dayInFigures.test(text) ? text.replace(dayInFigures, String(one)) : String(one),
    )
  return /^-?\d+,\d+$/.test(text) ? [text.replace(',', '.')] : []
}

/** A invalid in the words that people would read in a form, without the full stop. */
function whyInvalid({ code, detail }: InvalidValue, label: string): string {
  const message =
    (englishRefusals as Readonly<Record<string, { readonly message: string }>>)[code]?.message ?? 'it does not fit'
  return fillHoles(message, { ...detail, label: `\`${label}\`` }, 'en').replace(/\.$/, '')
}

/** The names in a cell of a field that names several records. */
export const eachNamed = (cell: Cell): readonly Cell[] =>
  namedIn(cell.text).map(({ name, start, end }) => ({ ...slice(cell, start, end), text: name }))

/**
 * A record named by its title or a unique value in the sample data. Where none stand there, a title alone makes one. `names`: of all that
 * can be named; absent: whatever stands there, since it is looked for in what is there by then.
 */
export function checkReference(
  context: Context,
  entity: string,
  cell: Cell,
  section: number,
  names: ReadonlySet<string> | null = null,
): void {
  const target = context.typed.get(entity)
  if (target === undefined) return
  const standing = sampleNames(target)
  if ((names ?? standing).has(evened(cell.text)) || (names === null && mayBeNamedBySample(target))) return
  if (standing.size === 0 && madeByName(target)) return
  // The name that is meant may be the one that was written wrong there, or in a column that is none, and has its message.
  if (context.found.some(found => isSample(context, target, found))) return
  const known = [...standing].filter(name => names === null || names.has(name))
  const parameters = { value: cell.text, entity: target.draft.name, meant: didYouMean(cell.text, known) }
  reporter(commonCodes, section, context.found).report('N1010', cell, parameters, { fixes: writeNearest(cell, known) })
}

function isSample({ document }: Context, { draft }: TypedEntity, { code, span, params }: Diagnostic): boolean {
  if (code !== 'N1009' && code !== 'N1304') return false
  // In a file of sample data the message alone says of what.
  if (!document.files.includes(span.file)) return code === 'N1304' && params.entity === draft.name
  const tables = draft.samples.flatMap(block => block.tables)
  const cells = tables.flatMap(({ header, rows }) => [...header, ...rows.flatMap(row => row.cells)])
  return cells.some(({ file, start }) => file === span.file && start === span.start)
}

/** Whether a record can be made of what names it alone: no other field of it must be filled by people. */
function madeByName({ draft, fields }: TypedEntity): boolean {
  if (draft.builtIn) return true
  const must = [...fields.values()].filter(
    ({ rules, kind }) => rules.has('required') && !rules.has('default') && kind.entered,
  )
  return must.length <= 1 && draft.partOf === null
}

export const namedBySample = (entity: TypedEntity, { text }: Cell): boolean => sampleNames(entity).has(evened(text))

/** Whether records of the sample data are called by what is computed, which is known once they are there. */
export const mayBeNamedBySample = ({ draft, fields }: TypedEntity): boolean =>
  draft.samples.length > 0 &&
  [...fields.values()].some(({ rules }) => rules.has('display') && (rules.has('=') || rules.has('follows')))

const named = new WeakMap<TypedEntity, ReadonlySet<string>>()

/** All texts in the sample data that may name a record: every value of a text column. */
export function sampleNames(entity: TypedEntity): ReadonlySet<string> {
  const known = named.get(entity) ?? namesOfSamples(entity)
  named.set(entity, known)
  return known
}

function namesOfSamples({ draft, fields }: TypedEntity): ReadonlySet<string> {
  const found = new Set<string>()
  for (const table of draft.samples.flatMap(block => block.tables)) {
    const columns = table.header.map(cell => ['text', 'error'].includes(fields.get(cell.text)?.type.kind ?? ''))
    for (const row of table.rows)
      row.cells.forEach((cell, index) => {
        if (columns[index] && cell.text !== '') found.add(evened(cell.text))
      })
  }
  return found
}
