/** What waits for somebody: records that were read → what tells them apart, and each step one link away from being taken. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { specified } from '../../headings/specified.ts'
import type { InboxView } from '../../kinds/screens/inbox/view-model.ts'
import type { InboxData, InboxNeed, ReadRow } from '../../kinds/screens/screen-kind.ts'
import { mayOpen } from '../access.ts'
import { hereHref } from '../pages.tsx'
import { recordHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { branchesOf, capital, faceOf, type Site, stateView } from '../site.ts'
import { type Building, cellAt, isDangerous, marksOf, nextName, screenMark, untitled } from './common.ts'
import { thingsOf } from './things.ts'

/** Records are linked to by what names them in addresses. */
export function inboxNeed({ site }: Building, need: InboxNeed): InboxNeed {
  const steps = need.steps.filter(({ entity }) => site.routes.places.has(entity))
  const entities = [...new Set(steps.map(({ entity }) => entity))]
  return {
    ...need,
    steps,
    by: Object.fromEntries([...site.routes.places].map(([entity, { by }]) => [entity, by])),
    facts: Object.fromEntries(entities.map(entity => [entity, factsOf(site, entity)])),
  }
}

/** So many tell a record from others. */
const mostFacts = 4

const telling: ReadonlySet<string> = new Set(['reference', 'date', 'moment', 'money', 'choice', 'decimal', 'integer'])

/** As on a card of its board, else as in its list, else the first that say something in a word. */
export function factsOf({ app }: Site, entity: string): readonly string[] {
  const of = app.entities.get(entity)!
  const columnsOf = (kind: string) =>
    app.screens.find(({ shows, columns }) => {
      const what = specified(shows)
      return what?.kind === kind && what.entity === entity && columns.length > 0
    })?.columns
  const fields =
    (columnsOf('board') ?? columnsOf('list'))?.map(({ field }) => field) ??
    of.fields.flatMap(({ key, type, hidden }) => (hidden === null && telling.has(type.kind) ? [key] : []))
  return fields.filter(field => field !== 'state' && !of.title.includes(field)).slice(0, mostFacts)
}

/** What tells this record from others, as far as it was read and may be seen. */
export const toldBy = (site: Site, entity: string, row: ReadRow): InboxFacts =>
  factsOf(site, entity).flatMap(field => {
    const face = faceOf(site.app, entity, field)
    if (face === null || row.values[field] == null) return []
    return [{ key: field, label: face.label, value: cellAt(site, entity, row, field) }]
  })

type InboxFacts = InboxView['groups'][number]['rows'][number]['facts']

export function inboxView(
  { site, context }: Building,
  screen: Screen,
  data: InboxData,
  ignored: readonly string[],
): InboxView {
  const back = new URLSearchParams({ [nextName]: hereHref(context) })
  return {
    kind: 'inbox',
    title: screen.name.text,
    pageTitle: screen.name.text,
    crumbs: [],
    mark: screenMark(site, screen),
    assumed: [],
    ignored: ignored.length === 0 ? [] : [say(site, 'notUnderstood', { parts: ignored.join(', ') })],
    groups: data.groups.flatMap(({ entity, rows, more }) => {
      const place = site.routes.places.get(entity)
      if (place === undefined) return []
      const mayLook = place.one !== null && mayOpen(place.one, context.request.actor)
      return [
        {
          key: entity,
          title: capital(thingsOf(site, entity)),
          rows: rows.flatMap(({ row, title, address, steps }) => {
            if (address === null) return []
            return [
              {
                id: row.id,
                title: title ?? untitled(site, entity, row.id),
                href: mayLook ? recordHref(place, address) : null,
                marks: marksOf(site, entity, row),
                state: stateView(site, entity, String(row.values.state)),
                facts: toldBy(site, entity, row),
                steps: steps
                  .flatMap(step => {
                    const branches = branchesOf(site.app, entity, step)
                    const [branch] = branches
                    if (branch === undefined) return []
                    return [
                      {
                        key: step,
                        label: capital(branch.name),
                        href: `${recordHref(place, address, `/do/${step}`)}?${back}`,
                        danger: branches.every(({ to }) => isDangerous(site, entity, { to: specified(to) })),
                      },
                    ]
                  })
                  .toSorted((a, b) => Number(a.danger) - Number(b.danger)),
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
