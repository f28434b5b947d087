import { columnsOf, shownEntity } from '../columns.ts'
import { pageSizeOf, readQuery, unread } from '../query.ts'
import type { ScreenKind } from '../screen-kind.ts'

/** A React component of the document as a whole screen, with the records that its reader sees. */
export const block: ScreenKind = {
  name: 'block',
  written: '[link] of Entity',
  opening: '[',
  meaning:
    'A link to a React component beside the document: it is the whole screen, and is given the records that its reader sees.',
  entity: 'none',
  by: 'none',
  properties: [
    { name: 'Where', meaning: 'Records it is given, besides what permissions allow.' },
    { name: 'Columns', meaning: 'Fields it is given of each. Absent: all short fields.' },
    { name: 'Sort', meaning: 'Their order: `due_back, then number`.' },
  ],
  isSpecified: ({ blocks }) => blocks.length > 0,
  need: (screen, app, address) => {
    const entity = shownEntity(screen, app)
    if (entity === null) return { need: { kind: 'nothing' }, ignored: unread(address.query) }
    const sort = screen.sort.map(({ field, descending }) => ({ field, descending }))
    const { ignored, ...query } = readQuery(entity, app, address, sort)
    return {
      need: {
        kind: 'rows',
        entity: entity.key,
        columns: columnsOf(screen.columns, entity, app),
        where: screen.where,
        ...query,
        limit: pageSizeOf(address),
        countTo: 0,
      },
      ignored,
    }
  },
}
