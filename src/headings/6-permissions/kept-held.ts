/** Roles that somebody must keep: without a holder nobody could give them again from inside the application. */
import { stepsRead } from '../../expression/computed.ts'
import type { App } from '../app.ts'
import { isUnspecified } from '../specified.ts'
import { appointing, concerns, isEverybody, mayEver } from './held.ts'
import { linesOf, rolesOfLines } from './lines.ts'

/**
 * Roles that appoint; and of those that go by a condition, the ones whose own holders change what it reads (`my.is_admin`), where nobody
 * has that right who is appointed, or whom no condition asks for.
 */
export function rolesToKeep(app: App): readonly string[] {
  const conditions = [...app.roles.values()].flatMap(({ name, who }) =>
    isUnspecified(who) || who.kind !== 'when'
      ? []
      : [{ name, given: [...stepsRead(who.when.root, who.when.schema).values()] }],
  )
  const gives = (role: string, { given }: (typeof conditions)[number]) =>
    given.some(({ entity, field }) => mayChange(app, role, entity, field))
  const others = [...app.roles.values()].filter(
    ({ who }) => !isUnspecified(who) && (who.kind === 'appointed' || isEverybody(who)),
  )
  let left = conditions.filter(condition => !others.some(({ name }) => gives(name, condition)))
  for (let before = -1; before !== left.length; ) {
    before = left.length
    const regained = conditions.filter(one => !left.includes(one))
    left = left.filter(condition => !regained.some(({ name }) => gives(name, condition)))
  }
  const kept = left.filter(({ name }) => left.some(condition => gives(name, condition)))
  return [...new Set([...appointing(app.roles), ...kept.map(({ name }) => name)])]
}

/** Whether a role could ever change a field of some record, or which records there are. */
function mayChange(app: App, role: string, entity: string, field: string): boolean {
  if (entity !== 'person' && (mayEver(app, entity, role, 'create') || mayEver(app, entity, role, 'delete'))) return true
  const declared = app.entities.get(entity)?.fields.find(({ key }) => key === field)
  if (declared === undefined || declared.setBy !== null || declared.readOnly !== null || declared.computed !== null)
    return false
  const roles = rolesOfLines(linesOf(app.access.get(entity), field), 'change')
  return mayEver(app, entity, role, 'change') && (roles === null || roles.some(one => concerns(app, one, role)))
}
