/** Heading 5 into the model. */
import { splitAt, splitCell } from '../../document/cell.ts'
import type { NamedRow } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { didYouMean, nearest } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import type { Block } from '../../document/tree.ts'
import { fieldKey, fieldOrOfRows } from '../3-entities/no-field.ts'
import { builtIn } from '../8-errors/built-in.ts'
import { raise } from '../8-errors/read.ts'
import { blockKind, blockName } from '../blocks.ts'
import { commonCodes } from '../codes.ts'
import {
  type Context,
  cellOrNull,
  leaveOpen,
  listed,
  readAt,
  readSpecified,
  readTables,
  saysNothing,
  sectionsOf,
} from '../context.ts'
import { open, use } from '../gaps/gap.ts'
import { alikeNumbers, bothPlaces, evened, type Names, names, writeNearest } from '../names.ts'
import { readOccasion } from '../occasions.ts'
import { checkValue } from '../values.ts'
import { ruleCodes } from './codes.ts'
import type { Example, Rule } from './model.ts'
import { occasions, rules, severities } from './table.ts'

const section = 5

export interface RuleDraft {
  readonly name: string
  readonly cell: Cell
  readonly row: NamedRow<'Rule' | 'Applies to' | 'Must hold' | 'Error' | 'Field' | 'Severity' | 'Meaning'>
}

/** The table that rules are declared in; a name that is given twice is reported. */
export function ruleNames(context: Pick<Context, 'found'>): Names<RuleDraft> {
  const { report } = reporter(ruleCodes, section, context.found)
  const found: Names<RuleDraft> = names<RuleDraft>(context.found, {
    twice: (cell, first) => report('N1501', cell, { name: cell.text }, bothPlaces(cell, first)),
    unknown: (cell, meant, options) =>
      report('N1503', cell, { name: cell.text, meant, known: listed(found.all.keys()) }, options),
    alike: alikeNumbers,
  })
  return found
}

/** Every rule, in the order of the document. */
export function readRules(context: Context): readonly Rule[] {
  const blocks: Block[] = []
  for (const content of sectionsOf(context, section).flatMap(part => [part, ...part.subjects])) {
    for (const row of readTables(context, content, section, [rules]).rows(rules)) {
      const cell = row.cell('Rule')!
      if (cell.text !== '') context.rules.declare(cell, cell.text, { name: evened(cell.text), cell, row })
    }
    for (const block of content.blocks) {
      if (blockKind(block.title) === 'examples') blocks.push(block)
    }
  }
  const read = [...context.rules.all.values()].flatMap(draft => readRule(context, draft))
  const examples = readExamples(context, blocks, read)
  return read.map(rule => ({ ...rule, examples: examples.get(rule.name) ?? [] }))
}

function readRule(context: Context, { name, cell, row }: RuleDraft): readonly Rule[] {
  const applies = readApplies(context, row.cell('Applies to')!, name)
  if (applies === null) return []
  const { entity, on } = applies
  const old = on === null || on.some(occasion => occasion !== 'create')
  const mustHold = readSpecified(context, row.cell('Must hold')!, open(section, 'rule', { rule: name }), written =>
    readAt(context, written, { section, entity, old, code: true }, { kind: 'yes/no' }, use('rule', { rule: name })),
  )
  const errorCell = row.cell('Error')!
  const error = readSpecified(context, errorCell, open(section, 'ruleError', { rule: name }), written =>
    raise(context, written, entity),
  )
  const field = readField(context, entity, cellOrNull(row.cell('Field')))
  const warns = readSeverity(context, cellOrNull(row.cell('Severity'))) === 'warning'
  return [{ name, cell, entity, on, mustHold, field, error, errorCell, warns, examples: [] }]
}

/** An empty cell is `error`, and so is what is not understood. */
function readSeverity(context: Context, cell: Cell | null): (typeof severities)[number] {
  if (cell === null || cell.text === '') return 'error'
  const word = severities.find(one => one === cell.text.toLowerCase())
  if (word !== undefined) return word
  reporter(ruleCodes, section, context.found).report(
    'N1506',
    cell,
    { severity: cell.text, meant: didYouMean(cell.text, severities) },
    { fixes: writeNearest(cell, severities) },
  )
  return 'error'
}

/** `Loan`, `Loan on submit`, `Loan line on create`. */
function readApplies(
  context: Context,
  cell: Cell,
  rule: string,
): { readonly entity: string; readonly on: readonly string[] | null } | null {
  if (saysNothing(cell)) {
    leaveOpen(context, cell, open(section, 'ruleApplies', { rule }))
    return null
  }
  const parts = context.entities.all.has(evened(cell.text)) ? null : splitAt(cell, 'on')
  const entity = context.entities.find(parts?.before ?? cell)
  if (entity === null) return null
  if (parts === null) return { entity: entity.key, on: null }
  const on: string[] = []
  for (const piece of splitOccasions(parts.after)) {
    const occasion = occasionOf(context, entity.key, piece)
    if (occasion === null) return null
    on.push(occasion)
  }
  return { entity: entity.key, on }
}

const splitOccasions = (cell: Cell): readonly Cell[] =>
  splitCell(cell, ',').flatMap(piece => {
    const parts = splitAt(piece, 'and')
    return parts === null ? [piece] : [parts.before, parts.after]
  })

const occasionOf = (context: Context, entity: string, cell: Cell): string | null =>
  readOccasion(
    context,
    entity,
    cell,
    occasions,
    (about, options) => reporter(ruleCodes, section, context.found).report('N1502', cell, about, options),
    context.typed.get(entity)?.parent?.key ?? null,
  )

/** The field beside which a message stands; null (above the form) where none is named or it does not resolve. */
const readField = (context: Context, entity: string, cell: Cell | null): string | null =>
  cell === null ? null : fieldKey(context, section, context.schema.get(entity)!, cell)

/** A column of examples: a field of the record, or of the one row that they give it. */
function readColumn(context: Context, entity: string, cell: Cell) {
  const found = fieldOrOfRows(context, section, entity, cell)
  return found === null ? null : { field: cell.text, child: found.child, of: found.entity }
}

/** Tables under `#### Examples: V-2`: columns are fields of the rule's entity or of its rows, the last one is `Result`. */
function readExamples(
  context: Context,
  blocks: readonly Block[],
  read: readonly Rule[],
): ReadonlyMap<string, readonly Example[]> {
  const examples = new Map<string, Example[]>()
  const { report } = reporter(commonCodes, section, context.found)
  for (const block of blocks) {
    const draft = context.rules.find(blockName(block.title))
    const rule = read.find(({ name }) => name === draft?.name)
    if (rule === undefined) continue
    for (const table of block.tables) {
      const at = table.header.findIndex(cell => cell.text.toLowerCase() === 'result')
      if (at < 0) {
        const near = table.header.find(cell => nearest(cell.text, ['Result']) !== null)
        const place = near ?? table.header[0]!
        const parameters = { expected: 'examples: a column `Result` is missing', example: '| out_on | Result |' }
        report('N1007', place, parameters, { fixes: near === undefined ? [] : [writeInstead(near, 'Result')] })
        continue
      }
      const columns = table.header.map((cell, index) => (index === at ? null : readColumn(context, rule.entity, cell)))
      for (const row of table.rows) {
        const values = row.cells.flatMap((cell, index) => {
          const column = columns[index] ?? null
          return column === null || (column.child !== null && cell.text === '') ? [] : [{ ...column, cell }]
        })
        for (const { field, of, cell } of values)
          checkValue(
            context,
            context.schema.get(of)!.fields.get(field)!,
            context.typed.get(of)!.fields.get(field) ?? null,
            cell,
            section,
          )
        const result = row.cells[at]!
        checkResult(context, result, ['ok'])
        examples.set(rule.name, [...(examples.get(rule.name) ?? []), { cell: row.cells[0]!, values, result }])
      }
    }
  }
  return examples
}

/** `ok` (or another of these words), or a code of the catalogue. An empty cell is no result. */
export function checkResult(context: Context, cell: Cell, words: readonly string[], from = section): void {
  if (cell.text === '' || words.includes(cell.text) || context.errors.all.has(cell.text) || cell.text in builtIn) return
  if (/^[A-Z]+(-[A-Z0-9]+)+$/.test(cell.text)) {
    context.errors.find(cell)
    return
  }
  const known = [...words, ...context.errors.all.keys()]
  const fixes = writeNearest(cell, known)
  reporter(commonCodes, from, context.found).report(
    'N1011',
    cell,
    { result: cell.text, meant: didYouMean(cell.text, known) },
    { fixes },
  )
}
