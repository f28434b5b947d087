/**
 * Nothing leaks: for each role two databases that differ only in what that role must not see. Whatever is asked, the answers are the
 * same to the last byte: body, headers, tags, counts, cursors, words of refusals. No time and no random number is in the way: both
 * servers have the same standing clock and chance (server.ts).
 */
import type { Client as Database } from 'pg'
import { expect, inject, test } from 'vitest'
import { type Desk, editedDesk, loanDesk, openDesk, startServer, twinOf } from '../desk.ts'
import {
  alterAddresses,
  alterArchived,
  alterLoans,
  alterPurposes,
  alterRetired,
  alterUnseen,
  alterValues,
} from './alter.ts'
import { compare } from './compare.ts'
import { type Filled, fill } from './fill.ts'
import { narrowDesk } from './narrow.ts'
import { attempts, type Question, questions } from './questions.ts'

type Who = 'Ben' | 'Cleo' | 'Mia' | 'nobody'

interface Case {
  readonly document: 'loan desk' | 'narrow desk'
  readonly who: Who
  readonly alter: (sql: Database, people: Desk['people']) => Promise<void>
  /** Loans that this person does not see. */
  readonly unseen: (name: string) => boolean
  /** Texts that no answer may have. */
  readonly never: readonly string[]
}

const cases: readonly Case[] = [
  {
    document: 'loan desk',
    who: 'Ben',
    alter: async (sql, people) => {
      await alterAddresses(sql, people.Ben)
      await alterLoans(sql, `borrower <> '${people.Ben.id}'`)
    },
    unseen: name => !name.startsWith('Ben'),
    never: ['total_value', 'Total value', 'canary-Otto', 'canary-Cleo', 'otto@example.com'],
  },
  { document: 'loan desk', who: 'Mia', alter: async () => {}, unseen: () => false, never: [] },
  {
    document: 'loan desk',
    who: 'nobody',
    alter: async sql => {
      await alterAddresses(sql, null)
      await alterLoans(sql, 'true')
      await alterRetired(sql)
    },
    unseen: () => true,
    never: ['total_value', 'canary', 'otto@example.com', 'Leica'],
  },
  {
    document: 'narrow desk',
    who: 'Ben',
    alter: async (sql, people) => {
      await alterAddresses(sql, people.Ben)
      await alterLoans(sql, `borrower <> '${people.Ben.id}'`)
      await alterValues(sql)
      await alterRetired(sql)
      await alterArchived(sql)
    },
    unseen: name => !name.startsWith('Ben'),
    never: ['total_value', 'Total value', 'canary-Otto', 'canary-Cleo', 'otto@example.com', 'Old projector', 'Leica'],
  },
  {
    document: 'narrow desk',
    who: 'Cleo',
    alter: async (sql, people) => {
      await alterAddresses(sql, people.Cleo)
      await alterPurposes(sql, `borrower <> '${people.Cleo.id}'`)
      await alterLoans(sql, `borrower <> '${people.Cleo.id}' and state = 'Draft'`)
    },
    unseen: name => name === 'Ben draft' || name === 'Otto draft',
    never: ['canary-Otto', 'canary-Ben', 'otto@example.com'],
  },
]

/** Everywhere and for everybody. */
const hidden = ['register_ref', 'Register ref', 'R-canary', 'R-twin', 'R-after']

for (const { document, who, alter, unseen, never } of cases)
  test(`${who} gets the same of the ${document}, whatever stands in what ${who} must not see`, async () => {
    const paper = document === 'loan desk' ? { path: loanDesk, drop: () => {} } : editedDesk(narrowDesk)
    const filled = await openDesk(inject('databaseUrl'), paper.path)
    const records = await fill(filled)
    if (document === 'narrow desk') await filled.sql.query('update public.loan set total_value = 900')
    const { desk, twin } = await twinOf(inject('databaseUrl'), filled)
    const me = who === 'nobody' ? null : desk.people[who]
    await alterUnseen(twin.sql, me)
    await alter(twin.sql, twin.people)
    const servers = await Promise.all([startServer(desk), startServer(twin)])
    try {
      const [here, there] = servers.map(server => (me === null ? server.visitor : server.as(me)))
      const asked = [...questions(desk, records), ...refused(desk, records, unseen)]
      const { differences, answers, answered } = await compare(here!, there!, asked)
      expect(differences).toEqual([])
      // Of what a visitor asks, only signs of life, pages of errors and an empty description are answered.
      expect(answered).toBeGreaterThan(me === null ? 4 : 300)
      // What somebody asked for may stand in the answer: that it was not understood.
      const isPlain = ({ path, method }: Question) =>
        method === undefined && !/value|register_ref|@|%40|canary|R-/.test(path)
      const shown = answers.filter(({ question }) => isPlain(question))
      for (const text of [...hidden, ...never])
        expect([text, shown.find(({ response }) => response.text.includes(text))?.question.path]).toEqual([
          text,
          undefined,
        ])
      for (const server of servers) expect(server.complaints()).toBe('')
    } finally {
      await Promise.all(servers.map(server => server.stop()))
      await desk.drop()
      await twin.drop()
      paper.drop()
    }
  })

function refused(desk: Desk, { loans }: Filled, unseen: Case['unseen']) {
  const ids = Object.entries(loans).flatMap(([name, { id }]) => (unseen(name) ? [id] : []))
  return attempts(desk, [...ids.slice(0, 6), desk.people.Otto.id], [desk.people.Ben.id])
}
