/** Desired tables against actual ones: which steps lead from here to there, and what must be asked of the data first. */
import type { Diagnostic } from '../../document/diagnostic.ts'
import { quoted, tableName } from '../names.ts'
import { type Column, extensionsOf, type Index, type Physical, type Table } from '../physical.ts'
import { systemSteps } from '../system/steps.ts'
import { adopt } from './adopt.ts'
import { type Before, before } from './before.ts'
import { standBeside } from './beside.ts'
import { added, defaultStep, givenMeanwhile, made, succeeding } from './columns.ts'
import { constraints } from './constraints.ts'
import { indexDefinition } from './definition.ts'
import type { Actual, ActualColumn, ActualPair } from './introspect.ts'
import { keep } from './keep.ts'
import { orphans } from './orphans.ts'
import { constraintProbe, type Future, indexProbe, judged, requiredProbe, typeProbe } from './probes.ts'
import { renames } from './rename.ts'
import { type Retyped, type Retyping, retype } from './retype.ts'
import {
  addConstraint,
  alter,
  commentOnConstraint,
  commentOnIndex,
  createIndex,
  createTable,
  dropIndex,
} from './statements.ts'
import { type Draft, type Probe, phases, type Step, step } from './step.ts'
import { otherWays, takeOver } from './take-over.ts'
import { lasting } from './version-views.ts'

interface DiffOptions {
  /** What may be lost: `loan.purpose`, `fine`. Nothing else ever is. */
  readonly drop: readonly string[]
  /** Tables that somebody else made and that are taken over with their records, or `all`. */
  readonly adopt: readonly string[]
  /** Of the document that the tables are for. */
  readonly version: string
}

/** The steps and probes between two schemas. Pure: asks the database nothing. */
export function diff(wanted: Physical, there: Actual, options: DiffOptions): Draft {
  const adoption = adopt(wanted, there, options.adopt)
  const beside = standBeside(wanted, adoption.actual)
  const { installed, available } = there.extensions
  const [extensions, lacking] = partition(
    extensionsOf(beside.desired),
    ({ name }) => installed.has(name) || available.has(name),
  )
  const desired = lacking.some(({ name }) => name === 'pg_trgm') ? withoutFolded(beside.desired) : beside.desired
  const { version } = options
  const refused = otherWays(desired, adoption.actual, version)
  if (refused.length > 0) return { steps: [], leftOver: [], takenOver: [], probes: [], found: refused }
  const takenOver = takeOver(desired, adoption.actual, version)
  const earlier = before(desired, takenOver.actual, version)
  const { actual } = earlier
  const renaming = renames(desired, earlier, options)
  const steps: Step[] = [...adoption.steps, ...beside.steps, ...earlier.steps, ...renaming.steps]
  const leftOver: Step[] = [...earlier.leftOver]
  const probes: Probe[] = []
  const found: Diagnostic[] = [
    ...adoption.found,
    ...beside.found,
    ...lacking.map(({ name: extension, serves, cell, optional }) =>
      judged(3, ({ report }) => report(optional ? 'N0914' : 'N0913', cell, { extension, serves })),
    ),
  ]
  const nowOf = (name: string) => renaming.now.get(name) ?? { table: name, columns: new Map<string, string>() }
  const tableNow = (name: string) => (renaming.actual.tables.has(name) ? nowOf(name).table : null)

  steps.push(...lackingSystem(actual), ...lackingExtensions(extensions, actual))
  for (const { table, old, new: fresh, column } of renaming.both)
    found.push(
      judged(3, ({ report }) => {
        const name = (key: string) => (column ? `${table.name}.${key}` : key)
        report('N0911', table.cell, { old: name(old), new: name(fresh) })
      }),
    )
  for (const table of desired.tables.values()) {
    const old = renaming.actual.tables.get(table.name)
    if (old === undefined) {
      steps.push(...newTable(table))
      found.push(...namesTaken(table, there, adoption.adopted))
    } else if (!old.ours && table.name === 'person')
      found.push(judged(3, ({ report }) => report('N0924', table.cell, {})))
    else if (!old.ours) found.push(judged(3, ({ report }) => report('N0907', table.cell, { table: table.name })))
    else {
      const now = renaming.now.get(table.name)!
      const future = { table, actual: old, now }
      const alias = aliasOf(future, takenOver.actual, version)
      const retyping = { version, running: there.version, alias, known: knownOf(future, earlier.shown, options.drop) }
      const changes = changed(future, { retyping, again: earlier.again.get(table.name) }, desired, tableNow)
      steps.push(...changes.steps)
      leftOver.push(...changes.leftOver)
      // What will be taken over is not yet as it can be asked; what does not hold then is told when it is held.
      if (!adoption.adopted.has(table.name)) probes.push(...changes.probes)
    }
  }
  steps.push(...keep(desired, renaming.actual))
  const vanished = orphans(desired, renaming.actual, options.drop, nowOf)
  return {
    steps: [...steps, ...vanished.steps],
    leftOver,
    takenOver: takenOver.statements,
    probes: [...probes, ...vanished.probes],
    found: [...found, ...vanished.found],
  }
}

function lackingSystem({ systemSteps: done }: Actual): readonly Step[] {
  return systemSteps
    .filter(({ number }) => !done.has(number))
    .map(({ number, when, sql, what }) => {
      const phase = when === 'before' ? phases.system : phases.systemAfter
      const statements = sql.split(/;\s*(?:\n|$)/).flatMap(text => text.trim() || [])
      const title = `Create what Ninefold itself needs (${number}): ${what}`
      return step(phase, 'none', null, title, [...statements, recordStep(number)])
    })
}

function lackingExtensions(wanted: ReturnType<typeof extensionsOf>, { extensions }: Actual): readonly Step[] {
  return wanted
    .filter(({ name }) => !extensions.installed.has(name))
    .map(({ name, serves, cell }) =>
      step(phases.system, 'none', cell, `Enable the PostgreSQL extension ${name}, for ${serves}`, [
        `create extension if not exists ${name}`,
      ]),
    )
}

/** The parameter is the time, given by whoever applies the plan. */
const recordStep = (number: number): string =>
  `insert into ninefold.system (number, applied_at) values (${number}, :now)`

function newTable(table: Table): readonly Step[] {
  const references = table.constraints.filter(constraint => constraint.kind === 'foreign')
  return [
    step(phases.create, 'none', table.cell, `Create the table ${table.name} for ${table.title}`, createTable(table)),
    ...references.map(constraint =>
      step(
        phases.refer,
        'moment',
        constraint.holds.cell,
        `Let ${constraint.column} of ${table.name} refer to ${constraint.table}`,
        [addConstraint(table.name, constraint), commentOnConstraint(table.name, constraint)],
      ),
    ),
  ]
}

/** How the version that runs calls a table that has another name; null: it has that name, or nobody can call it so. */
function aliasOf({ table, actual, now }: Future, { aliases }: Actual, version: string): string | null {
  if (now.table !== table.name) return actual.hasRows ? now.table : null
  return [...aliases].find(([, one]) => one.table === table.name && one.since === version)?.[0] ?? null
}

/** Its columns, by the names that they have once they are renamed. */
function knownOf({ table, now }: Future, shown: Before['shown'], drop: readonly string[]): ReadonlyMap<string, string> {
  const inPlace = new Map([...now.columns].flatMap(([fresh, old]) => (now.beside.has(fresh) ? [] : [[old, fresh]])))
  return new Map(lasting(shown.get(now.table)!, table, drop).map(name => [inPlace.get(name) ?? name, name]))
}

interface Context {
  readonly retyping: Retyping
  /** Columns of the type that some are to have again. */
  readonly again: ReadonlyMap<string, ActualPair> | undefined
}

function changed(
  future: Future,
  { retyping, ...context }: Context,
  desired: Physical,
  tableNow: (name: string) => string | null,
): { steps: Step[]; leftOver: Step[]; probes: Probe[] } {
  const { table, actual, now } = future
  const { version } = retyping
  const steps: Step[] = []
  const leftOver: Step[] = []
  const probes: Probe[] = []
  const ask = (probe: Probe | null) => {
    if (probe === null || !actual.hasRows) return
    const columns = table.called.filter(name => actual.columns.has(name)).map(name => now.columns.get(name) ?? name)
    probes.push({ ...probe, called: { table: now.table, columns } })
  }
  const changes: ColumnChanges = { version, ask, steps, leftOver, retyped: [] }
  for (const column of table.columns) {
    const old = actual.columns.get(column.name)
    const source = now.beside.get(column.name)
    if (source !== undefined) {
      if (source.type !== column.type) ask(typeProbe(future, column, source.type))
      if (column.notNull && !source.notNull && column.fill === null) ask(requiredProbe(future, column))
      steps.push(...succeeding(future, column, source, version))
    } else if (old === undefined) {
      if (column.notNull && column.fill === null) ask(requiredProbe(future, column))
      steps.push(...added(future, column, version))
    } else changeColumn(future, column, old, changes)
  }
  const retyped = new Set(changes.retyped.map(({ column }) => column.name))
  const again = (one: Omit<Retyped, 'again'>) => ({ ...one, again: context.again?.get(one.column.name) })
  steps.push(...retype(future, changes.retyped.map(again), retyping))
  constraints(future, retyped, steps, constraint => ask(constraintProbe(future, constraint, desired, tableNow)))
  indexes(future, retyped, steps, index => ask(indexProbe(future, index)))
  return { steps, leftOver, probes }
}

interface ColumnChanges {
  readonly version: string
  readonly ask: (probe: Probe | null) => void
  readonly steps: Step[]
  readonly leftOver: Step[]
  readonly retyped: Omit<Retyped, 'again'>[]
}

function changeColumn(future: Future, column: Column, old: ActualColumn, changes: ColumnChanges): void {
  const { table, actual } = future
  const { version, ask, steps, leftOver, retyped } = changes
  if (old.type !== column.type) {
    retyped.push({ column, old })
    ask(typeProbe(future, column, old.type))
  }
  if (column.default !== old.default && !(column.default === null && old.defaultOf === version))
    (column.default === null && column.fill !== null ? leftOver : steps).push(defaultStep(table, column))
  if (column.notNull && !old.notNull) {
    if (column.fill === null) ask(requiredProbe(future, column))
    steps.push(...givenMeanwhile(table, column, old, version), ...made(table, column, actual.hasRows))
  } else if (!column.notNull && old.notNull)
    steps.push(
      step(phases.loosen, 'moment', column.cell, `Let ${column.name} of ${table.name} be empty`, [
        alter(table.name, `alter column ${quoted(column.name)} drop not null`),
      ]),
    )
}

/** What others call as this table or something of it is to be called: there is one of each name. */
function namesTaken(table: Table, { tables, taken }: Actual, adopted: ReadonlySet<string>): readonly Diagnostic[] {
  const keys = table.constraints.filter(({ kind }) => kind === 'primary' || kind === 'unique' || kind === 'exclude')
  return [table, ...keys, ...table.indexes].flatMap(({ name }) => {
    const other = taken.get(name)
    const isOurs = other?.table != null && (tables.get(other.table)?.ours === true || adopted.has(other.table))
    if (other === undefined || isOurs) return []
    return [judged(3, ({ report }) => report('N0925', table.cell, { table: table.name, name, what: other.what }))]
  })
}

/** Without the indexes that the search goes without where the server lacks what they need. */
function withoutFolded({ tables }: Physical): Physical {
  const without = (table: Table): Table => ({ ...table, indexes: table.indexes.filter(({ folded }) => !folded) })
  return { tables: new Map([...tables].map(([name, table]) => [name, without(table)])) }
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): readonly [T[], T[]] {
  return [all.filter(test), all.filter(one => !test(one))]
}

function indexes(
  { table, actual }: Future,
  retyped: ReadonlySet<string>,
  steps: Step[],
  ask: (index: Index) => void,
): void {
  // These go with their column, which comes back with another type.
  const recomputed = new Set(
    table.kept.flatMap(({ name, type }) => ((actual.columns.get(name)?.type ?? type) === type ? [] : [name])),
  )
  const wanted = new Set(table.indexes.map(index => index.name))
  const spare = new Map(
    [...actual.indexes].filter(([name, { definition, valid }]) => definition !== null && valid && !wanted.has(name)),
  )
  for (const index of table.indexes) {
    const definition = indexDefinition(index)
    const isOver = index.columns.some(({ name }) => recomputed.has(name))
    const old = isOver ? undefined : actual.indexes.get(index.name)
    if (old?.definition === definition && old.valid) continue
    const same = index.columns.some(({ name }) => retyped.has(name))
      ? undefined
      : [...spare.values()].find(one => one.definition === definition)
    if (same !== undefined && old === undefined) {
      spare.delete(same.name)
      steps.push(
        step(phases.rename + 2, 'moment', index.cell, `Rename the index ${same.name}`, [
          `alter index ${tableName(same.name)} rename to ${quoted(index.name)}`,
          commentOnIndex(index),
        ]),
      )
      continue
    }
    ask(index)
    const what = `${old === undefined ? 'Build' : 'Rebuild'} the index ${index.name} of ${table.name}, for ${index.serves}`
    const remove = old === undefined ? [] : [dropIndex(index.name)]
    if (actual.hasRows || old !== undefined)
      steps.push(
        step(
          phases.index,
          'build',
          index.cell,
          what,
          [...remove, createIndex(table.name, index, true), commentOnIndex(index)],
          {
            mode: 'outside',
            rows: 'records are read, none is changed',
            through: tableName(table.name),
          },
        ),
      )
    else
      steps.push(
        step(phases.index, 'moment', index.cell, what, [createIndex(table.name, index, false), commentOnIndex(index)]),
      )
  }
  const coming = new Set(table.constraints.map(constraint => constraint.name))
  // One that an interrupted run left unfinished has no comment yet; its name tells whose it is.
  const gone = [...actual.indexes.values()].filter(
    ({ name, valid }) =>
      !wanted.has(name) && !coming.has(name) && (spare.has(name) || (!valid && name.startsWith(`${table.name}_`))),
  )
  for (const { name } of gone)
    steps.push(
      step(phases.index + 1, 'build', null, `Drop the index ${name}, which nothing needs any more`, [dropIndex(name)], {
        mode: 'outside',
      }),
    )
}
