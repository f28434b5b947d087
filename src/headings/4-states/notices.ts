/** Timers that come too late: another one has moved the record on before. */
import { reporter } from '../../document/diagnostic.ts'
import type { Checked } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import { parseDuration } from '../../expression/dates.ts'
import { evaluate } from '../../expression/evaluate.ts'
import type { Wire } from '../../expression/type.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { stateCodes } from './codes.ts'
import type { Timer, TimerAt, Workflow } from './model.ts'
import { limitsOf } from './points.ts'

const section = 4
const day = 24 * 60

/** A moment as minutes after another one, which the text tells apart. */
interface After {
  readonly of: string
  readonly minutes: number
}

export function lintNotices(context: Context, app: App, { timers }: Workflow): void {
  const { report } = reporter(stateCodes, section, context.found)
  const limits = limitsOf(app)
  for (const late of timers) {
    const earlier = timers.find(one => one !== late && goesBefore(one, late, limits))
    if (earlier === undefined) continue
    const state = goalOf(earlier, late)!
    const related = [{ span: earlier.at.cell, message: 'this comes first' }]
    report('N1444', late.at.cell, { timer: late.name, other: earlier.name, state }, { related })
  }
}

/** Whether one timer has always moved the record out of the states of the other when that would fire. */
function goesBefore(one: Timer, late: Timer, limits: Record<string, Wire>): boolean {
  if (one.when !== null || goalOf(one, late) === null) return false
  const covers = late.while.every(state => one.while.includes(state))
  // Counted from entering, only the same states begin together.
  if (!covers || (late.at.kind === 'after entering' && one.while.length !== late.while.length)) return false
  const [before, after] = [momentOf(one.at, limits), momentOf(late.at, limits)]
  return before !== null && after !== null && before.of === after.of && before.minutes < after.minutes
}

/** The state that a timer brings records to, where that is none of the other's. */
function goalOf({ then }: Timer, { while: states }: Timer): string | null {
  const goal = then.find(act => act.kind === 'go to')
  return goal === undefined || states.includes(goal.state) ? null : goal.state
}

/** Null: it cannot be told beforehand. */
function momentOf(at: TimerAt, limits: Record<string, Wire>): After | null {
  if (at.kind === 'every') return null
  const time = at.time === null ? 0 : at.time.hour * 60 + at.time.minute
  if (at.kind === 'after entering') {
    const days = constantOf(at.workingDays.root, limits)
    return typeof days === 'string' ? { of: `entering ${at.time === null}`, minutes: Number(days) * day + time } : null
  }
  let minutes = time
  let root = at.at.root
  while (root.op === 'shift') {
    const by = minutesOf(root.right, limits)
    if (by === null) return null
    minutes += root.sign === '-' ? -by : by
    root = root.left
  }
  return { of: JSON.stringify(root), minutes }
}

/** A length of time; null where it depends on the record or on the month. */
function minutesOf(node: Checked, limits: Record<string, Wire>): number | null {
  const value = constantOf(node, limits)
  if (typeof value !== 'string') return null
  if (node.type.kind === 'integer') return Number(value) * day
  const length = parseDuration(value)
  return length === null || length.months !== 0 ? null : length.days * day + length.milliseconds / 60_000
}

/** The value of what reads nothing but constants; undefined where it reads more. */
function constantOf(node: Checked, limits: Record<string, Wire>): unknown {
  if (!isConstant(node)) return undefined
  const portable = { type: node.type, optional: true, tier: 0 as const, root: node, computed: {} }
  const moment = { today: '2000-01-01', now: '2000-01-01T00:00:00.000Z' }
  return evaluate(portable, { row: {}, old: null, me: null, my: null, ...moment, limits, related: () => undefined })
}

const constant: ReadonlySet<Checked['op']> = new Set(['literal', 'limit', 'times', 'negate', 'arithmetic'])
const isConstant = (node: Checked): boolean => constant.has(node.op) && partsOf(node).every(isConstant)
