/**
 * Nothing leaks: for each role two databases that differ only in what that role must not see. Whatever is asked, the answers are the
 * same to the last byte: body, headers, tags, counts, cursors, words of refusals. No time and no random number is in the way: both
 * servers have the same standing clock and chance (server.ts).
 */
import type { Client as Database } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { copyOf, type Desk, editedDesk, loanDesk, openDesk, type Server, startServers } from '../desk.ts'
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
  readonly who: Who
  readonly alter: (sql: Database, people: Desk['people']) => Promise<void>
  /** Loans that this person does not see. */
  readonly unseen: (name: string) => boolean
  /** Texts that no answer may have. */
  readonly never: readonly string[]
}

const cases: Readonly<Record<'loan desk' | 'narrow desk', readonly Case[]>> = {
  'loan desk': [
    {
      who: 'Ben',
      alter: async (sql, people) => {
        await alterAddresses(sql, people.Ben)
        await alterLoans(sql, `borrower <> '${people.Ben.id}'`)
      },
      unseen: name => !name.startsWith('Ben'),
      never: ['total_value', 'Total value', 'canary-Otto', 'canary-Cleo', 'otto@example.com'],
    },
    { who: 'Mia', alter: async () => {}, unseen: () => false, never: [] },
    {
      who: 'nobody',
      alter: async sql => {
        await alterAddresses(sql, null)
        await alterLoans(sql, 'true')
        await alterRetired(sql)
      },
      unseen: () => true,
      never: ['total_value', 'canary', 'otto@example.com', 'Leica'],
    },
  ],
  'narrow desk': [
    {
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
      who: 'Cleo',
      alter: async (sql, people) => {
        await alterAddresses(sql, people.Cleo)
        await alterPurposes(sql, `borrower <> '${people.Cleo.id}'`)
        await alterLoans(sql, `borrower <> '${people.Cleo.id}' and state = 'Draft'`)
      },
      unseen: name => name === 'Ben draft' || name === 'Otto draft',
      never: ['canary-Otto', 'canary-Ben', 'otto@example.com'],
    },
  ],
}

/** Everywhere and for everybody. */
const hidden = ['register_ref', 'Register ref', 'R-canary', 'R-twin', 'R-after']

for (const [document, own] of Object.entries(cases))
  describe(`whatever stands in what one must not see, one gets the same of the ${document}`, () => {
    const open: (() => Promise<void> | void)[] = []
    const ready = new Map<Who, { readonly pair: readonly Desk[]; readonly servers: readonly Server[] }>()
    let records: Filled

    // Filled once; each person's two are copies, and one process serves them all.
    beforeAll(async () => {
      const paper = document === 'loan desk' ? { path: loanDesk, drop: () => {} } : editedDesk(narrowDesk)
      const filled = await openDesk(inject('databaseUrl'), paper.path)
      open.push(paper.drop, filled.drop)
      records = await fill(filled)
      if (document === 'narrow desk') await filled.sql.query('update public.loan set total_value = 900')
      await filled.sql.end()
      const pairs: Desk[][] = []
      for (const { who, alter } of own) {
        const pair: Desk[] = []
        for (const _ of ['desk', 'twin']) pair.push(await copyOf(inject('databaseUrl'), filled))
        pairs.push(pair)
        open.push(...pair.map(({ drop }) => drop))
        const { sql, people } = pair[1]!
        await alterUnseen(sql, who === 'nobody' ? null : people[who], who === 'Mia')
        await alter(sql, people)
      }
      const servers = await startServers(pairs.flat())
      for (const server of servers) open.push(server.stop)
      for (const [at, { who }] of own.entries())
        ready.set(who, { pair: pairs[at]!, servers: servers.slice(2 * at, 2 * at + 2) })
    })
    afterAll(async () => {
      for (const close of open.reverse()) await close()
    })

    test.each(own)('$who', async ({ who, unseen, never }) => {
      const { pair, servers } = ready.get(who)!
      const desk = pair[0]!
      const me = who === 'nobody' ? null : desk.people[who]
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
    })
  })

function refused(desk: Desk, { loans }: Filled, unseen: Case['unseen']) {
  const ids = Object.entries(loans).flatMap(([name, { id }]) => (unseen(name) ? [id] : []))
  return attempts(desk, [...ids.slice(0, 6), desk.people.Otto.id], [desk.people.Ben.id])
}
