/**
 * Values for records. A row of the document says some of them; everything else that is required is given something of its type. Where only
 * the being there of a record matters, it is written as a row of the document writes one, and bettered where a refusal says where.
 */
import type { Cell } from '../document/source.ts'
import { formatDecimal, parseDecimal } from '../expression/decimal.ts'
import { evaluate, NOT_LOADED } from '../expression/evaluate.ts'
import type { Expression } from '../expression/expression.ts'
import { memoize } from '../expression/memoize.ts'
import type { RecordValue } from '../expression/type.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { App, ScenarioWhat } from '../headings/app.ts'
import { evened } from '../headings/names.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { madeUp } from '../kinds/fields/made-up.ts'
import { namedIn } from '../kinds/fields/several/links.ts'
import { isArchived } from '../run/access/archived.ts'
import { ask, insisting, isOk, type Player, type Reply, type Site, sendFile, verdictOf } from './client.ts'
import { fileNamed, fileOf, type SampleFile } from './files.ts'
import { environmentOf, worth } from './judge.ts'
import { fromSeed } from './near.ts'
import { neverCreates } from './oracle/rights.ts'
import { isTold } from './trial.ts'
import { visitor } from './world.ts'

export type Values = Record<string, unknown>

/** A row cannot be tried, and why. */
export class CannotArrange extends Error {}

export interface Given {
  readonly field: Field
  readonly cell: Cell
}

/** Records by the names that a scenario gave them. */
export type Named = ReadonlyMap<string, { readonly id: string; readonly entity: Entity }>

/**
 * JSON values for cells of an example or a scenario, read as a form reads them: references are looked up as `player` sees them. In a scenario (`named`) they name
 * what the player does not see, too: what the application says of it is what is tried.
 */
export async function valuesOf(site: Site, player: Player, given: readonly Given[], named?: Named): Promise<Values> {
  const values: Values = {}
  for (const { field, cell } of given) {
    const value = await wireJson(site, player, field, cell.text, named)
    const before = values[field.key]
    values[field.key] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value
  }
  return values
}

async function wireJson(site: Site, player: Player, field: Field, text: string, named?: Named): Promise<unknown> {
  if (text === '') return null
  if (field.type.kind === 'reference')
    return (
      idOf(named, field.type.entity, text) ??
      (await referred(site, player, field.type.entity, text, named !== undefined))
    )
  if (field.type.kind === 'file') return await sent(site, player, field, fileNamed(text))
  if (field.type.kind === 'list') {
    const { entity } = field.type
    return await Promise.all(
      namedIn(text).map(
        ({ name }) => idOf(named, entity, name) ?? referred(site, player, entity, name, named !== undefined),
      ),
    )
  }
  const kind = fieldKind(field.kind)
  const parsed = kind.parse(text, field.parameters, 'en', site.app.product.timeZone.name)
  if ('invalid' in parsed) throw new CannotArrange(`'${text}' is not a value of ${field.key}`)
  return kind.sealed ? parsed.value : kind.toJson(parsed.value, field.parameters)
}

/** A record of the scenario, where the field can name it: one of another entity only has the same name. */
function idOf(named: Named | undefined, entity: string, name: string): string | undefined {
  const found = named?.get(name)
  return found?.entity.key === entity ? found.id : undefined
}

/** The value of a field that holds a file, which is sent first. */
async function sent(site: Site, player: Player, { key }: Field, file: SampleFile | null): Promise<unknown> {
  if (file === null) throw new CannotArrange(`${key} needs a file of a kind that cannot be made for trying`)
  const reply = await sendFile(site, player, file)
  if (!isOk(reply)) throw new CannotArrange(`the file for ${key} is not taken: ${verdictOf(reply)}`)
  return reply.body
}

/** The id of the record that a title or a unique value names. */
async function referred(site: Site, player: Player, entity: string, text: string, unseen: boolean): Promise<string> {
  if (entity === 'person') {
    const person = site.players.find(({ name }) => name === text)
    if (person === undefined) throw new CannotArrange(`nobody is named '${text}'`)
    return person.id
  }
  const of = site.app.entities.get(entity)!
  const names = new Set([...of.title, ...of.fields.filter(({ unique }) => unique !== null).map(({ key }) => key)])
  for (const name of names) {
    const { body } = await ask(site, player, 'GET', `${entity}?${new URLSearchParams({ [name]: text })}`)
    const [row] = (body.data ?? []) as readonly { readonly id: string }[]
    if (row !== undefined) return row.id
  }
  const id = unseen ? await storedId(site, player, of, text) : null
  if (id === null)
    throw new CannotArrange(`${unseen ? 'there is' : `${player.name} sees`} no ${of.name} named '${text}'`)
  return id
}

/** The one record that is stored with this title, unique value or text, whoever may see it; null: there is none, or are several. */
export async function storedId(site: Site, player: Player, of: Entity, text: string): Promise<string | null> {
  const world = await site.observatory.world(player)
  const says = (row: RecordValue, { key, computed }: Field) => {
    const value = computed === null ? row[key] : worth(computed, world.environment(of.key, row))
    return typeof value === 'string' && evened(value) === evened(text)
  }
  const naming = [
    of.fields.filter(({ key }) => of.title.includes(key)),
    of.fields.filter(({ unique }) => unique !== null),
    of.fields.filter(({ type }) => type.kind === 'text'),
  ]
  for (const fields of naming) {
    const [first, second] = world.records(of.key).filter(row => fields.some(field => says(row, field)))
    if (first !== undefined && second === undefined) return first.id as string
  }
  return null
}

/** Adds a value to every required field that has none and gets none by itself. */
export async function completed(
  site: Site,
  player: Player,
  entity: Entity,
  values: Values,
  within = '',
): Promise<Values> {
  const all: Values = { ...values }
  for (const field of entity.fields) {
    if (field.key in all || !isAsked(field)) continue
    if (field.type.kind === 'list' && fieldKind(field.kind).links) {
      if (field.required !== null) all[field.key] = [await anyRecord(site, player, field, field.type.entity)]
    } else if (field.type.kind === 'list') {
      if (!needsRow(site, field)) continue
      all[field.key] = [await completed(site, player, site.app.entities.get(field.type.entity)!, {}, entity.key)]
    } else if (field.required !== null && field.default === null && field.key !== within) {
      if (field.onlyWhen === null || isWithin(site, player, entity, all, field.onlyWhen))
        all[field.key] = await anyValue(site, player, field)
    }
  }
  return all
}

/** The same with a row in each list that has none, and in each list of its first rows. */
export async function rowsFilled(site: Site, player: Player, entity: Entity, values: Values): Promise<Values> {
  let filled = values
  for (const list of entity.fields) {
    const child = list.type.kind === 'list' ? site.app.entities.get(list.type.entity)! : null
    if (child?.partOf !== entity.key || !isAsked(list)) continue
    const [first, ...others] = (values[list.key] ?? []) as readonly Values[]
    const row = first ?? (await completed(site, player, child, {}, entity.key))
    const whole = await rowsFilled(site, player, child, row)
    if (whole !== first) filled = { ...filled, [list.key]: [whole, ...others] }
  }
  return filled
}

export const isAsked = ({ computed, copiedFrom, setBy, hidden, kind }: Field): boolean =>
  computed === null &&
  copiedFrom === null &&
  setBy === null &&
  hidden === null &&
  (kind === 'list of' || fieldKind(kind).entered)

function needsRow(site: Site, { min }: Field): boolean {
  const least = min === null ? NOT_LOADED : evaluate(min, environmentOf(site, null, {}))
  return least !== NOT_LOADED && Number(least) > 0
}

/** Whether a condition holds of what is written so far, and of what defaults say of the rest. */
function isWithin(site: Site, player: Player, entity: Entity, values: Values, condition: Expression): boolean {
  const row = Object.fromEntries(
    entity.fields.map(({ key, default: given }) => {
      const value = values[key] ?? (given === null ? null : evaluate(given, environmentOf(site, player, {})))
      return [key, value === NOT_LOADED ? null : value]
    }),
  )
  return evaluate(condition, environmentOf(site, player, row as RecordValue)) === true
}

/** Makes up to this many different values for fields that must be unique. */
let made = 0

async function anyRecord(site: Site, player: Player, { key, chooseFrom }: Field, entity: string): Promise<string> {
  // Whoever writes it is the one person that rules often leave out.
  if (entity === 'person') {
    const role = chooseFrom?.role ?? null
    const able = site.players.filter(({ roles }) => role === null || roles.includes(role))
    return (able.find(({ id }) => id !== player.id) ?? able[0] ?? player).id
  }
  const { body } = await ask(site, player, 'GET', `${entity}?limit=1`)
  const [row] = (body.data ?? []) as readonly { readonly id: string }[]
  const id = row?.id ?? (await ownRecord(site, player, entity)) ?? (await anybodysRecord(site, player, entity))
  if (id === null)
    throw new CannotArrange(`${key} is required, and ${player.name} sees no record for it; add sample data`)
  return id
}

/** What was made for others to name, while a document is tried. */
interface Makings {
  /** Entities of which a record is being made: what requires each other ends here. */
  readonly now: Set<string>
  /** What came of it, by person and entity: an id; null: nothing, while records of so many entities were there. */
  readonly known: Map<string, { readonly id: string | null; readonly stock: number }>
  /** How often it ended because of what was being made: another time something else may come of it. */
  cut: number
}

const makings = new WeakMap<Site['observatory'], Makings>()

/** A record that this person makes, once: whoever sees none of others may see their own. */
async function ownRecord(site: Site, player: Player, entity: string): Promise<string | null> {
  const all = memoize(makings, site.observatory, (): Makings => ({ now: new Set(), known: new Map(), cut: 0 }))
  const maker = `${player.id} ${entity}`
  const before = all.known.get(maker)
  if (before?.id === null ? before.stock === (await stockOf(site)) : await isThere(site, entity, before?.id))
    return before!.id
  const world = await site.observatory.world(player)
  if (isTold(site.app, entity) && neverCreates({ world, entity })) return null
  if (all.now.has(entity)) {
    all.cut++
    return null
  }
  const of = site.app.entities.get(entity)!
  site.at?.(`${of.name}, which others need, made by ${player.name}`)
  const { cut } = all
  all.now.add(entity)
  try {
    const sent = await createSome(site, player, of)
    const id = sent !== null && isOk(sent.reply) ? String(sent.reply.body.id) : null
    if (id !== null || cut === all.cut) all.known.set(maker, { id, stock: await stockOf(site) })
    return id
  } finally {
    all.now.delete(entity)
  }
}

/** One that is there already, whoever sees it; else one that somebody else makes. */
async function anybodysRecord(site: Site, player: Player, entity: string): Promise<string | null> {
  const there = (await site.observatory.world(player)).records(entity).find(record => !isArchived(record))
  if (there !== undefined) return String(there.id)
  for (const maker of site.players) {
    const id = maker === player ? null : await ownRecord(site, maker, entity)
    if (id !== null) return id
  }
  return null
}

async function isThere({ observatory }: Site, entity: string, id: string | null | undefined): Promise<boolean> {
  const record = id == null ? undefined : (await observatory.world(visitor)).record(entity, id)
  return record !== undefined && !isArchived(record)
}

/** Of how many entities there are records: once there are some of another, more can be made. */
async function stockOf({ app, observatory }: Site): Promise<number> {
  const { records } = await observatory.world(visitor)
  return [...app.entities.keys()].filter(entity => records(entity).length > 0).length
}

/** A value that its type and its own rules take. */
export async function anyValue(site: Site, player: Player, field: Field): Promise<unknown> {
  if (field.type.kind === 'reference') return await anyRecord(site, player, field, field.type.entity)
  if (field.type.kind === 'file') return await sent(site, player, field, fileOf(field.types?.names ?? null))
  if (field.type.kind === 'date' || field.type.kind === 'moment') return comingTime(site, field)
  made++
  const { seed } = await site.observatory.world(player)
  const { pattern, parameters } = field
  const kind = fieldKind(field.kind)
  if (pattern !== null || (field.type.kind === 'text' && field.unique !== null)) return madeUp(field, made)
  if (parameters.choices !== undefined) return fromSeed(parameters.choices, seed)[0]
  const [example] = fromSeed(kind.examples.find(({ good }) => good.length > 0)?.good ?? [], seed)
  if (field.type.kind === 'text') return (example?.text ?? 'x').slice(0, parameters.length ?? 200)
  const [, least, sign] = /(-?\d+(?:\.\d+)?)\s*(%?)$/.exec(field.min?.cell.text ?? '') ?? []
  const other = field.unique === null ? example?.wire : madeUp(field, made)
  const wire = least === undefined ? (other ?? null) : sign === '%' ? hundredthOf(least) : least
  return wire === null || kind.sealed ? wire : kind.toJson(wire, parameters)
}

const hundredthOf = (digits: string): string => {
  const { units, scale } = parseDecimal(digits)!
  return formatDecimal({ units, scale: scale + 2 })
}

/** Of the times of a record the one that is written first comes first: tomorrow, the day after, … at noon. */
function comingTime({ app, clock }: Site, field: Field): string {
  const entity = [...app.entities.values()].find(({ fields }) => fields.includes(field))!
  const place = entity.fields.filter(({ type }) => type.kind === field.type.kind).indexOf(field)
  const day = new Date(clock.now().getTime() + (place + 1) * 86_400_000).toISOString().slice(0, 10)
  return field.type.kind === 'date' ? day : `${day}T12:00:00.000Z`
}

/** How often a refused record is bettered. */
const rounds = 6
const dayMs = 86_400_000

type Written = ScenarioWhat & { readonly kind: 'record' }

/** A record as a scenario writes it, with everything that it leaves out. */
export async function draftOf(
  site: Site,
  player: Player,
  entity: Entity,
  what: Pick<Written, 'values'> & { readonly without?: readonly string[] },
  named?: Named,
): Promise<Values> {
  const values = await writtenOf(site, player, entity, what, named)
  // A field that is there and has nothing is not sent.
  for (const key of what.without ?? []) values[key] = undefined
  return await completed(site, player, entity, values)
}

/** What a scenario writes of a record, and nothing else. Values of a list are one row of it, which is whole. */
export async function writtenOf(
  site: Site,
  player: Player,
  entity: Entity,
  what: Pick<Written, 'values'>,
  named?: Named,
): Promise<Values> {
  const own: Given[] = []
  const children = new Map<string, Given[]>()
  for (const { field, child, cell } of what.values) {
    const of = child === null ? entity : childOf(site.app, entity, child)
    const given = { field: of.fields.find(({ key }) => key === field)!, cell }
    if (child === null) own.push(given)
    else children.set(child, [...(children.get(child) ?? []), given])
  }
  const values = await valuesOf(site, player, own, named)
  for (const [list, given] of children) {
    const row = await valuesOf(site, player, given, named)
    values[list] = [await completed(site, player, childOf(site.app, entity, list), row, entity.key)]
  }
  return values
}

function childOf(app: App, entity: Entity, list: string): Entity {
  const type = entity.fields.find(({ key }) => key === list)?.type
  if (type?.kind !== 'list') throw new CannotArrange(`${list} is no list of ${entity.name}`)
  return app.entities.get(type.entity)!
}

/** What was sent for a record, and the answer. */
export interface Sent {
  readonly values: Values
  readonly reply: Reply
}

/** Creates a record as this person. The last refusal, where none was accepted; null where nothing could be sent. */
export async function createSome(site: Site, player: Player, entity: Entity): Promise<Sent | null> {
  let last: Sent | null = null
  for (const what of [...acceptedRows(site.app, entity), { values: [] }]) {
    try {
      last = await bettered(site, player, entity, await draftOf(site, player, entity, what))
    } catch (error) {
      if (!(error instanceof CannotArrange)) throw error
      continue
    }
    // Nothing that stands in it makes a difference to who may not.
    if (isOk(last.reply) || [401, 403, 404].includes(last.reply.status)) return last
  }
  return last
}

/** Records of this entity in the document's rows that are to be accepted. */
function acceptedRows(app: App, entity: Entity): readonly Pick<Written, 'values'>[] {
  const told = app.scenarios.flatMap(({ steps }) =>
    steps.flatMap(({ what, result }) =>
      what.kind === 'record' && what.entity === entity.key && (result === null || result.text === 'ok') ? [what] : [],
    ),
  )
  const examples = app.rules
    .filter(rule => rule.entity === entity.key)
    .flatMap(rule => rule.examples.filter(({ result }) => result.text === 'ok'))
  // What may stand in one record alone is left to the row that says it, as long as any other value is taken, too.
  const isShared = (name: string) => entity.fields.every(({ key, unique }) => key !== name || unique === null)
  return [...told, ...examples].slice(0, 3).flatMap(row => {
    const shared = row.values.filter(({ field, child }) => child !== null || isShared(field))
    return shared.length === row.values.length ? [row] : [{ values: shared }, row]
  })
}

async function bettered(site: Site, player: Player, entity: Entity, draft: Values): Promise<Sent> {
  let values = draft
  let reply = await insisting(site, as => ask(as, player, 'POST', entity.key, values))
  for (let round = 1; round <= rounds && reply.status === 422; round++) {
    const better = await another(site, player, entity, values, reply, round)
    if (better === null) break
    values = better
    reply = await insisting(site, as => ask(as, player, 'POST', entity.key, values))
  }
  return { values, reply }
}

/** The values with others where the refusal points to, in rows too; null where it points nowhere. */
async function another(
  site: Site,
  player: Player,
  entity: Entity,
  values: Values,
  { body }: Reply,
  round: number,
): Promise<Values | null> {
  const errors = (body.errors ?? []) as readonly { readonly pointer?: string; readonly code?: string }[]
  let better = values
  for (const { pointer = '', code = '' } of errors)
    better = await otherAt({ site, player, round, code }, entity, better, pointer.split('/').slice(1))
  return JSON.stringify(better) === JSON.stringify(values) ? null : better
}

interface Bettering {
  readonly site: Site
  readonly player: Player
  readonly round: number
  /** Of the refusal. */
  readonly code: string
}

/** `path`: a field, or a list, the place of a row in it, and so on. */
async function otherAt(how: Bettering, entity: Entity, values: Values, path: readonly string[]): Promise<Values> {
  const { site, player, round, code } = how
  const [key, at, ...inner] = path
  const field = entity.fields.find(one => one.key === key)
  if (field === undefined) return values
  const rows = values[field.key]
  const row = Array.isArray(rows) ? rows[Number(at)] : undefined
  if (inner.length > 0 && field.type.kind === 'list' && row !== undefined) {
    const better = await otherAt(how, childOf(site.app, entity, field.key), row, inner)
    return { ...values, [field.key]: (rows as readonly Values[]).map(one => (one === row ? better : one)) }
  }
  if (code === 'NF-FIXED' || code === 'NF-FILLED') {
    const { [field.key]: _, ...others } = values
    return others
  }
  if (field.assignedFrom !== null)
    return { ...values, ...(await offering(site, player, entity, field.assignedFrom, round)) }
  const value = await otherValue(site, player, field, values[field.key], round)
  return value === undefined ? values : { ...values, [field.key]: value }
}

/** Where the application finds nothing to choose: what this record names as one of those does that it chooses from. */
async function offering(
  site: Site,
  player: Player,
  { fields }: Entity,
  { entity }: NonNullable<Field['assignedFrom']>,
  round: number,
): Promise<Values> {
  const others = (await site.observatory.world(player)).records(entity).filter(one => !isArchived(one))
  const like = others[round % Math.max(others.length, 1)]
  const given: Values = {}
  for (const { key, type } of site.app.entities.get(entity)!.fields) {
    const value = like?.[key]
    if (type.kind !== 'reference' || value == null) continue
    const own = fields.filter(one => one.type.kind === 'reference' && one.type.entity === type.entity && isAsked(one))
    if (own.length === 1) given[own[0]!.key] = value
  }
  return given
}

/** Those that the field may name; where it may name none as they are, one is put into a state past everybody in which it may. */
async function choosable(
  site: Site,
  player: Player,
  { chooseFrom }: Field,
  records: readonly RecordValue[],
): Promise<readonly RecordValue[]> {
  const where = chooseFrom?.where ?? null
  if (where === null || chooseFrom === null) return records
  const { entity } = chooseFrom
  const isOpen = async (record: RecordValue) =>
    worth(where, (await site.observatory.world(player)).environment(entity, record)) !== false
  const open: RecordValue[] = []
  for (const record of records) if (await isOpen(record)) open.push(record)
  const [first] = open.length > 0 ? [] : records
  for (const { name: state } of first === undefined ? [] : (site.app.workflows.get(entity)?.states ?? []))
    if ((await isOpen({ ...first, state })) && (await site.observatory.put(entity, String(first!.id), state)))
      return [{ ...first, state }]
  return open.length > 0 ? open : records
}

async function otherValue(site: Site, player: Player, field: Field, now: unknown, round: number): Promise<unknown> {
  const { kind } = field.type
  if (kind === 'list' || kind === 'file') return now == null ? await anyValue(site, player, field) : undefined
  const day = new Date(site.clock.now().getTime() + dayMs * round ** 2).toISOString().slice(0, 10)
  if (kind === 'date') return day
  if (kind === 'moment') return `${day}T12:00:00.000Z`
  if (kind === 'reference') {
    const records = (await site.observatory.world(player)).records(field.type.entity)
    const open = await choosable(site, player, field, records)
    return open[round % Math.max(open.length, 1)]?.id
  }
  const choices = field.parameters.choices ?? []
  if (choices.length > 0) return choices[round % choices.length]
  if (kind === 'yes/no') return now !== true
  if (kind === 'integer' || kind === 'decimal' || kind === 'money') {
    const number = [1, 0, 10, 100, 1000, -1][round % 6]!
    return fieldKind(field.kind).toJson(kind === 'money' ? `${number}.00` : String(number), field.parameters)
  }
  return now == null ? await anyValue(site, player, field) : undefined
}
