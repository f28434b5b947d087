/** What of the history may be news to somebody: the state is another one, somebody was named, or the record may wait for decisions. */

import type { App } from '../../headings/app.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import { sampled } from '../many/sampled.ts'
import { isSealed, personFields } from '../names.ts'
import type { Changes, NewHistoryEntry } from '../read/history.ts'
import type { Actor } from '../request.ts'
import { ofEntity } from '../statements.ts'

/** Fields whose people are told that they stand there. */
export const namingFields = ofEntity((app, entity) =>
  personFields(app, entity).filter(key => !isSealed(app, entity, key)),
)

export const approvedIn = (app: App, entity: string) => app.workflows.get(entity)?.approvals ?? []

/** Whether there is any news of records of the entity, beside what people write. */
export const makesNews = (app: App, entity: string): boolean =>
  app.entities.get(entity)?.partOf === null && (app.workflows.has(entity) || namingFields(app, entity).length > 0)

const kinds: ReadonlySet<string> = new Set(['create', 'change', 'step', 'timer', 'call', 'decision'])

export const isNews = (app: App, { id }: Pick<Actor, 'id'>, entry: NewHistoryEntry): boolean =>
  kinds.has(entry.kind) &&
  entry.what !== sampled &&
  makesNews(app, entry.entity) &&
  (isMove(entry.fromState, entry.toState) ||
    approvedIn(app, entry.entity).length > 0 ||
    namingFields(app, entry.entity).some(key => comers(entry.changes, key).some(one => one !== id)))

/** A record that is new has moved nowhere. */
export const isMove = (from: string | null | undefined, to: string | null | undefined): boolean =>
  from != null && to != null && from !== to

/** People who stand in the field now, and did not before. */
export function comers(changes: Changes, key: string): readonly string[] {
  const change = changes[key]
  if (!Array.isArray(change)) return []
  const before = new Set(linked(change[0]))
  return linked(change[1]).filter(one => !before.has(one))
}
