/** CHECK constraints: as a rule of the field where it is about one column and simple, else as a row of heading 5. */
import { sentence } from '../draft.ts'
import { patternRule } from '../pattern.ts'
import { choiceOf } from '../types.ts'
import type { ForeignConstraint } from './catalogue.ts'
import { type KnownColumn, type Node, readSql, write } from './expression.ts'
import { aboutOf, type Importing, knownIn, type TableImport } from './importing.ts'

/** Lists of texts make choices, which other rules then name: before anything else that reads columns. */
export function addChoices(importing: Importing, into: TableImport): void {
  for (const { kind, definition } of into.table.constraints) {
    if (kind !== 'check') continue
    for (const part of partsOf(readSql(definition, knownIn(into))))
      if (part.kind === 'in' && !part.not && part.left.kind === 'column')
        addChoice(importing, into, part.left.column, part.values)
  }
}

export function addChecks(importing: Importing, into: TableImport): void {
  for (const constraint of into.table.constraints) {
    if (constraint.kind !== 'check') continue
    const node = readSql(constraint.definition, knownIn(into))
    if (node === null) noteCheck(importing, into, constraint.name, constraint.definition)
    else addCheck(importing, into, constraint, node)
  }
}

const partsOf = (node: Node | null): readonly Node[] => (node === null ? [] : node.kind === 'and' ? node.parts : [node])

export function noteCheck({ drafting }: Importing, { table, entity }: TableImport, name: string, source: string): void {
  drafting.note(entity, `${table.name}.${name}`, `the check is not carried over: ${source}`)
}

function addCheck(importing: Importing, into: TableImport, constraint: ForeignConstraint, node: Node): void {
  const left = partsOf(node).filter(part => !addToField(into, part))
  if (left.length === 0) return
  const rest: Node = left.length === 1 ? left[0]! : { kind: 'and', parts: left }
  const mustHold = write(unknownPasses(rest))
  if (mustHold === null) {
    noteCheck(importing, into, constraint.name, constraint.definition)
    return
  }
  const { rules } = importing.drafting
  const number = rules.length + 1
  const columns = constraint.columns.flatMap(column => into.fields.get(column)?.key ?? [])
  rules.push({
    name: `V-${number}`,
    entity: into.entity.name,
    mustHold,
    field: columns.length === 1 ? columns[0]! : '',
    error: `E-${number}`,
    message: constraint.comment ?? `${sentence(constraint.name)} does not hold.`,
    about: `${into.table.name}.${constraint.name}`,
    source: constraint.definition,
  })
}

/** `a <> b` passes in SQL where one of them is empty. The language wants that said. */
function unknownPasses(node: Node): Node {
  const negative = (node.kind === 'compare' && node.sign === '!=') || (node.kind === 'in' && node.not)
  if (!negative) return node
  const sides = node.kind === 'compare' ? [node.left, node.right] : [node.left]
  const empty = sides.flatMap((side): Node[] =>
    side.kind === 'column' && side.column.optional ? [{ kind: 'empty', not: false, of: side }] : [],
  )
  return empty.length === 0 ? node : { kind: 'or', parts: [...empty, node] }
}

/** True where the whole condition is a rule of its field now. */
function addToField(into: TableImport, node: Node): boolean {
  if (node.kind === 'match') return node.left.kind === 'column' && addPattern(into, node.left.column, node.pattern)
  if (node.kind === 'in') return !node.not && node.left.kind === 'column' && isWholeList(node.left.column, node.values)
  if (node.kind === 'compare') {
    const flipped = flippedSigns[node.sign]
    return (
      addBound(into, node.left, node.sign, node.right) ||
      (flipped !== undefined && addBound(into, node.right, flipped, node.left))
    )
  }
  return false
}

const flippedSigns: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' }

const fieldOf = (into: TableImport, { key }: KnownColumn) => [...into.fields.values()].find(field => field.key === key)!

function addBound(into: TableImport, bounded: Node, sign: string, limit: Node): boolean {
  const length = bounded.kind === 'length'
  const of = length ? bounded.of : bounded
  const number = numberOf(limit)
  if (of.kind !== 'column' || number === null) return false
  const whole = length || of.column.type === 'integer'
  if (length ? !/^(?:long )?text\b/.test(of.column.type) : !/^(?:integer|decimal)\b/.test(of.column.type)) return false
  const rule = sign.startsWith('>') ? 'min' : sign.startsWith('<') ? 'max' : null
  if (rule === null) return false
  const strict = !sign.endsWith('=')
  if ((whole && !/^-?\d+$/.test(number)) || (strict && !whole)) return false
  const value = strict ? String(BigInt(number) + (rule === 'min' ? 1n : -1n)) : number
  const { rules } = fieldOf(into, of.column)
  if (rules.some(other => other.startsWith(`${rule} `))) return false
  rules.push(`${rule} ${value}`)
  return true
}

function numberOf(node: Node): string | null {
  if (node.kind === 'number') return node.value
  return node.kind === 'minus' && node.of.kind === 'number' ? `-${node.of.value}` : null
}

function addChoice({ drafting }: Importing, into: TableImport, column: KnownColumn, values: readonly Node[]): void {
  if (!/^(?:long )?text\b/.test(column.type)) return
  const labels = values.flatMap(value => (value.kind === 'text' ? [value.value] : []))
  const choice = labels.length === values.length ? choiceOf(labels) : null
  if (choice === null) return
  const [name, field] = [...into.fields].find(([, { key }]) => key === column.key)!
  field.type = choice.type
  into.columns.set(name, { ...column, type: choice.type, choices: choice.choices })
  const about = aboutOf(into.table, name)
  // What was said of the text that it would have been.
  drafting.withdraw(about)
  if (choice.note !== null) drafting.note(into.entity, about, choice.note)
}

/** Whether a list says no more than the type of the column does already. */
const isWholeList = ({ choices }: KnownColumn, values: readonly Node[]): boolean =>
  choices !== null &&
  [...choices.keys()].every(label => values.some(value => value.kind === 'text' && value.value === label))

/** Only what is tied to both ends of the text: a pattern here is always the whole text. */
function addPattern(into: TableImport, column: KnownColumn, pattern: string): boolean {
  if (!/^text\b/.test(column.type) || !/^\^.*[^\\]\$$/.test(pattern)) return false
  const { rules } = fieldOf(into, column)
  const rule = rules.some(other => other.startsWith('pattern')) ? null : patternRule(pattern)
  if (rule === null) return false
  rules.push(rule)
  return true
}
