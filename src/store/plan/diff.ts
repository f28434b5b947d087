/** Desired tables against actual ones: which steps lead from here to there, and what must be asked of the data first. */
import type { Diagnostic } from '../../document/diagnostic.ts'
import { quoted, tableName } from '../names.ts'
import { extensionsOf, type Index, type Physical, type Table } from '../physical.ts'
import { systemSteps } from '../system/steps.ts'
import { adopt } from './adopt.ts'
import { standBeside } from './beside.ts'
import { added, defaultStep, made, retype } from './columns.ts'
import { constraints } from './constraints.ts'
import { indexDefinition } from './definition.ts'
import type { Actual } from './introspect.ts'
import { keep } from './keep.ts'
import { orphans } from './orphans.ts'
import { constraintProbe, type Future, indexProbe, judged, requiredProbe, typeProbe } from './probes.ts'
import { renames } from './rename.ts'
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

interface DiffOptions {
  /** What may be lost: `loan.purpose`, `fine`. Nothing else ever is. */
  readonly drop: readonly string[]
  /** Tables that somebody else made and that are taken over with their records, or `all`. */
  readonly adopt: readonly string[]
}

/** The steps and probes between two schemas. Pure: asks the database nothing. */
export function diff(wanted: Physical, there: Actual, options: DiffOptions): Draft {
  const adoption = adopt(wanted, there, options.adopt)
  const { actual } = adoption
  const beside = standBeside(wanted, actual)
  const { installed, available } = there.extensions
  const [extensions, lacking] = partition(
    extensionsOf(beside.desired),
    ({ name }) => installed.has(name) || available.has(name),
  )
  const desired = lacking.some(({ name }) => name === 'pg_trgm') ? withoutFolded(beside.desired) : beside.desired
  const renaming = renames(desired, actual)
  const steps: Step[] = [...adoption.steps, ...beside.steps, ...renaming.steps]
  const leftOver: Step[] = []
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

  for (const system of systemSteps) {
    if (actual.systemSteps.has(system.number)) continue
    steps.push({
      phase: system.when === 'before' ? phases.system : phases.systemAfter,
      what: `Create what Ninefold itself needs (${system.number}): ${system.what}`,
      statements: [
        ...system.sql
          .split(/;\s*(?:\n|$)/)
          .map(text => text.trim())
          .filter(text => text !== ''),
        recordStep(system.number),
      ],
      mode: 'together',
      lock: 'none',
      rows: null,
      count: null,
      because: null,
      drops: false,
    })
  }
  for (const { name, serves, cell } of extensions) {
    if (actual.extensions.installed.has(name)) continue
    steps.push(
      step(phases.system, 'none', cell, `Enable the PostgreSQL extension ${name}, for ${serves}`, [
        `create extension if not exists ${name}`,
      ]),
    )
  }
  for (const { table, old, new: fresh, column } of renaming.both)
    found.push(
      judged(3, ({ report }) => {
        const name = (key: string) => (column ? `${table.name}.${key}` : key)
        report('N0911', table.cell, { old: name(old), new: name(fresh) })
      }),
    )
  for (const table of desired.tables.values()) {
    const before = renaming.actual.tables.get(table.name)
    if (before === undefined) steps.push(...newTable(table))
    else if (!before.ours && table.name === 'person')
      found.push(judged(3, ({ report }) => report('N0924', table.cell, {})))
    else if (!before.ours) found.push(judged(3, ({ report }) => report('N0907', table.cell, { table: table.name })))
    else {
      const changes = changed({ table, actual: before, now: nowOf(table.name) }, desired, tableNow)
      steps.push(...changes.steps)
      leftOver.push(...changes.leftOver)
      // What will be taken over is not yet as it can be asked; what does not hold then is told when it is held.
      if (!adoption.adopted.has(table.name)) probes.push(...changes.probes)
    }
  }
  steps.push(...keep(desired, renaming.actual))
  const vanished = orphans(desired, renaming.actual, options.drop, nowOf)
  const all = [...steps, ...vanished.steps]
  // What served the version before the last one alone is no reason to change anything.
  if (all.length > 0) all.push(...leftOver)
  return {
    steps: all.sort((left, right) => left.phase - right.phase),
    probes: [...probes, ...vanished.probes],
    found: [...found, ...vanished.found],
  }
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

function changed(
  future: Future,
  desired: Physical,
  tableNow: (name: string) => string | null,
): { steps: Step[]; leftOver: Step[]; probes: Probe[] } {
  const { table, actual, now } = future
  const steps: Step[] = []
  const leftOver: Step[] = []
  const probes: Probe[] = []
  const ask = (probe: Probe | null) => {
    if (probe === null || !actual.hasRows) return
    const columns = table.called.filter(name => actual.columns.has(name)).map(name => now.columns.get(name) ?? name)
    probes.push({ ...probe, called: { table: now.table, columns } })
  }
  const retyped = new Set<string>()
  for (const column of table.columns) {
    const old = actual.columns.get(column.name)
    if (old === undefined) {
      if (column.notNull && column.fill === null) ask(requiredProbe(future, column))
      steps.push(...added(future, column))
      continue
    }
    if (old.type !== column.type) {
      retyped.add(column.name)
      ask(typeProbe(future, column, old.type))
      steps.push(retype(table, column, old))
    }
    if (column.default !== old.default)
      (column.default === null && column.fill !== null ? leftOver : steps).push(defaultStep(table, column))
    if (column.notNull && !old.notNull) {
      if (column.fill === null) ask(requiredProbe(future, column))
      steps.push(...made(table, column, actual.hasRows))
    } else if (!column.notNull && old.notNull)
      steps.push(
        step(phases.loosen, 'moment', column.cell, `Policy ${column.name} of ${table.name} to be empty`, [
          alter(table.name, `alter column ${quoted(column.name)} drop not null`),
        ]),
      )
  }
  constraints(future, retyped, steps, constraint => ask(constraintProbe(future, constraint, desired, tableNow)))
  indexes(future, steps, index => ask(indexProbe(future, index)))
  return { steps, leftOver, probes }
}

/** Without the indexes that the search goes without where the server lacks what they need. */
function withoutFolded({ tables }: Physical): Physical {
  const without = (table: Table): Table => ({ ...table, indexes: table.indexes.filter(({ folded }) => !folded) })
  return { tables: new Map([...tables].map(([name, table]) => [name, without(table)])) }
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): readonly [T[], T[]] {
  return [all.filter(test), all.filter(one => !test(one))]
}

function indexes({ table, actual }: Future, steps: Step[], ask: (index: Index) => void): void {
  const wanted = new Set(table.indexes.map(index => index.name))
  const spare = new Map(
    [...actual.indexes].filter(([name, { definition, valid }]) => definition !== null && valid && !wanted.has(name)),
  )
  for (const index of table.indexes) {
    const definition = indexDefinition(index)
    const old = actual.indexes.get(index.name)
    if (old?.definition === definition && old.valid) continue
    const same = [...spare.values()].find(one => one.definition === definition)
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
