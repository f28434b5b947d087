/** What happened to a record, in sentences: who did what, when, and what was different afterwards. */
import { wordFor } from '../../headings/translate.ts'
import { heldFile } from '../../kinds/fields/file/held.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import type { HistoryEntry, OneData } from '../../kinds/screens/read-data.ts'
import type { HistoryEntryView } from '../../kinds/screens/record-view.ts'
import type { Hidden, ValueView } from '../../kinds/screens/view-model.ts'
import { archiving, bringingBack } from '../../run/access/archived.ts'
import { plainMessage } from '../../run/problems/raise.ts'
import { wordsIn } from '../../run/problems/words.ts'
import { takingBack } from '../../run/read/history.ts'
import { commentFileAddress } from '../routes/files.ts'
import { say } from '../sentences.ts'
import { branchesOf, fieldInfo } from '../site.ts'
import type { Building } from './common.ts'
import { valueView } from './values.ts'

/** What every form about the comments of a record sends. */
export const talkInputs = ({ tokens, context }: Building, entity: string, record: string): readonly Hidden[] => [
  ...tokens,
  { name: 'entity', value: entity },
  { name: 'record', value: record },
  { name: '_next', value: `${context.path}${context.query.size === 0 ? '' : `?${context.query}`}` },
]

/** Who it was that brought a record into the state in which it is, how and when; null: nobody has, or it is not told. */
export const stateSentence = (build: Building, entity: string, history: OneData['history'], record: string) =>
  sentenceAbout(
    build,
    entity,
    record,
    history.find(({ changes }) => changes.some(({ field }) => field === 'state')),
  )

/** Who did something with the record last, what and when; null: nobody, or it is not told. */
export const lastSentence = (build: Building, entity: string, history: OneData['history'], record: string) =>
  sentenceAbout(
    build,
    entity,
    record,
    history.find(({ what }) => !['comment', 'mail', 'call', 'report', 'refused', 'share'].includes(what)),
  )

function sentenceAbout(build: Building, entity: string, record: string, entry: HistoryEntry | undefined) {
  if (entry === undefined) return null
  const { who, what, when } = historyEntryView(build, entity, entry, record)
  return say(build.site, 'meanwhile', { who, what, when })
}

export function historyEntryView(
  build: Building,
  entity: string,
  entry: HistoryEntry,
  record: string,
): HistoryEntryView {
  const { site, context } = build
  const { at, actedBy, key, confirmed, changes, delivery, comment } = entry
  const who = entry.who === null && entry.byLink ? say(site, 'byLink') : personSaid(site, entry.who)
  const what = sentenceOf(site, entity, entry)
  const said =
    confirmed.length === 0 || entry.what === 'refused'
      ? what
      : say(site, 'hasConfirmed', { what, codes: confirmed.join(', ') })
  return {
    who: actedBy === null ? who : say(site, 'actedAs', { by: actedBy || say(site, 'somebody'), who }),
    what: key === null ? said : say(site, 'byKey', { what: said, key }),
    kind: entry.what,
    at,
    when: site.reader.format.relative(at, context.request.now),
    changes: changes.map(({ field, rows = [], before, after }) => ({
      label: changeLabel(site, entity, field, rows),
      before: changedValue(site, entity, field, before),
      after: changedValue(site, entity, field, after),
    })),
    delivery:
      delivery === null
        ? null
        : {
            family: delivery.state === 'done' ? 'good' : delivery.state === 'failed' ? 'bad' : 'wait',
            text: deliveryText(site, delivery),
          },
    reason: entry.decision?.reason ?? entry.emergency?.reason ?? reportedWords(site, entity, entry),
    comment: comment && threadView(build, talkInputs(build, entity, record), comment),
  }
}

function threadView(
  build: Building,
  inputs: readonly Hidden[],
  { replies, ...comment }: NonNullable<HistoryEntry['comment']>,
): HistoryEntryView['comment'] {
  const { site, context } = build
  return {
    ...commentView(build, inputs, comment),
    reply: [...inputs, { name: 'reply_to', value: comment.id }],
    replies: replies.map(reply => ({
      who: personSaid(site, reply.who),
      what: say(site, reply.text === null ? 'hasTakenBack' : 'hasReplied'),
      at: reply.at,
      when: site.reader.format.relative(reply.at, context.request.now),
      ...commentView(build, inputs, reply),
    })),
  }
}

const commentView = (
  { site, context }: Building,
  inputs: readonly Hidden[],
  { id, text, changedAt, own, files }: Omit<NonNullable<HistoryEntry['comment']>, 'replies'>,
) => ({
  id,
  text,
  note:
    changedAt === null || text === null
      ? null
      : say(site, 'commentChanged', { when: site.reader.format.relative(changedAt, context.request.now) }),
  own: own && text !== null ? [...inputs, { name: 'comment', value: id }] : null,
  files: files.flatMap((wire, place) => {
    const file = heldFile(wire)
    const href = commentFileAddress(id, place + 1)
    return file === null ? [] : [{ name: file.name, size: site.reader.format.bytes(file.size), href }]
  }),
})

/** Null: nobody that is a person. */
const personSaid = (site: Building['site'], who: string | null): string =>
  who === '' ? say(site, 'somebody') : (who ?? site.app.name)

function deliveryText(site: Building['site'], { state, attempts }: NonNullable<HistoryEntry['delivery']>): string {
  if (state === 'settled' || state === 'unaddressed') return say(site, state)
  if (state === 'withdrawn') return say(site, 'callWithdrawn')
  if (state === 'failed') return say(site, 'failed', { count: attempts })
  if (state === 'done') return attempts > 1 ? say(site, 'deliveredAfter', { count: attempts }) : say(site, 'delivered')
  return attempts > 0 ? say(site, 'waitingAfter', { count: attempts }) : say(site, 'waiting')
}

const mailSentences = {
  done: 'hasMailed',
  waiting: 'isMailing',
  settled: 'hasNotMailed',
  failed: 'hasNotMailed',
  unaddressed: 'hasNotMailed',
  withdrawn: 'hasNotMailed',
} as const
const callSentences = {
  done: 'hasCalled',
  waiting: 'isCalling',
  settled: 'hasNotCalled',
  failed: 'hasNotCalled',
  unaddressed: 'hasNotCalled',
  withdrawn: 'wasToCall',
} as const

const changeSentences: ReadonlyMap<string | null, 'hasArchived' | 'hasRestored' | 'hasUndone'> = new Map([
  [archiving, 'hasArchived'],
  [bringingBack, 'hasRestored'],
  [takingBack, 'hasUndone'],
])

const deputySentences: Readonly<Record<string, 'hasNamedDeputy' | 'hasTakenDeputyBack'>> = {
  deputy: 'hasNamedDeputy',
  'deputy taken back': 'hasTakenDeputyBack',
}

interface Told {
  readonly site: Building['site']
  readonly entity: string
  readonly entry: HistoryEntry
  /** Of the entry, or no letter. */
  readonly name: string
}

const sentences: Readonly<Record<HistoryEntry['what'], (told: Told) => string>> = {
  create: ({ site, entry }) => say(site, entry.name === null ? 'hasCreated' : 'hasSampled'),
  change: ({ site, entry }) => say(site, changeSentences.get(entry.name) ?? 'hasChanged'),
  delete: ({ site }) => say(site, 'hasDeleted'),
  step: told => say(told.site, 'hasStepped', { step: stepNamed(told) }),
  decision: decisionSentence,
  erase: ({ site, name }) => say(site, name === 'keep' ? 'hasErasedInTime' : 'hasErased'),
  'give out': ({ site }) => say(site, 'hasGivenOut'),
  appointment: ({ site, entry }) => say(site, 'hasAppointed', { role: roleText(site, entry.name) }),
  share: shareSentence,
  'sign-in': ({ site, name }) => say(site, deputySentences[name] ?? 'hasChangedSignIn'),
  refused: ({ site, entity, entry, name }) =>
    say(site, 'hasTried', { what: triedOf(site, entity, name), codes: entry.confirmed.join(', ') }),
  emergency: ({ site, entry }) =>
    say(site, 'hasOpened', {
      count: entry.emergency?.reads ?? 0,
      until: site.reader.format.moment(entry.emergency?.until ?? entry.at),
    }),
  timer: ({ site, entity, name }) => {
    const timer = [...site.app.timers, ...site.app.sweeps].find(one => one.entity === entity && one.key === name)
    return say(site, 'hasTimer', { name: timer?.name ?? name })
  },
  comment: ({ site, entry }) => say(site, entry.comment?.text == null ? 'hasTakenBack' : 'hasCommented'),
  mail: ({ site, entry, name }) => say(site, mailSentences[entry.delivery?.state ?? 'waiting'], { name }),
  report: ({ site, name }) => say(site, 'hasReported', { code: name }),
  call: ({ site, entry, name }) =>
    say(site, callSentences[entry.delivery?.state ?? 'waiting'], { name: site.app.calls.get(name)?.name ?? name }),
}

/** Of an error that a step or a timer reported, what is the same for every record: values may be closed to whoever reads this. */
const reportedWords = ({ app }: Building['site'], entity: string, { what, name }: HistoryEntry): string | null =>
  what === 'report' ? plainMessage(app, name ?? '', entity) : null

const sentenceOf = (site: Building['site'], entity: string, entry: HistoryEntry): string =>
  sentences[entry.what]({ site, entity, entry, name: entry.name ?? '' })

const stepNamed = ({ site, entity, name }: Told): string => branchesOf(site.app, entity, name)[0]?.name ?? name

function decisionSentence(told: Told): string {
  const { site, entry } = told
  const step = stepNamed(told)
  const represents = entry.decision?.represents ?? null
  return represents === null
    ? say(site, 'hasDecided', { step })
    : say(site, 'hasDecidedFor', { step, represents: represents || say(site, 'somebody') })
}

function shareSentence({ site, entry, name }: Told): string {
  const { until = null, isEnd = false } = entry.share ?? {}
  const words = { with: entry.share?.with ?? say(site, 'somebody'), role: wordFor(site.app, name) }
  if (isEnd) return say(site, 'hasUnshared', words)
  return until === null
    ? say(site, 'hasShared', words)
    : say(site, 'hasSharedUntil', { ...words, until: site.reader.format.date(until) })
}

/** A step, or what is done with any record. */
function triedOf(site: Building['site'], entity: string, name: string): string {
  const [branch] = branchesOf(site.app, entity, name)
  if (branch !== undefined) return branch.name
  return say(site, name === 'delete' ? 'verb.delete' : 'verb.change')
}

function roleText({ app }: Building['site'], key: string | null): string {
  const role = [...app.roles.values()].find(one => one.key === key)
  return role === undefined ? (key ?? '') : wordFor(app, role.name)
}

/** `lines.tasks.value` in these rows → "Lines › Cleaning › Tasks › Mop, value". */
function changeLabel(site: Building['site'], entity: string, field: string, rows: readonly string[]): string {
  const way = fieldWay(site, entity, field)
  const words = way.map(({ key, info }) => info?.label ?? key)
  const { type } = way.at(-1)?.info ?? {}
  const own = way.length > 1 && type?.kind !== 'list' ? words.pop()! : null
  const named = words.flatMap((word, index) => [word, rows[index] ?? '']).filter(word => word !== '')
  return own === null ? named.join(' › ') : `${named.join(' › ')}, ${own.toLocaleLowerCase(site.reader.locale)}`
}

/** The lists that lead to a field of a row, and the field: each with the entity that it is of. */
function fieldWay(site: Building['site'], entity: string, field: string) {
  let of = entity
  return field.split('.').map(key => {
    const info = fieldInfo(site.app, of, key)
    const one = { of, key, info }
    if (info?.type.kind === 'list') of = info.type.entity
    return one
  })
}

/** References and rows come as their titles already. */
function changedValue(site: Building['site'], entity: string, field: string, text: string | null): ValueView {
  const { of, info } = fieldWay(site, entity, field).at(-1)!
  if (text === null || info === null || info.type.kind === 'list') {
    const told = text?.replace(unseen, wordsIn(site.reader.locale).unseen) ?? ''
    return { text: told, look: 'text', href: null, datetime: null, state: null }
  }
  const wire = info.type.kind === 'yes/no' ? text === 'true' : text
  return valueView(site, of, info, wire, { label: text, href: null })
}
