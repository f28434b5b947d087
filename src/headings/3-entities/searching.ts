/**
 * What rules of a field may search for. They are asked before the record is saved: what is saved with it would not be found, or as it was
 * before.
 */
import { reporter } from '../../document/diagnostic.ts'
import type { Checked } from '../../expression/checked.ts'
import { computedRoot, partsOf, pathsOf } from '../../expression/computed.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Context } from '../context.ts'
import { entityCodes } from './codes.ts'

type Search = Extract<Checked, { readonly source: unknown }>

/** Reports a search that could not find what it should, and takes the expression out. */
export function checkSearches(context: Context, entity: string, expression: Expression | null): Expression | null {
  if (expression === null) return null
  const why = searchesIn(context, expression.root, true, new Set()).flatMap(
    one => whyNot(context, entity, one) ?? [],
  )[0]
  if (why === undefined) return expression
  const { report } = reporter(entityCodes, 3, context.found)
  report('N1325', expression.cell, { written: expression.cell.text, ...why })
  return null
}

/** Reports a choice that goes by rows of the record that is being written, and takes it out. */
export function checkChoice(context: Context, entity: string, expression: Expression | null): Expression | null {
  if (expression === null || !readsRows(context, expression.root)) return expression
  const why = `the rows of this ${context.entityByKey.get(entity)!.name} are saved with it`
  const { report } = reporter(entityCodes, 3, context.found)
  report('N1325', expression.cell, { written: expression.cell.text, why, instead: 'Write' })
  return null
}

interface FoundSearch {
  readonly search: Search
  /** `this` in it is the record of the rule, not one that it leads to. */
  readonly own: boolean
}

/** Those of computed fields on the way, too. */
export function searchesIn(
  context: Context,
  node: Checked,
  own: boolean,
  seen: ReadonlySet<Checked>,
): readonly FoundSearch[] {
  if (seen.has(node)) return []
  const inside = new Set([...seen, node])
  const here = 'source' in node && node.source.kind === 'records' ? [{ search: node, own }] : []
  const computed = pathsOf(node).flatMap(({ base, steps }) =>
    steps.flatMap((step, at) => {
      const root = step.computed ? computedRoot(context.schema, step.entity, step.field) : null
      return root === null
        ? []
        : searchesIn(context, root, own && at === 0 && (base === 'own' || base === 'this'), inside)
    }),
  )
  return [...here, ...partsOf(node).flatMap(part => searchesIn(context, part, own, inside)), ...computed]
}

function whyNot(
  context: Context,
  entity: string,
  { search, own }: FoundSearch,
): { readonly why: string; readonly instead: string } | null {
  const { source } = search
  if (source.kind === 'list') return null
  const nameOf = (key: string) => context.entityByKey.get(key)!.name
  if (own && partsOf(search).some(part => readsRows(context, part)))
    return { why: `the rows of this ${nameOf(entity)} are saved with it`, instead: 'Write' }
  if (rootOf(context, source.entity) !== rootOf(context, entity)) return null
  const isRow = context.schema.get(entity)?.parent !== undefined
  if (source.entity !== entity || isRow || !own)
    return { why: `${nameOf(source.entity)} is saved with this ${nameOf(entity)}`, instead: 'Write' }
  if (source.other) return null
  return {
    why: `this ${nameOf(entity)} would not be counted, or as it was before`,
    instead: `Write \`other ${nameOf(entity)}\` for all but this one, or`,
  }
}

/** What the record is saved with in the end. */
function rootOf(context: Context, entity: string): string {
  const seen = new Set<string>()
  let at = entity
  for (
    let up = context.schema.get(at)?.parent;
    up !== undefined && !seen.has(at);
    up = context.schema.get(at)?.parent
  ) {
    seen.add(at)
    at = up
  }
  return at
}

/** Rows of `this`, also where a computed field adds them up. */
function readsRows(context: Context, node: Checked): boolean {
  if ('source' in node && node.source.kind === 'list' && node.source.path.base === 'this')
    return node.source.parent !== null
  const isSummed = pathsOf(node).some(
    ({ base, steps }) =>
      base === 'this' &&
      steps.some(step => {
        const root = step.computed ? computedRoot(context.schema, step.entity, step.field) : null
        return root !== null && hasLists(root)
      }),
  )
  return isSummed || partsOf(node).some(part => readsRows(context, part))
}

const hasLists = (node: Checked): boolean =>
  ('source' in node && node.source.kind === 'list' && node.source.parent !== null) || partsOf(node).some(hasLists)
