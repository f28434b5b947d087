/** Twins of a document's sample data: for one person of each set of roles, a database in which all that they may not see is another one. */
import { randomBytes } from 'node:crypto'
import { v7 as newId } from 'uuid'
import { expect } from 'vitest'
import { demoPeople } from '../../src/headings/demo-people.ts'
import { seed } from '../../src/run/many/seed.ts'
import { requestFor } from '../../src/run/people/people.ts'
import { readSound } from '../../src/run/testing.ts'
import { applyMigration } from '../../src/store/migrate.ts'
import { openStore } from '../../src/store/pool.ts'
import { createDatabase, dropDatabase } from '../../src/store/testing.ts'
import { openSession } from '../../src/web/sign-in/session.ts'
import { monday } from '../desk.ts'
import { questionsBy, questionsOf } from './asked.ts'
import type { Question } from './questions.ts'
import { type Altered, alterUnseenOf, type UnseenValues, unseenValues } from './twins.ts'

export interface Twin {
  readonly person: { readonly id: string; readonly name: string; readonly session: string }
  /** What the twin has otherwise. */
  readonly altered: Altered
  /** Databases: as the document fills it, and the twin. */
  readonly pair: readonly [string, string]
  /** What is asked of everybody. */
  readonly asked: readonly Question[]
  /** What is asked by values that this person does not see. */
  readonly askedBy: readonly Question[]
}

export interface Twins {
  readonly twins: readonly Twin[]
  readonly drop: () => Promise<void>
}

export async function openTwins(serverUrl: string, document: string): Promise<Twins> {
  const app = readSound(document)
  const url = await createDatabase(serverUrl)
  const open: string[] = [url]
  const drop = async () => {
    for (const database of open.splice(0).reverse()) await dropDatabase(serverUrl, database)
  }
  const copy = async () => {
    const database = await createDatabase(serverUrl, url)
    open.push(database)
    return database
  }
  const at = new Date(monday)
  const store = openStore(url, { connections: 2 })
  await applyMigration(store, app, null, { now: at })
  const door = { now: at, id: 'seed', locale: 'en', newId }
  const { people, problems } = await seed({ app, store }, door, { files: true })
  expect(problems).toEqual([])
  const roles = Map.groupBy(demoPeople(app), one => one.roles.join())
  const chosen = [...roles.values()].flatMap(([one]) => people.find(person => person.name === one?.name) ?? [])
  const sessions = new Map<string, string>()
  for (const { id } of chosen)
    sessions.set(id, await openSession(store, id, { now: at, random: randomBytes, agent: 'conformance' }))
  const asked = await questionsOf(store, app)
  await store.close()
  const twins: Twin[] = []
  for (const person of chosen) {
    const other = await copy()
    const twin = openStore(other, { connections: 2 })
    const request = await requestFor({ app, store: twin }, person.id, { ...door, id: 'twin' })
    const here = await unseenValues(twin, app, request)
    const altered = await alterUnseenOf(twin, app, request)
    const there = await unseenValues(twin, app, request)
    await twin.close()
    if (altered.fields.length + altered.added.length === 0) continue
    const askedBy = questionsBy(app, together(here, there))
    const me = { id: person.id, name: person.name, session: sessions.get(person.id)! }
    twins.push({ person: me, altered, pair: [await copy(), other], asked, askedBy })
  }
  return { twins, drop }
}

/** Values of both, field by field. */
const together = (here: readonly UnseenValues[], there: readonly UnseenValues[]): readonly UnseenValues[] =>
  [...Map.groupBy([...here, ...there], ({ entity, field }) => `${entity}.${field}`).values()].map(both => ({
    ...both[0]!,
    values: [...new Set(both.flatMap(({ values }) => values))],
  }))
