/**
 * What people are told of work that concerns them, on the page of their notices: that somebody put them down for something, that a record
 * waits for their decision, and where one went that they follow. Whoever does it themselves is told nothing, nor who does not see it.
 */
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { Transition } from '../headings/4-states/model.ts'
import { specified } from '../headings/specified.ts'
import { stepOf } from './arrange.ts'
import { ask, insisting, isOk, type Player, type Site } from './client.ts'
import { isAsked, type Values } from './drafts.ts'
import { distinct } from './edges.ts'
import * as oracle from './oracle/rights.ts'
import { openPage } from './page.ts'
import type { Accepted } from './subjects.ts'
import { type Case, caseOf, doorOf, type Trial } from './trial.ts'

/** Steps that a record is led along. */
const stepsAtMost = 3

/** A new record, in which somebody else is put down where that can be, led along its steps. */
export async function tryNews(trial: Trial, { player, values }: Accepted): Promise<void> {
  const { site, entity } = trial
  const isNews = site.app.workflows.has(entity.key) || personFieldsOf(entity).length > 0
  if (entity.partOf !== null || entity.key === 'person' || !isNews) return
  const made = await makeFor(trial, player, values)
  if (made === null) return
  const id = String(made.id)
  const told = await noteNews(trial, { id, what: 'it is made', by: player, before: null, told: new Set() })
  await leadAlong(trial, id, player, told)
  if (entity.appendOnly === null) await site.observatory.remove(entity.key, id)
}

const personFieldsOf = ({ fields }: Entity): readonly Field[] =>
  fields.filter(({ type }) => type.kind === 'reference' && type.entity === 'person')

/** With somebody else in the first field that takes them; else as it was accepted. */
async function makeFor({ site, entity }: Trial, player: Player, values: Values) {
  const others = site.players.filter(one => one !== player)
  const ways = personFieldsOf(entity)
    .filter(isAsked)
    .flatMap(({ key }) => others.map(({ id }): Values => ({ [key]: id })))
  for (const way of [...ways, {}]) {
    const sent = await distinct(site, player, entity, { ...values, ...way }, '')
    const reply = await ask(site, player, 'POST', entity.key, sent)
    if (isOk(reply)) return reply.body
  }
  return null
}

/** Somebody has done something with a record. */
interface Event {
  readonly id: string
  readonly what: string
  readonly by: Player
  /** As it was; null: it is new. */
  readonly before: Case['record'] | null
  /** Who was told what of it before. */
  readonly told: ReadonlySet<string>
}

/** Steps that others take, while there are some: each is told of by itself. */
async function leadAlong(trial: Trial, id: string, player: Player, before: ReadonlySet<string>): Promise<void> {
  const { site, entity } = trial
  let told = before
  for (let taken = 0; taken < stepsAtMost; taken++) {
    const next = await stepNow(trial, id, player)
    if (next === null) return
    const reply = await insisting(site, as => stepOf(as, next.by, entity.key, id, next.step.key))
    if (!isOk(reply)) return
    told = await noteNews(trial, { ...next, id, what: `${next.step.name} by ${next.by.name}`, told })
  }
}

/** One that leads on, by somebody else where one may take it. */
async function stepNow(trial: Trial, id: string, player: Player) {
  const { site, entity } = trial
  const steps = site.app.workflows.get(entity.key)?.transitions ?? []
  const leadsOn = ({ from, to, undo }: Transition, state: unknown) =>
    undo === null && specified(from)?.includes(String(state)) === true && specified(to) !== state
  for (const by of [...site.players.filter(one => one !== player), player]) {
    const known = await caseOf(trial, { id }, by)
    if (known === null) return null
    const step = steps.find(one => leadsOn(one, known.record.state) && oracle.takes(known, one.key) === true)
    if (step !== undefined) return { by, step, before: known.record }
  }
  return null
}

/** Who is to be told what of it, and whoever is told besides. Gives who was told what by then. */
async function noteNews(trial: Trial, event: Event): Promise<ReadonlySet<string>> {
  const { site, entity } = trial
  const { id, by, what } = event
  const told = await site.observatory.noticed(entity.key, id)
  const tally = doorOf(trial, 'people are told of what concerns them')
  for (const player of site.players) {
    const known = await caseOf(trial, { id }, player)
    const kind = known === null || player.id === by.id ? null : kindFor(trial, known, event)
    if (known === null || kind === undefined) continue
    tally.tried++
    const fresh = [...told].filter(one => one.startsWith(`${player.id} `) && !event.told.has(one))
    if (kind !== null && told.has(`${player.id} ${kind}`)) {
      tally.through++
      tally.wrong.push(...(await otherPage(site, player, known)).map(text => `${what}: ${text}`))
    } else if (kind !== null) tally.wrong.push(`${what}: ${player.name} is not told (${kind})`)
    else if (fresh.length > 0) tally.wrong.push(`${what}: ${player.name} is told, and it does not concern them`)
  }
  return told
}

/** What concerns them most; null: nothing does; undefined: that cannot be told. */
function kindFor({ site, entity }: Trial, one: Case, { before }: Event): string | null | undefined {
  const { id } = one.world.actor
  // Of several people it is not looked who was among them before.
  if (entity.fields.some(({ kind, type }) => kind === 'several' && 'entity' in type && type.entity === 'person'))
    return undefined
  if (!oracle.sees(one)) return null
  const approvals = site.app.workflows.get(entity.key)?.approvals ?? []
  const waits = approvals.map(({ key }) => oracle.waitsForThem(one, key))
  if (waits.includes(true)) return 'decide'
  if (waits.includes(null)) return undefined
  const stands = personFieldsOf(entity).filter(field => one.record[field.key] === id && oracle.seesField(one, field))
  if (stands.some(({ key, computed }) => computed === null && before?.[key] !== id)) return 'owner'
  const follows = one.record.created_by === id || stands.length > 0
  const isMoved = before !== null && before.state !== one.record.state && oracle.seesField(one, { key: 'state' })
  return follows && isMoved ? 'moved' : null
}

/** The page of their notices says something. */
async function otherPage(site: Site, player: Player, { entity }: Case): Promise<readonly string[]> {
  const page = await openPage(site, player, '/-/notices')
  if (page.kind !== 'shown') return [`the notices of ${player.name} are not shown: ${page.why}`]
  return page.html.includes('<li id="notice-') ? [] : [`the notices of ${player.name} say nothing of any ${entity}`]
}
