/** The comparison of twins finds every leak that is built in on purpose. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { copyOf, type Desk, editedDesk, openDesk, startServers, twinOf } from '../desk.ts'
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

/** What somebody must not see differs; everything that they see is the same. */
const leaks = [
  ['rows are shown to everybody', 'Ben'],
  ['what nobody may is forgotten', 'Cleo'],
  ['hidden fields are shown', 'Ben'],
  ['fields are shown to everybody', 'Ben'],
  ['a field seen on some rows is shown on all', 'Cleo'],
  ['filters ask no permission', 'Ben'],
  ['filters ask no permission', 'Cleo'],
  ['sorting asks no permission', 'Ben'],
  ['search asks no permission', 'Cleo'],
  ['counts are of all rows', 'Ben'],
  ['labels name what may not be seen', 'Ben'],
  ['a print tells what may not be seen', 'Ben'],
  ['the history names what may not be seen', 'Ben'],
  ['the history has every field', 'Ben'],
  ['the history has every field of rows', 'Ben'],
  ['pickers offer everything', 'Ben'],
  ['a write tells whether a record is there', 'Ben'],
  ['archived records stand among the others', 'Ben'],
] as const

let paper: ReturnType<typeof editedDesk>
let records: Filled
const twins: Record<'Ben' | 'Cleo', Desk | null> = { Ben: null, Cleo: null }
let desk: Desk

beforeAll(async () => {
  paper = editedDesk(narrowDesk)
  desk = await openDesk(inject('databaseUrl'), paper.path)
  records = await fill(desk)
  await desk.sql.query('update public.loan set total_value = 900')
  for (const who of ['Ben', 'Cleo'] as const) {
    const pair = await twinOf(inject('databaseUrl'), desk)
    desk = pair.desk
    const { sql, people } = pair.twin
    await alterUnseen(sql, people[who])
    await alterAddresses(sql, people[who])
    if (who === 'Ben') {
      await alterLoans(sql, `borrower <> '${people.Ben.id}'`)
      await alterValues(sql)
      await alterRetired(sql)
      await alterArchived(sql)
    } else {
      await alterPurposes(sql, `borrower <> '${people.Cleo.id}'`)
      await alterLoans(sql, `borrower <> '${people.Cleo.id}' and state = 'Draft'`)
    }
    twins[who] = pair.twin
  }
  // From now on they are what each test copies.
  await Promise.all([desk, twins.Ben, twins.Cleo].map(one => one?.sql.end()))
})
afterAll(async () => {
  await desk?.drop()
  for (const twin of Object.values(twins)) await twin?.drop()
  paper.drop()
})

for (const [fault, who] of leaks)
  test(`found, as ${who}: ${fault}`, async () => {
    // Of their own: what a fault lets somebody write must not be what the next one is found by.
    const pair = await Promise.all([desk, twins[who]!].map(one => copyOf(inject('databaseUrl'), one)))
    const servers = await startServers(pair, { fault })
    try {
      const [here, there] = servers.map(server => server.as(desk.people[who]))
      const unseen = Object.entries(records.loans).filter(([name]) => name.startsWith('Otto'))
      const asked = [
        ...attempts(
          desk,
          unseen.map(([, { id }]) => id),
          [],
        ),
        ...questions(desk, records),
      ]
      const { differences } = await compare(here!, there!, mixed(asked), 1)
      expect(differences.length).toBe(1)
    } finally {
      await servers[0]?.stop()
      for (const one of pair) await one.drop()
    }
  })

/** All of them, in an order in which every kind comes soon: a leak is found by one kind, and those lie together. */
function mixed(asked: readonly Question[]): readonly Question[] {
  const apart = 37
  return asked.slice(0, apart).flatMap((_, first) => asked.filter((_, index) => index % apart === first))
}
