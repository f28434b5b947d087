import { countName } from '../address.ts'
import { chosenColumns, columnsOf, shownEntity } from '../columns.ts'
import { countAll, countTo, pageSize, readQuery } from '../query.ts'
import type { ScreenKind } from '../screen-kind.ts'

/** Records in rows, with filters, order and pages in the address. */
export const list: ScreenKind = {
  name: 'list',
  written: 'list of Entity',
  opening: 'list of',
  meaning: 'Records in rows, with filters, search, sorting and pages.',
  entity: 'required',
  by: 'none',
  properties: [
    { name: 'Where', meaning: 'Rows it shows, besides what permissions allow.' },
    { name: 'Columns', meaning: 'Fields of the list, in order. Absent: all short fields, in the order of heading 3.' },
    { name: 'Sort', meaning: 'The order where a reader chooses none: `due_back, then number`.' },
    { name: 'Buttons', meaning: 'Steps offered on every row. Absent: all steps of the entity.' },
    { name: 'Empty text', meaning: 'What stands there when there is nothing to show.' },
  ],
  need: (screen, app, address) => {
    const entity = shownEntity(screen, app)
    if (entity === null) return null
    const { ignored, ...query } = readQuery(
      entity,
      app,
      address,
      screen.sort.map(({ field, descending }) => ({ field, descending })),
    )
    const columns = chosenColumns(entity, app, address) ?? columnsOf(screen.columns, entity, app)
    const counted = address.query.get(countName) === 'all' ? countAll : countTo
    return {
      need: {
        kind: 'rows',
        entity: entity.key,
        columns,
        where: screen.where,
        ...query,
        limit: pageSize,
        countTo: counted,
      },
      ignored,
    }
  },
}
