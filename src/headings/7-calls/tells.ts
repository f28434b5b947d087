/** Mails that tell their readers what they may not see. */
import { reporter } from '../../document/diagnostic.ts'
import type { Step } from '../../expression/checked.ts'
import { pathsOf } from '../../expression/computed.ts'
import type { Expression } from '../../expression/expression.ts'
import { actsOf } from '../4-states/all-acts.ts'
import { mayEver, mayEverSeeField } from '../6-permissions/held.ts'
import { closedAt } from '../6-permissions/shows.ts'
import type { App } from '../app.ts'
import { seesOf } from '../cascades/facts.ts'
import type { Context } from '../context.ts'
import { specified } from '../specified.ts'
import { callCodes } from './codes.ts'
import type { Mail, Recipient } from './model.ts'

/**
 * N1729, once for each mail and each field that it names and some of those it goes to never see. What is `hidden` is there to be told, and whoever
 * has no account, only an address, is told what the mail says and nothing else.
 */
export function lintTelling(context: Context, app: App, mail: Mail, held: ReadonlySet<string>): void {
  const { report } = reporter(callCodes, 7, context.found)
  const recipients = recipientsOf(app, mail)
  for (const [expression, step] of new Map(
    stepsOf(mail).map(one => [`${one[1].entity}.${one[1].field}`, one]),
  ).values()) {
    const who = [...new Set(recipients.flatMap(recipient => readersOf(app, recipient, step, held)))]
    if (who.length === 0) continue
    const entity = app.entities.get(step.entity)!.name
    const related = [
      { span: closedAt(app, step), message: 'closed here' },
      { span: expression.cell, message: 'told here' },
    ]
    const parameters = { mail: mail.key, who: who.join(', '), field: step.field, entity }
    report('N1729', mail.cell, parameters, { related, causes: seesOf(who, step.entity) })
  }
}

/** Those of its row, and the people that an act sends it to instead. */
const recipientsOf = (app: App, { key, to }: Mail): readonly Recipient[] => [
  ...(specified(to) ?? []),
  ...actsOf(app).flatMap((act): readonly Recipient[] =>
    act.kind === 'send mail' && act.mail === key && act.to !== null && act.to.type.kind !== 'text'
      ? [{ kind: 'person', expression: act.to, cell: act.to.cell }]
      : [],
  ),
]

/** Every field that subject and body read, the last first. */
const stepsOf = ({ subject, body }: Mail): readonly (readonly [Expression, Step])[] =>
  [specified(subject), body === null ? null : specified(body)]
    .flatMap(text => text?.parts ?? [])
    .flatMap(part => (part.kind === 'text' ? [] : [part.expression]))
    .flatMap(expression =>
      pathsOf(expression.root).flatMap(path => path.steps.map(step => [expression, step] as const)),
    )
    .toReversed()

/** The recipient, where nobody that it stands for could ever see the field. */
function readersOf(
  app: App,
  recipient: Recipient,
  { entity, field }: Step,
  held: ReadonlySet<string>,
): readonly string[] {
  const declared = app.entities.get(entity)!.fields.find(({ key }) => key === field)
  if (declared === undefined || declared.hidden !== null || recipient.kind === 'address') return []
  const sees = (role: string) =>
    mayEverSeeField(app, entity, role, field) && (entity === 'person' || mayEver(app, entity, role, 'see'))
  if (recipient.kind === 'role' && recipient.role !== null)
    return held.has(recipient.role) && !sees(recipient.role) ? [recipient.role] : []
  return [...held].some(sees) ? [] : [`whoever \`${recipient.cell.text}\` names`]
}
