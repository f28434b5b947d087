/** What `ninefold explain` tells of heading 6: who may, and what nobody may. */
import type { Cell } from '../document/source.ts'
import type { FieldPermission, Grant, Never, Permission } from '../headings/6-permissions/model.ts'
import { closes, leftOf, type NeverVerb } from '../headings/6-permissions/never.ts'
import { isUnspecified, type Said } from '../headings/said.ts'

export const sayRoles = (named: FieldPermission['see']): string =>
  isUnspecified(named) ? 'nobody: unspecified' : named.roles.length === 0 ? 'nobody' : named.roles.join(', ')

function sayGrant(grant: Said<Grant>): string {
  if (isUnspecified(grant)) return 'unspecified, so no'
  if (grant.kind === 'yes' && grant.whole) return 'whole'
  return grant.kind === 'when' ? `\`${grant.expression.cell.text}\`` : grant.kind
}

const inEmergency = 'read in an emergency'

/** What a role may in the end: its own cells, less what the row `never` closes. */
export function sayRow(row: Permission, never: Never | null): string {
  const say = (verb: Exclude<NeverVerb, 'do'>) => {
    const left = leftOf(row[verb], never, verb)
    return left === null || left === 'no' ? (left ?? sayGrant(row[verb])) : `\`${left}\``
  }
  const verbs = ['see', 'create', 'change', 'delete', 'export', 'import'] as const
  const emergency = isUnspecified(row.emergency) || row.emergency.kind !== 'no'
  return [
    ...verbs.map(verb => `${verb} ${say(verb)}`),
    ...(emergency ? [`${inEmergency} ${say('emergency')}`] : []),
  ].join(', ')
}

export function sayNeverDo(closed: Said<Grant> | undefined, place: (cell: Cell) => string): string[] {
  if (closed === undefined || !closes(closed)) return []
  const when = isUnspecified(closed) ? ': unspecified when' : closed.kind === 'when' ? ` when ${sayGrant(closed)}` : ''
  return [`  Nobody, whatever the role, takes it${when} (${place(closed.cell)}).`]
}

/** The row `never` of an entity, as far as it closes something. */
export function sayNever(never: Never | null, place: (cell: Cell) => string): string[] {
  if (never === null) return []
  const words = { do: 'take a step', emergency: inEmergency } as const
  const closed = (['see', 'create', 'change', 'delete', 'do', 'export', 'import', 'emergency'] as const).flatMap(
    verb => {
      const grant = never[verb]
      if (!closes(grant)) return []
      const what = verb === 'do' || verb === 'emergency' ? words[verb] : verb
      if (isUnspecified(grant)) return [`${what}: unspecified, so nobody`]
      return [grant.kind === 'when' ? `${what} when ${sayGrant(grant)}` : what]
    },
  )
  return closed.length === 0 ? [] : [`  Nobody, whatever the role, may ${closed.join(', ')} (${place(never.cell)}).`]
}
