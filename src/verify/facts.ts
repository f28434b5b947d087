/**
 * What stands on the page of a record: each field and row that somebody sees, in its section, with its value, and no other; its face, its
 * state, and how many records refer to it. Read from the page by headings and labels.
 */

import type { Cell } from '../document/source.ts'
import type { RecordValue } from '../expression/type.ts'
import type { Screen } from '../headings/2-screens/model.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import { specified } from '../headings/specified.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { isArchived } from '../run/access/archived.ts'
import { fieldIn, routeHref } from '../web/routes.ts'
import { worthOf } from './answers.ts'
import type { Player, Site } from './client.ts'
import { isNone, keyOf, pieces } from './oracle/cells.ts'
import * as oracle from './oracle/rights.ts'
import { plainText } from './page.ts'
import { type About, isReadIn, saidOf } from './parts.ts'
import { otherPast } from './past.ts'
import { referring } from './referring.ts'
import { withoutMarks } from './shown.ts'
import { type Case, isTold } from './trial.ts'

/** A record, and who looks at it. */
interface Looked {
  readonly about: About
  readonly one: Case
  readonly entity: Entity
}

/** A part of the page below a heading of its own. */
interface Part {
  readonly title: string
  /** Labels beside values: of short ones in their order, then of long ones. */
  readonly facts: readonly (readonly string[])[]
  /** How many rows it says that there are; null: it says none. */
  readonly count: number | null
  readonly heads: readonly string[]
}

interface Read {
  /** Without the marks of the document. */
  readonly html: string
  readonly strip: readonly string[]
  readonly parts: readonly Part[]
}

/** What is missing on the page of a record, and what is too much; empty: nothing, or it is another page. */
export async function tryFacts(
  site: Site,
  screen: Screen,
  player: Player,
  html: string,
  path: string,
): Promise<readonly string[]> {
  const looked = lookedAt({ site, screen, player, world: await site.observatory.world(player), html }, path)
  if (looked === null) return []
  const read = readPage(html)
  return [
    ...otherValues(looked),
    ...otherState(looked, read),
    ...otherFace(looked, read),
    ...otherSections(looked, read),
    ...otherRest(looked, read),
    ...otherRows(looked, read),
    ...otherReferring(looked, read),
    ...(await otherPast(looked.about, looked.one, looked.entity)),
  ]
}

function lookedAt(about: About, path: string): Looked | null {
  const { site, screen, world } = about
  const [route, kind] = [specified(screen.route), kindOf(screen)]
  const field = route === null ? null : fieldIn(route)
  const entity = site.app.entities.get(specified(screen.shows)?.entity ?? '')
  const isPage = kind?.isRecordPage === true && kind.entry === undefined && usesOf(screen).paper === null
  if (!isPage || field === null || entity === undefined || !isTold(site.app, entity.key)) return null
  const record = world.records(entity.key).find(one => routeHref(route!, String(one[field])) === path)
  if (record === undefined || isArchived(record)) return null
  return { about, entity, one: { app: site.app, world, entity: entity.key, record } }
}

const labels = /<dt>(.*?)<\/dt>/gs
const textsIn = (html: string, of: RegExp): readonly string[] =>
  [...html.matchAll(of)].map(([, text]) => plainText(text!))

function readPage(page: string): Read {
  const html = withoutMarks(/<main\b.*<\/main>/s.exec(page)?.[0] ?? page)
  const strip = textsIn(/<dl class="strip">(.*?)<\/dl>/s.exec(html)?.[1] ?? '', labels)
  return { html, strip, parts: partsIn(html) }
}

const partsIn = (html: string): readonly Part[] =>
  html
    .split('<section class="sheet"')
    .slice(1)
    .map(piece => {
      const own = piece.split('</section>')[0]!
      const [header = ''] = own.split('</header>')
      const count = plainText(/<span class="muted">(.*?)<\/span>/s.exec(header)?.[1] ?? '')
      return {
        title: plainText(/<h2[^>]*>(.*?)<\/h2>/s.exec(header)?.[1] ?? ''),
        facts: [...own.matchAll(/<dl class="dl[^"]*">(.*?)<\/dl>/gs)].map(([, list]) => textsIn(list!, labels)),
        count: /^\d+\+?$/.test(count) ? Number.parseInt(count, 10) : null,
        heads: textsIn(/<thead.*?<\/thead>/s.exec(own)?.[0] ?? '', /<th[^>]*>(.*?)<\/th>/gs),
      }
    })

/** What reads on a page as it is stored. */
const isPlain = /^[\p{L}\d]+(?: [\p{L}\d]+)*$/u

function otherValues({ about, one, entity }: Looked): readonly string[] {
  const { html } = about
  const text = plainText(/<main\b.*<\/main>/s.exec(html)?.[0] ?? html)
  return entity.fields.flatMap(own => {
    const value = one.record[own.key]
    const isShown = own.type.kind !== 'text' || (/^(?:long )?text$/.test(own.kind) && isPlain.test(String(value)))
    // What somebody does not see is not named to them.
    if (own.type.kind === 'reference' && !isNamed(about, own.type.entity, value)) return []
    if (!isShown || !oracle.seesField(one, own) || isReadIn(about, own, value, text) !== false) return []
    return [`${own.key} of ${String(one.record.id)} does not stand there`]
  })
}

function isNamed({ site, world }: About, entity: string, id: unknown): boolean {
  const record = world.record(entity, String(id))
  if (record === undefined || !isTold(site.app, entity)) return false
  const one = { app: site.app, world, entity, record }
  return oracle.sees(one) && site.app.entities.get(entity)!.title.every(key => oracle.seesField(one, { key }))
}

/** Its state stands in its head for whoever sees it. */
function otherState({ about, one, entity }: Looked, { html }: Read): readonly string[] {
  if (!about.site.app.workflows.has(entity.key)) return []
  const isThere = /<span class="st st-\w+ pill">/.test(html)
  const sees = oracle.seesField(one, { key: 'state' })
  return isThere === sees ? [] : [`its state is ${sees ? 'not ' : ''}shown`]
}

type Place = 'there' | 'absent' | 'open'

/** Whether the label of a field stands on the page. */
function placeOf({ about, one, entity }: Looked, field: Field): Place {
  if (field.hidden !== null || !oracle.seesField(one, field)) return 'absent'
  const { kind } = field.type
  if (kind === 'values' || fieldKind(field.kind).sealed === true) return 'open'
  if (kind === 'list' || kind === 'file') return one.record[field.key] == null ? 'open' : 'there'
  const value = worthOf(about.world, entity, one.record, field)
  // What only steps and calls fill is not there until then.
  return value === null && field.setBy === null
    ? 'there'
    : value === null || typeof value === 'symbol'
      ? 'open'
      : 'there'
}

const isRows = (entity: Entity, { type }: Field, { about: { site } }: Looked): boolean =>
  type.kind === 'list' && site.app.entities.get(type.entity)?.partOf === entity.key

/** What stands beside what it is called, as Face says. */
function otherFace({ about, one, entity }: Looked, { strip }: Read): readonly string[] {
  const said = about.site.app.document.sections
    .flatMap(({ number, subjects }) => (number === 3 ? subjects : []))
    .find(({ title }) => keyOf(title.text.replace(/\s*\(.*/s, '')) === entity.key)
    ?.properties.find(({ key }) => key.text === 'Face')?.value
  const parts = new Map(
    pieces(said?.text ?? '', ';').map(piece => {
      const [name = '', ...keys] = piece.trim().split(/[\s,]+/)
      return [name, keys]
    }),
  )
  const [facts, person, date] = ['facts', 'person', 'date'].map(name => parts.get(name))
  if (said === undefined || facts === undefined || person === undefined || date === undefined) return []
  const keys = [facts[0], ...person, ...facts.slice(1), ...date].filter(key => key !== undefined && !isNone(key))
  const fields = keys.flatMap(key => entity.fields.find(one => one.key === key) ?? [])
  const worths = fields.map(field => worthOf(about.world, entity, one.record, field))
  if (worths.some(value => typeof value === 'symbol')) return []
  const wanted = fields
    .filter((field, at) => worths[at] !== null && oracle.seesField(one, field))
    .map(({ label }) => label)
  const there = strip.slice(0, wanted.length)
  about.site.judged.add(said)
  return there.join('\n') === wanted.join('\n')
    ? []
    : [`beside what it is called stand ${strip.join(', ')}, and not ${wanted.join(', ')}`]
}

interface Section {
  readonly title: Cell
  readonly columns: Cell
  readonly tab: Cell | null
  readonly fields: readonly Field[]
}

/** The blocks below the heading of the screen that have columns. */
function sectionsOf({ about: { site, screen }, entity }: Looked): readonly Section[] {
  const [subject] = site.app.document.sections.flatMap(({ number, subjects }) =>
    number === 2 ? subjects.filter(({ title }) => title.text === screen.name.text) : [],
  )
  return (subject?.blocks ?? []).flatMap(({ title, properties }) => {
    const said = (key: string) => properties.find(one => one.key.text === key)?.value ?? null
    const columns = said('Columns')
    if (columns === null) return []
    const fields = pieces(columns.text, ',').flatMap(key => entity.fields.find(one => one.key === key) ?? [])
    return [{ title, columns, tab: said('Tab'), fields }]
  })
}

/** Each section has its fields in its order, on its tab, and is not there without any. */
function otherSections(looked: Looked, read: Read): readonly string[] {
  const { about, entity } = looked
  const sections = sectionsOf(looked)
  return sections.flatMap(section => {
    const { title, columns, tab, fields } = section
    const part = read.parts.find(one => one.title === title.text)
    const own = fields.filter(field => !isRows(entity, field, looked))
    const places = own.map(field => ({ label: field.label, place: placeOf(looked, field) }))
    about.site.judged.add(columns)
    if (part === undefined)
      return places.some(({ place }) => place === 'there') ? [`its section ${title.text} is missing`] : []
    if (own.length === fields.length && places.every(({ place }) => place === 'absent'))
      return [`its section ${title.text} is there`]
    about.site.judged.add(tab)
    return [
      ...otherLabels(places, part.facts).map(text => `its section ${title.text}: ${text}`),
      ...otherTab(section, sections, read),
    ]
  })
}

interface Placed {
  readonly label: string
  readonly place: Place
}

/** Labels that are missing, too much, or in another order. */
function otherLabels(wanted: readonly Placed[], facts: readonly (readonly string[])[]): readonly string[] {
  const there = facts.flat()
  const missing = wanted.filter(({ label, place }) => place === 'there' && !there.includes(label))
  const others = there.filter(label => !wanted.some(one => one.label === label && one.place !== 'absent'))
  const ranks = facts.map(list => list.map(label => wanted.findIndex(one => one.label === label)))
  const isSorted = ranks.every(list => list.every((rank, at) => at === 0 || rank >= list[at - 1]!))
  return [
    ...missing.map(({ label }) => `${label} is missing`),
    ...others.map(label => `${label} is shown`),
    ...(isSorted || others.length > 0 ? [] : [`its fields stand as ${there.join(', ')}`]),
  ]
}

/** All tabs are on the page, in the order of their links; where there is one alone, it has none. */
function otherTab({ title, tab }: Section, sections: readonly Section[], { html, parts }: Read): readonly string[] {
  const [, after] = html.split('<nav class="views"')
  const isAlone = sections.every(
    one => one.tab?.text === tab?.text || parts.every(part => part.title !== one.title.text),
  )
  if (after === undefined) return isAlone ? [] : [`its section ${title.text} is on no tab`]
  const names = textsIn(after.split('<div class="only-narrow"')[0]!, /<a [^>]*>(.*?)<\/a>/gs)
  const bodies = after.split(/<div class="stack(?: shut)?">/).slice(1)
  const at = bodies.findIndex(body => partsIn(body).some(part => part.title === title.text))
  const isThere = at === (tab === null ? 0 : names.indexOf(tab.text))
  return isThere ? [] : [`its section ${title.text} is on the tab ${names[at]}`]
}

/** What is in no section comes first; besides it, only approvals have labels. */
function otherRest(looked: Looked, { parts, strip, html }: Read): readonly string[] {
  const { about, entity, one } = looked
  const sections = sectionsOf(looked)
  const inSections = new Set(sections.flatMap(({ fields }) => fields.map(({ key }) => key)))
  const places = entity.fields.map(field => ({ field, label: field.label, place: placeOf(looked, field) }))
  const own = places.filter(
    ({ field }) => !inSections.has(field.key) && !entity.title.includes(field.key) && !isRows(entity, field, looked),
  )
  const unnamed = parts.filter(
    part => part.facts.length > 0 && !sections.some(({ title }) => title.text === part.title),
  )
  const names = new Set(places.map(({ label }) => label))
  const [rest] = unnamed.filter(part => part.facts.flat().some(label => names.has(label)))
  const isApproved = (oracle.toldOf(one).approvals.size ?? 0) > 0
  const strange = unnamed.filter(part => part !== rest && !isApproved)
  // Files stand together, each with its label.
  const files = textsIn(html, /<small class="muted">(.*?)<\/small>/gs)
  const elsewhere = new Set([...strip, ...files])
  const missing = own.filter(
    ({ label, place }) => place === 'there' && !elsewhere.has(label) && !rest?.facts.flat().includes(label),
  )
  const closed = new Set(places.filter(({ place }) => place === 'absent').map(({ label }) => label))
  for (const { label, place } of places) if (place !== 'absent') closed.delete(label)
  const shut = [...elsewhere].filter(label => closed.has(label))
  about.site.judged.in(about.screen.name, 'Shows')
  return [
    ...strange.map(part => `it has a section ${part.title}`),
    ...missing.map(({ label }) => `${label} is missing`),
    ...shut.map(label => `${label} is shown`),
    ...otherLabels(
      own.map(({ label, place }) => ({ label, place: elsewhere.has(label) && place === 'there' ? 'open' : place })),
      rest?.facts ?? [],
    ).filter(text => !missing.some(({ label }) => text === `${label} is missing`)),
  ]
}

/** Lists of rows, each with how many there are and columns for what is seen of them. */
function otherRows(looked: Looked, { parts }: Read): readonly string[] {
  const { about, entity, one } = looked
  const { site, world } = about
  const sections = sectionsOf(looked)
  return entity.fields.flatMap(field => {
    const child = field.type.kind === 'list' ? site.app.entities.get(field.type.entity) : undefined
    const rows = one.record[field.key]
    if (child === undefined || !isRows(entity, field, looked) || !Array.isArray(rows)) return []
    // A section that is nothing but one list of rows is called by its own name.
    const alone = sections.find(({ fields }) => fields.length === 1 && fields[0] === field)?.title.text
    const part = parts.find(({ title }) => title === field.label) ?? parts.find(({ title }) => title === alone)
    const place = placeOf(looked, field)
    if (place === 'absent') return part === undefined ? [] : [`${field.label} is shown`]
    if (part === undefined) return [`${field.label} is missing`]
    if (part.count === null) return []
    const seen = (rows as readonly RecordValue[]).filter(record => oracle.seesRow({ world, entity: child.key, record }))
    const wrong = part.count === seen.length ? [] : [`${field.label} has ${part.count} rows, and not ${seen.length}`]
    const lines = (world.told.entity(child.key).lines ?? new Map()) as ReadonlyMap<string, unknown>
    const columns = child.fields.map((own): Placed => {
      const isHeld = !['values', 'list'].includes(own.type.kind) && fieldKind(own.kind).sealed !== true
      const place = own.hidden !== null ? 'absent' : isHeld && !lines.has(own.key) ? 'there' : 'open'
      return { label: own.label, place }
    })
    if (seen.length === 0) return wrong
    return [...wrong, ...otherLabels(columns, [part.heads]).map(text => `${field.label}: ${text}`)]
  })
}

/** Below it, of each field that refers to it, how many records do, of those that somebody sees. */
function otherReferring(looked: Looked, { html }: Read): readonly string[] {
  const { about, one } = looked
  const said = saidOf(about, 'related')
  const wanted = referring(one, said)
  if (wanted === null) return []
  const below = /<div class="stack noprint">(.*?)<section class="noprint" aria-labelledby="activity"/s.exec(html)?.[1]
  const there = partsIn(below ?? '').flatMap(({ count }) => (count === null || count === 0 ? [] : [count]))
  about.site.judged.add(said)
  return there.join() === wanted.join()
    ? []
    : [`lists below it have ${there.join(', ') || 'no'} records, and not ${wanted.join(', ') || 'any'}`]
}
