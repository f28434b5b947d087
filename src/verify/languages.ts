/** The other languages of heading 1: pages are in them for whoever reads them, in the words that the document gives its own texts. */
import type { Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import { isArchived } from '../run/access/archived.ts'
import { fieldIn, routeHref } from '../web/routes.ts'
import type { Player, Site } from './client.ts'
import { sees, takes } from './oracle/rights.ts'
import { isIn, openPage, plainText } from './page.ts'
import { kindsOfPeople } from './screens.ts'
import { addressesOf } from './shown.ts'
import { isTold } from './trial.ts'
import type { Line } from './verify.ts'

const toldOfEach = 3

/** Pages of the application's own that say names of the document: people and roles, constants. */
const ownPages = ['/-/sign-in', '/-/people', '/-/limits', '/-/account']

export async function tryLanguages(site: Site): Promise<readonly Line[]> {
  const { product } = site.app
  const lines: Line[] = []
  for (const language of [site.app.language, ...product.translations.keys()]) {
    const translations = product.translations.get(language) ?? new Map<string, never>()
    const reading: Site = {
      ...site,
      headersFor: async player => ({ ...(await site.headersFor(player)), 'accept-language': language }),
    }
    // In the language that everything else is read in, each screen was opened already.
    const screens = language === site.app.language ? [] : site.app.screens
    const pages = await pagesIn(reading, screens)
    const wrong = pages
      .filter(html => !isIn(language, html))
      .slice(0, 1)
      .map(() => `a page is not in ${language}`)
    const texts = new Set(pages.flatMap(html => textsIn(html)))
    const small = new Set([...texts].map(text => text.toLowerCase()))
    for (const [text, { words }] of translations) {
      // What begins a sentence or a button is written with a capital.
      if (small.has(words.text.toLowerCase())) site.judged.add(words)
      else if (texts.has(text)) wrong.push(`'${text}' is shown, and not '${words.text}'`)
    }
    if (pages.length > 0) site.judged.under(1, 'Languages')
    lines.push({
      cell: product.cell,
      title: `in ${language}: ${pages.length} pages`,
      passed: wrong.length === 0,
      detail: wrong.length === 0 ? null : wrong.slice(0, toldOfEach).join('\n       '),
    })
  }
  return lines
}

/** Each of these screens as each set of roles, a record of each step for somebody who may take it, and pages of the application's own. */
async function pagesIn(site: Site, screens: readonly Screen[]): Promise<readonly string[]> {
  const pages: string[] = []
  const look = async (player: Player, path: string | null) => {
    const page = path === null ? null : await openPage(site, player, path)
    if (page?.kind === 'shown') pages.push(page.html)
    return page?.kind === 'shown'
  }
  const people = await kindsOfPeople(site)
  for (const player of people) for (const screen of screens) await look(player, await pathOf(site, screen, player))
  for (const path of ownPages) for (const player of people) if (await look(player, path)) break
  for (const { entity, transitions } of site.app.workflows.values())
    for (const step of new Set(transitions.map(({ key }) => key))) {
      const found = await whereTaken(site, entity, step)
      if (found !== null) for (const path of found.paths) await look(found.player, path)
    }
  return pages
}

/** Somebody who may take a step, and the pages of the record, with its form. */
async function whereTaken(site: Site, key: string, step: string) {
  const entity = site.app.entities.get(key)!
  if (!isTold(site.app, key)) return null
  for (const player of site.players) {
    const world = await site.observatory.world(player)
    const record = world.records(key).find(one => !isArchived(one) && takes({ world, entity: key, record: one }, step))
    if (record === undefined) continue
    const paths = await addressesOf(site, entity, String(record.id))
    return { player, paths: paths.flatMap(path => [path, `${path}/edit`]) }
  }
  return null
}

/** Of a screen whose address names a record: of one that this person sees. */
async function pathOf({ observatory }: Site, screen: Screen, player: Player): Promise<string | null> {
  const route = specified(screen.route)
  const field = route === null ? null : fieldIn(route)
  if (route === null || field === null) return route?.pattern ?? null
  const world = await observatory.world(player)
  const entity = specified(screen.shows)?.entity ?? null
  const record =
    entity === null
      ? undefined
      : world.records(entity).find(one => one[field] != null && sees({ world, entity, record: one }))
  return record === undefined ? null : routeHref(route, String(record[field]))
}

/** Texts between tags, and in what is read out. */
const textsIn = (html: string): readonly string[] =>
  [...html.matchAll(/>([^<>]+)<|(?:aria-label|title|placeholder)="([^"]+)"/g)].map(([, text, label]) =>
    plainText(text ?? label!),
  )
