/**
 * What nobody needs to write down: every person and a visitor, on records of their own and of others, in every state, see, change, delete
 * and take every step over HTTP, and each answer is compared with what the document says (`oracle/`).
 */
import type { Cell } from '../document/source.ts'
import type { Entity } from '../headings/3-entities/model.ts'
import { tryAsking } from './asking.ts'
import { attempt, bring, tryLooking } from './attempts.ts'
import { madeOf } from './came.ts'
import { inParallel, isOk, type Player, type Site } from './client.ts'
import { tryClosed } from './closed.ts'
import { tryConditions } from './conditions.ts'
import { tryDeputies } from './deputies.ts'
import { tryDoors, tryFound, tryShown } from './doors.ts'
import { createSome } from './drafts.ts'
import { tryEdges } from './edges.ts'
import { isUntakeable, tryGranted } from './granted.ts'
import { tryImport } from './imports.ts'
import { tryJoint } from './joint.ts'
import { toldOf } from './judge.ts'
import { manyTries } from './many.ts'
import { tryOpen, tryRows } from './open.ts'
import * as oracle from './oracle/rights.ts'
import { tryOverlaps } from './overlaps.ts'
import { tryLink, tryPublicForms } from './public.ts'
import { tryRequired } from './required.ts'
import { tryRowRights } from './row-rights.ts'
import { rowAs } from './rows.ts'
import { tryShares } from './shares.ts'
import { creating, subjectsOf } from './subjects.ts'
import { caseOf, isTold, type Subject, type Trial, tallyOf, whereOf } from './trial.ts'
import { fieldTries, leadingTries, triesOf, unaskedTries } from './tries.ts'
import { tryUndoing } from './undoing.ts'
import type { Line } from './verify.ts'
import { visitor } from './world.ts'

/** Disagreements that are told of one cell. */
const toldOfEach = 3

/** Every person with every verb, step and field of every state. `only`: of this entity alone. */
export async function tryMatrix(
  site: Site,
  tell: (line: Line) => void,
  only: string | null = null,
): Promise<readonly Line[]> {
  const lines: Line[] = []
  const entities = [...site.app.entities.values()].filter(({ key }) => only === null || key === only)
  const parts = entities.reduce((sum, entity) => sum + partsOf(site, entity), 0)
  let done = 0
  for (const [index, entity] of entities.entries()) {
    const at = (where: string) =>
      site.at?.(
        `${Math.floor((100 * done) / parts)} % of what people may do, ${index + 1} of ${entities.length} entities: ${where}`,
      )
    if (!isTold(site.app, entity.key)) {
      const isRow = entity.partOf !== null && site.app.access.get(entity.key)!.basis === 'written'
      for (const line of await (isRow ? tryRow({ ...site, at }, entity) : tryAssumed(site, entity))) {
        lines.push(line)
        tell(line)
      }
      continue
    }
    const ends = done + partsOf(site, entity)
    const trial: Trial = { site: { ...site, at }, entity, tallies: new Map(), done: () => done++ }
    at(entity.name)
    await tryEntity(trial)
    done = ends
    for (const line of linesOf(trial)) {
      lines.push(line)
      tell(line)
    }
  }
  return lines
}

/** Rows of which the document says itself who may do what. */
async function tryRow(site: Site, entity: Entity): Promise<readonly Line[]> {
  const trial: Trial = { site, entity, tallies: new Map(), done: () => undefined }
  await tryRowRights(trial)
  if (trial.tallies.size > 0) return linesOf(trial)
  const { cell } = site.app.access.get(entity.key)!
  const detail = 'there is no record with such a row, and nobody could make one'
  return [{ cell, title: `${entity.name}: who may do what with it`, passed: true, untried: true, detail }]
}

/** Who may do what with it is nobody's word: but what its fields and rules say holds for whoever may. */
async function tryAssumed(site: Site, entity: Entity): Promise<readonly Line[]> {
  if (entity.partOf !== null || entity.key === 'person') return []
  const trial: Trial = { site, entity, tallies: new Map(), done: () => undefined }
  for (const player of site.players) {
    const sent = await createSome(site, player, entity)
    if (sent === null || !isOk(sent.reply)) continue
    const accepted = { player, values: sent.values }
    const wanted = rowAs(site, await site.observatory.world(player), entity, sent.values)
    const made = tallyOf(trial, 'made', entity.cell, `${entity.name}: what is made says what was sent`)
    made.tried++
    made.through++
    made.wrong.push(...(await madeOf(trial, String(sent.reply.body.id), wanted, player)))
    await tryEdges(trial, accepted)
    await tryClosed(trial, accepted)
    break
  }
  await tryShown(trial)
  return linesOf(trial)
}

/** Of an entity: that records of it are made, and each state of them. */
const partsOf = ({ app }: Site, { key }: Entity): number =>
  isTold(app, key) ? 1 + (app.workflows.get(key)?.states.length ?? 1) : 0

function linesOf({ tallies }: Trial): readonly Line[] {
  return [...tallies.values()].map(({ cell, title, tried, through, wrong, note }) => {
    const more = wrong.length > toldOfEach ? [`and ${wrong.length - toldOfEach} more`] : []
    const counts = `${tried} ${tried === 1 ? 'try' : 'tries'}, ${through} let through`
    return {
      cell,
      title: `${title}: ${counts}`,
      passed: wrong.length === 0,
      untried: wrong.length === 0 && through === 0 && note !== null,
      detail: wrong.length === 0 ? note : [...wrong.slice(0, toldOfEach), ...more].join('\n       '),
    }
  })
}

async function tryEntity(trial: Trial): Promise<void> {
  const { site, entity } = trial
  const players = [...site.players, visitor]
  const { subjects, sent } = await subjectsOf(trial)
  const [first, second] = subjects
  if (sent !== null) {
    await tryEdges(trial, sent)
    await tryJoint(trial, sent)
    await tryClosed(trial, sent)
    await tryOverlaps(trial, sent)
    if (first !== undefined) await tryDoors(trial, first, sent)
    await tryPublicForms(trial, sent)
    await tryRequired(trial, sent)
  }
  if (first !== undefined) {
    const reader = sent === null ? await readerOf(trial, first) : undefined
    if (reader !== undefined) await tryFound(trial, first, reader)
    await tryLink(trial, first, second)
    await tryShares(trial, first, second)
    if (entity.appendOnly !== null) await tryDatabase(trial, entity.appendOnly, first)
    if (entity.key !== 'person') await tryConditions(trial, first)
  }
  await tryImport(trial)
  const unreached = await tryStates(trial, subjects, players)
  if (first !== undefined) {
    await tryDeputies(trial, first)
    await tryUndoing(trial, first)
    await tryAsking(trial, first)
  }
  if (unreached.size > 0)
    creating(trial).note = `No record could be brought to ${[...unreached].join(', ')}, so nothing was tried there.`
  await noteUntaken(trial)
  await tryGranted(trial)
}

/** The first who sees it. */
async function readerOf(trial: Trial, subject: Subject): Promise<Player | undefined> {
  for (const player of trial.site.players) {
    const known = await caseOf(trial, subject, player)
    if (known !== null && oracle.sees(known)) return player
  }
  return undefined
}

/** Each subject in each state. Gives the states that one could not be brought to. */
async function tryStates(
  trial: Trial,
  subjects: readonly Subject[],
  players: readonly Player[],
): Promise<ReadonlySet<string>> {
  const { site, entity } = trial
  const states = site.app.workflows.get(entity.key)?.states.map(({ name }) => name) ?? [null]
  const writers = new Set<string>()
  const unreached = new Set<string>()
  for (const state of states) {
    trial.done()
    for (const subject of subjects) {
      if (state !== null && !(await bring(trial, subject, state))) {
        unreached.add(state)
        continue
      }
      site.at?.([entity.name, ...(state === null ? [] : [`in ${state}`]), subject.by].join(', '))
      const refused = await tryRefused(trial, subject, state, players)
      for (const player of players) await tryPerson(trial, subject, state, player, writers, refused)
    }
  }
  return unreached
}

/** Says of each step that nobody was ever let through to: what no record lets anybody take is given in vain. */
async function noteUntaken(trial: Trial): Promise<void> {
  const { site, entity } = trial
  for (const { key } of site.app.workflows.get(entity.key)?.transitions ?? []) {
    const tally = trial.tallies.get(`step ${key}`)
    if (
      tally !== undefined &&
      tally.through === 0 &&
      oracle.isGiven(toldOf(site.app).entity(entity.key), key) &&
      !isPlayed(trial, key)
    ) {
      tally.note =
        'Nobody was ever let through: on no record that was tried does its When hold for whoever may. Add a scenario that takes it.'
      if (await isUntakeable(trial, key)) tally.wrong.push('it is given to people, and no record lets anybody take it')
    }
  }
}

/** A scenario takes the step, and nothing is against it. */
const isPlayed = ({ site, entity }: Trial, key: string): boolean =>
  site.app.scenarios.some(({ steps }) =>
    steps.some(
      ({ what, result }) =>
        what.kind === 'step' &&
        what.step === key &&
        (result === null || result.text.startsWith('ok')) &&
        steps.some(
          ({ what: made }) =>
            (made.kind === 'record' || made.kind === 'made') && made.name === what.record && made.entity === entity.key,
        ),
    ),
  )

/** What is append only is kept by the database, whoever comes around the application. */
async function tryDatabase(trial: Trial, cell: Cell, { id, by }: Subject): Promise<void> {
  const { site, entity } = trial
  const tally = tallyOf(trial, 'append only', cell, `${entity.name}: the database keeps it as it is`)
  tally.tried += 2
  const through = await site.observatory.yields(entity.key, id)
  tally.through += through.length
  for (const verb of through) tally.wrong.push(`${by}: the database lets a statement ${verb} it`)
}

/**
 * What is refused leaves the record as it is, so it is tried first, as several people at once, and so is looking. If anything goes
 * against the document, the record may be another one by then: all of it is tried again on a fresh one, one after the other, to tell it better. Gives what was tried.
 */
async function tryRefused(
  trial: Trial,
  subject: Subject,
  state: string | null,
  players: readonly Player[],
): Promise<ReadonlySet<string>> {
  const tried = new Set<string>()
  const refuse = async (on: Trial, player: Player) => {
    const known = await caseOf(on, subject, player)
    if (known === null) return
    await tryLooking(on, known, subject, player, whereOf(player, subject, state))
    for (const one of triesOf(on, known, subject, state, player)) {
      if (one.expected !== false || one.moves) continue
      tried.add(one.what)
      await attempt(on, subject, state, one)
    }
  }
  const atOnce: Trial = { ...trial, tallies: new Map() }
  await inParallel(players, player => refuse(atOnce, player))
  const found = [...atOnce.tallies]
  if (found.every(([, { wrong }]) => wrong.length === 0)) {
    for (const [key, { cell, title, tried: times, through }] of found) {
      const tally = tallyOf(trial, key, cell, title)
      tally.tried += times
      tally.through += through
    }
    return tried
  }
  tried.clear()
  subject.id = (await subject.again?.()) ?? subject.id
  if (state !== null) await bring(trial, subject, state)
  const wrongBefore = wrongIn(trial)
  for (const player of players) await refuse(trial, player)
  // What went wrong once has gone wrong, even where it does not show again.
  if (wrongIn(trial) === wrongBefore)
    for (const [key, { cell, title, wrong }] of found) tallyOf(trial, key, cell, title).wrong.push(...wrong)
  return tried
}

const wrongIn = ({ tallies }: Trial): number => [...tallies.values()].reduce((sum, { wrong }) => sum + wrong.length, 0)

/** Changes that lead a field elsewhere, and what nobody asks for, each once. */
async function tryLed(
  trial: Trial,
  subject: Subject,
  state: string | null,
  player: Player,
  writers: Set<string>,
): Promise<void> {
  const known = await caseOf(trial, subject, player)
  if (known === null) return
  const where = whereOf(player, subject, state)
  if (oracle.changes(known))
    for (const one of leadingTries(trial, known, subject, player, where)) await attempt(trial, subject, state, one)
  for (const one of unaskedTries(trial, known, subject, player, where)) {
    if (writers.has(`asks ${one.does}`)) continue
    writers.add(`asks ${one.does}`)
    await attempt(trial, subject, state, one)
  }
}

/** What is left to be tried: what changes the record, each on the record as it was. `writers`: who tried already to write which fields that are closed to them. */
async function tryPerson(
  trial: Trial,
  subject: Subject,
  state: string | null,
  player: Player,
  writers: Set<string>,
  refused: ReadonlySet<string>,
): Promise<void> {
  const { entity } = trial
  const known = await caseOf(trial, subject, player)
  if (known === null) return
  for (const { what } of triesOf(trial, known, subject, state, player)) {
    if (refused.has(what)) continue
    // What went through may have changed what conditions look at.
    const now = await caseOf(trial, subject, player)
    const one = now === null ? undefined : triesOf(trial, now, subject, state, player).find(one => one.what === what)
    if (one !== undefined) await attempt(trial, subject, state, one, now)
  }
  if (!oracle.sees(known) || player === visitor) return
  const where = whereOf(player, subject, state)
  await tryLed(trial, subject, state, player, writers)
  for (const { what } of manyTries({ trial, known, subject, player, where }, writers)) {
    const now = await caseOf(trial, subject, player)
    const [one] =
      now === null
        ? []
        : manyTries({ trial, known: now, subject, player, where }, new Set()).filter(each => each.what === what)
    if (one !== undefined) await attempt(trial, subject, state, one, now)
  }
  const mayChange = oracle.changes(known)
  if (entity.appendOnly === null && entity.key !== 'person') await tryOpen(trial, subject, state, player, writers)
  await tryRows(trial, subject, player, writers)
  const closed = entity.fields.filter(field => !mayChange || !oracle.setsField(known, field))
  // Of those who may change none of it, one is as good as another.
  const writer = [mayChange ? player.id : 'nobody', ...closed.map(({ key }) => key)].join(' ')
  if (writers.has(writer)) return
  writers.add(writer)
  for (const one of fieldTries(trial, known, closed, subject, player, where)) await attempt(trial, subject, state, one)
}
