/** What the document says in the tables of its headings, read from their cells. */
import type { Cell } from '../../document/source.ts'
import type { Document, Subject } from '../../document/tree.ts'
import {
  bare,
  isNone,
  isOpen,
  keyOf,
  pieces,
  type Row,
  rowsOf,
  saysOf,
  sectionsOf,
  stepKeyOf,
  subjectsOf,
} from './cells.ts'
import { shown } from './clock.ts'
import { dayOf, minutesOf, NotJudged } from './values.ts'

export interface FieldTold {
  readonly key: string
  /** As `valueIn` knows it. */
  readonly kind: string
  readonly entity: string | null
  /** As it is written: `auto number LN-{0000}`. */
  readonly type: string
  readonly rules: readonly string[]
  readonly computed: string | null
  /** The unseen field of the record that is filled while it is frozen. */
  readonly frozen: string | null
}

export interface StepTold {
  readonly row: Row
  readonly cell: Cell
  readonly key: string
  readonly from: readonly string[]
  /** Null: it is left open. */
  readonly to: string | null
  readonly who: string
  readonly when: Cell | null
  readonly acts: readonly string[]
}

export interface EntityTold {
  readonly key: string
  readonly name: string
  readonly partOf: string | null
  /** The field of a row by which it names what it is part of. */
  readonly parent: string | null
  readonly fields: ReadonlyMap<string, FieldTold>
  /** What is locked in a state; by its name. */
  readonly locks: ReadonlyMap<string, string>
  /** The unseen field that is filled while a record is frozen as a whole, and what is left out. */
  readonly frozen: { readonly mark: string; readonly except: readonly string[] } | null
  readonly steps: readonly StepTold[]
  /** Steps that wait for several people: the rows of their approvals. */
  readonly approvals: ReadonlyMap<string, readonly Row[]>
  /** Rows of heading 6: of roles, and what is closed; null: it says nothing of it. */
  readonly permissions: readonly Row[] | null
  readonly nevers: readonly Row[]
  /** By field: the rows that restrict it. */
  readonly lines: ReadonlyMap<string, readonly Row[]>
}

/** What `Exchange rates` says: `1 EUR = rate currency since valid_from`; `isOfBase`: one of the base is so much of the other. */
export interface RatesTold {
  readonly entity: string
  readonly base: string
  readonly isOfBase: boolean
  readonly currency: string
  readonly rate: string
  readonly since: string
}

export interface Told {
  readonly zone: string
  /** The key of the field by which records name their tenant; null: nobody is kept apart. */
  readonly tenant: string | null
  readonly entities: ReadonlyMap<string, EntityTold>
  readonly entity: (key: string) => EntityTold
  /** By the name that expressions have for it. */
  readonly called: (name: string) => string | null
  /** What Who says of each role. */
  readonly roles: ReadonlyMap<string, Cell>
  /** By the name of the rule: the condition, and the code. */
  readonly rules: ReadonlyMap<string, { readonly holds: Cell; readonly code: string }>
  readonly week: { readonly days: ReadonlySet<number>; readonly hours: ReadonlyMap<number, readonly [number, number]> }
  /** `Closing day.day`. */
  readonly closedOn: string | null
  /** The entity that holds exchange rates. */
  readonly rates: RatesTold | null
  readonly dayAt: (moment: number) => number
  /** A constant as it is written, on a day; null: it is left open. */
  readonly constant: (key: string, day: number) => string | null
}

export function read(document: Document): Told {
  const product = sectionsOf(document, 1)
  const zone = product.map(one => saysOf(one, 'Time zone')).find(one => one !== null && !isOpen(one)) ?? 'UTC'
  const tenant = product.map(one => saysOf(one, 'Tenant')).find(one => !isNone(one)) ?? null
  const names = new Set(['person', ...subjectsOf(document, 3).map(({ title }) => keyOf(title.text))])
  const entities = new Map([...names].map(key => [key, entityOf(document, key, names, tenant)]))
  const constants = Map.groupBy(constantRows(document), row => row('Name')!.text)
  const [work] = subjectsOf(document, 9).filter(({ title }) => keyOf(title.text) === 'working_time')
  const rules = sectionsOf(document, 5).flatMap(one =>
    [one, ...one.subjects].flatMap(of => rowsOf(of, 'Rule', 'Must hold')),
  )
  return {
    zone,
    tenant: tenant === null ? null : keyOf(tenant),
    entities,
    entity(key) {
      const found = entities.get(key)
      if (found === undefined) throw new NotJudged(key)
      return found
    },
    called: name => (entities.has(keyOf(name)) ? keyOf(name) : null),
    roles: new Map(
      sectionsOf(document, 6).flatMap(one =>
        rowsOf(one, 'Role', 'Who').map(row => [row('Role')!.text, row('Who')!] as const),
      ),
    ),
    rules: new Map(rules.map(row => [row('Rule')!.text, { holds: row('Must hold')!, code: row('Error')?.text ?? '' }])),
    week: weekOf(work),
    closedOn: work === undefined ? null : saysOf(work, 'Closed on'),
    rates: ratesOf(document),
    dayAt: moment => shown(zone, moment).day,
    constant(key, day) {
      const rows = constants.get(key)
      if (rows === undefined) throw new NotJudged(`limits.${key}`)
      const since = (row: Row): number =>
        isNone(row('Since')?.text) ? Number.NEGATIVE_INFINITY : dayOf(row('Since')!.text)
      const [found] = rows.filter(row => since(row) <= day).sort((a, b) => since(b) - since(a))
      const text = bare(found!('Value')!.text)
      return isOpen(text) ? null : rows[0]!('Unit')?.text === '%' && !text.endsWith('%') ? `${text}%` : text
    },
  }
}

function ratesOf(document: Document): RatesTold | null {
  for (const subject of subjectsOf(document, 3)) {
    const said = saysOf(subject, 'Exchange rates')
    const [, one, rate, other, since] =
      /^1\s+(\w+)\s*=\s*(\w+)\s+(\w+)\s+since\s+(\w+)$/.exec((said ?? '').replaceAll('`', '').trim()) ?? []
    if (one === undefined) continue
    const isOfBase = /^[A-Z]{3}$/.test(one)
    const [base, currency] = isOfBase ? [one, other!] : [other!, one]
    return { entity: keyOf(subject.title.text), base, isOfBase, currency, rate: rate!, since: since! }
  }
  return null
}

const constantRows = (document: Document): readonly Row[] =>
  sectionsOf(document, 9).flatMap(one => [one, ...one.subjects].flatMap(of => rowsOf(of, 'Name', 'Value')))

function entityOf(document: Document, key: string, names: ReadonlySet<string>, tenant: string | null): EntityTold {
  const of = (number: number) => subjectsOf(document, number).filter(({ title }) => keyOf(title.text) === key)
  const own = of(3)
  const partOf = own.find(({ partOf: above }) => above !== null)?.partOf ?? null
  const above = partOf === null ? null : keyOf(partOf.text)
  const groups = own.flatMap(({ blocks }) => blocks.filter(({ title }) => /^Fields:/i.test(title.text)))
  const said = [...own, ...groups].flatMap(one => rowsOf({ tables: one.tables } as Subject, 'Field', 'Type'))
  const fields = new Map(said.map(row => [row('Field')!.text, fieldOf(row, names)]))
  if (key === 'person')
    for (const [name, type] of [
      ['name', 'text'],
      ['email', 'e-mail'],
    ] as const)
      if (!fields.has(name)) fields.set(name, typed(name, type, [], names))
  // Whose a record is stands in it, unseen; conditions read it by the name of the tenant.
  const isApart = tenant !== null && key !== keyOf(tenant) && !own.some(one => isNone(saysOf(one, 'Tenant') ?? 'own'))
  if (isApart && above === null) fields.set(keyOf(tenant), typed(keyOf(tenant), tenant, ['hidden'], names))
  const states = of(4).flatMap(one => rowsOf({ tables: one.tables } as Subject, 'State'))
  const access = of(6)
  const permissions = access.flatMap(one => rowsOf(one, 'Role', 'See'))
  const grouped = (field: string): readonly string[] => {
    const group = groups.find(({ title }) => title.text.replace(/^Fields:\s*/i, '') === field)
    return group === undefined ? [field] : rowsOf(group, 'Field', 'Type').map(row => row('Field')!.text)
  }
  const lines = access.flatMap(one =>
    rowsOf({ tables: one.tables } as Subject, 'Field', 'See').flatMap(row =>
      grouped(row('Field')!.text).map(field => [field, row] as const),
    ),
  )
  return {
    key,
    name: own[0]?.title.text ?? 'Person',
    partOf: above,
    parent: above,
    fields,
    locks: new Map(states.map(row => [row('State')!.text, row('Locks')?.text ?? ''])),
    frozen: frozenAsWhole(own),
    steps: of(4).flatMap(one => rowsOf(one, 'Transition', 'From', 'To').map(stepOf)),
    approvals: Map.groupBy(
      of(4).flatMap(one => rowsOf(one, 'Approval', 'Of')),
      row => stepKeyOf(row('Of')!.text),
    ),
    permissions: access.length === 0 ? null : permissions.filter(row => !isNever(row)),
    nevers: permissions.filter(isNever),
    lines: new Map(
      [...Map.groupBy(lines, ([field]) => field)].map(([field, all]) => [field, all.map(([, row]) => row)]),
    ),
  }
}

/** `on submit until send back, except remarks`. */
function frozenAsWhole(own: readonly Subject[]): EntityTold['frozen'] {
  const said = own.map(one => saysOf(one, 'Frozen')).find(one => !isNone(one))
  if (said == null) return null
  const [, steps = said, except = ''] = /^(.*?),?\s+except\s+(.*)$/i.exec(said) ?? []
  return { mark: markOf(steps.replace(/^on\s+/i, '')), except: pieces(except, ',') }
}

/** `submit, resubmit until send back`. */
const markOf = (said: string): string =>
  ['frozen on', ...said.split(/(?:,|\b(until)\b)/i)]
    .map(piece => stepKeyOf(piece ?? ''))
    .filter(piece => piece !== '')
    .join('_')

const isNever = (row: Row): boolean => /^never\b/i.test(row('Role')!.text)

function stepOf(row: Row): StepTold {
  const to = row('To')!.text
  const when = row('When')
  return {
    row,
    cell: row('Transition')!,
    key: stepKeyOf(row('Transition')!.text),
    from: pieces(row('From')!.text, ',').map(unquoted),
    to: isOpen(to) ? null : unquoted(to),
    who: row('Who')?.text ?? 'TBD',
    when: isNone(when?.text) ? null : when,
    acts: pieces(row('Then')?.text ?? '', ';'),
  }
}

const unquoted = (text: string): string => bare(text).replace(/^"(.*)"$/, '$1')

function fieldOf(row: Row, names: ReadonlySet<string>): FieldTold {
  return typed(row('Field')!.text, row('Type')!.text, pieces(row('Rules')?.text ?? '', ';'), names)
}

const kinds: readonly (readonly [RegExp, string])[] = [
  [/^(?:integer|decimal|money|percent)\b/i, 'number'],
  [/^date and time$/i, 'moment'],
  [/^date$/i, 'date'],
  [/^time$/i, 'time'],
  [/^duration\b/i, 'length'],
  [/^yes\/no$/i, 'yes/no'],
  [/^several of:/i, 'choices'],
  [/^(?:text|long text|markdown|e-mail|phone|link|choice:|auto number|file|image)(?:\s|$)|^choice:/i, 'text'],
  [/^(?:secret|json)$/i, 'closed'],
]

function typed(key: string, type: string, rules: readonly string[], names: ReadonlySet<string>): FieldTold {
  const formula = rules.find(rule => /^=|^follows /.test(rule))
  const computed = formula === undefined ? null : bare(formula.replace(/^=|^follows /, ''))
  const known = kinds.find(([pattern]) => pattern.test(type))?.[1]
  const [, list, named = type] = /^(list of|several) (.*)$/i.exec(type) ?? []
  const entity = known === undefined && names.has(keyOf(named)) ? keyOf(named) : null
  const other =
    entity === null ? 'unknown' : list === undefined ? 'record' : /^several$/i.test(list) ? 'several' : 'rows'
  const frozen = rules.find(rule => /^frozen on /.test(rule))?.replace(/^frozen on /, '')
  return {
    key,
    kind: known ?? other,
    entity,
    type,
    rules,
    computed,
    frozen: frozen === undefined ? null : markOf(frozen),
  }
}

const dayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** `Monday to Friday`, `every day`, `Monday, Thursday`. */
export function daysIn(text: string): readonly number[] {
  if (/^every day$/i.test(text.trim())) return [1, 2, 3, 4, 5, 6, 7]
  if (/^weekdays?$/i.test(text.trim())) return [1, 2, 3, 4, 5]
  return pieces(text, ',').flatMap(piece => {
    const [first, last = first] = piece.split(/\s+to\s+/i).map(name => dayNames.indexOf(name.trim().toLowerCase()) + 1)
    if (first === undefined || first === 0 || last === 0) throw new NotJudged(text)
    const count = (((last! - first) % 7) + 7) % 7
    return Array.from({ length: count + 1 }, (_, by) => ((first - 1 + by) % 7) + 1)
  })
}

function weekOf(work: Subject | undefined): Told['week'] {
  const said = work === undefined ? null : saysOf(work, 'Days')
  const hours = new Map<number, readonly [number, number]>()
  const written = work === undefined ? null : saysOf(work, 'Hours')
  const days = said === null ? null : daysIn(said)
  for (const piece of written === null ? [] : pieces(written, ',')) {
    const [, of, from, to] = /^(.*?)\s*(\d{1,2}:\d\d)\s+to\s+(\d{1,2}:\d\d)$/.exec(piece) ?? []
    if (from === undefined) throw new NotJudged(piece)
    for (const day of of === '' ? (days ?? [1, 2, 3, 4, 5]) : daysIn(of!))
      hours.set(day, [minutesOf(from), minutesOf(to!)])
  }
  const isByDay = written !== null && /^[a-z]/i.test(written)
  return { days: new Set(days ?? (isByDay ? [...hours.keys()] : [1, 2, 3, 4, 5])), hours }
}
