/** Desired tables against actual ones: which steps lead from here to there, and what must be asked of the data first. */
import type { Diagnostic } from '../../document/diagnostic.ts'
import { literal, quoted, tableName } from '../names.ts'
import { type Column, type Constraint, extensionsOf, type Index, type Physical, type Table } from '../physical.ts'
import { systemSteps } from '../system/steps.ts'
import { circlesSql } from '../trees.ts'
import { adopt } from './adopt.ts'
import { standBeside } from './beside.ts'
import { appendOnly, commentOf, constraintDefinition, indexDefinition, isTrigger } from './definition.ts'
import type { Actual, ActualColumn } from './introspect.ts'
import { keep } from './keep.ts'
import { orphans } from './orphans.ts'
import { type Asked, constraintProbe, type Future, indexProbe, judged, requiredProbe, typeProbe } from './probes.ts'
import { renames } from './rename.ts'
import {
  addConstraint,
  alter,
  columnText,
  commentOnConstraint,
  commentOnIndex,
  createIndex,
  createTable,
  dropConstraint,
  dropIndex,
} from './statements.ts'
import { type Draft, type Probe, phases, type Step, step } from './step.ts'
import { conversion } from './types.ts'

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
        step(phases.loosen, 'moment', column.cell, `Allow ${column.name} of ${table.name} to be empty`, [
          alter(table.name, `alter column ${quoted(column.name)} drop not null`),
        ]),
      )
  }
  constraints(future, retyped, steps, constraint => ask(constraintProbe(future, constraint, desired, tableNow)))
  indexes(future, steps, index => ask(indexProbe(future, index)))
  return { steps, leftOver, probes }
}

function added({ table, actual: { hasRows }, now }: Future, column: Column): Step[] {
  const what = `Add the column ${column.name} to ${table.name}`
  const name = quoted(column.name)
  const constant = column.default === null && column.notNull && column.fill?.sql.includes('"') === false
  // The default fills the rows without touching them. It stays until the next change, for records that a version before this one makes.
  const given = constant ? ` default ${column.fill.sql}` : ''
  const plain = alter(table.name, `add column ${columnText(column)}${given}`)
  if (!hasRows) return [step(phases.addColumn, 'moment', column.cell, what, [plain])]
  const all = { count: `select count(*) as count from ${tableName(now.table)}` }
  if (constant) {
    const rows = `records that get ${column.fill.shown}: {count}`
    return [step(phases.addColumn, 'moment', column.cell, what, [plain], { rows, ...all })]
  }
  if (column.default !== null || !column.notNull || column.fill === null)
    return [
      step(phases.addColumn, 'moment', column.cell, what, [plain], {
        rows: column.default === null ? 'existing records have no value in it' : 'existing records get its default',
      }),
    ]
  return [
    step(phases.addColumn, 'moment', column.cell, what, [alter(table.name, `add column ${name} ${column.type}`)]),
    ...made(table, column, true),
  ]
}

/** A column that becomes required: filled where there is something to fill it with, then `not null` through a validated check. */
function made(table: Table, column: Column, hasRows: boolean): Step[] {
  const name = quoted(column.name)
  const what = `Make ${column.name} of ${table.name} required`
  const setNotNull = alter(table.name, `alter column ${name} set not null`)
  if (!hasRows) return [step(phases.require, 'moment', column.cell, what, [setNotNull])]
  const steps: Step[] = []
  if (column.fill !== null)
    steps.push(
      step(
        phases.fill,
        'rows',
        column.cell,
        `Fill ${column.name} of ${table.name} where it is empty`,
        [
          `update ${tableName(table.name)} set ${name} = ${column.fill.sql} where id in (select id from ${tableName(table.name)} where ${name} is null limit 5000)`,
        ],
        {
          mode: 'repeated',
          rows: `records without a value get ${column.fill.shown}`,
        },
      ),
    )
  const check = quoted(`${column.name.slice(0, 40)}_not_null_check`)
  steps.push(
    step(
      phases.require,
      'scan',
      column.cell,
      what,
      [
        alter(table.name, `drop constraint if exists ${check}`),
        // The comment marks it as ours, so that one left over by an interrupted run is taken away.
        `${alter(table.name, `add constraint ${check} check (${name} is not null) not valid`)}; comment on constraint ${check} on ${tableName(table.name)} is ${commentOf('check')}`,
        alter(table.name, `validate constraint ${check}`),
        setNotNull,
        alter(table.name, `drop constraint ${check}`),
      ],
      { mode: 'one by one', rows: 'records are read, none is changed' },
    ),
  )
  return steps
}

function retype(table: Table, column: Column, old: ActualColumn): Step {
  const name = quoted(column.name)
  const change = conversion(old.type, column.type)
  const using = change?.using.replaceAll('{column}', name) ?? `null::${column.type}`
  return step(
    phases.retype,
    change?.rewrites === false ? 'moment' : 'rewrite',
    column.cell,
    `Change ${column.name} of ${table.name} from ${old.type} to ${column.type}`,
    [alter(table.name, `alter column ${name} type ${column.type} using ${using}`)],
    { rows: change === null ? 'no record has a value in it' : 'every value is kept' },
  )
}

function defaultStep(table: Table, column: Column): Step {
  const name = `${column.name} of ${table.name}`
  const [what, change] =
    column.default === null
      ? [`Leave the default of ${name} to the application`, 'drop default']
      : [`Change the default of ${name}`, `set default ${column.default}`]
  return step(phases.addColumn, 'moment', column.cell, what, [
    alter(table.name, `alter column ${quoted(column.name)} ${change}`),
  ])
}

function constraints(
  future: Future,
  retyped: ReadonlySet<string>,
  steps: Step[],
  ask: (constraint: Asked) => void,
): void {
  const { table, actual } = future
  const wanted = new Map(table.constraints.map(constraint => [constraint.name, constraint]))
  const spare = new Map(
    [...actual.constraints].filter(([name, { definition }]) => definition !== null && !wanted.has(name)),
  )
  const mentions = (definition: string) => [...retyped].some(name => definition.includes(quoted(name)))
  for (const constraint of table.constraints) {
    const definition = constraintDefinition(constraint)
    const old = actual.constraints.get(constraint.name)
    const isWritten = constraint.kind === 'check' || constraint.kind === 'exclude'
    const touched = retyped.size > 0 && isWritten && mentions(definition)
    if (old?.definition === definition && !touched) {
      if (!old.valid && constraint.kind !== 'append only') {
        ask(constraint)
        steps.push(...(constraint.kind === 'tree' ? noCircles(future, constraint) : [validation(table, constraint)]))
      }
      continue
    }
    const same = [...spare.values()].find(one => one.kind !== 't' && one.definition === definition && one.valid)
    if (same !== undefined && old === undefined && !touched) {
      spare.delete(same.name)
      steps.push(
        step(
          phases.rename + 2,
          'moment',
          constraint.holds.cell,
          `Rename the constraint ${same.name} of ${table.name}`,
          [
            alter(table.name, `rename constraint ${quoted(same.name)} to ${quoted(constraint.name)}`),
            commentOnConstraint(table.name, constraint),
          ],
        ),
      )
      continue
    }
    if (constraint.kind !== 'append only') ask(constraint)
    const retypedCheck = touched && old !== undefined
    if (retypedCheck) steps.push(dropped(table, constraint.name, constraint.holds.cell))
    steps.push(...newConstraint(future, constraint, old !== undefined && !retypedCheck))
  }
  for (const { name, kind, definition } of spare.values())
    if (kind !== 'p') steps.push(dropped(table, name, null, definition))
}

/** The check of a type is as long as its alphabet. */
const cut = (definition: string): string => (definition.length > 80 ? `${definition.slice(0, 80)}…` : definition)

const dropped = (table: Table, name: string, because: Step['because'], definition: string | null = null): Step =>
  step(
    phases.loosen,
    'moment',
    because,
    definition === appendOnly
      ? `Allow records of ${table.name} to be changed and deleted again`
      : `Remove the ${definition !== null && isTrigger(definition) ? 'trigger' : 'constraint'} ${name} from ${table.name}${definition === null ? '' : `: ${cut(definition)}`}`,
    [dropConstraint(table.name, name, definition)],
  )

const validation = (table: Table, constraint: Constraint): Step =>
  step(
    constraint.kind === 'foreign' ? phases.refer + 1 : phases.constrain + 1,
    'scan',
    constraint.holds.cell,
    `Enforce ${constraint.name} for existing records of ${table.name}`,
    [alter(table.name, `validate constraint ${quoted(constraint.name)}`)],
    { rows: 'records are read, none is changed' },
  )

function newConstraint(future: Future, constraint: Constraint, replaces: boolean): Step[] {
  const { table, actual } = future
  const { cell } = constraint.holds
  const isSaid = constraint.kind === 'exclude' || constraint.holds.rule === 'type'
  const rule = isSaid ? constraint.holds.cell.text : constraintDefinition(constraint)
  if (constraint.kind === 'append only') {
    const told = `Refuse to change or delete what is in ${table.name}, whoever asks: the trigger ${constraint.name}`
    return [
      step(phases.constrain, 'moment', cell, told, [
        addConstraint(table.name, constraint),
        commentOnConstraint(table.name, constraint),
      ]),
    ]
  }
  if (constraint.kind === 'tree') return noCircles(future, constraint)
  const what = `Enforce ${constraint.name} on ${table.name}: ${rule}`
  const comment = commentOnConstraint(table.name, constraint)
  const drop = replaces ? [dropConstraint(table.name, constraint.name)] : []
  const phase = constraint.kind === 'foreign' ? phases.refer : phases.constrain
  const moved = constraint.kind === 'check' ? stateMoves(table, constraint) : []
  if (!actual.hasRows)
    return [step(phase, 'moment', cell, what, [...drop, addConstraint(table.name, constraint), comment])]
  if (constraint.kind === 'check' || constraint.kind === 'foreign') {
    const statements = [...drop, ...moved, addConstraint(table.name, constraint, true), comment]
    const rows =
      moved.length > 0 ? { rows: '{count} records move to another state', count: movedCount(future, constraint) } : {}
    return [step(phase, 'moment', cell, what, statements, rows), validation(table, constraint)]
  }
  if (constraint.kind === 'exclude')
    return [
      step(phase, 'constrain', cell, what, [...drop, addConstraint(table.name, constraint), comment], {
        rows: 'records are compared, none is changed',
      }),
    ]
  const name = quoted(constraint.name)
  const columns = constraint.columns.map(quoted).join(', ')
  const adopt = `add constraint ${name} ${constraint.kind === 'primary' ? 'primary key' : 'unique'} using index ${name}`
  const deferrable = constraint.kind === 'unique' && constraint.deferrable ? ' deferrable initially immediate' : ''
  return [
    ...(replaces ? [step(phases.loosen, 'moment', cell, `Replace ${constraint.name} of ${table.name}`, drop)] : []),
    step(
      phase,
      'build',
      cell,
      what,
      [dropIndex(constraint.name), `create unique index concurrently ${name} on ${tableName(table.name)} (${columns})`],
      { mode: 'outside', rows: 'records are read, none is changed' },
    ),
    step(phase + 1, 'moment', cell, `Turn the index ${constraint.name} into a constraint of ${table.name}`, [
      alter(table.name, adopt + deferrable),
      comment,
    ]),
  ]
}

/** What is there already is gone through once the trigger looks at all that comes, and only then the trigger is known as ours. */
function noCircles({ table, actual }: Future, constraint: Extract<Constraint, { kind: 'tree' }>): Step[] {
  const { name, column, holds } = constraint
  const told = `Refuse records of ${table.name} that would be above themselves by ${column}, whoever asks: the trigger ${name}`
  const comment = commentOnConstraint(table.name, constraint)
  const make = [
    dropConstraint(table.name, name, constraintDefinition(constraint)),
    addConstraint(table.name, constraint),
  ]
  if (!actual.hasRows) return [step(phases.constrain, 'writers', holds.cell, told, [...make, comment])]
  const look = `do $$ begin
  if exists (select from ${circlesSql(tableName(table.name), column)}) then
    raise exception 'records of % are above themselves', ${literal(table.name)} using errcode = 'check_violation';
  end if;
end $$`
  return [
    step(phases.constrain, 'writers', holds.cell, told, make),
    step(
      phases.constrain + 1,
      'scan',
      holds.cell,
      `Look whether records of ${table.name} are above themselves already`,
      [look, comment],
      { rows: 'records are read, none is changed' },
    ),
  ]
}

/** States that were renamed, moved in the transaction that changes the list of states. */
function stateMoves(table: Table, constraint: Constraint): string[] {
  if (constraint.holds.rule !== 'state') return []
  const column = table.columns.find(one => one.name === constraint.holds.field)
  return (column?.renamed ?? []).map(
    ({ from, to }) =>
      `update ${tableName(table.name)} set ${quoted(column!.name)} = ${literal(to)} where ${quoted(column!.name)} = ${literal(from)}`,
  )
}

/** How many records are in a state that moves. */
function movedCount({ table, now }: Future, { holds }: Constraint): string {
  const column = table.columns.find(one => one.name === holds.field)!
  const from = column.renamed.map(one => literal(one.from)).join(', ')
  return `select count(*) as count from ${tableName(now.table)} where ${quoted(column.name)} in (${from})`
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
