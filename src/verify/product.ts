/** What heading 1 says of how it looks, of the page to sign in on, and of the clocks there. */
import type { Cell } from '../document/source.ts'
import type { RecordValue } from '../expression/type.ts'
import { readColour } from '../headings/1-product/contrast.ts'
import { specified } from '../headings/specified.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { fieldIn, routeHref } from '../web/routes.ts'
import { opensRecord } from './audience.ts'
import type { Player, Site } from './client.ts'
import { pieces } from './oracle/cells.ts'
import { seesField } from './oracle/rights.ts'
import { openPage, plainText } from './page.ts'
import { reach } from './reach.ts'
import type { Line } from './verify.ts'
import { visitor } from './world.ts'

const signInPage = '/-/sign-in'
/** Any page of somebody who has signed in. */
const anyPage = '/-/account'

export async function tryProduct(site: Site): Promise<readonly Line[]> {
  const lines: Line[] = []
  const door = await openPage(site, visitor, signInPage)
  const [player] = site.players
  const inside = player === undefined ? door : await openPage(site, player, anyPage)
  const html = [door, inside].map(page => (page.kind === 'shown' ? page.html : ''))
  const looks: Readonly<Record<string, (said: Cell) => Promise<string | null> | string | null>> = {
    'sign-in': said => otherWays(said, html[0]!),
    'sign-in text': ({ text }) =>
      plainText(html[0]!).includes(text) ? null : `the page to sign in does not say '${text}'`,
    colour: said => otherColour(site, said, html.join('')),
    logo: said => otherLogo(site, said, html.join('')),
    letterhead: ({ text }) => otherLetterhead(text, html[1]!),
    'time zone': said => otherClock(site, said),
  }
  for (const { key, value } of propertiesOf(site)) {
    const look = looks[key.text.toLowerCase()]
    const wrong = look === undefined ? undefined : await look(value)
    if (wrong === undefined || wrong === untold) continue
    site.judged.add(value)
    lines.push({ cell: value, title: `${key.text}: ${value.text}`, passed: wrong === null, detail: wrong })
  }
  return lines
}

/** Nothing could be looked at. */
const untold = ''

const propertiesOf = ({ app }: Site) =>
  app.document.sections.flatMap(({ number, properties }) => (number === 1 ? properties : []))

/** Controls of each way to sign in; what the document leaves open may be there or not. */
const controls: Readonly<Record<string, RegExp>> = {
  password: /type="password"/,
  'e-mail link': /formAction="\/-\/sign-in\/link"|formaction="\/-\/sign-in\/link"|action="\/-\/sign-in\/link"/,
  passkey: /action="\/-\/sign-in\/passkey"/i,
}

function otherWays({ text }: Cell, html: string): string | null {
  const named = pieces(text, /;/.test(text) ? ';' : ',').flatMap(piece => pieces(piece, ','))
  const missing = named.filter(way => controls[way]?.test(html) === false)
  return missing.length === 0 ? null : `the page to sign in has no way by ${missing.join(', ')}`
}

/** Degrees: shades of one colour have its hue. */
const nextHue = 3
/** Of less chroma than this nobody sees a hue. */
const grey = 0.02

/** How light its shades are follows from what can be read on them: their hue is the document's. */
async function otherColour(site: Site, { text }: Cell, html: string): Promise<string | null> {
  const said = readColour(text.replaceAll('`', ''))
  if (said === null) return untold
  const sheets = [...html.matchAll(/<link[^>]*href="([^"]+\.css)"/g)].map(([, href]) => href!)
  const shades: (typeof said)[] = []
  for (const href of new Set(sheets)) {
    const { text: sheet } = await reach(new URL(href, site.url))
    for (const [, shade] of sheet.matchAll(/--accent:light-dark\((oklch\([^)]+\))/g)) shades.push(readColour(shade!)!)
  }
  // The last one holds.
  const [, chroma, hue] = shades.at(-1) ?? [0, 1, said[2] + 180]
  const away = Math.abs(hue - said[2])
  const isOfIt = said[1] < grey ? chroma < grey : Math.min(away, 360 - away) <= nextHue
  return isOfIt ? null : `no style sheet has an accent of the colour ${text}`
}

/** It is the file beside the document. */
async function otherLogo({ app, url }: Site, _: Cell, html: string): Promise<string | null> {
  const content = app.product.brand.logo?.content
  for (const [, source] of html.matchAll(/<img[^>]*src="([^"]+)"/g)) {
    const { bytes } = await reach(new URL(source!, url))
    if (content !== undefined && bytes.equals(Buffer.from(content))) return null
  }
  return 'no page has the logo'
}

function otherLetterhead(text: string, html: string): string | null {
  const shown = plainText(html.slice(Math.max(0, html.indexOf('class="letterhead"'))))
  const missing = pieces(text, ';').filter(line => !shown.includes(line))
  return missing.length === 0 ? null : `the letterhead does not say ${missing.join('; ')}`
}

/** In the middle of a summer, when clocks are put forward in many places. */
const summer = '2027-07-01T10:30:00.000Z'

/** A moment as a record page shows it, once it is one of a summer. */
async function otherClock(site: Site, { text }: Cell): Promise<string | null> {
  const found = await pageWithMoment(site)
  if (found === null) return untold
  const { entity, record, key, player, path } = found
  const { observatory, app } = site
  if (!(await observatory.set(entity, String(record.id), { [key]: summer }))) return untold
  const page = await openPage(site, player, path)
  await observatory.set(entity, String(record.id), { [key]: record[key] as string })
  const parts = { timeZone: text, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const at = new Intl.DateTimeFormat('en', parts).format(new Date(summer))
  if (page.kind !== 'shown') return untold
  return plainText(page.html).includes(at)
    ? null
    : `${summer} is not shown as ${at} in ${app.entities.get(entity)!.name}`
}

interface Moment {
  readonly entity: string
  readonly record: RecordValue
  readonly key: string
  readonly player: Player
  readonly path: string
}

async function pageWithMoment({ app, observatory, players }: Site): Promise<Moment | null> {
  for (const screen of app.screens) {
    const route = specified(screen.route)
    const named = route === null ? null : fieldIn(route)
    const entity = app.entities.get(specified(screen.shows)?.entity ?? '')
    if (route === null || named === null || entity === undefined || kindOf(screen)?.isRecordPage !== true) continue
    for (const player of players) {
      const world = await observatory.world(player)
      for (const record of world.records(entity.key)) {
        const one = { app, world, entity: entity.key, record }
        const field = entity.fields.find(
          candidate =>
            candidate.type.kind === 'moment' &&
            candidate.computed === null &&
            record[candidate.key] != null &&
            seesField(one, candidate),
        )
        if (field === undefined || record[named] == null || opensRecord(one, screen, named) !== true) continue
        return { entity: entity.key, record, key: field.key, player, path: routeHref(route, String(record[named])) }
      }
    }
  }
  return null
}
