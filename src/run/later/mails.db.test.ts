/** Mails: to whom they go, one to each. */
import type { AddressInfo } from 'node:net'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { appFor } from '../../headings/translate.ts'
import { done, input, itemWith, loanDesk, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { takeStep } from '../write/writes.ts'
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
        '| Mail | To | Subject | Body | Language |\n| --- | --- | --- | --- | --- |',
      )
      .replace('| declined | borrower |', '| declined | borrower, guest, Person where email = this.purpose |')
      .replace(/\| Your request \{number\} was declined (\|.*\|)$/m, '| {due_back}: {state} $1 spoken |')
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
  const values = input({ due_back: '2026-03-09', guest, purpose, spoken }, { lines: [{ item: camera }] })
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
