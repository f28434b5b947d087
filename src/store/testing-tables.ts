/** For tests of migrations: tables as a document makes them, written by hand, and the few things that such a test does. */
import { expect } from 'vitest'
import { cellAt } from '../document/cell.ts'
import type { Cell } from '../document/source.ts'
import { raw } from '../expression/sql.ts'
import { type Applied, applyFor, type Plan, planFor, type Target } from './migrate.ts'
import { shortName } from './names.ts'
import type { Column, Constraint, Holds, Index, Table } from './physical.ts'
import type { Store } from './pool.ts'

export const now = new Date('2026-03-02T10:00:00Z')

export const said = (text: string): Cell => cellAt({ path: 'app.md', text }, 0, text.length)
export const holds = (rule: Holds['rule'], field: string | null, text: string, name: string | null = null): Holds => ({
  rule,
  entity: 'loan',
  field,
  name,
  cell: said(text),
})
export const column = (name: string, type: string, more: Partial<Column> = {}): Column => ({
  name,
  was: null,
  type,
  typeText: type,
  notNull: false,
  default: null,
  fill: null,
  renamed: [],
  cell: said(name),
  ...more,
})
export const check = (table: string, name: string, expression: string, of: Holds): Constraint => ({
  kind: 'check',
  name: shortName(table, name, 'check'),
  expression,
  holds: of,
})
export const unique = (table: string, ...columns: string[]): Constraint => ({
  kind: 'unique',
  name: shortName(table, ...columns, 'key'),
  columns,
  deferrable: false,
  holds: holds('unique', columns.at(-1)!, 'unique'),
})
export const reference = (table: string, name: string, to: string): Constraint => ({
  kind: 'foreign',
  name: shortName(table, name, 'fkey'),
  column: name,
  table: to,
  key: 'id',
  onDelete: 'restrict',
  holds: holds('reference', name, to),
})
export const index = (table: string, ...columns: string[]): Index => ({
  name: shortName(table, ...columns, 'idx'),
  columns: columns.map(name => ({ name, forPeople: false, descending: false })),
  folded: false,
  unique: false,
  where: null,
  serves: 'a list',
  holds: null,
  cell: said('list'),
})
export function table(name: string, columns: readonly Column[], more: Partial<Table> = {}): Table {
  const key: Constraint = {
    kind: 'primary',
    name: shortName(name, 'pkey'),
    columns: ['id'],
    holds: holds('key', null, name),
  }
  return {
    name,
    title: name,
    called: [],
    was: null,
    beside: null,
    cell: said(name),
    indexes: [],
    kept: [],
    ...more,
    columns: [column('id', 'uuid', { notNull: true }), ...columns],
    constraints: [key, ...(more.constraints ?? [])],
  }
}
export const person = table('person', [column('name', 'text')])
let version = 0
export function target(...tables: Table[]): Target {
  return {
    tables: { tables: new Map([person, ...tables].map(one => [one.name, one])) },
    version: `v${++version}`,
    files: [{ path: 'app.md', text: '# App' }],
  }
}

/** Everything a loan had before the tests change it. */
export const loan = (more: Partial<Table> = {}, ...columns: Column[]) =>
  table('loan', [column('number', 'text', { notNull: true }), column('purpose', 'text'), ...columns], more)

let last = 0
export const id = () => `00000000-0000-7000-8000-${String(++last).padStart(12, '0')}`

/** `database`: the store that is there once the tests run. */
export function migrating(database: () => Store) {
  const planned = (wanted: Target, drop: string[] = []) => planFor(database(), wanted, { drop })
  return {
    planned,
    apply: (wanted: Target, drop: string[] = [], shown: Plan | null = null): Promise<Applied> =>
      applyFor(database(), wanted, shown, { now, drop }),
    nothingLeft: async (wanted: Target) => expect((await planned(wanted)).steps.map(step => step.what)).toEqual([]),
    insert: (into: string, values: Record<string, unknown>) =>
      database().inTransaction(tx => {
        const names = ['id', ...Object.keys(values)].map(name => `"${name}"`).join(', ')
        const all = [id(), ...Object.values(values)]
        return tx.write({
          texts: [`insert into public."${into}" (${names}) values (`, ...Array(all.length - 1).fill(', '), ')'],
          values: all,
        })
      }),
    all: (text: string) => database().query(raw(text)),
    /** All tables, views, functions and triggers as PostgreSQL tells them, with what is said of each: a line for everything. */
    catalogue: async () =>
      (await database().query<{ line: string }>(raw(catalogue))).map(({ line }) => line).join('\n'),
    /** A database with nothing in it. */
    async empty() {
      await database().inSession(session =>
        session.execute(`do $$ declare one text; begin
          for one in select nspname from pg_namespace where starts_with(nspname, 'ninefold') loop execute format('drop schema %I cascade', one); end loop;
        end $$; drop schema public cascade; create schema public`),
      )
      database().tablesChanged()
    },
  }
}

export const catalogueOf = async (store: Store): Promise<string> =>
  (await store.query<{ line: string }>(raw(catalogue))).map(({ line }) => line).join('\n')

const catalogue = `
  with own as (select oid, nspname from pg_namespace where nspname = 'public' or starts_with(nspname, 'ninefold')),
  relation as (select c.*, nspname || '.' || relname as called from pg_class c join own on own.oid = relnamespace)
  select concat_ws(' ', 'relation', called, relkind, obj_description(oid, 'pg_class'), case when relkind = 'v' then pg_get_viewdef(oid) end) as line
    from relation where relkind in ('r', 'v', 'i')
  union all select concat_ws(' ', 'column', called, rank() over (partition by c.oid order by attnum), attname, format_type(atttypid, atttypmod), attnotnull,
      pg_get_expr(adbin, adrelid), col_description(c.oid, attnum))
    from relation c join pg_attribute on attrelid = c.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relkind in ('r', 'v') and attnum > 0 and not attisdropped
  union all select concat_ws(' ', 'constraint', called, conname, pg_get_constraintdef(k.oid), convalidated, obj_description(k.oid, 'pg_constraint'))
    from relation c join pg_constraint k on conrelid = c.oid
  union all select concat_ws(' ', 'index', called, pg_get_indexdef(indexrelid), indisvalid) from relation c join pg_index on indexrelid = c.oid
  union all select concat_ws(' ', 'trigger', called, pg_get_triggerdef(g.oid), tgenabled, obj_description(g.oid, 'pg_trigger'))
    from relation c join pg_trigger g on tgrelid = c.oid where not tgisinternal
  union all select concat_ws(' ', 'function', pg_get_functiondef(p.oid), obj_description(p.oid, 'pg_proc')) from pg_proc p join own on own.oid = pronamespace
  order by 1`
