/** What is asked of the twins of any document: its screens, lists, searches and records; and by each value that somebody does not see. */
import { identifier, join, sql } from '../../src/expression/sql.ts'
import type { App } from '../../src/headings/app.ts'
import { specified } from '../../src/headings/specified.ts'
import { fieldKind } from '../../src/kinds/fields/index.ts'
import { kindOf } from '../../src/kinds/screens/index.ts'
import { filterName } from '../../src/kinds/screens/query.ts'
import { tableSql } from '../../src/run/names.ts'
import type { Store } from '../../src/store/pool.ts'
import type { Question } from './questions.ts'
import type { UnseenValues } from './twins.ts'

/** What the controls of lists, calendars, timelines, pivots and dashboards put into addresses. */
const asOften = [
  'q=Zw',
  '_export=csv',
  'view=quarter',
  'rows=owner&rows=state&across=kind',
  'period=quarter&against=before',
]

/** Everything there is, alike for everybody. */
export async function questionsOf(store: Store, app: App): Promise<readonly Question[]> {
  const asked: Question[] = []
  for (const [entity, { fields, partOf }] of app.entities) {
    const list = `/api/v1/${entity}`
    const ids = await store.query<{ id: string }>(sql`select id from ${tableSql(entity)} order by id limit 12`)
    for (const { id } of ids) {
      asked.push({ path: `/-/why?entity=${entity}&id=${id}` }, { path: `${list}/${id}` })
      for (const body of ['{}', '{"nonsense":1}'])
        asked.push({
          path: `${list}/${id}`,
          method: 'PATCH',
          headers: { 'content-type': 'application/json', 'if-match': '"9"' },
          body,
        })
    }
    for (const { key, type } of fields)
      if (type.kind === 'reference') asked.push({ path: `/-/options?entity=${entity}&field=${key}` })
    if (partOf !== null) continue
    asked.push({ path: `${list}?count=yes&limit=7`, walk: true }, { path: `${list}?q=Zw&count=yes` })
    for (const { key } of fields)
      asked.push({ path: `${list}?sort=${key}&limit=9`, walk: true }, { path: `${list}?${key}.is-empty=yes&count=yes` })
  }
  const paths = await pathsOf(store, app)
  for (const { path, isPlain } of paths) {
    asked.push({ path })
    if (isPlain) for (const query of asOften) asked.push({ path: `${path}?${query}` })
  }
  // A record that is opened from a list has neighbours there.
  for (const list of paths.filter(({ isListing }) => isListing))
    for (const { path, entity, isPlain } of paths)
      if (entity === list.entity && !isPlain) asked.push({ path: `${path}?_list=${encodeURIComponent(list.path)}` })
  asked.push({ path: '/' }, { path: '/api/v1/openapi.json' }, { path: '/-/search.json?q=Zw' })
  return asked
}

interface ScreenPath {
  readonly path: string
  readonly entity: string | null
  /** It names no record. */
  readonly isPlain: boolean
  readonly isListing: boolean
}

/** Addresses of all screens, with those of some of their records. */
async function pathsOf(store: Store, app: App): Promise<readonly ScreenPath[]> {
  const paths: ScreenPath[] = []
  for (const screen of app.screens) {
    const route = specified(screen.route)
    if (route === null) continue
    const named = route.segments.flatMap(one => ('field' in one ? [one.field] : []))
    const entity = specified(screen.shows)?.entity
    const records =
      named.length === 0
        ? [{}]
        : entity === undefined || entity === null
          ? []
          : await store.query<Readonly<Record<string, string>>>(
              sql`select ${join(
                named.map(field => sql`${identifier(field)}::text`),
                ', ',
              )} from ${tableSql(entity)} order by id limit 8`,
            )
    for (const record of records) {
      const parts = route.segments.map(one => ('text' in one ? one.text : encodeURIComponent(record[one.field] ?? '')))
      const isPlain = named.length === 0
      const isListing = isPlain && kindOf(screen)?.isListing === true
      paths.push({ path: `/${parts.join('/')}`, entity: entity ?? null, isPlain, isListing })
    }
  }
  return paths
}

/**
 * By what somebody does not see, as it is here and as it is in the twin: filters with each comparison, orders, searches, pages, files of
 * figures, and views that are saved.
 */
export function questionsBy(app: App, unseen: readonly UnseenValues[]): readonly Question[] {
  const asked: Question[] = []
  for (const { entity, field, values } of unseen) {
    const { kind, parameters } = app.entities.get(entity)!.fields.find(({ key }) => key === field)!
    const filterable = { kind: fieldKind(kind), parameters }
    const api = app.entities.get(entity)!.partOf === null ? [`/api/v1/${entity}`] : []
    const screens = app.screens.filter(
      ({ shows, route }) =>
        specified(shows)?.entity === entity && specified(route)?.segments.every(one => 'text' in one) === true,
    )
    const pages = screens.map(screen => ({
      path: `/${specified(screen.route)!
        .segments.map(one => ('text' in one ? one.text : ''))
        .join('/')}`,
      isListing: kindOf(screen)?.isListing === true,
    }))
    for (const list of api)
      for (const sort of [field, `-${field}`]) asked.push({ path: `${list}?sort=${sort}&limit=5`, walk: true })
    for (const { path, isListing } of pages) if (isListing) asked.push({ path: `${path}?_by=${field}` })
    for (const value of values) {
      const given = encodeURIComponent(value)
      const named = `${field}=${given}`
      for (const list of api) {
        for (const comparison of filterable.kind.filters)
          if (comparison !== 'is empty')
            asked.push({ path: `${list}?${filterName(field, comparison, filterable)}=${given}&count=yes` })
        asked.push({ path: `${list}?q=${given}&count=yes` })
      }
      asked.push({ path: `/-/search.json?q=${given}` })
      for (const { path, isListing } of pages) {
        asked.push({ path: `${path}?${named}` })
        if (!isListing) continue
        asked.push({ path: `${path}?_by=${field}&_folded=${given}` }, { path: `${path}?_folded=${given}` })
        asked.push({ path: `${path}?q=${given}` }, { path: `${path}?_export=csv&${named}` })
        const view = { _list: `${path}?${named}`, name: `By ${field}`, do: 'save' }
        asked.push({ path: '/-/view', method: 'POST', form: view }, { path })
      }
    }
  }
  return asked
}
