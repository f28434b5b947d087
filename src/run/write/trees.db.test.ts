/** A reference to its own kind that is named `parent`: never in a circle, and what stands at the top stands beside each other. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { raw, sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { applyMigration, planMigration } from '../../store/migrate.ts'
import { createTestDatabase } from '../../store/testing.ts'
import { codes, done, input, readSound, startTestRun, type TestRun } from '../testing.ts'
import { change, create, remove } from './writes.ts'

const units = (edit?: (text: string) => string) => readSound(join(import.meta.dirname, '../fixtures/units.md'), edit)

let run: TestRun
beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), units())
})
afterAll(() => run?.drop())

type Values = Readonly<Record<string, Wire>>
const as = (role: string) => run.as(Object.keys(run.people)[role === 'Clerk' ? 0 : 1]!)
const make = async (values: Values, role = 'Clerk') =>
  create(run.runtime, await as(role), 'unit', input({ parent: null, ...values }))
const edit = async (id: string, values: Values) =>
  change(run.runtime, await as('Clerk'), 'unit', id, null, input(values))

test('nothing is put above itself, by the server and by the database; other references may be circles', async () => {
  const a = done(await make({ name: 'A' }))
  const b = done(await make({ name: 'B', parent: a }))
  const c = done(await make({ name: 'C', parent: b }))
  expect(codes(await edit(a, { parent: a }))).toEqual(['NF-CIRCLE'])
  expect(codes(await edit(a, { parent: c }))).toEqual(['NF-CIRCLE'])
  expect(codes(await edit(c, { parent: a }))).toEqual([])
  const { store } = run.runtime
  await expect(store.query(sql`update unit set parent = ${b}::uuid where id = ${a}::uuid`)).rejects.toMatchObject({
    constraint: 'unit_parent_tree',
  })
  expect([...codes(await edit(a, { replaces: b })), ...codes(await edit(b, { replaces: a }))]).toEqual([])
})

test('two at the top cannot have one name, as two below one record cannot', async () => {
  const top = done(await make({ name: 'Top' }))
  expect(codes(await make({ name: 'Top' }))).toEqual(['NF-UNIQUE'])
  const under = done(await make({ name: 'Top', parent: top }))
  expect(codes(await make({ name: 'Top', parent: top }))).toEqual(['NF-UNIQUE'])
  expect(codes(await edit(under, { parent: null }))).toEqual(['NF-UNIQUE'])
  expect(codes(await edit(top, { name: 'Top' }))).toEqual([])
  const { store } = run.runtime
  const past = store.query(raw(`update unit set parent = null where id = '${under}'`))
  await expect(past).rejects.toMatchObject({ code: '23505', constraint: 'unit_parent_name_key' })
})

test('a value that an archived record has is said to be that, to whoever sees that record', async () => {
  const old = done(await make({ name: 'Old', code: 'K1' }))
  const told = async (role: string) => {
    const outcome = await make({ name: 'New', code: 'K1' }, role)
    return outcome.kind === 'refused' && outcome.problems.map(({ code, message }) => [code, message])
  }
  expect(await told('Clerk')).toEqual([['NF-UNIQUE', 'Code is taken: there is another Unit with this Code.']])
  await remove(run.runtime, await as('Clerk'), 'unit', old, null)
  expect(await told('Clerk')).toEqual([['NF-UNIQUE-ARCHIVED', 'Code is taken: an archived Unit has this Code.']])
  expect(await told('Reader')).toEqual([['NF-UNIQUE', 'Code is taken: there is another Unit with this Code.']])
})

test('a plan counts the circles and the names given twice at the top that a database has already', async () => {
  const { store, drop } = await createTestDatabase(inject('databaseUrl'))
  try {
    const flat = units(text =>
      text.replace('| parent | Unit | |', '| above | Unit | |').replace('within parent', 'within above'),
    )
    const at = { now: new Date('2026-03-02T09:00:00.000Z') }
    await applyMigration(store, flat, null, at)
    const rows = ['A', 'A', 'B'].map(
      (name, n) => `('00000000-0000-0000-0000-00000000000${n}', now(), now(), '${name}')`,
    )
    await store.query(raw(`insert into unit (id, created_at, changed_at, name) values ${rows.join(', ')}`))
    await store.query(raw(`update unit set above = id where name = 'B'`))
    const tree = units(text => text.replace('| parent | Unit | |', '| parent (was above) | Unit | |'))
    const found = async () => (await planMigration(store, tree)).found.map(({ code, message }) => [code, message])
    expect(await found()).toEqual([
      ['N0921', expect.stringContaining('1 of `Unit` are above themselves by `parent`')],
      ['N0903', expect.stringContaining('2 of `Unit` have the same `parent` and `name`')],
    ])
    await store.query(raw(`update unit set above = null, name = right(id::text, 1)`))
    expect(await found()).toEqual([])
    await applyMigration(store, tree, null, at)
    await expect(store.query(raw(`update unit set name = 'X'`))).rejects.toMatchObject({ code: '23505' })
    expect((await planMigration(store, tree)).steps).toEqual([])
  } finally {
    await drop()
  }
})
