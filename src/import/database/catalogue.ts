/** What a database that others made says of itself: tables, columns, keys and checks of some schemas. Reads, and changes nothing. */
import { type Sql, sql } from '../../expression/sql.ts'
import { calledTable } from '../../store/names.ts'
import type { Reader } from '../../store/pool.ts'
import { type Measure, measured } from './measure.ts'

export interface Catalogue {
  readonly name: string
  readonly schemas: readonly string[]
  readonly tables: readonly ForeignTable[]
  /** What stands beside tables and has no place in a document: "the view sales", "the trigger audit of orders". */
  readonly others: readonly string[]
}

export interface ForeignTable {
  /** As a document calls it: `orders`, or `sales.orders` where its schema is another than `public`. */
  readonly name: string
  readonly comment: string | null
  readonly columns: readonly ForeignColumn[]
  readonly constraints: readonly ForeignConstraint[]
  /** Unique indexes that stand behind no constraint. */
  readonly uniques: readonly UniqueIndex[]
}

export interface ForeignColumn {
  readonly name: string
  /** As `format_type` writes it, of the base type where the column has a domain: `character varying(15)`. */
  readonly type: string
  readonly domain: string | null
  /** The labels of an enumerated type, in order. */
  readonly labels: readonly string[] | null
  readonly notNull: boolean
  /** As `pg_get_expr` writes it; of a generated column what it is computed from. */
  readonly default: string | null
  readonly generated: boolean
  readonly identity: boolean
  readonly comment: string | null
  /** Null: it holds no texts. */
  readonly measure: Measure | null
}

export interface ForeignConstraint {
  readonly name: string
  readonly kind: 'primary' | 'unique' | 'foreign' | 'check' | 'exclusion'
  readonly columns: readonly string[]
  /** Foreign keys only. */
  readonly refersTo: { readonly table: string; readonly columns: readonly string[] } | null
  readonly onDelete: 'cascade' | 'set null' | 'set default' | null
  /** A check's expression as `pg_get_expr` writes it; of others the whole definition. */
  readonly definition: string
  readonly comment: string | null
}

interface UniqueIndex {
  readonly name: string
  /** Null where the index is over an expression. */
  readonly columns: readonly string[] | null
  readonly where: string | null
  readonly definition: string
}

const kinds = { p: 'primary', u: 'unique', f: 'foreign', c: 'check', x: 'exclusion' } as const
const actions = { c: 'cascade', n: 'set null', d: 'set default' } as const

/** A partition, or a table that inherits: its rows are rows of the other one. */
const isPart = sql`exists (select from pg_inherits p where p.inhrelid = c.oid)`

/** `missing`: a schema that is not there. */
export async function readCatalogue(
  reader: Reader,
  schemas: readonly string[],
): Promise<Catalogue | { readonly missing: string }> {
  const [there] = await reader.query<{ name: string; found: readonly string[] }>(
    sql`select current_database()::text as name, array(select nspname::text from pg_namespace where nspname = any(${schemas}::text[])) as found`,
  )
  const missing = schemas.find(schema => !there!.found.includes(schema))
  if (missing !== undefined) return { missing }
  const within = sql`c.relnamespace in (select oid from pg_namespace where nspname = any(${schemas}::text[]))`
  const tables = await reader.query<{ name: string; comment: string | null }>(sql`
    select ${calledTable('c')} as name, obj_description(c.oid, 'pg_class') as comment
    from pg_class c
    where ${within} and c.relkind in ('r', 'p') and not ${isPart}
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relnamespace::regnamespace::text, c.relname collate "C"`)
  const columns = await readColumns(reader, within)
  const constraints = await readConstraints(reader, within)
  const uniques = await readUniques(reader, within)
  const of = <Row extends { table: string }>(rows: readonly Row[], table: string) =>
    rows.filter(row => row.table === table)
  const found: ForeignTable[] = []
  for (const { name, comment } of tables) {
    const measures = await measured(reader, name, of(columns, name))
    found.push({
      name,
      comment,
      columns: of(columns, name).map(column => ({ ...column, measure: measures.get(column.name) ?? null })),
      constraints: of(constraints, name),
      uniques: of(uniques, name),
    })
  }
  return { name: there!.name, schemas, tables: found, others: await readOthers(reader, schemas, within) }
}

async function readColumns(
  reader: Reader,
  within: Sql,
): Promise<readonly (Omit<ForeignColumn, 'measure'> & { table: string })[]> {
  const rows = await reader.query<{
    table: string
    name: string
    type: string
    domain: string | null
    labels: readonly string[] | null
    required: boolean
    default: string | null
    generated: string
    identity: string
    comment: string | null
  }>(sql`
    select ${calledTable('c')} as table, a.attname::text as name,
      format_type(coalesce(nullif(t.typbasetype, 0), t.oid), case when t.typbasetype = 0 then a.atttypmod else t.typtypmod end) as type,
      case when t.typbasetype <> 0 then t.typname::text end as domain,
      (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e
        where e.enumtypid = coalesce(nullif(t.typbasetype, 0), t.oid)) as labels,
      a.attnotnull or t.typnotnull as required,
      coalesce(pg_get_expr(d.adbin, d.adrelid), t.typdefault) as default,
      a.attgenerated::text as generated, a.attidentity::text as identity, col_description(c.oid, a.attnum) as comment
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where ${within} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by a.attnum`)
  return rows.map(({ required, generated, identity, ...row }) => ({
    ...row,
    notNull: required,
    generated: generated !== '',
    identity: identity !== '',
  }))
}

async function readConstraints(
  reader: Reader,
  within: Sql,
): Promise<readonly (ForeignConstraint & { table: string })[]> {
  const rows = await reader.query<{
    table: string
    name: string
    kind: keyof typeof kinds
    columns: readonly string[] | null
    other: string | null
    othercolumns: readonly string[] | null
    action: string
    definition: string
    comment: string | null
  }>(sql`
    select ${calledTable('c')} as table, k.conname::text as name, k.contype::text as kind,
      (select array_agg(a.attname::text order by n.place) from unnest(k.conkey) with ordinality n (number, place)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n.number) as columns,
      case when o.oid is not null then ${calledTable('o')} end as other,
      (select array_agg(a.attname::text order by n.place) from unnest(k.confkey) with ordinality n (number, place)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = n.number) as othercolumns,
      k.confdeltype::text as action,
      case when k.contype = 'c' then pg_get_expr(k.conbin, k.conrelid) else pg_get_constraintdef(k.oid) end as definition,
      obj_description(k.oid, 'pg_constraint') as comment
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    left join pg_class o on o.oid = k.confrelid
    where ${within} and k.contype in ('p', 'u', 'f', 'c', 'x') and k.conparentid = 0
    order by position(k.contype in 'pufxc'), k.conname collate "C"`)
  return rows.map(({ table, name, kind, columns, other, othercolumns, action, definition, comment }) => ({
    table,
    name,
    kind: kinds[kind],
    columns: columns ?? [],
    refersTo: other === null ? null : { table: other, columns: othercolumns ?? [] },
    onDelete: actions[action as keyof typeof actions] ?? null,
    definition,
    comment,
  }))
}

async function readUniques(reader: Reader, within: Sql): Promise<readonly (UniqueIndex & { table: string })[]> {
  const rows = await reader.query<UniqueIndex & { table: string; plain: boolean }>(sql`
    select ${calledTable('c')} as table, n.relname::text as name, i.indexprs is null as plain,
      (select array_agg(a.attname::text order by k.place) from unnest(i.indkey::int2[]) with ordinality k (number, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number where k.place <= i.indnkeyatts) as columns,
      pg_get_expr(i.indpred, i.indrelid) as where, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_class n on n.oid = i.indexrelid
    where ${within} and i.indisunique and not ${isPart}
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
    order by n.relname collate "C"`)
  return rows.map(({ plain, columns, ...row }) => ({ ...row, columns: plain ? columns : null }))
}

async function readOthers(reader: Reader, schemas: readonly string[], within: Sql): Promise<readonly string[]> {
  const rows = await reader.query<{ what: string }>(sql`
    select case c.relkind when 'v' then 'view ' when 'm' then 'materialised view ' when 'f' then 'foreign table '
      else 'part of another table ' end || c.relname as what
    from pg_class c
    where ${within} and (c.relkind in ('v', 'm', 'f') or ${isPart} and c.relkind in ('r', 'p'))
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    union all
    select 'trigger ' || t.tgname || ' of ' || c.relname from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where ${within} and not t.tgisinternal
    union all
    select 'policy ' || p.polname || ' of ' || c.relname from pg_policy p join pg_class c on c.oid = p.polrelid
    where ${within}
    union all
    select 'rule ' || r.rulename || ' of ' || c.relname from pg_rewrite r join pg_class c on c.oid = r.ev_class
    where ${within} and r.rulename <> '_RETURN'
    union all
    select case p.prokind when 'p' then 'procedure ' else 'function ' end || p.proname from pg_proc p
    where p.pronamespace in (select oid from pg_namespace where nspname = any(${schemas}::text[]))
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select 'schema ' || n.nspname from pg_namespace n
    where n.nspname <> all(${schemas}::text[] || array['information_schema', 'ninefold']) and n.nspname !~ '^pg_'
      and exists (select from pg_class c where c.relnamespace = n.oid and c.relkind in ('r', 'p'))
    order by 1`)
  return [...new Set(rows.map(({ what }) => what))]
}
