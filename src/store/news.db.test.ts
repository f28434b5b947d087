/** What was written comes to every process that listens, and only once it is committed. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import type { Written } from './news.ts'
import { openStore, type Store } from './pool.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'

let database: TestDatabase
let other: Store

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  other = openStore(database.store.url)
})
afterAll(async () => {
  await other.close()
  await database.drop()
})

/** Gathers until something of this entity came. */
function heard(store: Store) {
  const all: (Written | null)[] = []
  const waiting = new Map<string, () => void>()
  const end = store.listen(written => {
    all.push(written)
    for (const entity of written?.keys() ?? ['missed']) waiting.get(entity)?.()
  })
  return { all, end, until: (entity: string) => new Promise<void>(resolve => waiting.set(entity, resolve)) }
}

const tell = (store: Store, entity: string, ids: readonly string[]) =>
  store.inTransaction(async tx => {
    for (const id of ids) tx.tell(entity, id, null)
  })

const listening = (store: Store) =>
  expect
    .poll(() =>
      store.query(sql`select from pg_stat_activity where datname = current_database() and query like 'listen%'`),
    )
    .toHaveLength(1)

test('what one process commits the others hear: not what it undoes, each id once, and many in several messages', async () => {
  const { all, end, until } = heard(other)
  await listening(database.store)
  await expect(
    database.store.inTransaction(async tx => {
      tx.tell('undone', 'a', null)
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  const came = until('last')
  const ids = Array.from({ length: 400 }, (_, at) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`)
  await tell(database.store, 'loan', [...ids, ...ids])
  await tell(database.store, 'last', ['z'])
  await came
  expect(all.flatMap(written => [...written!.keys()])).toEqual(['loan', 'loan', 'loan', 'loan', 'last'])
  expect(all.flatMap(written => [...(written!.get('loan')?.keys() ?? [])])).toEqual(ids)
  end()
})

test('a connection that breaks is opened anew, and says that something may have been missed', async () => {
  const { all, end, until } = heard(other)
  await listening(database.store)
  const missed = until('missed')
  await database.store.query(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`,
  )
  await missed
  const came = until('loan')
  await tell(database.store, 'loan', ['a'])
  await came
  expect(all).toEqual([null, new Map([['loan', new Map([['a', null]])]])])
  end()
})

test('whoever closes tells first what is left to tell', async () => {
  const leaving = openStore(database.store.url)
  const { end, until } = heard(other)
  await listening(database.store)
  const came = until('loan')
  await tell(leaving, 'loan', ['b'])
  await leaving.close()
  await came
  end()
})
