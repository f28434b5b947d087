/** Whoever may not write a record as it would be is told that alone: nothing else answers, and nothing is used up. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { raw, sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { Input, Outcome } from '../outcome.ts'
import { codes, done, input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { change, create, takeStep } from './writes.ts'

let run: TestRun
let roof: string

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(join(import.meta.dirname, '../fixtures/claims.md')))
  roof = await made(run, 'Ann', 'project', input({ name: 'Roof', budget: '600' }))
})
afterAll(() => run?.drop())

const rowsOf = <Row extends object>(text: string) => run.runtime.store.query<Row>(raw(text))
const told = (outcome: Outcome) =>
  outcome.kind === 'refused' ? outcome.problems.map(({ code, field, message }) => [code, field, message]) : outcome.kind
const claim = (values: Readonly<Record<string, Wire>>, parts: readonly Readonly<Record<string, Wire>>[] = []): Input =>
  input({ project: roof, amount: '10', ...values }, parts.length > 0 ? { parts } : {})
const creates = async (who: string, given: Input) => create(run.runtime, await run.as(who), 'claim', given)
const numbers = async () =>
  (await run.runtime.store.query<{ value: string }>(sql`select value from ninefold.counter where entity = 'claim'`))[0]
    ?.value

describe('creating', () => {
  test('a record that somebody may not create is refused alike, whatever is sent and whatever hidden fields say', async () => {
    const taken = await made(run, 'Bob', 'claim', claim({ ref: 'A-1' }))
    const before = await numbers()
    const denied = [['NF-CREATE-DENIED', null, 'You may not create Claim.']]
    const { Carl } = run.people
    // Below and above the budget, a value that is taken, a row that is nobody's, too much, a project that is not there.
    for (const one of [
      claim({ by: Carl!, amount: '599' }),
      claim({ by: Carl!, amount: '601' }),
      claim({ by: Carl!, ref: 'A-1' }),
      claim({ by: Carl! }, [{ author: Carl!, price: '1' }]),
      claim({ by: Carl!, amount: '901' }),
      claim({ by: Carl!, project: taken }),
      input({ by: Carl!, amount: '10' }),
    ])
      expect(told(await creates('Bob', one))).toEqual(denied)
    expect(await numbers()).toBe(before)
  })

  test('where it may be created, everything that is wrong with it is told at once', async () => {
    const wrong = claim({ amount: '901', ref: 'A-1' }, [{ author: run.people.Carl!, price: '1' }])
    expect(codes(await creates('Bob', wrong))).toEqual(['NF-CREATE-DENIED'])
    expect(codes(await creates('Bob', claim({ amount: '901', ref: 'A-1' })))).toEqual([
      'NF-UNIQUE',
      'NF-MAX',
      'E-BUDGET',
    ])
  })

  test('what cannot be read, and what always has to be there and decides, is told first', async () => {
    const { Carl } = run.people
    expect(codes(await creates('Bob', claim({ by: Carl!, amount: 'much' })))).toEqual(['NF-NUMBER'])
    expect(told(await creates('Bob', input({ project: roof })))).toEqual([
      ['NF-REQUIRED', 'amount', 'Amount is missing.'],
    ])
  })

  test('the condition sees what would be there: computed fields, rows, links, and the record among all others', async () => {
    expect(codes(await creates('Bob', claim({}, [{ price: '990' }])))).toEqual(['NF-CREATE-DENIED'])
    expect(codes(await creates('Bob', claim({}, [{ price: '989' }])))).toEqual([])
    const memo = async (readers: string) =>
      create(run.runtime, await run.as('Bob'), 'memo', input({ text: 'Lunch', readers }))
    const { Bob, Carl } = run.people
    expect(codes(await memo(Carl!))).toEqual(['NF-CREATE-DENIED'])
    done(await memo(`${Carl} ${Bob}`))
    const open = (await rowsOf<{ n: string }>(`select count(*)::text as n from claim where by = '${Bob}'`))[0]!.n
    for (let left = 3 - Number(open); left > 0; left--) done(await creates('Bob', claim({})))
    expect(codes(await creates('Bob', claim({})))).toEqual(['NF-CREATE-DENIED'])
  })
})

describe('changing', () => {
  const changes = async (who: string, entity: string, id: string, given: Input) =>
    told(await change(run.runtime, await run.as(who), entity, id, null, given))
  const out = (of: string, field: string | null = null) => [
    'NF-CHANGE-OUT',
    field,
    `You may change this ${of}, but not to what it would be then.`,
  ]
  let mine: string
  beforeAll(async () => {
    mine = await made(run, 'Ann', 'claim', claim({ ref: 'B-1' }, [{ price: '1' }]))
  })

  test('nobody hands over what is theirs to change, whatever else they change with it', async () => {
    const { Bob } = run.people
    // Within and beyond the budget, and with a value that is taken.
    for (const more of [{}, { amount: '599' }, { amount: '601' }, { ref: 'A-1' }])
      expect(await changes('Ann', 'claim', mine, input({ by: Bob!, ...more }))).toEqual([out('Claim')])
    expect(await rowsOf(`select amount::text, ref from claim where id = '${mine}'`)).toEqual([
      { amount: '10', ref: 'B-1' },
    ])
    expect(await changes('Ann', 'claim', mine, input({ amount: '11' }))).toBe('done')
    expect(await changes('Ann', 'claim', mine, input({ by: null }))).toEqual([['NF-REQUIRED', 'by', 'By is missing.']])
  })

  test('what other roles may change counts, and each field goes by those that may set it', async () => {
    expect(await changes('Carl', 'claim', mine, input({ amount: '120' }))).toEqual([out('Claim')])
    expect(await changes('Carl', 'claim', mine, input({ amount: '99' }))).toBe('done')
    const carls = await made(run, 'Carl', 'claim', claim({}))
    // As a clerk he may, but notes are for whom it is.
    expect(await changes('Carl', 'claim', carls, input({ by: run.people.Bob!, note: 'for Bob' }))).toEqual([
      ['NF-FIELD-DENIED', 'note', 'You may not change Note here.'],
    ])
    expect(await changes('Carl', 'claim', carls, input({ by: run.people.Bob! }))).toBe('done')
  })

  test('rows and links are judged as they would be, too', async () => {
    const [part] = await rowsOf<{ id: string }>(`select id from part where claim = '${mine}'`)
    const put = (values: Readonly<Record<string, Wire>>): Input => ({
      values: {},
      invalidValues: [],
      children: { parts: [{ id: part!.id, values }] },
    })
    expect(await changes('Ann', 'claim', mine, put({ author: run.people.Bob! }))).toEqual([out('Part', 'parts.0')])
    expect(await changes('Ann', 'claim', mine, put({ price: '2' }))).toBe('done')
    const [memo] = await rowsOf<{ id: string }>(
      `select memo.id from memo join memo_readers on owner = memo.id where member = '${run.people.Bob}'`,
    )
    const { Bob, Carl } = run.people
    expect(await changes('Bob', 'memo', memo!.id, input({ readers: Carl! }))).toEqual([out('Memo')])
    expect(await changes('Bob', 'memo', memo!.id, input({ readers: `${Bob} ${Carl}` }))).toBe('done')
  })

  test('a column of its own says what a change may lead to', async () => {
    const free = await startTestRun(
      inject('databaseUrl'),
      readSound(join(import.meta.dirname, '../fixtures/claims.md'), text =>
        text
          .replace('| Role | See | Create | Change | Do |', '| Role | See | Create | Change | Do | Change to |')
          .replace(
            '| --- | --- | --- | --- | --- |\n| Member | yes | `by = me and',
            '| --- | --- | --- | --- | --- | --- |\n| Member | yes | `by = me and',
          )
          .replace('`by = me` | send |', '`by = me` | send | `amount < 50` |')
          .replace('`amount < 100` | none |', '`amount < 100` | none | no |')
          .replace(
            '| no | no | approve |',
            '| no | no | approve | |\n| never | | | `ref is "fixed"` | | `ref is "lost"` |',
          ),
      ),
    )
    try {
      const roof = await made(free, 'Ann', 'project', input({ name: 'Roof', budget: '600' }))
      const own = await made(free, 'Carl', 'claim', input({ project: roof, amount: '60' }))
      const { Bob } = free.people
      const put = async (who: string, given: Input, id = own) =>
        codes(await change(free.runtime, await free.as(who), 'claim', id, null, given))
      expect(await put('Carl', input({ ref: 'lost' }))).toEqual(['NF-CHANGE-OUT'])
      // What nobody changes any more may be led to: the row `never` says itself what may not.
      const fixed = await made(free, 'Bob', 'claim', input({ project: roof, amount: '60' }))
      expect(await put('Bob', input({ ref: 'fixed' }), fixed)).toEqual([])
      expect(await put('Bob', input({ amount: '61' }), fixed)).toEqual(['NF-CHANGE-DENIED'])
      const bobs = await made(free, 'Bob', 'claim', input({ project: roof, amount: '60' }))
      expect(await put('Bob', input({ by: free.people.Ann! }), bobs)).toEqual(['NF-CHANGE-OUT'])
      expect(await put('Bob', input({ by: free.people.Ann!, amount: '49', note: 'yours' }), bobs)).toEqual([])
      // What Bob may lead his own to is nothing that Carl may lead those to that he changes as a clerk.
      const other = await made(free, 'Bob', 'claim', input({ project: roof, amount: '10' }))
      expect(await put('Carl', input({ amount: '140' }), other)).toEqual(['NF-CHANGE-OUT'])
      expect(await put('Carl', input({ by: Bob! }))).toEqual([])
    } finally {
      await free.drop()
    }
  })
})

describe('steps', () => {
  test('what a step wants of the record is told to whoever may take it, and to nobody else', async () => {
    const text = (whole: string) =>
      whole
        .replace(
          '| Who | Asks |\n| --- | --- | --- | --- | --- |',
          '| Who | When | Error |\n| --- | --- | --- | --- | --- | --- |',
        )
        .replace('Member | |\n', 'Member | | |\n')
        .replace('Head except by | by |', 'Head except by | `amount > 5` | E-BUDGET |')
    const other = await startTestRun(
      inject('databaseUrl'),
      readSound(join(import.meta.dirname, '../fixtures/claims.md'), text),
    )
    try {
      const project = await made(other, 'Ann', 'project', input({ name: 'Roof', budget: '600' }))
      const of = async (who: string) => {
        const id = await made(other, who, 'claim', input({ project, amount: '1' }))
        done(await takeStep(other.runtime, await other.as(who), 'claim', id, 'send', null))
        return id
      }
      const [bobs, anns] = [await of('Bob'), await of('Ann')]
      const take = async (who: string, id: string) =>
        codes(await takeStep(other.runtime, await other.as(who), 'claim', id, 'approve', null))
      expect(await take('Ann', bobs)).toEqual(['E-BUDGET'])
      expect(await take('Ann', anns)).toEqual(['NF-STEP-DENIED'])
      expect(await take('Bob', bobs)).toEqual(['NF-STEP-DENIED'])
    } finally {
      await other.drop()
    }
  })

  test('nobody types their way past whom a step is kept from, and a step that is refused uses up no number', async () => {
    const sent = async (who: string) => {
      const id = await made(run, who, 'claim', claim({ amount: '1' }))
      done(await takeStep(run.runtime, await run.as(who), 'claim', id, 'send', null))
      return id
    }
    const approves = async (who: string, id: string, by: string) =>
      told(await takeStep(run.runtime, await run.as(who), 'claim', id, 'approve', null, input({ by })))
    const { Ann, Carl } = run.people
    const carls = await sent('Carl')
    const denied = [['NF-STEP-DENIED', null, 'Ann may not approve this Claim.']]
    expect(await approves('Ann', carls, Ann!)).toEqual(denied)
    const anns = await sent('Ann')
    expect(await approves('Ann', anns, Carl!)).toEqual(denied)
    const [{ value } = { value: null }] = await rowsOf<{ value: string }>(
      "select value::text from ninefold.counter where field = 'receipt'",
    )
    expect(value).toBeNull()
    expect(await approves('Ann', carls, Carl!)).toBe('done')
    expect(await rowsOf(`select receipt from claim where id = '${carls}'`)).toEqual([{ receipt: 'R-1' }])
  })
})
