/** Constraints and triggers of a table that is there: the steps from those that it has to those that it is to have. */
import { columnList, literal, quoted, tableName } from '../names.ts'
import type { Column, Constraint, Table } from '../physical.ts'
import { circlesSql } from '../trees.ts'
import { appendOnly, commentOf, constraintDefinition, isTrigger, speaksOf } from './definition.ts'
import { inPortions } from './portions.ts'
import type { AskedConstraint, Future } from './probes.ts'
import { addConstraint, adoptIndex, alter, commentOnConstraint, dropConstraint, dropIndex } from './statements.ts'
import { phases, placeOf, type Step, step } from './step.ts'

/** What is held, in words of the document: `min 1` for days of loan; V-3, `due_back > out_on`, for loan. */
function saidOf({ name: table }: Table, { holds: { rule, field, name, cell } }: Constraint): string {
  const whose = field === null ? table : `${field} of ${table}`
  if (rule === 'rule') return `${name}, \`${cell.text}\`, for ${whose}`
  if (rule === 'state') return `the states of ${table}`
  const isWhole = rule === 'type' || rule === 'reference' || cell.text.startsWith(rule)
  return `\`${isWhole ? '' : `${rule} `}${cut(cell.text)}\` for ${whose}`
}

/** Makes those of the table what they are to be: what stays, what goes, what comes, and what `ask` must know of the records first. */
export function constraints(
  future: Future,
  retyped: ReadonlySet<string>,
  steps: Step[],
  ask: (constraint: AskedConstraint) => void,
): void {
  const { table, actual } = future
  const wanted = new Map(table.constraints.map(constraint => [constraint.name, constraint]))
  const spare = new Map(
    [...actual.constraints].filter(([name, { definition }]) => definition !== null && !wanted.has(name)),
  )
  const mentions = (definition: string) => [...retyped].some(name => speaksOf(definition, name))
  for (const constraint of table.constraints) {
    const definition = constraintDefinition(constraint)
    const old = actual.constraints.get(constraint.name)
    const isWritten = constraint.kind === 'check' || constraint.kind === 'exclude'
    const touched = retyped.size > 0 && isWritten && mentions(definition)
    if (old?.definition === definition && !touched) {
      if (old.valid || constraint.kind === 'append only') continue
      ask(constraint)
      steps.push(...validated(future, constraint))
      continue
    }
    const same = [...spare.values()].find(
      one => one.kind !== 't' && one.definition === definition && one.valid && !mentions(definition),
    )
    if (same !== undefined && old === undefined && !touched) {
      spare.delete(same.name)
      steps.push(renamedConstraint(table, constraint, same.name))
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

/** It is there, and not yet held for the records that were there before it. */
const validated = (future: Future, constraint: AskedConstraint): readonly Step[] =>
  constraint.kind === 'tree'
    ? noCircles(future, constraint)
    : [...moved(future, constraint), validation(future.table, constraint)]

const renamedConstraint = (table: Table, constraint: Constraint, was: string): Step =>
  step(phases.rename + 2, 'moment', constraint.holds.cell, `Rename the constraint ${was} of ${table.name}`, [
    alter(table.name, `rename constraint ${quoted(was)} to ${quoted(constraint.name)}`),
    commentOnConstraint(table.name, constraint),
  ])

/** The check of a type is as long as its alphabet. */
const cut = (definition: string): string => (definition.length > 80 ? `${definition.slice(0, 80)}…` : definition)

const dropped = (table: Table, name: string, because: Step['because'], definition: string | null = null): Step =>
  step(
    phases.loosen,
    'moment',
    because,
    definition === appendOnly
      ? `Let records of ${table.name} be changed and deleted again`
      : `Remove the ${definition !== null && isTrigger(definition) ? 'trigger' : 'constraint'} ${name} from ${table.name}${definition === null ? '' : `: ${cut(definition)}`}`,
    [dropConstraint(table.name, name, definition)],
  )

const validation = (table: Table, constraint: Constraint): Step =>
  step(
    constraint.kind === 'foreign' ? phases.refer + 1 : phases.constrain + 1,
    'scan',
    constraint.holds.cell,
    `Enforce ${saidOf(table, constraint)}, in existing records too`,
    [alter(table.name, `validate constraint ${quoted(constraint.name)}`)],
    { rows: 'records are read, none is changed', through: tableName(table.name) },
  )

function newConstraint(future: Future, constraint: Constraint, replaces: boolean): Step[] {
  const { table, actual, now } = future
  const { cell } = constraint.holds
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
  const said = saidOf(table, constraint)
  const what = `Enforce ${said}`
  const comment = commentOnConstraint(table.name, constraint)
  const drop = replaces ? [dropConstraint(table.name, constraint.name)] : []
  const phase = constraint.kind === 'foreign' ? phases.refer : phases.constrain
  if (!actual.hasRows)
    return [step(phase, 'moment', cell, what, [...drop, addConstraint(table.name, constraint), comment])]
  if (constraint.kind === 'check' || constraint.kind === 'foreign') {
    const moves = moving(future, constraint)
    const isKnown =
      [...now.beside.keys()].some(name => speaksOf(constraintDefinition(constraint), name)) || moves.length > 0
    const ends = constraint.kind === 'check' && !isKnown ? `is refused what breaks ${said} (${placeOf(cell)})` : null
    const first = moves.length > 0 ? [dropConstraint(table.name, constraint.name)] : drop
    return [
      ...moves,
      step(phase, 'moment', cell, what, [...first, addConstraint(table.name, constraint, true), comment], { ends }),
      ...moved(future, constraint),
      validation(table, constraint),
    ]
  }
  if (constraint.kind === 'exclude')
    return [
      step(phase, 'constrain', cell, what, [...drop, addConstraint(table.name, constraint), comment], {
        rows: 'records are compared, none is changed',
        through: tableName(table.name),
      }),
    ]
  const columns = columnList(constraint.columns)
  return [
    ...(replaces ? [step(phases.loosen, 'moment', cell, `Enforce ${said} no more as it was`, drop)] : []),
    step(
      phase,
      'build',
      cell,
      what,
      [
        dropIndex(constraint.name),
        `create unique index concurrently ${quoted(constraint.name)} on ${tableName(table.name)} (${columns})`,
      ],
      {
        mode: 'outside',
        rows: 'records are read, none is changed',
        through: tableName(table.name),
        ends: constraint.columns.some(name => now.beside.has(name))
          ? null
          : `is refused records of ${table.name} that are alike in ${constraint.columns.join(' and ')}`,
      },
    ),
    step(phase + 1, 'moment', cell, `Enforce ${said} by the index that was built`, [
      adoptIndex(table.name, constraint),
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

/** States that were renamed: while their records move, both names are allowed. */
function moving(future: Future, constraint: AskedConstraint): readonly Step[] {
  const column = stateOf(future, constraint)
  if (column === null) return []
  const { table } = future
  const name = quoted(constraint.name)
  const old = column.renamed.map(({ from }) => literal(from)).join(', ')
  const both = `check (${quoted(column.name)} in (${old}) or ${constraintDefinition(constraint).replace(/^check /, '')})`
  return [
    step(
      phases.constrain - 2,
      'moment',
      constraint.holds.cell,
      `Let records of ${table.name} be in states by both names`,
      [
        dropConstraint(table.name, constraint.name),
        // A definition that nothing asks for: an interrupted run is begun anew.
        alter(table.name, `add constraint ${name} ${both} not valid`),
        `comment on constraint ${name} on ${tableName(table.name)} is ${commentOf('states by both names')}`,
      ],
    ),
    { ...moveStates(future, column), phase: phases.constrain - 1 },
  ]
}

/** Those that a version before has put into a state by its old name meanwhile. */
function moved(future: Future, constraint: AskedConstraint): readonly Step[] {
  const column = stateOf(future, constraint)
  return column === null ? [] : [{ ...moveStates(future, column), phase: phases.constrain, rows: null, count: null }]
}

/** The column of a workflow of which states were renamed. */
function stateOf({ table }: Future, constraint: AskedConstraint): Column | null {
  const { rule, field } = constraint.holds
  const column = rule === 'state' ? table.columns.find(({ name }) => name === field) : undefined
  return column === undefined || column.renamed.length === 0 ? null : column
}

function moveStates({ table, now }: Future, column: Column): Step {
  const name = quoted(column.name)
  const from = column.renamed.map(one => literal(one.from)).join(', ')
  const whens = column.renamed.map(one => `when ${literal(one.from)} then ${literal(one.to)}`).join(' ')
  const all = tableName(table.name)
  return step(
    phases.constrain,
    'rows',
    column.cell,
    `Move records of ${table.name} to the states that they are in by the document`,
    [inPortions(all, `${name} = case ${name} ${whens} end`, `${name} in (${from})`)],
    {
      mode: 'outside',
      rows: '{count} records move to another state',
      count: `select count(*) as count from ${tableName(now.table)} where ${name} in (${from})`,
      through: all,
      ends: `does not know the states ${column.renamed.map(({ to }) => to).join(', ')} of ${table.name}, and may not put records into those of before`,
    },
  )
}
