/** N0405: a record comes back to an earlier state, and still says what a later one had written into it. */
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import { couldHold } from '../../expression/outcomes.ts'
import type { Act, Transition, Workflow } from '../4-states/model.ts'
import { pathTo, reachedFrom, startsOf, type Way, waysOf } from '../4-states/ways.ts'
import type { App } from '../app.ts'
import { isUnspecified, specified } from '../specified.ts'
import { storedReads } from '../stored-reads.ts'
import type { Ask } from './asking.ts'

export function askMarks(ask: Ask, app: App, workflow: Workflow): void {
  const { entity } = workflow
  const ways = waysOf(app, entity)
  const far = (state: string) => pathTo(startsOf(workflow), state, ways)?.length ?? Number.POSITIVE_INFINITY
  const told = new Set<string>()
  for (const { from, to: state, by: back } of ways) {
    if (back === null) continue
    const kept = from
      .filter(begin => far(state) < far(begin))
      .flatMap(begin => marksBetween(ways, state, begin))
      .filter(({ field }) => !fieldsSet(app, entity, back).has(field))
    for (const { field, by } of kept) {
      const reader = readerIn(app, workflow, state, field, by)
      if (reader === null || told.has(`${back.key} ${field}`)) continue
      told.add(`${back.key} ${field}`)
      const parameters = {
        step: back.name,
        entity: app.entities.get(entity)!.name,
        state,
        field,
        by: by.name,
        reader: reader.what,
        example: `\`${by.name}\` sets ${field} on Monday, \`${back.name}\` follows on Tuesday; in ${state}, ${field} is that of Monday`,
      }
      const related = [
        { span: by.cell, message: 'sets it' },
        { span: reader.cell, message: 'reads it' },
      ]
      ask('N0405', back.cell, parameters, { related })
    }
  }
}

interface Mark {
  readonly field: string
  readonly by: Transition
}

/** What steps on the way from one state to a later one write down about who took them, and when. */
function marksBetween(ways: readonly Way[], state: string, begin: string): readonly Mark[] {
  const out = ways.filter(({ to }) => to !== state)
  const behind = reachedFrom([state], out)
  return out.flatMap(({ from, to, by }) => {
    if (by === null || !from.some(one => behind.has(one)) || !reachedFrom([to], out).has(begin)) return []
    return by.then.flatMap(ownValues).flatMap(({ field, value }) => (isMark(value) ? [{ field, by }] : []))
  })
}

const isMark = ({ root }: Expression): boolean =>
  ['now', 'today', 'me'].includes(root.op) || (root.op === 'literal' && root.value === true)

const ownValues = (act: Act) => (act.kind === 'set' && (act.of === null || act.of.kind === 'itself') ? act.values : [])

/** By its acts, its form, and what follows from it. */
function fieldsSet(app: App, entity: string, step: Transition): ReadonlySet<string> {
  const follows = app.effects.filter(({ entity: of, on }) => of === entity && on.includes(step.key))
  const acts = [...step.then, ...follows.flatMap(({ then }) => then)]
  return new Set([...acts.flatMap(ownValues), ...step.asks].map(({ field }) => field))
}

interface Reader {
  readonly what: string
  readonly cell: Cell
}

/** Something that decides by the field in that state: a step from there, a timer, a rule of a field. Null: nothing does. */
function readerIn(app: App, workflow: Workflow, state: string, field: string, by: Transition): Reader | null {
  const { entity, transitions } = workflow
  const steps = transitions
    .filter(({ key, from }) => key !== by.key && specified(from)?.includes(state) === true)
    .map(({ name, when }) => ({ what: `the When of \`${name}\``, condition: when }))
  const timers = app.timers
    .filter(timer => timer.entity === entity && timer.while?.includes(state) === true)
    .map(({ name, when }) => ({ what: `the timer \`${name}\``, condition: when }))
  const fields = app.entities
    .get(entity)!
    .fields.flatMap(({ key, required, onlyWhen, readOnlyWhen }) =>
      [required?.when ?? null, onlyWhen, readOnlyWhen].map(condition => ({ what: `the field \`${key}\``, condition })),
    )
  for (const { what, condition } of [...steps, ...timers, ...fields]) {
    if (condition === null || isUnspecified(condition) || !storedReads(app, entity, condition).has(field)) continue
    if (couldHold(condition.root, new Map([['state', state]]))) return { what, cell: condition.cell }
  }
  return null
}
