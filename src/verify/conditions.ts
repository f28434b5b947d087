/**
 * Conditions of heading 6 and heading 4 at their edge: for each of them a record is led to where it just holds and to where it just does
 * not, past everybody, and somebody whom it concerns looks, changes, deletes or takes the step.
 */
import type { Wire } from '../expression/type.ts'
import { attempt, bring, tryLooking } from './attempts.ts'
import type { Player } from './client.ts'
import { toldOf } from './judge.ts'
import { leversOf, type Turning, turned, turningOf } from './levers.ts'
import { isNone, isOpen } from './oracle/cells.ts'
import * as oracle from './oracle/rights.ts'
import { type Case, caseOf, type Subject, type Trial, whereOf } from './trial.ts'
import { triesOf } from './tries.ts'
import type { World } from './world.ts'

interface Condition {
  readonly text: string
  /** The try that it decides: a verb, or the key of a step. */
  readonly does: string
  readonly decides: (one: Case) => boolean | null
  /** States in which it may decide. */
  readonly states: readonly (string | null)[]
}

export async function tryConditions(trial: Trial, subject: Subject): Promise<void> {
  for (const condition of conditionsOf(trial)) {
    trial.site.at?.(`${trial.entity.name}, where ${condition.text}`)
    await tryCondition(trial, subject, condition)
  }
}

const isCondition = (text: string): boolean => !isNone(text) && !isOpen(text) && !/^(?:yes|all)$/i.test(text)

function conditionsOf({ site: { app }, entity }: Trial): readonly Condition[] {
  const told = toldOf(app).entity(entity.key)
  const states = app.workflows.get(entity.key)?.states.map(({ name }) => name) ?? [null]
  const rows = [...(told.permissions ?? []), ...told.nevers]
  const verbs = { See: oracle.sees, Change: oracle.changes, Delete: oracle.deletes } as const
  const all: Condition[] = [
    ...Object.entries(verbs).flatMap(([verb, decides]) =>
      rows.map(row => ({ text: row(verb)?.text ?? '', does: verb.toLowerCase(), decides, states })),
    ),
    ...[...told.lines].flatMap(([key, lines]) =>
      lines.map(line => ({
        text: line('When')?.text ?? '',
        does: 'see',
        decides: (one: Case) => oracle.seesField(one, { key }),
        states,
      })),
    ),
    ...told.steps.map(({ key, when, from }) => ({
      text: when?.text ?? '',
      does: key,
      decides: (one: Case) => oracle.takes(one, key),
      states: from,
    })),
  ]
  return all.filter(({ text }) => isCondition(text))
}

/** In the first state, and as the first person, of whom it decides. */
async function tryCondition(trial: Trial, subject: Subject, condition: Condition): Promise<void> {
  const { site, entity } = trial
  for (const state of condition.states) {
    if (state !== null && !(await bring(trial, subject, state))) continue
    for (const player of site.players) {
      const known = await caseOf(trial, subject, player)
      if (known === null) return
      const decides = (world: World) => {
        const record = world.record(entity.key, subject.id)
        return record === undefined ? null : condition.decides({ ...known, world, record })
      }
      const levers = leversOf(site.app, known.world, entity, known.record, condition.text)
      const turning = turningOf(known.world, levers, decides)
      if (turning === null) continue
      await tryTurning(trial, subject, state, player, condition, known.world, turning)
      return
    }
  }
}

async function tryTurning(
  trial: Trial,
  subject: Subject,
  state: string | null,
  player: Player,
  { does }: Condition,
  world: World,
  { lever, good, bad }: Turning,
): Promise<void> {
  const look = async (wire: Wire) => {
    const now = await caseOf(trial, subject, player)
    if (now === null) return
    const says = `with ${lever.says} ${wire ?? 'empty'}`
    const where = `${whereOf(player, subject, state)}, ${says}`
    if (does === 'see') return await tryLooking(trial, now, subject, player, where)
    const one = triesOf(trial, now, subject, state, player).find(each => each.does === does)
    if (one !== undefined) await attempt(trial, subject, state, { ...one, what: `${one.what} ${says}` }, now)
  }
  for (const wire of [bad, good]) await turned(trial.site, world, lever, wire, () => look(wire))
}
