/** What `explain` says of what leaves and enters the application, and of the errors that are reported about it. */
import type { Cell } from '../document/source.ts'
import type { Act, Transition } from '../headings/4-states/model.ts'
import type { AnswerAct, Call, Mail, Receive } from '../headings/7-calls/model.ts'
import type { ErrorEntry } from '../headings/8-errors/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, specified } from '../headings/specified.ts'
import { list, place, type Thing, titleOf } from './words.ts'

/** The error catalogue, calls, mails and received messages. */
export function outwardThings(app: App): Thing[] {
  return [
    ...[...app.errors.values()].map(entry => errorThing(app, entry)),
    ...[...app.calls.values()].map(callThing),
    ...[...app.mails.values()].map(mail => mailThing(app, mail)),
    ...[...app.receives.values()].map(receiveThing),
  ]
}

function errorThing(app: App, entry: ErrorEntry): Thing {
  return {
    names: [entry.code],
    title: `error ${entry.code} (HTTP ${entry.status})`,
    cell: entry.cell,
    lines: () => [
      `  Says: ${specified(entry.message)?.text ?? 'unspecified'}`,
      `  Raised by ${list(raisers(app, entry.code))}.`,
    ],
  }
}

/** Rules that an error refuses for, steps, timers and answers of calls that report it. */
function raisers(app: App, code: string): string[] {
  const named = (what: string, cell: Cell) => `${what} (${place(cell)})`
  const isReport = (act: Act | AnswerAct): boolean =>
    act.kind === 'for each' ? act.acts.some(isReport) : act.kind === 'report' && act.error === code
  const reports = ({ then }: { readonly then: readonly (Act | AnswerAct)[] }) => then.some(isReport)
  const refuses = ({ error }: Transition) => error !== null && specified(error) === code
  const workflows = [...app.workflows.values()]
  return [
    ...app.rules.filter(rule => specified(rule.error) === code).map(rule => named(rule.name, rule.cell)),
    ...workflows.flatMap(({ transitions }) =>
      transitions.filter(step => reports(step) || refuses(step)).map(step => named(step.name, step.cell)),
    ),
    ...[...app.timers, ...app.sweeps].filter(reports).map(timer => named(`timer ${timer.name}`, timer.cell)),
    ...app.effects.filter(reports).map(effect => named(titleOf(app, effect), effect.cell)),
    ...[...app.calls.values()].flatMap(call => call.answers.filter(reports).map(({ cell }) => named(call.key, cell))),
  ]
}

function callThing(call: Call): Thing {
  return {
    names: [call.key, call.name],
    title: `call ${call.key} ${call.name}`,
    cell: call.cell,
    lines: () => [
      '  Put into the outbox in the same transaction as what causes it; sent afterwards, at least once, with a stable key.',
      call.order === null || isUnspecified(call.order)
        ? '  Calls about one record leave one after another, in the order they were caused.'
        : `  Calls with the same \`${call.order.cell.text}\` leave one after another, in the order they were caused, whichever record they are about.`,
      ...call.orderedWith.map(
        ({ call: other, cell }) => `  It and ${other} about the same leave in one order (${place(cell)}).`,
      ),
    ],
  }
}

function mailThing(app: App, mail: Mail): Thing {
  return {
    names: [mail.key],
    title: `mail ${mail.key}`,
    cell: mail.cell,
    lines: () => [
      '  Put into the outbox in the same transaction as what causes it; sent afterwards, at least once.',
      ...(app.quietHours === null || mail.urgent
        ? []
        : [`  Waits for the end of quiet hours, ${app.quietHours.cell.text} (${place(app.quietHours.cell)}).`]),
      ...(mail.optional
        ? ['  Whoever has an account chooses on its page whether they get it at once, in the morning or not at all.']
        : []),
      ...(mail.translated.size === 0
        ? []
        : [
            `  In the language that its reader chose, where that is ${list([...mail.translated.keys()])}; else in ${app.language}.`,
          ]),
      ...(mail.language === null
        ? []
        : [`  Whoever chose none gets it as \`${mail.language.cell.text}\` says (${place(mail.language.cell)}).`]),
    ],
  }
}

function receiveThing(receive: Receive): Thing {
  return {
    names: [receive.key, `receives ${receive.key}`],
    title: `receives ${receive.key}`,
    cell: receive.cell,
    lines: () => [
      receive.proof === null
        ? '  Nobody sends it: answers of calls bring it.'
        : `  POST /api/v1/-/${receive.key}, let in by the ${receive.proof.kind} in ${receive.proof.variable}.`,
      `  ${typeof receive.does === 'string' ? receive.does : `do ${receive.does.step}`} ${receive.entity}, under the rules that hold for everybody, as the application itself.`,
      ...(receive.once === null
        ? []
        : [`  One with the same ${receive.once} is a repetition: it gets the first answer, and changes nothing.`]),
      ...(receive.newest === null
        ? []
        : [`  One that is not newer by ${receive.newest} than the record changes nothing.`]),
      ...(receive.most === null
        ? []
        : [`  At most ${receive.most.cell.text} in a minute (${place(receive.most.cell)}).`]),
      '  What was refused is listed at /-/unsent for 30 days, the latest 100: when, why and which request, without what it said.',
    ],
  }
}
