/**
 * `ninefold explain`: why something is as it is. For a rule, a step, a field, a permission, a role, a call, a mail, an error,
 * a constant or a screen: the line that decides it, what it reads, and where it is enforced. A reader of the App, nothing else.
 */

import { nearest } from '../document/nearest.ts'
import type { Cell } from '../document/source.ts'
import type { Act, State, TimerAt, Transition, Workflow } from '../headings/4-states/model.ts'
import type { AnswerAct } from '../headings/7-calls/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, said } from '../headings/said.ts'
import { sayRow } from './explain-access.ts'
import { approvalLines, approvalNames } from './explain-approvals.ts'
import { entityThings, stepThing, type Thing } from './explain-entity.ts'
import { sweepLines } from './explain-sweeps.ts'
import { enforcement, warning } from './explain-tiers.ts'
import { frame, list, place, sayAct, sayExpression, titleOf, written } from './words.ts'

export type Explained =
  | { readonly lines: readonly string[] }
  | { readonly unknown: true; readonly nearest: string | null }

export function explain(app: App, asked: string): Explained {
  const wanted = folded(asked)
  const things = thingsOf(app)
  const found = things.filter(({ names }) => names.some(name => folded(name) === wanted))
  if (found.length === 0) {
    const names = things.flatMap(thing => thing.names)
    return { unknown: true, nearest: nearest(asked, names) }
  }
  return {
    lines: found.flatMap((thing, index) => [
      ...(index === 0 ? [] : ['']),
      ...frame(thing.title, thing.cell),
      ...thing.lines(),
    ]),
  }
}

/** Rules that an error refuses for, steps, timers and answers of calls that report it. */
function raisers(app: App, code: string): string[] {
  const named = (what: string, cell: Cell) => `${what} (${place(cell)})`
  const isReport = (act: Act | AnswerAct): boolean =>
    act.kind === 'for each' ? act.acts.some(isReport) : act.kind === 'report' && act.error === code
  const reports = ({ then }: { readonly then: readonly (Act | AnswerAct)[] }) => then.some(isReport)
  const refuses = ({ error }: Transition) => error !== null && said(error) === code
  const workflows = [...app.workflows.values()]
  return [
    ...app.rules.filter(rule => said(rule.error) === code).map(rule => named(rule.name, rule.cell)),
    ...workflows.flatMap(({ transitions }) =>
      transitions.filter(step => reports(step) || refuses(step)).map(step => named(step.name, step.cell)),
    ),
    ...workflows.flatMap(({ timers }) => timers.filter(reports).map(timer => named(`timer ${timer.name}`, timer.cell))),
    ...app.sweeps.filter(reports).map(sweep => named(`timer ${sweep.name}`, sweep.cell)),
    ...app.effects.filter(reports).map(effect => named(titleOf(app, effect), effect.cell)),
    ...[...app.calls.values()].flatMap(call => call.answers.filter(reports).map(({ cell }) => named(call.key, cell))),
  ]
}

/** Steps that lead to a state, timers that go there, and being created where it is the first. */
function entrances(app: App, { entity, start, transitions, timers }: Workflow, state: State): string[] {
  const steps = transitions.filter(step => said(step.to) === state.name).map(step => step.name)
  const own = [...timers, ...app.sweeps.filter(sweep => sweep.entity === entity)]
  const going = own.filter(({ then }) => then.some(act => act.kind === 'go to' && act.state === state.name))
  return [...(state.name === start ? ['being created'] : []), ...steps, ...going.map(({ name }) => `timer ${name}`)]
}

/** Whether a timer counts working days or hours. */
const isWorked = (at: TimerAt): boolean =>
  at.kind === 'once' ? at.working !== null : at.kind === 'after entering' && 'of' in at.length

const folded = (name: string) => name.trim().toLowerCase().replaceAll('_', ' ').replace(/\s+/g, ' ')

function thingsOf(app: App): Thing[] {
  return [
    ...[...app.entities.values()].flatMap(entity => entityThings(app, entity)),
    ...[...app.workflows.values()].flatMap(workflow => {
      const entity = app.entities.get(workflow.entity)!
      return [
        ...workflow.transitions.map(step => stepThing(app, entity, step)),
        ...workflow.approvals.map(
          (approval): Thing => ({
            names: approvalNames(entity, approval),
            title: `approval ${approval.name} of ${entity.name}`,
            cell: approval.cell,
            lines: () => approvalLines(workflow, approval),
          }),
        ),
        ...workflow.timers.map(
          (timer): Thing => ({
            names: [timer.name, `${entity.name}.${timer.name}`],
            title: `timer ${timer.name} of ${entity.name}`,
            cell: timer.cell,
            lines: () => [
              `  While ${timer.while.join(', ')}, at ${timer.at.cell.text.replaceAll('`', '')}${timer.at.kind === 'once' && timer.at.time === null && timer.at.working === null ? '' : ` in ${app.product.timeZone.name}`}.`,
              ...(timer.when === null
                ? []
                : [
                    `  When ${isUnspecified(timer.when) ? 'not specified, so nothing happens' : written(timer.when)}, asked when it fires.`,
                  ]),
              ...(isWorked(timer.at) && app.workingTime !== null
                ? [
                    `  Counted in the working time of heading 9 (${place(app.workingTime.cell)}); it moves with each closed day.`,
                  ]
                : []),
              timer.at.kind === 'once'
                ? '  Its due time is stored with the record, worked out again with every change of it, and survives restarts.'
                : '  Its due time is stored with the record and survives restarts. What was missed meanwhile happens once.',
              ...timer.then.map(sayAct),
            ],
          }),
        ),
        ...workflow.states.map(
          (state): Thing => ({
            names: [state.name, `${entity.name}.${state.name}`],
            title: `state ${state.name} of ${entity.name}`,
            cell: state.cell,
            lines: () => [
              `  Entered by ${list(entrances(app, workflow, state))}.`,
              ...(state.locks === null
                ? []
                : [`  Locks ${state.locks.cell.text}: not changed in it by anybody (${place(state.locks.cell)}).`]),
              `  Left by ${list(workflow.transitions.filter(step => said(step.from)?.includes(state.name) === true).map(step => step.name))}.`,
            ],
          }),
        ),
      ]
    }),
    ...[...app.functions.values()].map(
      ({ name, cell, file }): Thing => ({
        names: [name],
        title: `function ${name}`,
        cell,
        lines: () => [
          file === null
            ? '  Its code is left open: what it gives is unknown.'
            : `  Decided by TypeScript: ${file.path}.`,
          '  Runs on the server only, on the values that it is given; where it fails, what it gives is unknown, and the log says so.',
          ...app.inCode
            .filter(({ asks }) => asks.includes(name))
            .map(({ cell }) => `  Asked at ${place(cell)}: \`${cell.text}\`.`),
        ],
      }),
    ),
    ...app.sweeps.map((sweep): Thing => {
      const { name } = app.entities.get(sweep.entity)!
      return {
        names: [sweep.name, `${name}.${sweep.name}`],
        title: `timer ${sweep.name} of ${name}`,
        cell: sweep.cell,
        lines: () => [...sweepLines(app, sweep), ...sweep.then.map(sayAct)],
      }
    }),
    ...app.effects.map(
      (effect): Thing => ({
        names: [titleOf(app, effect), ...effect.on.map(on => `${app.entities.get(effect.entity)!.name}.${on}`)],
        title: `effect on ${titleOf(app, effect)}`,
        cell: effect.cell,
        lines: () => [
          ...(effect.when === null ? [] : [`  When ${sayExpression(effect.when)}. Unknown counts as no.`]),
          '  In the transaction of what causes it, as the application: permissions are not asked, rules and guards hold, a refusal undoes all of it.',
          ...effect.then.map(sayAct),
        ],
      }),
    ),
    ...app.rules.map(
      (rule): Thing => ({
        names: [rule.name],
        title: `rule ${rule.name} of ${app.entities.get(rule.entity)?.name ?? rule.entity}`,
        cell: rule.cell,
        lines: () => [
          `  Must hold ${rule.on === null ? 'whenever the record is written' : `on ${rule.on.join(', ')}`}: ${sayExpression(rule.mustHold)}.`,
          ...(isUnspecified(rule.mustHold)
            ? []
            : rule.warns
              ? warning(rule.mustHold)
              : enforcement(rule.mustHold, rule.on === null)),
          `  When it does not hold: ${rule.warns && !isUnspecified(rule.error) ? 'whoever saves is asked to confirm ' : ''}${said(rule.error) ?? 'unspecified'}${rule.field === null ? '' : `, beside ${rule.field}`}.`,
        ],
      }),
    ),
    ...[...app.roles.values()].map(
      (role): Thing => ({
        names: [role.name],
        title: `role ${role.name}`,
        cell: role.cell,
        lines: () => [
          `  ${isUnspecified(role.who) ? 'Who has it is unspecified: nobody has it.' : `Who: ${role.who.cell.text}.`}`,
          ...[...app.access.values()].flatMap(({ entity, rows, never }) =>
            rows
              .filter(row => row.role === role.name)
              .map(row => `  ${app.entities.get(entity)?.name ?? entity}: ${sayRow(row, never)} (${place(row.cell)})`),
          ),
        ],
      }),
    ),
    ...[...app.errors.values()].map(
      (entry): Thing => ({
        names: [entry.code],
        title: `error ${entry.code} (HTTP ${entry.status})`,
        cell: entry.cell,
        lines: () => [
          `  Says: ${said(entry.message)?.text ?? 'unspecified'}`,
          `  Raised by ${list(raisers(app, entry.code))}.`,
        ],
      }),
    ),
    ...[...app.limits.values()].map(
      (constant): Thing => ({
        names: [constant.key, `limits.${constant.key}`],
        title: `constant ${constant.key}`,
        cell: constant.cell,
        lines: () => [
          `  ${isUnspecified(constant.value) ? 'Its value is unspecified: what reads it is unknown, so a guard stays closed and a rule is not applied.' : `The document says ${constant.value.wire}${constant.unit === null ? '' : ` ${constant.unit.text}`}; the running application may hold a newer value.`}`,
          ...constant.later.map(({ cell, since, wire }) => `  From ${since} on: ${wire} (${place(cell)}).`),
          ...(constant.onDays ? ['  Read as it is on a day: what it was stays known, and what it will be.'] : []),
          `  Who may change it: ${constant.change === 'fixed' ? 'nobody, only the document' : (said(constant.change)?.roles.join(', ') ?? 'unspecified, so nobody')}${constant.change === 'fixed' || app.product.tenant === null ? '' : '; who belongs to a tenant changes it for that tenant only'}.`,
        ],
      }),
    ),
    ...app.screens.map(
      (screen): Thing => ({
        names: [screen.name.text, said(screen.route)?.pattern ?? screen.key],
        title: `screen ${screen.name.text}`,
        cell: screen.name,
        lines: () => [
          `  At ${said(screen.route)?.pattern ?? 'an unspecified route'}, for ${said(screen.for)?.cell.text ?? 'nobody: unspecified'}.`,
          `  Shows ${said(screen.shows)?.cell.text ?? 'nothing yet: unspecified'}.`,
          ...(screen.homeFor === null
            ? []
            : [`  ${list(screen.homeFor.roles)} come here after signing in (${place(screen.homeFor.cell)}).`]),
          ...(screen.sharedBy === null
            ? []
            : [`  Saved views are shared by ${screen.sharedBy.cell.text} (${place(screen.sharedBy.cell)}).`]),
          ...(screen.filters.length === 0
            ? []
            : [
                `  Filters over it: ${screen.filters.map(({ path }) => path).join(', ')} (${place(screen.filters[0]!.cell)}).`,
              ]),
          ...(screen.totals.length === 0
            ? []
            : [`  Adds up: ${screen.totals.map(({ field }) => field).join(', ')} (${place(screen.totals[0]!.cell)}).`]),
          ...(screen.embeddedIn.length === 0
            ? []
            : [
                `  May stand in a frame on ${screen.embeddedIn.map(({ origin }) => origin).join(', ')} (${place(screen.embeddedIn[0]!.cell)}).`,
              ]),
          ...(screen.atMost === null
            ? []
            : [`  Taken from one address: at most ${screen.atMost.cell.text} (${place(screen.atMost.cell)}).`]),
          ...(screen.confirmTo === null
            ? []
            : [
                `  What is sent becomes a record when a link mailed to ${screen.confirmTo.field} was followed (${place(screen.confirmTo.cell)}).`,
              ]),
          ...(screen.print?.parts ?? []).map(
            ({ name, fields }) =>
              `  ${name === null ? 'First' : name.text}: ${fields.length === 0 ? 'a text' : fields.map(({ cell }) => cell.text).join(', ')} (${place(name ?? fields[0]?.cell ?? screen.name)}).`,
          ),
          ...screen.views.map(({ cell }) => `  View ${cell.text} (${place(cell)}).`),
        ],
      }),
    ),
    ...[...app.calls.values()].map(
      (call): Thing => ({
        names: [call.key, call.name],
        title: `call ${call.key} ${call.name}`,
        cell: call.cell,
        lines: () => [
          '  Put into the outbox in the same transaction as what causes it; sent afterwards, at least once, with a stable key.',
          call.order === null || isUnspecified(call.order)
            ? '  Those about one record leave one after the other, in the order in which they were caused.'
            : `  Those with the same \`${call.order.cell.text}\` leave one after the other, in the order in which they were caused, whatever records they are about.`,
        ],
      }),
    ),
    ...[...app.mails.values()].map(
      (mail): Thing => ({
        names: [mail.key],
        title: `mail ${mail.key}`,
        cell: mail.cell,
        lines: () => [
          '  Put into the outbox in the same transaction as what causes it; sent afterwards, at least once.',
          ...(app.quietHours === null || mail.urgent
            ? []
            : [`  Waits for the end of quiet hours, ${app.quietHours.cell.text} (${place(app.quietHours.cell)}).`]),
        ],
      }),
    ),
    ...[...app.receives.values()].map(
      (receive): Thing => ({
        names: [receive.key, `receives ${receive.key}`],
        title: `receives ${receive.key}`,
        cell: receive.cell,
        lines: () => [
          `  POST /api/v1/-/${receive.key}, let in by the ${receive.proof.kind} in ${receive.proof.variable}.`,
          `  ${typeof receive.does === 'string' ? receive.does : `do ${receive.does.step}`} ${receive.entity}, by the rules of everybody, as the application itself.`,
        ],
      }),
    ),
    {
      names: ['document for'],
      title: 'who reads the document in the application',
      cell: app.documentFor.cell,
      lines: () => [
        app.documentFor.roles.length === 0
          ? '  Nobody, save in dev, where everybody does.'
          : `  ${app.documentFor.roles.join(', ')}: at /-/document, with its lines, gaps, diagrams and permissions.`,
      ],
    },
    {
      names: ['send again'],
      title: 'who sends again what was not delivered',
      cell: app.sendAgain.cell,
      lines: () => [
        app.sendAgain.roles.length === 0
          ? '  Nobody, and nobody sees it.'
          : `  ${app.sendAgain.roles.join(', ')}: at /-/unsent, with the same key as before.`,
      ],
    },
    {
      names: ['personal data', 'personal data for'],
      title: 'who gives out and erases what is held about people',
      cell: app.personalDataFor.cell,
      lines: () => [
        app.personalDataFor.roles.length === 0
          ? '  Nobody in the application; `ninefold person` for whoever runs it.'
          : `  ${app.personalDataFor.roles.join(', ')}: at /-/person-data.`,
      ],
    },
    {
      names: ['read log', 'read log for'],
      title: 'who sees which records were read',
      cell: app.readLog.cell,
      lines: () => [app.readLog.roles.length === 0 ? '  Nobody.' : `  ${app.readLog.roles.join(', ')}: at /-/reads.`],
    },
    {
      names: ['second factor'],
      title: 'who needs a second factor',
      cell: app.secondFactor.cell,
      lines: () => [
        app.secondFactor.roles.length === 0
          ? '  Nobody has to have one.'
          : `  ${app.secondFactor.roles.join(', ')}: without one they are led to set it up, and reach nothing else.`,
      ],
    },
    {
      names: ['act as others'],
      title: 'who may act as another person',
      cell: app.actAs.cell,
      lines: () => [
        app.actAs.roles.length === 0 ? '  Nobody.' : `  ${app.actAs.roles.join(', ')}: at /-/act, with a reason.`,
      ],
    },
    ...app.assumptions.map(
      (assumption): Thing => ({
        names: [assumption.name],
        title: `assumption ${assumption.name}`,
        cell: assumption.cell,
        lines: () => [
          `  ${assumption.what}`,
          assumption.accepted === null
            ? `  Not accepted yet: say it in section ${assumption.section}, or accept it with - **Assume:** ${assumption.name}`
            : `  Accepted at ${place(assumption.accepted)}.`,
        ],
      }),
    ),
  ]
}
