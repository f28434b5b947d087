/** Rules of fields that depend on other fields and other records: by the server, and by the database for whoever comes around it. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { raw, sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { Outcome } from '../outcome.ts'
import { readForm } from '../read/form.ts'
import { readOptions } from '../read/options.ts'
import { read } from '../read/read.ts'
import { codes, done, input, readSound, startTestRun, type TestRun } from '../testing.ts'
import { change, create, remove, takeStep } from './writes.ts'

let run: TestRun
const rooms: Record<string, string> = {}

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(join(import.meta.dirname, '../fixtures/bookings.md')))
  for (const { id, name } of await run.runtime.store.query<{ id: string; name: string }>(
    sql`select id, name from room`,
  ))
    rooms[name] = id
})
beforeEach(() => run.runtime.store.query(sql`delete from booking`))
afterAll(() => run?.drop())

type Values = Readonly<Record<string, Wire>>

const person = () => Object.keys(run.people)[0]!
const at = (hour: string) => `2026-03-10T${hour}:00.000Z`
const hours = (begins: string, ends: string | null): Values => ({
  begins: at(begins),
  ends: ends === null ? null : at(ends),
})
const book = async (values: Values) =>
  create(run.runtime, await run.as(person()), 'booking', input({ floor: '1', ...values }))
const edit = async (id: string, values: Values) =>
  change(run.runtime, await run.as(person()), 'booking', id, null, input(values))
const step = async (id: string, name: string, values: Values = {}) =>
  takeStep(run.runtime, await run.as(person()), 'booking', id, name, null, input(values))
const room = async (id: string) => {
  const [row] = await run.runtime.store.query<{ room: string | null }>(sql`select room from booking where id = ${id}`)
  return Object.entries(rooms).find(([, of]) => of === row!.room)?.[0] ?? null
}
const told = (outcome: Outcome) =>
  outcome.kind === 'refused' ? outcome.problems.map(({ code, field, message }) => [code, field, message]) : outcome.kind

test('the application gives the first room that is free, and refuses in the words of the catalogue when none is', async () => {
  expect(await room(done(await book(hours('10:00', '11:00'))))).toBe('Red')
  expect(await room(done(await book(hours('10:30', '12:00'))))).toBe('Blue')
  expect(told(await book(hours('11:00', '13:00')))).toEqual([['E-FULL', 'room', 'Nothing is free on that floor then.']])
  // Half an hour after the end it is free again, and half an hour before the beginning.
  expect(told(await book(hours('11:29', '11:40')))).toEqual([['E-FULL', 'room', 'Nothing is free on that floor then.']])
  expect(await room(done(await book(hours('11:30', '13:00'))))).toBe('Red')
  expect(await room(done(await book(hours('09:00', '09:30'))))).toBe('Red')
})

test('a room that the condition does not admit is never given; people cannot name one', async () => {
  expect(codes(await book({ ...hours('10:00', '11:00'), floor: '9' }))).toEqual(['E-FULL'])
  expect(codes(await book({ ...hours('10:00', '11:00'), room: rooms.Red! }))).toEqual(['NF-FIXED'])
})

test('where people are chosen from a role, those are offered and taken who have it now, by appointment or by their record', async () => {
  const { store } = run.runtime
  const people = await store.query<{ id: string; name: string; chief: boolean }>(
    sql`select p.id, p.name, exists (select from ninefold.appointment as a where a.person = p.id and a.role = 'Chief') as chief
      from public.person as p order by p.name collate ninefold.counting, p.id`,
  )
  await store.query(sql`update public.person set grade = case when id = ${people[0]!.id}::uuid then 3 else 2 end`)
  const chief = people.find(one => one.chief)!
  const other = people.find(one => !one.chief)!
  const offered = async (field: string, known: Values = {}) => {
    const need = { entity: 'leave', field, search: null, limit: 20, known }
    return (await readOptions(run.runtime, await run.as(other.name), need)).options.map(({ value }) => value)
  }
  expect(await offered('approver')).toEqual(people.filter(one => one.chief).map(({ id }) => id))
  expect(await offered('approver', { person: chief.id })).not.toContain(chief.id)
  expect(await offered('deputies')).toEqual([people[0]!.id])
  const leave = async (values: Values) =>
    create(
      run.runtime,
      await run.as(other.name),
      'leave',
      input({ person: other.id, out_on: '2026-05-01', back_on: '2026-05-02', ...values }),
    )
  expect(codes(await leave({ approver: other.id }))).toEqual(['NF-NOT-OFFERED'])
  expect(codes(await leave({ deputies: `${people[0]!.id} ${people[1]!.id}` }))).toEqual(['NF-NOT-ALL-OFFERED'])
  expect(codes(await leave({ person: chief.id, approver: chief.id }))).toEqual(['NF-NOT-OFFERED'])
  const id = done(await leave({ approver: chief.id, deputies: people[0]!.id }))
  // Whoever loses the role stays named, and is not named anew.
  await store.query(sql`delete from ninefold.appointment where person = ${chief.id}::uuid`)
  const edited = async (values: Values) =>
    change(run.runtime, await run.as(other.name), 'leave', id, null, input(values))
  done(await edited({ badge: 'x' }))
  expect(codes(await leave({ out_on: '2026-06-01', back_on: '2026-06-02', approver: chief.id }))).toEqual([
    'NF-NOT-OFFERED',
  ])
  await store.query(sql`insert into ninefold.appointment (person, role, at) values (${chief.id}::uuid, 'Chief', now())`)
  await store.query(sql`delete from leave`)
})

test('what is missing is said instead of the room that cannot be looked for', async () => {
  expect(codes(await book({ ends: at('11:00') }))).toEqual(['NF-REQUIRED'])
})

test('a booking without an end keeps its room, one that ends before it begins takes nothing', async () => {
  expect(await room(done(await book(hours('10:00', null))))).toBe('Red')
  expect(await room(done(await book({ begins: '2031-03-10T10:00:00.000Z', ends: '2031-03-10T11:00:00.000Z' })))).toBe(
    'Blue',
  )
  expect(await room(done(await book({ begins: '2031-03-10T10:00:00.000Z', ends: '2031-03-10T09:00:00.000Z' })))).toBe(
    'Red',
  )
})

test('changing the time and coming back to a state that counts are judged, too', async () => {
  const red = done(await book(hours('10:00', '11:00')))
  const later = done(await book(hours('14:00', '15:00')))
  expect([await room(red), await room(later)]).toEqual(['Red', 'Red'])
  expect(codes(await edit(later, hours('10:15', '10:45')))).toEqual(['E-FULL'])
  done(await step(red, 'cancel'))
  done(await edit(later, hours('10:15', '10:45')))
  expect(told(await step(red, 'revive'))).toEqual([['E-FULL', 'room', 'Nothing is free on that floor then.']])
})

test('the database holds it against whoever writes around the server', async () => {
  const first = done(await book(hours('10:00', '11:00')))
  const later = done(await book(hours('14:00', '15:00')))
  const broken = (statement: string) =>
    run.runtime.store.query(raw(statement)).catch((error: { constraint?: string }) => error.constraint)
  expect(
    await broken(`update booking set begins = '${at('11:29')}', ends = '${at('11:31')}' where id = '${later}'`),
  ).toBe('booking_room_no_overlap')
  expect(await broken(`update booking set guests = 3 where id = '${first}'`)).toBe('booking_guests_only_when_check')
  expect(await broken(`update booking set catering = true where id = '${first}'`)).toBe('booking_guests_required_check')
  expect(await broken(`update booking set report = 'x' where id = '${first}'`)).toBe('booking_report_only_when_check')
})

test('a field that is there only when … is refused otherwise, asked for when it is required, and emptied when it goes', async () => {
  const noon = hours('12:00', '13:00')
  expect(told(await book({ ...noon, guests: '4' }))).toEqual([
    ['E-GUESTS', 'guests', 'Guests are counted for catering only.'],
  ])
  expect(codes(await book({ ...noon, catering: true }))).toEqual(['E-HOW-MANY'])
  const id = done(await book({ ...noon, catering: true, guests: '4' }))
  expect(codes(await edit(id, { guests: null }))).toEqual(['E-HOW-MANY'])
  expect(codes(await edit(id, { catering: false, guests: '5' }))).toEqual(['E-GUESTS'])
  done(await edit(id, { catering: false }))
  const [row] = await run.runtime.store.query(sql`select guests, catering from booking where id = ${id}`)
  expect(row).toEqual({ guests: null, catering: false })
})

test('a step obeys the same conditions', async () => {
  const id = done(await book(hours('12:00', '13:00')))
  done(await step(id, 'confirm'))
  expect(codes(await step(id, 'close', { report: 'fine' }))).toEqual(['NF-ONLY-WHEN'])
  expect(codes(await step(id, 'close', { catering: true }))).toEqual(['E-HOW-MANY'])
  done(await edit(id, { catering: true, guests: '2' }))
  done(await step(id, 'close', { catering: true, report: 'fine' }))
  done(await step(id, 'close', { catering: false }))
  const [row] = await run.runtime.store.query(sql`select guests, report from booking where id = ${id}`)
  expect(row).toEqual({ guests: null, report: null })
})

test('what is locked keeps its value; a form may send back what it was filled with', async () => {
  const noon = hours('12:00', '13:00')
  expect(told(await book({ ...noon, catering: true, guests: '1', price: '9.00' }))).toEqual([
    ['E-PRICE', 'price', 'The price of catering is fixed.'],
  ])
  const id = done(await book({ ...noon, catering: true, guests: '1', price: '10.00' }))
  expect(codes(await edit(id, { price: '8.00' }))).toEqual(['E-PRICE'])
  done(await edit(id, { price: '8.00', catering: false }))
})

test('only what may be chosen is offered and taken; what was chosen before stays', async () => {
  const noon = hours('12:00', '13:00')
  expect(told(await book({ ...noon, wish: rooms.Attic! }))).toEqual([['E-WISH', 'wish', 'That room is closed.']])
  const id = done(await book({ ...noon, wish: rooms.Green! }))
  const request = await run.as(person())
  const need = { entity: 'booking', field: 'wish', search: null, limit: 10 }
  const { options } = await readOptions(run.runtime, request, need)
  expect(options.map(({ label }) => label)).toEqual(['Blue', 'Green', 'Red'])
  await run.runtime.store.query(sql`update room set open = false where id = ${rooms.Green}`)
  done(await edit(id, { catering: true, guests: '1' }))
  expect(codes(await edit(id, { wish: null }))).toEqual([])
  expect(codes(await edit(id, { wish: rooms.Green! }))).toEqual(['E-WISH'])
  await run.runtime.store.query(sql`update room set open = true where id = ${rooms.Green}`)
})

test('the form knows who fills what, and looks up what follows', async () => {
  const id = done(await book(hours('12:00', '13:00')))
  const form = await readForm(run.runtime, await run.as(person()), 'booking', { field: 'id', value: id })
  const settable = Object.fromEntries(form!.fields.map(field => [field.key, field.settable]))
  expect(settable).toMatchObject({ room: false, room_floor: false, guests: true, price: true, report: false })
  expect(form!.values.room_floor).toBe('1')
})

test('a series without holes keeps its records', async () => {
  const id = done(await book(hours('12:00', '13:00')))
  expect(codes(await remove(run.runtime, await run.as(person()), 'booking', id, null))).toEqual(['NF-GAPLESS'])
})

test('what is unique while a condition holds is compared only with records of which it holds', async () => {
  const leave = async (values: Values) => create(run.runtime, await run.as(person()), 'leave', input(values))
  const day = (out: string, back: string | null, badge: string | null = null): Values => ({
    out_on: `2026-05-${out}`,
    back_on: back === null ? null : `2026-05-${back}`,
    badge,
  })
  done(await leave(day('01', '03', 'ab')))
  done(await leave(day('05', '06', 'ab')))
  const long = done(await leave(day('10', '11', 'abc')))
  expect(told(await leave(day('14', '15', 'abc')))).toEqual([
    ['E-BADGE', 'badge', 'You have that badge already, for 1 of your leaves.'],
  ])
  done(await change(run.runtime, await run.as(person()), 'leave', long, null, input({ badge: 'abcd' })))
  done(await leave(day('14', '15', 'abc')))
  // A day between: back on the 15th, so the 16th is the first day; and after the 16th alone, the 17th.
  expect(codes(await leave(day('15', '15')))).toEqual(['NF-OVERLAP'])
  done(await leave(day('16', '16')))
  expect(codes(await leave(day('16', '17')))).toEqual(['NF-OVERLAP'])
  done(await leave(day('17', null)))
  expect(codes(await leave(day('30', null)))).toEqual(['NF-OVERLAP'])
  // Told with what else must be the same, as far as the person knows of it.
  const locker = (day: string) => leave({ out_on: `2026-04-${day}`, back_on: `2026-04-${day}`, locker: 'L1' })
  done(await locker('01'))
  const taken = 'Locker is taken: there is another Leave with this Person and Locker.'
  expect(told(await locker('05'))).toEqual([['NF-UNIQUE', 'locker', taken]])
})

test('what is unique without case and accents is compared so by the form, the database, lists and names in files', async () => {
  const who = await run.as(person())
  const guest = async (values: Values, cards: readonly string[] = []) =>
    create(run.runtime, who, 'guest', input(values, { cards: cards.map(code => ({ code })) }))
  const id = done(await guest({ name: 'Žofie Groß', nick: 'Zo' }, ['a1', 'A2']))
  expect(codes(await guest({ name: 'ZOFIE GROSS' }))).toEqual(['NF-UNIQUE'])
  expect(codes(await guest({ name: 'Zofie-Gross' }, ['b1', 'É', 'B1', 'e']))).toEqual(['NF-TWICE'])
  done(await guest({ name: 'Zofie-Gross' }, ['é', 'e']))
  // A record is not in its own way.
  done(await change(run.runtime, who, 'guest', id, null, input({ name: 'Zofie Groß' })))
  const around = sql`insert into guest (id, version, created_at, changed_at, name) values (gen_random_uuid(), 1, now(), now(), 'zOFIE gROß')`
  await expect(run.runtime.store.query(around)).rejects.toThrow(/guest_name_key/)
  const filter = (comparison: 'is' | 'is not' | 'any of', value: Wire) =>
    read(run.runtime, who, {
      kind: 'rows',
      entity: 'guest',
      columns: ['name'],
      where: null,
      filters: [{ field: 'name', comparison, value }],
      search: null,
      sort: [],
      after: null,
      before: null,
      limit: 9,
      countTo: 0,
    }).then(data => data!.rows.map(({ values }) => values.name))
  expect(await filter('is', 'zofie GROSS')).toEqual(['Zofie Groß'])
  expect(await filter('any of', ['ŽOFIE groß', 'nobody'] as unknown as Wire)).toEqual(['Zofie Groß'])
  expect(await filter('is not', 'zofie gross')).toEqual(['Zofie-Gross'])
})

test('two writers at the same moment cannot both have what differs in capitals only', async () => {
  const who = await run.as(person())
  const names = ['Émile', 'EMILE', 'emile', 'Emilé']
  const outcomes = await Promise.all(names.map(name => create(run.runtime, who, 'guest', input({ name }))))
  expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(1)
  expect(outcomes.flatMap(one => (one.kind === 'done' ? [] : codes(one)))).toEqual(
    names.slice(1).map(() => 'NF-UNIQUE'),
  )
})

test('a refusal behind else takes the place of the built-in one', async () => {
  const room = async (values: Values) => create(run.runtime, await run.as(person()), 'room', input(values))
  expect(told(await room({ name: 'Red', floor: '1' }))).toEqual([['E-ROOM', 'name', 'There is a room Red already.']])
  expect(told(await room({ name: 'Roof', floor: '10' }))).toEqual([
    ['E-FLOOR', 'floor', 'The house has floors 0 to 9; Red is the lowest room.'],
  ])
  expect(told(await room({ name: 'Roof' }))).toEqual([['NF-REQUIRED', 'floor', 'Floor is missing.']])
})

test('a row is given what its new record decides, and copies from that', async () => {
  const rates = await run.runtime.store.query<{ id: string; amount: string }>(
    sql`select id, amount from rate order by since`,
  )
  const bill = async (day: string, line: Values) =>
    create(run.runtime, await run.as(person()), 'bill', input({ day }, { lines: [line] }))
  const rows = (id: string) =>
    run.runtime.store.query(sql`select rate, amount from bill_line where bill = ${id} order by position`)
  for (const [index, day] of ['2026-06-30', '2026-07-01'].entries()) {
    const { id: rate, amount } = rates[index]!
    expect(await rows(done(await bill(day, { room: rooms.Red! })))).toEqual([{ rate, amount }])
  }
  expect(told(await bill('2027-01-01', { room: rooms.Red! }))).toEqual([
    ['E-RATE', 'lines.0.rate', 'Red has no rate on 1 Jan 2027; 1 Jul 2026 begins the last.'],
  ])
  // A row that is added to a stored record goes by the record as it will be.
  const id = done(await bill('2026-02-01', { room: rooms.Red! }))
  const line = { room: rooms.Red!, before: rates[0]!.id }
  const add = async (day: string) =>
    change(run.runtime, await run.as(person()), 'bill', id, null, input({ day }, { lines: [line] }))
  expect(told(await add('2026-06-30'))).toEqual([['E-BEFORE', 'lines.0.before', 'That rate holds still.']])
  done(await add('2026-07-01'))
  expect(await rows(id)).toEqual([{ rate: rates[1]!.id, amount: rates[1]!.amount }])
  // What was chosen before is judged again when its record changes under it, and only then.
  const day = async (to: string) => change(run.runtime, await run.as(person()), 'bill', id, null, input({ day: to }))
  expect(told(await day('2026-06-29'))).toEqual([['E-BEFORE', 'lines.0.before', 'That rate holds still.']])
  done(await day('2026-07-02'))
  // So it is by a step that changes the record.
  const step = async (key: string, values: Values = {}) =>
    takeStep(run.runtime, await run.as(person()), 'bill', id, key, null, input(values))
  const still = [['E-BEFORE', 'lines.0.before', 'That rate holds still.']]
  expect(told(await step('redate', { day: '2026-06-29' }))).toEqual(still)
  expect(told(await step('turn_back'))).toEqual(still)
  done(await step('redate', { day: '2026-07-03' }))
})

describe('a record that somebody may not name', () => {
  const none = '01940000-0000-7000-8000-00000000ffff'
  const keys: Record<string, string> = {}
  const ask = async (values: Values, lines?: readonly Values[]) =>
    create(run.runtime, await run.as(person()), 'claim', input(values, lines === undefined ? {} : { lines }))
  const where = (outcome: Outcome) =>
    outcome.kind === 'refused' ? outcome.problems.map(({ code, field }) => `${code} ${field}`) : [outcome.kind]

  beforeAll(async () => {
    const owner = await run.as(person())
    const add = async (name: string, secret: boolean, price: number, keeper: string) => {
      const values = input({ name, secret, price: String(price), keeper })
      keys[name] = done(await create(run.runtime, owner, 'key', values))
    }
    for (const [name, secret, price] of [
      ['cheap', true, 1],
      ['open', false, 2],
      ['dear', true, 50],
    ] as const) {
      await add(name, secret, price, Object.values(run.people)[1]!)
      await add(`my ${name}`, secret, price, run.people[person()]!)
    }
    // Somebody has taken what the key would give: `unique` would tell.
    await run.runtime.store.query(
      sql`insert into claim (id, price, title, spare, state, state_since, created_at, changed_at)
        values (${none}::uuid, 1, 'cheap', ${keys.open}::uuid, 'New', now(), now(), now())`,
    )
  })

  const ways: readonly (readonly [string, readonly string[], (id: string) => Promise<Outcome>])[] = [
    ['is copied from', ['NF-NO-RECORD key'], id => ask({ key: id })],
    ['is unique', ['NF-NO-RECORD spare'], id => ask({ key: keys['my cheap']!, spare: id, note: 'n' })],
    [
      'is one of several',
      ['NF-NO-RECORD bunch'],
      id => ask({ key: keys['my cheap']!, bunch: `${keys['my dear']} ${id}` }),
    ],
    [
      'stands in a row',
      ['NF-NO-RECORD lines.0.key'],
      id => ask({ key: keys['my cheap']! }, [{ key: id, second: keys['my cheap']! }]),
    ],
    [
      'is read by the rows',
      ['NF-NO-RECORD key'],
      id => ask({ key: id }, [{ key: keys['my cheap']!, second: keys['my cheap']! }]),
    ],
  ]
  test.each(ways)('%s: nothing is told but that there is none', async (_, told, way) => {
    const answer = await way(keys.dear!)
    expect(where(answer)).toEqual(told)
    for (const id of [keys.cheap!, keys.open!, none.replace('f', 'e')]) expect(await way(id)).toEqual(answer)
  })

  test('so in a change and in what a step asks for', async () => {
    const id = done(await ask({ key: keys['my cheap']! }))
    const me = await run.as(person())
    const changed = (key: string) =>
      change(run.runtime, me, 'claim', id, null, { ...input({ key, spare: key }), children: {} })
    const given = (key: string) => takeStep(run.runtime, me, 'claim', id, 'give', null, input({ spare: key }))
    for (const [way, told] of [
      [changed, ['NF-NO-RECORD key', 'NF-NO-RECORD spare']],
      [given, ['NF-NO-RECORD spare']],
    ] as const) {
      const answer = await way(keys.dear!)
      expect(where(answer)).toEqual(told)
      for (const other of [keys.cheap!, keys.open!, none.replace('f', 'e')]) expect(await way(other)).toEqual(answer)
    }
    expect(where(await given(keys['my dear']!))).toEqual(['E-COST null', 'NF-MAX cost'])
    done(await given(keys['my open']!))
  })

  test('what is refused is the only cause that is told; what is wrong beside it is told, too', async () => {
    expect(where(await ask({ key: 'no id' }))).toEqual(['NF-REFERENCE key'])
    const answers = [keys.dear!, none].map(key => ask({ key, spare: keys['my dear']! }))
    const [unseen, absent] = await Promise.all(answers)
    expect(unseen).toEqual(absent)
    expect(where(unseen!)).toEqual(['E-COST null', 'NF-NO-RECORD key', 'NF-MAX pledge'])
    expect(where(await ask({ key: keys['my dear']! }))).toEqual(['E-COST null', 'NF-MAX price'])
  })

  test('that others have a value is told of a value that could be written', async () => {
    await run.runtime.store.query(sql`delete from claim where id <> ${none}::uuid`)
    await run.runtime.store.query(
      sql`update claim set spare = ${keys['my open']}::uuid, key = ${keys['my open']}::uuid, badge = 'b' where id = ${none}::uuid`,
    )
    expect(where(await ask({ key: keys['my cheap']!, spare: keys['my open']! }))).toEqual(['NF-UNIQUE spare'])
    const badge = { badge: 'b', spare: keys['my open']! }
    expect(where(await ask({ key: keys['my open']!, ...badge }))).toEqual(['NF-NOT-OFFERED key', 'NF-UNIQUE spare'])
    await run.runtime.store.query(sql`update claim set key = ${keys['my dear']}::uuid where id = ${none}::uuid`)
    expect(where(await ask({ key: keys['my dear']!, ...badge }))).toContain('NF-UNIQUE badge')
  })
})
