/** Membership and trees in every verb: the example of the reference, asked as three people. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Outcome } from '../outcome.ts'
import { requestFor, systemRequest } from '../people/people.ts'
import { read } from '../read/read.ts'
import { readOut } from '../read/read-out.ts'
import { codes, done, input, readSound, startTestRun, type TestRun } from '../testing.ts'
import { change, create, remove, takeStep } from '../write/writes.ts'

const page = join(import.meta.dirname, '../../../docs/language/6-permissions.md')
const example = (title: string) => (text: string) =>
  new RegExp(`\`\`\`md ninefold alone\\n(# ${title}[\\s\\S]*?)\`\`\``).exec(text)![1]!

let run: TestRun
const ids: Record<string, string> = {}
const as = (name: string) => requestFor(run.runtime, ids[name]!, run.door())

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(page, example('Projects')))
  const seed = await systemRequest(run.runtime, 'seed', run.door())
  const add = async (key: string, entity: string, values: Record<string, string>) => {
    ids[key] = done(await create(run.runtime, seed, entity, input(values)))
  }
  await add('house', 'department', { name: 'House' })
  await add('shop', 'department', { name: 'Shop', above: ids.house! })
  await add('other', 'department', { name: 'Other' })
  for (const [name, department] of [
    ['Head', 'house'],
    ['Member', 'other'],
    ['Stranger', 'other'],
  ] as const)
    await add(name, 'person', { name, email: `${name}@example.com`, department: ids[department]! })
  for (const name of ['one', 'two']) await add(name, 'project', { name, department: ids.shop!, members: ids.Member! })
})
afterAll(() => run?.drop())

const need = {
  kind: 'rows',
  entity: 'project',
  columns: ['name'],
  where: null,
  filters: [],
  search: '',
  sort: [],
  after: null,
  before: null,
  limit: 10,
  countTo: 10,
} as const
const seen = async (name: string) => (await read(run.runtime, await as(name), need))!.rows.length
const taken = async (name: string) => {
  let rows = 0
  for await (const part of (await readOut(run.runtime, await as(name), need))!.pages) rows += part.length
  return rows
}

test('see and export', async () => {
  expect([await seen('Head'), await seen('Member'), await seen('Stranger')]).toEqual([2, 2, 0])
  expect([await taken('Head'), await taken('Member'), await taken('Stranger')]).toEqual([0, 2, 0])
})

test('create, change, step, delete', async () => {
  const { runtime } = run
  const values = (name: string) => input({ name, department: ids.shop! })
  expect(codes(await create(runtime, await as('Member'), 'project', values('x')))).toEqual(['NF-CREATE-DENIED'])
  done(await create(runtime, await as('Head'), 'project', values('three')))
  const named = input({ name: 'renamed' })
  expect(codes(await change(runtime, await as('Head'), 'project', ids.one!, null, named))).toEqual(['NF-CHANGE-DENIED'])
  expect((await change(runtime, await as('Stranger'), 'project', ids.one!, null, named)).kind).toBe('not found')
  done(await change(runtime, await as('Member'), 'project', ids.one!, null, named))
  expect((await takeStep(runtime, await as('Stranger'), 'project', ids.one!, 'close', null)).kind).toBe('not found')
  done(await takeStep(runtime, await as('Head'), 'project', ids.one!, 'close', null))
  done(await takeStep(runtime, await as('Member'), 'project', ids.two!, 'close', null))
  expect(codes(await remove(runtime, await as('Member'), 'project', ids.one!, null))).toEqual(['NF-DELETE-DENIED'])
  done(await remove(runtime, await as('Head'), 'project', ids.one!, null))
})

test('a field is open on some records only: nowhere else is it told or changed', async () => {
  const bids = await startTestRun(inject('databaseUrl'), readSound(page, example('Tenders')))
  try {
    const [buyer] = Object.keys(bids.people)
    const { runtime } = bids
    const request = await bids.as(buyer!)
    const bid = async (firm: string, price: string) =>
      done(await create(runtime, request, 'bid', input({ firm, price })))
    const [sealed, opened] = [await bid('Able', '90.00'), await bid('Baker', '70.00')]
    done(await takeStep(runtime, request, 'bid', opened, 'open', null))
    const list = { ...need, entity: 'bid', columns: ['firm', 'price'] }
    const prices = async (more: object = {}) =>
      (await read(runtime, request, { ...list, ...more } as never))!.rows.map(({ values }) => [
        values.firm,
        values.price,
      ])
    expect((await prices()).sort()).toEqual([
      ['Able', undefined],
      ['Baker', '70.00'],
    ])
    const one = { kind: 'one', entity: 'bid', by: { field: 'id', value: sealed }, history: 20 } as const
    const shown = (await read(runtime, request, one))!
    expect(JSON.stringify(shown)).not.toContain('90.00')
    expect(codes(await change(runtime, request, 'bid', sealed, null, input({ price: '1.00' })))).not.toEqual([])
    done(await change(runtime, request, 'bid', opened, null, input({ price: '71.00' })))
  } finally {
    await bids.drop()
  }
})

test('a refusal does not tell what its reader may not see', async () => {
  const told = (text: string) =>
    `${example('Tenders')(text)
      .replace('| price | money EUR | required |', '$&\n| floor | money EUR | default 3 |')
      .replace(
        /(?=## 6 )/,
        '## 5\n\n| Rule | Applies to | Must hold | Error |\n| --- | --- | --- | --- |\n| V-1 | Bid | `firm != "Zero" or today < 2000-01-01` | E-1 |\n\n',
      )
      .trimEnd()}\n| floor | none | none | |\n\n## 8\n\n| Code | Message |\n| --- | --- |\n| E-1 | {firm} asks {price}, at least {floor}. |\n`
  const bids = await startTestRun(inject('databaseUrl'), readSound(page, told))
  try {
    const { runtime } = bids
    const request = await bids.as(Object.keys(bids.people)[0]!)
    const [sealed, opened] = [
      done(await create(runtime, request, 'bid', input({ firm: 'Able', price: '90.00' }))),
      done(await create(runtime, request, 'bid', input({ firm: 'Baker', price: '70.00' }))),
    ]
    done(await takeStep(runtime, request, 'bid', opened, 'open', null))
    const messages = (outcome: Outcome) => (outcome.kind === 'refused' ? outcome.problems.map(one => one.message) : [])
    const zero = input({ firm: 'Zero' })
    expect(messages(await change(runtime, request, 'bid', sealed, null, zero))).toEqual(['Zero asks , at least .'])
    expect(messages(await change(runtime, request, 'bid', opened, null, zero))).toEqual([
      'Zero asks €70.00, at least .',
    ])
    // What somebody gives themselves they know.
    const given = input({ firm: 'Zero', price: '71.00' })
    expect(messages(await change(runtime, request, 'bid', opened, null, given))).toEqual([
      'Zero asks €71.00, at least .',
    ])
    expect(messages(await create(runtime, request, 'bid', given))).toEqual(['Zero asks €71.00, at least .'])
  } finally {
    await bids.drop()
  }
})

test('a refusal names no record and no entity that its reader may not see', async () => {
  const told = (text: string) =>
    `${example('Tenders')(text)
      .replace('| price | money EUR | required |', '$&\n| dossier | Dossier | |\n| rival | Bid | |')
      .replace(
        /(?=## 4 )/,
        '### Dossier\n\n| Field | Type | Rules |\n| --- | --- | --- |\n| code | text 9 | required; unique |\n| suspect | Bid | |\n\n',
      )
      .replace(
        'To | Who |\n| --- | --- | --- | --- |',
        'To | Who | When | Error |\n| --- | --- | --- | --- | --- | --- |',
      )
      .replace('| Opened | Buyer |', '| Opened | Buyer | `firm != "Zero"` | E-1 |')
      .replace('| Buyer | yes | yes | yes | open |', '| Buyer | `firm != "Able"` | yes | yes | open |')
      .replace(
        '| Change | Do |\n| --- | --- | --- | --- | --- |',
        '| Change | Do | Delete |\n| --- | --- | --- | --- | --- | --- |',
      )
      .replace('| yes | yes | open |', '$& yes |')
      .trimEnd()}\n\n### Dossier\n\n| Role | See |\n| --- | --- |\n| Buyer | no |\n\n## 8\n\n| Code | Message |\n| --- | --- |\n| E-1 | {firm} is after {rival}, see {dossier}. |\n`
  const bids = await startTestRun(inject('databaseUrl'), readSound(page, told))
  try {
    const { runtime } = bids
    const request = await bids.as(Object.keys(bids.people)[0]!)
    const seed = await systemRequest(runtime, 'seed', bids.door())
    const add = async (entity: string, values: Record<string, string>) =>
      done(await create(runtime, seed, entity, input(values)))
    const dossier = await add('dossier', { code: 'D-1' })
    const bid = (firm: string, rival: string | null) =>
      add('bid', { firm, price: '1.00', dossier, ...(rival === null ? {} : { rival }) })
    const messages = (outcome: Outcome) => (outcome.kind === 'refused' ? outcome.problems.map(one => one.message) : [])
    const zero = await bid('Zero', await bid('Able', null))
    const open = () => takeStep(runtime, request, 'bid', zero, 'open', null)
    expect(messages(await open())).toEqual(['Zero is after not visible to you, see not visible to you.'])
    const baker = await bid('Baker', null)
    done(await change(runtime, seed, 'bid', zero, null, input({ rival: baker })))
    expect(messages(await open())).toEqual(['Zero is after Baker, see not visible to you.'])
    expect(messages(await remove(runtime, request, 'bid', baker, null))[0]).toContain('Bid (Rival)')
    const suspect = await bid('Cook', null)
    await add('dossier', { code: 'D-2', suspect })
    const refused = JSON.stringify(await remove(runtime, request, 'bid', suspect, null))
    expect(refused).toContain('something else refers to it')
    expect(refused).not.toMatch(/Dossier|Suspect/i)
  } finally {
    await bids.drop()
  }
})

test('a role is had for one department, for as long as a record says', async () => {
  const desk = await startTestRun(inject('databaseUrl'), readSound(page, example('Requests')))
  try {
    const { runtime } = desk
    const seed = await systemRequest(runtime, 'seed', desk.door())
    const add = async (entity: string, values: Record<string, string>) =>
      done(await create(runtime, seed, entity, input(values)))
    const [shop, lab] = [await add('department', { name: 'Shop' }), await add('department', { name: 'Lab' })]
    const who = await add('person', { name: 'Ann', email: 'ann@example.com' })
    const duty = await add('duty', { person: who, department: shop, until: '2026-03-02' })
    const [ours, theirs] = [
      await add('request', { what: 'Saw', department: shop }),
      await add('request', { what: 'Lens', department: lab }),
    ]
    const asks = () => requestFor(runtime, who, desk.door())
    expect((await asks()).actor.roles).toContain('Approver')
    expect((await takeStep(runtime, await asks(), 'request', theirs, 'approve', null)).kind).toBe('not found')
    done(await change(runtime, seed, 'duty', duty, null, input({ until: '2026-03-01' })))
    expect((await asks()).actor.roles).not.toContain('Approver')
    expect((await takeStep(runtime, await asks(), 'request', ours, 'approve', null)).kind).toBe('not found')
    done(await change(runtime, seed, 'duty', duty, null, input({ until: null })))
    done(await takeStep(runtime, await asks(), 'request', ours, 'approve', null))
  } finally {
    await desk.drop()
  }
})
