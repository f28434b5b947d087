/**
 * Timers: a record that one waits for, a minute before it is due, when nothing happens, and then, when what stands under Then does. All
 * other timers are taken away meanwhile, and the clock is put back afterwards.
 */
import type { Entity } from '../headings/3-entities/model.ts'
import type { Timer } from '../headings/4-states/model.ts'
import { isUnspecified } from '../headings/specified.ts'
import { timersOf } from '../run/later/rearm-mark.ts'
import { otherDue } from './armed.ts'
import { bringTo, stepOf } from './arrange.ts'
import { becameOf, lookBefore } from './came.ts'
import { isOk, type Player, type Site } from './client.ts'
import { CannotArrange, createSome } from './drafts.ts'
import { takenOf } from './happening.ts'
import { worth } from './judge.ts'
import { otherMails } from './left.ts'
import * as oracle from './oracle/rights.ts'
import { type Case, caseOf, type Trial } from './trial.ts'
import type { Line } from './verify.ts'
import { visitor } from './world.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
/** So many days before a timer is due its record is made. */
const daysBefore = 1

/** A line for each timer. */
export async function tryTimers(site: Site, tell: (line: Line) => void): Promise<void> {
  const now = site.clock.now()
  for (const entity of site.app.entities.values()) {
    const timers = timersOf(site.app, entity.key)
    if (timers.length === 0) continue
    const trial: Trial = { site, entity, tallies: new Map(), done: () => undefined }
    const reached = new Map<string, string>()
    for (const timer of timers) {
      site.at?.(`${entity.name}, the timer ${timer.name}`)
      const line = await tryTimer(trial, timer, reached)
      if (line.untried !== true || !letsTimePass(site)) tell(line)
      await site.clock.hold()
      await site.clock.set(now)
    }
  }
}

/** Scenarios say what happens then, where no record of this kind can be brought to wait. */
const letsTimePass = ({ app }: Site): boolean =>
  app.scenarios.some(({ steps }) =>
    steps.some(({ what, step }) => what.kind === 'passes' || (what.kind === 'today' && step !== 'given')),
  )

/** `reached`: by states that a timer led to, a record that is there. */
async function tryTimer(trial: Trial, timer: Timer, reached: Map<string, string>): Promise<Line> {
  const { site, entity } = trial
  const line = (detail: string | null, untried: boolean): Line => ({
    cell: timer.cell,
    title: `${entity.name}, ${timer.name}: what happens when it is due, and not before`,
    passed: untried || detail === null,
    untried,
    detail,
  })
  if (timer.when !== null && isUnspecified(timer.when)) return line('its When is left open', true)
  for (const state of timer.while ?? [null]) {
    const id = await notYetDue(trial, timer, state, reached)
    if (id === null) continue
    const other = await otherThan(trial, timer, id, await armedAt(trial, timer, id))
    const found = await tryDue(trial, timer, id)
    const after = (await site.observatory.world(visitor)).record(entity.key, id)
    if (after !== undefined) reached.set(String(after.state), id)
    if (found === null) continue
    const wrong = [...other, ...found]
    return line(wrong.length === 0 ? null : wrong.join('\n       '), false)
  }
  return line('no record was found that it waits for', true)
}

/** A record that the timer waits for, at a moment before it is due; null: there is none in this state. */
async function notYetDue(
  trial: Trial,
  timer: Timer,
  state: string | null,
  reached: ReadonlyMap<string, string>,
): Promise<string | null> {
  const { clock } = trial.site
  const id = (await waitingFor(trial, timer, state)) ?? (await reachedIn(trial, timer, state, reached))
  const due = id === null ? undefined : await armedAt(trial, timer, id)
  if (due === undefined || due.getTime() > clock.now().getTime()) return id
  // Rows of scenarios are of another day.
  await clock.set(new Date(due.getTime() - daysBefore * dayMs))
  const another = await waitingFor(trial, timer, state)
  // What was armed later than it is due is missed from the beginning.
  return another ?? (timer.at.kind === 'once' ? rearmed(trial, id!) : id)
}

/** One that another timer led to this state, with its timers as they are armed there. */
async function reachedIn(
  trial: Trial,
  { at }: Timer,
  state: string | null,
  reached: ReadonlyMap<string, string>,
): Promise<string | null> {
  const id = reached.get(state ?? '') ?? null
  // When it came there is over.
  if (id === null || at.kind === 'after entering') return id
  return rearmed(trial, id)
}

/** The record, with its timers as they are armed now. */
async function rearmed({ site, entity }: Trial, id: string): Promise<string> {
  await site.observatory.rearm(entity.key, id)
  site.clock.release()
  await site.clock.hold()
  return id
}

/** A record in a state, made and brought there by steps, that waits for what the timer does; null: nobody can. */
async function waitingFor(trial: Trial, timer: Timer, state: string | null): Promise<string | null> {
  const { site, entity } = trial
  for (const player of site.players) {
    const id = await madeBy(site, entity, state, player)
    if (id !== null && (await isDecided(trial, timer, id))) return id
  }
  if (timer.waits === null || state === null) return null
  // What nobody makes by chance may be there, and is decided about once more.
  const world = await site.observatory.world(visitor)
  for (const record of world.records(entity.key)) {
    const id = String(record.id)
    if (!oracle.needs({ world, entity: entity.key, record }, timer.waits)) continue
    if (!(await site.observatory.put(entity.key, id, state))) continue
    if (await isDecided(trial, timer, id)) return id
    await site.observatory.put(entity.key, id, String(record.state))
  }
  return null
}

const armedAt = async ({ site, entity }: Trial, { key }: Timer, id: string): Promise<Date | undefined> =>
  (await site.observatory.armed(entity.key, id)).get(key)

/** The moment for which it is armed, held against what At says of a record that has just come there. */
async function otherThan({ site, entity }: Trial, timer: Timer, id: string, due: Date | undefined) {
  const world = await site.observatory.world(visitor)
  const after = world.record(entity.key, id)
  const { app, judged } = site
  return after === undefined || due === undefined || timer.stands !== null
    ? []
    : otherDue({ app, judged, world, entity: entity.key, after }, timer, due)
}

/** Whether it is the turn of the approval that a timer waits for, once everybody has decided who comes before. */
async function isDecided(trial: Trial, timer: Timer, id: string): Promise<boolean> {
  const { site, entity } = trial
  const { waits } = timer
  if (waits === null) return true
  const { step } = site.app.workflows.get(entity.key)!.approvals.find(one => one.key === waits)!
  const isTurn = async () => (await armedAt(trial, timer, id)) !== undefined
  for (let decided = true; decided && !(await isTurn()); ) {
    decided = false
    for (const player of site.players) {
      const known = await caseOf(trial, { id }, player)
      const isOneOfSeveral =
        known !== null && oracle.takes(known, step) === true && oracle.happensBy(known, step) === false
      if (!isOneOfSeveral || (await isTurn())) continue
      decided ||= isOk(await stepOf(site, player, entity.key, id, step))
    }
  }
  return await isTurn()
}

/** A record in a state, by steps; null: this person cannot. */
export async function madeBy(site: Site, entity: Entity, state: string | null, player: Player): Promise<string | null> {
  try {
    const sent = await createSome(site, player, entity)
    if (sent === null || !isOk(sent.reply)) return null
    const id = String(sent.reply.body.id)
    if (state !== null) await bringTo(site, entity.key, id, state, player)
    return id
  } catch (error) {
    if (error instanceof CannotArrange) return null
    throw error
  }
}

/** What is wrong; null: it does not wait for this record, or not for a moment to come. */
async function tryDue(trial: Trial, timer: Timer, id: string): Promise<readonly string[] | null> {
  const { site, entity } = trial
  const { observatory, clock } = site
  const due = await armedAt(trial, timer, id)
  if (due === undefined || due.getTime() - minuteMs < clock.now().getTime()) return null
  await observatory.waitOnly(entity.key, id, timer.key)
  clock.release()
  const early = await stateAt(trial, id, new Date(due.getTime() - minuteMs))
  if (early === null) return null
  const before = await lookBefore(trial, early, visitor)
  const stillArmed = await armedAt(trial, timer, id)
  if (stillArmed?.getTime() !== due.getTime()) return ['it happens before it is due']
  const late = await stateAt(trial, id, due)
  if (late === null) return timer.then.some(({ kind }) => kind === 'delete') ? [] : ['its record is gone then']
  // What it goes by is what was there before its own acts, on that day.
  const { world } = late
  const was = world.besides(early.world, new Set(site.app.entities.keys()))
  const holds = timer.when === null ? true : worth(timer.when as never, was.environment(entity.key, early.record))
  if (typeof holds !== 'boolean' && holds !== null) return null
  const happening = {
    cell: timer.cell,
    key: null,
    to: (early.record.state ?? null) as string | null,
    asks: [],
    acts: holds === true ? timer.then : [],
  }
  const taken = takenOf(trial, { ...before, known: { ...early, world: was } }, happening, world, late.record)
  if (!taken.isAlone) return null
  site.judged.in(timer.cell, 'While', 'At', 'When')
  const left = (await observatory.left(entity.key, id)).filter(one => !before.left.has(one.id))
  const again = timer.at.kind === 'every' ? [] : await firedAgain(trial, timer, id, due)
  return [...becameOf(taken), ...otherMails(taken, left), ...again]
}

/** Days in which what happens once does not happen another time. */
const daysAfter = 8

async function firedAgain({ site, entity }: Trial, timer: Timer, id: string, due: Date): Promise<readonly string[]> {
  const { observatory, clock } = site
  const before = await observatory.history(entity.key, id)
  await observatory.waitOnly(entity.key, id, timer.key)
  await clock.pass(new Date(due.getTime() + daysAfter * dayMs))
  const since = (await observatory.history(entity.key, id)).slice(before.length)
  const isIts = since.length > 0 && since.every(({ kind, what }) => kind === 'timer' && what === timer.key)
  return isIts ? ['it happens once more, though it is due once'] : []
}

/** The record once the clock stands there. */
async function stateAt({ site, entity }: Trial, id: string, at: Date): Promise<Case | null> {
  await site.clock.set(at)
  const world = await site.observatory.world(visitor)
  const record = world.record(entity.key, id)
  return record === undefined ? null : { app: site.app, world, entity: entity.key, record }
}
