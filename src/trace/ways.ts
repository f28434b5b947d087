/** For each state of an entity who or what can lead its records out of it, where to, and under which condition. */
import { position } from '../document/cell.ts'
import type { Cell } from '../document/source.ts'
import type { Act, Transition, Workflow } from '../headings/4-states/model.ts'
import { leavingBy } from '../headings/4-states/takers.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, specified } from '../headings/specified.ts'
import { whileOf } from './words.ts'

interface StateWays {
  readonly entity: string
  readonly state: string
  readonly kind: 'start' | 'end' | null
  readonly ways: readonly LeavingWay[]
}

interface LeavingWay {
  readonly by: 'step' | 'timer' | 'effect'
  readonly name: string
  readonly to: string | null
  /** Roles that heading 6 and Who let, and fields whose people Who names; empty: the application alone. */
  readonly who: readonly string[]
  /** As Who says. */
  readonly except: readonly string[]
  readonly when: string | null
  /** Names of the approvals that it waits for. */
  readonly waits: readonly string[]
  readonly path: string
  readonly line: number
}

/** Of all workflows, in the document's order. */
export const waysOutOf = (app: App): readonly StateWays[] =>
  [...app.workflows.values()].flatMap(workflow => waysOutOfEntity(app, workflow))

export function waysOutOfEntity(app: App, workflow: Workflow): readonly StateWays[] {
  const { name: entity } = app.entities.get(workflow.entity)!
  return workflow.states.map(({ name: state, kind }) => ({
    entity,
    state,
    kind,
    ways: [
      ...workflow.transitions
        .filter(({ from }) => specified(from)?.includes(state))
        .map(step => stepOut(app, workflow, step, state)),
      ...timersOut(app, workflow, state),
      ...effectsOut(app, workflow, state),
    ],
  }))
}

/** "submit → Requested: Borrower, when `borrower = me` (loan-desk.md:107)". */
export function sayWays(all: readonly StateWays[]): string {
  const lines = all.flatMap(({ entity, state, kind, ways }, index) => [
    ...(all[index - 1]?.entity === entity ? [] : [...(index === 0 ? [] : ['']), entity]),
    `  ${state}${kind === null ? '' : ` (${kind})`}${ways.length > 0 ? '' : kind === 'end' ? '' : ': nothing leads out of it'}`,
    ...ways.map(way => `    ${sayWay(way)}`),
  ])
  return lines.length === 0 ? 'The document has no states.\n' : `${lines.join('\n')}\n`
}

function sayWay({ by, name, to, who, except, when, waits, path, line }: LeavingWay): string {
  const people = who.length === 0 ? 'the application' : who.join(', ')
  return [
    `${by === 'step' ? '' : `${by} `}${name} \u2192 ${to ?? 'unspecified'}: ${people}`,
    ...(except.length === 0 ? [] : [` except ${except.join(', ')}`]),
    ...(waits.length === 0 ? [] : [`, after ${waits.join(', ')}`]),
    ...(when === null ? [] : [`, when \`${when}\``]),
    ` (${path}:${line})`,
  ].join('')
}

function stepOut(app: App, { entity, approvals }: Workflow, step: Transition, state: string): LeavingWay {
  const who = specified(step.who)
  const people = who?.kind === 'roles' ? who.people.map(({ cell }) => cell.text) : []
  const roles = leavingBy(app, entity, step, state).map(({ role }) => role)
  const named = who?.kind === 'roles' ? roles.filter(role => who.roles.includes(role)) : roles
  return {
    by: 'step',
    name: step.name,
    to: specified(step.to),
    // Whom fields name need no role but one that may do the step at all.
    who: [...new Set([...named, ...(roles.length > 0 ? people : [])])],
    except: who?.except.map(({ cell }) => cell.text) ?? [],
    when: saidWhen(step.when),
    waits: approvals.filter(({ step: of }) => of === step.key).map(({ name }) => name),
    ...placeOf(step.cell),
  }
}

const timersOut = (app: App, { entity }: Workflow, state: string): readonly LeavingWay[] =>
  [...app.timers, ...app.sweeps].flatMap(timer => {
    const states =
      timer.entity === entity && (timer.while === null || timer.while.includes(state)) ? goals(timer.then) : []
    const waits = 'waits' in timer && timer.waits !== null ? `while ${whileOf(app, timer)}` : null
    const when = [waits, saidWhen(timer.when)].filter(said => said !== null).join(' and ')
    return states.map(to => ({ ...byItself(timer.name, to, timer.cell), by: 'timer' as const, when: when || null }))
  })

/** What follows from a new record leads it out of the first state alone. */
const effectsOut = (app: App, { entity, starts }: Workflow, state: string): readonly LeavingWay[] =>
  app.effects.flatMap(({ entity: of, on, when, then, cell }) => {
    const isHere = of === entity && (starts.some(start => start.state === state) || !on.every(one => one === 'created'))
    const name = on.join(', ').replaceAll('_', ' ')
    return (isHere ? goals(then) : []).map(to => ({
      ...byItself(name, to, cell),
      by: 'effect' as const,
      when: saidWhen(when),
    }))
  })

const goals = (acts: readonly Act[]) => acts.flatMap(act => (act.kind === 'go to' ? [act.state] : []))

const byItself = (name: string, to: string, cell: Cell) => ({
  name,
  to,
  who: [],
  except: [],
  waits: [],
  ...placeOf(cell),
})

const saidWhen = (when: Transition['when']): string | null =>
  when === null ? null : isUnspecified(when) ? 'unspecified' : when.cell.text

const placeOf = ({ file, start }: Cell) => ({ path: file.path, line: position(file, start).line })
