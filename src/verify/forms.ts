/** The form of a record as a browser without scripts sends it: what it makes or changes holds, and one that saw an older version changes nothing. */
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { App } from '../headings/app.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { newHref, routesOf } from '../web/routes.ts'
import { asHeld } from './answers.ts'
import { isFor } from './audience.ts'
import { cameOf, type Deed, lookBefore, madeOf } from './came.ts'
import { ask, isOk, type Player, type Site } from './client.ts'
import type { Values } from './drafts.ts'
import { worth } from './judge.ts'
import * as oracle from './oracle/rights.ts'
import { openPage, unescaped } from './page.ts'
import { reach } from './reach.ts'
import { rowAs } from './rows.ts'
import { addressesOf } from './shown.ts'
import { caseOf, cellOf, type Subject, type Trial, tallyOf } from './trial.ts'
import type { World } from './world.ts'

const attribute = (tag: string, name: string): string | null => {
  const found = new RegExp(`\\s${name}(?:="([^"]*)")?(?=[\\s/>]|$)`).exec(tag)
  return found === null ? null : unescaped(found[1] ?? '')
}

/** What the form with this field holds, untouched; null: there is none. */
export function formWith(html: string, field: string): URLSearchParams | null {
  const form = [...html.matchAll(/<form[^>]*>.*?<\/form>/gs)].find(([text]) => text.includes(`name="${field}"`))?.[0]
  if (form === undefined) return null
  const held = new URLSearchParams()
  for (const [tag, , inner] of form.matchAll(/<input\b[^>]*>|<(textarea|select)\b[^>]*>(.*?)<\/\1>/gs)) {
    const head = /^<[^>]*>/.exec(tag)![0]
    const name = attribute(head, 'name')
    const type = attribute(head, 'type')
    if (name === null || type === 'file' || attribute(head, 'disabled') !== null) continue
    if ((type === 'checkbox' || type === 'radio') && attribute(head, 'checked') === null) continue
    if (head.startsWith('<input')) held.append(name, attribute(head, 'value') ?? (type === 'checkbox' ? 'on' : ''))
    else if (head.startsWith('<textarea')) held.append(name, unescaped(inner ?? ''))
    else {
      const options = [...(inner ?? '').matchAll(/<option[^>]*>/g)].map(([option]) => option)
      const chosen = options.find(option => attribute(option, 'selected') !== null) ?? options[0]
      if (chosen !== undefined) held.append(name, attribute(chosen, 'value') ?? '')
    }
  }
  return held
}

let sent = 0

/** Sends it as it is, with some fields typed anew. */
async function post(
  site: Site,
  player: Player,
  path: string,
  form: URLSearchParams,
  typed: Readonly<Record<string, string>>,
) {
  const body = new URLSearchParams(form)
  for (const [name, text] of Object.entries({ ...typed, _once: `verify-form-${process.pid}-${++sent}` }))
    body.set(name, text)
  const headers = { ...(await site.headersFor(player)), origin: site.url }
  const { status } = await reach(new URL(path, site.url), { method: 'POST', headers, body, redirect: 'manual' })
  site.observatory.forget()
  return status
}

/** It was taken, and leads on; a rule is against it. */
const taken = 303
const invalid = 422

export async function tryForm(trial: Trial, subject: Subject, player: Player): Promise<void> {
  const { site, entity } = trial
  const known = await caseOf(trial, subject, player)
  if (known === null || !oracle.changes(known)) return
  const key = typedIn(entity).find(one => oracle.setsField(known, { key: one }))
  const [address] = await addressesOf(site, entity, subject.id)
  if (key === undefined || address === undefined) return
  const path = `${address}/edit`
  const page = await openPage(site, player, path)
  const form = page.kind === 'shown' ? formWith(page.html, '_version') : null
  if (form?.has(key) !== true) return
  const tally = tallyOf(
    trial,
    'door form',
    cellOf(known),
    `${entity.name}: its form changes what it saw, and nothing newer`,
  )
  const before = await lookBefore(trial, known, player)
  const deed: Deed = { kind: 'change', sent: { [key]: 'One' } }
  const first = await post(site, player, path, form, { [key]: 'One' })
  tally.tried += 2
  if (first === taken) {
    tally.through++
    for (const wrong of await cameOf(trial, deed, before)) tally.wrong.push(`${player.name}, by its form: ${wrong}`)
  } else if (first !== invalid) tally.wrong.push(`${player.name}: its form is answered with ${first}`)
  const second = await post(site, player, path, form, { [key]: 'Two' })
  const after = await caseOf(trial, subject, player)
  if (second === taken || after?.record[key] === 'Two')
    tally.wrong.push(`${player.name}: a form that saw an older version is answered with ${second}, and overwrites`)
}

/** A new record by its form says what was typed, as one that the API makes. */
export async function tryNewForm(trial: Trial, player: Player, values: Values): Promise<void> {
  const { site, entity } = trial
  const world = await site.observatory.world(player)
  const place = routesOf(site.app, screen => isFor(screen, world.actor)).places.get(entity.key)
  const typed = textsOf(site, entity, values)
  const [[first] = []] = typed ?? []
  if (place === undefined || typed === null || first === undefined) return
  const page = await openPage(site, player, newHref(place))
  const form = page.kind === 'shown' ? formWith(page.html, first) : null
  if (page.kind !== 'shown' || form === null || Object.keys(values).some(key => !isAskedIn(page.html, key))) return
  const tally = tallyOf(trial, 'door new form', entity.cell, `${entity.name}: its form makes what was typed`)
  tally.wrong.push(...otherBeginning(trial, world, form).map(text => `${player.name}: ${text}`))
  const before = new Set(world.records(entity.key).map(({ id }) => id))
  const status = await post(site, player, newHref(place), form, Object.fromEntries(typed))
  tally.tried++
  const made = (await site.observatory.world(player)).records(entity.key).filter(({ id }) => !before.has(id))
  const [one] = made
  if (one === undefined || made.length > 1) {
    const reply = await ask(site, player, 'POST', entity.key, values)
    if (isOk(reply))
      tally.wrong.push(`${player.name}: its form is answered with ${status}, and makes ${made.length} records`)
    if (isOk(reply)) await site.observatory.remove(entity.key, String(reply.body.id))
    return
  }
  tally.through++
  const wanted = rowAs(site, world, entity, values)
  for (const wrong of await madeOf(trial, String(one.id), wanted, player))
    tally.wrong.push(`${player.name}, by its form: ${wrong}`)
  if (entity.appendOnly === null) await site.observatory.remove(entity.key, String(one.id))
}

/** Fields that do not begin with their default, of those that go by nothing else of the record. */
function otherBeginning({ site, entity }: Trial, world: World, form: URLSearchParams): readonly string[] {
  return entity.fields.flatMap(field => {
    const { key, default: given, type } = field
    if (given === null || !form.has(key) || type.kind === 'moment' || type.kind === 'yes/no') return []
    if (oracle.readsOf({ world, entity: entity.key }, given.cell.text).size > 0) return []
    const value = asHeld(field, worth(given, world.environment(entity.key, {})))
    const [[, text = ''] = []] = (value === NOT_LOADED ? null : textOf(site.app, field, value)) ?? []
    const isKnown = text !== '' && form.getAll(key).length === 1
    const begins = form.get(key) ?? ''
    const isSame = begins === text || (begins !== '' && Number(begins) === Number(text))
    return !isKnown || isSame ? [] : [`${key} begins with '${begins}', and not with ${text}`]
  })
}

const isAskedIn = (html: string, key: string): boolean => new RegExp(`name="${key}(?:\\.|")`).test(html)

/** What is typed for these values, by the names of a form; null: some of them nobody types. */
function textsOf({ app }: Pick<Site, 'app'>, entity: Entity, values: Values): Typed | null {
  const texts: (readonly [string, string])[] = []
  for (const field of entity.fields) {
    const value = values[field.key] ?? null
    const of = field.type.kind === 'list' ? app.entities.get(field.type.entity)! : null
    if (value === null || value === false) continue
    const rows = of?.partOf === entity.key && Array.isArray(value) ? (value as readonly Values[]) : null
    const own = rows === null ? textOf(app, field, value) : rowTexts(app, field, of!, rows)
    if (own === null) return null
    texts.push(...own)
  }
  return texts
}

type Typed = readonly (readonly [name: string, text: string])[]

function textOf(app: App, { key, kind, type, parameters }: Field, value: unknown): Typed | null {
  const { fromJson, input } = fieldKind(kind)
  const read = typeof value === 'object' || type.kind === 'file' ? null : fromJson(value, parameters)
  if (read === null || !('value' in read)) return null
  return [[key, value === true ? 'on' : input(read.value, parameters, app.language, app.product.timeZone.name)]]
}

function rowTexts(app: App, { key }: Field, of: Entity, rows: readonly Values[]): Typed | null {
  const texts = rows.map((row, at) =>
    textsOf({ app }, of, row)?.map(([name, text]) => [`${key}.${at}.${name}`, text] as const),
  )
  return texts.some(own => own === undefined) ? null : texts.flatMap(own => own!)
}

/** Texts of which any words are a value. */
export const typedIn = ({ fields }: Entity): readonly string[] =>
  fields.flatMap(({ key, kind, unique, pattern, min, onlyWhen, readOnlyWhen }) =>
    /^(?:text|long text)$/.test(kind) && [unique, pattern, min, onlyWhen, readOnlyWhen].every(one => one === null)
      ? [key]
      : [],
  )
