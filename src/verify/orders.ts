/**
 * The order in which calls leave, as `Order` says it: of two that keep one order, what was caused later waits for what was caused before,
 * however long that is put off; what is about something else waits for neither.
 */
import type { Site } from './client.ts'
import { worth } from './judge.ts'
import { type OrderTold, ordersIn } from './oracle/messages.ts'
import type { Heard } from './partner.ts'
import type { Line } from './verify.ts'
import { type CallRow, visitor } from './world.ts'

const hourMs = 3_600_000
/** Looks in which what need not wait would have left. */
const looksEarly = 20

/** A line for each `Order` of which something has caused two calls. */
export async function tryOrders(site: Site): Promise<readonly Line[]> {
  const lines: Line[] = []
  for (const order of ordersIn(site.app.document)) {
    const { together, apart } = await pairsOf(site, order)
    site.at?.(`the order of ${order.call}`)
    if (together === null) continue
    const wrong = [...(await outOfTurn(site, together)), ...(apart === null ? [] : await heldUp(site, apart))]
    site.judged.add(order.cell)
    lines.push({
      cell: order.cell,
      title: `${order.call}: in which order it leaves`,
      passed: wrong.length === 0,
      detail: wrong.length === 0 ? null : wrong.join('\n       '),
    })
  }
  return lines
}

/** What was caused before, and after. */
type Pair = readonly [CallRow, CallRow]

/** Two that keep one order, and two that do not; null: nothing has caused such. */
async function pairsOf(site: Site, { call, per, others }: OrderTold) {
  const rows = (await site.observatory.calls()).toSorted((one, other) => one.turn - other.turn)
  const shared = await sharedBy(site)
  const pairs = rows.flatMap((one, at) => rows.slice(at + 1).map((other): Pair => [one, other]))
  const isOrdered = ([{ name: one }, { name: other }]: Pair) =>
    per !== null && one === call && other === call
      ? true
      : (one === call && others.includes(other)) || (other === call && others.includes(one))
  const known = pairs.filter(pair => isOrdered(pair) && pair.every(row => shared(row) !== null))
  return {
    together: known.find(([one, other]) => shared(one) === shared(other)) ?? null,
    apart: known.find(([one, other]) => shared(one) !== shared(other)) ?? null,
  }
}

/** What calls have in common that keep one order: what `per` leads to, or their record; null: it cannot be told. */
async function sharedBy({ app, observatory }: Site) {
  const world = await observatory.world(visitor)
  const pers = new Map(ordersIn(app.document).map(({ call, per, cell }) => [call, per === null ? null : { cell, per }]))
  return ({ name, entity, record: id }: CallRow): string | null => {
    const record = id === null ? undefined : world.record(entity, id)
    const of = pers.get(name) ?? null
    if (record === undefined || of === null) return record === undefined ? null : id
    const value = worth({ text: of.per }, world.environment(entity, record))
    return typeof value === 'string' ? value : null
  }
}

/** The later one is due, the other one is not yet. */
async function outOfTurn(site: Site, pair: Pair): Promise<readonly string[]> {
  const [one, other] = pair
  const { clock, partner, observatory } = site
  const now = clock.now()
  const due = new Date(now.getTime() + hourMs)
  let looks = 0
  const early = await partner.answering(
    taken,
    () => puttingOff(site, pair, due),
    async () => ++looks > looksEarly,
  )
  const late = await partner.answering(
    taken,
    () => clock.set(due),
    async () => (await isTried(site, one)) && (await isTried(site, other)),
  )
  await clock.set(now)
  observatory.forget()
  const keys = [...early, ...late].map(keyIn)
  return keys.length === 2 && keys[0] === one.key && keys[1] === other.key
    ? []
    : [`${other.name} does not wait for ${one.name}, which was caused before`]
}

/** The later one is due, and nothing that it has to wait for is not. */
async function heldUp(site: Site, pair: Pair): Promise<readonly string[]> {
  const [one, other] = pair
  const due = new Date(site.clock.now().getTime() + hourMs)
  const heard = await site.partner.answering(
    taken,
    () => puttingOff(site, pair, due),
    () => isTried(site, other),
  )
  site.observatory.forget()
  return heard.some(one => keyIn(one) === other.key)
    ? []
    : [`${other.name} waits for ${one.name}, which is about something else`]
}

async function puttingOff({ observatory, clock }: Site, [one, other]: Pair, due: Date): Promise<void> {
  const times = new Map([
    [one.id, due],
    [other.id, clock.now()],
  ])
  await observatory.sendAgain(times, 0)
}

const taken = { status: 200, body: {} }

const keyIn = ({ headers }: Heard): string | undefined => headers['idempotency-key']

const isTried = async ({ observatory }: Site, { id }: CallRow): Promise<boolean> =>
  (await observatory.calls()).find(one => one.id === id)!.isTried
