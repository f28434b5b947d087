/** What names mean: fields of the record and of those that it leads to, the person, the day, constants. */
import type { FieldTold, Told } from './told.ts'
import * as values from './values.ts'
import { eachOf, type Frame, isA, NotJudged, type Stored, type Value, valueIn } from './values.ts'

/** Who asks of which record, and everything that conditions look at. */
export interface About {
  readonly told: Told
  /** An expression from its text. */
  readonly read: (text: string) => Part
  readonly row: Frame
  /** What `this` is. */
  readonly self: Frame
  /** There is no such record: `this` is each one that acts look for. */
  readonly alone?: true
  readonly old: Stored | null
  readonly me: string | null
  readonly now: number
  /** What names mean that acts gave. */
  readonly given?: ReadonlyMap<string, Value>
  /** Days without work. */
  readonly closed: ReadonlySet<number>
  /** Values that somebody gave constants since, as they are written. */
  readonly changed: ReadonlyMap<string, string>
  readonly record: (entity: string, id: string) => Stored | undefined
  readonly records: (entity: string) => readonly Stored[]
}

export type Part = (about: About) => Value

const builtIn: Readonly<Record<string, { readonly kind: string; readonly entity: string | null }>> = {
  state: { kind: 'text', entity: null },
  created_at: { kind: 'moment', entity: null },
  changed_at: { kind: 'moment', entity: null },
  archived_at: { kind: 'moment', entity: null },
  created_by: { kind: 'record', entity: 'person' },
  changed_by: { kind: 'record', entity: 'person' },
  position: { kind: 'number', entity: null },
}

export function named([first, ...behind]: readonly string[], about: About): Value {
  const record = (frame: Frame): Value => ({ is: 'record', entity: frame.entity, of: String(frame.record.id) })
  switch (first) {
    case 'today':
      return values.date(about.told.dayAt(about.now))
    case 'now':
      return values.moment(about.now)
    case 'limits':
      return constantOn(behind[0]!, null, false, about)
    case 'me':
    case 'my':
      return about.me === null ? null : follow({ is: 'record', entity: 'person', of: about.me }, behind, about)
    case 'this':
      return behind.length === 0 ? record(about.self) : through(about.self, behind, about)
    case 'old':
      return about.old === null ? null : through({ ...about.row, record: about.old }, behind, about)
    default: {
      const given = about.given?.get(first!)
      return given === undefined ? through(about.row, [first!, ...behind], about) : follow(given, behind, about)
    }
  }
}

const through = (frame: Frame, [first, ...behind]: readonly string[], about: About): Value =>
  follow(field(frame, first!, about), behind, about)

/** What a path leads to from here: of several, of each of them. */
export function follow(from: Value, path: readonly string[], about: About): Value {
  const [first, ...behind] = path
  if (first === undefined || from === null) return from
  if (typeof from === 'boolean') throw new NotJudged(first)
  if (from.is === 'rows') return { is: 'several', of: from.of.flatMap(row => eachOf(through(row, path, about))) }
  if (from.is === 'several') return { is: 'several', of: from.of.flatMap(each => eachOf(follow(each, path, about))) }
  if (from.is !== 'record') throw new NotJudged(first)
  const record = about.record(from.entity, from.of)
  if (record === undefined) throw new NotJudged(`a ${from.entity} that is not there`)
  return follow(field({ entity: from.entity, record, up: null }, first, about), behind, about)
}

/** A field of a record: as it is stored, or as it is worked out. */
export function field(frame: Frame, key: string, about: About): Value {
  const { entity, record, up } = frame
  if (key === 'id') return { is: 'record', entity, of: String(record.id) }
  const told = about.told.entity(entity)
  const known: FieldTold | undefined = told.fields.get(key)
  if (known === undefined) {
    if (key === told.parent) return parentOf(frame, key)
    if (builtIn[key] === undefined) throw new NotJudged(`${entity}.${key}`)
    return valueIn(record[key], builtIn[key])
  }
  if (known.kind === 'rows') return rowsOf(frame, known)
  if (known.computed !== null && known.frozen !== null && record[known.frozen] != null)
    return valueIn(record[`${key}_frozen`], known)
  if (record[key] !== undefined || known.computed === null) return valueIn(record[key], known)
  const own = { ...about, row: { entity, record, up }, self: { entity, record, up } }
  return inItsDecimals(known, about.read(known.computed)(own), own)
}

/** What is worked out in the currency that a field says has its decimals. */
function inItsDecimals({ type }: FieldTold, value: Value, about: About): Value {
  const said = /^money in (\S+)$/.exec(type)?.[1]
  return said === undefined || !isA(value, 'number') ? value : values.roundedIn(value, named(said.split('.'), about))
}

function parentOf({ record, up }: Frame, key: string): Value {
  const id = up?.record.id ?? record[key]
  return id == null ? null : { is: 'record', entity: up?.entity ?? key, of: String(id) }
}

function rowsOf(frame: Frame, { key, entity }: FieldTold): Value {
  const rows = frame.record[key]
  if (!Array.isArray(rows)) throw new NotJudged(`rows of ${key}`)
  return { is: 'rows', of: rows.map((record: Stored) => ({ entity: entity!, record, up: frame })) }
}

/** As it holds today, or on a day. */
export function constantOn(key: string, day: Value, isDated: boolean, about: About): Value {
  if (isDated && day === null) return null
  const then = isA(day, 'date') ? day.of : about.told.dayAt(about.now)
  const text = (isDated ? undefined : about.changed.get(key)) ?? about.told.constant(key, then)
  return text === null ? null : about.read(text)(about)
}
