/** Roles by name, before anything that names them is read. */
import { after, slice, splitAt, splitCell, splitFirst } from '../../document/cell.ts'
import type { NamedRow } from '../../document/columns.ts'
import { type Fix, reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nearest } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import type { Section, Subject } from '../../document/tree.ts'
import { codeOf } from '../../expression/names.ts'
import {
  type Context,
  cellOrNull,
  isPeople,
  listed,
  readAt,
  readList,
  readSpecified,
  readTables,
  saysNothing,
  sectionsOf,
  type Tables,
} from '../context.ts'
import { open, use } from '../gaps/gap.ts'
import { addRow, bothPlaces, evened, type Names, names } from '../names.ts'
import { isUnspecified } from '../specified.ts'
import { permissionCodes } from './codes.ts'
import { exceptOf, isOfEverybody } from './held.ts'
import type { Role, RoleWho, SharedWith } from './model.ts'
import { fieldMatrix, matrix, roles } from './table.ts'

const section = 6

export interface RoleDraft {
  readonly name: string
  readonly cell: Cell
  readonly row: NamedRow<'Role' | 'Who' | 'Never with' | 'Meaning'>
}

/** A place of heading 6 with tables: the heading itself, or an entity under it. */
export interface PermissionPart {
  readonly subject: Subject | null
  readonly tables: Tables
}

/** Roles are the same whether they are written `Desk clerk` or `desk clerk`; the first spelling is the name. */
export function roleNames(context: Pick<Context, 'found'>): Names<RoleDraft> {
  const { report } = reporter(permissionCodes, section, context.found)
  const found: Names<RoleDraft> = names<RoleDraft>(context.found, {
    twice: (cell, first) => report('N1602', cell, { role: cell.text }, bothPlaces(cell, first)),
    unknown: (cell, meant, { fixes }) => {
      const last = [...found.all.values()].at(-1)
      const isRole = /^\p{Lu}[\p{L}\p{N} -]*$/u.test(cell.text)
      const added =
        last && isRole
          ? addRow(last.row, roles, { Role: cell.text, Who: 'TBD' }, `add \`${cell.text}\` to the roles`)
          : null
      const several = rolesIn(
        cell.text,
        [...found.all.values()].map(({ name }) => name),
      )
      const parameters = {
        role: cell.text,
        meant: several === null ? meant : '; roles are parted by commas',
        known: listed(found.all.keys()),
      }
      const instead = several === null ? fixes : [writeInstead(cell, several.join(', '))]
      report('N1601', cell, parameters, { fixes: added === null || several !== null ? instead : [...instead, added] })
    },
  })
  return found
}

/** `Clerk Manager`, `Clerk and Manager`, `Clerk/Manager`, `Clerk; Manager`: the roles that it names and nothing else, or null. */
function rolesIn(text: string, known: readonly string[]): readonly string[] | null {
  const begins = known.filter(name => text.startsWith(name)).sort((a, b) => b.length - a.length)
  for (const name of begins) {
    const rest = /^(?:\s+(?:and|or|und|oder|&)\s+|\s*(?:[/+&;]|<br\s*\/?>)\s*|\s+)(?=\S)/.exec(text.slice(name.length))
    if (rest === null) continue
    const after = text.slice(name.length + rest[0].length)
    const more = known.includes(after) ? [after] : rolesIn(after, known)
    if (more !== null) return [name, ...more]
  }
  return null
}

/** Matches the tables of heading 6 and declares its roles. */
export function declareRoles(context: Context): readonly PermissionPart[] {
  const parts: PermissionPart[] = []
  for (const content of sectionsOf(context, section)) {
    parts.push(partOf(context, content, null))
    for (const subject of content.subjects) parts.push(partOf(context, subject, subject))
  }
  for (const { tables } of parts) {
    for (const row of tables.rows(roles)) {
      const cell = row.cell('Role')!
      if (isNever(cell)) reporter(permissionCodes, section, context.found).report('N1618', cell, { role: cell.text })
      else if (cell.text !== '') context.roles.declare(cell, cell.text, { name: evened(cell.text), cell, row })
    }
  }
  return parts
}

function partOf(context: Context, content: Section | Subject, subject: Subject | null): PermissionPart {
  const schemas = subject === null ? [roles] : [matrix, fieldMatrix, roles]
  return { subject, tables: readTables(context, content, section, schemas) }
}

/** The word that no role may have: in a table of permissions it begins the rows of what nobody may. */
export const isNever = ({ text }: Cell): boolean => /^never$/i.test(text)

/** Behind `never`: the roles that the row closes something to, empty for everybody; null: it is the row of a role. */
export function behindNever(context: Context, cell: Cell): Cell | null {
  const [word = null] = /^never(?:\s+|$)/i.exec(cell.text) ?? []
  return word === null || context.roles.all.has(evened(cell.text)) ? null : slice(cell, word.length)
}

/** Roles parted by commas; null after reports. `words` are what else could stand here: `none`, `everyone signed in`. */
export function readRoles(
  context: Context,
  cell: Cell,
  from: number,
  words: readonly string[] = [],
): { readonly cell: Cell; readonly roles: readonly string[] } | null {
  const pieces = readList(context, cell, ',', open(from, 'aRole'))
  const isOne = pieces.length === 1 && !context.roles.all.has(evened(pieces[0]!.text))
  const near = isOne ? nearest(pieces[0]!.text, words) : null
  if (near !== null && nearest(pieces[0]!.text, context.roles.all.keys()) === null) {
    const { report } = reporter(permissionCodes, from, context.found)
    const parameters = {
      role: cell.text,
      meant: `; did you mean \`${near}\`?`,
      known: listed(context.roles.all.keys()),
    }
    report('N1601', cell, parameters, { fixes: [writeInstead(cell, near)] })
    return null
  }
  const found = pieces.map(piece => context.roles.find(piece))
  if (found.includes(null)) return null
  const names = found.map(role => role!.name)
  for (const name of names) context.usedRoles.add(name)
  return { cell, roles: [...new Set(names)] }
}

/** The roles themselves. */
export function readRoleRows(context: Context): ReadonlyMap<string, Role> {
  const { report } = reporter(permissionCodes, section, context.found)
  const read = new Map<string, Role>()
  for (const { name, cell, row } of context.roles.all.values()) {
    const who = readSpecified(context, row.cell('Who')!, open(section, 'role', { role: name }), written =>
      readWho(context, name, written),
    )
    const apart = row.cell('Never with')
    const used = new Set(context.usedRoles)
    const neverWith = saysNothing(apart) ? null : readRoles(context, apart!, section)
    // To be kept apart is no use of a role either.
    for (const other of neverWith?.roles ?? []) if (!used.has(other)) context.usedRoles.delete(other)
    read.set(name, { name, key: codeOf(name), cell, who, neverWith, meaning: cellOrNull(row.cell('Meaning')) })
  }
  for (const { name, who } of read.values())
    for (const left of exceptOf(who)) {
      const other = read.get(left)?.who
      if (other !== undefined && !isUnspecified(other) && isOfEverybody(other))
        report('N1619', (who as RoleWho).cell, { role: name, left })
    }
  return bothWays(read)
}

function readWho(context: Context, role: string, written: Cell): RoleWho | null {
  const everybody = readEverybody(context, written)
  if (everybody !== undefined) return everybody
  const by = after(written, 'appointed by')
  if (by !== null && by.text !== '') {
    const used = new Set(context.usedRoles)
    const appointing = readRoles(context, by, section)
    // Appointing itself is no use of a role: one that appoints only itself still does nothing.
    if (!used.has(role)) context.usedRoles.delete(role)
    return appointing === null ? null : { kind: 'appointed', by: appointing.roles, cell: written }
  }
  const of = after(written, 'link of')
  if (of !== null && of.text !== '') {
    const entity = context.entities.find(of)
    return entity === null ? null : { kind: 'link', entity: entity.key, cell: written }
  }
  const shared = readShared(context, role, written)
  if (shared !== undefined) return shared
  if (/(?:^|[^\w."])(?:me(?![\w.])|my\.\w)/.test(written.text)) return readCondition(context, written, role)
  reporter(permissionCodes, section, context.found).report(
    'N1603',
    written,
    { who: written.text },
    { fixes: fixesOfWho(context, written) },
  )
  return null
}

/** Days for which a record is shared at the longest, where the document says so. */
const mostDays = 3650

/** Undefined: the cell says something else; null after reports. */
function readShared(context: Context, role: string, written: Cell): RoleWho | null | undefined {
  const rest = after(written, 'shared')
  const parts = rest === null ? null : splitAt(rest, 'by')
  if (parts === null || parts.before.text === '' || parts.after.text === '') return undefined
  const [what, wide] = [splitAt(parts.before, 'with'), splitAt(parts.after, 'for')]
  const entity = context.entities.find(what?.before ?? parts.before)
  const used = new Set(context.usedRoles)
  const by = readRoles(context, wide?.before ?? parts.after, section)
  // To share itself alone is no use of a role.
  if (!used.has(role)) context.usedRoles.delete(role)
  const people = what === null ? [everybody] : splitCell(what.after, ',').map(piece => readWith(context, piece))
  const days = wide === null ? null : readDays(context, wide.after)
  if (entity === null || by === null || days === undefined || people.includes(null)) return null
  return {
    kind: 'shared',
    entity: entity.key,
    by: by.roles,
    with: people.map(one => one!),
    days,
    cell: written,
  }
}

const everybody: SharedWith = { entity: 'person', field: null }

/** `Person`, `Team.members`. */
function readWith(context: Context, piece: Cell): SharedWith | null {
  const { report } = reporter(permissionCodes, section, context.found)
  const parts = splitFirst(piece, '.')
  const entity = context.entities.find(parts?.before ?? piece)
  if (entity === null) return null
  if (parts === null && entity.key === 'person') return everybody
  const field = parts?.after.text ?? ''
  const declared = context.typed.get(entity.key)?.fields.get(field)
  if (declared !== undefined && declared.kind.links === true && isPeople(declared.type))
    return { entity: entity.key, field }
  const why =
    parts === null ? `${entity.name} is nobody` : `\`${field}\` of ${entity.name} does not name several people`
  report('N1633', piece, { written: piece.text, why })
  return null
}

/** `14 days`, `2 weeks`; undefined after a report. */
function readDays(context: Context, written: Cell): number | undefined {
  const { count = '0', unit = '' } = /^(?<count>\d{1,5})\s+(?<unit>day|week)s?$/i.exec(written.text)?.groups ?? {}
  const days = Number(count) * (unit.toLowerCase() === 'week' ? 7 : 1)
  if (days >= 1 && days <= mostDays) return days
  reporter(permissionCodes, section, context.found).report('N1634', written, { written: written.text })
  return undefined
}

/** `everyone`, `everyone signed in`, each perhaps `except …`; undefined where it is something else. */
function readEverybody(context: Context, written: Cell): RoleWho | null | undefined {
  const found = /^everyone(?<in> signed[ -]in)?(?:\s+except\s+(?=\S))?/i.exec(written.text)
  if (found === null) return undefined
  const kind = found.groups?.in === undefined ? 'everyone' : 'everyone signed in'
  if (found[0].length === written.text.length) return { kind, except: [], cell: written }
  if (!/except\s+$/i.test(found[0])) return undefined
  const except = readRoles(context, slice(written, found[0].length), section)
  return except === null ? null : { kind, except: except.roles, cell: written }
}

function fixesOfWho(context: Context, written: Cell): readonly Fix[] {
  const near = nearest(written.text, ['everyone', 'everyone signed in'])
  if (near !== null) return [writeInstead(written, near)]
  if (!context.roles.all.has(evened(written.text))) return []
  const text = `appointed by ${written.text}`
  return [{ title: `write \`${text}\``, edits: [{ span: written, text }] }]
}

/** `my.kind = Student`: over the person alone, so that it can be asked before anything else is known. */
function readCondition(context: Context, cell: Cell, role: string): Extract<RoleWho, { kind: 'when' }> | null {
  const when = readAt(context, cell, { section, entity: null }, { kind: 'yes/no' }, use('role', { role }))
  if (when === null) return null
  const constant = when.reads.find(read => read.startsWith('limits.'))
  if (constant === undefined) return { kind: 'when', when, cell }
  reporter(permissionCodes, section, context.found).report('N1611', cell, { role, constant })
  return null
}

/** What one role says of another, the other one says too. */
function bothWays(read: ReadonlyMap<string, Role>): ReadonlyMap<string, Role> {
  const saying = (name: string) => [...read.values()].filter(({ neverWith }) => neverWith?.roles.includes(name))
  return new Map(
    [...read].map(([name, role]) => {
      const others = saying(name)
      const cell = role.neverWith?.cell ?? others[0]?.neverWith?.cell
      const roles = new Set([...(role.neverWith?.roles ?? []), ...others.map(one => one.name)])
      return [name, { ...role, neverWith: cell === undefined ? null : { cell, roles: [...roles] } }]
    }),
  )
}
