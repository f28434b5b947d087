/** The other languages of heading 1: pages are in them for whoever reads them, in the words that the document gives its own texts. */
import type { Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import { fieldIn, routeHref } from '../web/routes.ts'
import type { Player, Site } from './client.ts'
import { sees } from './oracle/rights.ts'
import { openPage, plainText } from './page.ts'
import { kindsOfPeople } from './screens.ts'
import type { Line } from './verify.ts'

const toldOfEach = 3

export async function tryLanguages(site: Site): Promise<readonly Line[]> {
  const { product, screens } = site.app
  const lines: Line[] = []
  for (const language of [site.app.language, ...product.translations.keys()]) {
    const translations = product.translations.get(language) ?? new Map<string, never>()
    const reading: Site = {
      ...site,
      headersFor: async player => ({ ...(await site.headersFor(player)), 'accept-language': language }),
    }
    const pages: string[] = []
    for (const player of await kindsOfPeople(site))
      for (const screen of screens) {
        const path = await pathOf(site, screen, player)
        const page = path === null ? null : await openPage(reading, player, path)
        if (page?.kind === 'shown') pages.push(page.html)
      }
    const wrong = pages
      .filter(html => !new RegExp(`<html[^>]* lang="${language}`).test(html))
      .slice(0, 1)
      .map(() => `a page is not in ${language}`)
    const texts = new Set(pages.flatMap(html => textsIn(html)))
    for (const [text, { words }] of translations) {
      if (texts.has(words.text)) site.judged.add(words)
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
