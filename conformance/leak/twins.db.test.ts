/** Nothing leaks of any example, nor of documents that are generated: each person's answers, and the statements they take, are the same of a twin in which all that they may not see is another one. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as pathOf } from 'node:path'
import { v7 as newId } from 'uuid'
import { expect, inject, test } from 'vitest'
import { whole } from '../../scripts/limits.ts'
import { identifier, join, sql } from '../../src/expression/sql.ts'
import { demoPeople } from '../../src/headings/demo-people.ts'
import { specified } from '../../src/headings/specified.ts'
import { seed } from '../../src/run/many/seed.ts'
import { tableSql } from '../../src/run/names.ts'
import { requestFor } from '../../src/run/people/people.ts'
import { readSound } from '../../src/run/testing.ts'
import { applyMigration } from '../../src/store/migrate.ts'
import { openStore } from '../../src/store/pool.ts'
import { createDatabase, dropDatabase } from '../../src/store/testing.ts'
import { openSession } from '../../src/web/sign-in/session.ts'
import { home, monday, startServers } from '../desk.ts'
import { compare } from './compare.ts'
import { generatedDocuments } from './generated.ts'
import type { Question } from './questions.ts'
import { type Altered, alterUnseenOf } from './twins.ts'

/** What is the same in a twin, since somebody sees what is worked out with it. */
const examples: readonly (readonly [name: string, left: readonly string[]])[] = [
  ['absence-desk', []],
  // Who may borrow a thing goes by its class, and so does what a student sees of models; of their fines they see what was paid.
  ['equipment-desk', ['model.class', 'payment.fine']],
  ['loan-desk', []],
  ['purchasing', []],
  ['requests', []],
  // How many cases a street has, and reports a case, is everybody's; whose company it is decides who sees it.
  ['street-defects', ['report.case', 'case.street', 'work_order.company']],
]

/** Everybody is asked a quarter, each another one, unless the whole is asked for. */
const shareOf = (asked: readonly Question[], turn: number): readonly Question[] =>
  asked.filter((_, index) => whole || index % 4 === turn % 4)

test.each(examples)('%s', async (name, left) => {
  const altered = await compareTwins(pathOf(home, 'examples', name, `${name}.md`))
  expect(altered.flatMap(one => one.left).filter(field => !left.includes(field))).toEqual([])
})

test.each(generatedDocuments(4, 20_261_128).map((text, index) => [index + 1, text] as const))(
  'generated document %i',
  async (_, text) => {
    const folder = mkdtempSync(pathOf(tmpdir(), 'ninefold-twins-'))
    try {
      const document = pathOf(folder, 'generated.md')
      writeFileSync(document, text)
      await compareTwins(document)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

/** Asks one person of each set of roles the same of two databases, of which one is their twin. Gives what the twins have otherwise. */
async function compareTwins(document: string): Promise<readonly Altered[]> {
  const app = readSound(document)
  const serverUrl = inject('databaseUrl')
  const url = await createDatabase(serverUrl)
  const at = new Date(monday)
  const store = openStore(url, { connections: 2 })
  await applyMigration(store, app, null, { now: at })
  const door = { now: at, id: 'seed', locale: 'en', newId }
  const { people, problems } = await seed({ app, store }, door, { files: true })
  expect(problems).toEqual([])
  // One person of each role or set of roles.
  const roles = Map.groupBy(demoPeople(app), one => one.roles.join())
  const chosen = [...roles.values()].flatMap(([one]) => people.find(person => person.name === one?.name) ?? [])
  const asked: Question[] = []
  const sessions = new Map<string, string>()
  for (const person of chosen)
    sessions.set(person.id, await openSession(store, person.id, { now: at, random: randomBytes, agent: 'conformance' }))
  for (const [entity, { fields, partOf }] of app.entities) {
    const list = `/api/v1/${entity}`
    const ids = await store.query<{ id: string }>(sql`select id from ${tableSql(entity)} order by id limit 12`)
    for (const { id } of ids) {
      asked.push({ path: `/-/why?entity=${entity}&id=${id}` }, { path: `${list}/${id}` })
      for (const body of ['{}', '{"nonsense":1}'])
        asked.push({
          path: `${list}/${id}`,
          method: 'PATCH',
          headers: { 'content-type': 'application/json', 'if-match': '"9"' },
          body,
        })
    }
    if (partOf !== null) continue
    asked.push({ path: `${list}?count=yes&limit=7`, walk: true }, { path: `${list}?q=Zw&count=yes` })
    for (const { key } of fields)
      asked.push({ path: `${list}?sort=${key}&limit=9`, walk: true }, { path: `${list}?${key}.is-empty=yes&count=yes` })
  }
  for (const screen of app.screens) {
    const route = specified(screen.route)
    if (route === null) continue
    const named = route.segments.flatMap(one => ('field' in one ? [one.field] : []))
    const entity = specified(screen.shows)?.entity
    const records =
      named.length === 0
        ? [{}]
        : entity === undefined || entity === null
          ? []
          : await store.query<Readonly<Record<string, string>>>(
              sql`select ${join(
                named.map(field => sql`${identifier(field)}::text`),
                ', ',
              )} from ${tableSql(entity)} order by id limit 8`,
            )
    for (const record of records) {
      const parts = route.segments.map(one => ('text' in one ? one.text : encodeURIComponent(record[one.field] ?? '')))
      const path = `/${parts.join('/')}`
      asked.push({ path })
      if (named.length === 0) asked.push({ path: `${path}?q=Zw` })
    }
  }
  asked.push({ path: '/' }, { path: '/api/v1/openapi.json' }, { path: '/-/search.json?q=Zw' })
  await store.close()
  const open: string[] = [url]
  try {
    const alterations: Altered[] = []
    const twins: { readonly person: (typeof chosen)[number]; readonly pair: readonly string[] }[] = []
    for (const person of chosen) {
      const other = await createDatabase(serverUrl, url)
      open.push(other)
      const twin = openStore(other, { connections: 2 })
      const request = await requestFor({ app, store: twin }, person.id, { ...door, id: 'twin' })
      const altered = await alterUnseenOf(twin, app, request)
      await twin.close()
      alterations.push(altered)
      if (altered.fields.length + altered.added.length === 0) continue
      const one = await createDatabase(serverUrl, url)
      open.push(one)
      twins.push({ person, pair: [one, other] })
    }
    expect(twins.length).toBeGreaterThan(0)
    const servers = await startServers(twins.flatMap(({ pair }) => pair.map(database => ({ url: database, document }))))
    try {
      for (const [turn, { person }] of twins.entries()) {
        const me = { ...person, session: sessions.get(person.id)! }
        const [here, there] = servers.slice(2 * turn)
        const statements = async () => (await here!.statements()).slice(2 * turn)
        await statements()
        const { differences, answered } = await compare(here!.as(me), there!.as(me), shareOf(asked, turn), {
          statements,
        })
        expect([person.name, differences]).toEqual([person.name, []])
        expect(answered).toBeGreaterThan(5)
      }
    } finally {
      await servers[0]!.stop()
    }
    return alterations
  } finally {
    for (const database of open.reverse()) await dropDatabase(serverUrl, database)
  }
}
