/** Views of a list: a name, and what is otherwise than on the screen itself. */
import { after, codeless, splitAt, splitCell } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import { codeOf } from '../../expression/names.ts'
import { allView } from '../../kinds/screens/address.ts'
import { type Context, readAt } from '../context.ts'
import { use } from '../gaps/gap.ts'
import { evened } from '../names.ts'
import { screenCodes } from './codes.ts'
import { readColumns, readSort } from './fields.ts'
import type { View } from './model.ts'

const section = 2

/** `Late where state = Overdue; columns number, due_back; sort due_back down`, as often as it is written. */
export function readViews(context: Context, entity: string, cells: readonly Cell[], screen: string): readonly View[] {
  const { report } = reporter(screenCodes, section, context.found)
  const views = new Map<string, View>()
  for (const cell of cells) {
    const view = readView(context, entity, cell, screen)
    if (view === null) continue
    const first = views.get(view.key)
    if (first !== undefined || view.key === allView) {
      const related = first === undefined ? [] : [{ span: first.name, message: 'first here' }]
      report('N1233', view.name, { name: evened(view.name.text) }, { related })
    } else views.set(view.key, view)
  }
  return [...views.values()]
}

function readView(context: Context, entity: string, cell: Cell, screen: string): View | null {
  const { report } = reporter(screenCodes, section, context.found)
  const [first, ...others] = splitCell(cell, ';')
  const filtered = first === undefined ? null : splitAt(first, 'where')
  const name = filtered?.before ?? first ?? cell
  if (!/\p{L}/u.test(name.text)) {
    report('N1232', cell, { view: cell.text, why: 'it has no name' })
    return null
  }
  const said = { columns: null as Cell | null, sort: null as Cell | null }
  for (const part of others) {
    const key = (['columns', 'sort'] as const).find(word => after(part, word) !== null)
    if (key === undefined || said[key] !== null) {
      const why =
        key === undefined ? `\`${part.text}\` is neither its columns nor its order` : `its ${key} stand there twice`
      report('N1232', part, { view: evened(name.text), why })
      return null
    }
    said[key] = after(part, key)
  }
  const where = filtered?.after ?? null
  if (where?.text === '') {
    report('N1232', cell, { view: evened(name.text), why: 'nothing stands behind `where`' })
    return null
  }
  const shows = use('viewShows', { view: name.text, screen })
  return {
    cell,
    key: codeOf(evened(name.text)),
    name,
    where: where === null ? null : readAt(context, codeless(where), { section, entity }, { kind: 'yes/no' }, shows),
    columns: readColumns(context, entity, said.columns),
    sort: readSort(context, entity, said.sort),
  }
}
