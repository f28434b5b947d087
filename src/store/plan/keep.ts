/**
 * Columns that the database keeps by itself: a function with its triggers for each table of rows works out what it counts and adds up,
 * in the transaction that changes the rows. One for the record itself does so where its own fields are read as well.
 *
 * Of two who change rows of one record, the second waits for its lock, and then sees the first one's rows: so the lock comes before
 * the reading, in a statement of its own. Records are locked in the order of their ids, as everywhere. No column can have a name with `$`.
 */
import { createHash } from 'node:crypto'
import type { Cell } from '../../document/source.ts'
import { keptBy, keptIn } from '../kept-columns.ts'
import { columnList, quoted, shortName, tableName } from '../names.ts'
import type { KeptColumn, Physical, Table } from '../physical.ts'
import { commentOf, keptMark } from './definition.ts'
import type { Actual, ActualColumn } from './introspect.ts'
import { inPortions } from './portions.ts'
import { alter, commentOnKept, keptText } from './statements.ts'
import { phases, type Step, step } from './step.ts'
import { hidden } from './version-views.ts'

interface Keeper {
  readonly name: string
  /** The table whose changes it follows. */
  readonly table: string
  /** The table in which it keeps something, and what. */
  readonly of: Table
  readonly kept: readonly KeptColumn[]
  readonly body: string
  readonly triggers: readonly { readonly name: string; readonly text: string }[]
  readonly cell: Cell
}

/** Steps from what is kept to what should be. A function that changes is taken away before anything else is done, and all that it kept is worked out anew. */
export function keep(desired: Physical, actual: Actual): readonly Step[] {
  const wanted = [...desired.tables.values()].flatMap(keepersOf)
  const stays = (keeper: Keeper) => {
    const there = actual.keepers.get(keeper.name)
    return (
      there?.definition === definitionOf(keeper) && keeper.triggers.every(({ name }) => there.triggers.includes(name))
    )
  }
  const fresh = wanted.filter(keeper => !stays(keeper))
  const gone = [...actual.keepers.keys()].filter(
    name => !wanted.some(keeper => keeper.name === name) || fresh.some(keeper => keeper.name === name),
  )
  return [
    ...gone.map(name =>
      step(phases.release, 'moment', null, `Take away the function ${name}, with its triggers: what it kept changes`, [
        `drop function if exists ${tableName(name)}() cascade`,
      ]),
    ),
    ...[...desired.tables.values()].flatMap(table => columns(table, actual)),
    ...fresh.map(keeper => made(keeper, hasRows(keeper.of, actual))),
    ...[...new Set(fresh.map(({ of }) => of))]
      .filter(table => hasRows(table, actual))
      .map(table =>
        filled(
          table,
          fresh.filter(({ of }) => of === table),
        ),
      ),
  ]
}

const hasRows = ({ name }: Table, actual: Actual): boolean => actual.tables.get(name)?.hasRows === true

/** Of a table that is there already: what is computed is worked out anew and never lost, so it goes without being named. */
function columns(table: Table, actual: Actual): readonly Step[] {
  const there = actual.tables.get(table.name)
  if (there?.ours !== true) return []
  const old = new Map([...there.columns].filter(([, column]) => column.kept))
  const fresh = table.kept.filter(({ name }) => !old.has(name))
  const gone = [...old.keys()].filter(name => !table.kept.some(column => column.name === name))
  return [
    ...fresh.map(column =>
      step(
        phases.addColumn,
        'moment',
        column.cell,
        `Add the column ${column.name} to ${table.name}, in which the database keeps \`${column.shown}\``,
        [alter(table.name, `add column ${keptText(column)}`), commentOnKept(table.name, column.name)],
      ),
    ),
    ...table.kept.flatMap(column => changed(table, column, old.get(column.name), actual)),
    ...gone.map(name =>
      step(
        phases.drop,
        'moment',
        table.cell,
        `Drop the column ${name} of ${table.name}, which was computed and is not kept any more`,
        [alter(table.name, `drop column ${quoted(name)}`)],
      ),
    ),
  ]
}

/** Its values go, and are worked out anew as what keeps them changes too; an index on it is built anew. */
function changed(
  table: Table,
  column: KeptColumn,
  old: ActualColumn | undefined,
  { versionViews }: Actual,
): readonly Step[] {
  if (old === undefined || (old.type === column.type && old.default === column.default)) return []
  const { name, type, default: begins, cell } = column
  const statements =
    old.type === type
      ? [
          alter(
            table.name,
            `alter column ${quoted(name)} ${begins === null ? 'drop default' : `set default ${begins}`}`,
          ),
        ]
      : [
          ...hidden(versionViews, table.name),
          alter(table.name, `drop column ${quoted(name)}`),
          alter(table.name, `add column ${keptText(column)}`),
          commentOnKept(table.name, name),
        ]
  return [
    step(
      phases.retype,
      'moment',
      cell,
      `Let the column ${name} of ${table.name} hold what is computed now`,
      statements,
    ),
  ]
}

function made(keeper: Keeper, isFilledLater: boolean): Step {
  const { name, table, of, kept, cell } = keeper
  const what = kept.map(({ name: column }) => column).join(', ')
  const when = table === of.name ? 'a record of it' : `a row of ${table}`
  return step(phases.keep, 'writers', cell, `Keep ${what} of ${of.name} as it is computed, whenever ${when} changes`, [
    functionText(keeper),
    ...keeper.triggers.map(({ text }) => text),
    commentOn(name, isFilledLater ? `${keptMark}, not filled yet` : definitionOf(keeper)),
  ])
}

/** What changes meanwhile is followed by the triggers, which are there already. */
function filled(table: Table, keepers: readonly Keeper[]): Step {
  const kept = [...new Set(keepers.flatMap(one => one.kept))]
  const names = kept.map(({ name }) => name).join(', ')
  const fill = inPortions(tableName(table.name), settings(kept), null)
  return step(
    phases.keep + 1,
    'rows',
    keepers[0]!.cell,
    `Work out ${names} of the records of ${table.name} that exist`,
    [fill, ...keepers.map(keeper => commentOn(keeper.name, definitionOf(keeper)))],
    { mode: 'outside', rows: 'all records get what is computed of them', through: tableName(table.name) },
  )
}

/** As a comment, which is written when all is worked out: what an interrupted run left is begun anew. */
const definitionOf = ({ body, triggers }: Keeper): string =>
  `${keptMark} ${createHash('sha256')
    .update([body, ...triggers.map(({ text }) => text)].join('\n'))
    .digest('hex')
    .slice(0, 16)}`

const commentOn = (name: string, definition: string): string =>
  `comment on function ${tableName(name)}() is ${commentOf(definition)}`

const settings = (kept: readonly KeptColumn[]): string =>
  kept.map(({ name, value }) => `${quoted(name)} = ${value}`).join(', ')

function functionText({ name, of, body }: Keeper): string {
  const released = of.kept.some(({ appendOnly }) => appendOnly) ? " set ninefold.append_only to 'off'" : ''
  return `create or replace function ${tableName(name)}() returns trigger language plpgsql set search_path to public, pg_temp${released} as $kept$\n${body}\n$kept$`
}

function keepersOf(table: Table): readonly Keeper[] {
  const { kept } = table
  const sources = new Map(
    kept.flatMap(({ rows }) => rows.map(({ table: rowsOf, parent }) => [rowsOf, parent] as const)),
  )
  const own = kept.filter(({ own: reads, beginsComputed }) => reads.length > 0 || beginsComputed)
  return [
    ...[...sources].map(([rows, parent]) => keeperOfRows(table, rows, parent)),
    ...(own.length === 0 ? [] : [keeperOfRecord(table, own)]),
  ]
}

function keeperOfRows(of: Table, rows: string, parent: string): Keeper {
  const name = keptBy(rows)
  const kept = of.kept.filter(column => column.rows.some(({ table }) => table === rows))
  const reads = kept.flatMap(column => column.rows.flatMap(one => (one.table === rows ? one.columns : [])))
  const changed = columnList([...new Set(['id', parent, ...reads])])
  const records = tableName(of.name)
  const read = (event: string) => `array(select distinct ${quoted(parent)} from ${event} order by 1)`
  const body = `declare
  touched$ uuid[];
  one$ uuid;
begin
  if tg_op = 'TRUNCATE' then
    update ${records} as t set ${settings(kept)};
    return null;
  elsif tg_op = 'INSERT' then
    touched$ := ${read('"came$"')};
  elsif tg_op = 'DELETE' then
    touched$ := ${read('"went$"')};
  else
    touched$ := ${read(`(
      (select ${changed} from "came$" except select ${changed} from "went$") union all
      (select ${changed} from "went$" except select ${changed} from "came$")) as "changed$"`)};
  end if;
  foreach one$ in array touched$ loop
    perform 1 from ${records} where "id" = one$ for no key update;
    update ${records} as t set ${settings(kept)} where t."id" = one$;
  end loop;
  return null;
end`
  const triggers = [
    ['insert', 'referencing new table as "came$"'],
    ['update', 'referencing old table as "went$" new table as "came$"'],
    ['delete', 'referencing old table as "went$"'],
    ['truncate', ''],
  ].map(([event, tables]) => {
    const trigger = shortName(name, event!)
    return {
      name: trigger,
      text: `create or replace trigger ${quoted(trigger)} after ${event} on ${tableName(rows)} ${tables}${tables === '' ? '' : ' '}for each statement execute function ${tableName(name)}()`,
    }
  })
  return { name, table: rows, of, kept, body, triggers, cell: kept[0]!.cell }
}

function keeperOfRecord(of: Table, kept: readonly KeptColumn[]): Keeper {
  const name = keptIn(of.name)
  const reads = [...new Set(kept.flatMap(({ own }) => own))].map(quoted)
  const all = (record: string) => `row(${reads.map(column => `${record}.${column}`).join(', ')})`
  const isAsked = reads.length === 0 ? 'true' : `tg_op = 'INSERT' or ${all('new')} is distinct from ${all('old')}`
  const body = `begin
  if ${isAsked} then
    select ${kept.map(({ value }) => value).join(', ')} into ${kept.map(({ name: column }) => `new.${quoted(column)}`).join(', ')} from (select new.*) as t;
  end if;
  return new;
end`
  const events = reads.length === 0 ? 'insert' : 'insert or update'
  const text = `create or replace trigger ${quoted(name)} before ${events} on ${tableName(of.name)} for each row execute function ${tableName(name)}()`
  return { name, table: of.name, of, kept, body, triggers: [{ name, text }], cell: kept[0]!.cell }
}
