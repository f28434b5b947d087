/**
 * What verify asks about the document: its own reading of the text (`oracle/`); where that does not know a word, what the application made
 * of the same text, evaluated in JavaScript over records that verify read itself.
 */
import { isVaried } from '../expression/currency.ts'
import { type Environment, evaluate, NOT_LOADED } from '../expression/evaluate.ts'
import type { Expression } from '../expression/expression.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import type { App } from '../headings/app.ts'
import { specified } from '../headings/specified.ts'
import { dateIn } from '../run/clock.ts'
import type { Player, Site } from './client.ts'
import type { About } from './oracle/names.ts'
import { partOf, recordsIn } from './oracle/read.ts'
import type { Said } from './oracle/rights.ts'
import { read, type Told } from './oracle/told.ts'
import { type Frame, NotJudged, type Stored, type Value, wireOf } from './oracle/values.ts'

/** What a condition is asked against, as both know it. */
export interface Asked extends Environment {
  readonly entity: string
  readonly about: Omit<About, 'row' | 'self' | 'old' | 'told' | 'read' | 'given'>
  readonly app: App
  /** What `let` has named. */
  readonly given?: ReadonlyMap<string, Value>
  /** No record is what it is about: `this` is each one that acts look for. */
  readonly alone?: true
  /** What `this` is, where it is not the record itself. */
  readonly self?: Frame
}

interface Reading {
  readonly told: Told
  /** What the application made of a piece of text, by where it stands. */
  readonly compiled: ReadonlyMap<string, Expression>
  /** What was not read, and by which words. */
  readonly unread: Map<string, string>
}

const readings = new WeakMap<App, Reading>()

function readingOf(app: App): Reading {
  let reading = readings.get(app)
  if (reading === undefined) {
    reading = { told: read(app.document), compiled: compiledIn(app), unread: new Map() }
    readings.set(app, reading)
  }
  return reading
}

/** Texts of which the oracle knew a word not, so that the application's own reading of them was taken, and why. */
export const unreadIn = (app: App): ReadonlyMap<string, string> => readingOf(app).unread

export const toldOf = (app: App): Told => readingOf(app).told

type Given = ReturnType<typeof evaluate>

/** The same, as the oracle knows it. */
export function aboutOf({ app, entity, row: record, old, about, self, given, alone }: Asked): About {
  const row: Frame = { entity, record: record as Stored, up: null }
  const names = given === undefined ? {} : { given }
  return {
    ...about,
    ...names,
    ...(alone && { alone }),
    told: toldOf(app),
    read: partOf,
    row,
    self: self ?? row,
    old: old as Stored | null,
  }
}

/** What a name is given by a text; null: it cannot be told. */
export function namedBy(text: string, asked: Asked): { readonly value: Value } | null {
  try {
    return { value: partOf(text)(aboutOf(asked)) }
  } catch (error) {
    if (error instanceof NotJudged) return null
    throw error
  }
}

/** The records that acts are about, by the text that names them; null: it cannot be told. */
export function recordsOf(text: string, asked: Asked): readonly Frame[] | null {
  try {
    return recordsIn(text, aboutOf(asked))
  } catch (error) {
    if (error instanceof NotJudged) return null
    throw error
  }
}

/** What an expression gives; `said`: its text, where its cell holds more than that. */
export function worth(said: (Expression & { readonly said?: string }) | Said, asked: Asked): Given {
  const { compiled, unread } = readingOf(asked.app)
  const text = 'cell' in said ? (said.said ?? said.cell.text) : said.text
  try {
    return wireOf(partOf(text)(aboutOf(asked))) as Given
  } catch (error) {
    if (!(error instanceof NotJudged)) throw error
    unread.set(text, error.message)
    // Who decided, one after the other, stands in no record that was read.
    if (/\blist\(decisions\b/.test(text)) return NOT_LOADED
    const expression =
      'cell' in said ? said : 'file' in said ? compiled.get(placeOf(said as Expression['cell'])) : undefined
    return expression === undefined ? NOT_LOADED : evaluate(expression, asked)
  }
}

/** The currency of an amount, where a field says it. */
export function currencyIn(expression: Expression, asked: Asked): string | null {
  const { type } = expression
  const code = isVaried(type) ? worth({ ...expression, said: type.currency.of }, asked) : null
  return typeof code === 'string' ? code : null
}

const placeOf = ({ file, start }: Expression['cell']): string => `${file.path} ${start}`

/** All expressions below some parts of the model. */
function compiledIn({ access, workflows, roles, rules }: App): ReadonlyMap<string, Expression> {
  const found = new Map<string, Expression>()
  const look = (part: unknown): void => {
    if (part instanceof Map) for (const each of part.values()) look(each)
    else if (Array.isArray(part)) for (const each of part) look(each)
    else if (typeof part === 'object' && part !== null) {
      if ('root' in part && 'reads' in part) found.set(placeOf((part as Expression).cell), part as Expression)
      else if (!('file' in part)) for (const each of Object.values(part)) look(each)
    }
  }
  look([access, workflows, roles, rules])
  return found
}

/** Constants as they hold now, and on days, for what the application made of a text. */
export function limitsOf(app: App, asked: Asked['about']): Environment['limits'] {
  const told = toldOf(app)
  const row: Frame = { entity: 'person', record: {}, up: null }
  const about = { ...asked, told, read: partOf, row, self: row, old: null }
  const limits: Record<string, Wire> = {}
  for (const key of app.limits.keys()) {
    try {
      limits[key] = wireOf(partOf(`limits.${key}`)(about)) as Wire
    } catch (error) {
      if (!(error instanceof NotJudged)) throw error
    }
  }
  return limits
}

/** The days of `Closed on`, which count for everybody. */
export function closedDays(told: Told, records: (entity: string) => readonly RecordValue[]): readonly string[] {
  const [, name, field, whose] = /^(.*)\.(\w+)(?: of (\w+))?$/.exec(told.closedOn ?? '') ?? []
  const entity = name === undefined ? null : told.called(name)
  if (entity === null) return []
  const days = records(entity).flatMap(record =>
    typeof record[field!] === 'string' && (whose === undefined || record[whose] == null)
      ? [record[field!] as string]
      : [],
  )
  return days.sort()
}

/** What can be known outside of the application: a record's own values, the person, the day, constants as written. */
export function environmentOf({ app, clock }: Site, player: Player | null, row: RecordValue): Environment {
  const limits = Object.fromEntries([...app.limits].map(([key, { value }]) => [key, specified(value)?.wire ?? null]))
  const now = clock.now().toISOString()
  return {
    row,
    old: null,
    me: player?.id ?? null,
    my: null,
    today: dateIn(clock.now(), app.product.timeZone.name),
    now,
    limits,
    related: () => undefined,
  }
}
