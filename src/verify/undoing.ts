/**
 * Steps that can be taken back: by whoever took them, until a second before the time of `Undo` is over, and not a second after it. The record is then
 * as it was, and what the step sent has not left and never does.
 */
import type { Transition } from '../headings/4-states/model.ts'
import { specified } from '../headings/specified.ts'
import { stepOf } from './arrange.ts'
import { bring } from './attempts.ts'
import { isOk, type Player } from './client.ts'
import { isFollowedBy } from './happening.ts'
import { posted, tokenOf } from './many.ts'
import * as oracle from './oracle/rights.ts'
import { type Case, caseOf, type Subject, stepTally, type Trial } from './trial.ts'

const path = '/-/undo'
const secondMs = 1000

/** Each row with `Undo`, in the first state and as the first person that it is open to. */
export async function tryUndoing(trial: Trial, subject: Subject): Promise<void> {
  const { site, entity } = trial
  for (const row of site.app.workflows.get(entity.key)?.transitions ?? [])
    if (row.undo !== null && !isFollowedBy(site.app, entity.key, row.key)) await tryRow(trial, subject, row, row.undo)
}

type Undo = NonNullable<Transition['undo']>

async function tryRow(trial: Trial, subject: Subject, row: Transition, undo: Undo): Promise<void> {
  const { site } = trial
  for (const state of specified(row.from) ?? [])
    for (const player of site.players) {
      if (!(await bring(trial, subject, state))) continue
      const known = await caseOf(trial, subject, player)
      if (known === null || oracle.takes(known, row.key) !== true) continue
      const now = site.clock.now()
      const isTold = await tryBack(trial, subject, row, known, { player, undo, late: -1 })
      await site.clock.set(now)
      if (!isTold || !(await bring(trial, subject, state))) continue
      const again = await caseOf(trial, subject, player)
      if (again !== null) await tryBack(trial, subject, row, again, { player, undo, late: 1 })
      await site.clock.set(now)
      return
    }
}

interface Taking {
  readonly player: Player
  readonly undo: Undo
  /** Seconds after its time. */
  readonly late: number
}

/** False: the step was not taken with what this person does. */
async function tryBack(trial: Trial, subject: Subject, row: Transition, was: Case, taking: Taking): Promise<boolean> {
  const { site, entity } = trial
  const { player, undo, late } = taking
  const { left: leaving, world } = site.observatory
  const before = new Set((await leaving(entity.key, subject.id)).map(({ id }) => id))
  const reply = await stepOf(site, player, entity.key, subject.id, row.key)
  const taken = (await caseOf(trial, subject, player))?.record
  if (!isOk(reply) || taken === undefined || taken.state === was.record.state) return false
  const version = (await site.observatory.history(entity.key, subject.id)).at(-1)?.version
  const tally = stepTally(trial, row.key)
  const end = new Date(site.clock.now().getTime() + undo.seconds * secondMs)
  const fresh = async () => (await leaving(entity.key, subject.id)).filter(({ id }) => !before.has(id))
  const says = (wrong: string) => tally.wrong.push(`${player.name}, ${row.name} with Undo ${undo.cell.text}: ${wrong}`)
  for (const { name, due } of await fresh()) if (due < end) says(`${name} leaves before`)
  await site.clock.set(new Date(end.getTime() + late * secondMs))
  const back = async (by: Player) => {
    const of = `${entity.key} ${subject.id} ${version}`
    const location = await posted(
      site,
      by,
      path,
      new URLSearchParams({ _csrf: await tokenOf(site, by), of, _next: '/' }),
    )
    site.observatory.forget()
    return location !== null
  }
  const other = site.players.find(({ id }) => id !== player.id)
  tally.tried += 2
  if (other !== undefined && (await back(other))) says(`${other.name} takes it back`)
  const isBack = await back(player)
  const { state } = (await world(player)).record(entity.key, subject.id) ?? {}
  site.judged.add(undo.cell)
  if (isBack !== late < 0) says(late < 0 ? 'it cannot be taken back' : 'it can be taken back afterwards')
  else if (state !== (isBack ? was.record.state : taken.state)) says(`it is in ${String(state)} then`)
  if (isBack && (await fresh()).length > 0) says('what it sent is still to leave')
  return true
}
