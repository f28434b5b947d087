/** The Rules cell of a field: its rules apart, each with its argument, before any expression in it is read. */

import { after, codeless, slice, splitAt, splitCell, trimmed } from '../../document/cell.ts'
import { type Fix, reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import type { Cell } from '../../document/source.ts'
import { type Without, withouts } from '../../expression/letters.ts'
import { type Context, cellOrNull } from '../context.ts'
import { misspelt, removePiece } from '../names.ts'
import { entityCodes } from './codes.ts'
import { rules } from './table.ts'

export type RuleName = (typeof rules)[number]['name']

export interface FieldRule {
  readonly name: RuleName
  /** The whole rule. */
  readonly cell: Cell
  /** What follows its name; empty where nothing does. */
  readonly argument: Cell
  /** `else E-FREE-1`: the error of the catalogue that a refusal is told in. */
  readonly orElse: Cell | null
}

export type FieldRules = ReadonlyMap<RuleName, FieldRule>

/** Rules that stand alone. */
const alone: ReadonlySet<string> = new Set([
  'set by steps only',
  'set by calls only',
  'hidden',
  'display',
  'searchable',
  'gapless',
  'personal',
])
/** Rules that say nothing without an argument. */
const needy: ReadonlySet<string> = new Set([
  'default',
  'min',
  'max',
  'from',
  'pattern',
  'types',
  'at most',
  'copied from',
  'follows',
  'only when',
  'read-only when',
  'choose from',
  'assigned from',
  'no overlap of',
  'given on',
  'frozen on',
  '=',
])
/** Rules that refuse something, so that an error of the catalogue may stand behind `else`. */
const refusing: ReadonlySet<RuleName> = new Set([
  'required',
  'unique',
  'min',
  'max',
  'from',
  'pattern',
  'types',
  'at most',
  'only when',
  'read-only when',
  'choose from',
  'assigned from',
  'no overlap of',
])

/** What databases and forms call our rules. */
const foreignRules: Readonly<Record<string, string>> = {
  'not null': 'required',
  'not empty': 'required',
  mandatory: 'required',
  obligatory: 'required',
  'primary key': 'required; unique',
  key: 'required; unique',
  readonly: 'read-only',
  'read only': 'read-only',
  immutable: 'read-only after create',
  pflicht: 'required',
  pflichtfeld: 'required',
  eindeutig: 'unique',
}

const caseInsensitive =
  /^unique\s+(?:case.?insensitive(?:ly)?|(?:ignoring|ignore|regardless of|whatever|without|no) (?:the )?(?:case|capitals|upper.?case))$/i

/** Rules that are said in other words, with what they say: `>= 0`, `calculated: a + b`, rules with line breaks between them. */
function saidOtherwise({ text }: Cell): string | undefined {
  const foreign = foreignRules[text.toLowerCase()]
  if (foreign !== undefined) return foreign
  if (/<br\s*\/?>/i.test(text)) return text.split(/\s*<br\s*\/?>\s*/i).join('; ')
  const [, sign, bound] = /^(>=|<=|≥|≤)\s*(\S+)$/.exec(text) ?? []
  if (sign !== undefined) return `${/[>≥]/.test(sign) ? 'min' : 'max'} ${bound}`
  if (caseInsensitive.test(text)) return 'unique without case'
  const formula = /^(?:calculated|computed|formula|berechnet)(?:\s+as)?\s*[:=]\s*(.+)$/is.exec(text)?.[1]
  if (formula !== undefined) return `= ${formula}`
  if (/^read only\b/i.test(text)) return text.replace(/^read only/i, 'read-only')
  return /^[a-z_][\w.]*\s+[-+*/]\s+\S/.test(text) ? `= ${text}` : undefined
}

/** The rules of a field by name; unknown ones, and those given twice, are reported. */
export function readRules(context: Context, cell: Cell | null): FieldRules {
  const { report } = reporter(entityCodes, 3, context.found)
  const found = new Map<RuleName, FieldRule>()
  for (const piece of pieces(cellOrNull(cell))) {
    const rule = piece.text === '' ? null : readPiece(context, piece)
    if (rule === null) continue
    const first = found.get(rule.name)
    if (first === undefined) found.set(rule.name, rule)
    else {
      const related = [{ span: first.cell, message: 'first here' }]
      report('N1307', piece, { rule: rule.name }, { related, fixes: [removePiece(piece)] })
    }
  }
  return found
}

/** One rule; null after a report. */
function readPiece(context: Context, piece: Cell): FieldRule | null {
  const { report } = reporter(entityCodes, 3, context.found)
  const wrongAt = (place: Cell, meant: string, fixes: readonly Fix[]): null => {
    report('N1306', place, { rule: piece.text, meant, known: knownText }, { fixes })
    return null
  }
  const comma = commaAfterRule(piece)
  if (comma !== null) return wrongAt(comma, '; write `;` between two rules', [writeInstead(comma, ';')])
  const { before, code } = withoutElse(piece)
  const rule = readRule(before, code)
  if (rule?.orElse != null && !refusing.has(rule.name)) {
    report('N1321', rule.orElse, { rule: rule.name }, { fixes: [takeOutElse(before, rule.orElse)] })
    return { ...rule, orElse: null }
  }
  const isBroken = /<br\s*\/?>/i.test(piece.text)
  const wrong = rule === null || isBroken ? null : wrongArgument(rule)
  if (rule !== null && wrong === null && !isBroken) return rule
  const foreign = saidOtherwise(piece)
  if (foreign !== undefined) return wrongAt(piece, `; write \`${foreign}\``, [writeInstead(piece, foreign)])
  if (wrong !== null) return wrongAt(wrong[0], '', wrong[1])
  if (/^(?:optional|nullable|not required)$/i.test(piece.text))
    return wrongAt(piece, '; a field is optional where nothing says `required`', [removePiece(piece)])
  const near = misspelt(piece, names)
  const begin = near?.begin ?? slice(piece, 0, piece.text.search(/\s|$/))
  return near === null
    ? wrongAt(begin, '', [])
    : wrongAt(begin, `; did you mean \`${near.meant}\`?`, [writeInstead(begin, near.meant)])
}

/** A pattern may hold semicolons in its classes, which the brackets hide; an expression holds none. */
const pieces = (cell: Cell | null): readonly Cell[] => (cell === null ? [] : splitCell(cell, ';'))

/** Longest first: `set by calls only` before anything shorter. */
const names = rules.map(({ name }) => name).sort((a, b) => b.length - a.length)
const knownText = rules.map(({ name }) => `\`${name}\``).join(', ')

/** `required, unique`: the comma, where what stands before it is a rule that is whole by itself. */
function commaAfterRule(piece: Cell): Cell | null {
  const at = piece.text.indexOf(',')
  if (at < 0) return null
  const rule = readRule(trimmed(slice(piece, 0, at)), null)
  return rule !== null && rule.argument.text === '' ? slice(piece, at, at + 1) : null
}

/** What follows a rule's name has to be one of a few words; what else stands there, with the fix. */
function wrongArgument({ name, argument }: FieldRule): readonly [Cell, readonly Fix[]] | null {
  if (argument.text === '') return null
  if (name === 'read-only' && after(argument, 'after create') === null)
    return [argument, fixTo(argument, ['after create'])]
  if (name === 'required' && after(argument, 'when') === null) return [argument, fixTo(argument, ['when'])]
  if (name === 'unique') {
    const { without, rest } = withoutOf(argument)
    const isKnown =
      (rest.text === '' && without !== null) || after(rest, 'within') !== null || after(rest, 'while') !== null
    return isKnown ? null : [rest, fixTo(rest, [...withouts.map(one => `without ${one}`), 'within', 'while'])]
  }
  const on = name === 'copied from' ? splitAt(argument, 'on')?.after : undefined
  return on === undefined || on.text.toLowerCase() === 'create' ? null : [on, fixTo(on, ['create'])]
}

/** `without case and accents` at the beginning of what follows `unique`, and what stands behind it. */
export function withoutOf(argument: Cell): { readonly without: Without | null; readonly rest: Cell } {
  for (const without of withouts) {
    const rest = after(argument, `without ${without}`)
    if (rest !== null) return { without, rest }
  }
  return { without: null, rest: argument }
}

/** Each record has a value of the field, and one that no other has. */
export function isNamedAlone(given: FieldRules): boolean {
  const unique = given.get('unique')
  return unique !== undefined && withoutOf(unique.argument).rest.text === '' && given.has('required')
}

function fixTo(argument: Cell, phrases: readonly string[]): readonly Fix[] {
  const near = misspelt(argument, phrases)
  return near === null ? [removePiece(argument)] : [writeInstead(near.begin, near.meant)]
}

/** `required when damaged else E-DAM-1`. Codes have a hyphen, so that the `else` of an expression is never meant. */
export function withoutElse(piece: Cell): { readonly before: Cell; readonly code: Cell | null } {
  const found = /\s+else\s+([A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+)$/d.exec(piece.text)
  if (found === null) return { before: piece, code: null }
  return { before: trimmed(slice(piece, 0, found.index)), code: slice(piece, found.indices![1]![0]) }
}

const takeOutElse = (before: Cell, code: Cell): Fix => ({
  title: 'take out `else`',
  edits: [{ span: { file: code.file, start: before.end, end: code.end }, text: '' }],
})

function readRule(piece: Cell, orElse: Cell | null): FieldRule | null {
  if (piece.text.startsWith('='))
    return { name: '=', cell: piece, argument: codeless(trimmed(slice(piece, 1))), orElse }
  for (const name of names) {
    const argument = after(piece, name)
    if (argument === null) continue
    if (argument.text === '' ? needy.has(name) : alone.has(name)) return null
    return { name, cell: piece, argument: codeless(argument), orElse }
  }
  return null
}
