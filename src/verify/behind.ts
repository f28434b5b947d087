/** A report beyond its page as it opens: the records behind a group, and what other answers to what it asks lead to. */
import type { Grouping, Parameter } from '../headings/2-screens/model.ts'
import { type AskedTexts, type Counting, type countedIn, grouped } from './amounts.ts'
import type { Player, Site } from './client.ts'
import { dayOf, wireDay } from './oracle/values.ts'
import { openPage, unescaped } from './page.ts'
import { addressesOf, addressesOn } from './shown.ts'

/** Groups of one page that are opened. */
const groupsAtMost = 3

/** A report as it stands, for somebody. */
interface Standing extends Counting {
  readonly player: Player
  readonly entity: string
  readonly rows: readonly Grouping[]
  readonly records: Awaited<ReturnType<typeof countedIn>>
  readonly html: string
}

/** Behind a group stand its own records alone: of those that are grouped by what they say. */
export async function otherBehind(of: Standing): Promise<readonly string[]> {
  const { site, player, entity, rows, records, html } = of
  if (rows.length === 0 || rows.some(({ unit }) => unit !== null)) return []
  const groups = new Map([...grouped(of, rows, entity, records)].map(([key, set]) => [key, new Set(set)]))
  const pages = new Map<unknown, readonly string[]>()
  for (const record of records)
    pages.set(record, await addressesOf(site, site.app.entities.get(entity)!, String(record.id)))
  const wrong: string[] = []
  let opened = 0
  for (const [, href] of html.matchAll(/href="([^"]*[?&;]group\.0=[^"]*)"/g)) {
    const query = new URL(unescaped(href!), site.url).searchParams
    const key = rows.map((_, at) => query.get(`group.${at}`) || 'null').join('\n')
    const own = groups.get(key)
    if (own === undefined || opened === groupsAtMost) continue
    opened++
    const page = await openPage(site, player, unescaped(href!))
    if (page.kind !== 'shown') return [`the records behind a group are not shown: ${page.why}`]
    const there = new Set(addressesOn(page.html))
    const strange = records.filter(one => !own.has(one) && pages.get(one)!.some(address => there.has(address)))
    if (strange.length > 0) wrong.push(`behind ${key.replaceAll('\n', ', ')} stand ${strange.length} of other groups`)
  }
  return wrong
}

/** Days that are given in place of what is preset. */
const days = [-4000, -400, -60, -14, -3, 3, 14, 60, 400]

/** An answer to one of the days that a report asks for, with which it counts other records, and some; null: none does. */
export function otherAnswer(
  { world }: { readonly site: Site; readonly world: Counting['world'] },
  parameters: readonly Parameter[],
  asked: AskedTexts,
  count: (asked: AskedTexts) => readonly unknown[],
): { readonly query: Readonly<Record<string, string>>; readonly asked: AskedTexts } | null {
  const preset = count(asked).length
  for (const { key, type } of parameters) {
    if (type.kind !== 'date') continue
    for (const day of days) {
      const text = `today ${day < 0 ? '-' : '+'} ${Math.abs(day)}`
      const given = new Map(asked).set(key, text)
      const found = count(given).length
      if (found > 0 && found !== preset) return { query: { [key]: wireDay(dayOf(world.today) + day) }, asked: given }
    }
  }
  return null
}
