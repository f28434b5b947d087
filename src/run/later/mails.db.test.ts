/** Mails: to whom they go, one to each. */
import type { AddressInfo } from 'node:net'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { appFor } from '../../headings/translate.ts'
import { done, input, itemWith, loanDesk, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { takeStep } from '../write/writes.ts'
import { pauses } from './breaker.ts'
import { workContext } from './testing.ts'
import { type WorkContext, work } from './work.ts'

/** What the desk says in German: one of its mails, and the states. */
const inGerman = `### German

| Text | Translation |
| --- | --- |
| {due_back}: {state} | Zum {due_back}: {state} |
| Declined | abgelehnt |

`

let run: TestRun
let camera: string

beforeAll(async () => {
  const withGuest = (text: string) =>
    text
      .replace('- **Languages:** English', '- **Languages:** English, German')
      .replace('## 2 Screens', `${inGerman}## 2 Screens`)
      .replace(
        '| purpose | long text 500 | | |',
        '| purpose | long text 500 | | |\n| guest | e-mail | | |\n| spoken | text 20 | | |',
      )
      .replace(
        '| Mail | To | Subject | Body |\n| --- | --- | --- | --- |',
        '| Mail | To | Subject | Body | Language | Optional |\n| --- | --- | --- | --- | --- | --- |',
      )
      .replace('| declined | borrower |', '| declined | borrower, guest, Person where email = this.purpose |')
      .replace(/\| Your request \{number\} was declined (\|.*\|)$/m, '| {due_back}: {state} $1 spoken | yes |')
      .replace('| new_request | everyone in Clerk |', '| new_request | Clerk where id is not this.borrower |')
  run = await startTestRun(inject('databaseUrl'), readSound(loanDesk, withGuest))
  camera = await itemWith(run, 'CA-0001')
})
afterAll(() => run?.drop())

const round = (more: Partial<WorkContext>) => work(run.runtime, workContext(run, more))
const asked = async (
  guest: string | null,
  who = 'Ben',
  purpose: string | null = null,
  spoken: string | null = null,
) => {
  const due = new Date(run.now.getTime() + 7 * 86_400_000).toISOString().slice(0, 10)
  const values = input({ due_back: due, guest, purpose, spoken }, { lines: [{ item: camera }] })
  const id = await made(run, who, 'loan', values)
  done(await takeStep(run.runtime, await run.as(who), 'loan', id, 'submit', null))
  return id
}
const sentTo = async (id: string, name: string) => {
  const sent = await run.runtime.store.query<{ address: string }>(
    sql`select payload -> 'to' ->> 'address' as address from ninefold.outbox
      where record = ${id}::uuid and name = ${name} order by 1`,
  )
  return sent.map(({ address }) => address)
}

/** How Ben is told that a request was declined. */
const choose = (way: string, zone: string | null = null) =>
  run.runtime.store.query(sql`insert into ninefold.preference (person, told, time_zone, changed_at)
    values (${run.people.Ben}::uuid, jsonb_build_object('mail declined', ${way}::text), ${zone}, ${run.now})
    on conflict (person) do update set told = excluded.told, time_zone = excluded.time_zone`)

test('mails go over SMTP, one to each', async () => {
  const mails: { to: string; subject: string; text: string }[] = []
  const sink = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      void simpleParser(stream).then(mail => {
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address).join(),
          subject: mail.subject ?? '',
          text: mail.text?.trim() ?? '',
        })
        callback()
      })
    },
  })
  await new Promise<void>(listening => sink.listen(0, '127.0.0.1', listening))
  const smtp = `smtp://127.0.0.1:${(sink.server.address() as AddressInfo).port}`
  try {
    const id = await asked(null)
    await round({ smtp, linkTo: (entity, record) => `https://desk.example.com/${entity}/${record}` })
    const text = `https://desk.example.com/loan/${id}`
    expect(mails.toSorted((a, b) => a.to.localeCompare(b.to))).toEqual([
      { to: 'cleo@example.com', subject: 'Ben asks for 1 item', text },
      { to: 'dan@example.com', subject: 'Ben asks for 1 item', text },
    ])
    await round({ smtp })
    expect(mails).toHaveLength(2)
  } finally {
    await new Promise<void>(closed => sink.close(() => closed()))
  }
})

test('a mail goes to the address in a field, once where an account has the same one', async () => {
  const recipients = async (guest: string | null) => {
    const id = await asked(guest)
    done(await takeStep(run.runtime, await run.as('Dan'), 'loan', id, 'decline', null))
    return sentTo(id, 'declined')
  }
  expect(await recipients('guest@elsewhere.example')).toEqual(['ben@example.com', 'guest@elsewhere.example'])
  expect(await recipients('ben@example.com')).toEqual(['ben@example.com'])
  expect(await recipients(null)).toEqual(['ben@example.com'])
})

test('of the people with a role those get a mail for whom its condition holds of the record', async () => {
  expect(await sentTo(await asked(null, 'Dan'), 'new_request')).toEqual(['cleo@example.com'])
  const id = await asked(null, 'Ben', 'rosa@example.com')
  expect(await sentTo(id, 'new_request')).toEqual(['cleo@example.com', 'dan@example.com'])
  done(await takeStep(run.runtime, await run.as('Dan'), 'loan', id, 'decline', null))
  // An address that nobody has, then one that somebody has, whatever their roles.
  expect(await sentTo(id, 'declined')).toEqual(['ben@example.com'])
  const next = await asked(null, 'Ben', 'cleo@example.com')
  done(await takeStep(run.runtime, await run.as('Dan'), 'loan', next, 'decline', null))
  expect(await sentTo(next, 'declined')).toEqual(['ben@example.com', 'cleo@example.com'])
})

test('each person gets the mail in the language that they chose, who has no account in that which the mail names, and nobody that of whoever causes it', async () => {
  const { store } = run.runtime
  const choose = (who: string, language: string) =>
    store.inTransaction(tx =>
      tx.write(sql`insert into ninefold.preference (person, language, changed_at)
        select id, ${language}, now() from public.person where name = ${who}`),
    )
  await choose('Ben', 'de')
  await choose('Cleo', 'fr')
  const id = await asked('guest@elsewhere.example', 'Ben', 'cleo@example.com')
  const heardInGerman = { ...run.runtime, app: appFor(run.runtime.app, 'de-AT') }
  done(await takeStep(heardInGerman, await run.as('Dan'), 'loan', id, 'decline', null))
  const sent = await store.query<{ address: string; subject: string }>(
    sql`select payload -> 'to' ->> 'address' as address, payload ->> 'subject' as subject from ninefold.outbox
      where record = ${id}::uuid and name = 'declined' order by 1`,
  )
  expect(sent.map(({ address, subject }) => `${address} ${subject}`)).toEqual([
    'ben@example.com Zum 09.03.2026: abgelehnt',
    'cleo@example.com 9 Mar 2026: Declined',
    'guest@elsewhere.example 9 Mar 2026: Declined',
  ])
  for (const [spoken, subject] of [
    ['Deutsch', 'Zum 09.03.2026: abgelehnt'],
    ['de', 'Zum 09.03.2026: abgelehnt'],
    ['Klingon', '9 Mar 2026: Declined'],
  ]) {
    const other = await asked('guest@elsewhere.example', 'Ben', 'cleo@example.com', spoken)
    done(await takeStep(run.runtime, await run.as('Dan'), 'loan', other, 'decline', null))
    const [{ subject: told } = { subject: '' }] = await store.query<{ subject: string }>(
      sql`select payload ->> 'subject' as subject from ninefold.outbox
        where record = ${other}::uuid and name = 'declined' and payload -> 'to' ->> 'address' = 'guest@elsewhere.example'`,
    )
    expect(told).toBe(subject)
  }
})

test('an optional mail comes to each reader as they chose: at once, in the morning of their zone, or not; who has no account gets it', async () => {
  const leaving = async () => {
    const id = await asked('guest@example.org')
    done(await takeStep(run.runtime, await run.as('Cleo'), 'loan', id, 'decline', null))
    const due = await run.runtime.store.query<{ address: string; due_at: string }>(
      sql`select payload -> 'to' ->> 'address' as address, due_at from ninefold.outbox
        where record = ${id}::uuid and name = 'declined' order by 1`,
    )
    return due.map(({ address, due_at }) => [address, due_at])
  }
  const now = run.now.toISOString()
  const guest = ['guest@example.org', now]
  await choose('daily', 'America/New_York')
  const [ben, ...others] = await leaving()
  expect(others).toEqual([guest])
  expect([new Date(ben![1]!).getUTCMinutes(), ben![1]! > now]).toEqual([0, true])
  expect(new Date(ben![1]!).toLocaleTimeString('en-GB', { timeZone: 'America/New_York' })).toBe('07:00:00')
  await choose('none')
  expect(await leaving()).toEqual([guest])
  await choose('now')
  expect(await leaving()).toEqual([[ben![0], now], guest])
})

test('a mail that its reader wants in the morning leaves then, and not when the mail server is back', async () => {
  run.now = new Date('2026-03-24T09:00:00.000Z')
  const { query } = run.runtime.store
  for (const table of ['outbox', 'timer', 'breaker'])
    await run.runtime.store.inSession(session => session.execute(`delete from ninefold.${table}`))
  const later = (minutes: number) => {
    run.now = new Date(run.now.getTime() + minutes * 60_000)
  }
  await choose('daily')
  const id = await asked(null)
  done(await takeStep(run.runtime, await run.as('Cleo'), 'loan', id, 'decline', null))
  const mails = () =>
    query<{ name: string; state: string; attempts: string; due_at: string }>(
      sql`select name, state, attempts, due_at from ninefold.outbox where record = ${id}::uuid order by turn`,
    )
  const before = await mails()
  expect(before.map(({ name }) => name)).toEqual(['new_request', 'new_request', 'declined'])
  const got: string[] = []
  const sink = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _, callback) {
      void simpleParser(stream).then(({ subject = '' }) => {
        got.push(subject)
        callback()
      })
    },
  })
  try {
    for (let nth = 0; nth < 3; nth++) {
      await round({ smtp: 'smtp://127.0.0.1:9' })
      later(30)
    }
    expect(await pauses(run.runtime.store, run.now)).toMatchObject([{ call: 'SMTP', waiting: '2' }])
    await new Promise<void>(listening => sink.listen(0, '127.0.0.1', listening))
    const smtp = `smtp://127.0.0.1:${(sink.server.address() as AddressInfo).port}`
    await round({ smtp })
    await round({ smtp })
    expect(await pauses(run.runtime.store, run.now)).toEqual([])
    expect(got).toEqual(['Ben asks for 1 item', 'Ben asks for 1 item'])
    expect((await mails())[2]).toEqual(before[2])
    run.now = new Date(before[2]!.due_at)
    await round({ smtp })
    expect(got).toHaveLength(3)
  } finally {
    await new Promise<void>(closed => sink.close(() => closed()))
    await choose('now')
  }
})

test('a mail server that is away for two days, over a change of the clocks, is left alone, and gets all mails once and in order', async () => {
  // Saturday to Monday; summer time begins on Sunday.
  run.now = new Date('2026-03-28T09:00:00.000Z')
  for (const table of ['outbox', 'timer'])
    await run.runtime.store.inSession(session => session.execute(`delete from ninefold.${table}`))
  const got: string[] = []
  const server = (refuses: boolean) =>
    new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _, callback) =>
        callback(
          refuses && address === 'away@elsewhere.example'
            ? Object.assign(new Error('later'), { responseCode: 450 })
            : null,
        ),
      onData(stream, _, callback) {
        void simpleParser(stream).then(({ messageId }) => {
          got.push(messageId!)
          callback()
        })
      },
    })
  const first = server(true)
  await new Promise<void>(listening => first.listen(0, '127.0.0.1', listening))
  const { port } = first.server.address() as AddressInfo
  const smtp = `smtp://127.0.0.1:${port}`
  const rows = () =>
    run.runtime.store.query<{ state: string; attempts: string; repeat_key: string }>(
      sql`select state, attempts, repeat_key from ninefold.outbox where kind = 'mail' and payload -> 'to' ->> 'address' <> 'away@elsewhere.example' order by id`,
    )
  const later = (minutes: number) => {
    run.now = new Date(run.now.getTime() + minutes * 60_000)
  }
  const away = async () => {
    const id = await asked('away@elsewhere.example')
    done(await takeStep(run.runtime, await run.as('Dan'), 'loan', id, 'decline', null))
  }
  try {
    // It is there, and asks some to wait: that is no reason to pause.
    for (let nth = 0; nth < 6; nth++) await away()
    await round({ smtp })
    expect(await pauses(run.runtime.store, run.now)).toEqual([])
    await new Promise<void>(closed => first.close(() => closed()))
    for (let hour = 0; hour < 48; hour++) {
      if (hour % 6 === 0) await asked(null)
      // Two processes, whose clocks are some seconds apart.
      await Promise.all([
        round({ smtp }),
        round({ smtp, worker: 'worker-2', now: () => new Date(run.now.getTime() + 4000) }),
      ])
      later(60)
    }
    expect(await pauses(run.runtime.store, run.now)).toMatchObject([{ call: 'SMTP' }])
    const waiting = (await rows()).filter(({ state }) => state !== 'delivered')
    expect(waiting.length).toBeGreaterThanOrEqual(16)
    // Those that came once it was known to be away used up nothing.
    expect(waiting.slice(4).filter(({ state, attempts }) => state !== 'waiting' || Number(attempts) > 1)).toEqual([])

    const back = server(false)
    await new Promise<void>(listening => back.listen(port, '127.0.0.1', listening))
    got.length = 0
    later(6)
    for (let nth = 0; nth < 40 && (await rows()).some(({ state }) => state === 'waiting'); nth++) {
      await work(run.runtime, workContext(run, { smtp, limit: 1 }))
      later(0.1)
    }
    await new Promise<void>(closed => back.close(() => closed()))
    expect((await rows()).every(({ state }) => state === 'delivered')).toBe(true)
    const sent = got.filter(id => waiting.some(({ repeat_key: key }) => id === `<${key}@ninefold>`))
    const [probe, ...rest] = sent
    const inOrder = waiting.map(({ repeat_key: key }) => `<${key}@ninefold>`).filter(id => id !== probe)
    expect(rest).toEqual(inOrder)
    expect(await pauses(run.runtime.store, run.now)).toEqual([])
  } finally {
    if (first.server.listening) await new Promise<void>(closed => first.close(() => closed()))
  }
})
