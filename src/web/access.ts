/** Who may open which screen: the For column of heading 2. What stands on the screen is decided by heading 6, row by row. */

import type { Screen } from '../headings/2-screens/model.ts'
import { isPublicForm, type Only, onlyOf } from '../headings/2-screens/public-forms.ts'
import { linkedBy, linkRoles } from '../headings/6-permissions/links.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, specified } from '../headings/specified.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { policyFor } from '../run/access/policy.ts'
import { mayChange } from '../run/limits.ts'
import { mayActAtAll, previewable } from '../run/people/acting.ts'
import { openGroups } from '../run/read/figures.ts'
import type { Actor, Request } from '../run/request.ts'
import type { EntityRoutes } from './routes.ts'

/** False also where the document leaves open who may. */
export function mayOpen(screen: Screen, actor: Actor): boolean {
  if (isUnspecified(screen.for)) return false
  if (screen.for.kind === 'everyone') return true
  if (actor.id === null) {
    const { for: audience } = screen
    return audience.kind === 'roles' && actor.link?.roles.some(role => audience.roles.includes(role)) === true
  }
  return screen.for.kind === 'everyone signed in' || screen.for.roles.some(role => actor.roles.includes(role))
}

/** Somebody without an account may open it, by the link of a record. */
export function isForLinks(app: App, screen: Screen): boolean {
  const audience = specified(screen.for)
  return audience?.kind === 'roles' && audience.roles.some(role => linkedBy(app, role) !== null)
}

/** `/loans/new`, `/loans/LN-1/edit`: whoever has a screen with such records; permissions decide the rest. */
export const mayEnter = (place: EntityRoutes, actor: Actor): boolean =>
  place.screens.some(screen => mayOpen(screen, actor))

/** Whoever asks sees records of the entity by their links alone, and has opened none. */
export const onlyByLink = (app: App, actor: Actor, entity: string): boolean =>
  actor.id === null &&
  actor.link === undefined &&
  linkRoles(app, entity).length > 0 &&
  policyFor(app, actor).rows(entity, 'see', 't') === false

/** Screens that stand in the navigation: those with an address of their own, in the document's order. */
export function openScreens(app: App, actor: Actor): readonly Screen[] {
  return app.screens.filter(screen => {
    const route = specified(screen.route)
    return (
      route?.segments.every(segment => 'text' in segment) && mayOpen(screen, actor) && hasSomething(app, screen, actor)
    )
  })
}

/** What is placed or counted by what they never see would have nothing to stand on. */
function hasSomething(app: App, screen: Screen, actor: Actor): boolean {
  const shows = specified(screen.shows)
  if (shows === null) return true
  const kind = kindOf(screen)
  const groups = kind?.drawnBy?.(screen)
  if (groups !== undefined && openGroups(app, actor, groups).length === 0) return false
  const fields = kind?.standsOn?.(shows) ?? []
  return fields.every(field => policyFor(app, actor).field(shows.entity!, field, 't') !== false)
}

/**
 * The first of them that is the home of a role of this person; else the first that whoever is signed in works in, and that is no form;
 * else the first.
 */
export function homeOf(app: App, actor: Actor): Screen | null {
  const screens = openScreens(app, actor)
  const own = screens.find(({ homeFor }) => homeFor?.roles.some(role => actor.roles.includes(role)))
  return own ?? (actor.id === null ? undefined : screens.find(isWorkedIn)) ?? screens[0] ?? null
}

function isWorkedIn(screen: Screen): boolean {
  const kind = kindOf(screen)
  return kind !== null && kind.entry === undefined
}

/** The document inside the application: while it is being written everybody reads it, later those whom heading 1 names. */
export const mayReadDocument = (mode: 'dev' | 'serve', { documentFor }: App, { id, roles }: Actor): boolean =>
  mode === 'dev' || (id !== null && documentFor.roles.some(role => roles.includes(role)))

/** Roles that this person may give to others. */
export const rolesToAppoint = (app: App, actor: Actor): readonly string[] =>
  actor.id === null
    ? []
    : [...app.roles.values()].flatMap(role => {
        const who = specified(role.who)
        return who?.kind === 'appointed' && who.by.some(by => actor.roles.includes(by)) ? [role.name] : []
      })

/** Constants that this person may change while the application runs. */
export const limitsToChange = (app: App, actor: Actor): readonly string[] =>
  actor.id === null ? [] : [...app.limits.values()].flatMap(limit => (mayChange(limit, { actor }) ? [limit.key] : []))

/** Forms for everyone whose records they all see, in every field that the form asks for: what such a form brings is theirs to judge. */
export function formsToReview(app: App, actor: Actor, entity: string): readonly Screen[] {
  if (actor.id === null || !app.entities.has(entity)) return []
  const policy = policyFor(app, actor)
  const { fields } = app.entities.get(entity)!
  const sees = (asked: Only) =>
    fields.every(
      ({ key, type }) =>
        !asked.has(key) ||
        (policy.visible(entity, key, 't') === true && (type.kind !== 'list' || policy.whole(type.entity))),
    )
  return app.screens.filter(
    screen =>
      isPublicForm(screen) &&
      specified(screen.shows)?.entity === entity &&
      policy.all(entity, 'see') &&
      sees(onlyOf(screen)),
  )
}

/** Whether a role of theirs is only for people with a second factor. */
export const mustHaveFactor = (app: App, { id, roles }: Actor): boolean =>
  id !== null && app.secondFactor.roles.some(role => roles.includes(role))

/** Whether they may see the application as a role, or act as somebody. Whoever does so already may not go further. */
export const mayAct = (app: App, { actor, by, preview }: Pick<Request, 'actor' | 'by' | 'preview'>): boolean =>
  by === undefined &&
  preview === undefined &&
  actor.id !== null &&
  (mayActAtAll(app, actor.roles) || previewable(app, actor.roles).length > 0)
