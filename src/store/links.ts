/** Tables of links: which records a field of the type `several` names. One row for each, in the same transaction as its record. */
import type { Entity, Field } from '../headings/3-entities/model.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { appendOnly } from './append-only.ts'
import { shortName } from './names.ts'
import type { Column, Constraint, Table } from './physical.ts'

/** The tables that the fields of an entity need, besides its own. */
export const linkTables = (entity: Entity): readonly Table[] =>
  entity.fields
    .filter(field => fieldKind(field.kind).links && field.computed === null)
    .map(field => linkTable(entity, field))

function linkTable(entity: Entity, field: Field): Table {
  const name = `${entity.key}_${field.key}`
  const was = entity.was === null && field.was === null ? null : `${entity.was ?? entity.key}_${field.was ?? field.key}`
  const target = field.parameters.entity ?? ''
  const cell = field.typeCell
  const column = (of: string): Column => ({
    name: of,
    was: null,
    type: 'uuid',
    typeText: 'uuid',
    notNull: true,
    default: null,
    fill: null,
    renamed: [],
    cell,
  })
  const holds = (rule: 'key' | 'parent' | 'reference') =>
    ({ rule, entity: entity.key, field: field.key, name: null, cell }) as const
  const foreign = (of: 'owner' | 'member', table: string): Constraint => ({
    kind: 'foreign',
    name: shortName(name, of, 'fkey'),
    column: of,
    table,
    key: 'id',
    onDelete: of === 'owner' ? 'cascade' : 'restrict',
    holds: holds(of === 'owner' ? 'parent' : 'reference'),
  })
  return {
    name,
    title: `${field.label} of ${entity.name}`,
    called: [],
    was,
    beside: null,
    cell,
    columns: [column('owner'), column('member')],
    kept: [],
    constraints: [
      { kind: 'primary', name: shortName(name, 'pkey'), columns: ['owner', 'member'], holds: holds('key') },
      foreign('owner', entity.key),
      foreign('member', target),
      ...appendOnly(entity, name),
    ],
    indexes: [
      {
        name: shortName(name, 'member', 'idx'),
        columns: [{ name: 'member', forPeople: false, descending: false }],
        folded: false,
        unique: false,
        where: null,
        serves: `what names a record in ${field.label}`,
        holds: null,
        cell,
      },
    ],
  }
}
