/** Addresses of a list: the same list in another order, with one filter more or less, on another page. Pure; `path` is without a query. */
import type { Sort } from './screen-kind.ts'

/** Order, filter or number of rows change: the page begins anew. */
export const pageNames: readonly string[] = ['after', 'before']

function address(path: string, query: URLSearchParams, change: (copy: URLSearchParams) => void): string {
  return changed(path, query, copy => {
    change(copy)
    for (const [name, value] of [...copy]) if (value.trim() === '') copy.delete(name, value)
  })
}

/** What is set to nothing stays so: a pivot without columns. */
function changed(path: string, query: URLSearchParams, change: (copy: URLSearchParams) => void): string {
  const copy = new URLSearchParams(query)
  change(copy)
  const text = copy.toString()
  return text === '' ? path : `${path}?${text}`
}

const fromTheStart = (query: URLSearchParams): void => {
  for (const name of pageNames) query.delete(name)
}

/** Sorted by a field: upwards first, then the other way round. `now` is the order in force. */
export function sortHref(path: string, query: URLSearchParams, field: string, now: readonly Sort[]): string {
  const first = now[0]
  const descending = first?.field === field && !first.descending
  return address(path, query, copy => {
    fromTheStart(copy)
    copy.set('sort', descending ? `-${field}` : field)
  })
}

/** With one filter (`state`, `due_back.before`) set to one value, in place of what it was. */
export function filterHref(path: string, query: URLSearchParams, name: string, value: string): string {
  return address(path, query, copy => {
    fromTheStart(copy)
    copy.set(name, value)
  })
}

/** Without a filter or the search (`q`); with `value` without that one of several values only. */
export function withoutHref(path: string, query: URLSearchParams, name: string, value?: string): string {
  return address(path, query, copy => {
    fromTheStart(copy)
    copy.delete(name, value)
  })
}

/** What a reader chose of how the list looks: it stays when filters change. */
export const columnsName = '_columns'
/** `all`: every record is counted, however many there are. */
export const countName = '_count'
/** `yes`: words of the search may be one letter off. */
export const similarName = '_similar'
/** The group of a board that a phone shows. */
export const groupName = '_group'
/** A view of the document, by its key; `all`: none. */
export const viewName = '_view'
/** What the rows are grouped by, as the document would write it; `-`: nothing. */
export const groupedName = '_by'
export const noGroup = '-'
/** A group of which no row is shown. */
export const foldedName = '_folded'
/** The measure by which rows of a pivot stand, largest first: its place among those that are shown. */
export const measureName = '_largest'
/** The view of all records, which every list has. */
export const allView = 'all'

/** The list as a view has it: no filter, order or column of the reader's own. */
export const viewHref = (path: string, view: string): string => `${path}?${new URLSearchParams({ [viewName]: view })}`

const looks = ['sort', columnsName, viewName, groupedName]

/** Without any filter or search; the order and the columns stay, and what `more` names: how a page of this kind is looked at. */
export function clearHref(path: string, query: URLSearchParams, more: readonly string[] = []): string {
  return changed(path, query, copy => {
    for (const name of new Set(copy.keys())) if (!looks.includes(name) && !more.includes(name)) copy.delete(name)
  })
}

/** Grouped by something else. */
export function groupHref(path: string, query: URLSearchParams, by: string): string {
  return address(path, query, copy => {
    fromTheStart(copy)
    copy.delete(foldedName)
    copy.set(groupedName, by)
  })
}

/** Rows stand by a measure; by the one that they stand by already: as before. */
export function largestHref(path: string, query: URLSearchParams, place: number): string {
  return changed(path, query, copy => {
    const isNow = copy.get(measureName) === String(place)
    copy.delete(measureName)
    if (!isNow) copy.set(measureName, String(place))
  })
}

/** With one group folded, or no longer; the page is the same. */
export function foldHref(path: string, query: URLSearchParams, value: string): string {
  return changed(path, query, copy => {
    if (copy.has(foldedName, value)) copy.delete(foldedName, value)
    else copy.append(foldedName, value)
  })
}

/** The page after or before a place; null: the first. */
export function pageHref(
  path: string,
  query: URLSearchParams,
  place: { readonly after: string } | { readonly before: string } | null,
): string {
  return address(path, query, copy => {
    fromTheStart(copy)
    if (place !== null) for (const [name, value] of Object.entries(place)) copy.set(name, value)
  })
}

/** Parameters that a form of filters has to carry along: the order, the columns. */
export function keptParameters(query: URLSearchParams): readonly { readonly name: string; readonly value: string }[] {
  return looks.flatMap(name => {
    const value = query
      .getAll(name)
      .filter(text => text.trim() !== '')
      .join(',')
    return value === '' ? [] : [{ name, value }]
  })
}

/** And those of a form that has controls only for some: all others stay as they are. */
export function otherParameters(
  query: URLSearchParams,
  controls: readonly string[],
): readonly { readonly name: string; readonly value: string }[] {
  const own = [...controls, ...pageNames, ...looks]
  const others = [...query].filter(
    ([name, value]) => !name.startsWith('_') && !own.includes(name) && value.trim() !== '',
  )
  return [...keptParameters(query), ...others.map(([name, value]) => ({ name, value }))]
}
