/** Constraints and triggers of a table that is there: the steps from those that it has to those that it is to have. */
import { literal, quoted, tableName } from '../names.ts'
import type { Constraint, Table } from '../physical.ts'
import { circlesSql } from '../trees.ts'
import { appendOnly, constraintDefinition, isTrigger } from './definition.ts'
import type { AskedConstraint, Future } from './probes.ts'
import { addConstraint, alter, commentOnConstraint, dropConstraint, dropIndex } from './statements.ts'
import { phases, type Step, step } from './step.ts'

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
      ? `Policy records of ${table.name} to be changed and deleted again`
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
