import type { Screen } from '../../headings/2-screens/model.ts'
import type { App } from '../../headings/app.ts'
import { shownEntity } from './columns.ts'
import type { Address, OneNeed } from './screen-kind.ts'

/** The record that the braces of a screen's address name; null where it has none. */
export function oneNeed(screen: Screen, app: App, { segments }: Address, history: number): OneNeed | null {
  const entity = shownEntity(screen, app)
  if (entity === null || 'unspecified' in screen.route) return null
  const field = screen.route.segments.flatMap(segment => ('field' in segment ? [segment.field] : [])).at(-1)
  const value = field === undefined ? undefined : segments[field]
  if (field === undefined || value === undefined) return null
  return { kind: 'one', entity: entity.key, by: { field, value }, history }
}
