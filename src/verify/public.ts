/**
 * What is open to people without an account, as their browser comes to it: forms for everyone, which take what they list and nothing else,
 * and the page of one record for whoever holds its link, with the steps that the role of the link takes.
 */
import type { Screen } from '../headings/2-screens/model.ts'
import { isPublicForm, onlyOf } from '../headings/2-screens/public-forms.ts'
import type { Entity } from '../headings/3-entities/model.ts'
import { specified } from '../headings/specified.ts'
import { formPart } from '../kinds/screens/form/screen.ts'
import { cameOf, lookBefore, madeOf } from './came.ts'
import type { Site } from './client.ts'
import { isAsked, type Values } from './drafts.ts'
import { formWith, typedIn } from './forms.ts'
import * as oracle from './oracle/rights.ts'
import { plainText } from './page.ts'
import { saidOf } from './parts.ts'
import { reach } from './reach.ts'
import { rowAs } from './rows.ts'
import { addressesOf } from './shown.ts'
import type { Accepted } from './subjects.ts'
import { type Case, caseOf, doorOf, type Subject, stepTally, type Trial } from './trial.ts'
import { visitor } from './world.ts'

/** A browser with cookies of its own, and nobody signed in. */
class Browser {
  readonly #site: Site
  readonly #cookies = new Map<string, string>()

  constructor(site: Site) {
    this.#site = site
  }

  async ask(path: string, body?: URLSearchParams) {
    const headers = {
      ...(await this.#site.headersFor(visitor)),
      accept: 'text/html',
      origin: this.#site.url,
      cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    }
    const how = body === undefined ? {} : { method: 'POST', body }
    const response = await reach(new URL(path, this.#site.url), { ...how, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.#cookies.set(name, value)
    }
    if (body !== undefined) this.#site.observatory.forget()
    const leadsTo = response.headers.get('location')
    return { status: response.status, html: response.text, leadsTo, headers: response.headers }
  }
}

/** It was taken, and leads on. */
const taken = 303

export async function tryPublicForms(trial: Trial, { values }: Accepted): Promise<void> {
  const { site, entity } = trial
  for (const screen of site.app.screens)
    if (isPublicForm(screen) && specified(screen.shows)?.entity === entity.key) await tryForm(trial, screen, values)
}

/** With all that it lists, and one field that it does not. */
async function tryForm(trial: Trial, screen: Screen, values: Values): Promise<void> {
  const { site, entity } = trial
  const path = specified(screen.route)?.pattern
  const listed = new Set(onlyOf(screen).keys())
  const sent = {
    ...sampleOf(entity, listed),
    ...Object.fromEntries(Object.entries(values).filter(([key]) => listed.has(key) && isAskedThere(entity, key))),
  }
  const texts = Object.entries(sent).map(([key, value]) => [key, textOf(value)] as const)
  if (path === undefined || texts.some(([, text]) => text === null)) return
  const browser = new Browser(site)
  const page = await browser.ask(path)
  const form = formWith(page.html, '_csrf')
  const tally = doorOf(trial, `the form for everyone, ${screen.name.text}, takes what it lists`)
  tally.tried++
  if (page.status !== 200 || form === null) tally.wrong.push(`it is not shown to everyone: ${page.status}`)
  if (form === null) return
  const columns = saidOf({ site, screen }, 'columns')
  for (const key of columns === null ? [] : listed)
    if (!new RegExp(`name="${key}(?:\\.|")`).test(page.html) && isAskedThere(entity, key))
      tally.wrong.push(`it does not ask for ${key}`)
  for (const [key, text] of texts) form.set(key, text!)
  const unlisted = typedIn(entity).find(key => !listed.has(key) && isAskedThere(entity, key))
  if (unlisted !== undefined) form.set(unlisted, 'Two')
  const before = new Set((await site.observatory.world(visitor)).records(entity.key).map(({ id }) => id))
  const reply = await browser.ask(path, form)
  if (reply.status >= 400) return
  tally.through++
  site.judged.add(columns)
  const world = await site.observatory.world(visitor)
  const made = world.records(entity.key).filter(({ id }) => !before.has(id))
  const confirmed = saidOf({ site, screen }, 'confirm by mail to')
  if (confirmed !== null) {
    site.judged.add(confirmed)
    if (made.length > 0) tally.wrong.push('it is there before the address is confirmed')
    return
  }
  const [one] = made
  if (one === undefined || made.length > 1) tally.wrong.push(`${made.length} records are made of what was sent once`)
  if (one === undefined) return
  const wanted = rowAs(site, world, entity, sent)
  for (const wrong of await madeOf(trial, String(one.id), wanted, visitor)) tally.wrong.push(wrong)
  await tryEmbedded(site, screen, path, tally.wrong)
}

/** The text that a form sends for a JSON value; null: it is more than one. */
function textOf(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'on' : ''
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

const isAskedThere = ({ fields }: Entity, key: string): boolean =>
  fields.some(field => field.key === key && isAsked(field) && field.type.kind !== 'file')

/** Texts that need not be there, but are listed. */
const sampleOf = (entity: Entity, listed: ReadonlySet<string>): Values =>
  Object.fromEntries(typedIn(entity).flatMap(key => (listed.has(key) ? [[key, 'One']] : [])))

/** Other sites may show it in a frame: those that the document names, and no other. */
async function tryEmbedded(site: Site, screen: Screen, path: string, wrong: string[]): Promise<void> {
  const said = saidOf({ site, screen }, 'embedded in')
  const origins = formPart(screen)?.embeddedIn.map(({ origin }) => origin) ?? []
  const { status, headers } = await new Browser(site).ask(`/-/embed${path}`)
  const framed = /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? ''
  site.judged.add(said)
  if ((status === 200) !== origins.length > 0) wrong.push(`within a frame it is answered with ${status}`)
  else if (status === 200 && origins.some(origin => !framed.split(' ').includes(origin)))
    wrong.push(`it may stand in frames of ${framed || 'nobody'}`)
}

/** What the link of a record lets whoever holds it see and do: of this record, and of another one. */
export async function tryLink(trial: Trial, subject: Subject, other: Subject | undefined): Promise<void> {
  const { site, entity } = trial
  const known = await caseOf(trial, subject, visitor)
  const told = known?.world.told
  const roles = [...(told?.roles ?? [])].flatMap(([role, { text }]) =>
    new RegExp(`^link of ${entity.name}$`, 'i').test(text) ? [role] : [],
  )
  if (known === null || roles.length === 0) return
  const holder = holding(known, roles)
  const browser = new Browser(site)
  const opened = await browser.ask(`/-/case?token=${await site.observatory.link(entity.key, subject.id)}`)
  const tally = doorOf(trial, 'its link opens it and no other')
  tally.tried++
  const address = opened.leadsTo ?? ''
  const page = await browser.ask(address)
  site.judged.add(
    ...roles.map(role => told!.roles.get(role)),
    ...oracle.decidedBy(holder, 'See', 'Change', 'Delete', 'Do'),
  )
  if (opened.status !== taken) tally.wrong.push(`its link is answered with ${opened.status}`)
  if ((page.status === 200) !== oracle.sees(holder))
    tally.wrong.push(
      `the application answers its page with ${page.status}, the document ${oracle.sees(holder) ? 'shows' : 'hides'} it`,
    )
  for (const elsewhere of other === undefined ? [] : await addressesOf(site, entity, other.id))
    if ((await browser.ask(elsewhere)).status === 200) tally.wrong.push('it opens another record')
  if (page.status !== 200) return
  tally.through++
  for (const [verb, may] of [
    ['edit', oracle.changes(holder)],
    ['delete', oracle.deletes(holder)],
  ] as const)
    if (!may && (await browser.ask(`${address}/${verb}`)).status === 200)
      tally.wrong.push(`its link lets whoever holds it ${verb} it`)
  for (const step of new Set(oracle.toldOf(known).steps.map(({ key }) => key)))
    await tryStep(trial, subject, roles, browser, address, step)
}

const holding = (known: Case, roles: readonly string[]): Case => ({
  ...known,
  world: {
    ...known.world,
    actor: { ...known.world.actor, roles: [...known.world.actor.roles, ...roles], linked: roles },
  },
})

async function tryStep(
  trial: Trial,
  subject: Subject,
  roles: readonly string[],
  browser: Browser,
  address: string,
  step: string,
) {
  const known = await caseOf(trial, subject, visitor)
  const expected = known === null ? null : oracle.takes(holding(known, roles), step)
  if (known === null || expected === null) return
  const tally = doorOf(trial, 'its link takes the steps of its role')
  const path = `${address}/do/${step}`
  const form = formWith((await browser.ask(path)).html, '_csrf') ?? new URLSearchParams()
  const before = await lookBefore(trial, holding(known, roles), visitor)
  const reply = await browser.ask(path, form)
  tally.tried++
  const isTaken = reply.status === taken && !reply.leadsTo?.startsWith('/-/')
  if (isTaken) tally.through++
  if (isTaken) stepTally(trial, step).through++
  if (isTaken && !expected) tally.wrong.push(`${step}: the application takes it, the document refuses it`)
  if (isTaken && expected)
    for (const wrong of await cameOf(trial, { kind: 'step', step }, before)) tally.wrong.push(`${step}: ${wrong}`)
  if (!isTaken && expected && reply.status !== 422)
    tally.wrong.push(
      `${step}: the application says ${reply.status}, the document allows it: ${plainText(reply.html).slice(0, 80)}`,
    )
}
