/** Rules that no record meets: by themselves, because of the bounds of a field, or beside another rule. Told only where it is proven. */
import { reporter } from '../../document/diagnostic.ts'
import type { Checked } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import type { Expression } from '../../expression/expression.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { type Points, pointsOf } from '../points.ts'
import { isUnspecified } from '../specified.ts'
import { ruleCodes } from './codes.ts'
import type { Rule } from './model.ts'

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
    const tell = (rule: Refusing, beside: string, related: Refusing | null, found: Excluded) => {
      const occasion = occasionOf(rule, related ?? rule)
      const step = app.workflows.get(entity.key)?.transitions.find(({ key }) => key === occasion)
      const refused =
        found.onlyEmpty !== null
          ? `\`${found.onlyEmpty}\` can only stay empty`
          : step !== undefined
            ? `\`${step.name}\` is always refused`
            : `no ${entity.name} can be ${occasion === 'change' ? 'changed' : 'created'}`
      const others = related === null ? [] : [{ span: related.mustHold.cell, message: `${related.name} says so` }]
      const parameters = { rule: rule.name, beside, refused, proof: found.proof }
      report('N1508', rule.mustHold.cell, parameters, { related: others })
    }
    const alone = new Set<string>()
    for (const rule of all) {
      if (alone.has(rule.name)) continue
      const found = occasionOf(rule, rule) === null ? null : excluded(app, entity.key, [rule], true)
      if (found === null) continue
      alone.add(rule.name)
      const isBounded = excluded(app, entity.key, [rule], false) === null
      tell(rule, isBounded ? ' within the bounds of its fields' : '', null, found)
    }
    const pairs = all
      .filter(rule => !alone.has(rule.name))
      .flatMap((rule, index, left) => left.slice(0, index).map(other => [rule, other] as const))
      .filter(([rule, other]) => rule.name !== other.name)
      .filter(([rule, other]) => occasionOf(rule, other) !== null && shareField(rule, other))
    const told = new Set<string>()
    for (const [rule, other] of pairs.slice(0, mostPairs)) {
      const found = told.has(rule.name) ? null : excluded(app, entity.key, [other, rule], true)
      if (found === null) continue
      told.add(rule.name)
      tell(rule, ` beside ${other.name}`, other, found)
    }
  }
}

const refuses = ({ warns, mustHold }: Rule): boolean => !warns && !isUnspecified(mustHold)

/** What a rule asks for at once: all of it, and each of its parts, of which one may be tried where the others cannot. */
const conditionsOf = (rule: Refusing): readonly Refusing[] => {
  const { mustHold } = rule
  if (mustHold.root.op !== 'and') return [rule]
  return [rule, ...mustHold.root.parts.map(root => ({ ...rule, mustHold: { ...mustHold, root } }))]
}

const shareField = (one: Refusing, other: Refusing): boolean =>
  one.mustHold.reads.some(read => other.mustHold.reads.includes(read))

/** When both are asked; null: never together, or only before a record goes, which a rule may well forbid. */
function occasionOf(one: Rule, other: Rule): string | null {
  const [first, second] = [one.on ?? other.on ?? ['create'], other.on ?? one.on ?? ['create']]
  return first.find(on => on !== 'delete' && second.includes(on)) ?? null
}

interface Excluded {
  /** The one field that they are about, where empty is what they let pass. */
  readonly onlyEmpty: string | null
  /** Values at which each of them refuses, as a sentence. */
  readonly proof: string
}

/** Null where a record may meet all of them. */
function excluded(app: App, entity: string, rules: readonly Refusing[], bounds: boolean): Excluded | null {
  const points = pointsOf(
    app,
    entity,
    rules.map(({ mustHold }) => mustHold),
    { bounds, rules: [] },
  )
  if (points === null || !points.complete || !points.settled) return null
  const [key, ...others] = Object.keys(points.all[0] ?? {})
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
