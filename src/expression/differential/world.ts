/** The entities and records that both back ends are tried on: every type, required and optional, with the values that hurt. */
import type { Environment } from '../evaluate.ts'
import type { LimitShape, Scope } from '../scope.ts'
import { identifier, join, raw, type Sql, sql } from '../sql.ts'
import { castOf } from '../sql-values.ts'
import { schemaOf, scopeOf } from '../testing.ts'
import type { FieldShape, RecordValue, Type, Wire } from '../type.ts'
import { type Chance, chance } from './chance.ts'

export const limits: ReadonlyMap<string, LimitShape> = new Map(
  Object.entries({
    most: { type: { kind: 'integer' }, optional: false },
    rate: { type: { kind: 'decimal', percent: true }, optional: false },
    cap: { type: { kind: 'money', currency: 'EUR' }, optional: false },
    open: { type: { kind: 'money', currency: 'EUR' }, optional: true },
    first: { type: { kind: 'date' }, optional: false },
    grace: { type: { kind: 'duration', of: 'calendar' }, optional: false },
    wait: { type: { kind: 'duration', of: 'clock' }, optional: true },
    word: { type: { kind: 'text' }, optional: false },
  } satisfies Record<string, LimitShape>),
)

export const schema = schemaOf(
  {
    region: { title: 'text?', parent: 'region?', level: 'integer', head: 'person?' },
    person: {
      name: 'text',
      age: 'integer?',
      manager: 'person?',
      salary: 'money EUR?',
      region: 'region?',
      since: 'date',
    },
    item: {
      code: 'text?',
      price: 'money EUR',
      unit: 'money EUR 4?',
      weight: 'decimal?',
      region: 'region',
      bought: 'date?',
      active: 'yes/no',
      seen: 'moment?',
      stock: 'integer',
      owner: 'person?',
      heavy: 'yes/no = weight > 2.5',
      worth: 'money EUR = price * stock',
    },
    loan: {
      t: 'text',
      t2: 'text?',
      i: 'integer',
      i2: 'integer?',
      d: 'decimal',
      d2: 'decimal?',
      m: 'money EUR',
      m2: 'money EUR?',
      b: 'yes/no',
      b2: 'yes/no?',
      day: 'date',
      day2: 'date?',
      at: 'moment',
      at2: 'moment?',
      tm: 'time',
      tm2: 'time?',
      c: 'choice Alpha Beta Gamma',
      c2: 'choice Red Green?',
      cs: 'choices Red Blue Alpha?',
      dur: 'clock?',
      cal: 'calendar?',
      who: 'person',
      who2: 'person?',
      item: 'item?',
      above: 'loan?',
      lines: 'list line',
      helpers: 'list person',
      cur: 'choice EUR USD JPY KWD Red',
      v: 'money in cur',
      v2: 'money in cur?',
      part: 'money in cur = v2 * d',
      eur: 'money EUR = convert(v, EUR, day2)',
      yen: 'money JPY = convert(v2, JPY, day)',
      back: 'money in cur = convert(m2, cur, day)',
      billed: 'money in cur = sum(lines.due)',
      total: 'money EUR = sum(lines.price)',
      span: 'integer = day2 - day',
      ratio: 'decimal = d / i',
      mine: 'yes/no = who = me or helpers_count > 1',
      long: 'clock = sum(lines.took)',
      helpers_count: 'integer = count(helpers)',
      late: 'yes/no = day + limits.grace < today',
    },
    line: {
      loan: 'loan ^',
      item: 'item?',
      price: 'money EUR?',
      due: 'money in loan.cur?',
      n: 'integer',
      note: 'text?',
      ok: 'yes/no',
      ok2: 'yes/no?',
      on: 'date?',
      cost: 'money EUR = price * n',
      share: 'percent = price / loan.m',
      took: 'clock?',
    },
    off: { day: 'date?', region: 'region?' },
    rate: { cur: 'choice USD JPY KWD', since: 'date', rate: 'decimal' },
  },
  {
    limits,
    exchange: { entity: 'rate', currency: 'cur', rate: 'rate', since: 'since', base: 'EUR', per: 'currency' },
    converts: true,
  },
)

export const limitValues: Readonly<Record<string, Wire>> = {
  most: '3',
  rate: '0.19',
  cap: '1000000000000.000001',
  open: null,
  first: '2024-02-29',
  grace: 'P1M0D',
  wait: 'PT5400S',
  word: 'é',
  ...dated({ most: ['3', '4'], rate: ['0.19', '0.07'], cap: ['5', '1000000000000.000001'], open: [null, '7'] }),
  ...dated({ first: ['2024-02-29', '2020-01-01'], wait: ['PT5400S', null], word: ['é', 'a'] }),
}

/** Since ever, since a day that records know, and since one that none knows. */
function dated(all: Readonly<Record<string, readonly Wire[]>>): Readonly<Record<string, Wire>> {
  const days = ['0001-01-01', '2024-02-29', '2026-03-28']
  return Object.fromEntries(
    Object.entries(all).map(([name, values]) => [
      `${name} on`,
      JSON.stringify(values.map((value, index) => ({ since: days[index], value }))),
    ]),
  )
}

/** A zone whose clocks change, and which is neither the session's nor the machine's. */
/** Who has a name, as behind `for each mate in …`. */
const named = new Map([['mate', 'person']])
export const names = { mate: '00000002-0000-7000-8000-000000000003' }

export const scope: Scope = scopeOf(schema, 'loan', {
  limits,
  records: named,
  calendar: { zone: 'Europe/Berlin' },
})

/** The same with a working week of its own, hours that the change of the clocks falls into, and closed days. */
export const workingScope: Scope = scopeOf(schema, 'loan', {
  limits,
  records: named,
  calendar: {
    zone: 'Europe/London',
    closing: { entity: 'off', day: 'day', of: 'region' },
    week: {
      days: [true, true, false, true, true, true, true],
      hours: [
        ...[60, 75].map(from => ({ from, to: 16 * 60 + 45 })),
        null,
        ...[0, 61].map(from => ({ from, to: 14 * 60 })),
        { from: 23 * 60, to: 24 * 60 },
        { from: 60, to: 3 * 60 + 30 },
      ],
      closed: true,
    },
  },
})

export const closed = ['1900-02-28', '2024-02-29', '2026-03-29', '2026-03-31', '2026-12-31'].filter(
  date => new Date(date).getUTCDay() !== 3,
)

export const today = '2026-03-31'
export const now = '2026-03-31T22:30:00.123Z'

const texts = ['a', 'b', 'A', 'ab', 'é', 'e\u0301', '😀', 'a😀b', '\uFFFF', '100%', '_', "it's", 'C:\\x', 'ß', 'İ', ' ']
const integers = [
  '0',
  '1',
  '-1',
  '2',
  '3',
  '7',
  '-2',
  '10',
  '9007199254740993',
  '-9007199254740993',
  '4611686018427387904',
]
const decimals = [
  '0',
  '1',
  '-2.5',
  '2.5',
  '0.1',
  '0.2',
  '0.3',
  '0.5',
  '-0.5',
  '1000000000000.000001',
  '9007199254740993',
  '0.0000000001',
  '-0.00000000005',
  '3.14159',
]
const moneys = ['0.00', '1.00', '2.50', '-2.50', '0.10', '1000000000000.00', '99.99', '0.01', '0.0125']
const dates = [
  '2026-03-31',
  '2026-03-30',
  '2024-02-29',
  '2023-02-28',
  '2000-02-29',
  '1900-02-28',
  '0001-01-01',
  '9999-12-31',
  '2026-01-31',
  '2026-12-31',
  '2026-04-04',
]
const moments = [
  '2026-03-31T22:30:00.123Z',
  '2026-03-29T01:00:00.000Z',
  '2026-10-25T00:30:00.000Z',
  '2026-10-25T01:30:00.000Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '1969-12-31T23:59:59.999Z',
  '2026-03-27T16:45:00.000Z',
  '2026-03-30T09:00:00.000Z',
]
const times = ['00:00', '09:00', '12:30', '23:59']
const clocks = ['PT0S', 'PT5400S', 'PT3600S', 'PT0.5S', 'PT86400S', 'PT100000000000S']
const calendars = ['P0M1D', 'P1M0D', 'P12M0D', 'P0M7D', 'P0M0D', 'P13M3D']

const lists: Readonly<Partial<Record<Type['kind'], readonly string[]>>> = {
  text: texts.map(text => text.normalize('NFC')),
  integer: integers,
  decimal: decimals,
  money: moneys,
  date: dates,
  moment: moments,
  time: times,
}

const idOf = (entity: string, index: number): string => {
  const kind = [...schema.keys()].indexOf(entity) + 1
  return `0000000${kind}-0000-7000-8000-${String(index).padStart(12, '0')}`
}

const counts: Readonly<Record<string, number>> = { region: 5, person: 7, item: 10, loan: 40, off: 24, rate: 12 }

export interface World {
  /** By entity. Loans have their lists; nobody has the computed fields. */
  readonly records: ReadonlyMap<string, readonly RecordValue[]>
  /** Each loan before its change, in the order of the loans. */
  readonly old: readonly RecordValue[]
  readonly environments: readonly Environment[]
}

export function makeWorld(seed: number): World {
  const dice = chance(seed)
  const records = new Map<string, readonly RecordValue[]>()
  for (const [entity, count] of Object.entries(counts)) {
    records.set(
      entity,
      Array.from({ length: count }, (_, index) => recordOf(entity, index, dice)),
    )
  }
  const lines: RecordValue[] = []
  const loans = records.get('loan')!.map((loan): RecordValue => {
    const own = Array.from({ length: Math.max(0, dice.below(6) - 1) }, (_, index): RecordValue => {
      return { ...recordOf('line', lines.length + index, dice), loan: loan.id }
    })
    lines.push(...own)
    // They do not stand as they were created.
    own.reverse()
    const helpers = records.get('person')!.filter(() => dice.percent(25))
    return { ...loan, lines: own, helpers }
  })
  records.set('loan', loans)
  records.set('line', lines)
  const old = loans.map((loan, index) => ({ ...recordOf('loan', index, dice), id: loan.id! }) as RecordValue)
  const byId = new Map([...records.values()].flat().map(record => [record.id as string, record]))
  const me = idOf('person', 0)
  const environments = loans.map((row, index): Environment => {
    return {
      row: row as RecordValue,
      old: old[index]!,
      me,
      records: names,
      my: byId.get(me)!,
      today,
      now,
      limits: limitValues,
      closed,
      related: (_, id) => byId.get(id),
      all: entity => records.get(entity),
    }
  })
  return { records, old, environments }
}

function recordOf(entity: string, index: number, dice: Chance): RecordValue {
  const record: Record<string, Wire> = { id: idOf(entity, index) }
  for (const field of storedFields(entity)) {
    if (field.key === 'id') continue
    const isEmpty = field.optional && dice.percent(35)
    // The person who asks has everything, so that `my.…` says something.
    record[field.key] = isEmpty && !(entity === 'person' && index === 0) ? null : wireOf(field.type, dice)
  }
  return record
}

function wireOf(type: Type, dice: Chance): Wire {
  switch (type.kind) {
    case 'yes/no':
      return dice.percent(50)
    case 'choice':
      return dice.one(type.options)
    case 'choices':
      return dice.one([type.options, type.options.slice(0, 1), type.options.slice(1)]).join(', ')
    case 'duration':
      return dice.one(type.of === 'clock' ? clocks : calendars)
    case 'reference':
      return idOf(type.entity, dice.below(counts[type.entity]!))
    default:
      return dice.one(lists[type.kind]!)
  }
}

/** Fields that have a column. */
export const storedFields = (entity: string): readonly FieldShape[] =>
  [...schema.get(entity)!.fields.values()].filter(field => field.computed === undefined && field.type.kind !== 'list')

/** The statements that make the tables and fill them. */
export function worldSql(world: World): readonly Sql[] {
  const statements: Sql[] = []
  const put = (table: string, entity: string, rows: readonly RecordValue[]) => {
    const fields = storedFields(entity)
    const columns = fields.map(
      field =>
        sql`${identifier(field.key)} ${castOf(field.type)}${raw(field.type.kind === 'moment' ? '(3)' : '')}${raw(field.optional ? '' : ' not null')}`,
    )
    statements.push(sql`create table ${identifier(table)} (${join(columns, ', ')}, primary key (id))`)
    for (const row of rows) {
      const values = fields.map(field => sql`${row[field.key]}::text::${castOf(field.type)}`)
      statements.push(sql`insert into ${identifier(table)} values (${join(values, ', ')})`)
    }
  }
  for (const [entity, rows] of world.records) put(entity, entity, rows)
  statements.push(sql`alter table line add column position integer`)
  for (const { lines } of world.records.get('loan')!)
    for (const [index, { id }] of (lines as readonly RecordValue[]).entries())
      statements.push(sql`update line set position = ${String(index + 1)}::integer where id = ${id}::uuid`)
  put('loan_old', 'loan', world.old)
  statements.push(sql`create table loan_helpers (owner uuid not null, member uuid not null)`)
  for (const loan of world.records.get('loan')!) {
    for (const helper of loan.helpers as readonly RecordValue[]) {
      statements.push(sql`insert into loan_helpers values (${loan.id}::uuid, ${helper.id}::uuid)`)
    }
  }
  return statements
}
