/** Rules that no record meets: by themselves, because of the bounds of a field, or beside another rule. Told only where it is proven. */

import { reporter } from '../../document/diagnostic.ts'
import type { Checked } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import type { Expression } from '../../expression/expression.ts'
import { startsOf } from '../4-states/ways.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { type Points, pointsOf } from '../points.ts'
import { allOf, fieldOf, type Tried } from '../points-nodes.ts'
import { isUnspecified, specified } from '../specified.ts'
import { ruleCodes } from './codes.ts'
import type { Rule } from './model.ts'
import { type Need, needsOf } from './needs.ts'

interface Refusing extends Rule {
  readonly mustHold: Expression
}

/** So many pairs of an entity are tried. */
const mostPairs = 400

export function lintExclusive(context: Context, app: App): void {
  const { report } = reporter(ruleCodes, 5, context.found)
  const refusing = Map.groupBy(
    app.rules.filter((rule): rule is Refusing => refuses(rule)),
    ({ entity }) => entity,
  )
  for (const entity of app.entities.values()) {
    const all = (refusing.get(entity.key) ?? []).flatMap(conditionsOf)
    const tell = (rule: Refusing, others: readonly Refusing[], found: Excluded) => {
      const { occasion, needs } = found
      const step = app.workflows.get(entity.key)?.transitions.find(({ key }) => key === occasion)
      const refused =
        found.onlyEmpty !== null
          ? `\`${found.onlyEmpty}\` can only stay empty`
          : step !== undefined
            ? `\`${step.name}\` is always refused`
            : `no ${entity.name} can be ${occasion === 'change' ? 'changed' : 'created'}`
      const because = [...others.map(({ name }) => name), ...needs.map(({ words }) => words)]
      const beside =
        because.length > 0
          ? ` beside ${because.join(' and ')}`
          : found.isBounded
            ? ' within the bounds of its fields'
            : ''
      const related = [
        ...others.map(({ name, mustHold }) => ({ span: mustHold.cell, message: `${name} says so` })),
        ...needs.map(({ cell }) => ({ span: cell, message: 'the other one' })),
      ]
      report('N1508', rule.mustHold.cell, { rule: rule.name, beside, refused, proof: found.proof }, { related })
    }
    const alone = new Set<string>()
    for (const rule of all) {
      const found = alone.has(rule.name) ? null : excludedSometime(app, entity.key, [rule])
      if (found === null) continue
      alone.add(rule.name)
      tell(rule, [], found)
    }
    const behind = new Map(all.map(rule => [rule, fieldsBehind(app, entity.key, rule)]))
    const share = (one: Refusing, other: Refusing) => [...behind.get(one)!].some(key => behind.get(other)!.has(key))
    const pairs = all
      .filter(rule => !alone.has(rule.name))
      .flatMap((rule, index, left) => left.slice(0, index).map(other => [rule, other] as const))
      .filter(([rule, other]) => rule.name !== other.name && share(rule, other))
    const told = new Set<string>()
    for (const [rule, other] of pairs.slice(0, mostPairs)) {
      const found = told.has(rule.name) ? null : excludedSometime(app, entity.key, [other, rule])
      if (found === null) continue
      told.add(rule.name)
      tell(rule, [other], found)
    }
    const left = all.filter(({ name, mustHold }) => !alone.has(name) && !told.has(name) && mustHold.root.op !== 'and')
    for (const core of coresOf(app, entity.key, left, share)) {
      const rule = core.at(-1)!
      // Parts of one rule are that rule.
      const others = new Map(core.filter(({ name }) => name !== rule.name).map(one => [one.name, one]))
      tell(rule, [...others.values()], excludedSometime(app, entity.key, core)!)
    }
  }
}

/** Three and more that exclude each other though no two do: of those that share fields, the ones without which all could be met. */
function coresOf(
  app: App,
  entity: string,
  rules: readonly Refusing[],
  share: (one: Refusing, other: Refusing) => boolean,
): readonly (readonly Refusing[])[] {
  const cores: Refusing[][] = []
  const steps = (app.workflows.get(entity)?.transitions ?? []).map(({ key }) => key)
  for (const occasion of ['create', 'change', ...new Set(steps)]) {
    const asked = rules.filter(
      rule => (rule.on?.includes(occasion) ?? true) && isProvable(app, entity, rule) && !cores.flat().includes(rule),
    )
    for (const first of asked) {
      // Those that share a field with one that does, and so on: a set grows while it is gone through.
      const together = new Set([first])
      for (const one of together) for (const other of asked) if (share(one, other)) together.add(other)
      const isFirst = asked.find(one => together.has(one)) === first
      if (together.size < 3 || !isFirst || excludedSometime(app, entity, [...together]) === null) continue
      const core = [...together].reduceRight(
        (kept, rule) => {
          const fewer = kept.filter(one => one !== rule)
          return excludedSometime(app, entity, fewer) === null ? kept : fewer
        },
        asked.filter(one => together.has(one)),
      )
      cores.push(core)
    }
  }
  return cores
}

/** Everything that decides it can be tried. */
function isProvable(app: App, entity: string, { mustHold }: Refusing): boolean {
  const points = pointsOf(app, entity, [mustHold], { bounds: true, rules: [] })
  return points?.complete === true && points.settled
}

const refuses = ({ warns, mustHold }: Rule): boolean => !warns && !isUnspecified(mustHold)

/** What a rule asks for at once: all of it, and each of its parts, of which one may be tried where the others cannot. */
const conditionsOf = (rule: Refusing): readonly Refusing[] => {
  const { mustHold } = rule
  if (mustHold.root.op !== 'and') return [rule]
  return [rule, ...mustHold.root.parts.map(root => ({ ...rule, mustHold: { ...mustHold, root } }))]
}

/** The fields that a condition reads, and those that decide whether these may be filled. */
function fieldsBehind(app: App, entity: string, { mustHold }: Refusing): ReadonlySet<string> {
  const read = ({ root }: Tried) => allOf(root).flatMap(fieldOf)
  return new Set([mustHold, ...needsOf(app, entity, [mustHold], 'create')].flatMap(read))
}

/** When all are asked, but for before a record goes, which a rule may well forbid: all by themselves, or each time anything is written. */
function occasionsOf(app: App, entity: string, rules: readonly Rule[]): readonly string[] {
  const steps = (app.workflows.get(entity)?.transitions ?? []).map(({ key }) => key)
  return ['create', 'change', ...new Set(steps)].filter(
    occasion =>
      rules.every(({ on }) => on?.includes(occasion) ?? true) &&
      (occasion !== 'change' || rules.some(({ on }) => on !== null)),
  )
}

interface Excluded {
  readonly occasion: string
  /** The one field that they are about, where empty is what they let pass. */
  readonly onlyEmpty: string | null
  /** What fields need then, where that is in the way. */
  readonly needs: readonly Need[]
  readonly isBounded: boolean
  /** Values at which each of them refuses, as a sentence. */
  readonly proof: string
}

/** The first occasion on which no record meets all of them; null: it may, on each. */
function excludedSometime(app: App, entity: string, rules: readonly Refusing[]): Excluded | null {
  const occasions = occasionsOf(app, entity, rules)
  if (occasions.length === 0) return null
  const excluded = excludedByThemselves(app, entity, rules, true)
  if (excluded !== null) {
    const isBounded = excludedByThemselves(app, entity, rules, false) === null
    return { occasion: occasions[0]!, needs: [], isBounded, ...excluded }
  }
  const conditions = rules.map(({ mustHold }) => mustHold)
  for (const occasion of occasions) {
    const states = statesAfter(app, entity, occasion)
    const all = needsOf(app, entity, conditions, occasion)
    if (all.length === 0 && (states === null || rules.every(({ mustHold }) => !mustHold.reads.includes('state'))))
      continue
    const isRefused = (needs: readonly Need[]) => !meetable(app, entity, [...conditions, ...needs], states)
    if (!isRefused(all)) continue
    const needs = isRefused([]) ? [] : (all.map(need => [need]).find(isRefused) ?? all)
    return { occasion, needs, isBounded: false, onlyEmpty: null, proof: '' }
  }
  return null
}

/** False where it is proven that no record meets all of the conditions, in these states. */
function meetable(app: App, entity: string, conditions: readonly Tried[], states: readonly string[] | null): boolean {
  const points = pointsOf(app, entity, conditions, { bounds: true, rules: [], ...(states && { states }) })
  if (points === null || !points.complete || !points.settled || points.all.length === 0) return true
  return points.all.some(point => conditions.every(condition => !points.fails(condition, point)))
}

/** Where a record is once it was written; null: anywhere. */
function statesAfter(app: App, entity: string, occasion: string): readonly string[] | null {
  const workflow = app.workflows.get(entity)
  if (workflow === undefined || occasion === 'change') return null
  if (occasion === 'create') return startsOf(workflow)
  const states = workflow.transitions.filter(({ key }) => key === occasion).map(({ to }) => specified(to))
  return states.includes(null) ? null : states.filter(state => state !== null)
}

/** Null where a record may meet all of them, whatever its fields need. */
function excludedByThemselves(app: App, entity: string, rules: readonly Refusing[], bounds: boolean) {
  const points = pointsOf(
    app,
    entity,
    rules.map(({ mustHold }) => mustHold),
    { bounds, rules: [] },
  )
  if (points === null || !points.complete || !points.settled || points.all.length === 0) return null
  const [key, ...others] = Object.keys(points.all[0]!)
  const isFilled = (point: Points['all'][number]) => Object.values(point).every(value => value !== null)
  const passing = points.all.filter(point => rules.every(({ mustHold }) => !points.fails(mustHold, point)))
  const isEmptyOnly =
    key !== undefined && others.length === 0 && rules.every(({ mustHold }) => !asksForEmpty(mustHold.root))
  if (passing.some(point => !isEmptyOnly || isFilled(point))) return null
  const refusals = rules.flatMap(({ name, mustHold }) => {
    const at = points.all.find(
      point =>
        isFilled(point) &&
        points.fails(mustHold, point) &&
        rules.every(other => other.mustHold === mustHold || !points.fails(other.mustHold, point)),
    )
    return at === undefined || key === undefined ? [] : [`${name} refuses ${points.words(at)}`]
  })
  const proof = refusals.length === 0 ? '' : `${refusals.join(', ')}. `
  return { onlyEmpty: passing.length > 0 ? key! : null, proof }
}

const asksForEmpty = (node: Checked): boolean =>
  node.op === 'empty' || node.op === 'same' || partsOf(node).some(asksForEmpty)
