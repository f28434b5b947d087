/**
 * A migration that was begun and never ended, to a document that another one has taken the place of: the version before still runs, and
 * goes on using what was kept for it. Where the new document goes the same way, it keeps that from now on; where it goes another one, it
 * is refused: there would be three versions of one thing.
 */
import type { Diagnostic } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Physical, Table } from '../physical.ts'
import { calledBy, commentOnAlias, commentOnPair, isInTheMaking } from './before.ts'
import { commentOnDefault } from './columns.ts'
import type { Actual, ActualPair, ActualTable } from './introspect.ts'
import { judged } from './probes.ts'
import { commentOnView } from './version-views.ts'

export interface TakenOver {
  readonly actual: Actual
  /** What says so in the database. */
  readonly statements: readonly string[]
}

/**
 * Whether another document than this one, `since`, began it and never ended: the one that is under way, or, where that one was going back
 * to the version that runs, whichever it was going back from. Null: there is none, or this document goes back.
 */
function begunBy({ version, underWay }: Actual, since: string): ((one: { readonly since: string }) => boolean) | null {
  if (underWay === null || version === since) return null
  return one => ![since, version].includes(one.since) && (one.since === underWay || underWay === version)
}

/** What another document began to change, and this one wants neither as it is nor as that one wanted it. */
export function otherWays(desired: Physical, actual: Actual, since: string): readonly Diagnostic[] {
  const isBegun = begunBy(actual, since)
  if (isBegun === null) return []
  const wanted = [...desired.tables.values()]
  const found = new Map<string, { readonly begun: string; readonly cell: Cell }>()
  const tableCell = (...names: readonly string[]) => (called(wanted, names) ?? wanted[0]!).cell
  for (const [was, alias] of actual.aliases)
    if (isBegun(alias) && (desired.tables.has(was) || !desired.tables.has(alias.table)))
      found.set(alias.table, { begun: alias.since, cell: tableCell(was, alias.table) })
  for (const there of actual.tables.values()) {
    const pairs = there.pairs.filter(pair => isBegun(pair) && !isInTheMaking(pair))
    if (pairs.length === 0 || found.has(there.name)) continue
    const begun = pairs[0]!.since
    const name = calledBy(desired, there.name, actual)
    const table = desired.tables.get(name)
    if (table === undefined) found.set(name, { begun, cell: tableCell(name) })
    else
      for (const [column, cell] of columnsOtherwise(table, there, pairs))
        found.set(`${name}.${column}`, { begun, cell })
  }
  return [...found].map(([name, { begun, cell }]) =>
    judged(3, ({ report }) => report('N0926', cell, { name, begun, running: actual.version! })),
  )
}

/** The one that has one of these names, or had it. */
const called = <One extends { readonly name: string; readonly was: string | null }>(
  all: readonly One[],
  names: readonly string[],
): One | undefined => all.find(({ name, was }) => names.includes(name) || (was !== null && names.includes(was)))

/** While some columns of a table have a second one for the version that runs, it sees the others too as they are now. */
function columnsOtherwise(table: Table, there: ActualTable, pairs: readonly ActualPair[]): readonly [string, Cell][] {
  const names = new Set(table.columns.map(({ name }) => name))
  return [
    ...pairs.flatMap(({ from, to }): [string, Cell][] =>
      names.has(to) && !names.has(from) ? [] : [[to, (called(table.columns, [from, to]) ?? table).cell]],
    ),
    ...table.columns.flatMap(({ name, type, cell }): [string, Cell][] =>
      (there.columns.get(name)?.type ?? type) === type ? [] : [[name, cell]],
    ),
  ]
}

/** Where no other way was found. */
export function takeOver(desired: Physical, actual: Actual, since: string): TakenOver {
  const isBegun = begunBy(actual, since)
  if (isBegun === null) return { actual, statements: [] }
  const statements: string[] = []
  const taken = (table: ActualTable): ActualTable => {
    const pairs = table.pairs.map(pair => {
      if (!isBegun(pair) || isInTheMaking(pair)) return pair
      statements.push(commentOnPair(table.name, { ...pair, since }))
      return { ...pair, since }
    })
    const wanted = desired.tables.get(table.name)?.columns ?? []
    const columns = [...table.columns].map(([name, column]) => {
      const isWanted = wanted.some(one => one.name === name && one.default === null)
      if (column.defaultOf === null || !isBegun({ since: column.defaultOf }) || !isWanted)
        return [name, column] as const
      statements.push(commentOnDefault(table.name, name, since))
      return [name, { ...column, defaultOf: since }] as const
    })
    return { ...table, pairs, columns: new Map(columns) }
  }
  const tables = new Map([...actual.tables].map(([name, table]) => [name, taken(table)]))
  const aliases = [...actual.aliases].map(([was, alias]) => {
    if (!isBegun(alias)) return [was, alias] as const
    statements.push(commentOnAlias(was, { ...alias, since }))
    return [was, { ...alias, since }] as const
  })
  const versionViews = actual.versionViews.map(view => {
    if (!isBegun(view)) return view
    statements.push(commentOnView({ ...view, since }))
    return { ...view, since }
  })
  return { actual: { ...actual, tables, aliases: new Map(aliases), versionViews }, statements }
}
