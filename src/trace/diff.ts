/**
 * `ninefold diff`: what two documents say differently, in business words and by its effect: who gains or loses access, which rule holds
 * now, which number is another. Compares the two Apps, not their texts. Prose, sample data, examples and scenarios decide nothing,
 * and are left out.
 */
import type { App } from '../headings/app.ts'
import { accessDifferences, roleThings } from './diff/access.ts'
import { backwardDifferences } from './diff/backwards.ts'
import { noRenames, renamesBetween } from './diff/meaning.ts'
import { stuckDifferences } from './diff/stuck.ts'
import type { Aspect, Difference, Thing } from './diff/thing.ts'
import { thingsOf } from './diff/things.ts'

export type { Difference } from './diff/thing.ts'

/** In the order of the headings; none where the documents mean the same. `today`: which days are past. */
export function diffApps(before: App, after: App, today: string): readonly Difference[] {
  const renames = renamesBetween(before, after)
  const [were, are] = paired(
    [...thingsOf(before, renames), ...roleThings(before, renames)],
    [...thingsOf(after, noRenames), ...roleThings(after, noRenames)],
  )
  const old = new Map(were.map(thing => [thing.id, thing]))
  const now = new Map(are.map(thing => [thing.id, thing]))
  const found: Difference[] = []
  for (const thing of now.values()) {
    const was = old.get(thing.id)
    if (was !== undefined) found.push(...aspectDifferences(was, thing))
    else if (thing.within === undefined || old.has(thing.within))
      found.push({ section: thing.section, text: thing.comes, before: null, after: thing.cell })
  }
  for (const thing of old.values())
    if (!now.has(thing.id) && (thing.within === undefined || now.has(thing.within)))
      found.push({ section: thing.section, text: thing.goes, before: thing.cell, after: null })
  found.push(
    ...accessDifferences(before, after, renames),
    ...stuckDifferences(before, after, renames),
    ...backwardDifferences(before, after, today),
  )
  return found.sort((one, other) => one.section - other.section)
}

/**
 * What has no name is the same thing where it says the same; of what is left, where most of it is the same; and then by its place. Things
 * that belong together get one id.
 */
function paired(old: readonly Thing[], now: readonly Thing[]): readonly [readonly Thing[], readonly Thing[]] {
  const ids = new Map<Thing, string>()
  for (const among of new Set([...old, ...now].flatMap(thing => thing.among ?? []))) {
    const [were, are] = [old, now].map(things => things.filter(thing => thing.among === among)) as [Thing[], Thing[]]
    const pairs = were.flatMap((was, at) =>
      are.map((is, to) => ({ was, is, same: alike(was, is), apart: Math.abs(at - to) })),
    )
    for (const { was, is } of pairs.sort((one, other) => other.same - one.same || one.apart - other.apart)) {
      if (ids.has(was) || ids.has(is)) continue
      ids.set(was, is.id).set(is, is.id)
    }
    for (const was of were) if (!ids.has(was)) ids.set(was, `${was.id}, before`)
  }
  const named = (things: readonly Thing[]) => things.map(thing => ({ ...thing, id: ids.get(thing) ?? thing.id }))
  return [named(old), named(now)]
}

/** How many of the things that they say are the same. */
const alike = (was: Thing, is: Thing): number =>
  is.aspects.filter(({ name, meaning }) => was.aspects.some(one => one.name === name && one.meaning === meaning)).length

function aspectDifferences(was: Thing, is: Thing): readonly Difference[] {
  if (was.unused !== is.unused && (was.unused ?? is.unused) !== undefined)
    return [{ section: is.section, text: is.unused ?? `${is.id} is used again`, before: was.cell, after: is.cell }]
  return is.aspects.flatMap(aspect => {
    const old = was.aspects.find(({ name }) => name === aspect.name)
    if (old === undefined || old.meaning === aspect.meaning || isInOrder(old, aspect)) return []
    return [{ section: is.section, text: aspect.tell(old.words, aspect.words), before: old.cell, after: aspect.cell }]
  })
}

/** What stands in both lists stands in the same order. */
function isInOrder({ order: old }: Aspect, { order: now }: Aspect): boolean {
  if (old === undefined || now === undefined) return false
  const both = (list: readonly string[], other: readonly string[]) => list.filter(one => other.includes(one)).join('\n')
  return both(old, now) === both(now, old)
}
