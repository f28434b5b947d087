/** Tables as the version before knows them, where columns have another type by now: views in a schema of that version, in which nobody else looks for tables. */
import { quoted, tableName, versionSchema } from '../names.ts'
import type { Table } from '../physical.ts'
import { commentOf } from './definition.ts'
import type { ActualTable } from './introspect.ts'
import { phases, step } from './step.ts'

export interface VersionView {
  readonly schema: string
  readonly name: string
  /** Version of the document because of which it is there. */
  readonly since: string
}

const called = ({ schema, name }: Pick<VersionView, 'schema' | 'name'>): string => tableName(`${schema}.${name}`)

/** `columns`: by their names, what they are called. */
export const selected = (table: string, columns: ReadonlyMap<string, string>): string => {
  const shown = [...columns].map(([name, as]) => `${quoted(name)}${name === as ? '' : ` as ${quoted(as)}`}`)
  return `select ${shown.join(', ')} from ${tableName(table)}`
}

/** Which version sees which columns. */
interface Seen {
  readonly running: string
  /** Of the document that is applied. */
  readonly version: string
  readonly columns: ReadonlyMap<string, string>
}

export function asItWas(table: string, { running, version, columns }: Seen): readonly string[] {
  const schema = versionSchema(running)
  const view = called({ schema, name: table })
  return [
    `create schema if not exists ${quoted(schema)}`,
    `drop view if exists ${view}`,
    `create view ${view} as ${selected(table, columns)}`,
    commentOnView({ schema, name: table, since: version }),
  ]
}

export const commentOnView = (view: VersionView): string =>
  `comment on view ${called(view)} is ${commentOf(JSON.stringify([view.name, view.since]))}`

/** The columns that a version before goes on finding: without those that go, or hold something else. */
export const lasting = (there: ActualTable, wanted: Table, drop: readonly string[]): readonly string[] =>
  [...there.columns.values()].flatMap(({ name, type, kept }) => {
    const isDropped = name.includes('$') || drop.includes(`${wanted.name}.${name}`)
    const isWorkedOut = kept && !wanted.kept.some(one => one.name === name && one.type === type)
    return isDropped || isWorkedOut ? [] : [name]
  })

/** What shows columns that go, or come anew: the version before then does without it. */
export const hidden = (views: readonly VersionView[], table: string): readonly string[] =>
  views.filter(({ name }) => name === table).map(view => `drop view if exists ${called(view)}`)

/** The views of all versions but this one's, which are of documents before; and this one's own, once its tables are as it knows them. */
export function viewsOfBefore(views: readonly VersionView[], version: string) {
  const own = versionSchema(version)
  const gone = (phase: number) => (schema: string) =>
    step(phase, 'moment', null, `Take away the views of a version before, in the schema ${schema}`, [
      `drop schema if exists ${quoted(schema)} cascade`,
    ])
  const schemas = (some: readonly VersionView[]) => [...new Set(some.map(({ schema }) => schema))]
  const stale = views.filter(({ schema, since }) => schema !== own && since !== version)
  return {
    steps: schemas(views.filter(({ schema }) => schema === own)).map(gone(phases.retype + 4)),
    leftOver: schemas(stale).map(gone(phases.release - 1)),
    stay: views.filter(one => !stale.includes(one)),
  }
}
