/** `/-/search?q=`: everything that answers to it; `/-/search.json`: the same for the palette. */
import { SearchPage } from '../../ui/search.tsx'
import { type Answer, json, seeOther } from '../answer.ts'
import { longestSearch } from '../bounds.ts'
import type { Exchange } from '../exchange.ts'
import { pageOf } from '../pages.tsx'
import { findPath } from '../paths.ts'
import { numbered, searchAll } from '../screens/search.ts'

const askedIn = ({ query }: Exchange) => {
  const search = (query.get('q') ?? '').slice(0, longestSearch)
  const from = query.get('from')
  return {
    search: search.isWellFormed() && !search.includes('\0') ? search.trim() : '',
    from: from?.startsWith('/') === true ? from : null,
  }
}

export async function searchPage(exchange: Exchange): Promise<Answer> {
  const { words } = exchange.site.reader
  const { search, from } = askedIn(exchange)
  const found = await searchAll(exchange, search, from)
  const record = numbered(found.groups, search)
  if (record !== null) return seeOther(record)
  return pageOf(exchange, {
    title: [...(search === '' ? [] : [search]), words('find')],
    content: <SearchPage action={findPath} search={search} from={from} {...found} />,
  })
}

export async function searchJson(exchange: Exchange): Promise<Answer> {
  const { words } = exchange.site.reader
  const { search, from } = askedIn(exchange)
  const { groups, notes } = await searchAll(exchange, search, from)
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  return json({ groups, notes, told: count === 0 ? words('pickNone') : words('pickFound', { count }) })
}
