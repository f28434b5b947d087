/** From the model to tables: real types, keys, not null, unique, CHECK for what one record alone decides, indexes for what is asked. */

import type { Cell } from '../document/source.ts'
import { archivedAt } from '../expression/archived.ts'
import type { Expression } from '../expression/expression.ts'
import { identifier, join, raw, type Sql, sql } from '../expression/sql.ts'
import { toSql } from '../expression/to-sql.ts'
import { alikeIfEmpty, apartBy } from '../headings/3-entities/apart.ts'
import { hasPlace, placeField } from '../headings/3-entities/by-hand.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { Workflow } from '../headings/4-states/model.ts'
import { startOf } from '../headings/4-states/ways.ts'
import type { Rule } from '../headings/5-validation/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified } from '../headings/specified.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { appendOnly } from './append-only.ts'
import { indexesOf, searchIndex } from './indexes.ts'
import { keptColumns } from './kept-columns.ts'
import { linkTables } from './links.ts'
import { inlined, literal, quoted, shortName } from './names.ts'
import { overlapConstraint } from './overlap.ts'
import {
  archivedType,
  type Column,
  type Constraint,
  type Holds,
  type Index,
  type Physical,
  type Table,
} from './physical.ts'
import { catalogueType } from './plan/types.ts'
import { treeConstraint } from './trees.ts'

/** The tables of a document, those of links last. */
export function schemaOf(app: App): Physical {
  const entities = [...app.entities.values()]
  // Tables of links last: they refer to both sides.
  const tables = [...entities.map(entity => tableOf(app, entity)), ...entities.flatMap(linkTables)]
  return { tables: new Map(tables.map(table => [table.name, table])) }
}

/** By name of a constraint or unique index: what it holds. For telling a violation that only the database could see. */
export function constraintsOf(physical: Physical): ReadonlyMap<string, Holds> {
  const held = new Map<string, Holds>()
  for (const table of physical.tables.values()) {
    for (const { name, holds } of table.constraints) held.set(name, holds)
    for (const { name, holds } of table.indexes) if (holds !== null) held.set(name, holds)
  }
  return held
}

function tableOf(app: App, entity: Entity): Table {
  const workflow = app.workflows.get(entity.key)
  const parent = entity.partOf === null ? undefined : app.entities.get(entity.partOf)
  const stored = entity.fields.filter(field => columnType(field) !== null)
  const rules = app.rules.filter(rule => rule.entity === entity.key)
  const uniques = stored.filter(field => field.unique !== null)
  return {
    name: entity.key,
    title: entity.name,
    called: entity.title.filter(key => stored.some(field => field.key === key)),
    was: entity.was,
    beside: entity.table === null ? null : { table: entity.table.text, cell: entity.table },
    cell: entity.cell,
    columns: [
      ...systemColumns(entity.cell),
      ...(workflow === undefined ? [] : stateColumns(workflow)),
      ...(parent === undefined ? [] : childColumns(entity, parent)),
      ...(entity.archives === null ? [] : [plainColumn(archivedAt, archivedType, false, entity.archives)]),
      ...(hasPlace(entity) ? [plainColumn(placeField, 'numeric', false, entity.cell)] : []),
      ...stored.map(columnOf),
    ],
    kept: keptColumns(app, entity),
    constraints: [
      {
        kind: 'primary',
        name: shortName(entity.key, 'pkey'),
        columns: ['id'],
        holds: holds('key', entity, null, entity.cell),
      },
      ...(workflow === undefined ? [] : [stateCheck(entity, workflow)]),
      ...(parent === undefined ? [] : [parentReference(entity, parent)]),
      ...stored.flatMap(field => fieldConstraints(entity, field)),
      ...uniques.flatMap(field => uniqueConstraint(app, entity, field)),
      ...stored.flatMap(field => overlapConstraint(entity, field)),
      ...stored.flatMap(field => treeConstraint(app, entity, field)),
      ...rules.flatMap(rule => ruleCheck(entity, rule)),
      ...appendOnly(entity),
    ],
    indexes: [
      ...uniques.flatMap(field => uniqueIndex(app, entity, field)),
      ...indexesOf(app, entity),
      ...searchIndex(entity),
    ],
  }
}

const holds = (
  rule: Holds['rule'],
  entity: Entity,
  field: string | null,
  cell: Cell,
  name: string | null = null,
): Holds => ({
  rule,
  entity: entity.key,
  field,
  name,
  cell,
})

const plainColumn = (name: string, type: string, notNull: boolean, cell: Cell): Column => ({
  name,
  was: null,
  type: catalogueType(type),
  typeText: type,
  notNull,
  default: null,
  fill: null,
  renamed: [],
  cell,
})

function systemColumns(cell: Cell): readonly Column[] {
  return [
    plainColumn('id', 'uuid', true, cell),
    { ...plainColumn('version', 'integer', true, cell), default: '1' },
    plainColumn('created_at', 'timestamptz(3)', true, cell),
    plainColumn('created_by', 'uuid', false, cell),
    plainColumn('changed_at', 'timestamptz(3)', true, cell),
    plainColumn('changed_by', 'uuid', false, cell),
  ]
}

function stateColumns(workflow: Workflow): readonly Column[] {
  const { states, cell } = workflow
  const start = startOf(workflow)
  const renamed = states.flatMap(({ was, name }) => was.map(from => ({ from, to: name })))
  return [
    {
      ...plainColumn('state', 'text', true, cell),
      fill: { sql: literal(start), shown: `the state ${start}` },
      renamed,
    },
    {
      ...plainColumn('state_since', 'timestamptz(3)', true, cell),
      fill: { sql: quoted('changed_at'), shown: 'the time of their last change' },
    },
  ]
}

function childColumns(entity: Entity, parent: Entity): readonly Column[] {
  const cell = entity.cell
  return [
    { ...plainColumn(parentColumn(entity), 'uuid', true, cell), was: parent.was },
    { ...plainColumn('position', 'integer', true, cell), fill: { sql: '1', shown: 'the first place' } },
  ]
}

/** The field of a child row that refers to its parent. */
const parentColumn = (entity: Entity): string => entity.shape.parent ?? entity.partOf!

/** Null where the field has no column: computed ones, lists. */
export function columnType(field: Field): string | null {
  return field.computed !== null ? null : fieldKind(field.kind).column(field.parameters)
}

function columnOf(field: Field): Column {
  return {
    ...plainColumn(field.key, columnType(field)!, !field.optional, field.cell),
    typeText: field.typeCell.text,
    was: field.was,
    fill: fillOf(field),
  }
}

/** A default that is the same for every record, whoever makes it and when. */
function fillOf(field: Field): Column['fill'] {
  const { default: given } = field
  if (given === null || given.tier > 0 || given.reads.length > 0) return null
  return { sql: inlined(toSql(given, { alias: ownColumn })), shown: `their default, \`${given.cell.text}\`` }
}

/** In a constraint the record's own columns stand by themselves. */
const ownColumn = (field: string): Sql => identifier(field)

function stateCheck(entity: Entity, { states, cell }: Workflow): Constraint {
  const names = states.map(state => literal(state.name)).join(', ')
  return {
    kind: 'check',
    name: shortName(entity.key, 'state_check'),
    expression: `"state" in (${names})`,
    holds: holds('state', entity, 'state', cell),
  }
}

function parentReference(entity: Entity, parent: Entity): Constraint {
  const column = parentColumn(entity)
  return {
    kind: 'foreign',
    name: shortName(entity.key, column, 'fkey'),
    column,
    table: parent.key,
    key: 'id',
    onDelete: 'cascade',
    holds: holds('parent', entity, column, entity.cell),
  }
}

const constraintWords: Partial<Readonly<Record<Holds['rule'], string>>> = {
  'required when': 'required',
  'only when': 'only_when',
}

function fieldConstraints(entity: Entity, field: Field): readonly Constraint[] {
  const column = identifier(field.key)
  const check = (rule: Holds['rule'], cell: Cell, condition: Sql): Constraint => ({
    kind: 'check',
    name: shortName(entity.key, field.key, constraintWords[rule] ?? rule, 'check'),
    expression: inlined(condition),
    holds: holds(rule, entity, field.key, cell),
  })
  const constraints: Constraint[] = []
  if (field.type.kind === 'reference')
    constraints.push({
      kind: 'foreign',
      name: shortName(entity.key, field.key, 'fkey'),
      column: field.key,
      table: field.type.entity,
      key: 'id',
      onDelete: 'restrict',
      holds: holds('reference', entity, field.key, field.typeCell),
    })
  const ofKind = fieldKind(field.kind).check(field.parameters, column)
  if (ofKind !== null) constraints.push(check('type', field.typeCell, ofKind))
  const measured =
    field.type.kind === 'text'
      ? sql`char_length(${column})`
      : field.type.kind === 'choices'
        ? sql`cardinality(string_to_array(${column}, ', '))`
        : column
  const bound = (rule: 'min' | 'max', limit: Expression | null) => {
    if (limit === null || limit.tier > 0) return
    const sign = raw(rule === 'min' ? '>=' : '<=')
    constraints.push(check(rule, limit.cell, sql`${measured} ${sign} ${toSql(limit, { alias: ownColumn })}`))
  }
  bound('min', field.min)
  bound('max', field.max)
  if (field.pattern !== null) {
    // Bytewise, whatever the collation of the database says about letters.
    const condition = sql`${column} collate "C" ~ ${raw(literal(field.pattern.source))}`
    constraints.push(check('pattern', field.pattern.cell, condition))
  }
  const { onlyWhen } = field
  const isHeld = (condition: Expression | null) => condition === null || condition.tier === 0
  if (onlyWhen?.tier === 0)
    constraints.push(check('only when', onlyWhen.cell, sql`${holdsOf(onlyWhen)} is true or ${column} is null`))
  const when = field.required?.when ?? null
  if (field.required !== null && (when ?? onlyWhen) !== null && isHeld(when) && isHeld(onlyWhen)) {
    const unless = [when, onlyWhen].flatMap(one => (one === null ? [] : [sql`${holdsOf(one)} is not true or `]))
    constraints.push(check('required when', field.required.cell, sql`${join(unless, '')}${column} is not null`))
  }
  return constraints
}

const holdsOf = (condition: Expression): Sql => sql`(${toSql(condition, { alias: ownColumn })})`

function uniqueColumns(entity: Entity, { key, unique }: Field): readonly string[] {
  const { within } = unique!
  return [...apartBy(entity, key, within), ...within, key]
}

const isAtTop = (app: App, entity: Entity, { unique }: Field): boolean =>
  unique!.within.some(key => alikeIfEmpty(app, entity, key))

function uniqueConstraint(app: App, entity: Entity, field: Field): readonly Constraint[] {
  const { unique } = field
  if (unique === null || isIndexed(app, entity, field)) return []
  const columns = uniqueColumns(entity, field)
  return [
    {
      kind: 'unique',
      name: shortName(entity.key, ...columns, 'key'),
      columns,
      // Rows of one list may swap their values in one change: the transaction asks for the check at its end.
      deferrable: entity.partOf !== null,
      holds: holds('unique', entity, field.key, unique.cell),
    },
  ]
}

/** Where only some records count, empty values do, or texts differ in letters that count as one: an index, which no constraint of PostgreSQL can be then. */
const isIndexed = (app: App, entity: Entity, field: Field): boolean =>
  field.unique!.while !== null || field.unique!.without !== null || isAtTop(app, entity, field)

function uniqueIndex(app: App, entity: Entity, field: Field): readonly Index[] {
  const { cell, without, while: condition } = field.unique!
  const nullsAlike = isAtTop(app, entity, field)
  if (!isIndexed(app, entity, field) || (condition !== null && condition.tier > 0)) return []
  const columns = uniqueColumns(entity, field)
  const conditions = [
    ...(nullsAlike ? [`${quoted(field.key)} is not null`] : []),
    ...(condition === null ? [] : [inlined(toSql(condition, { alias: ownColumn, as: 'condition' }))]),
  ]
  return [
    {
      name: shortName(entity.key, ...columns, 'key'),
      columns: columns.map(name => ({
        name,
        without: name === field.key ? without : null,
        forPeople: false,
        descending: false,
      })),
      folded: false,
      unique: true,
      nullsAlike,
      where: conditions.length > 1 ? conditions.map(one => `(${one})`).join(' and ') : (conditions[0] ?? null),
      serves: condition === null ? cell.text : `unique while ${condition.cell.text}`,
      holds: holds('unique', entity, field.key, cell),
      cell,
    },
  ]
}

/** A rule that one record alone decides, whenever it is written. Unknown passes: that is what CHECK does, and the language. */
function ruleCheck(entity: Entity, rule: Rule): readonly Constraint[] {
  if (rule.on !== null || rule.warns || isUnspecified(rule.mustHold) || rule.mustHold.tier > 0) return []
  return [
    {
      kind: 'check',
      name: shortName(entity.key, 'rule', rule.name.toLowerCase().replace(/[^a-z0-9]+/g, '_')),
      expression: inlined(toSql(rule.mustHold, { alias: ownColumn })),
      holds: holds('rule', entity, rule.field, rule.mustHold.cell, rule.name),
    },
  ]
}
