/** What somebody is shown in a scenario, over HTTP: fields of a record, records on a screen, what a search finds. Null: as the row says. */
import type { Wire } from '../expression/type.ts'
import type { Entity } from '../headings/3-entities/model.ts'
import type { ScenarioWhat } from '../headings/app.ts'
import { specified } from '../headings/specified.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { dateIn } from '../run/clock.ts'
import { fieldIn, routeHref } from '../web/routes.ts'
import { ask, isOk, type Player, type Site } from './client.ts'
import { CannotArrange, writtenOf } from './drafts.ts'
import { nextPage, openPage, pagesAtMost, plainText } from './page.ts'
import { reach } from './reach.ts'
import { isSame, known, rowOf, type Stage } from './stage.ts'
import { visitor } from './world.ts'

export async function isTold(
  { site, records }: Stage,
  { record, fields, values, state, not }: ScenarioWhat & { readonly kind: 'told' },
  player: Player,
): Promise<string | null> {
  const { entity, id, by } = known(records, record)
  const body = await answerOf(site, player, entity, id)
  if (body === null) return `${player.name} does not see ${record}`
  const there = fields.filter(key => key in body)
  if (not) return there.length === 0 ? null : `${there.join(', ')} is shown`
  const missing = fields.filter(key => !(key in body))
  if (missing.length > 0) return `${missing.join(', ')} is not shown`
  if (state !== null && body.state !== state) return `state is ${String(body.state)}`
  // Values are those of the document: whoever looks need not see what they name.
  const wanted = rowOf(site, entity, await writtenOf(site, by, entity, { values }, records))
  const row = rowOf(site, entity, body)
  const other = entity.fields.find(
    field => field.key in wanted && !isSame(field, row[field.key] ?? null, wanted[field.key] as Wire),
  )
  return other === undefined ? null : `${other.key} is ${String(body[other.key] ?? 'empty')}`
}

/** What the application tells of a record; a row is told with the record that it is part of. Null: it is not there for this person. */
async function answerOf(
  site: Site,
  player: Player,
  entity: Entity,
  id: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const { partOf, key } = entity
  if (partOf === null) {
    const reply = await ask(site, player, 'GET', `${key}/${id}`)
    return isOk(reply) ? reply.body : null
  }
  const row = (await site.observatory.world(visitor)).record(key, id)
  const whole = site.app.entities.get(partOf)!
  const above = row?.[site.app.schema.get(key)!.parent!]
  const body = typeof above === 'string' ? await answerOf(site, player, whole, above) : null
  const rows = whole.fields.flatMap(({ key: list, type }) =>
    type.kind === 'list' && type.entity === key ? ((body?.[list] ?? []) as readonly Record<string, unknown>[]) : [],
  )
  return rows.find(one => one.id === id) ?? null
}

export async function isListed(
  stage: Stage,
  what: ScenarioWhat & { readonly kind: 'listed' },
  player: Player,
): Promise<string | null> {
  const { site, records } = stage
  const { entity, id } = known(records, what.record)
  const wanted = { id, hrefs: await addressesOf(site, entity, id) }
  const found =
    'search' in what
      ? await isFound(site, player, what.search, wanted)
      : await isOn(site, player, await pathWith(site, what.screen, entity, id), wanted)
  if (typeof found === 'string') return found
  if (found === what.not) return found ? `${what.record} is shown` : `${what.record} is not shown`
  return null
}

interface Wanted {
  readonly id: string
  /** Where its pages are. Empty: no screen shows one. */
  readonly hrefs: readonly string[]
}

/** Where the pages of a record are. */
export async function addressesOf({ app, observatory }: Site, { key }: Entity, id: string): Promise<readonly string[]> {
  const record = (await observatory.world(visitor)).record(key, id)
  return app.screens.flatMap(screen => {
    const [entity, route] = [specified(screen.shows)?.entity, specified(screen.route)]
    const field = route === null ? null : fieldIn(route)
    if (!kindOf(screen)?.isRecordPage || entity !== key || field === null) return []
    const value = record?.[field]
    return value == null ? [] : [routeHref(route!, String(value))]
  })
}

function pathOf({ app }: Site, key: string): string {
  const screen = app.screens.find(one => one.key === key)!
  const route = specified(screen.route)
  if (route === null || specified(screen.shows) === null)
    throw new CannotArrange(`what ${screen.name.text} shows, or where, is not specified`)
  return routeHref(route, '')
}

/** A screen of days is looked at on the day of the record. */
async function pathWith(site: Site, key: string, { fields }: Entity, id: string): Promise<string> {
  const { app, observatory } = site
  const screen = app.screens.find(one => one.key === key)!
  const [path, shows] = [pathOf(site, key), specified(screen.shows)!]
  const showing = kindOf(screen)?.showing
  if (showing === undefined) return path
  const field = fields.find(one => one.key === shows.by)!
  const value = (await observatory.world(visitor)).record(shows.entity!, id)?.[field.key]
  if (typeof value !== 'string') return path
  const on = field.type.kind === 'moment' ? dateIn(new Date(value), app.product.timeZone.name) : value
  return `${path}?${new URLSearchParams(showing(on))}`
}

/** Whether a dashboard, report or chart has such a line: the title of a figure and the figure, or cells of a row from its first one on. */
export async function isFigured(
  { site }: Stage,
  { screen, line, not }: ScenarioWhat & { readonly kind: 'figured' },
  player: Player,
): Promise<string | null> {
  const path = pathOf(site, screen)
  const page = await openPage(site, player, path)
  if (page.kind !== 'shown') return `the application says ${page.why} to ${path}`
  const lines = linesOn(page.html)
  const wanted = plainText(line)
  const isThere = lines.some(cells => cells.some((_, end) => cells.slice(0, end + 1).join(' ') === wanted))
  if (isThere !== not) return null
  if (not) return `${wanted} is shown`
  const [first = ''] = wanted.split(' ')
  const near = lines.filter(([head]) => head?.startsWith(first)).map(cells => cells.join(' '))
  return `${wanted} is not shown${near.length === 0 ? '' : `, but ${near.join('; ')}`}`
}

/** Large figures and rows of tables: the texts in each. */
export const linesOn = (html: string): readonly (readonly string[])[] =>
  [...withoutMarks(html).matchAll(figureLines)].map(([, kpi, row]) =>
    [...(kpi ?? row!).matchAll(figures)].map(([, text]) => plainText(text!)).filter(text => text !== ''),
  )

/** Without what is of the document, beside what it decides, and a figure in short, beside what it is exactly. */
export const withoutMarks = (html: string): string => html.replace(/<(a|span) class="(?:src|short)".*?<\/\1>/gs, '')

/** A large figure, or a row of a table; in them what people read. */
const figureLines = /<div class="kpi">(.*?)<\/div>|<tr[^>]*>(.*?)<\/tr>/gs
const figures = /<(?:dt|dd class="v"|t[hd][^>]*)>(.*?)<\/(?:dt|dd|t[hd])>/gs

/** What *Find anything* finds: a few of each kind, and the list with the others. */
async function isFound(site: Site, player: Player, search: string, wanted: Wanted): Promise<boolean | string> {
  if (wanted.hrefs.length === 0) throw new CannotArrange('a search finds records that a screen shows one by one')
  const url = `${site.url}/-/search.json?${new URLSearchParams({ q: search })}`
  const { status, text } = await reach(url, { headers: await site.headersFor(player), redirect: 'manual' })
  if (status !== 200) return `the application says ${status}`
  const { groups } = JSON.parse(text) as {
    readonly groups: readonly { readonly items: readonly { href: string }[]; readonly more: { href: string } | null }[]
  }
  if (groups.some(({ items }) => items.some(({ href }) => wanted.hrefs.includes(href)))) return true
  for (const { more } of groups)
    if (more !== null && (await isOn(site, player, more.href, wanted)) === true) return true
  return false
}

/** What leads to the record of a row: of a list, of a board, of an inbox; an entry of a calendar; a row of a table. */
const heads =
  /(?:<a class="ttl"|<h3><a|<div class="what"><a|<li(?: class="(?:on|stay\b[^"]*)"(?: data-[^>]*)?)?>(?:<span class="at">(?:(?!<\/span>).)*<\/span>)?<a|<th[^>]*>(?:<[^a][^>]*>)*<a) href="([^"?]*)/gs
/** Where the records on a page lead to. */
export const addressesOn = (html: string): readonly string[] => [...html.matchAll(heads)].map(([, href]) => href!)

/** A row of a list without a page of its record. */
const headless = '<span class="ttl">'

/** Whether a screen shows a record, on any of its pages. A text: it cannot be opened. */
export async function isOn(site: Site, player: Player, path: string, { id, hrefs }: Wanted): Promise<boolean | string> {
  let next: string | undefined = path
  for (let times = 0; times < pagesAtMost && next !== undefined; times++) {
    const page = await openPage(site, player, next)
    if (page.kind !== 'shown') return `the application says ${page.why} to ${path}`
    const { html } = page
    if (html.includes(`data-record="${id}"`) || html.includes(`name="id" value="${id}"`)) return true
    if (addressesOn(html).some(href => hrefs.includes(href))) return true
    if (html.includes(headless))
      throw new CannotArrange(
        `the rows of ${path} lead nowhere for ${player.name}: let them open a screen that shows one`,
      )
    next = nextPage(html)
  }
  return false
}
