/** `#### Scenario: …`: Given records, When somebody takes a step, Then something holds. */
import type { Cell } from '../document/source.ts'
import { evaluate, NOT_LOADED } from '../expression/evaluate.ts'
import type { Expression } from '../expression/expression.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { Scenario, ScenarioStep, ScenarioWhat } from '../headings/app.ts'
import { momentAt } from '../run/clock.ts'
import { stamps } from '../run/write/draft-record.ts'
import { answerCall } from './answered.ts'
import { bringTo, stepOf } from './arrange.ts'
import {
  ask,
  confirmable,
  confirming,
  fits,
  insisting,
  isOk,
  type Player,
  playersFrom,
  type Reply,
  type Site,
  toldBy,
} from './client.ts'
import { refused, set, stored as storedStatus, typedIn } from './constants.ts'
import { CannotArrange, draftOf, storedId, writtenOf } from './drafts.ts'
import { environmentOf, worth } from './judge.ts'
import { plainly } from './left.ts'
import { sendMessage } from './sent.ts'
import { isFigured, isListed, isTold } from './shown.ts'
import { isSame, known, rowOf, type Stage } from './stage.ts'
import type { Line } from './verify.ts'
import { watched, watchedNew } from './watched.ts'
import { visitor } from './world.ts'

/** What a row says that only looks: nothing happens. */
const looks: ReadonlySet<ScenarioWhat['kind']> = new Set(['made', 'holds', 'left', 'told', 'listed', 'figured'])

/** Plays the rows of a scenario in order, on the data that the ones before left. */
export async function playScenario(site: Site, scenario: Scenario): Promise<readonly Line[]> {
  const stage: Stage = {
    site,
    records: new Map(),
    before: new Map(),
    left: new Set(),
    constants: new Map(),
    answers: new Map(),
    wrong: [],
  }
  const [first] = site.players
  for (const [name, key] of first === undefined ? [] : scenario.samples) {
    const entity = site.app.entities.get(key)!
    const id = await storedId(site, first!, entity, name)
    if (id !== null) stage.records.set(name, { entity, id, by: first! })
  }
  const lines: Line[] = []
  const told = new Set(scenario.steps.flatMap(({ what }) => (what.kind === 'made' ? [what.entity] : [])))
  const tellsOfLeft = scenario.steps.some(({ what }) => what.kind === 'left')
  for (const step of scenario.steps) {
    if (!looks.has(step.what.kind)) {
      for (const entity of told)
        stage.before.set(entity, new Set((await stored(site, entity)).map(({ id }) => id as string)))
      if (tellsOfLeft) for (const { id } of await site.observatory.caused()) stage.left.add(id)
    }
    lines.push(await play(stage, step))
  }
  for (const [constant, { player, was }] of stage.constants) await set(site, player, constant, was)
  if (scenario.steps.some(({ what }) => what.kind === 'today' || what.kind === 'passes'))
    await site.clock.set(new Date())
  return lines
}

async function play(stage: Stage, step: ScenarioStep): Promise<Line> {
  const who = step.who === null ? '' : `${step.who.name}${step.who.role === null ? '' : ` the ${step.who.role}`}, `
  const title = `${step.step}: ${who}${step.cell.text}${step.result === null ? '' : ` → ${step.result.text}`}`
  try {
    const detail = await outcomeOf(stage, step)
    return { cell: step.cell, title, passed: detail === null, detail }
  } catch (error) {
    if (!(error instanceof CannotArrange)) throw error
    return { cell: step.cell, title, passed: false, detail: error.message }
  }
}

/** Null when it went as the row says, else what happened instead. */
async function outcomeOf(stage: Stage, scenarioStep: ScenarioStep): Promise<string | null> {
  const { what, who, result } = scenarioStep
  const player = who === null ? null : 'link' in who ? outsider(stage, who) : playerOf(stage.site, who.name, who.role)
  if (what.kind === 'holds') return await holds(stage, what.record, what)
  if (what.kind === 'made') return await wasMade(stage, what, player)
  if (what.kind === 'left') return await hasLeft(stage, what)
  if (what.kind === 'told' || what.kind === 'listed' || what.kind === 'figured') {
    if (player === null) throw new CannotArrange('the row says nobody who looks')
    if (what.kind === 'figured') return await isFigured(stage, what, player)
    return await (what.kind === 'told' ? isTold(stage, what, player) : isListed(stage, what, player))
  }
  if (what.kind === 'answered') return await answerCall(stage, what, result?.text ?? 'ok')
  if (what.kind === 'sent') return await sendMessage(stage, what, result?.text ?? 'ok')
  if (what.kind === 'constant') return await changeConstant(stage, what, player, result?.text ?? 'ok')
  if (what.kind === 'today' || what.kind === 'passes') {
    await stage.site.clock[what.kind === 'today' ? 'set' : 'pass'](timeOf(stage.site, what))
    return null
  }
  return await acted(stage, scenarioStep, what, player)
}

/** Makes a record, takes a step, or does something else with one. */
async function acted(
  stage: Stage,
  { result, step, confirms }: ScenarioStep,
  what: Extract<ScenarioWhat, { readonly kind: 'record' | 'step' | 'verb' }>,
  player: Player | null,
): Promise<string | null> {
  const wanted = confirms.length > 0 ? 'ok' : (result?.text ?? 'ok')
  const act = (site: Site): Promise<Reply> =>
    what.kind === 'record'
      ? makeRecord({ ...stage, site }, what, player)
      : what.kind === 'step'
        ? takeStep({ ...stage, site }, what, player, wanted)
        : doVerb({ ...stage, site }, what, player, step === 'given')
  // What is only arranged confirms whatever it is asked.
  stage.wrong.length = 0
  const reply = step === 'given' ? await insisting(stage.site, act) : await act(stage.site)
  if (confirms.length > 0) {
    const asked = confirmable(reply)
    const isAsked = asked.length === confirms.length && confirms.every(code => asked.includes(code))
    if (!isAsked) return `the application says ${toldBy(reply)} instead of asking to confirm ${confirms.join(', ')}`
    const confirmed = await act(confirming(stage.site, confirms))
    return fits(confirmed, 'ok') ? wrongIn(stage) : `confirmed, the application says ${toldBy(confirmed)}`
  }
  if (fits(reply, wanted)) {
    noteOf(stage, what, wanted)
    return wrongIn(stage)
  }
  return step === 'given' ? `it could not be arranged: ${toldBy(reply)}` : `the application says ${toldBy(reply)}`
}

/** What came of it otherwise than the document says. */
const wrongIn = ({ wrong }: Stage): string | null => (wrong.length === 0 ? null : wrong.join('; '))

/** The cells that a row of a scenario has held the application against: the step that it takes, and the rule whose code it is told. */
function noteOf({ site: { app, judged }, records }: Stage, what: ScenarioWhat, wanted: string): void {
  const [rule, ...others] = app.rules.filter(({ error }) => error === wanted)
  if (rule !== undefined && others.length === 0) judged.in(rule.cell, 'Applies to', 'Must hold', 'Error')
  if (what.kind !== 'step' || (wanted !== 'ok' && wanted !== 'denied')) return
  const { entity } = known(records, what.record)
  const workflow = app.workflows.get(entity.key)
  for (const { key, cell } of workflow?.transitions ?? []) if (key === what.step) judged.in(cell, 'From', 'Who')
  for (const { step, cell } of workflow?.approvals ?? []) if (step === what.step) judged.in(cell, 'Of', 'From')
}

/** By whoever the row names, else by whoever may; at the end of the scenario it is what it was. */
async function changeConstant(
  { site, constants }: Stage,
  { constant, value }: ScenarioWhat & { kind: 'constant' },
  player: Player | null,
  expected: string,
): Promise<string | null> {
  let told = ''
  for (const one of player === null ? site.players : [player]) {
    const was = await typedIn(site, one, constant)
    const status = await set(site, one, constant, value.text)
    const isStored = status === storedStatus
    if (isStored && was !== null && !constants.has(constant)) constants.set(constant, { player: one, was })
    told = isStored ? 'ok' : refused.has(status) ? 'denied' : 'NF-LIMIT-RANGE'
    if (isStored) break
  }
  return told === expected ? null : `the application says ${told}`
}

function playerOf(site: Site, name: string, role: string | null): Player {
  const player = site.players.find(one => one.name === name && (role === null || one.roles.includes(role)))
  if (player === undefined) throw new CannotArrange(`nobody is ${name}${role === null ? '' : ` the ${role}`}`)
  return player
}

/** Somebody without an account. */
function outsider({ records }: Stage, { name, link }: { readonly name: string; readonly link: string | null }): Player {
  const held = link === null ? null : known(records, link)
  return { ...visitor, name, link: held === null ? null : { entity: held.entity.key, record: held.id } }
}

async function makeRecord(
  stage: Stage,
  what: ScenarioWhat & { kind: 'record' },
  acting: Player | null,
): Promise<Reply> {
  const { site } = stage
  const entity = site.app.entities.get(what.entity)!
  const by = what.by === null ? acting : playerOf(site, what.by, null)
  let reply: Reply | null = null
  let maker: Player | null = null
  for (const player of by === null ? site.players : [by]) {
    const looker = player.link === undefined ? player : (site.players[0] ?? player)
    const sent = await draftOf(site, looker, entity, what, stage.records)
    reply = await watchedNew(site, entity, player, sent, stage.wrong, () => ask(site, player, 'POST', entity.key, sent))
    maker = player
    if (isOk(reply)) break
  }
  if (reply === null || maker === null) throw new CannotArrange('there is nobody to act for')
  if (!isOk(reply)) return reply
  const id = String(reply.body.id)
  stage.records.set(what.name, { entity, id, by: maker })
  if (what.state !== null) await bringTo(site, entity.key, id, what.state, maker)
  return reply
}

async function takeStep(
  { site, records, wrong }: Stage,
  { record, step, values }: ScenarioWhat & { kind: 'step' },
  player: Player | null,
  expected: string,
): Promise<Reply> {
  const { entity, id, by } = known(records, record)
  const who = player ?? by
  const looker = who.link === undefined ? who : by
  const given = values.length === 0 ? undefined : await writtenOf(site, looker, entity, { values }, records)
  return await watched(site, { entity, id }, who, { kind: 'step', step }, wrong, () =>
    stepOf(site, who, entity.key, id, step, reply => !fits(reply, expected), given),
  )
}

/** `anybody`: where nobody is named, it is done by whoever may. */
async function doVerb(
  stage: Stage,
  what: ScenarioWhat & { kind: 'verb' },
  player: Player | null,
  anybody: boolean,
): Promise<Reply> {
  const { site, records } = stage
  const { verb, record, values } = what
  const person = records.has(record) ? undefined : site.players.find(({ name }) => name === record)
  const { entity, id, by } =
    person === undefined
      ? known(records, record)
      : { entity: site.app.entities.get('person')!, id: person.id, by: person }
  if (player === null && anybody) {
    let reply: Reply | null = null
    for (const one of playersFrom(site, by)) {
      reply = await doVerb(stage, what, one, false)
      if (isOk(reply) || confirmable(reply).length > 0) return reply
    }
    if (person === undefined) return reply!
    // Nobody may, and it is only arranged: so do steps, calls, and whoever knows people from elsewhere.
    return await site.given(id, await writtenOf(site, by, entity, { values }, records))
  }
  const who = player ?? by
  const looker = who.link === undefined ? who : by
  if (entity.partOf !== null) {
    const written = verb === 'delete' ? null : await writtenOf(site, looker, entity, { values }, records)
    return await writeRow(site, who, entity, id, written)
  }
  const path = `${entity.key}/${id}`
  if (verb === 'see') return await ask(site, who, 'GET', path)
  if (verb === 'delete') return await ask(site, who, 'DELETE', path)
  if (verb === 'restore') return await ask(site, who, 'POST', `${path}/restore`)
  const sent = await writtenOf(site, looker, entity, { values }, records)
  return await watched(site, { entity, id }, who, { kind: 'change', sent }, stage.wrong, () =>
    ask(site, who, 'PATCH', path, sent),
  )
}

/** A row is written with the record that it is part of, beside the others as they are; null: it goes. */
async function writeRow(
  site: Site,
  player: Player,
  { key, partOf }: Entity,
  id: string,
  written: Readonly<Record<string, unknown>> | null,
): Promise<Reply> {
  const { app } = site
  const whole = app.entities.get(partOf!)!
  const list = whole.fields.find(({ type }) => type.kind === 'list' && type.entity === key)!.key
  const row = (await stored(site, key)).find(one => one.id === id)
  if (row === undefined) throw new CannotArrange('the row is not there any more')
  const path = `${whole.key}/${row[app.schema.get(key)!.parent!]}`
  const seen = await ask(site, player, 'GET', path)
  if (!isOk(seen)) return seen
  const rows = ((seen.body[list] ?? []) as readonly { readonly id: string }[]).flatMap(one =>
    one.id !== id ? [{ id: one.id }] : written === null ? [] : [{ id, ...written }],
  )
  return await ask(site, player, 'PATCH', path, { [list]: rows })
}

/** A time of day is the one there; what passes is counted from now. */
function timeOf({ app, clock }: Site, what: ScenarioWhat & { kind: 'today' | 'passes' }): Date {
  if (what.kind === 'today') return momentAt(what.date, what, app.product.timeZone.name)
  const to = clock.now()
  const { count, unit } = what
  if (unit === 'month') to.setUTCMonth(to.getUTCMonth() + count)
  else to.setTime(to.getTime() + count * { minute: 1, hour: 60, day: 1440, week: 10_080 }[unit] * 60_000)
  return to
}

async function holds(
  { site, records }: Stage,
  name: string,
  what: ScenarioWhat & { kind: 'holds' },
): Promise<string | null> {
  const { entity, id, by } = known(records, name)
  const idOf = (one: string) => records.get(one)?.id ?? site.players.find(player => player.name === one)?.id ?? null
  const expression = { ...what.expression, root: withIds(what.expression.root, idOf) }
  for (const player of playersFrom(site, by)) {
    // A row is read with the record that it is part of, and has no address.
    const reply = entity.partOf === null ? await ask(site, player, 'GET', `${entity.key}/${id}`) : null
    const { reads } = expression
    if (reply !== null && !(isOk(reply) && isWhole(site, entity, reads, reply))) continue
    const row = {
      ...(await untold(site, player, entity, id, reads)),
      ...(reply === null ? {} : rowOf(site, entity, reply.body)),
    }
    const told = evaluate(expression, environmentOf(site, player, row))
    const value = told === NOT_LOADED ? await knownToAll(site, player, entity, id, expression) : told
    return toldOf(value, row, expression)
  }
  // Nobody sees all of it: what is stored counts.
  const row = (await stored(site, entity.key)).find(one => one.id === id)
  if (row === undefined) throw new CannotArrange(`${name} is not there any more`)
  return toldOf(await knownToAll(site, visitor, entity, id, expression), row, expression)
}

const toldOf = (value: unknown, row: RecordValue, { cell }: Expression): string | null =>
  value === true ? null : `it is ${value === null ? 'unknown' : 'not so'} (${seen(row, cell)})`

/** Whether an answer has all fields of the record that are read, but for those that no answer has. */
const isWhole = ({ app }: Site, { key }: Entity, reads: readonly string[], { body }: Reply): boolean =>
  reads.every(read => stamps.has(read) || read in body || !app.schema.get(key)!.fields.has(read))

/** The same part of a condition with the ids of the records that it names. */
function withIds<Part>(part: Part, idOf: (name: string) => string | null): Part {
  if (Array.isArray(part)) return part.map(one => withIds(one, idOf)) as Part
  if (typeof part !== 'object' || part === null) return part
  const inner = Object.fromEntries(Object.entries(part).map(([key, of]) => [key, withIds(of, idOf)]))
  const { op, type, value } = inner as { op?: unknown; type?: { kind?: unknown }; value?: unknown }
  return (op === 'literal' && type?.kind === 'reference' ? { ...inner, value: idOf(String(value)) } : inner) as Part
}

/** What stands in a stored record and in no answer about it: when it was created and changed, and by whom. Of a row: all of it. */
async function untold(
  site: Site,
  player: Player,
  { key, partOf }: Entity,
  id: string,
  reads: readonly string[],
): Promise<RecordValue> {
  if (partOf === null && !reads.some(read => stamps.has(read))) return {}
  site.observatory.forget()
  const stored = (await site.observatory.world(player)).record(key, id) ?? {}
  return partOf === null ? Object.fromEntries([...stamps].map(stamp => [stamp, stored[stamp]])) : stored
}

/** What reads other records is asked of all that are stored. */
async function knownToAll(site: Site, player: Player, entity: Entity, id: string, expression: Expression) {
  site.observatory.forget()
  const world = await site.observatory.world(player)
  const value = evaluate(expression, world.environment(entity.key, world.record(entity.key, id)!))
  if (value === NOT_LOADED) throw new CannotArrange('it reads what a scenario cannot look at')
  return value
}

async function stored(site: Site, entity: string): Promise<readonly RecordValue[]> {
  site.observatory.forget()
  return (await site.observatory.world(visitor)).records(entity)
}

/** Names the one record that the row before made. */
async function wasMade(
  { site, records, before }: Stage,
  { entity: key, name, values, state }: ScenarioWhat & { kind: 'made' },
  player: Player | null,
): Promise<string | null> {
  const entity = site.app.entities.get(key)!
  const by = player ?? site.players[0]
  if (by === undefined) throw new CannotArrange('there is nobody to act for')
  const { parent } = site.app.schema.get(key)!
  const above = values.find(({ field }) => field === parent)?.cell.text
  const of = above === undefined ? null : known(records, above).id
  const said = values.filter(({ field }) => field !== parent)
  const wanted = await writtenOf(site, by, entity, { values: said }, records)
  const there = before.get(key) ?? new Set()
  const fresh = (await stored(site, key)).filter(({ id }) => !there.has(id as string))
  const { environment } = await site.observatory.world(by)
  const says = (row: RecordValue, field: Field, wire: Wire) =>
    isSame(
      field,
      field.computed === null ? (row[field.key] ?? null) : worth(field.computed, environment(key, row)),
      wire,
    )
  const told = rowOf(site, entity, wanted)
  const fitting = fresh.filter(
    row =>
      (state === null || row.state === state) &&
      (of === null || row[parent!] === of) &&
      entity.fields.every(field => !(field.key in told) || says(row, field, told[field.key] as Wire)),
  )
  const [first, second] = fitting
  const others = fresh.length > fitting.length ? `; ${fresh.length} were made that say something else` : ''
  if (name === null) return first === undefined ? null : `${fitting.length} of them were made`
  if (first === undefined) return `none was made${others}`
  if (second !== undefined)
    return `${fitting.length} of them were made: say which, as in \`${entity.name} ${name} was made with …\``
  records.set(name, { entity, id: first.id as string, by })
  return null
}

/** Whether the row before caused such a mail or call. */
async function hasLeft(
  { site, left }: Stage,
  { of, name, to, count, saying, sends }: ScenarioWhat & { kind: 'left' },
): Promise<string | null> {
  const fresh = (await site.observatory.caused()).filter(({ id, kind }) => kind === of && !left.has(id))
  const isSo = (person: string | null) => {
    const fitting = fresh.filter(
      one =>
        (name === null || one.name === name) &&
        (person === null || one.to === person) &&
        (saying === null || one.words?.replace(/\s+/g, ' ').includes(saying) === true) &&
        sends.every(({ name: key, value }) => plainly(one.body?.[key]) === plainly(value)),
    )
    return count === null ? fitting.length > 0 : fitting.length === count
  }
  if ((to.length === 0 ? [null] : to).every(isSo)) return null
  const saidBy = ({ words, body }: (typeof fresh)[number]) =>
    saying !== null ? `, saying '${words}'` : sends.length > 0 ? ` with ${JSON.stringify(body)}` : ''
  const said = [...Map.groupBy(fresh, one => (one.to === null ? one.name : `${one.name} to ${one.to}`))].map(
    ([what, all]) => `${what}${all.length === 1 ? '' : `, ${all.length} times`}${saidBy(all[0]!)}`,
  )
  return said.length === 0 ? 'there was none' : `there was: ${said.sort().join('; ')}`
}

/** The values of the fields that an expression names, for the report. */
const seen = (row: RecordValue, { text }: Cell): string =>
  Object.entries(row)
    .filter(([key, value]) => new RegExp(`\\b${key}\\b`).test(text) && !Array.isArray(value))
    .map(([key, value]) => `${key} is ${String(value ?? 'empty')}`)
    .join(', ')
