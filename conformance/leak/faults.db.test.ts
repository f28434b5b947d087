/** The comparison of twins finds every leak that is built in on purpose. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { someOf } from '../../scripts/limits.ts'
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

/** A page of a loan. */
const page = /^\/loans\/LN-[\d-]+$/
const api = /^\/api\/v1\/loan(\?|\/[\w-]+$)/

/** What somebody must not see differs; everything that they see is the same. `door`: where it is looked for first. */
const leaks: readonly (readonly [fault: string, who: 'Ben' | 'Cleo', door: RegExp])[] = [
  ['rows are shown to everybody', 'Ben', api],
  ['what nobody may is forgotten', 'Cleo', api],
  ['hidden fields are shown', 'Ben', api],
  ['fields are shown to everybody', 'Ben', api],
  ['a field seen on some rows is shown on all', 'Cleo', api],
  ['versions count what is closed', 'Ben', api],
  ['versions count what is closed', 'Cleo', api],
  ['when it was changed is told of what is closed', 'Ben', api],
  ['filters ask no permission', 'Ben', /\?(total_value|register_ref|value)/],
  ['filters ask no permission', 'Cleo', /\?purpose/],
  ['sorting asks no permission', 'Ben', /\?sort=-?(total_value|register_ref|value)/],
  ['search asks no permission', 'Cleo', /\?q=/],
  ['counts are of all rows', 'Ben', /&count=yes/],
  ['labels name what may not be seen', 'Ben', page],
  ['a print tells what may not be seen', 'Ben', /\/print$/],
  ['the history names what may not be seen', 'Ben', page],
  ['the history has every field', 'Ben', page],
  ['the history has every field of rows', 'Ben', page],
  ['pickers offer everything', 'Ben', /^\/-\/options/],
  ['a write tells whether a record is there', 'Ben', api],
  ['archived records stand among the others', 'Ben', /^\/api\/v1\/item\?/],
]

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

for (const [fault, who, door] of someOf(leaks, 3))
  test(`found, as ${who}: ${fault}`, async () => {
    // Of their own: what a fault lets somebody write must not be what the next one is found by.
    const pair = await Promise.all([desk, twins[who]!].map(one => copyOf(inject('databaseUrl'), one)))
    const servers = await startServers(pair, { faults: [fault] })
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
      const { differences } = await compare(here!, there!, mixed(asked, door), { upTo: 1 })
      expect(differences.length).toBe(1)
    } finally {
      await servers[0]?.stop()
      for (const one of pair) await one.drop()
    }
  })

/** All of them: those of the door first, and then in an order in which every kind comes soon, for kinds lie together. */
function mixed(asked: readonly Question[], door: RegExp): readonly Question[] {
  const apart = 37
  const isDoor = ({ path }: Question) => door.test(path)
  const others = asked.filter(one => !isDoor(one))
  return [
    ...asked.filter(isDoor),
    ...others.slice(0, apart).flatMap((_, first) => others.filter((_, index) => index % apart === first)),
  ]
}
