/** Records that people put into their order: where they may, between neighbours that they see, and beside what others move meanwhile. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { appOf } from '../../kinds/testing.ts'
import type { Outcome } from '../outcome.ts'
import { read } from '../read/read.ts'
import { codes, done, input, made, startTestRun, type TestRun, testId } from '../testing.ts'
import { type Moved, within } from './place.ts'
import { create, place, remove } from './writes.ts'

const app = appOf(`# Tasks

## 1 What the product does and for whom

- **Languages:** en

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /tasks | Tasks | everyone signed in | list of Task |
| /tasks/{name} | Task | everyone signed in | one Task |

## 3 Entities and their fields

### Task

- **Order:** by hand
- **Delete:** archives

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required; unique |
| owner | Person | required; default me |
| secret | yes/no | default no |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |
| Author | appointed by Author |
| Builder | appointed by Builder |

### Task

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Member | \`owner = me or not secret\` | yes | \`owner = me\` | \`owner = me\` |
`)

let run: TestRun
const ids: Record<string, string> = {}

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), app)
})
afterAll(() => run?.drop())
beforeEach(async () => {
  await run.runtime.store.query(sql`delete from task`)
  for (const name of ['a', 'b', 'c', 'd']) ids[name] = await made(run, 'Anna', 'task', input({ name }))
})

const shown = async (name = 'Anna') => {
  const found = await read(run.runtime, await run.as(name), {
    kind: 'rows',
    entity: 'task',
    columns: ['name'],
    where: null,
    filters: [],
    search: null,
    sort: [],
    after: null,
    before: null,
    limit: 25,
    countTo: 100,
  })
  return found!.rows.map(({ values }) => values.name).join('')
}
const told = (outcome: Outcome) => (outcome.kind === 'not found' ? outcome.kind : codes(outcome).join())
const move = async (name: string, side: 'before' | 'after' | 'first', of = name, by = 'Anna') =>
  place(run.runtime, await run.as(by), 'task', ids[name]!, side === 'first' ? side : { side, of: ids[of]! })

test('one that was not moved stands behind those that were, the newest last', async () => {
  expect(await shown()).toBe('abcd')
  done(await move('d', 'before', 'b'))
  expect(await shown()).toBe('adbc')
  ids.e = await made(run, 'Anna', 'task', input({ name: 'e' }))
  expect(await shown()).toBe('adbce')
  done(await move('a', 'after', 'c'))
  expect(await shown()).toBe('dbcae')
  done(await move('e', 'first'))
  expect(await shown()).toBe('edbca')
  done(await move('e', 'after', 'e'))
  expect(await shown()).toBe('edbca')
})

test('as often as one likes in the same gap', async () => {
  done(await move('d', 'after', 'a'))
  for (let at = 0; at < 60; at++) done(await move(at % 2 === 0 ? 'b' : 'c', 'after', 'a'))
  expect(await shown()).toBe('acbd')
})

test('who may not change a record does not move it, nor beside one that they do not see', async () => {
  expect(told(await move('a', 'first', 'a', 'Ben'))).toBe('NF-CHANGE-DENIED')
  const own = done(await create(run.runtime, await run.as('Ben'), 'task', input({ name: 'own' })))
  ids.own = own
  ids.hidden = await made(run, 'Anna', 'task', input({ name: 'hidden', secret: true }))
  expect(told(await move('own', 'before', 'hidden', 'Ben'))).toBe('not found')
  ids.none = testId()
  expect(told(await move('own', 'before', 'none', 'Ben'))).toBe('not found')
  expect(told(await move('none', 'first', 'none'))).toBe('not found')
  done(await move('own', 'before', 'b', 'Ben'))
  expect(await shown('Ben')).toBe('aownbcd')
  done(await remove(run.runtime, await run.as('Anna'), 'task', ids.a!, null))
  expect(told(await move('a', 'first'))).toBe('NF-ARCHIVED')
})

test('a move is undone as long as nobody moved the same one again', async () => {
  const moves = async (name: string, of: string) => {
    let moved: Moved | null = null
    const tell = (what: Moved) => {
      moved = what
    }
    done(await place(run.runtime, await run.as('Anna'), 'task', ids[name]!, { side: 'after', of: ids[of]! }, tell))
    return moved as Moved | null
  }
  const back = async (name: string, moved: Moved | null, by = 'Anna') =>
    place(run.runtime, await run.as(by), 'task', ids[name]!, moved!)
  const first = await moves('a', 'c')
  expect(await shown()).toBe('bcad')
  expect(told(await back('a', first, 'Ben'))).toBe('NF-CHANGE-DENIED')
  done(await back('a', first))
  expect(await shown()).toBe('abcd')
  expect(told(await back('a', first))).toBe('NF-UNDO')
  const unmoved = await moves('d', 'a')
  expect([unmoved!.from, await shown()]).toEqual([null, 'adbc'])
  const again = await moves('d', 'b')
  expect(told(await back('d', unmoved))).toBe('NF-UNDO')
  done(await back('d', again))
  done(await back('d', unmoved))
  expect(await shown()).toBe('abcd')
  // What was put there since stays before it.
  const second = await moves('b', 'c')
  await moves('d', 'a')
  done(await back('b', second))
  expect(await shown()).toBe('adbc')
  const places = await run.runtime.store.query<{ place: string }>(sql`select distinct position as place from task`)
  expect(places).toHaveLength(4)
})

test('neither version nor history tells of it', async () => {
  const state = () =>
    run.runtime.store.query(
      sql`select version, changed_at, (select count(*) from ninefold.history where record = t.id) as told from task as t where name = 'c'`,
    )
  const before = await state()
  done(await move('c', 'first'))
  expect(await state()).toEqual(before)
})

test('those who move at the same moment put nothing into the same place', async () => {
  done(await move('d', 'after', 'a'))
  await Promise.all([move('b', 'after', 'a'), move('c', 'after', 'a'), move('d', 'after', 'a')])
  const places = await run.runtime.store.query<{ place: string }>(
    sql`select position::text as place from task where position is not null`,
  )
  expect(new Set(places.map(one => one.place)).size).toBe(4)
})

test('the shortest number in a gap', () => {
  const number = (units: number, scale = 0) => ({ units: BigInt(units), scale })
  expect(within({ below: null, above: null })).toEqual(number(1))
  expect(within({ below: number(7), above: null })).toEqual(number(8))
  expect(within({ below: null, above: number(1) })).toEqual(number(0))
  expect(within({ below: number(1), above: number(9) })).toEqual(number(5))
  expect(within({ below: number(1), above: number(2) })).toEqual(number(15, 1))
  expect(within({ below: number(15, 1), above: number(16, 1) })).toEqual(number(155, 2))
  expect(within({ below: number(-2), above: number(-1) })).toEqual(number(-15, 1))
})
