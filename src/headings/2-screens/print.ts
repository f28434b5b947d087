/** What a print has on paper: texts, fields, rows; below its heading 3 and in its headings 4. */
import { codeless, slice, splitCell } from '../../document/cell.ts'
import { readProperties } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Block, Subject } from '../../document/tree.ts'
import type { Template } from '../../expression/expression.ts'
import type { FieldShape } from '../../expression/type.ts'
import type { Product } from '../1-product/model.ts'
import { blockKind } from '../blocks.ts'
import { answerOf, type Context, cellOrNull, documentReporter, readAt, readTextAt } from '../context.ts'
import { type Open, open, type Use, use } from '../gaps/gap.ts'
import { screenCodes } from './codes.ts'
import { fieldOf, isRows } from './fields.ts'
import type { Print, PrintField, PrintPart } from './model.ts'
import { partKeys } from './table.ts'

const section = 2

interface Written {
  readonly subject: Subject | null
  readonly name: Cell
  readonly keys: (key: string) => Cell | null
}

/** A part as it is written: its text is read in each language. */
interface PartCells {
  readonly name: Cell | null
  readonly text: Cell | null
  readonly fields: readonly PrintField[]
}

/** The parts of a print, in order. */
export function readPrint(
  context: Context,
  entity: string,
  translations: Product['translations'],
  { subject, name, keys }: Written,
): Print {
  const { report } = reporter(screenCodes, section, context.found)
  const whole = { print: name.text }
  const of: PrintedText = { open: open(section, 'printText', whole), use: use('print', whole) }
  const blocks = (subject?.blocks ?? []).filter(block => blockKind(block.title) === 'other')
  const first: PartCells = {
    name: null,
    text: answerOf(context, keys('Text'), of.open),
    fields: readFields(context, entity, cellOrNull(keys('Columns')), of.use),
  }
  const all = [first, ...blocks.map(block => readPart(context, entity, block))]
  const parts = all.filter(({ text, fields }) => text !== null || fields.length > 0)
  if (parts.length === 0 && blocks.length === 0) report('N1261', name, { name: name.text })
  const cells = {
    title: answerOf(context, keys('Title'), of.open),
    footer: answerOf(context, keys('Footer'), of.open),
    parts,
  }
  // What is not translated is read once.
  const known = new Map<Cell, Template | null>()
  const templateOf = (cell: Cell): Template | null => {
    if (!known.has(cell)) known.set(cell, readTextAt(context, cell, { section, entity }, of.use))
    return known.get(cell)!
  }
  const made = (word: (cell: Cell) => Cell): Omit<Print, 'translated'> => {
    const text = (cell: Cell | null) => (cell === null ? null : templateOf(word(cell)))
    return {
      title: text(cells.title),
      footer: text(cells.footer),
      parts: cells.parts.map(
        ({ name: title, text: written, fields }): PrintPart => ({
          name: title === null ? null : word(title),
          text: text(written),
          fields,
        }),
      ),
    }
  }
  const own = made(cell => cell)
  const others = [...translations].map(
    ([tag, texts]) => [tag, made(cell => texts.get(cell.text)?.words ?? cell)] as const,
  )
  return { ...own, translated: new Map(others) }
}

function readPart(context: Context, entity: string, { title, properties }: Block): PartCells {
  const keys = readProperties(properties, partKeys, title, documentReporter(context, section)).cell
  const part = { part: title.text }
  const of: PrintedText = { open: open(section, 'partText', part), use: use('part', part) }
  const [columns, written] = [cellOrNull(keys('Columns')), keys('Text')]
  if (columns === null && written === null)
    reporter(screenCodes, section, context.found).report('N1262', title, { part: title.text })
  return {
    name: title,
    text: answerOf(context, written, of.open),
    fields: readFields(context, entity, columns, of.use),
  }
}

/** What is said of a print or a part of one where its text is left open, and where something in it cannot be decided. */
interface PrintedText {
  readonly open: Open
  readonly use: Use
}

function readFields(context: Context, entity: string, cell: Cell | null, of: Use): readonly PrintField[] {
  if (cell === null) return []
  return splitCell(cell, ',').flatMap((piece): readonly PrintField[] => {
    const written = codeless(piece)
    if (written.text === '') return []
    const dot = written.text.indexOf('.')
    const field = fieldOf(context, entity, dot < 0 ? written : slice(written, 0, dot))
    if (field === null) return []
    const found = dot < 0 ? ownField(field, piece) : behind(context, entity, field, written, dot, of)
    if (found === null || typeof found === 'object') return found ?? []
    const { report } = reporter(screenCodes, section, context.found)
    report('N1260', piece, { field: written.text, why: found })
    return []
  })
}

/** Why it cannot stand there, or what does. */
type FieldsOrReason = readonly PrintField[] | string | null

const whyNot = ({ type }: Pick<FieldShape, 'type'>): string | null =>
  type.kind === 'secret' ? 'it is a secret, which nobody sees' : null

const isHidden = (context: Context, entity: string, field: string): boolean =>
  context.typed.get(entity)?.fields.get(field)?.rules.has('hidden') === true

const ownField = (field: FieldShape, cell: Cell): FieldsOrReason =>
  whyNot(field) ?? [{ cell, field: field.key, column: null, value: null }]

function behind(context: Context, entity: string, field: FieldShape, path: Cell, dot: number, of: Use): FieldsOrReason {
  if (field.type.kind === 'error') return null
  if (field.type.kind === 'list' && isRows(context, field)) {
    const column = fieldOf(context, field.type.entity, slice(path, dot + 1))
    if (column === null) return null
    if (isHidden(context, field.type.entity, column.key)) return 'it is hidden'
    return whyNot(column) ?? [{ cell: path, field: field.key, column: column.key, value: null }]
  }
  if (field.type.kind !== 'reference') return `\`${field.key}\` names no record and has no rows`
  const value = readAt(context, path, { section, entity }, null, of)
  if (value === null) return null
  const last = value.root.op === 'field' ? value.root.path.steps.at(-1) : undefined
  if (last === undefined || value.type.kind === 'list') return 'it is not one value'
  if (isHidden(context, last.entity, last.field)) return 'it is hidden'
  return whyNot(value) ?? [{ cell: path, field: field.key, column: null, value }]
}
