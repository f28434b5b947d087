/** What tells a record from others where there is no room for all of it. */
import { specified } from '../../headings/specified.ts'
import type { ReadRow } from '../../kinds/screens/screen-kind.ts'
import type { FactView } from '../../kinds/screens/view-model.ts'
import { faceOf, type Site } from '../site.ts'
import { cellAt } from './common.ts'

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
export const toldBy = (site: Site, entity: string, row: ReadRow): readonly FactView[] =>
  factsOf(site, entity).flatMap(field => {
    const face = faceOf(site.app, entity, field)
    if (face === null || row.values[field] == null) return []
    return [{ key: field, label: face.label, value: cellAt(site, entity, row, field) }]
  })
