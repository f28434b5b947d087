/** What stands on the paper of a record, by itself and among others: its title, its texts and its foot, and the values of its fields. */
import type { RecordValue } from '../expression/type.ts'
import type { PrintField, Screen } from '../headings/2-screens/model.ts'
import type { Entity } from '../headings/3-entities/model.ts'
import { specified } from '../headings/specified.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { fieldIn, printHref, routeHref } from '../web/routes.ts'
import { isFor } from './audience.ts'
import type { Player, Site } from './client.ts'
import { worth } from './judge.ts'
import { nameOf } from './kept.ts'
import { letThrough } from './lists.ts'
import { tokenOf } from './many.ts'
import * as oracle from './oracle/rights.ts'
import { plainText } from './page.ts'
import { type About, isReadIn } from './parts.ts'
import { reach } from './reach.ts'
import { isTold } from './trial.ts'
import { standsIn } from './words.ts'

/** Records that are put on paper together. */
const sheetsAtMost = 20

/** What is not as the document says on the page of one record. */
export async function otherPaper(
  site: Site,
  screen: Screen,
  player: Player,
  html: string,
  path: string,
): Promise<readonly string[]> {
  const route = specified(screen.route)
  const field = route === null ? null : fieldIn(route)
  const entity = printed(site, screen)
  if (field === null || entity === null) return []
  const world = await site.observatory.world(player)
  const record = world.records(entity.key).find(one => routeHref(route!, String(one[field])) === path)
  const text = plainText(/<main\b.*<\/main>/s.exec(html)?.[0] ?? html)
  return record === undefined ? [] : otherSheet({ site, screen, player, world, html }, entity, record, text, true)
}

/** The same records on paper together: a sheet for each that somebody sees, in that order, and none for others. */
export async function otherSheets(site: Site, screen: Screen, player: Player): Promise<readonly string[]> {
  const entity = printed(site, screen)
  if (entity === null) return []
  const world = await site.observatory.world(player)
  const { wanted, open } = letThrough({ site, entity, world }, [])
  const chosen = world.records(entity.key).filter(({ id }) => !open.has(String(id)))
  // Some that they do not see are among them.
  const records = [true, false].flatMap(isSeen =>
    chosen.filter(({ id }) => wanted.has(String(id)) === isSeen).slice(0, sheetsAtMost / 2),
  )
  const body = new URLSearchParams(records.map(({ id }) => ['id', String(id)]))
  body.set('_csrf', await tokenOf(site, player))
  const headers = { ...(await site.headersFor(player)), origin: site.url }
  const { text: html } = await reach(`${site.url}${printHref(screen.key)}`, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
  })
  const sheets = [...html.matchAll(/<article class="one">(.*?)<\/article>/gs)].map(([, sheet]) => plainText(sheet!))
  const shown = isFor(screen, world.actor) ? records.filter(({ id }) => wanted.has(String(id))) : []
  if (sheets.length !== shown.length)
    return [`of ${records.length} on paper together there are ${sheets.length}, the document shows ${shown.length}`]
  const about: About = { site, screen, player, world, html }
  return shown.flatMap((record, at) =>
    otherSheet(about, entity, record, sheets[at]!, false).map(
      wrong => `${nameOf(entity, record)} on paper with others: ${wrong}`,
    ),
  )
}

/** Of what such a screen prints one. */
function printed({ app }: Site, screen: Screen): Entity | null {
  const entity = app.entities.get(specified(screen.shows)?.entity ?? '')
  return usesOf(screen).paper === null || entity === undefined || !isTold(app, entity.key) ? null : entity
}

/** `text`: its sheet; the foot is of a page. */
function otherSheet(
  about: About,
  entity: Entity,
  record: RecordValue,
  text: string,
  isPage: boolean,
): readonly string[] {
  const { site, screen, world } = about
  const { title, footer, parts } = usesOf(screen).paper!
  const environment = world.environment(entity.key, record)
  const texts = [title, ...(isPage ? [footer] : []), ...parts.map(part => part.text)].filter(one => one !== null)
  const wrong = texts.flatMap(template => {
    site.judged.add(template.cell)
    return standsIn(template, text, environment) ? [] : [`'${template.cell.text}' does not stand there`]
  })
  for (const printed of parts.flatMap(part => part.fields)) {
    const { cell, value } = printed
    if (value !== null) {
      const isRead = isReadIn(about, value, worth({ text: cell.text }, environment), text)
      if (isRead === true) site.judged.add(cell)
    } else wrong.push(...otherField(about, entity, record, text, printed))
  }
  return wrong
}

/** A field of the record, or a column of its rows. */
function otherField(
  about: About,
  entity: Entity,
  record: RecordValue,
  text: string,
  { cell, field: key, column }: PrintField,
): readonly string[] {
  const { site, world } = about
  const rows = column === null ? [record] : ((record[key] ?? []) as readonly RecordValue[])
  const of = column === null ? entity : site.app.entities.get(childOf(entity, key) ?? '')
  const own = of?.fields.find(one => one.key === (column ?? key))
  if (of === undefined || own === undefined || !Array.isArray(rows)) return []
  return rows.flatMap((row: RecordValue) => {
    const isRead = isReadIn(about, own, row[own.key], text)
    const one = { app: site.app, world, entity: of.key, record: row }
    if (isRead === null || (column === null && !oracle.seesField(one, own))) return []
    site.judged.add(cell)
    return isRead ? [] : [`${cell.text} does not stand there`]
  })
}

const childOf = ({ fields }: Entity, key: string): string | null => {
  const type = fields.find(one => one.key === key)?.type
  return type?.kind === 'list' ? type.entity : null
}
