/**
 * A migration that was begun and never ended, to a document that another one has taken the place of: the version before still runs, and
 * goes on using what was kept for it. Where the new document goes the same way, it keeps that from now on.
 */
import type { Physical } from '../physical.ts'
import { commentOnAlias, commentOnPair, isInTheMaking, isOfTypeBefore } from './before.ts'
import { commentOnDefault } from './columns.ts'
import type { Actual, ActualPair, ActualTable } from './introspect.ts'
import { commentOnView } from './version-views.ts'

export interface TakenOver {
  readonly actual: Actual
  /** What says so in the database. */
  readonly statements: readonly string[]
}

export function takeOver(desired: Physical, actual: Actual, since: string): TakenOver {
  const { version, underWay } = actual
  if (underWay === null || underWay === since || version === since) return { actual, statements: [] }
  const statements: string[] = []
  const isBegun = (one: { readonly since: string }) => one.since === underWay
  const columnsOf = (name: string) => desired.tables.get(name)?.columns ?? []
  const goesOn = ({ name, columns }: ActualTable, pair: ActualPair) =>
    isBegun(pair) &&
    !isInTheMaking(pair) &&
    columnsOf(name).some(
      one => one.name === pair.to && (!isOfTypeBefore(pair) || one.type === columns.get(pair.to)?.type),
    )

  const taken = (table: ActualTable): ActualTable => {
    const pairs = table.pairs.map(pair => {
      if (!goesOn(table, pair)) return pair
      statements.push(commentOnPair(table.name, { ...pair, since }))
      return { ...pair, since }
    })
    const columns = [...table.columns].map(([name, column]) => {
      const isWanted = columnsOf(table.name).some(one => one.name === name && one.default === null)
      if (column.defaultOf !== underWay || !isWanted) return [name, column] as const
      statements.push(commentOnDefault(table.name, name, since))
      return [name, { ...column, defaultOf: since }] as const
    })
    return { ...table, pairs, columns: new Map(columns) }
  }
  const tables = new Map([...actual.tables].map(([name, table]) => [name, taken(table)]))
  const aliases = [...actual.aliases].map(([was, alias]) => {
    if (!isBegun(alias) || !desired.tables.has(alias.table)) return [was, alias] as const
    statements.push(commentOnAlias(was, { ...alias, since }))
    return [was, { ...alias, since }] as const
  })
  const versionViews = actual.versionViews.map(view => {
    const shown = tables.get(actual.aliases.get(view.name)?.table ?? view.name)
    if (!isBegun(view) || shown?.pairs.some(pair => pair.since === since) !== true) return view
    statements.push(commentOnView({ ...view, since }))
    return { ...view, since }
  })
  return { actual: { ...actual, tables, aliases: new Map(aliases), versionViews }, statements }
}
