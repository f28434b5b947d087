/** `sum(lines.net, lines.tax by lines.rate)`: figures of the rows of a list or of records, for each group of them. */
import type { Argument, Ast, TextRange } from './ast.ts'
import type { AggregateName, Checked, Figure, Source } from './checked.ts'
import { type Checking, FAILED, sliceOf, wordedFor, wordsOf } from './checking.ts'
import { writeInstead } from './reports.ts'
import { isShown } from './written-value.ts'

type Call = Extract<Ast, { kind: 'call' }>
type Aggregate = Extract<Checked, { op: 'aggregate' }>

export const isFigure = (name: AggregateName): name is Figure['name'] =>
  name === 'count' || name === 'sum' || name === 'min' || name === 'max'

/** What stands behind `by` and `where` is said of all figures. */
export function checkGroups(
  checking: Checking,
  ast: Call,
  name: Figure['name'],
  aggregate: (of: Call, name: Figure['name']) => Checked,
): Checked {
  const [first, last] = [ast.arguments[0]!, ast.arguments.at(-1)!]
  const wrong = (place: TextRange, why: string): Checked => {
    checking.report('N0257', place, { wrong: why })
    return FAILED
  }
  const ordered = ast.arguments.find(({ order }) => order !== null)?.order?.[0]
  if (ordered !== undefined) return wrong(ordered.field, 'groups stand in the order of what they go by')
  const early = ast.arguments.slice(0, -1).find(({ where, by: its }) => where !== null || its !== null)
  if (early !== undefined) return wrong(early.where ?? early.by!, '`where` and `by` stand behind the last figure')
  const checked = (value: Ast, of: Figure['name'], where: Ast | null): Aggregate | null => {
    const only: Argument = { value, other: first.other, where, by: null, order: null }
    const found = aggregate({ ...ast, arguments: [only] }, of)
    return found.op === 'aggregate' ? found : null
  }
  const figures: Aggregate[] = []
  for (const { value } of ast.arguments) {
    const figure = checked(value, name, figures.length === 0 ? last.where : null)
    if (figure === null) return FAILED
    figures.push(figure)
  }
  const [{ source, where }] = figures as [Aggregate]
  const by = last.by!
  if (
    by.kind === 'path' &&
    by.names.length === 1 &&
    checking.scope.schema.get(source.entity)?.fields.has(by.names[0]!.text)
  ) {
    const list = first.value.kind === 'path' && first.value.names.length > 1 ? first.value.names.slice(0, -1) : null
    const whole =
      list === null
        ? sliceOf(checking, first.value)
        : sliceOf(checking, { from: first.value.from, to: list.at(-1)!.to })
    const written = `${whole}.${by.names[0]!.text}`
    checking.report('N0257', by, { wrong: `what groups go by is written from where the figures are: \`${written}\`` }, [
      writeInstead(by, written),
    ])
    return FAILED
  }
  if (firstName(by) !== firstName(first.value)) return wrong(by, SAME)
  const key = checked(by, 'count', null)
  if (key === null) return FAILED
  const all = [...figures, key]
  if (all.some(one => nameOf(one.source) !== nameOf(source))) return wrong(by, SAME)
  if (key.value === null || !isShown(key.value.type)) {
    const found = key.value === null ? 'the records themselves' : wordsOf(checking, key.value.type)
    return wrong(by, `groups go by texts, dates, times, numbers, amounts, yes/no or choices, and not by ${found}`)
  }
  const type = { kind: 'text' } as const
  const calendar = wordedFor(checking, key.value.type)
  return {
    op: 'aggregate',
    name: 'groups',
    // Archived records count where anything speaks of their archiving.
    source: all.find(one => one.source.kind === 'records' && one.source.live === undefined)?.source ?? source,
    value: key.value,
    where,
    calendar,
    figures: figures.map(({ value, type: of }) => ({ name, value, type: of, calendar: wordedFor(checking, of) })),
    more: calendar.wording!.more,
    type,
    optional: true,
  }
}

export function noGroups(checking: Checking, by: TextRange): Checked {
  checking.report('N0257', by, { wrong: '`by` goes with `sum`, `count`, `min` and `max` of rows or records alone' })
  return FAILED
}

const SAME = 'the figures, and what groups go by, are of the same rows or records'

const firstName = (ast: Ast): string | null =>
  ast.kind === 'path' ? ast.names[0]!.text : ast.kind === 'choice' ? ast.name : null

/** Whose rows, or which records. */
const nameOf = (source: Source): string => (source.kind === 'list' ? JSON.stringify(source.path) : source.entity)
