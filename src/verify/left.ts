/** Mails and calls that something brings about: each as often as the document says, to whom, and with its words and values. */
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { Template } from '../expression/expression.ts'
import type { Act } from '../headings/4-states/model.ts'
import type { Call, Mail, Recipient } from '../headings/7-calls/model.ts'
import { isUnspecified, type Unspecified } from '../headings/specified.ts'
import { appFor } from '../headings/translate.ts'
import { said } from './answers.ts'
import type { Taken } from './happening.ts'
import { type Asked, worth } from './judge.ts'
import * as oracle from './oracle/rights.ts'
import { literal, saysIt } from './words.ts'
import { type Left, visitor } from './world.ts'

/** What is not as the document says; empty: nothing. `left`: what is to leave since. */
export function otherMails(taken: Taken, left: readonly Left[]): readonly string[] {
  const { trial, before, branch, world, after, isAlone } = taken
  const me = before.player.id === visitor.id ? null : before.player.id
  const my = world.record('person', before.player.id) ?? null
  const leaving: Leaving = { ...taken, left, says: { ...world.environment(trial.entity.key, after), me, my } }
  const mails = branch.acts.filter(act => act.kind === 'send mail')
  const calls = new Set(branch.acts.flatMap(act => (act.kind === 'call' ? [act.call] : [])))
  const others = new Set(left.flatMap(({ kind, name }) => (kind === 'report' ? [] : [name])))
  for (const name of [...mails.map(({ mail }) => mail), ...calls]) others.delete(name)
  return [
    ...mails.flatMap(act => {
      const mail = trial.site.app.mails.get(act.mail)
      const isOnce = mails.filter(one => one.mail === act.mail).length === 1
      return mail === undefined || !isOnce ? [] : [...wrongWay(leaving, mail, act), ...wrongWords(leaving, mail)]
    }),
    ...[...calls].flatMap(key => {
      const call = trial.site.app.calls.get(key)
      return call === undefined || isUnspecified(call.request) ? [] : wrongCall(leaving, call, call.request)
    }),
    ...(isAlone ? [...others].map(name => `${name} leaves, which nothing sends`) : []),
  ]
}

type Request = Exclude<Call['request'], Unspecified>

interface Leaving extends Taken {
  readonly left: readonly Left[]
  readonly says: Asked
}

type Sending = Extract<Act, { kind: 'send mail' }>

const mailsIn = ({ left }: Leaving, { key }: Mail) => left.filter(({ kind, name }) => kind === 'mail' && name === key)

/** To whom it goes. */
function wrongWay(leaving: Leaving, mail: Mail, act: Sending): readonly string[] {
  const { judged } = leaving.trial.site
  const to = receiversOf(leaving, mail, act)
  const got = to === null ? [] : mailsIn(leaving, mail).map(one => one.person ?? one.address)
  if (to !== null) {
    judged.add(act.cell)
    judged.in(mail.cell, 'To')
  }
  const missing = (to ?? []).filter(person => !got.includes(person))
  const more = got.filter(person => to?.includes(person ?? '') === false)
  return [
    ...missing.map(person => `the mail ${mail.key} does not go to ${nameOf(leaving, person)}`),
    ...more.map(person => `the mail ${mail.key} goes to ${nameOf(leaving, person)}, too`),
    ...(new Set(got).size < got.length ? [`the mail ${mail.key} goes to somebody more than once`] : []),
  ]
}

function wrongWords(leaving: Leaving, mail: Mail): readonly string[] {
  const { site } = leaving.trial
  const [sent] = mailsIn(leaving, mail)
  if (sent === undefined) return []
  const language = sent.person === null ? null : site.observatory.spokenBy(sent.person)
  const app = language === null ? site.app : appFor(site.app, language)
  const says = { ...leaving.says, app }
  const { subject, body } = app.mails.get(mail.key)!
  site.judged.in(mail.cell, 'Subject', 'Body')
  const isSaid = (words: Mail['subject'] | null, text: string | null) =>
    words === null || isUnspecified(words) || saysIt(words, text ?? '', says, true)
  return [
    ...(isSaid(subject, sent.subject) ? [] : [`the subject of the mail ${mail.key} is '${sent.subject}'`]),
    ...(isSaid(body, sent.text) ? [] : [`the mail ${mail.key} says '${sent.text}'`]),
  ]
}

/** How often it is made, where it goes, and what it sends. */
function wrongCall({ trial, branch, left, says, isAlone }: Leaving, call: Call, { url }: Request): readonly string[] {
  const { key, cell, send } = call
  const { judged } = trial.site
  const made = left.filter(({ kind, name }) => kind === 'call' && name === key)
  judged.in(cell, 'Trigger')
  judged.add(...branch.acts.flatMap(act => (act.kind === 'call' && act.call === key ? [act.cell] : [])))
  const isAsOften = made.length === 1 || (made.length > 1 && !isAlone)
  const often = isAsOften ? [] : [`the call ${key} is made ${made.length} times`]
  const [one] = made
  if (one === undefined) return often
  const address = (one.url ?? [])
    .map(part => (typeof part === 'string' ? part : 'setting' in part ? `{settings.${part.setting}}` : part.value))
    .join('')
  judged.in(cell, 'Request')
  const way = leadsTo(url, address, says) ? [] : [`the call ${key} goes to ${address}`]
  const values = send.flatMap(({ name, cell: sentCell, from }): readonly string[] => {
    if (isUnspecified(from)) return []
    judged.add(sentCell)
    if (!('parts' in from)) judged.in(sentCell, 'From')
    if (!(name in (one.body ?? {}))) return [`the call ${key} does not send ${name}`]
    const wanted = 'parts' in from ? NOT_LOADED : worth(from, says)
    const sends = one.body?.[name]
    return typeof wanted !== 'string' || plainly(sends) === plainly(wanted)
      ? []
      : [`the call ${key} sends ${name} ${said(sends)}, and not ${wanted}`]
  })
  return [...often, ...way, ...values]
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
function receiversOf(leaving: Leaving, { to, language }: Mail, act: Sending): readonly string[] | null {
  if (language !== null || (act.to === null && isUnspecified(to))) return null
  const recipients = act.to !== null ? [{ kind: 'person' as const, expression: act.to }] : isUnspecified(to) ? [] : to
  const found = recipients.map(recipient => receivedBy(leaving, recipient))
  if (found.includes(null)) return null
  const { world } = leaving
  const isReached = (id: string) => world.record('person', id)?.email !== null
  return [...new Set(found.flatMap(some => some ?? []))].filter(isReached)
}

type Reached = Omit<Extract<Recipient, { kind: 'person' }>, 'cell'> | Recipient

function receivedBy({ trial, world, after, says }: Leaving, recipient: Reached): readonly string[] | null {
  const { app, players } = trial.site
  if (recipient.kind === 'address' || recipient.kind === 'person') {
    const found = worth(recipient.expression, says)
    return found === NOT_LOADED ? null : [found].flat().filter(one => typeof one === 'string')
  }
  if (recipient.kind === 'awaited') {
    const asked = players.map(player => {
      const known = { world: world.as(player), entity: trial.entity.key, record: after }
      return { id: player.id, is: oracle.waitsForThem(known, recipient.approval) }
    })
    return asked.some(({ is }) => is === null) ? null : asked.flatMap(({ id, is }) => (is === true ? [id] : []))
  }
  const who = recipient.role === null ? undefined : app.roles.get(recipient.role)?.who
  if (recipient.where !== null || who === undefined || isUnspecified(who) || who.kind !== 'appointed') return null
  return players.flatMap(({ id, roles }) => (roles.includes(recipient.role!) ? [id] : []))
}

const nameOf = ({ world }: Taken, id: string | null): string =>
  String(world.record('person', id ?? '')?.name ?? id ?? 'somebody')

/** A number in whichever way it is written. */
export const plainly = (value: unknown): string =>
  /^-?\d+(?:\.\d+)?$/.test(String(value)) ? String(Number(value)) : String(value)
