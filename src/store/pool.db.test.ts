import { Connection } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { raw, type Sql, slot, sql, statement } from '../expression/sql.ts'
import { codeOf } from './failures.ts'
import { openStore, type Store, type Tx } from './pool.ts'
import { refusePooler } from './pooler.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'
import { cutLine } from './testing-cut.ts'
import { Unavailable, Unsure } from './unavailable.ts'

let database: TestDatabase
let store: Store

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  store = database.store
})
afterAll(() => database.drop())
beforeEach(async () => {
  await store.inSession(session =>
    session.execute('drop table if exists word; create table word (id integer primary key, said text not null)'),
  )
  store.tablesChanged()
})

const add = (tx: Tx, id: number, said: string | null) => tx.write(sql`insert into word values (${id}, ${said})`)
const words = async () =>
  (await store.query<{ said: string }>(sql`select said from word order by id`)).map(row => row.said)

test('a server that is not there is named, without its password', async () => {
  const absent = openStore('postgres://me:secret@127.0.0.1:1/nothing', { connectTimeout: 100 })
  const error = await absent.query(sql`select 1`).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(Unavailable)
  expect((error as Unavailable).message).toBe('No PostgreSQL server answers at 127.0.0.1:1')
  await absent.close()
})

test('a way to the server that breaks, or falls silent, is told as such and is taken again when it is back', async () => {
  const line = await cutLine(database.url)
  const other = openStore(line.url, { connections: 1, connectTimeout: 300, statementTimeout: 300, grace: 100 })
  const one = () => other.query(sql`select 1 as one`).catch((error: Error) => error.message)
  const write = () => other.inTransaction(tx => add(tx, 1, 'one')).catch((error: Error) => error.message)
  expect(await one()).toEqual([{ one: '1' }])
  line.be('silent')
  expect(await one()).toContain('The connection to the database broke')
  line.be('closed')
  expect([await one(), await write()]).toEqual([
    expect.stringContaining('No connection to the database'),
    expect.stringContaining('No connection to the database'),
  ])
  line.be('open')
  expect([await one(), await write()]).toEqual([[{ one: '1' }], 1])
  await other.close()
  line.close()
})

test('a database that takes nothing says why, and keeps none of it', async () => {
  const other = openStore(database.url, { connections: 1 })
  const end = (statement: Sql) =>
    other.inTransaction(tx => tx.write(statement)).catch((error: Error) => [error.name, error.message])
  const raising = (code: string) => raw(`do $$ begin raise exception 'No space left' using errcode = '${code}'; end $$`)
  expect(await end(raising('53100'))).toEqual(['Unavailable', 'The disk of the database is full (No space left)'])
  expect(await end(raising('53400'))).toEqual(['Unavailable', expect.stringContaining('a limit of its configuration')])
  await other.query(raw('set default_transaction_read_only = on'))
  const insert = sql`insert into word values (1, 'one')`
  expect(await end(insert)).toEqual(['Unavailable', expect.stringContaining('it is read-only')])
  // Another connection may lead to a server that does.
  expect(await end(insert)).toBe(1)
  await other.close()
})

test('a pooler that gives each transaction another connection is refused, however it gives them out', async () => {
  await expect(refusePooler(store)).resolves.toBeUndefined()
  /** Each statement takes a free connection of the server, the last or the first one used; a transaction keeps its own. */
  const pooler = (next: 'last' | 'first'): Pick<Store, 'inSession'> => {
    const free = ['11', '12']
    const sessions = () => {
      let kept: string | null = null
      const take = () => kept ?? (next === 'last' ? free.pop()! : free.shift()!)
      return {
        query: async () => {
          const pid = take()
          if (kept === null) free.push(pid)
          return [{ pid }]
        },
        execute: async (text: string) => {
          if (text === 'begin') kept = take()
          else {
            free.push(kept!)
            kept = null
          }
          return 0
        },
      }
    }
    return { inSession: (work: (session: never) => never) => work(sessions() as never) } as never
  }
  for (const next of ['last', 'first'] as const)
    await expect(refusePooler(pooler(next))).rejects.toThrow('another connection')
})

test('a wrong password and a missing database are told apart', async () => {
  const wrong = new URL(database.url)
  wrong.password = 'wrong'
  const missing = new URL(database.url)
  missing.pathname = '/missing'
  const messageOf = async (url: URL) => {
    const other = openStore(url.href)
    const error = await other.query(sql`select 1`).catch((caught: Error) => caught)
    await other.close()
    return (error as Error).message
  }
  if (wrong.password && new URL(database.url).password)
    expect(await messageOf(wrong)).toMatch(/refuses the name or password/)
  expect(await messageOf(missing)).toMatch(/no such database/)
})

test('a database that does not keep text as UTF-8 is refused before anything is written', async () => {
  const name = `test_ascii_${process.pid}`
  await store.query(
    raw(`create database ${name} encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`),
  )
  const url = new URL(database.url)
  url.pathname = `/${name}`
  const ascii = openStore(url.href)
  await expect(ascii.query(sql`select 1`)).rejects.toThrow('The database keeps text as SQL_ASCII; Ninefold needs UTF8')
  await ascii.close()
  await store.query(raw(`drop database ${name}`))
})

test('a server that cannot sort texts for people is refused before anything is written', async () => {
  const name = `test_without_icu_${process.pid}`
  await store.query(raw(`create database ${name} template template0`))
  const url = new URL(database.url)
  url.pathname = `/${name}`
  const [before, after] = [openStore(url.href), openStore(url.href)]
  await before.inSession(session => session.execute('drop collation pg_catalog."und-x-icu"'))
  await before.close()
  await expect(after.query(sql`select 1`)).rejects.toThrow('was built without ICU')
  await after.close()
  await store.query(raw(`drop database ${name}`))
})

test('what a database or a user has set otherwise does not change values', async () => {
  await store.query(raw(`alter database ${new URL(database.url).pathname.slice(1)} set datestyle = 'German'`))
  const other = openStore(database.url)
  expect(await other.query(sql`select date '2026-03-28' as day, interval '90 minutes' as long`)).toEqual([
    { day: '2026-03-28', long: 'PT5400S' },
  ])
  await other.close()
})

test('values come back as the wire has them', async () => {
  const [row] = await store.query(sql`
    select 9007199254740993::bigint as big, 7::integer as small, 12.50::numeric as price, date '2026-03-28' as day,
      timestamptz '2026-03-28 10:00:00.12+02' as moment, time '09:30' as clock, true as yes, null::text as nothing,
      '018f0000-0000-7000-8000-000000000001'::uuid as id, '{"a":1}'::jsonb as json, array[1, null, 3]::bigint[] as list,
      array[timestamptz '2026-01-01 00:00+00'] as moments, '\\x00ff'::bytea as bytes`)
  expect(row).toEqual({
    big: '9007199254740993',
    small: '7',
    price: '12.50',
    day: '2026-03-28',
    moment: '2026-03-28T08:00:00.120Z',
    clock: '09:30',
    yes: true,
    nothing: null,
    id: '018f0000-0000-7000-8000-000000000001',
    json: { a: 1 },
    list: ['1', null, '3'],
    moments: ['2026-01-01T00:00:00.000Z'],
    bytes: Buffer.from([0, 255]),
  })
})

test('a server in another time zone gives the same moments', async () => {
  const [row] = await store.inTransaction(async tx => {
    await tx.write(sql`set local time zone 'Asia/Kolkata'`)
    return tx.query(sql`select timestamptz '2026-03-28 10:00:00.5+00' as moment`)
  })
  expect(row).toEqual({ moment: '2026-03-28T10:00:00.500Z' })
})

test('a prepared statement is bound anew each time, and survives a change of its table', async () => {
  const find = statement(sql`select * from word where id = ${slot('id')}`)
  await store.inTransaction(async tx => {
    await add(tx, 1, 'one')
    await add(tx, 2, 'two')
  })
  expect(await store.run(find, { id: 1 })).toEqual([{ id: '1', said: 'one' }])
  expect(await store.run(find, { id: 2 })).toEqual([{ id: '2', said: 'two' }])
  await expect(store.run(find, {})).rejects.toThrow(/slot 'id'/)
  await store.query(raw(`alter table word add column loud boolean not null default false`))
  for (let turn = 0; turn < 8; turn++)
    expect(await store.run(find, { id: 1 })).toEqual([{ id: '1', said: 'one', loud: false }])
  await store.query(raw(`alter table word drop column loud`))
  const inside = await store.inTransaction(tx => tx.run(find, { id: 1 }))
  expect(inside).toEqual([{ id: '1', said: 'one' }])
})

test('what throws inside a transaction leaves nothing', async () => {
  const work = store.inTransaction(async tx => {
    await add(tx, 1, 'one')
    throw new Error('changed my mind')
  })
  await expect(work).rejects.toThrow('changed my mind')
  await expect(store.inTransaction(tx => add(tx, 1, null))).rejects.toMatchObject({ code: '23502' })
  expect(await words()).toEqual([])
})

test('a failure that was not passed on is told when the transaction ends: nothing of it was kept', async () => {
  const told: string[] = []
  const work = store.inTransaction(async tx => {
    tx.afterCommit(() => told.push('committed'))
    await add(tx, 1, 'one')
    await add(tx, 1, 'again').catch(() => {})
  })
  await expect(work).rejects.toThrow('nothing of this transaction is kept')
  expect([await words(), told]).toEqual([[], []])
})

test('of statements that travel together, the one that failed first is what all the others tell', async () => {
  const codesOf = (all: readonly PromiseSettledResult<unknown>[]) =>
    all.map(one => one.status === 'rejected' && codeOf(one.reason))
  const work = store.inTransaction(async tx => {
    await add(tx, 1, 'one')
    const part = () => Promise.allSettled([add(tx, 1, 'again'), add(tx, 2, null), add(tx, 3, 'three')])
    const undone = tx.attempt(async () => {
      throw codesOf(await part())
    })
    await expect(undone).rejects.toEqual(['23505', '23505', '23505'])
    throw codesOf(await Promise.allSettled([add(tx, 2, null), add(tx, 1, 'again')]))
  })
  await expect(work).rejects.toEqual(['23502', '23502'])
})

test('an abandoned transaction gives its value and leaves nothing', async () => {
  const outcome = await store.inTransaction(async tx => {
    await add(tx, 1, 'one')
    return tx.abandon({ kind: 'refused' })
  })
  expect(outcome).toEqual({ kind: 'refused' })
  expect(await words()).toEqual([])
})

test('a failed attempt leaves the rest of its transaction', async () => {
  await store.inTransaction(async tx => {
    await add(tx, 1, 'one')
    await tx.attempt(() => add(tx, 1, 'again')).catch(error => expect(codeOf(error)).toBe('23505'))
    await tx.attempt(() => add(tx, 2, 'two'))
  })
  expect(await words()).toEqual(['one', 'two'])
})

test('what is written ahead travels with the next statement or the commit, and that tells of its failure', async () => {
  const insert = statement(sql`insert into word values (${slot('id')}, ${slot('said')})`)
  const ahead = (tx: Tx, id: number, said: string | null) => tx.writeAhead(insert, { id, said })
  const { value, statements } = await store.counted(() =>
    store.inTransaction(async tx => {
      ahead(tx, 1, 'one')
      const [row] = await tx.query<{ said: string }>(sql`select said from word`)
      ahead(tx, 2, row!.said)
    }),
  )
  expect(value).toBeUndefined()
  expect(statements).toEqual(['begin', insert.text, 'select said from word', insert.text, 'commit'])
  expect(await words()).toEqual(['one', 'one'])

  const taken = { code: '23505' }
  await expect(store.inTransaction(async tx => ahead(tx, 1, 'again'))).rejects.toMatchObject(taken)
  const next = store.inTransaction(async tx => {
    ahead(tx, 1, 'again')
    await add(tx, 3, 'three')
  })
  await expect(next).rejects.toMatchObject(taken)
  const waitedFor = store.inTransaction(async tx => {
    ahead(tx, 1, 'again')
    await expect(tx.arrived()).rejects.toMatchObject(taken)
    return tx.abandon('told here')
  })
  expect(await waitedFor).toBe('told here')
  await store.inTransaction(async tx => {
    ahead(tx, 3, 'three')
    await tx.attempt(async () => ahead(tx, 1, 'again')).catch(error => expect(codeOf(error)).toBe('23505'))
    await tx
      .attempt(async () => {
        ahead(tx, 4, 'four')
        throw new Error('changed my mind')
      })
      .catch(error => expect(error.message).toBe('changed my mind'))
    ahead(tx, 5, 'five')
  })
  expect(await words()).toEqual(['one', 'one', 'three', 'five'])
})

test('what travels together is answered in one go; what stands behind a failure is passed over, and asked the next time', async () => {
  const one = openStore(database.url, { connections: 1 })
  const insert = statement(sql`insert into word values (${slot('id')}, ${slot('said')})`)
  const find = statement(sql`select id, said from word where id = ${slot('id')}`)
  const written = (id: number) =>
    one.inTransaction(async tx => {
      tx.writeAhead(insert, { id, said: 'one' })
      const found = await tx.run(find, { id })
      tx.writeAhead(insert, { id: id + 1, said: 'two' })
      return found
    })
  await one.inTransaction(tx => add(tx, 1, 'one'))
  await expect(written(1)).rejects.toMatchObject({ code: '23505' })
  const asked = vi.spyOn(Connection.prototype, 'sync')
  expect(await written(2)).toEqual([{ id: '2', said: 'one' }])
  expect(asked).toHaveBeenCalledTimes(2)
  asked.mockRestore()
  expect(await words()).toEqual(['one', 'one', 'two'])
  await one.close()
})

test('a transaction in which nothing is asked sends nothing', async () => {
  const { value, statements } = await store.counted(async () => [
    await store.inTransaction(async () => 'done'),
    await store.inTransaction(async tx => {
      tx.writeAhead(statement(sql`insert into word values (1, 'one')`), {})
      return tx.abandon('undone')
    }),
  ])
  expect([value, statements]).toEqual([['done', 'undone'], []])
  expect(await words()).toEqual([])
})

test('columns of a prepared statement are told once, for each connection', async () => {
  const one = openStore(database.url, { connections: 1 })
  const find = statement(sql`select id, said, ${slot('given')}::date as day from word where id = ${slot('id')}`)
  await one.inTransaction(tx => add(tx, 1, 'one'))
  for (const day of ['2026-03-28', '2026-03-29']) {
    expect(await one.run(find, { id: 1, given: day })).toEqual([{ id: '1', said: 'one', day }])
    expect(await one.run(find, { id: 2, given: day })).toEqual([])
    await expect(one.run(find, { id: 1, given: 'no day' })).rejects.toMatchObject({ code: '22007' })
  }
  await store.query(raw(`alter table word alter column said type boolean using true`))
  expect(await one.run(find, { id: 1, given: null })).toEqual([{ id: '1', said: true, day: null }])
  await one.close()
})

test('tasks for after the commit run after it, once, and not after a rollback', async () => {
  const seen: string[] = []
  await store.inTransaction(async tx => {
    tx.afterCommit(() => seen.push('kept'))
    await add(tx, 1, 'one')
    expect(seen).toEqual([])
  })
  await store.inTransaction(async tx => {
    tx.afterCommit(() => seen.push('undone'))
    return tx.abandon(null)
  })
  expect(seen).toEqual(['kept'])
})

test('a statement after the end of its transaction is a mistake that is said', async () => {
  let escaped: Tx | null = null
  await store.inTransaction(async tx => {
    escaped = tx
  })
  await expect(add(escaped!, 1, 'late')).rejects.toThrow(/transaction is over/)
})

test('two transactions that lock each other out both succeed in the end', async () => {
  await store.inTransaction(async tx => {
    await add(tx, 1, '')
    await add(tx, 2, '')
  })
  let arrived = 0
  const both = (first: number, second: number) =>
    store.inTransaction(async tx => {
      const touch = (id: number) => tx.write(sql`update word set said = said || ${String(first)} where id = ${id}`)
      await touch(first)
      arrived++
      while (arrived < 2) await new Promise(resolve => setTimeout(resolve, 5))
      await touch(second)
    })
  await Promise.all([both(1, 2), both(2, 1)])
  expect((await words()).map(said => [...said].sort().join(''))).toEqual(['12', '12'])
})

test('serialisable transactions behave as if one came after the other', async () => {
  const addIfFew = (id: number) =>
    store.inTransaction(
      async tx => {
        const [row] = await tx.query<{ count: string }>(sql`select count(*) as count from word`)
        if (Number(row!.count) < 3) await add(tx, id, 'few')
      },
      { serializable: true, attempts: 20 },
    )
  await Promise.all([1, 2, 3, 4, 5, 6].map(addIfFew))
  expect(await words()).toHaveLength(3)
})

test('the wait for a connection is bounded', async () => {
  const small = openStore(database.url, { connections: 1, connectTimeout: 200 })
  const busy = small.query(sql`select pg_sleep(1)`)
  const error = await small.query(sql`select 1`).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(Unavailable)
  expect((error as Unavailable).message).toMatch(/No database connection became free within 0.2 seconds/)
  await busy
  expect(await small.query(sql`select 1 as one`)).toEqual([{ one: '1' }])
  await small.close()
})

test('a statement that takes too long is ended', async () => {
  const hasty = openStore(database.url, { statementTimeout: 50 })
  await expect(hasty.query(sql`select pg_sleep(5)`)).rejects.toMatchObject({ code: '57014' })
  expect(await hasty.query(sql`select 1 as one`)).toEqual([{ one: '1' }])
  await hasty.close()
})

test('connections that the server ends are replaced', async () => {
  const problems: Error[] = []
  const other = openStore(database.url, { onProblem: problem => problems.push(problem) })
  await other.query(sql`select 1`)
  const endOthers = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  await store.query(endOthers)
  expect(await other.query(sql`select 1 as one`)).toEqual([{ one: '1' }])
  const cut = (times: number) => {
    let begun = 0
    return other.inTransaction(async tx => {
      await add(tx, 10 + times, `begun ${++begun} times`)
      if (begun <= times) await store.query(endOthers)
      // Long enough for the broken connection to be noticed while no statement runs on it.
      if (begun <= times) await new Promise(resolve => setTimeout(resolve, 100))
      await add(tx, 20 + times, 'and ended')
    })
  }
  await cut(1)
  expect(await words()).toEqual(['begun 2 times', 'and ended'])
  await expect(cut(8)).rejects.toThrow()
  expect(await words()).toHaveLength(2)
  expect(await other.query(sql`select 1 as one`)).toEqual([{ one: '1' }])
  await other.close()
})

test('what only reads is read anew where the connection breaks; of what writes nobody knows whether it is kept', async () => {
  const line = await cutLine(database.url)
  const other = openStore(line.url)
  const ends = async (statement: Sql, times: number) => {
    line.cut(times, statement.texts[0])
    const end = await other.query(statement).catch((error: Error) => error.name)
    return [end, line.done()]
  }
  expect(await ends(sql`select 1 as one`, 1)).toEqual([[{ one: '1' }], 1])
  expect(await ends(sql`select 1 as one`, 2)).toEqual(['Unavailable', 2])
  expect(await ends(sql`insert into word values (1, 'kept')`, 1)).toEqual(['Unsure', 1])
  line.cut(1)
  await expect(other.inTransaction(tx => add(tx, 2, 'also'))).rejects.toBeInstanceOf(Unsure)
  expect(await words()).toEqual(['kept', 'also'])
  await other.close()
  line.close()
})

test('a server that ends while connections are being closed is no problem to tell of', async () => {
  const problems: Error[] = []
  const other = openStore(database.url, { onProblem: problem => problems.push(problem) })
  const [{ pid }] = (await other.query(sql`select pg_backend_pid() as pid`)) as [{ pid: string }]
  // It hears that it is to end before it reads that we took our leave.
  process.kill(Number(pid), 'SIGSTOP')
  try {
    await other.close()
    await store.query(sql`select pg_terminate_backend(${pid}::integer)`)
  } finally {
    process.kill(Number(pid), 'SIGCONT')
  }
  const isThere = async () =>
    (await store.query(sql`select 1 from pg_stat_activity where pid = ${pid}::integer`)).length > 0
  while (await isThere());
  // Another round trip: what it said before it went has been read, too.
  await isThere()
  expect(problems).toEqual([])
})

test('statements are counted for the work that sent them', async () => {
  const noise = store.query(sql`select 'noise'`)
  const { value, statements } = await store.counted(() =>
    store.inTransaction(async tx => {
      await add(tx, 1, 'one')
      return 'done'
    }),
  )
  await noise
  expect(value).toBe('done')
  expect(statements).toEqual(['begin', 'insert into word values ($1, $2)', 'commit'])
})
