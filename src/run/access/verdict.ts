/** What may be done with a row, computed in the statement that reads it: change, delete, and every step of its workflow. */

import type { Cell } from '../../document/source.ts'
import { memoize } from '../../expression/memoize.ts'
import { type Sql, sql } from '../../expression/sql.ts'
import type { Type } from '../../expression/type.ts'
import type { Transition } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import type { May, StepVerdict, Verdict } from '../../kinds/screens/read-data.ts'
import { approvalsOf, notDecided } from '../approvals/approvals.ts'
import { columnSql, fieldSql } from '../names.ts'
import type { Part, Raw } from '../read/select.ts'
import type { Request } from '../request.ts'
import type { Condition } from './condition.ts'
import { guardSql } from './guards.ts'
import { type LockNow, lockParts, locksIn } from './locks.ts'
import type { DenyRule, Policy, Verb } from './policy.ts'

export interface Verdicts {
  readonly parts: readonly Part[]
  readonly read: (raw: Raw, request: Request) => May
}

/** A condition that is known beforehand is no column. */
interface Asked {
  readonly parts: readonly Part[]
  readonly holds: (raw: Raw) => boolean | null
}

function ask(name: string, condition: Condition): Asked {
  if (typeof condition === 'boolean') return { parts: [], holds: () => condition }
  return { parts: [{ name, sql: condition, type: 'yes/no' }], holds: raw => raw[name] as boolean | null }
}

/** For rows of which nothing is asked: everything is closed. */
export function noVerdicts(app: App, entity: string): Verdicts {
  const closed: Verdict = { open: false, because: app.access.get(entity)!.cell, reason: 'no rule', missing: null }
  const may: May = { change: closed, delete: closed, restore: closed, steps: [] }
  return { parts: [], read: () => may }
}

/** Whether a verb is open on a row, and the cell that decides. */
export function verbOf(
  policy: Policy,
  entity: string,
  verb: Verb,
  alias: string,
): { readonly parts: readonly Part[]; readonly verdict: (raw: Raw) => Verdict } {
  const rows = policy.rows(entity, verb, alias)
  const asked = ask(`may ${verb}`, rows)
  const barred = barOf(policy.denyRules(entity, verb === 'restore' ? 'delete' : verb, alias), verb, rows)
  const [open, closed] = [true, false].map((answer): Verdict => {
    const { cell, ...rest } = policy.because(entity, verb, answer)
    return { open: answer, because: cell, missing: null, ...rest }
  })
  return {
    parts: [...asked.parts, ...barred.parts],
    verdict: raw => (asked.holds(raw) === true ? open! : (barred.holds(raw) ?? closed!)),
  }
}

/** The lines that close it whatever other roles open, where they do; what no role could do anyway is not asked. */
function barOf(
  rules: readonly DenyRule[],
  name: string,
  otherwise: Condition,
): { readonly parts: readonly Part[]; readonly holds: (raw: Raw) => Verdict | null } {
  const bars = rules
    .filter(({ exceptions }) => otherwise !== false || exceptions === false)
    .map(({ exceptions, deciding: { cell, ...deciding } }, index) => ({
      spared: ask(`${name} spared ${index}`, exceptions),
      closed: { open: false, because: cell, missing: null, ...deciding } satisfies Verdict,
    }))
  return {
    parts: bars.flatMap(({ spared }) => spared.parts),
    holds: raw => bars.find(({ spared }) => spared.holds(raw) !== true)?.closed ?? null,
  }
}

/** Change, delete, restore and every step, as parts of the statement that reads the row, and how to read the result. */
export function mayOf(app: App, policy: Policy, entity: string, alias: string): Verdicts {
  const { verdict: change, parts: changeParts } = verbOf(policy, entity, 'change', alias)
  const { verdict: remove, parts: removeParts } = verbOf(policy, entity, 'delete', alias)
  const { verdict: restore, parts: restoreParts } = verbOf(policy, entity, 'restore', alias)
  const parts: Part[] = [
    ...new Map([...changeParts, ...removeParts, ...restoreParts].map(part => [part.name, part])).values(),
  ]

  const workflow = app.workflows.get(entity)
  const branches = (workflow?.transitions ?? []).map((transition, index) => {
    const branch = branchOf(app, policy, entity, transition, alias, index)
    parts.push(...branch.parts.filter(({ name }) => !parts.some(part => part.name === name)))
    return branch
  })
  parts.push(...lockParts(app, entity, alias))
  const steps = [...Map.groupBy(branches, ({ transition }) => transition.key).values()]
  const judge = (raw: Raw, request: Request): May => ({
    ...unlessLocked(app, entity, raw, change(raw), remove(raw)),
    restore: restore(raw),
    steps: steps.map(same => bestOf(same, raw, request)),
  })
  const known = new WeakMap<Request, Map<string, May>>()
  return {
    parts,
    // Rows of a page mostly have the same answers.
    read: (raw, request) =>
      memoize(
        memoize(known, request, () => new Map<string, May>()),
        parts.map(({ name }) => raw[name]).join(),
        () => judge(raw, request),
      ),
  }
}

/** What is locked as a whole is closed to those who could do it otherwise. */
function unlessLocked(
  app: App,
  entity: string,
  raw: Raw,
  change: Verdict,
  remove: Verdict,
): Pick<May, 'change' | 'delete'> {
  const locks = locksIn(app, entity, raw)
  const closed = (open: Verdict, lock: LockNow | undefined): Verdict =>
    open.open && lock !== undefined ? { open: false, because: lock.cell, reason: 'locked', missing: null } : open
  return {
    change: closed(
      change,
      locks.find(({ whole }) => whole),
    ),
    delete: closed(
      remove,
      locks.find(({ keeps }) => keeps),
    ),
  }
}

interface Branch {
  readonly transition: Transition
  readonly parts: readonly Part[]
  readonly verdict: (raw: Raw, request: Request) => StepVerdict
}

/** Nothing is asked of the row for a step that these roles never take, and the guard only where the state fits. */
function branchOf(
  app: App,
  policy: Policy,
  entity: string,
  transition: Transition,
  alias: string,
  index: number,
): Branch {
  const { from, to, when } = transition
  const offered = policy.offers(entity, transition)
  const step = {
    step: transition.key,
    name: transition.name,
    to: isUnspecified(to) ? null : to,
    offered,
    starts: isUnspecified(from) ? [] : from,
    branch: transition.cell,
  }
  const closed = (because: Cell, reason: Verdict['reason'], missing: string | null = null): StepVerdict => ({
    ...step,
    open: false,
    because,
    reason,
    missing,
  })
  const always = (verdict: StepVerdict): Branch => ({ transition, parts: [], verdict: () => verdict })
  if (isUnspecified(from)) return always(closed(from.cell, 'unspecified'))
  if (isUnspecified(to)) return always(closed(to.cell, 'unspecified'))
  const refusal = policy.becauseStep(entity, transition, false)
  const { cell: outer, ...refused } = refusal
  const outside = { ...closed(outer, refusal.reason), ...refused }
  if (!offered) return always(outside)
  const [approval] = approvalsOf(app, entity, transition.key)
  const decided =
    approval === undefined || policy.decides(entity, transition, alias).length === 0
      ? null
      : ask(`d${index}`, sql`(not ${notDecided(entity, transition.key, alias)})`)
  const taken = policy.takes(entity, transition, alias)
  const takes = ask(`w${index}`, taken)
  const barred = barOf(policy.stepDenyRules(entity, transition.key, alias), `do ${transition.key}`, taken)
  /** Where several people decide, the button is there for those of whom it depends. */
  const denied = (raw: Raw): StepVerdict => {
    const bar = barred.holds(raw)
    if (bar !== null) return { ...step, ...bar }
    if (decided === null || approval === undefined) return outside
    return decided.holds(raw) === true ? closed(approval.cell, 'decided') : { ...outside, offered: false }
  }

  const elsewhere = closed(transition.cell, 'state')
  if (when === null || isUnspecified(when)) {
    const here: StepVerdict = isUnspecified(when)
      ? closed(when.cell, 'unspecified')
      : { ...step, open: true, because: transition.cell, reason: 'allowed', missing: null }
    const verdict = (raw: Raw) => {
      if (!from.includes(raw.state_now as string)) return elsewhere
      return takes.holds(raw) === true ? here : denied(raw)
    }
    return { transition, parts: [...takes.parts, ...barred.parts, ...(decided?.parts ?? [])], verdict }
  }
  const inState = sql`${columnSql(alias, 'state')} = any(${from}::text[])`
  const guard: Part = {
    name: `g${index}`,
    sql: sql`case when ${inState} then ${guardSql(when, alias, 'agrees')} end`,
    type: 'yes/no',
  }
  const empties = when.optional ? emptyParts(app, policy, entity, when.reads, alias, index) : []
  const open: StepVerdict = { ...step, open: true, because: when.cell, reason: 'allowed', missing: null }
  const verdict = (raw: Raw, request: Request): StepVerdict => {
    if (!from.includes(raw.state_now as string)) return elsewhere
    if (takes.holds(raw) !== true) return denied(raw)
    const held = raw[guard.name]
    if (held === true) return open
    return closed(when.cell, 'when', held === null ? missingOf(when.reads, empties, raw, request) : null)
  }
  return {
    transition,
    parts: [...takes.parts, ...barred.parts, ...(decided?.parts ?? []), guard, ...empties.map(({ part }) => part)],
    verdict,
  }
}

interface Empty {
  readonly read: string
  readonly part: Part
}

/** Which of the fields that a guard reads are empty, as far as these roles may see them. */
function emptyParts(
  app: App,
  policy: Policy,
  entity: string,
  reads: readonly string[],
  alias: string,
  index: number,
): readonly Empty[] {
  const shape = app.schema.get(entity)!
  return reads.flatMap((read, number) => {
    const [first] = read.split('.')
    const field = shape.fields.get(first!)
    if (field === undefined || !field.optional || isMany(field.type) || policy.field(entity, first!, alias) !== true)
      return []
    const name = `e${index}_${number}`
    const test: Sql = sql`${fieldSql(app, entity, first!, alias)} is null`
    return [{ read, part: { name, sql: test, type: 'yes/no' as const } }]
  })
}

const isMany = (type: Type) => type.kind === 'list' || type.kind === 'values'

function missingOf(reads: readonly string[], empties: readonly Empty[], raw: Raw, request: Request): string | null {
  for (const read of reads) {
    if (read.startsWith('limits.') && (request.limits[read.slice('limits.'.length)] ?? null) === null) return read
    if (empties.some(empty => empty.read === read && raw[empty.part.name] === true)) return read
  }
  return null
}

const nearness: readonly Verdict['reason'][] = [
  'when',
  'decided',
  'never',
  'row',
  'unspecified',
  'locked',
  'who',
  'no rule',
]

/**
 * Rows with the same name are branches: the first open one counts, else the one that is nearest to being open among those that begin in the
 * state of the record. Where none does, that is why, for those who may take one elsewhere.
 */
function bestOf(branches: readonly Branch[], raw: Raw, request: Request): StepVerdict {
  if (branches.length === 1) return branches[0]!.verdict(raw, request)
  const verdicts = branches.map(({ verdict }) => verdict(raw, request))
  const open = verdicts.find(verdict => verdict.open)
  if (open !== undefined) return open
  const offered = verdicts.some(verdict => verdict.offered)
  const here = verdicts.filter(({ starts }) => starts.includes(raw.state_now as string))
  const [closest] = here.toSorted((a, b) => nearness.indexOf(a.reason) - nearness.indexOf(b.reason))
  const nearest = closest ?? verdicts.find(({ reason }) => reason === 'state') ?? verdicts[0]
  const starts = verdicts.flatMap(verdict => (verdict.offered ? verdict.starts : []))
  return { ...nearest!, offered, starts: [...new Set(starts)] }
}
