/** What tells a record from others where there is no room for all of it. */
import { specified } from '../../headings/specified.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import type { ReadRow, ScreenKind } from '../../kinds/screens/screen-kind.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import type { FactView } from '../../kinds/screens/view-model.ts'
import { faceOf, type Site } from '../site.ts'
import { cellAt } from './common.ts'

/** So many tell a record from others. */
const mostFacts = 4

const telling: ReadonlySet<string> = new Set(['reference', 'date', 'moment', 'money', 'choice', 'decimal', 'integer'])

/** As on a card of one of its screens, else as in a row, else the first that say something in a word. */
export function factsOf({ app }: Site, entity: string): readonly string[] {
  const of = app.entities.get(entity)!
  const columnsOf = (summary: ScreenKind['summary']) =>
    app.screens
      .filter(screen => specified(screen.shows)?.entity === entity && kindOf(screen)?.summary === summary)
      .map(screen => usesOf(screen).shown)
      .find(({ length }) => length > 0)
  const fields =
    (columnsOf('card') ?? columnsOf('row'))?.map(({ field }) => field) ??
    of.fields.flatMap(({ key, type, hidden }) => (hidden === null && telling.has(type.kind) ? [key] : []))
  return fields.filter(field => field !== 'state' && !of.title.includes(field)).slice(0, mostFacts)
}

/** What tells this record from others, as far as it was read and may be seen. */
export const toldBy = (site: Site, entity: string, row: ReadRow): readonly FactView[] =>
  factsOf(site, entity).flatMap(field => (row.values[field] == null ? [] : (factAt(site, entity, row, field) ?? [])))

export function factAt(site: Site, entity: string, row: ReadRow, field: string): FactView | null {
  const face = faceOf(site.app, entity, field)
  return face === null ? null : { key: field, label: face.label, value: cellAt(site, entity, row, field) }
}
