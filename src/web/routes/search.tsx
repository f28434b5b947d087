/** `/-/search?q=`: everything that answers to it; `/-/search.json`: the same for the palette. */
import { isStorable } from '../../kinds/fields/texts.ts'
import { SearchPage } from '../../ui/search.tsx'
import { longestSearch } from '../bounds.ts'
import { pageOf } from '../pages.tsx'
import { findPath } from '../paths.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json, seeOther } from '../response.ts'
import { numbered, searchAll } from '../screens/search.ts'

const askedIn = ({ query }: RequestContext) => {
  const search = (query.get('q') ?? '').slice(0, longestSearch)
  const from = query.get('from')
  return {
    search: isStorable(search) ? search.trim() : '',
    from: from?.startsWith('/') === true ? from : null,
  }
}

export async function searchPage(context: RequestContext): Promise<HttpResponse> {
  const { words } = context.site.reader
  const { search, from } = askedIn(context)
  const found = await searchAll(context, search, from)
  const record = numbered(found.groups, search)
  if (record !== null) return seeOther(record)
  return pageOf(context, {
    title: [...(search === '' ? [] : [search]), words('find')],
    content: <SearchPage action={findPath} search={search} from={from} {...found} />,
  })
}

export async function searchJson(context: RequestContext): Promise<HttpResponse> {
  const { words } = context.site.reader
  const { search, from } = askedIn(context)
  const { groups, notes } = await searchAll(context, search, from)
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  return json({ groups, notes, told: count === 0 ? words('pickNone') : words('pickFound', { count }) })
}
