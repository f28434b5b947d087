import type { Entity } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import type { Column, Physical, Table } from '../physical.ts'

/**
 * The tables of a document of before, where `last` is the one that was applied after it: records go back from the states that `last` had
 * renamed. Where it had brought records of several states into one, nothing tells them apart, and the plan asks.
 */
export function statesBack(desired: Physical, app: App, last: App): Physical {
  const back = [...app.entities.values()].flatMap((entity): readonly (readonly [string, Table])[] => {
    const table = desired.tables.get(entity.key)
    const renamed = renamedBack(app, last, entity)
    if (table === undefined || renamed.length === 0) return []
    const columns = table.columns.map(column =>
      column.name === 'state' ? { ...column, renamed: [...column.renamed, ...renamed] } : column,
    )
    return [[entity.key, { ...table, columns }]]
  })
  return { ...desired, tables: new Map([...desired.tables, ...back]) }
}

function renamedBack(app: App, last: App, { key }: Entity): Column['renamed'] {
  const after = [...last.entities.values()].find(entity => entity.key === key || entity.was === key)
  const states = new Set(app.workflows.get(key)?.states.map(({ name }) => name))
  return (last.workflows.get(after?.key ?? '')?.states ?? []).flatMap(({ name: from, was }) => {
    const [to] = was
    return to !== undefined && was.length === 1 && states.has(to) && !states.has(from) ? [{ from, to }] : []
  })
}
