/** What waits for somebody: groups that were read → steps with their records, each one link away from being taken. */
import type { Screen } from '../../headings/2-screens/model.ts'
import type { InboxView } from '../../kinds/screens/inbox/view-model.ts'
import type { InboxData, InboxNeed } from '../../kinds/screens/screen-kind.ts'
import { mayOpen } from '../access.ts'
import { recordHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { branchesOf, capital, stateView } from '../site.ts'
import { type Building, markOf, screenMark, thingsOf } from './common.ts'

/** Records are linked to by what names them in addresses. */
export const inboxNeed = ({ site }: Building, need: InboxNeed): InboxNeed => ({
  ...need,
  steps: need.steps.filter(({ entity }) => site.routes.places.has(entity)),
  by: Object.fromEntries([...site.routes.places].map(([entity, { by }]) => [entity, by])),
})

export function inboxView(
  { site, exchange }: Building,
  screen: Screen,
  data: InboxData,
  ignored: readonly string[],
): InboxView {
  return {
    kind: 'inbox',
    title: screen.name.text,
    pageTitle: screen.name.text,
    crumbs: [],
    mark: screenMark(site, screen),
    assumed: [],
    ignored: ignored.length === 0 ? [] : [say(site, 'notUnderstood', { parts: ignored.join(', ') })],
    groups: data.groups.flatMap(({ entity, step, rows, more }) => {
      const place = site.routes.places.get(entity)
      const [branch] = branchesOf(site.app, entity, step)
      if (place === undefined || branch === undefined) return []
      const mayLook = place.one !== null && mayOpen(place.one, exchange.request.actor)
      const label = capital(branch.name)
      return [
        {
          key: `${entity}-${step}`,
          title: say(site, 'stepOf', { step: label, things: thingsOf(site, entity) }),
          step: label,
          mark: markOf(site, branch.cell),
          rows: rows.flatMap(({ id, title, address, state }) => {
            if (address === null) return []
            return [
              {
                id,
                title: title ?? `${site.app.entities.get(entity)!.name} ${id.slice(-6)}`,
                href: mayLook ? recordHref(place, address) : null,
                state: stateView(site, entity, state),
                take: recordHref(place, address, `/do/${step}`),
              },
            ]
          }),
          more: more ? say(site, 'firstShown', { count: rows.length }) : null,
        },
      ]
    }),
    empty: screen.emptyText?.text ?? say(site, 'nothingWaits'),
  }
}
