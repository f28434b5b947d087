/** What waits for somebody: records that were read → what tells them apart, and each step one link away from being taken. */
import type { Screen } from '../../../headings/2-screens/model.ts'
import { sentence } from '../../../ui/words.ts'
import type { Presenter } from '../presenter.ts'
import type { InboxData } from '../screen-kind.ts'
import { sentences } from './said.ts'
import { inboxPart } from './screen.ts'
import type { InboxView } from './view-model.ts'

interface InboxOptions {
  readonly screen: Screen
  readonly data: InboxData
  readonly ignored: readonly string[]
}

export function inboxView(presenter: Presenter, { screen, data, ignored }: InboxOptions): InboxView {
  return {
    ...presenter.frame(screen, null),
    ignored: presenter.notUnderstood(ignored),
    groups: data.groups.map(({ entity, rows, more }) => ({
      key: entity,
      title: sentence(presenter.things(entity)),
      rows: rows.flatMap(({ row, title, address, steps }) => {
        if (address === null) return []
        return [
          {
            id: row.id,
            title: title ?? presenter.title(entity, row),
            face: { ...presenter.face(entity, row), href: presenter.hrefAt(entity, address) },
            marks: presenter.marks(entity, row),
            state: presenter.state(entity, String(row.values.state)),
            steps: steps
              .map(step => presenter.stepAt(entity, address, step))
              .toSorted((a, b) => Number(a.danger) - Number(b.danger)),
          },
        ]
      }),
      more: more ? presenter.firstShown(rows.length) : null,
    })),
    empty: inboxPart(screen).emptyText?.text ?? sentences.in(presenter.reader.locale)('nothing'),
  }
}
