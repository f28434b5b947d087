/**
 * A list says what it filters: of two thousand addresses (a quarter of them, unless all of everything is run), each part is in force or named as not understood; what is in force is what lies
 * in the rows; and every control of the page, sent as it stands, leaves it as it is.
 */
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sampled } from '../../scripts/limits.ts'
import { sql } from '../expression/sql.ts'
import { readQuery } from '../kinds/screens/query.ts'
import type { Filter } from '../kinds/screens/screen-kind.ts'
import { addressOf } from '../kinds/screens/testing.ts'
import { done, input, readSound } from '../run/testing.ts'
import { create } from '../run/write/writes.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

interface Tool {
  readonly code: string
  readonly kind: 'Saw' | 'Drill'
  readonly state: string
  readonly electric: boolean
  readonly bought: string | null
  readonly cost: number | null
  readonly count: number
}

const since = { Saw: '2020-01-01', Drill: '2024-06-01' }

/** Monday, 2 March 2026, is today. */
const tools: readonly Tool[] = Array.from({ length: 20 }, (_, at) => ({
  code: String.fromCharCode(65 + at),
  kind: at % 3 === 0 ? 'Saw' : 'Drill',
  state: 'Ready',
  electric: at % 4 === 1,
  bought: at % 5 === 4 ? null : `2026-0${1 + (at % 3)}-0${1 + (at % 2)}`,
  cost: at % 6 === 5 ? null : at % 4,
  count: 1 + (at % 3),
}))

/** A part of an address, and whom it lets through; null: nobody understands it. */
interface Part {
  readonly name: string
  readonly values: readonly string[]
  readonly holds: ((tool: Tool) => boolean) | null
}

const part = (name: string, values: readonly string[], holds: Part['holds']): Part => ({ name, values, holds })
const some = <T>(...all: readonly T[]) => fc.subarray([...all], { minLength: 1 })

const understood: readonly fc.Arbitrary<Part>[] = [
  some('Ready', 'Broken', 'Gone').map(all => part('state', all, tool => all.includes(tool.state))),
  some('Ready', 'Broken').map(all => part('state.is-not', all, tool => !all.includes(tool.state))),
  fc.constantFrom('yes', 'no').map(is => part('electric', [is], tool => tool.electric === (is === 'yes'))),
  fc.constantFrom('0', '1', '2', '3').map(n => part('cost.at-least', [n], tool => (tool.cost ?? -1) >= Number(n))),
  some('0', '1', '2').map(all => part('cost.is-not', all, tool => !all.includes(String(tool.cost)))),
  fc.constantFrom('0', '1', '2').map(n => part('cost', [n], tool => tool.cost === Number(n))),
  fc.constantFrom('yes', 'no').map(is => part('cost.is-empty', [is], tool => (tool.cost === null) === (is === 'yes'))),
  fc.constantFrom('1', '2', '3').map(n => part('count.at-most', [n], tool => tool.count <= Number(n))),
  some('A', 'B', 'Q').map(all => part('code.is', all, tool => all.includes(tool.code))),
  fc
    .constantFrom('2026-01-01', '2026-02-02', '2026-03-01')
    .map(day => part('bought.before', [day], tool => tool.bought !== null && tool.bought < day)),
  fc.constantFrom('2026-01-02', '2026-03-02').map(day => part('bought', [day], tool => tool.bought === day)),
  fc.constant(part('bought.within', ['today'], tool => tool.bought === '2026-03-02')),
  fc.constant(part('bought.within', ['this-month'], tool => tool.bought?.startsWith('2026-03') === true)),
  fc.constantFrom('Saw', 'rill').map(text => part('kind.name', [text], tool => tool.kind.includes(text))),
  fc.constant(part('kind.since.before', ['2021-01-01'], tool => since[tool.kind] < '2021-01-01')),
]

const nonsense = fc.constantFrom(
  part('colour', ['red'], null),
  part('state', ['Nowhere'], null),
  part('cost.contains', ['3'], null),
  part('cost.at-least', ['much'], null),
  part('bought.after', ['31.02.2026'], null),
  part('bought.within', ['some-day'], null),
  part('kind.since.keeper.name', ['Ada'], null),
  part('electric', ['perhaps'], null),
  part('count.is-empty', ['often'], null),
)

const grouped = fc
  .tuple(fc.constantFrom(null, null, 1, 2), fc.oneof({ weight: 5, arbitrary: fc.oneof(...understood) }, nonsense))
  .map(([group, one]) => ({ group, ...one, name: group === null ? one.name : `${group}.${one.name}` }))

const addresses = fc.uniqueArray(grouped, { selector: ({ name }) => name, minLength: 1, maxLength: 4 })

type Address = readonly (Part & { readonly group: number | null })[]

const written = (parts: Address): URLSearchParams =>
  new URLSearchParams(parts.flatMap(({ name, values }) => values.map(value => [name, value])))

/** Every part that stands alone, and of those in groups all of one group at least. */
function lets(parts: Address, tool: Tool): boolean {
  const known = parts.flatMap(({ group, holds }) => (holds === null ? [] : [{ group, holds }]))
  const groups = [...new Set(known.flatMap(({ group }) => group ?? []))]
  const all = (of: number | null) => known.every(({ group, holds }) => group !== of || holds(tool))
  return all(null) && (groups.length === 0 || groups.some(all))
}

let web: TestWeb
let keeper: TestBrowser

beforeAll(async () => {
  const shed = readSound(join(import.meta.dirname, 'fixtures/shed.md'), text =>
    text.replace('- **Views shared by', '- **Filters:** kind.name, cost, electric, state, bought\n$&'),
  )
  web = await startTestWeb(inject('databaseUrl'), shed)
  const kinds = new Map(
    (await web.run.runtime.store.query<{ name: string; id: string }>(sql`select name, id from public.kind`)).map(
      ({ name, id }) => [name, id],
    ),
  )
  const as = await web.run.as('Kira')
  for (const { code, kind, electric, bought, cost, count } of tools)
    done(
      await create(
        web.run.runtime,
        as,
        'tool',
        input({
          code,
          name: `${kind} ${code}`,
          kind: kinds.get(kind)!,
          price: '1',
          count: String(count),
          electric,
          ...(bought === null ? {} : { bought }),
          ...(cost === null ? {} : { cost: String(cost) }),
        }),
      ),
    )
  keeper = await web.browser('Kira')
})
afterAll(() => web?.stop())

const plain = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot|#x27);/g,
    (_, name: 'amp') => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" })[name],
  )

/** What the form of the filters sends as it stands. */
function sent(html: string): URLSearchParams {
  const form = /<form[^>]*class="filters"[^>]*>.*?<\/form>/s.exec(html)![0]
  const query = new URLSearchParams()
  const attribute = (tag: string, name: string) => plain(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
  for (const [tag, inside = ''] of form.matchAll(/<input[^>]*>|<select[^>]*>(.*?)<\/select>/gs)) {
    const name = attribute(tag.slice(0, tag.indexOf('>')), 'name')
    const chosen = tag.startsWith('<select') ? (/<option[^>]* selected=""[^>]*>/.exec(inside)?.[0] ?? '') : tag
    const value = attribute(chosen, 'value')
    if (name !== '' && value !== '') query.append(name, value)
  }
  return query
}

test('what a page says that it filters is what it filters, in each of two thousand addresses, whatever is pressed next', async () => {
  const { app } = web.run.runtime
  const entity = app.entities.get('tool')!
  const filtersOf = (query: URLSearchParams): readonly Filter[] =>
    readQuery(entity, app, addressOf(String(query)), []).filters
  const set = (filters: readonly Filter[]) => filters.map(one => JSON.stringify(one)).sort()
  const hrefs = (html: string, pattern: RegExp) => Array.from(html.matchAll(pattern), ([, href]) => plain(href!))
  for (const parts of fc.sample(addresses, { numRuns: sampled(2000), seed: 23 })) {
    const query = written(parts)
    const { status, text } = await keeper.get(`/tools?${query}`)
    const shown = Array.from(text.matchAll(/class="ttl" href="\/tools\/([^"?]+)/g), ([, code]) => code)
    const wanted = tools.filter(tool => lets(parts, tool)).map(({ code }) => code)
    expect([String(query), status, shown]).toEqual([String(query), 200, wanted])

    const now = set(filtersOf(query))
    // Each part is a filter that stands there in words, or is named.
    const strange = parts.filter(({ holds }) => holds === null)
    for (const { name, values } of strange) expect(plain(text)).toContain(`${name}=${values.join(', ')}`)
    const removals = hrefs(text, /<li class="chip">.*?<a href="([^"]*)"/gs)
    expect([String(query), removals.length]).toEqual([String(query), now.length])
    const left = removals.map(href => set(filtersOf(new URL(href, 'http://x').searchParams)))
    expect(left.every(one => one.length === now.length - 1 && one.every(filter => now.includes(filter)))).toBe(true)
    expect(new Set(left.map(String)).size).toBe(now.length)

    // Every control sends what is in force, and every link that changes something else keeps it.
    expect([String(query), set(filtersOf(sent(text)))]).toEqual([String(query), now])
    const others = hrefs(text, /<th[^>]*><a href="(\/tools[^"]*)"/g)
    for (const href of others.slice(0, 2)) expect(set(filtersOf(new URL(href, 'http://x').searchParams))).toEqual(now)
  }
})
