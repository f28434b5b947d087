/** Checks of heading 7 on the finished model. */
import { reporter } from '../../document/diagnostic.ts'
import { withoutLines } from '../../document/fix.ts'
import type { Facts } from '../../expression/outcomes.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Field } from '../3-entities/model.ts'
import { withInner } from '../4-states/all-acts.ts'
import type { Act } from '../4-states/model.ts'
import { mayEver } from '../6-permissions/held.ts'
import type { App } from '../app.ts'
import { type Context, sectionsOf } from '../context.ts'
import { isUnspecified } from '../specified.ts'
import { callCodes } from './codes.ts'
import type { Mail } from './model.ts'
import { receivedName } from './receives.ts'
import { lintTelling } from './tells.ts'

/** Calls that keep one order, and share nothing by which they could. */
export function checkOrders(context: Context, { calls }: App): void {
  const { report } = reporter(callCodes, 7, context.found)
  for (const { entity, order, orderedWith } of calls.values())
    for (const { call, cell } of orderedWith) {
      const other = calls.get(call)
      if (other === undefined || order !== null || other.order !== null) continue
      if (entity === null || other.entity === null || other.entity === entity) continue
      const why = `${call} is about another kind of record, and nothing says what both share; write \`in order per … with ${call}\``
      report('N1730', cell, { text: cell.text, why })
    }
}

/** Messages that answers bring, and that are not there, or would do the same again with every repetition of the call. */
export function checkPulled(context: Context, { calls, receives }: App): void {
  const { report } = reporter(callCodes, 7, context.found)
  // One with mistakes of its own is not in the model.
  const named = sectionsOf(context, 7).flatMap(({ subjects }) => subjects.map(one => receivedName(one)?.text))
  for (const act of [...calls.values()].flatMap(({ answers }) => answers.flatMap(({ then }) => then))) {
    if (act.kind !== 'receive') continue
    const message = receives.get(act.message)
    if (message === undefined && named.includes(act.message)) continue
    const why =
      message === undefined
        ? `there is no \`### Receives ${act.message}\``
        : message.foundBy === null
          ? `a call may be repeated, and \`Receives ${act.message}\` has no \`Found by\``
          : null
    if (why !== null) report('N1746', act.cell, { act: act.cell.text, why })
  }
}

/** Messages that bring what is never written. */
export function checkReceives(context: Context, { receives, entities }: App): void {
  const { report } = reporter(callCodes, 7, context.found)
  for (const { key, entity, foundBy, does, takes } of receives.values()) {
    const fields = new Map(entities.get(entity)!.fields.map(field => [field.key, field]))
    for (const { field, cell, into } of takes) {
      const why = field === foundBy ? null : whyNotReceived(fields.get(field), typeof does === 'object')
      const fixes = [withoutLines('take the row out', cell)]
      if (why !== null) report('N1742', into, { receive: key, field, why }, { fixes })
    }
  }
}

/** Signed messages of which a late or repeated one undoes what a newer one said. What finds its record and only creates is done once. */
export function lintReceives(context: Context, { receives }: App): void {
  const { report } = reporter(callCodes, 7, context.found)
  for (const { key, cell, proof, once, newest, foundBy, does } of receives.values())
    if (proof?.kind === 'signature' && once === null && newest === null && (foundBy === null || does !== 'create'))
      report(
        'N1743',
        cell,
        { receive: key },
        { related: [{ span: proof.cell, message: 'who sends it signs it here' }] },
      )
}

/** Why a message cannot write a field. Null: it can. `byStep`: it takes a step of the record. */
function whyNotReceived(field: Field | undefined, byStep: boolean): string | null {
  if (field === undefined) return 'the application writes it by itself'
  if (field.computed !== null || field.renewed) return 'it is computed'
  if (field.assignedFrom !== null) return 'the application chooses it'
  if (!fieldKind(field.kind).entered) return 'it is numbered by itself'
  if (!byStep) return null
  if (field.type.kind === 'list' && field.kind !== 'several') return 'a step writes no rows'
  return fieldKind(field.kind).sealed ? 'a step writes no secret' : null
}

/**
 * Calls and mails that nothing starts, calls that do not say what happens when they fail, and mails with a link that cannot be
 * opened, or that tell what their readers never see. `held` are the roles that somebody can have.
 */
export function lintCalls(context: Context, app: App, held: ReadonlySet<string>): void {
  const { calls, mails } = app
  const { report } = reporter(callCodes, 7, context.found)
  for (const { key, cell, entity, trigger, answers } of calls.values()) {
    const { usedBy: uses, withdrawnBy } = context.calls.all.get(key)!
    for (const by of withdrawnBy)
      if (entity !== by.entity)
        report(
          'N1735',
          by.cell,
          { call: key, entity: app.entities.get(by.entity)!.name },
          { related: [{ span: cell, message: 'the call' }] },
        )
    if (trigger === null && uses.size === 0) report('N1710', cell, { call: key })
    else if (!answers.some(({ timeout, statuses }) => timeout || statuses.some(status => /^[45]/.test(status))))
      report('N1714', cell, { call: key })
  }
  for (const mail of mails.values()) {
    if (context.mails.all.get(mail.key)!.usedBy.size === 0) report('N1711', mail.cell, { mail: mail.key })
    else {
      lintLink(context, app, mail, held)
      lintTelling(context, app, mail, held)
    }
  }
}

/** A mail whose body is left open is a link to its record. */
function lintLink(context: Context, app: App, mail: Mail, held: ReadonlySet<string>): void {
  const { report } = reporter(callCodes, 7, context.found)
  const { key, entity, body, to } = mail
  if (entity === null || body === null || !isUnspecified(body) || isUnspecified(to)) return
  const { rows, basis } = app.access.get(entity)!
  if (basis === 'written' && rows.length === 0) return
  const sees = (role: string) => statesOf(app, mail).some(facts => mayEver(app, entity, role, 'see', facts))
  for (const recipient of to) {
    const who =
      recipient.kind === 'role' && recipient.role !== null
        ? held.has(recipient.role) && !sees(recipient.role) && recipient.role
        : recipient.kind !== 'address' && ![...held].some(sees) && `whoever \`${recipient.cell.text}\` names`
    if (who !== false) report('N1728', recipient.cell, { mail: key, who, entity: app.entities.get(entity)!.name })
  }
}

/** What is known of the record of a mail: the states in which it may be sent. One without facts: any. */
function statesOf({ workflows, effects, timers, sweeps }: App, { key, entity }: Mail): readonly Facts[] {
  const sends = (then: readonly Act[]) =>
    then.flatMap(withInner).some(act => act.kind === 'send mail' && act.mail === key)
  const { transitions } = workflows.get(entity!) ?? { transitions: [] }
  const facts = (state: string): Facts => new Map([['state', state]])
  const goalOf = (then: readonly Act[]) => then.find(act => act.kind === 'go to')?.state
  const anywhere: Facts = new Map()
  const steps = [...workflows.values()].flatMap(one => (one.entity === entity ? [] : one.transitions))
  const elsewhere = [...steps, ...timers.filter(timer => timer.entity !== entity)]
  return [
    ...transitions.flatMap(({ to, then }) => (!sends(then) ? [] : isUnspecified(to) ? [anywhere] : [facts(to)])),
    ...timers.flatMap(timer => {
      if (timer.entity !== entity || !sends(timer.then)) return []
      const goal = goalOf(timer.then)
      return goal !== undefined ? [facts(goal)] : (timer.while?.map(facts) ?? [anywhere])
    }),
    ...([...elsewhere, ...effects, ...sweeps].some(({ then }) => sends(then)) ? [anywhere] : []),
  ]
}
