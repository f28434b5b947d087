/** Heading 4 as things that can be compared: states, steps, timers and effects. */
import type { Entity } from '../../headings/3-entities/model.ts'
import type { Transition, Workflow } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { specified } from '../../headings/specified.ts'
import { whileOf } from '../words.ts'
import { approvalThings } from './approvals.ts'
import { type Renames, wordsOf } from './meaning.ts'
import { aspects, list, type Part, rest } from './parts.ts'
import { changed, type Thing } from './thing.ts'

/** `Confirmed where urgent, else New`. */
const begins = ({ starts }: Workflow): string =>
  starts.map(({ state, when }) => (when === null ? state : `${state} where ${when.cell.text}`)).join(', else ')

/** States and steps, comparable. */
export function workflowThings(app: App, workflow: Workflow, renames: Renames): readonly Thing[] {
  const entity = app.entities.get(workflow.entity)!
  const key = renames.entity(entity.key)
  const order = workflow.states.map(({ name }) => renames.state(entity.key, name))
  const life: Thing = {
    id: `states ${key}`,
    cell: workflow.cell,
    section: 4,
    comes: `${entity.name} has states now, and begins as ${begins(workflow)}`,
    goes: `${entity.name} no longer has states`,
    aspects: [
      ...aspects(
        [
          {
            name: 'start',
            value: workflow.starts.map(({ state, when }) => ({ start: state, when })),
            words: begins(workflow),
            tell: (was, is) => `${entity.name} begins as ${is} (was ${was})`,
          },
          ...rest(workflow, ['starts', 'states', 'transitions', 'approvals'], entity.name),
        ],
        workflow.cell,
        renames,
        entity.key,
      ),
      {
        name: 'order',
        cell: workflow.cell,
        meaning: JSON.stringify(order),
        order,
        words: order.join(', '),
        tell: (_, is) => `the states of ${entity.name} are in another order: ${is}`,
      },
    ],
  }
  const states = workflow.states.map((state): Thing => {
    const title = `state ${state.name} of ${entity.name}`
    const parts: readonly Part[] = [
      {
        name: 'name',
        value: state.name,
        words: state.name,
        tell: (was, is) => `the state ${was} of ${entity.name} is now called ${is}`,
      },
      {
        name: 'kind',
        value: state.outcome === undefined ? state.kind : `${state.outcome} end`,
        tell: (was, is) =>
          `${title} is ${is === null ? 'neither start nor end' : `of the kind ${is}`} now (was ${was ?? 'neither'})`,
      },
      ...rest(state, ['kind', 'outcome', 'begins'], title),
    ]
    return {
      id: `state ${key}.${renames.state(entity.key, state.name)}`,
      cell: state.cell,
      section: 4,
      comes: `${entity.name} has the new state ${state.name}${state.kind === null ? '' : ` (${state.kind})`}`,
      goes: `${entity.name} no longer has the state ${state.name}: ${renames.broughtTo(entity.key, state.name) ?? 'records in it need another one before this can be applied'}`,
      aspects: aspects(parts, state.cell, renames, entity.key),
    }
  })
  return [life, ...states, ...steps(entity, workflow, renames), ...approvalThings(entity, workflow, renames)]
}

/** "Requested → Approved". */
const way = ({ from, to }: Transition): string =>
  `${specified(from)?.join(', ') ?? 'not specified'} → ${specified(to) ?? 'not specified'}`

function steps(entity: Entity, { transitions }: Workflow, renames: Renames): readonly Thing[] {
  return transitions.map((step, index) => {
    const branch = transitions.slice(0, index).filter(({ key }) => key === step.key).length
    const title = `${entity.name} ${step.name}${branch === 0 ? '' : `, branch ${branch + 1}`}`
    // What it freezes is told with the field.
    const written = step.then.filter(({ freezes }) => freezes !== true)
    const parts: readonly Part[] = [
      {
        name: 'from',
        value: { from: step.from, to: step.to },
        words: way(step),
        tell: (was, is) => `${title} leads ${is} (was ${was})`,
      },
      {
        name: 'when',
        value: step.when,
        tell: (was, is) =>
          is === null
            ? `${title} is no longer bound to a condition (was open when \`${was}\`)`
            : `${title} is open ${was === null ? 'only ' : ''}when \`${is}\` (was ${was === null ? 'always' : `when \`${was}\``})`,
      },
      {
        name: 'then',
        value: written,
        words: list(written.map(({ cell }) => cell.text)),
        tell: changed(`${title}, then`),
      },
      ...rest(step, ['from', 'to', 'who', 'when', 'then'], title),
    ]
    return {
      id: `step ${renames.entity(entity.key)}.${step.key} ${branch}`,
      cell: step.cell,
      section: 4,
      comes: `${entity.name} has the new step ${step.name}: ${way(step)}, by ${wordsOf(step.who) ?? 'nobody'}${step.when === null ? '' : `, when \`${wordsOf(step.when)}\``}`,
      goes: `${entity.name} no longer has the step ${step.name} (${way(step)})`,
      aspects: aspects(parts, step.cell, renames, entity.key),
    }
  })
}

/** Timers of records and of rows, comparable. */
export function timers(app: App, renames: Renames): readonly Thing[] {
  return app.timers.map(timer => {
    const title = `timer ${timer.name} of ${app.entities.get(timer.entity)!.name}`
    const at = timer.at.cell.text.replaceAll('`', '')
    const states = timer.while === null ? null : { while: timer.while, stands: timer.stands, waits: timer.waits }
    const during = timer.while === null ? '' : `while ${whileOf(app, timer)}, `
    const parts: readonly Part[] = [
      { name: 'while', value: states, words: whileOf(app, timer), tell: changed(`${title}, while`) },
      { name: 'at', value: timer.at, words: at, tell: changed(`${title}, at`) },
      {
        name: 'then',
        value: timer.then,
        words: list(timer.then.map(({ cell }) => cell.text)),
        tell: changed(`${title}, then`),
      },
      { name: 'when', value: timer.when, tell: changed(`${title}, when`) },
      ...rest(timer, ['entity', 'while', 'stands', 'waits', 'at', 'when', 'then'], title),
    ]
    return {
      id: `timer ${renames.entity(timer.entity)}.${timer.key}`,
      cell: timer.cell,
      section: 4,
      comes: `${title} is new: ${during}at ${at}`,
      goes: `${title} is gone`,
      aspects: aspects(parts, timer.cell, renames, timer.entity),
    }
  })
}

/** Timers with `for each`, comparable. */
export function sweeps(app: App, renames: Renames): readonly Thing[] {
  return app.sweeps.map(sweep => {
    const { name, entity, cell } = sweep
    const title = `timer ${name}${sweep.alone ? '' : ` of ${app.entities.get(entity)!.name}`}`
    const at = sweep.at.cell.text.replaceAll('`', '')
    const states = sweep.while === null ? null : { while: sweep.while }
    const parts: readonly Part[] = [
      {
        name: 'at',
        value: { rhythm: sweep.at.rhythm, where: sweep.where, alone: sweep.alone },
        words: at,
        tell: changed(`${title}, at`),
      },
      { name: 'while', value: states, words: sweep.while?.join(', ') ?? null, tell: changed(`${title}, while`) },
      { name: 'when', value: sweep.when, tell: changed(`${title}, when`) },
      {
        name: 'then',
        value: sweep.then,
        words: list(sweep.then.map(act => act.cell.text)),
        tell: changed(`${title}, then`),
      },
      ...rest(sweep, ['at', 'where', 'alone', 'while', 'when', 'then', 'entity'], title),
    ]
    return {
      id: `timer ${renames.entity(entity)}.${sweep.key}`,
      cell,
      section: 4,
      comes: `${title} is new: ${at}`,
      goes: `${title} is gone`,
      aspects: aspects(parts, cell, renames, entity),
    }
  })
}

/** Effects, comparable by what they do. */
export function effects(app: App, renames: Renames): readonly Thing[] {
  const counts = new Map<string, number>()
  return app.effects.map(effect => {
    const { entity, on, cell } = effect
    const event = `${on.join(', ').replaceAll('_', ' ')} ${app.entities.get(entity)?.name ?? entity}`
    const number = (counts.get(event) ?? 0) + 1
    counts.set(event, number)
    const title = `on ${event}${number === 1 ? '' : `, row ${number}`}`
    const parts: readonly Part[] = [
      {
        name: 'when',
        value: effect.when,
        tell: changed(`${title}, when`),
      },
      {
        name: 'then',
        value: effect.then,
        words: list(effect.then.map(act => act.cell.text)),
        tell: changed(`${title}, then`),
      },
      ...rest(effect, ['when', 'then', 'on', 'entity'], title),
    ]
    const among = `effect ${renames.entity(entity)}.${on.join(' ')}`
    return {
      id: `${among} ${number}`,
      among,
      cell,
      section: 4,
      comes: `${title}: ${list(effect.then.map(act => act.cell.text))} happens now`,
      goes: `${title}: ${list(effect.then.map(act => act.cell.text))} no longer happens`,
      aspects: aspects(parts, cell, renames, entity),
    }
  })
}
