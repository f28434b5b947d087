/** What `explain` says of the life of a record: steps, approvals, timers, states, and what follows in other records. */
import type { Effect, State, Sweep, Timer, TimerAt, Workflow } from '../headings/4-states/model.ts'
import { whoseDays } from '../headings/4-states/timers.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, specified } from '../headings/specified.ts'
import { approvalThing } from './explain-approvals.ts'
import { stepThing } from './explain-entity.ts'
import { list, place, sayAct, sayExpression, type Thing, titleOf, whileOf, written } from './words.ts'

/** Everything under heading 4 that can be asked for. */
export function workflowThings(app: App): Thing[] {
  return [
    ...[...app.workflows.values()].flatMap(workflow => {
      const entity = app.entities.get(workflow.entity)!
      return [
        ...workflow.transitions.map(step => stepThing(app, entity, step)),
        ...workflow.approvals.map(approval => approvalThing(entity, workflow, approval)),
        ...workflow.states.map(state => stateThing(app, entity.name, workflow, state)),
      ]
    }),
    ...app.timers.map(timer => timerThing(app, timer)),
    ...app.sweeps.map(sweep => sweepThing(app, sweep)),
    ...app.effects.map(effect => effectThing(app, effect)),
  ]
}

function timerThing(app: App, timer: Timer): Thing {
  const { name: entity, partOf } = app.entities.get(timer.entity)!
  const when = `at ${timer.at.cell.text.replaceAll('`', '')}${timer.at.kind === 'once' && timer.at.time === null && timer.at.working === null ? '' : ` in ${app.product.timeZone.name}`}`
  return {
    names: [timer.name, `${entity}.${timer.name}`],
    title: `timer ${timer.name} of ${entity}`,
    cell: timer.cell,
    lines: () => [
      timer.while === null ? `  A${when.slice(1)}.` : `  While ${whileOf(app, timer)}, ${when}.`,
      ...(partOf === null
        ? []
        : [`  Of each row by itself; what happens is a change of its ${app.entities.get(partOf)!.name}.`]),
      ...(timer.when === null
        ? []
        : [
            `  When ${isUnspecified(timer.when) ? 'not specified, so nothing happens' : written(timer.when)}, asked when it fires.`,
          ]),
      ...(isWorked(timer.at) && app.workingTime !== null
        ? [
            `  Counted in the working time of heading 9 (${place(app.workingTime.cell)})${closedWords(timer.at)}; it moves with each closed day.`,
          ]
        : []),
      ...(timer.stands === null
        ? []
        : [`  Its clock stands in ${timer.stands.join(', ')}: what was left then is left when it goes on.`]),
      timer.at.kind === 'once'
        ? '  Its due time is stored with the record, worked out again with every change of it, and survives restarts.'
        : '  Its due time is stored with the record and survives restarts. What was missed meanwhile happens once.',
      ...timer.then.map(sayAct),
    ],
  }
}

function stateThing(app: App, entity: string, workflow: Workflow, state: State): Thing {
  return {
    names: [state.name, `${entity}.${state.name}`],
    title: `state ${state.name} of ${entity}`,
    cell: state.cell,
    lines: () => [
      `  Entered by ${list(entrances(app, workflow, state))}.`,
      ...(state.locks === null
        ? []
        : [`  Locks ${state.locks.cell.text}: not changed in it by anybody (${place(state.locks.cell)}).`]),
      `  Left by ${list(workflow.transitions.filter(step => specified(step.from)?.includes(state.name) === true).map(step => step.name))}.`,
    ],
  }
}

function sweepThing(app: App, sweep: Sweep): Thing {
  const { name } = app.entities.get(sweep.entity)!
  return {
    names: [sweep.name, `${name}.${sweep.name}`],
    title: sweep.alone ? `timer ${sweep.name}` : `timer ${sweep.name} of ${name}`,
    cell: sweep.cell,
    lines: () => [...sweepLines(app, sweep), ...sweep.then.map(sayAct)],
  }
}

function effectThing(app: App, effect: Effect): Thing {
  return {
    names: [titleOf(app, effect), ...effect.on.map(on => `${app.entities.get(effect.entity)!.name}.${on}`)],
    title: `effect on ${titleOf(app, effect)}`,
    cell: effect.cell,
    lines: () => [
      ...(effect.when === null ? [] : [`  When ${sayExpression(effect.when)}. Unknown counts as no.`]),
      '  In the transaction of what causes it, as the application: permissions are not asked, rules and guards hold, a refusal undoes all of it.',
      ...effect.then.map(sayAct),
    ],
  }
}

/** Steps that lead to a state, timers that go there, and being created where it is the first. */
function entrances(app: App, { entity, starts, transitions }: Workflow, state: State): string[] {
  const steps = transitions.filter(step => specified(step.to) === state.name).map(step => step.name)
  const own = [...app.timers, ...app.sweeps].filter(timer => timer.entity === entity)
  const going = own.filter(({ then }) => then.some(act => act.kind === 'go to' && act.state === state.name))
  return [
    ...starts.flatMap(({ state: of, when }) =>
      of === state.name ? [when === null ? 'being created' : `being created where ${when.cell.text}`] : [],
    ),
    ...steps,
    ...going.map(({ name }) => `timer ${name}`),
  ]
}

/** Whether a timer counts working days or hours, or comes back on those of one record. */
function isWorked(at: TimerAt): boolean {
  if (at.kind === 'every') return at.whose !== null
  return at.kind === 'once' ? at.working !== null : 'of' in at.length
}

function closedWords(at: TimerAt): string {
  const whose = whoseDays(at)
  return whose === null ? '' : `, with the closed days of ${written(whose)}`
}

function sweepLines({ product }: App, { at, while: states, when, alone }: Sweep): string[] {
  return [
    `  ${at.cell.text.replaceAll('`', '').replace(/^every/i, 'Every')}, in ${product.timeZone.name}.`,
    ...(states === null ? [] : [`  Only those that are ${states.join(', ')}.`]),
    ...(when === null
      ? []
      : [
          `  When ${isUnspecified(when) ? 'not specified, so nothing happens' : `\`${when.cell.text}\``}, asked ${alone ? 'when it fires' : 'of each'}.`,
        ]),
    ...(alone
      ? [
          '  It is about no record: all of it happens in one transaction, once for each time, whoever works beside or dies meanwhile.',
        ]
      : sweepsThrough),
  ]
}

const sweepsThrough = [
  '  It looks for records at that time and asks each again before it acts; what no longer matches is left alone.',
  '  Each is written in a transaction of its own, once for each time, whoever works beside or dies meanwhile. What was missed happens once.',
]
