/** Turns what a screen needs into what this person may see of it. Null: not there, or not for them; callers must not tell which. */

import { identifier, join, raw, type Sql, type Statement, slot, sql } from '../../expression/sql.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import type { FiguresData, GroupsData, OneData, RowsData, Verdict } from '../../kinds/screens/read-data.ts'
import type { FiguresNeed, GroupsNeed, Need, OneNeed, RowsNeed, Way } from '../../kinds/screens/screen-kind.ts'
import { atOnce } from '../../store/at-once.ts'
import type { Reader } from '../../store/pool.ts'
import { archives, asksForArchived, wantingArchived } from '../access/archived.ts'
import { readGuards } from '../access/ask-guards.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { logRead, openingSql, opensIn } from '../access/read-log.ts'
import { seenFieldSql } from '../access/seen-reference.ts'
import { tellingOf } from '../access/told.ts'
import { nameSql } from '../access/unnamed.ts'
import { pendingOf } from '../approvals/pending.ts'
import { columnSql, fieldSql, fromSql, isGivenLater, typeOf } from '../names.ts'
import { followsSql, mayComment } from '../people/comments.ts'

import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { fits, isId, sqlArrayType, sqlType } from '../values.ts'
import { childrenOf, nested } from './children.ts'
import { duringOf } from './during.ts'
import { askedBindings, readFigures } from './figures.ts'
import { commas, filterOf, searchOf } from './filter.ts'
import { amongOf, groupKeys, groupValue, unfoldedOf } from './group.ts'
import { readHistory, seesHistory } from './history.ts'
import { beyond, type Key, keysOf, keysOfList, orderBy, orderKey, readCursor, writeCursor } from './order.ts'
import { type Cells, countSql, keyParts, type Page, pageName, pageSql } from './page.ts'
import { fromArray, isSingle, type Raw, selectArray, selectionOf, selectList, wholeSelection } from './select.ts'
import { sharesSql } from './shares.ts'
import { shownRows, whereKey } from './shown.ts'
import { type PageRows, pageOf, rowOf } from './unchanged.ts'

/** Groups of a board are counted up to this. */
const groupCountTo = 1000

export function read(runtime: Runtime, request: Request, need: RowsNeed): Promise<RowsData | null>
export function read(runtime: Runtime, request: Request, need: GroupsNeed): Promise<GroupsData | null>
export function read(runtime: Runtime, request: Request, need: OneNeed): Promise<OneData | null>
export function read(runtime: Runtime, request: Request, need: FiguresNeed): Promise<FiguresData | null>
export function read(
  runtime: Runtime,
  request: Request,
  need: Need,
): Promise<RowsData | GroupsData | OneData | FiguresData | null>
export async function read(runtime: Runtime, request: Request, need: Need) {
  if (!runtime.app.entities.has(need.entity)) return null
  const asking = need.kind === 'one' ? request : askedBy(runtime.app, request, askedOf(need))
  switch (need.kind) {
    case 'rows':
      return readRows(runtime, asking, need)
    case 'groups':
      return readGroups(runtime, asking, need)
    case 'one': {
      const found = await readRecord(runtime, request, need)
      return found === null ? null : { ...found.one, history: await found.history(runtime) }
    }
    case 'figures':
      return readFigures(runtime, asking, need)
  }
}

const askedOf = (need: Exclude<Need, OneNeed>): Parameters<typeof askedBy>[2] =>
  need.kind === 'figures' ? { ...need.looked, entity: need.entity, where: need.where } : need

/** Archived records of an entity are read where somebody asks for them: with a list of them, or a condition that speaks of them. */
export function askedBy(
  app: App,
  request: Request,
  need: Pick<RowsNeed, 'entity' | 'where' | 'view' | 'archived'>,
): Request {
  const { entity, where, view, archived } = need
  const isAsked = archived === true || asksForArchived(app, entity, where) || asksForArchived(app, entity, view)
  return isAsked ? { ...request, actor: wantingArchived(app, request.actor, entity) } : request
}

/** May this person create records of the entity? A condition over the new row is decided when it is there; until then it is open. */
export function createVerdict(policy: Policy, entity: string): Verdict {
  const open = policy.rows(entity, 'create', 't') !== false
  const bar = policy.denyRules(entity, 'create', 't').find(({ exceptions }) => exceptions === false)
  const { cell, reason } = bar?.deciding ?? policy.because(entity, 'create', open)
  return { open, because: cell, reason, missing: null }
}

async function readRows(runtime: Runtime, request: Request, need: RowsNeed): Promise<RowsData | null> {
  const { app, store } = runtime
  const { entity } = need
  const policy = policyFor(app, request.actor)
  const out = need.out === true
  if (out && policy.rows(entity, 'export', 't') === false) return null
  const base = [policy.key, entity, whereKey(need.where), whereKey(need.view ?? null), out, need.archived ?? false]
  const filter = filterOf(app, policy, entity, 't', need.filters)
  const search = searchOf(app, policy, entity, 't', need.search, { through: need.searched, similar: need.similar })
  const during = duringOf(app, policy, entity, 't', need.during)
  const among = amongOf(app, policy, need.among)
  const sorted = orderKey(need)
  const keys = cachedStatement(app, ['keys', ...base, sorted], () => keysOfList(app, policy, entity, need))
  const selection = cachedStatement(app, ['rows of', ...base, ...need.columns], () =>
    selectionOf({ app, policy, entity, alias: 't', fields: need.columns, may: !out, quoted: out }),
  )
  const before = readCursor(need.before, keys)
  const after = before === null ? readCursor(need.after, keys) : null
  const backwards = before !== null
  const place = before ?? after
  const edge = place === null ? null : beyond(keys, place, backwards)
  const unfolded = unfoldedOf(app, policy, out ? undefined : need.group)
  const shown = () =>
    allOf([
      shownRows(policy, entity, need.where, { ...need, out }),
      filter.condition(),
      search.condition(),
      during.condition(),
      among.condition(),
    ])

  // Written out, not a parameter: not knowing how few rows are wanted, PostgreSQL would plan each execution anew.
  const limit = need.limit + 1
  const page = cachedStatement(
    app,
    [
      'page',
      ...base,
      sorted,
      ...need.columns,
      filter.shape,
      search.shape,
      during.shape,
      among.shape,
      edge?.shape ?? null,
      unfolded.shape,
      limit,
      need.countTo,
    ],
    (): Statement => {
      const counted = need.countTo === 0 ? null : countSql(entity, shown(), need.countTo + 1)
      const begins = allOf([edge?.condition() ?? true, unfolded.condition()])
      const which = { condition: shown(), edge: begins, isSearched: search.shape !== '' }
      return built(pageSql(entity, selection, keys, which, backwards, limit, counted))
    },
  )
  const bindings = bindingsOf(request, {
    ...filter.bindings,
    ...search.bindings,
    ...during.bindings,
    ...among.bindings,
    ...askedBindings(need.asked),
    ...edge?.bindings,
    ...unfolded.bindings,
    ...(need.group === undefined ? {} : { zone: app.product.timeZone.name }),
  })
  const [answer] = await store.run<Page>(page, bindings)
  const cellsOf = (line: string) => JSON.parse(line) as Cells
  const keysAt = (line: string) => fromArray(keyParts(keys), cellsOf(line).slice(selection.parts.length))
  const { group } = need
  const grouped = group === undefined ? 0 : groupKeys(app, policy, group).length
  const placeOf = (line: string | undefined) => {
    if (line === undefined) return null
    const place = keysAt(line)
    return writeCursor(keys.map((_, index) => (place[`k${index}`] ?? null) as string | boolean | null))
  }
  const taken = (text: string): PageRows => {
    const found = text === '' ? [] : text.split('\n')
    const more = found.length > need.limit
    const lines = found.slice(0, need.limit)
    if (backwards) lines.reverse()
    return {
      rows: lines.map(line =>
        out ? selection.read(fromArray(selection.parts, cellsOf(line)), request) : rowOf(selection, request, line),
      ),
      groups:
        group === undefined || out
          ? []
          : lines.map(line => groupValue(group.by, (keysAt(line)[`k${grouped - 1}`] ?? null) as Wire)),
      next: (backwards ? true : more) ? placeOf(lines.at(-1)) : null,
      previous: (backwards ? more : after !== null) ? placeOf(lines[0]) : null,
    }
  }
  const text = answer!.rows ?? ''
  // What is taken out goes by once, and would push out what is looked at again.
  const { rows, groups, next, previous } = out ? taken(text) : pageOf(page, request, text, () => taken(text))
  const n = Number(answer!.n ?? 0)
  const way = out ? 'export' : (need.shown ?? 'list')
  await logRead(runtime, request, { entity, records: rows.map(({ id }) => id), way, opening: null })
  return {
    kind: 'rows',
    rows,
    columns: selection.fields,
    count: need.countTo === 0 ? null : { n: Math.min(n, need.countTo), more: n > need.countTo },
    groups,
    next,
    previous,
    ...(place === null && (need.after ?? need.before) !== null ? { displaced: true } : {}),
    create: createVerdict(policy, entity),
    exports: policy.rows(entity, 'export', 't') !== false,
    imports: policy.rows(entity, 'import', 't') === true,
  }
}

async function readGroups(runtime: Runtime, request: Request, need: GroupsNeed): Promise<GroupsData | null> {
  const { app } = runtime
  const { entity, by } = need
  const policy = policyFor(app, request.actor)
  const seen = policy.field(entity, by, 't')
  const type = typeOf(app, entity, by)
  if (seen === false || type === undefined || !isSingle(app, entity, by)) return null
  const base = [policy.key, entity, by, whereKey(need.where), JSON.stringify(need.sort)]
  const filter = filterOf(app, policy, entity, 't', need.filters)
  const search = searchOf(app, policy, entity, 't', need.search, { through: need.searched })
  const asked = ['groups', ...base, ...need.columns, filter.shape, search.shape]
  const { selection, rows, counts } = cachedStatement(app, asked, () => {
    const keys = keysOf(app, policy, entity, 't', need.sort)
    const selected = selectionOf({ app, policy, entity, alias: 't', fields: need.columns, may: true })
    const key = (index: number) => identifier(`k${index}`)
    const group = sql`unnest(${slot('groups')}::${sqlArrayType(type)}) with ordinality as g (value, place)`
    const shown = allOf([
      shownRows(policy, entity, need.where),
      seen,
      filter.condition(),
      search.condition(),
      sql`${fieldSql(app, entity, by, 't')} = g.value`,
    ])
    const found = sql`select g.place as "group", ${selectArray(selected.parts)} as cells from ${group} cross join lateral (
      select ${columnSql('t', 'id')} as id, ${commas(keys.map((one, index) => sql`${one.sql} as ${key(index)}`))}
      from ${fromSql(entity, 't')} where ${conditionSql(shown)}
      order by ${orderBy(keys, key, false)} limit ${slot('limit')}::bigint
    ) as ${pageName} join ${fromSql(entity, 't')} on ${columnSql('t', 'id')} = ${pageName}.id${selected.joins}
    order by g.place, ${orderBy(keys, index => sql`${pageName}.${key(index)}`, false)}`
    const counted = sql`select g.place as "group", (select count(*) from (
      select from ${fromSql(entity, 't')} where ${conditionSql(shown)} limit ${raw(String(groupCountTo + 1))}
    ) as counted) as n from ${group}`
    return { selection: selected, rows: built(found), counts: built(counted) }
  })
  const groups = need.groups.filter(value => fits(type, value))
  const bindings = bindingsOf(request, { groups, limit: need.limit, ...filter.bindings, ...search.bindings })
  const store = atOnce(runtime.store)
  const [cells, counted] = await Promise.all([
    store.run<{ group: string; cells: Cells }>(rows, bindings),
    store.run<{ group: string; n: string }>(counts, bindings),
  ])
  const found = cells.map(one => ({
    group: one.group,
    row: selection.read(fromArray(selection.parts, one.cells), request),
  }))
  const records = found.map(({ row }) => row.id)
  await logRead(runtime, request, { entity, records: [...new Set(records)], way: 'list', opening: null })
  return {
    kind: 'groups',
    columns: selection.fields,
    groups: groups.map((value, index) => {
      const place = String(index + 1)
      const n = Number(counted.find(({ group }) => group === place)?.n ?? 0)
      return {
        value,
        count: { n: Math.min(n, groupCountTo), more: n > groupCountTo },
        rows: found.flatMap(({ group, row }) => (group === place ? [row] : [])),
      }
    }),
    create: createVerdict(policy, entity),
  }
}

/**
 * The record of `t` is the one that an address names, in the slot `address`; null where none can be: no such field, or not for
 * these roles, or a value that it never has.
 */
export function namedBy(app: App, policy: Policy, entity: string, { field, value }: OneNeed['by']): Condition | null {
  const type = field === 'id' ? ({ kind: 'reference', entity } as const) : typeOf(app, entity, field)
  if (type === undefined || !fits(type, value)) return null
  if (field === 'id') return sql`${columnSql('t', 'id')} = ${slot('address')}::${sqlType(type)}`
  const seen = isSingle(app, entity, field) && policy.field(entity, field, 't')
  if (seen === false) return null
  return allOf([seen, sql`${seenFieldSql(app, policy, entity, field, 't')} = ${slot('address')}::${sqlType(type)}`])
}

/** By its id, before a step gave it the number that addresses name. */
export const addressed = (app: App, entity: string, by: OneNeed['by']): OneNeed['by'] =>
  isGivenLater(app, entity, by.field) && isId(by.value) ? { field: 'id', value: by.value } : by

/** Ways to look at what is archived, or was opened in an emergency. */
const openable: ReadonlySet<Way | undefined> = new Set(['page', 'file', 'api'])

/** A record; its history, which is empty there, can be read with other things. */
interface ReadRecord {
  readonly one: OneData
  readonly history: (runtime: Runtime) => Promise<OneData['history']>
}

/** As the roles see it; else, where it is to be shown, what is archived, and then as far as it was opened in an emergency. */
export async function readRecord(runtime: Runtime, request: Request, need: OneNeed): Promise<ReadRecord | null> {
  const { app } = runtime
  const found = await readRecordAs(runtime, request, need)
  if (found === null && archives(app, need.entity) && (need.archived === true || openable.has(need.shown))) {
    const asking = askedBy(app, request, { entity: need.entity, where: null, archived: true })
    const archived = await readRecordAs(runtime, asking, need)
    if (archived !== null) return archived
  }
  if (found !== null || !openable.has(need.shown) || !opensIn(runtime.app, request.actor, need.entity)) return found
  const actor = wantingArchived(app, { ...request.actor, emergency: 'open' }, need.entity)
  return readRecordAs(runtime, { ...request, actor }, need)
}

async function readRecordAs(runtime: Runtime, request: Request, need: OneNeed): Promise<ReadRecord | null> {
  const { app, store } = runtime
  const { entity } = need
  const by = addressed(app, entity, need.by)
  const policy = policyFor(app, request.actor)
  const isOpened = request.actor.emergency !== undefined
  const isNamed = namedBy(app, policy, entity, by)
  if (isNamed === null) return null
  const asking = await readGuards(store, app, request, entity, { by: by.field, named: isNamed, value: by.value })
  const key = [policy.key, entity]
  const keys = need.order === undefined ? [] : keysOfList(app, policy, entity, need.order)
  const sorted = need.order === undefined ? '' : orderKey(need.order)
  const asked = need.told ?? []
  const { selection, children, pending, telling, row } = cachedStatement(
    app,
    ['one', ...key, by.field, sorted, String(need.moments === true), ...asked.map(whereKey)],
    () => {
      const selected = wholeSelection(app, policy, entity, { may: true, moments: need.moments === true })
      const rows = childrenOf(app, policy, entity)
      const waits = pendingOf(app, policy, entity)
      const told = tellingOf(app, policy, asked, 't')
      const shown = allOf([policy.rows(entity, 'see', 't'), isNamed])
      const opening = isOpened ? sql`, ${openingSql(app, entity, 't')} as " opening"` : raw('')
      const follows = mayComment(app, request.actor, entity) ? followsSql(app, policy, entity, 't') : sql`null::boolean`
      const shares = sharesSql(app, request.actor, entity, 't') ?? raw('null::jsonb')
      return {
        selection: selected,
        children: rows,
        pending: waits,
        telling: told,
        row: built(sql`select ${selectList([...selected.parts, ...told.parts])}, ${rows.column}, ${waits.column}, ${follows} as " follows", ${shares} as " shares"${opening}${keySql(keys)}
        from ${fromSql(entity, 't')}${selected.joins} where ${conditionSql(shown)} limit 1`),
      }
    },
  )
  const [found] = await store.run<Raw>(row, bindingsOf(asking, { address: by.value, zone: app.product.timeZone.name }))
  if (found === undefined) return null
  const one = selection.read(found, asking)
  const opening = isOpened ? openingOf(found) : null
  if (need.shown !== undefined) await logRead(runtime, request, { entity, records: [one.id], way: need.shown, opening })
  const follows = found[' follows'] as boolean | null
  return {
    one: {
      kind: 'one',
      row: one,
      fields: selection.fields,
      ...children.read(found, request),
      approvals: pending.read(found),
      follows,
      shares: (found[' shares'] as unknown as OneData['shares'] | null) ?? [],
      history: [],
      opened: opening?.until ?? null,
      told: telling.read(found),
      place: keys.length === 0 ? null : keys.map((_, index) => (found[`k${index}`] ?? null) as string | boolean | null),
    },
    history: reading => readHistory(reading, request, policy, entity, one, need.history),
  }
}

/** From the column `" opening"`. */
function openingOf(found: Raw): { readonly id: string; readonly until: string } {
  const { id, until } = found[' opening'] as unknown as { id: string; until: string }
  return { id, until: new Date(until).toISOString() }
}

const keySql = (keys: readonly Key[]): Sql =>
  join(
    keys.map((one, index) => sql`, ${one.sql} as ${identifier(`k${index}`)}`),
    '',
  )

/** What stands in a record now, as far as this person may see it: for showing both versions after somebody was faster. */
export async function readStale(
  reader: Reader,
  app: App,
  request: Request,
  policy: Policy,
  entity: string,
  id: string,
): Promise<{
  readonly theirs: RecordValue
  readonly labels: Readonly<Record<string, string>>
  readonly by: string | null
  readonly at: string | null
  readonly moved: string | null
}> {
  const { selection, rows, query } = cachedStatement(app, ['now', policy.key, entity], () => {
    const selected = wholeSelection(app, policy, entity, { may: false })
    const of = childrenOf(app, policy, entity)
    const by = nameSql(app, policy, entity, 't', sql`t.changed_by`)
    const moved = app.workflows.has(entity) ? sql`t.state_since = t.changed_at` : sql`false`
    return {
      selection: selected,
      rows: of,
      query:
        built(sql`select ${selectList(selected.parts)}, ${of.column}, ${by} as " by", t.changed_at as " at", ${moved} as " moved"
        from ${fromSql(entity, 't')}${selected.joins} where t.id = ${slot('id')}::uuid`),
    }
  })
  const [found] = await reader.run<Raw>(query, bindingsOf(request, { id }))
  const { values, labels } = nested(selection.read(found!, request), rows.read(found!, request).children)
  // Of a change that is closed to this person it is not told when it was, and whose.
  if (!policy.whole(entity)) return { theirs: values, labels, by: '', at: null, moved: null }
  const by = seesHistory(app, request.actor, entity) ? (found![' by'] as string | null) : ''
  const moved = found![' moved'] === true ? ((values.state ?? null) as string | null) : null
  return { theirs: values, labels, by, at: found![' at'] as string | null, moved }
}
