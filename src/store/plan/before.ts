/**
 * What a version of the application goes on using that runs while the tables become those of the next one: columns and tables under the
 * names that they had, and the database's own defaults. Each is marked with the document that brought it, and goes with the one after that.
 */
import { endingIn, literal, quoted, shortName, tableName } from '../names.ts'
import type { Column, Physical } from '../physical.ts'
import { converted } from './both-ways.ts'
import { commentOf, speaksOf } from './definition.ts'
import { notKeptCode } from './foreign.ts'
import type { Actual, ActualColumn, ActualPair, ActualTable } from './introspect.ts'
import { inPortions } from './portions.ts'
import { alter, dropConstraint } from './statements.ts'
import { phases, type Step, step } from './step.ts'
import { selected, viewsOfBefore } from './version-views.ts'

/** Two columns with the same values: a trigger writes each as the other is written. */
export interface Pair {
  readonly from: string
  readonly to: string
  /** Version of the document that brought `to`. */
  readonly since: string
}

/** A view in the place of a table that has another name now. */
export interface Alias {
  readonly table: string
  readonly since: string
}

/** A column of another type in the making. No column of a document has a `$` in its name. */
const making = '$new'
export const inTheMaking = (name: string): string => endingIn(name, making)
export const isInTheMaking = ({ to }: Pair): boolean => to.endsWith(making)

/** The column of the type that it was, which the version before goes on seeing under its name. */
const was = '$was'
export const ofTypeBefore = (name: string): string => endingIn(name, was)
export const isOfTypeBefore = ({ from }: Pair): boolean => from.endsWith(was)

const functionOf = (table: string, { from, to }: Pair): string => shortName('becomes', table, ...[from, to].sort())

/** Before `kept_in_…`, which reads what it writes: triggers come in the order of their names. */
const triggerOf = ({ from, to }: Pair): string => quoted(shortName('becomes', ...[from, to].sort()))

/** How one column of a pair is written as the other is, over the columns of the row. */
export interface Ways {
  /** What `to` becomes. */
  readonly forward: string
  /** The values of `from` that `to` cannot hold: whoever writes one is refused. Null: it holds them all. */
  readonly refused: string | null
  /** What `from` becomes; null where nobody writes `to` but this. */
  readonly backward: string | null
}

/** `known`: how the version before calls what it writes. */
export function pairUp(table: string, pair: Pair, ways: Ways, known: string): readonly string[] {
  const [from, to] = [quoted(pair.from), quoted(pair.to)]
  const set = (column: string, value: string) => `select ${value} into new.${column} from (select new.*) as t;`
  const said = `errcode = '${notKeptCode}', schema = 'public', table = ${literal(table)}, column = ${literal(known)}`
  const refuse =
    ways.refused === null
      ? ''
      : `if (select ${ways.refused} from (select new.*) as t) then raise exception 'not kept' using ${said}; end if; `
  const forth = `${refuse}${set(to, ways.forward)}`
  const back = ways.backward === null ? '' : set(from, ways.backward)
  const body =
    ways.backward === null
      ? forth
      : `if tg_op = 'INSERT' then
    if new.${to} is null then ${forth} else ${back} end if;
  elsif new.${to} is distinct from old.${to} then ${back}
  elsif new.${from} is distinct from old.${from} then ${forth} end if;`
  const called = `ninefold.${quoted(functionOf(table, pair))}`
  return [
    `create or replace function ${called}() returns trigger language plpgsql set search_path to public, pg_temp as $becomes$ begin
  ${body}
  return new; end $becomes$`,
    `create or replace trigger ${triggerOf(pair)} before insert or update on ${tableName(table)} for each row execute function ${called}()`,
    commentOnPair(table, pair),
  ]
}

export const commentOnPair = (table: string, pair: Pair): string =>
  `comment on trigger ${triggerOf(pair)} on ${tableName(table)} is ${commentOf(JSON.stringify([pair.from, pair.to, pair.since]))}`

/** `pair`: as it is there, or is made before. */
export const unpair = (table: string, pair: Pair | ActualPair): string =>
  `drop function if exists ninefold.${quoted('function' in pair ? pair.function : functionOf(table, pair))}() cascade`

/** A trigger that tells what is said by a name of before by the new one. */
interface Retold {
  readonly system: string
  readonly name: string
  readonly when: string
  readonly does: string
}

function fieldTriggers(table: string, { from, to }: Pair): readonly Retold[] {
  const name = quoted(shortName('renamed', table, from))
  const its = `new.entity = ${literal(table)}`
  const [old, fresh] = [literal(from), literal(to)]
  return [
    { system: 'history', name, when: `${its} and new.changes ? ${old}`, does: `renamed_field(${old}, ${fresh})` },
    { system: 'counter', name, when: `${its} and new.field = ${old}`, does: `renamed('field', ${fresh})` },
  ]
}

const entityTriggers = (was: string, now: string, { systemTables }: Actual): readonly Retold[] =>
  [...systemTables.keys()].map(system => ({
    system,
    name: quoted(shortName('renamed', was)),
    when: `new.entity = ${literal(was)}`,
    does: `renamed('entity', ${literal(now)})`,
  }))

const retell = ({ system, name, when, does }: Retold): string =>
  `create or replace trigger ${name} before insert on ninefold.${quoted(system)} for each row when (${when}) execute function ninefold.${does}`
const leave = ({ system, name }: Retold): string => `drop trigger if exists ${name} on ninefold.${quoted(system)}`

/** What was said of the field by its name before is said of it by its new one, in portions. `now`: the table's name before the migration. */
export function retold(table: string, from: string, to: string, cell: Step['because'], now = table): Step {
  const [old, fresh] = [literal(from), literal(to)]
  const said = `entity = ${literal(table)} and changes ? ${old}`
  const set = `changes = (changes - ${old}) || jsonb_build_object(${fresh}, changes -> ${old})`
  const what = `Let the history of ${table} speak of ${to} instead of ${from}`
  return step(phases.reworded, 'rows', cell, what, [inPortions('ninefold.history', set, said)], {
    mode: 'outside',
    through: 'ninefold.history',
    onlyIf: `select from ninefold.history where entity in (${literal(table)}, ${literal(now)}) and changes ? ${old} limit 1`,
  })
}

/** The same of what is said from now on. */
export const retoldFromNowOn = (table: string, pair: Pair): readonly string[] => [
  ...fieldTriggers(table, pair).map(retell),
  `update ninefold.counter set field = ${literal(pair.to)} where entity = ${literal(table)} and field = ${literal(pair.from)}`,
]

/** The table under the name that it had. `known`: its columns, by the names that the version before knows. */
export const viewOf = (
  was: string,
  now: string,
  since: string,
  known: ReadonlyMap<string, string>,
): readonly string[] => [
  `create view ${tableName(was)} as ${selected(now, known)}`,
  commentOnAlias(was, { table: now, since }),
]

export const commentOnAlias = (was: string, { table, since }: Alias): string =>
  `comment on view ${tableName(was)} is ${commentOf(JSON.stringify([table, since]))}`

/** The same, and what is said of the entity by it. */
export const standIn = (
  was: string,
  now: string,
  since: string,
  actual: Actual,
  columns: readonly string[],
): readonly string[] => [
  ...viewOf(was, now, since, new Map(columns.map(name => [name, name]))),
  ...entityTriggers(was, now, actual).map(retell),
]

export const standInNoMore = (was: string, now: string, actual: Actual): readonly string[] => [
  `drop view if exists ${tableName(was)}`,
  ...entityTriggers(was, now, actual).map(leave),
]

export interface Before {
  /** Stand in the way of what comes. */
  readonly steps: readonly Step[]
  /** Nothing needs them any more. */
  readonly leftOver: readonly Step[]
  /** The database without what serves another version alone. */
  readonly actual: Actual
  /** By name: tables with the columns that the version that runs goes on finding. */
  readonly shown: ReadonlyMap<string, ActualTable>
  /** By table and name: columns that an interrupted run has put beside these, which it was still filling. */
  readonly begun: ReadonlyMap<string, ReadonlyMap<string, ActualColumn>>
  /** By table and name: columns of the type that these are to have again, with the same values. */
  readonly again: ReadonlyMap<string, ReadonlyMap<string, ActualPair>>
}

/** What is there for another version than the one that is applied, `version`. */
export function before(desired: Physical, actual: Actual, version: string): Before {
  const tables = new Map(actual.tables)
  const shown = new Map(actual.tables)
  const begun = new Map<string, Map<string, ActualColumn>>()
  const again = new Map<string, Map<string, ActualPair>>()
  const views = viewsOfBefore(actual.versionViews, version)
  const stale = namesOfBefore(desired, actual, version)
  for (const table of actual.tables.values()) {
    const name = calledBy(desired, table.name, actual)
    const columns = desired.tables.get(name)?.columns ?? []
    const wanted = new Set(columns.map(({ name }) => name))
    for (const pair of table.pairs) {
      const { from, to, since } = pair
      const isBegun = isInTheMaking(pair)
      const isBack = wanted.has(from) && !wanted.has(to) && !isBegun
      const hide = (all: typeof tables, column: string) => all.set(table.name, without(all.get(table.name)!, column))
      hide(tables, isBack || isBegun ? to : from)
      if (!isBack) hide(shown, isBegun ? to : from)
      if (isOfTypeBefore(pair) && isWantedAgain(table, pair, columns))
        again.set(name, new Map([...(again.get(name) ?? []), [to, pair]]))
      else if (since !== version)
        stale.push(pairOfBefore(table, pair, { isBack, isWanted: wanted.has(from) }, { version, from: actual.version }))
      else if (actual.version !== version && !isBegun && !isOfTypeBefore(pair))
        begun.set(table.name, new Map([...(begun.get(table.name) ?? []), [to, table.columns.get(from)!]]))
    }
  }
  return {
    steps: [...views.steps, ...stale.flatMap(({ steps, isInTheWay }) => (isInTheWay ? steps : []))],
    leftOver: [...views.leftOver, ...stale.flatMap(({ steps, isInTheWay }) => (isInTheWay ? [] : steps))],
    actual: { ...actual, tables, versionViews: views.stay },
    shown,
    begun,
    again,
  }
}

/** The document's name of a table: where it is one from before, that by which the version before knows it. */
export function calledBy(desired: Physical, name: string, { aliases }: Actual): string {
  const before = [...aliases].find(([was, { table }]) => table === name && desired.tables.has(was))
  return desired.tables.has(name) || before === undefined ? name : before[0]
}

/** The document wants the type that it was. */
function isWantedAgain({ columns }: ActualTable, { from, to }: Pair, wanted: readonly Column[]): boolean {
  const type = columns.get(from)!.type
  return columns.get(to)?.type !== type && wanted.some(one => one.name === to && one.type === type)
}

/** Of a version before; `isInTheWay` of what comes. */
interface Stale {
  readonly steps: readonly Step[]
  readonly isInTheWay: boolean
}

/** Names that tables had. */
function namesOfBefore(desired: Physical, actual: Actual, version: string): Stale[] {
  return [...actual.aliases].flatMap(([was, { table, since }]) => {
    const isThere = desired.tables.has(was)
    const isBack = isThere && !desired.tables.has(table)
    if (since === version || isBack) return []
    const what = `Take away the name ${was} of the table ${table}`
    const taken = step(phases.release - 1, 'moment', null, what, standInNoMore(was, table, actual))
    return [{ steps: [taken], isInTheWay: isThere }]
  })
}

/** A column that stands beside the one it became. `isWanted`: the document has one of its name again. */
function pairOfBefore(
  table: ActualTable,
  pair: ActualPair,
  { isBack, isWanted }: { readonly isBack: boolean; readonly isWanted: boolean },
  documents: Documents,
): Stale {
  const { from, to } = pair
  if (isInTheMaking(pair)) {
    const what = `Take away what was to become ${from} of ${table.name}`
    return { steps: [gone(table, pair, to, what)], isInTheWay: true }
  }
  if (isOfTypeBefore(pair)) {
    const what = `Drop what ${to} of ${table.name} was before it got another type: nobody asks for it any more`
    return { steps: [gone(table, pair, from, what)], isInTheWay: false }
  }
  if (isBack) return { steps: turned(table, pair, documents), isInTheWay: true }
  const what = `Drop the column ${from} of ${table.name}: it is ${to}, and nobody asks for ${from} any more`
  return { steps: [gone(table, pair, from, what)], isInTheWay: isWanted }
}

function gone(table: ActualTable, pair: ActualPair, column: string, what: string): Step {
  const triggers = [...table.constraints.values()].filter(one => one.kind === 't' && mentions(one, column))
  return step(
    phases.release,
    'moment',
    null,
    what,
    [
      ...fieldTriggers(table.name, pair).map(leave),
      unpair(table.name, pair),
      ...triggers.map(({ name, definition }) => dropConstraint(table.name, name, definition)),
      alter(table.name, `drop column if exists ${quoted(column)}`),
    ],
    { rows: 'no value is lost' },
  )
}

/** The document that is applied, and the one that was applied last. */
interface Documents {
  readonly version: string
  readonly from: string | null
}

/**
 * The document of before is back: the other column is the one of the version before from now on. Where the document that brought it never
 * ended, it gets the values that it lacks: whoever asks for it again finds them all.
 */
function turned({ name: table, columns }: ActualTable, pair: Pair, documents: Documents): readonly Step[] {
  const { from, to, since } = pair
  const back = { from: to, to: from, since: documents.version }
  const value = converted(quoted(from), columns.get(from)!.type, columns.get(to)!.type)
  const lacking = `${quoted(to)} is null and (${value}) is not null`
  const fill = step(
    phases.release,
    'rows',
    null,
    `Fill ${to} of ${table} where it is empty`,
    [inPortions(tableName(table), `${quoted(to)} = ${value}`, lacking)],
    { mode: 'outside', rows: `records without a value get what ${from} holds`, through: tableName(table) },
  )
  return [
    ...(since === documents.from ? [] : [fill]),
    step(phases.release, 'moment', null, `Go back to ${from} of ${table}; ${to} stays for the version that runs`, [
      ...fieldTriggers(table, pair).map(leave),
      ...retoldFromNowOn(table, back),
      commentOnPair(table, back),
    ]),
    retold(table, to, from, null),
  ]
}

type Held = { readonly columns: readonly string[]; readonly definition: string | null }

const mentions = ({ columns, definition }: Held, name: string): boolean =>
  columns.includes(name) || (definition !== null && (speaksOf(definition, name) || definition.endsWith(` ${name}`)))

/** The table as it is without the column, and without what is held or found by it. */
export function without(table: ActualTable, name: string): ActualTable {
  const kept = <One extends Held>(all: ReadonlyMap<string, One>) =>
    new Map([...all].filter(([, one]) => !mentions(one, name)))
  return {
    ...table,
    columns: new Map([...table.columns].filter(([column]) => column !== name)),
    constraints: kept(table.constraints),
    indexes: kept(table.indexes),
  }
}
