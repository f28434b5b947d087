/** What the page of a record tells of its past: what was changed from what to what and by whom, the newest first, and nothing of what is closed to its reader. */
import type { Entity } from '../headings/3-entities/model.ts'
import { fieldInfo } from '../web/site.ts'
import * as oracle from './oracle/rights.ts'
import { plainText } from './page.ts'
import type { About } from './parts.ts'
import type { Case } from './trial.ts'
import type { Told } from './world.ts'

/** Of so few entries none is left out. */
const allOf = 10

/** A change of a field, as the page says it; null: it was, or became, empty. */
interface Said {
  readonly who: string
  readonly label: string
  readonly before: string | null
  readonly after: string
}

const partsOf = (html: string): readonly string[] =>
  (/<ol class="tl">(.*)<\/ol>/s.exec(html)?.[1] ?? '').split(/<li[ >]/).slice(1)

function saidIn(html: string): readonly Said[] {
  return partsOf(html).flatMap(part => {
    const who = plainText(/<strong>(.*?)<\/strong>/s.exec(part)?.[1] ?? '')
    return [...part.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, label, change]) => {
      const before = /<del>(.*?)<\/del>/s.exec(change!)?.[1]
      const after = /<ins>(.*?)<\/ins>/s.exec(change!)?.[1] ?? ''
      return {
        who,
        label: plainText(label!),
        before: before === undefined ? null : plainText(before),
        after: plainText(after),
      }
    })
  })
}

/** What is not as it was, and what is too much; empty: nothing. */
export async function otherPast({ site, player, html }: About, one: Case, entity: Entity): Promise<readonly string[]> {
  // Who is told of it is said there; whoever comes by a link is not.
  if (entity.timeline !== null || player.link !== undefined) return []
  const { observatory } = site
  const id = String(one.record.id)
  const told = [...(await observatory.history(entity.key, id))]
    .reverse()
    .sort((left, right) => Number(right.at) - Number(left.at))
  const others = (await observatory.left(entity.key, id)).length + (await observatory.refusals(entity.key, id))
  const isWhole = told.length + others <= allOf
  const said = saidIn(html)
  const labelOf = (key: string) => fieldInfo(site.app, entity.key, key)?.label ?? key
  const keys = [...(site.app.workflows.has(entity.key) ? ['state'] : []), ...entity.fields.map(({ key }) => key)]
  const [seen, closed] = [true, false].map(is => keys.filter(key => oracle.seesField(one, { key }) === is))
  const open = new Set(seen!.map(labelOf))
  const shut = closed!.filter(key => !open.has(labelOf(key)) && said.some(({ label }) => label === labelOf(key)))
  const plain = seen!.filter(key => {
    const kind = entity.fields.find(field => field.key === key)?.kind ?? key
    const isAlone = keys.filter(other => labelOf(other) === labelOf(key)).length === 1
    return ['state', 'text', 'choice'].includes(kind) && isAlone && !oracle.toldOf(one).lines.has(key)
  })
  return [
    ...shut.map(key => `its past tells of ${key}`),
    ...plain.flatMap(key => {
      const there = said.filter(({ label }) => label === labelOf(key))
      return otherChanges(one, changesOf(told, key), there, isWhole).map(text => `its past, ${key}: ${text}`)
    }),
  ]
}

interface Change {
  readonly actor: string | null
  readonly before: unknown
  readonly after: unknown
}

const changesOf = (told: readonly Told[], key: string): readonly Change[] =>
  told.flatMap(({ actor, from, to, changes }) => {
    if (key === 'state') return from === to ? [] : [{ actor, before: from, after: to }]
    const change = changes[key]
    return Array.isArray(change) ? [{ actor, before: change[0], after: change[1] }] : []
  })

const spaced = (value: unknown): string | null =>
  typeof value === 'string' ? value.replace(/[\s\u00a0]+/g, ' ').trim() || null : null

/** The first that is told otherwise. `isWhole`: all of them should be. */
function otherChanges(
  { world }: Case,
  wanted: readonly Change[],
  there: readonly Said[],
  isWhole: boolean,
): readonly string[] {
  const names = new Map(world.records('person').map(({ id, name }) => [String(id), String(name)]))
  for (const [at, { who, before, after }] of there.entries()) {
    const is = wanted[at]
    if (is === undefined) return [`that it became ${after} is told, and never was`]
    const isSame = spaced(is.before) === before && (spaced(is.after) ?? after) === after
    if (!isSame) return [`it became ${after} from ${before ?? 'nothing'}, and not ${is.after} from ${is.before}`]
    const isOther = [...names.values()].includes(who) && names.get(String(is.actor)) !== who
    if (isOther) return [`${who} is said to have made it ${after}`]
  }
  return isWhole && there.length < wanted.length ? [`${there.length} of ${wanted.length} changes are told`] : []
}
