/**
 * Seeing the application as a role, and acting as another person. Both are asked anew with every request: who loses the right loses
 * what came of it. Nobody gets more by it than they could give themselves.
 */
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'

/** Roles that this person could give to people, themselves included. */
const appoints = (app: App, roles: readonly string[], role: string): boolean => {
  const who = app.roles.get(role)?.who
  return who !== undefined && !isUnspecified(who) && who.kind === 'appointed' && who.by.some(by => roles.includes(by))
}

/** Roles that whoever appoints people may look through: those that they have or could give. Nobody else may, so it is empty for them. */
export function previewable(app: App, roles: readonly string[]): readonly string[] {
  const all = [...app.roles.keys()]
  return all.some(role => appoints(app, roles, role))
    ? all.filter(role => roles.includes(role) || appoints(app, roles, role))
    : []
}

/** Nothing is open to the other that is not, or could not be, open to them: every role is one that they have too or could give. */
export const isNoHigher = (app: App, by: readonly string[], other: readonly string[]): boolean =>
  other.every(role => by.includes(role) || appoints(app, by, role))

/** `by`: roles of whoever wants to; `as`: those of the other. Never somebody with more rights, nor one who may do the same. */
export function mayActAs(app: App, by: readonly string[], as: readonly string[]): boolean {
  const may = (roles: readonly string[]) => app.actAs.roles.some(role => roles.includes(role))
  return may(by) && !may(as) && isNoHigher(app, by, as)
}

/** Whether there may be anybody as whom they could act. */
export const mayActAtAll = (app: App, roles: readonly string[]): boolean =>
  app.actAs.roles.some(role => roles.includes(role))
