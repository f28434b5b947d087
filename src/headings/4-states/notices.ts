/** Timers that come too late: another one has moved the record on before, or their moment is over when the record is made. */
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Checked } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import { parseDuration } from '../../expression/dates.ts'
import { evaluate } from '../../expression/evaluate.ts'
import { conjuncts } from '../../expression/grouping.ts'
import type { Wire } from '../../expression/type.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { limitsOf } from '../points.ts'
import { isUnspecified } from '../specified.ts'
import { stateCodes } from './codes.ts'
import type { Timer, TimerAt } from './model.ts'
import { clockTime } from './timers.ts'

const section = 4
const day = 24 * 60

/** A moment as minutes after another one, which the text tells apart. */
interface After {
  readonly of: string
  readonly minutes: number
}

/** Warns of timers that can never do what they say. */
export function lintNotices(context: Context, app: App, entity: string): void {
  const { report } = reporter(stateCodes, section, context.found)
  const limits = limitsOf(app)
  const timers = app.timers.filter(timer => timer.entity === entity)
  const notices = noticesOf(app, entity, limits)
  for (const timer of timers) {
    // With a `When` it says itself of which records it fires.
    const due = timer.when === null ? momentOf(timer.at, limits) : null
    const short = due === null ? undefined : notices.find(({ of, minutes }) => of === due.of && minutes < -due.minutes)
    if (short === undefined) continue
    const related = [{ span: short.cell, message: 'so much notice is asked for' }]
    const parameters = {
      timer: timer.name,
      field: short.field,
      lead: lengthText(-due!.minutes),
      notice: lengthText(short.minutes),
    }
    report('N1446', timer.at.cell, parameters, { related })
  }
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
  const [during, states] = [one.while ?? [], late.while ?? []]
  const covers = states.every(state => during.includes(state))
  // Counted from entering, only the same states begin together.
  if (!covers || (late.at.kind === 'after entering' && during.length !== states.length)) return false
  const [before, after] = [momentOf(one.at, limits), momentOf(late.at, limits)]
  return before !== null && after !== null && before.of === after.of && before.minutes < after.minutes
}

/** The state that a timer brings records to, where that is none of the other's. */
function goalOf({ then }: Timer, { while: states }: Timer): string | null {
  const goal = then.find(act => act.kind === 'go to')
  return goal === undefined || states?.includes(goal.state) !== false ? null : goal.state
}

/** Null: it cannot be told beforehand. */
function momentOf(at: TimerAt, limits: Record<string, Wire>): After | null {
  if (at.kind === 'every') return null
  const clock = at.time === null ? { hour: 0, minute: 0 } : clockTime(at.time, limits)
  if (clock === null) return null
  const time = clock.hour * 60 + clock.minute
  if (at.kind === 'after entering') {
    const [by, counted] = 'of' in at.length ? [at.length.of, at.length.count] : ['length', at.length]
    const length = minutesOf(counted.root, limits)
    const whose = 'of' in at.length ? at.length.whose?.cell.text : undefined
    const of = `entering ${by} ${whose} ${at.time === null}`
    return length === null ? null : { of, minutes: length + time }
  }
  if (at.working !== null) return null
  const found = shifted(at.at.root, limits)
  return found === null ? null : { of: baseText(found.base), minutes: found.minutes + time }
}

/** `due_on - 2 days` → `due_on`, and how far it is moved; null where that depends on the record. */
function shifted(
  node: Checked,
  limits: Record<string, Wire>,
): { readonly base: Checked; readonly minutes: number } | null {
  let minutes = 0
  let base = node
  while (base.op === 'shift') {
    const by = minutesOf(base.right, limits)
    if (by === null) return null
    minutes += base.sign === '-' ? -by : by
    base = base.left
  }
  return { base, minutes }
}

/** Of a path what it names: that it cannot be empty somewhere makes it no other one. */
const baseText = (node: Checked): string =>
  node.op === 'field' && node.path.base === 'own'
    ? node.path.steps.map(({ field }) => field).join('.')
    : JSON.stringify(node)

/** That a field is so far ahead when its record is made, or farther. */
interface Notice extends After {
  readonly field: string
  readonly cell: Cell
}

/** What rules and the bounds of fields ask for, where they ask for any notice at all. */
function noticesOf(app: App, entity: string, limits: Record<string, Wire>): readonly Notice[] {
  const asked = app.rules.flatMap(({ entity: of, on, mustHold, warns }) => {
    const isMade = on === null || on.includes('create')
    if (of !== entity || !isMade || warns || isUnspecified(mustHold)) return []
    return conjuncts(mustHold.root).flatMap(node => noticeIn(node, mustHold.cell, limits) ?? [])
  })
  const bounds = app.entities.get(entity)!.fields.flatMap(({ key, type, min }): readonly Notice[] => {
    const from = min === null || (type.kind !== 'date' && type.kind !== 'moment') ? null : shifted(min.root, limits)
    if (from === null || !isNow(from.base)) return []
    return [{ of: key, minutes: from.minutes, field: key, cell: min!.cell }]
  })
  return [...asked, ...bounds].filter(({ minutes }) => minutes > 0)
}

/** `starts_on >= today + 3 days`, `today <= starts_on - 3 days`, `days_between(today, starts_on) >= 3`. */
function noticeIn(node: Checked, cell: Cell, limits: Record<string, Wire>): Notice | null {
  if (node.op !== 'compare' || node.sign === '=' || node.sign === '!=') return null
  const isLeft = node.sign.startsWith('>')
  const [later, earlier] = isLeft ? [node.left, node.right] : [node.right, node.left]
  const between = later.op === 'call' && later.name === 'days_between' ? later.arguments : null
  const [from, to] = between === null ? [earlier, later] : [between[0]!, between[1]!]
  const days = between === null ? 0 : minutesOf(earlier, limits)
  const [now, ahead] = [shifted(from, limits), shifted(to, limits)]
  if (days === null || now === null || ahead === null || !isNow(now.base) || ahead.base.op !== 'field') return null
  const { steps } = ahead.base.path
  const beyond = node.sign.length === 1 && ahead.base.type.kind === 'date' ? day : 0
  return {
    of: baseText(ahead.base),
    minutes: now.minutes - ahead.minutes + days + beyond,
    field: steps.map(({ field }) => field).join('.'),
    cell,
  }
}

const isNow = ({ op }: Checked): boolean => op === 'today' || op === 'now'

/** `3 days`, `36 hours`, `90 minutes`. */
function lengthText(minutes: number): string {
  const [count, unit] =
    minutes % day === 0 ? [minutes / day, 'day'] : minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** A length of time; null where it depends on the record or on the month. */
function minutesOf(node: Checked, limits: Record<string, Wire>): number | null {
  const value = constantOf(node, limits)
  if (typeof value !== 'string') return null
  if (node.type.kind === 'integer' || node.type.kind === 'decimal') return Number(value) * day
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
