/** Rows with permissions of their own, at whatever depth: who may see, add, change and take out one, in the record that it is part of. */
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { App } from '../headings/app.ts'
import { ask, isOk, type Player, type Reply, verdictOf } from './client.ts'
import { CannotArrange, completed, createSome, rowsFilled, type Values } from './drafts.ts'
import { distinct } from './edges.ts'
import * as oracle from './oracle/rights.ts'
import { type FirstRow, firstRows, rowAs } from './rows.ts'
import { rowOf } from './stage.ts'
import { type Case, cellOf, type Trial, tallyOf } from './trial.ts'
import { otherValue, plainOf } from './tries.ts'
import { visitor } from './world.ts'

/** Records of the sample data that it is tried with, beside one that is made for it. */
const samples = 2

/** So many fields of a row are sent by whoever may change none: a rule may be against the value of one. */
const closedFields = 3

type Verb = 'see' | 'create' | 'change' | 'delete'

/** A record, and which of its rows is tried. */
interface Whole {
  readonly id: string
  readonly path: string
  /** It was made for it: rows of it may come and go. */
  readonly isMade: boolean
}

/** The record and the rows down to the one that is tried, as one person meets them. */
interface Chain {
  readonly above: readonly { readonly known: Case; readonly list: Field }[]
  readonly row: Case
}

export async function tryRowRights(trial: Trial): Promise<void> {
  const { site, entity } = trial
  const top = topOf(site.app, entity)
  const made = await madeWith(trial, top)
  const { records } = await site.observatory.world(visitor)
  const there = records(top.key).flatMap(record => wholeOf(site.app, top, entity, record, false) ?? [])
  for (const whole of [
    ...(made === null ? [] : [made]),
    ...there.filter(({ id }) => id !== made?.id).slice(0, samples),
  ])
    for (const player of site.players) await tryPerson(trial, top, whole, player)
  if (made !== null) await site.observatory.remove(top.key, made.id)
}

const topOf = (app: App, entity: Entity): Entity =>
  entity.partOf === null ? entity : topOf(app, app.entities.get(entity.partOf)!)

const rowIn = (app: App, top: Entity, entity: Entity, record: RecordValue) =>
  firstRows(app, top, record).find(one => one.entity.key === entity.key)

function wholeOf(app: App, top: Entity, entity: Entity, record: RecordValue, isMade: boolean): Whole | null {
  const found = rowIn(app, top, entity, record)
  return found === undefined ? null : { id: String(record.id), path: found.path.join('.'), isMade }
}

/** One that somebody makes, with a row in each of its lists; null: nobody could. */
async function madeWith({ site, entity }: Trial, top: Entity): Promise<Whole | null> {
  for (const player of site.players) {
    const sent = await createSome(site, player, top)
    if (sent === null || !isOk(sent.reply)) continue
    await site.observatory.remove(top.key, String(sent.reply.body.id))
    const filled = await rowsFilled(site, player, top, sent.values)
    const reply = await ask(site, player, 'POST', top.key, await distinct(site, player, top, filled, ''))
    const id = String(reply.body.id)
    const record = isOk(reply) ? (await site.observatory.world(player)).record(top.key, id) : undefined
    const whole = record === undefined ? null : wholeOf(site.app, top, entity, record, true)
    if (whole !== null) return whole
    if (record !== undefined) await site.observatory.remove(top.key, id)
  }
  return null
}

async function chainOf({ site }: Trial, top: Entity, whole: Whole, player: Player): Promise<Chain | null> {
  const world = await site.observatory.world(player)
  const record = world.record(top.key, whole.id)
  if (record === undefined) return null
  const rows = firstRows(site.app, top, record).filter(({ path }) => `${whole.path}.`.startsWith(`${path.join('.')}.`))
  const caseOf = (entity: string, of: RecordValue): Case => ({
    app: site.app,
    world,
    entity,
    record: world.record(entity, String(of.id)) ?? of,
  })
  const cases = [
    caseOf(top.key, record),
    ...rows.map(({ entity, row }: FirstRow<RecordValue>) => caseOf(entity.key, row)),
  ]
  if (rows.at(-1)?.path.join('.') !== whole.path) return null
  return { above: rows.map(({ list }, at) => ({ known: cases[at]!, list })), row: cases.at(-1)! }
}

/** What an entity says of its own: rows that follow their record have no word in it. */
const speaks = ({ app, entity }: Case): boolean => app.access.get(entity)!.basis === 'written'

/** Where some list is restricted by itself, it is not told here who writes its rows. */
const isPlain = ({ known, list }: Chain['above'][number]): boolean =>
  oracle.linesOf(known, list.key, 'See').length === 0

const seesAbove = ({ above }: Chain): boolean => above.every(({ known }) => !speaks(known) || oracle.sees(known))
const changesAbove = ({ above }: Chain): boolean =>
  above.every(({ known, list }) => (!speaks(known) || oracle.changes(known)) && oracle.setsRows(known, list))

async function tryPerson(trial: Trial, top: Entity, whole: Whole, player: Player): Promise<void> {
  const { site, entity } = trial
  const chain = await chainOf(trial, top, whole, player)
  if (chain === null || !chain.above.every(isPlain)) return
  const where = `${player.name}, a row of ${whole.isMade ? 'a new record' : 'one of the sample data'}`
  const judge = (verb: Verb, may: boolean, isDone: boolean, reply: Reply, denials: RegExp) => {
    const tally = tallyOf(trial, `row ${verb}`, cellOf(chain.row), `${entity.name}: who may ${verb} it`)
    const column = ({ see: 'See', create: 'Create', change: 'Change', delete: 'Delete' } as const)[verb]
    tally.tried++
    if (isDone) tally.through++
    site.judged.add(...oracle.decidedBy(chain.row, column))
    const isWrong = may ? !isDone && (verb === 'see' || reply.codes.some(code => denials.test(code))) : isDone
    if (isWrong)
      tally.wrong.push(
        `${where}: ${verb}: the application says ${verdictOf(reply)}, the document ${may ? 'allows' : 'refuses'} it`,
      )
  }
  const address = `${top.key}/${whole.id}`
  const body = await ask(site, player, 'GET', address)
  const lists = chain.above.map(({ list }) => list.key)
  const ids = [...chain.above.slice(1).map(({ known }) => known.record.id), chain.row.record.id].map(String)
  const isSeen = isOk(body) && rowAt(body.body, lists, ids) !== undefined
  const sees = seesAbove(chain) && oracle.sees(chain.row)
  judge('see', sees, isSeen, body, /./)
  if (!isOk(body)) return
  const send = (row: Values | null) => {
    const sent = { [lists[0]!]: sentRows(body.body, lists, ids, row) }
    return ask(site, player, 'PATCH', address, sent)
  }
  for (const field of fieldsOf(chain.row, entity)) {
    const value = otherValue(chain.row, field)
    const after = { ...chain.row.record, ...rowOf(site, entity, { [field.key]: value }) }
    const mayStay = oracle.mayHaveBecome(chain.row, { ...chain.row, record: after })
    const may = sees && changesAbove(chain) && oracle.changes(chain.row) && oracle.setsField(chain.row, field)
    const reply = await send({ id: ids.at(-1), [field.key]: value })
    judge('change', may && mayStay, isOk(reply), reply, /^NF-(?:CHANGE|FIELD)-DENIED$|^NF-CHANGE-OUT$/)
    if (!isOk(reply)) continue
    await site.observatory.set(entity.key, ids.at(-1)!, { [field.key]: (chain.row.record[field.key] ?? null) as Wire })
    break
  }
  if (isSeen && !(changesAbove(chain) && oracle.deletes(chain.row))) {
    const reply = await send(null)
    judge('delete', false, isOk(reply), reply, /./)
    if (isOk(reply)) return
  }
  if (whole.isMade) await tryAdding(trial, { top, whole, player, chain, lists, ids, judge })
}

interface Adding {
  readonly top: Entity
  readonly whole: Whole
  readonly player: Player
  readonly chain: Chain
  readonly lists: readonly string[]
  readonly ids: readonly string[]
  readonly judge: (verb: Verb, may: boolean, isDone: boolean, reply: Reply, denials: RegExp) => void
}

/** A row more, which goes again. */
async function tryAdding(trial: Trial, adding: Adding): Promise<void> {
  const { site, entity } = trial
  const { top, whole, player, chain, lists, ids, judge } = adding
  const address = `${top.key}/${whole.id}`
  const { parent } = site.app.schema.get(entity.key)!
  const values = await completed(site, player, entity, {}, entity.partOf!).catch(error => {
    if (error instanceof CannotArrange) return null
    throw error
  })
  const now = await ask(site, player, 'GET', address)
  if (values === null || !isOk(now)) return
  const known = new Set((await site.observatory.world(player)).records(entity.key).map(({ id }) => id))
  const world = await site.observatory.world(player)
  const above = chain.above.at(-1)!.known.record.id
  const made: Case = {
    ...chain.row,
    world,
    record: { ...rowAs(site, world, entity, values), [parent!]: above } as RecordValue,
  }
  const sent = sentRows(now.body, lists, ids, undefined, await distinct(site, player, entity, values, ''))
  const reply = await ask(site, player, 'PATCH', address, { [lists[0]!]: sent })
  judge('create', changesAbove(chain) && oracle.mayHaveCreated(made), isOk(reply), reply, /^NF-CREATE-DENIED$/)
  if (!isOk(reply)) return
  const then = await site.observatory.world(player)
  const added = then.records(entity.key).find(({ id }) => !known.has(id))
  const after = await ask(site, player, 'GET', address)
  if (added === undefined || !isOk(after)) return
  const own = [...ids.slice(0, -1), String(added.id)]
  if (rowAt(after.body, lists, own) === undefined) return
  const may = changesAbove(chain) && oracle.deletes({ ...chain.row, world: then, record: added })
  const gone = await ask(site, player, 'PATCH', address, { [lists[0]!]: sentRows(after.body, lists, own, null) })
  judge('delete', may, isOk(gone), gone, /^NF-DELETE-DENIED$/)
}

/** Fields that stand alone: those that they may write, until one is taken; else some that they may not. */
function fieldsOf(row: Case, entity: Entity): readonly Field[] {
  const fields = plainOf(entity).filter(
    one =>
      one.unique === null &&
      one.onlyWhen === null &&
      !oracle.isWritten(row, one.key) &&
      otherValue(row, one) !== undefined,
  )
  const open = fields.filter(one => oracle.changes(row) && oracle.setsField(row, one))
  return open.length > 0 ? open : fields.slice(0, closedFields)
}

type Body = Readonly<Record<string, unknown>>

const rowsOf = (body: Body, list: string): readonly Body[] => (body[list] ?? []) as readonly Body[]

const rowAt = (body: Body, [list, ...lists]: readonly string[], [id, ...ids]: readonly string[]): Body | undefined => {
  const found = rowsOf(body, list!).find(row => row.id === id)
  return found === undefined || lists.length === 0 ? found : rowAt(found, lists, ids)
}

/** A list as somebody sees it, with one of its rows, or of theirs, as `row` says it: null takes it out, undefined leaves it; `more`: and one behind. */
function sentRows(
  body: Body,
  [list, ...lists]: readonly string[],
  [id, ...ids]: readonly string[],
  row: Values | null | undefined,
  more?: Values,
): readonly Values[] {
  const rows = rowsOf(body, list!)
  if (lists.length > 0)
    return rows.map(one =>
      one.id === id ? { id: one.id, [lists[0]!]: sentRows(one, lists, ids, row, more) } : { id: one.id },
    )
  const kept = rows.flatMap((one): readonly Values[] =>
    one.id !== id || row === undefined ? [{ id: one.id }] : row === null ? [] : [row],
  )
  const isThere = rows.some(one => one.id === id)
  return [...kept, ...(isThere || row == null ? [] : [row]), ...(more === undefined ? [] : [more])]
}
