/** Heading 6 into the model, entity by entity; what it does not mention is derived or stays closed (`App.assumptions`). */
import { splitAt, splitCell } from '../../document/cell.ts'
import type { NamedRow } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { noField } from '../3-entities/no-field.ts'
import { findStep } from '../4-states/declare.ts'
import { type Context, readAt, readSpecified } from '../context.ts'
import { open, use } from '../gaps/gap.ts'
import { bothPlaces } from '../names.ts'
import type { Specified } from '../specified.ts'
import { permissionCodes } from './codes.ts'
import { behindNever, type PermissionPart, readRoles } from './declare.ts'
import type { Access, FieldPermission, Grant, Never, Permission, StepBan } from './model.ts'
import { fieldMatrix, matrix } from './table.ts'

const section = 6

/** What heading 6 writes, by entity key. */
export function readAccess(context: Context, parts: readonly PermissionPart[]): ReadonlyMap<string, Access> {
  const access = new Map<string, Access>()
  for (const { subject, tables } of parts) {
    if (subject === null) continue
    const entity = context.entities.find(subject.title)
    if (entity === null) continue
    const before = access.get(entity.key)
    const rows = tables.rows(matrix)
    access.set(entity.key, {
      entity: entity.key,
      cell: before?.cell ?? subject.title,
      rows: [...(before?.rows ?? []), ...readRows(context, entity.key, rows, before?.rows ?? [])],
      nevers: [...(before?.nevers ?? []), ...readNevers(context, entity.key, rows, before?.nevers ?? [])],
      fields: [
        ...(before?.fields ?? []),
        ...readFields(context, entity.key, tables.rows(fieldMatrix), before?.fields ?? []),
      ],
      basis: 'written',
    })
  }
  return access
}

type GrantColumn = 'See' | 'Create' | 'Change' | 'Change to' | 'Delete' | 'Export' | 'Import' | 'Emergency'
type MatrixRow = NamedRow<'Role' | 'Do' | GrantColumn>

function readRows(
  context: Context,
  entity: string,
  rows: readonly MatrixRow[],
  before: readonly Permission[],
): readonly Permission[] {
  const { report } = reporter(permissionCodes, section, context.found)
  const name = context.schema.get(entity)!.name
  const read: Permission[] = []
  for (const row of rows) {
    const cell = row.cell('Role')!
    if (behindNever(context, cell) !== null) continue
    const role = context.roles.find(cell)
    if (role === null) continue
    const first = [...before, ...read].find(permission => permission.role === role.name)
    if (first !== undefined) {
      report('N1604', cell, { entity: name, role: role.name }, bothPlaces(cell, first.cell))
      continue
    }
    context.usedRoles.add(role.name)
    const grant = (column: GrantColumn) =>
      readGrant(context, entity, row.cell(column) ?? null, cell, {
        role: role.name,
        entity: name,
        verb: column === 'Emergency' ? 'read in an emergency' : column.toLowerCase(),
      })
    read.push({
      role: role.name,
      cell,
      see: grant('See'),
      create: grant('Create'),
      change: grant('Change'),
      changeTo: grant('Change to'),
      delete: grant('Delete'),
      do: readDo(context, entity, row.cell('Do'), cell, role.name),
      export: grant('Export'),
      import: grant('Import'),
      emergency: grant('Emergency'),
    })
  }
  return read
}

interface About {
  readonly role: string
  readonly entity: string
  readonly verb: string
}

/** The rows `never`. Their cells say where nobody may; what is not written closes nothing. */
function readNevers(
  context: Context,
  entity: string,
  rows: readonly MatrixRow[],
  before: readonly Never[],
): readonly Never[] {
  const { report } = reporter(permissionCodes, section, context.found)
  const { name } = context.schema.get(entity)!
  const read: Never[] = []
  for (const row of rows) {
    const cell = row.cell('Role')!
    const behind = behindNever(context, cell)
    const named = behind === null || behind.text === '' ? null : readRoles(context, behind, section)
    if (behind === null || (behind.text !== '' && named === null)) continue
    const roles = named?.roles ?? []
    const isSame = (one: Never) => roles.length + one.roles.length === 0 || one.roles.some(role => roles.includes(role))
    const first = [...before, ...read].find(isSame)
    if (first !== undefined) {
      report('N1604', cell, { entity: name, role: cell.text }, bothPlaces(cell, first.cell))
      continue
    }
    for (const role of roles) context.usedRoles.add(role)
    const grant = (column: GrantColumn) => readClosed(context, entity, row.cell(column) ?? null, cell, column)
    read.push({
      cell,
      roles,
      see: grant('See'),
      create: grant('Create'),
      change: grant('Change'),
      changeTo: row.cell('Change to')?.text ? grant('Change to') : null,
      delete: grant('Delete'),
      ...readClosedSteps(context, entity, row.cell('Do'), cell, roles),
      export: grant('Export'),
      import: grant('Import'),
      emergency: grant('Emergency'),
    })
  }
  return read
}

/** All steps, as other cells say it; or steps by their names, with the records on which: `pay, release when legal_hold; cancel`. */
function readClosedSteps(
  context: Context,
  entity: string,
  cell: Cell | null,
  row: Cell,
  roles: readonly string[],
): Pick<Never, 'do' | 'steps'> {
  const steps = context.workflows.get(entity)?.steps
  const parts =
    cell === null ? [] : splitCell(cell, ';').map(part => splitAt(part, 'when') ?? { before: part, after: null })
  const isNamed = ({ before }: { readonly before: Cell }) =>
    before.text !== '' && splitCell(before, ',').every(({ text }) => steps?.all.has(text) === true)
  if (!parts.some(isNamed)) return { do: readClosed(context, entity, cell, row, 'Do'), steps: [] }
  const bans = parts.flatMap(({ before, after }): readonly StepBan[] => {
    const keys = splitCell(before, ',').map(piece => findStep(context, entity, piece))
    if (keys.includes(null)) return []
    if (after === null && roles.length === 0) {
      reporter(permissionCodes, section, context.found).report('N1617', before, { steps: before.text })
      return []
    }
    const when: Specified<Grant> =
      after === null ? { kind: 'yes', cell: before } : readClosed(context, entity, after, row, 'Do')
    return [{ cell: before, steps: keys.map(key => key!.key), when }]
  })
  return { do: { kind: 'no', cell: cell ?? row }, steps: bans }
}

/** A cell of the row `never`: read as what stands under a `not`, so that it says of empty fields what it means. */
function readClosed(
  context: Context,
  entity: string,
  cell: Cell | null,
  row: Cell,
  column: GrantColumn | 'Do',
): Specified<Grant> {
  if (cell === null || cell.text === '' || nothing(cell) === 'none') return { kind: 'no', cell: cell ?? row }
  const { report } = reporter(permissionCodes, section, context.found)
  const { name } = context.schema.get(entity)!
  const verb = { Do: 'take a step of', Emergency: 'read in an emergency' }[column as string] ?? column.toLowerCase()
  const denied = { verb, entity: name }
  return readSpecified(context, cell, open(section, 'denial', denied), written => {
    if (/^(?:yes|all)$/i.test(written.text)) return { kind: 'yes', cell: written }
    if (column === 'Import') {
      const fixes = [writeInstead(written, 'yes'), writeInstead(written, 'no')]
      report('N1610', written, { grant: written.text }, { fixes })
      return null
    }
    const expression = readAt(
      context,
      written,
      { section, entity, negated: true },
      { kind: 'yes/no' },
      use('denial', denied),
    )
    return expression === null ? null : { kind: 'when', expression, cell: written }
  })
}

/** `yes`, `no`, or a condition. An absent or empty cell is `no`, but See is a required column: empty is unspecified there. */
function readGrant(context: Context, entity: string, cell: Cell | null, row: Cell, granted: About): Specified<Grant> {
  const { verb } = granted
  if (cell === null || (cell.text === '' && verb !== 'see')) return { kind: 'no', cell: cell ?? row }
  if (nothing(cell) === 'none') return { kind: 'no', cell }
  return readSpecified(context, cell, open(section, 'grant', granted), written => {
    if (/^yes$/i.test(written.text)) return { kind: 'yes', cell: written }
    if (verb === 'import') {
      if (/^whole$/i.test(written.text)) return { kind: 'yes', cell: written, whole: true }
      const fixes = ['yes', 'whole', 'no'].map(word => writeInstead(written, word))
      reporter(permissionCodes, section, context.found).report('N1610', written, { grant: written.text }, { fixes })
      return null
    }
    const expression = readAt(context, written, { section, entity }, { kind: 'yes/no' }, use('grant', granted))
    return expression === null ? null : { kind: 'when', expression, cell: written }
  })
}

function readDo(context: Context, entity: string, cell: Cell | null, row: Cell, role: string): Permission['do'] {
  if (cell === null || cell.text === '' || nothing(cell) === 'none') return { cell: cell ?? row, steps: [] }
  return readSpecified(context, cell, open(section, 'steps', { role }), written => {
    if (/^(all|yes)$/i.test(written.text)) return { cell: written, steps: 'all' as const }
    const steps = splitCell(written, ',').map(piece => findStep(context, entity, piece))
    return steps.includes(null) ? null : { cell: written, steps: steps.map(step => step!.key) }
  })
}

type FieldRow = NamedRow<'Field' | 'See' | 'Change' | 'When'>

function readFields(
  context: Context,
  entity: string,
  rows: readonly FieldRow[],
  before: readonly FieldPermission[],
): readonly FieldPermission[] {
  const { report } = reporter(permissionCodes, section, context.found)
  const shape = context.schema.get(entity)!
  const { groups } = context.entityByKey.get(entity)!
  const lines: FieldPermission[] = []
  for (const row of rows) {
    const cell = row.cell('Field')!
    const group = groups.find(({ name }) => name.text === cell.text)
    const keys = group?.fields ?? [cell.text]
    if (group === undefined && !shape.fields.has(cell.text)) {
      noField(context, section, shape, cell, [...shape.fields.keys(), ...groups.map(({ name }) => name.text)])
      continue
    }
    const see = readFieldRoles(context, row.cell('See')!, 'fieldSee', cell.text)!
    const change = readFieldRoles(context, row.cell('Change'), 'fieldChange', cell.text)
    const when = readFieldWhen(context, entity, row.cell('When'), { field: cell.text, entity: shape.name })
    for (const key of keys.filter(one => shape.fields.has(one))) {
      const alike = [...before, ...lines].find(line => line.field === key && isSame(line.when, when))
      if (alike === undefined) lines.push({ field: key, cell, see, change, when })
      else report('N1608', cell, { entity: shape.name, field: cell.text }, bothPlaces(cell, alike.cell))
    }
  }
  return lines
}

/** On the same records: then the roles belong into one row. */
const isSame = (one: FieldPermission['when'], other: FieldPermission['when']): boolean =>
  one === null || other === null ? one === other : one.cell.text === other.cell.text

/** An absent or empty cell is null: on every record. */
function readFieldWhen(
  context: Context,
  entity: string,
  cell: Cell | null,
  about: { readonly field: string; readonly entity: string },
): FieldPermission['when'] {
  if (cell === null || cell.text === '' || nothing(cell) === 'none') return null
  return readSpecified(context, cell, open(section, 'fieldWhen', about), written =>
    readAt(context, written, { section, entity }, { kind: 'yes/no' }, use('fieldWhen', about)),
  )
}

/** Roles, `all`, or `none`. An absent or empty Change is null: as the row says. */
function readFieldRoles(
  context: Context,
  cell: Cell | null,
  code: 'fieldSee' | 'fieldChange',
  field: string,
): Specified<{ readonly cell: Cell; readonly roles: readonly string[] }> | null {
  if (cell === null) return null
  const kind = nothing(cell)
  if (kind === 'none') return { cell, roles: [] }
  if (kind === 'empty' && code === 'fieldChange') return null
  return readSpecified(context, cell, open(section, code, { field }), written => {
    if (/^(all|yes)$/i.test(written.text))
      return { cell: written, roles: [...context.roles.all.values()].map(({ name }) => name) }
    return readRoles(context, written, section, ['none', 'all'])
  })
}
