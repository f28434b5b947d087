/** Mails and calls that something brings about: each as often as the document says, to whom, and with its words and values. */
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { Template } from '../expression/expression.ts'
import type { RecordValue } from '../expression/type.ts'
import type { Act } from '../headings/4-states/model.ts'
import type { Mail } from '../headings/7-calls/model.ts'
import { isUnspecified } from '../headings/specified.ts'
import { said } from './answers.ts'
import type { Taken } from './happening.ts'
import { type Asked, worth } from './judge.ts'
import { literal, saysIt } from './words.ts'
import { type Left, visitor } from './world.ts'

/** What is not as the document says; empty: nothing. `left`: what is to leave since. */
export function otherMails(taken: Taken, left: readonly Left[]): readonly string[] {
  const { trial, before, branch, world, after, isAlone: alone } = taken
  const { app } = trial.site
  const me = before.player.id === visitor.id ? null : before.player.id
  const environment: Asked = { ...world.environment(trial.entity.key, after), me, my: myOf(taken) }
  const wrong: string[] = []
  const mails = branch.acts.filter(act => act.kind === 'send mail')
  for (const act of mails) {
    const mail = app.mails.get(act.mail)
    const sent = left.filter(({ kind, name }) => kind === 'mail' && name === act.mail)
    const to = mail === undefined ? null : receiversOf(taken, mail, act, environment)
    if (mail === undefined || mails.filter(one => one.mail === act.mail).length > 1) continue
    const got = to === null ? [] : sent.map(one => one.person ?? one.address)
    if (to !== null) {
      trial.site.judged.add(act.cell)
      trial.site.judged.in(mail.cell, 'To')
    }
    for (const person of to ?? [])
      if (!got.includes(person)) wrong.push(`the mail ${mail.key} does not go to ${nameOf(taken, person)}`)
    for (const person of got)
      if (to?.includes(person ?? '') === false) wrong.push(`the mail ${mail.key} goes to ${nameOf(taken, person)}, too`)
    if (new Set(got).size < got.length) wrong.push(`the mail ${mail.key} goes to somebody more than once`)
    for (const { subject, text } of sent.slice(0, 1)) {
      trial.site.judged.in(mail.cell, 'Subject', 'Body')
      if (!isUnspecified(mail.subject) && !saysIt(mail.subject, subject ?? '', environment, true))
        wrong.push(`the subject of the mail ${mail.key} is '${subject}'`)
      if (mail.body !== null && !isUnspecified(mail.body) && !saysIt(mail.body, text ?? '', environment, true))
        wrong.push(`the mail ${mail.key} says '${text}'`)
    }
  }
  const calls = new Set(branch.acts.flatMap(act => (act.kind === 'call' ? [act.call] : [])))
  for (const key of calls) {
    const call = app.calls.get(key)
    if (call === undefined || isUnspecified(call.request)) continue
    const made = left.filter(({ kind, name }) => kind === 'call' && name === key)
    const { judged } = trial.site
    judged.in(call.cell, 'Trigger')
    judged.add(...branch.acts.flatMap(act => (act.kind === 'call' && act.call === key ? [act.cell] : [])))
    if (made.length === 0 || (alone && made.length > 1)) wrong.push(`the call ${key} is made ${made.length} times`)
    for (const { url } of made.slice(0, 1)) {
      const address = (url ?? []).map(part =>
        typeof part === 'string' ? part : 'setting' in part ? `{settings.${part.setting}}` : part.value,
      )
      judged.in(call.cell, 'Request')
      if (!leadsTo(call.request.url, address.join(''), environment))
        wrong.push(`the call ${key} goes to ${address.join('')}`)
    }
    for (const { body } of made.slice(0, 1))
      for (const { name, cell: sentCell, from } of call.send) {
        if (isUnspecified(from)) continue
        const sends = body?.[name]
        judged.add(sentCell)
        if (!('parts' in from)) judged.in(sentCell, 'From')
        const says = 'parts' in from ? NOT_LOADED : worth(from, environment)
        if (!(name in (body ?? {}))) wrong.push(`the call ${key} does not send ${name}`)
        else if (typeof says === 'string' && plainly(sends) !== plainly(says))
          wrong.push(`the call ${key} sends ${name} ${said(sends)}, and not ${says}`)
      }
  }
  if (alone)
    for (const name of new Set(left.map(one => one.name)))
      if (
        !mails.some(({ mail }) => mail === name) &&
        !calls.has(name) &&
        left.some(one => one.name === name && one.kind !== 'report')
      )
        wrong.push(`${name} leaves, which nothing sends`)
  return wrong
}

/** Whether an address is what the document says; what is not known is left open. */
function leadsTo({ cell, parts }: Template, address: string, environment: Asked): boolean {
  const holes = [...cell.text.matchAll(/\{([^{}]*)\}/g)].map(([, hole]) => hole!)
  const pattern = parts.map(part => {
    if (part.kind === 'text') return literal(part.text)
    const hole = holes.shift() ?? ''
    const value = hole.startsWith('settings.')
      ? null
      : part.kind === 'plural'
        ? NOT_LOADED
        : worth({ ...part.expression, said: hole }, environment)
    if (hole.startsWith('settings.')) return literal(`{${hole}}`)
    return typeof value === 'string' ? literal(encodeURIComponent(value)) : '.*?'
  })
  return new RegExp(`^${pattern.join('')}$`, 's').test(address)
}

/** Ids of the people that a mail goes to, and addresses of others; null: it cannot be told from here. */
function receiversOf(
  { trial, world }: Taken,
  { to, language }: Mail,
  act: Extract<Act, { kind: 'send mail' }>,
  environment: Asked,
): readonly string[] | null {
  if (language !== null || (act.to === null && isUnspecified(to))) return null
  const recipients = act.to !== null ? [{ kind: 'person' as const, expression: act.to }] : isUnspecified(to) ? [] : to
  const [ids, addresses] = [new Set<string>(), new Set<string>()]
  for (const recipient of recipients) {
    if (recipient.kind === 'awaited') return null
    if (recipient.kind === 'address') {
      const found = worth(recipient.expression, environment)
      if (found === NOT_LOADED) return null
      if (typeof found === 'string') addresses.add(found)
      continue
    }
    if (recipient.kind === 'person') {
      const found = worth(recipient.expression, environment)
      if (found === NOT_LOADED) return null
      for (const id of [found].flat()) if (typeof id === 'string') ids.add(id)
      continue
    }
    const who = recipient.role === null ? undefined : trial.site.app.roles.get(recipient.role)?.who
    if (recipient.where !== null || who === undefined || isUnspecified(who) || who.kind !== 'appointed') return null
    for (const { id, roles } of trial.site.players) if (roles.includes(recipient.role!)) ids.add(id)
  }
  return [...[...ids].filter(id => (world.record('person', id)?.email ?? null) !== null), ...addresses]
}

const myOf = ({ before, world }: Taken): RecordValue | null => world.record('person', before.player.id) ?? null

const nameOf = ({ world }: Taken, id: string | null): string =>
  String(world.record('person', id ?? '')?.name ?? id ?? 'somebody')

/** A number in whichever way it is written. */
export const plainly = (value: unknown): string =>
  /^-?\d+(?:\.\d+)?$/.test(String(value)) ? String(Number(value)) : String(value)
