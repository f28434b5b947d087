/** Headings 7 to 9 as things that can be compared. */
import type { Expression } from '../../expression/expression.ts'
import { clockText } from '../../expression/zone.ts'
import { momentsOf } from '../../headings/4-states/timers.ts'
import { type Call, isLong, type Mail, type Receive } from '../../headings/7-calls/model.ts'
import { weekdays } from '../../headings/9-limits/working-time.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified, type Specified, specified } from '../../headings/specified.ts'
import { type Renames, wordsOf } from './meaning.ts'
import { aspects, list, type Part, rest } from './parts.ts'
import { changed, type Thing } from './thing.ts'

/** Calls, mails and received messages, comparable. */
export function callsAndMails(app: App, renames: Renames): readonly Thing[] {
  return [
    ...[...app.calls.values()].map(call => callThing(call, renames)),
    ...[...app.mails.values()].map(mail => mailThing(mail, renames)),
    ...[...app.receives.values()].map(receive => receiveThing(receive, renames)),
    sendAgainThing(app, renames),
    ...quiet(app, renames),
  ]
}

function callThing(call: Call, renames: Renames): Thing {
  const title = `call ${call.key}`
  const parts: readonly Part[] = [
    { name: 'name', value: call.name, words: call.name, tell: changed(`${title}, its name`) },
    { name: 'request', value: call.request, tell: changed(`${title}, its request`) },
    { name: 'trigger', value: call.trigger, tell: changed(`${title}, its trigger`) },
    {
      name: 'timeout',
      value: call.timeout.seconds,
      words: `${call.timeout.seconds} seconds`,
      tell: changed(`${title}, its time-out`),
    },
    { name: 'secret', value: call.secret?.name ?? null, tell: changed(`${title}, signed with`) },
    {
      name: 'headers',
      value: call.headers,
      words: list(call.headers.map(({ cell }) => cell.text)),
      tell: changed(`${title}, its headers`),
    },
    {
      name: 'quiet',
      value: call.quiet,
      words: null,
      tell: () => `${title} ${call.quiet ? 'waits for the end of quiet hours' : 'leaves in quiet hours, too'}`,
    },
    { name: 'order', value: call.order, tell: changed(`${title}, in order per`) },
    {
      name: 'ordered with',
      value: call.orderedWith.map(one => one.call),
      words: list(call.orderedWith.map(one => one.call)),
      tell: changed(`${title}, in order with`),
    },
    {
      name: 'send',
      value: call.send,
      words: list(call.send.map(({ name, from }) => `${name}: ${wordsOf(from)}`)),
      tell: changed(`${title} sends`),
    },
    {
      name: 'answers',
      value: call.answers,
      words: list(call.answers.map(({ cell, then }) => `${cell.text}: ${then.map(act => act.cell.text).join('; ')}`)),
      tell: changed(`${title}, its answers`),
    },
    ...rest(
      call,
      ['request', 'trigger', 'timeout', 'secret', 'headers', 'quiet', 'order', 'orderedWith', 'send', 'answers'],
      title,
    ),
  ]
  return {
    id: title,
    cell: call.cell,
    section: 7,
    comes: `${title} ${call.name} is new: ${wordsOf(call.request)}`,
    goes: `${title} ${call.name} is gone`,
    aspects: aspects(parts, call.cell, renames, call.entity),
  }
}

function mailThing(mail: Mail, renames: Renames): Thing {
  const title = `mail ${mail.key}`
  const to = isUnspecified(mail.to) ? 'not specified' : list(mail.to.map(({ cell }) => cell.text))
  const parts: readonly Part[] = [
    { name: 'to', value: { recipients: mail.to }, words: to, tell: changed(`${title}, to`) },
    { name: 'subject', value: mail.subject, tell: changed(`${title}, its subject`) },
    { name: 'body', value: mail.body, tell: changed(`${title}, its body`) },
    // What stands in the tables of languages is told there.
    {
      name: 'bodies in other languages',
      value: [...mail.translated].flatMap(([tag, { body }]) => (isLong(body) ? [[tag, body]] : [])),
      tell: changed(`${title}, its body in other languages`),
    },
    {
      name: 'urgent',
      value: mail.urgent,
      words: null,
      tell: () => `${title} ${mail.urgent ? 'leaves in quiet hours, too' : 'waits for the end of quiet hours'}`,
    },
    {
      name: 'optional',
      value: mail.optional,
      words: null,
      tell: () =>
        `${title} ${mail.optional ? 'is for its readers to choose' : 'reaches everybody whom it is for, whatever they chose'}`,
    },
    { name: 'language', value: mail.language, tell: changed(`${title}, its language`) },
    ...rest(mail, ['to', 'subject', 'body', 'translated', 'urgent', 'optional', 'language'], title),
  ]
  return {
    id: title,
    cell: mail.cell,
    section: 7,
    comes: `${title} is new, to ${to}`,
    goes: `${title} is gone`,
    ...(mail.entity === null ? { unused: `${title} is sent by nothing any more` } : {}),
    aspects: aspects(parts, mail.cell, renames, mail.entity),
  }
}

function receiveThing(receive: Receive, renames: Renames): Thing {
  const title = `receives ${receive.key}`
  const takes = list(receive.takes.map(({ name, field }) => `${name}: ${field}`))
  const does = typeof receive.does === 'string' ? receive.does : `do ${receive.does.step}`
  const proof = receive.proof === null ? 'answers of calls alone' : `${receive.proof.kind} ${receive.proof.variable}`
  const part = (name: string, words: string | null): Part => ({
    name,
    value: words,
    words,
    tell: changed(`${title}, ${name}`),
  })
  const parts = [
    part('about', receive.entity),
    part('found by', receive.foundBy),
    part('then', does),
    part('let in by', proof),
    part('takes', takes),
    part('once per', receive.once),
    part('newest by', receive.newest),
    part('at most in a minute', receive.most?.cell.text ?? null),
  ]
  return {
    id: title,
    cell: receive.cell,
    section: 7,
    comes: `${title} is new: ${does} ${receive.entity}, let in by ${proof}`,
    goes: `${title} is gone`,
    aspects: aspects(parts, receive.cell, renames, receive.entity),
  }
}

/** Who sends again what was not delivered; without the key those who appoint people. */
function sendAgainThing({ sendAgain }: App, renames: Renames): Thing {
  const title = 'what was not delivered'
  const roles = sendAgain.roles.length === 0 ? 'nobody' : list(sendAgain.roles)
  return {
    id: title,
    cell: sendAgain.cell,
    section: 7,
    comes: `${title} may be sent again by ${roles}`,
    goes: `${title} may be sent again by nobody`,
    aspects: aspects(
      [
        {
          name: 'roles',
          value: roles,
          words: roles,
          tell: (was, is) => `${title} may be sent again by ${is} (was ${was})`,
        },
      ],
      sendAgain.cell,
      renames,
      null,
    ),
  }
}

/** The hours in which mails wait; not there where they never do. */
function quiet({ quietHours }: App, renames: Renames): readonly Thing[] {
  if (quietHours === null) return []
  const { cell, from, to } = quietHours
  const words = `${clockText(from)} to ${clockText(to)}`
  const parts = [{ name: 'hours', value: words, words, tell: changed('quiet hours') }]
  return [
    {
      id: 'quiet hours',
      cell,
      section: 7,
      comes: `mails wait in quiet hours, ${words}`,
      goes: `mails no longer wait in quiet hours (were ${words})`,
      aspects: aspects(parts, cell, renames, null),
    },
  ]
}

/** The error catalogue, comparable. */
export function errors(app: App, renames: Renames): readonly Thing[] {
  return [...app.errors.values()].map(entry => {
    const parts: readonly Part[] = [
      { name: 'message', value: entry.message, tell: changed(`${entry.code} says`) },
      { name: 'what to do', value: entry.whatToDo, tell: changed(`${entry.code} advises`) },
      { name: 'status', value: entry.status, tell: changed(`${entry.code}, its status`) },
      ...rest(entry, ['code', 'message', 'whatToDo', 'status', 'templates', 'translated'], entry.code),
    ]
    return {
      id: `error ${entry.code}`,
      cell: entry.cell,
      section: 8,
      comes: `the error ${entry.code} is new: ${wordsOf(entry.message)}`,
      goes: `the error ${entry.code} is gone`,
      aspects: aspects(parts, entry.cell, renames, null),
    }
  })
}

/** Constants, comparable, with what follows from each. */
export function limits(app: App, renames: Renames): readonly Thing[] {
  return [...app.limits.values()].map(limit => {
    const title = `limits.${limit.key}`
    const unit = limit.unit === null ? '' : ` ${limit.unit.text}`
    const value = isUnspecified(limit.value) ? 'not specified' : String(limit.value.wire)
    const readers = readersOf(app, title)
    const readBy = readers.length === 0 ? '' : `, for ${readers.join(', ')}`
    // Rules ask with the next change of a record; approvals and timers by themselves.
    const underWay = readers.some(reader => /^(?:approval|timer) /.test(reader))
      ? ', also for records that are under way'
      : ''
    const later = list(limit.later.map(({ since, wire }) => `${String(wire)}${unit} from ${since}`))
    const range = limit.range === null ? null : `${limit.range.min} to ${limit.range.max}`
    const change = limit.change === 'fixed' ? 'nobody' : wordsOf(limit.change)
    const parts: readonly Part[] = [
      {
        name: 'value',
        value: specified(limit.value)?.wire ?? { unspecified: true },
        words: value,
        tell: (was, is) => `${title} ${was} → ${is}${unit}${readBy}${underWay}`,
      },
      {
        name: 'later',
        value: limit.later.map(({ since, wire }) => ({ since, wire })),
        words: later,
        tell: changed(`${title}, later`),
      },
      { name: 'unit', value: limit.unit, tell: changed(`${title}, its unit`) },
      { name: 'range', value: limit.range, words: range, tell: changed(`${title}, its range`) },
      {
        name: 'change',
        value: limit.change,
        words: change,
        tell: (was, is) => `${title} may be changed by ${is} (was ${was})`,
      },
      ...rest(limit, ['type', 'value', 'later', 'onDays', 'unit', 'range', 'change'], title),
    ]
    const all = aspects(parts, limit.cell, renames, null)
    return {
      id: title,
      cell: limit.cell,
      section: 9,
      comes: `${title} is new: ${value}${unit}${later === null ? '' : `, ${later}`}`,
      goes: `${title} is gone (was ${value}${unit})`,
      aspects: all,
    }
  })
}

/** Rules, steps, timers, effects and fields that another value of a constant changes. */
function readersOf(app: App, constant: string): readonly string[] {
  const reads = (...some: readonly (Specified<Expression> | null | undefined)[]) =>
    some.some(one => one != null && specified(one)?.reads.includes(constant) === true)
  const nameOf = (key: string) => app.entities.get(key)?.name ?? key
  const found = [
    ...app.rules.flatMap(({ name, mustHold }) => (reads(mustHold) ? [name] : [])),
    ...[...app.entities.values()].flatMap(({ name, fields }) =>
      fields.flatMap(field => {
        const { min, max, computed, onlyWhen, readOnlyWhen, required, default: given } = field
        const isRead = reads(min, max, computed, onlyWhen, readOnlyWhen, required?.when, given)
        return isRead ? [`${name}.${field.key}`] : []
      }),
    ),
    ...[...app.workflows.values()].flatMap(({ entity, transitions, approvals }) => [
      ...transitions.flatMap(({ name, when }) => (reads(when) ? [`${nameOf(entity)} ${name}`] : [])),
      ...approvals.flatMap(({ name, when }) => (reads(when) ? [`approval ${name} of ${nameOf(entity)}`] : [])),
    ]),
    ...app.timers.flatMap(({ name, entity, at, when }) =>
      reads(when, ...momentsOf(at)) ? [`timer ${name} of ${nameOf(entity)}`] : [],
    ),
    ...app.effects.flatMap(({ entity, on, when }) =>
      reads(when) ? [`on ${on.join(', ').replaceAll('_', ' ')} ${nameOf(entity)}`] : [],
    ),
  ]
  return [...new Set(found)]
}

/** One thing, there or not: how the days and hours are worded is the document's own. */
export function workingTime({ workingTime, entities }: App, renames: Renames): readonly Thing[] {
  if (workingTime === null) return []
  const { cell, days, hours, closed } = workingTime
  const named = weekdays.filter((_, index) => days[index])
  const spans = (hours ?? []).map(one => one && `${clockText(one.from)} to ${clockText(one.to)}`)
  const different = [...new Set(spans.filter(one => one !== null))]
  const byDay = spans.flatMap((one, index) => (one === null ? [] : [`${weekdays[index]} ${one}`]))
  const span = different.length > 1 ? list(byDay) : (different[0] ?? null)
  const off =
    closed === null
      ? null
      : `${entities.get(closed.entity)?.name ?? closed.entity}.${closed.field}${closed.of === null ? '' : ` of ${closed.of}`}`
  const parts: readonly Part[] = [
    { name: 'days', value: days, words: list(named), tell: changed('working days') },
    { name: 'hours', value: hours, words: span, tell: changed('working hours') },
    { name: 'closed', value: closed === null ? null : { ...closed }, words: off, tell: changed('closed days') },
  ]
  const said = `${list(named)}${span === null ? '' : `, ${span}`}`
  return [
    {
      id: 'working time',
      cell,
      section: 9,
      comes: `working time is new: ${said}`,
      goes: `working time is gone (was ${said}): Monday to Friday are working days`,
      aspects: aspects(parts, cell, renames, null),
    },
  ]
}
