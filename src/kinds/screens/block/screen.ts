import { columnsOf, shownEntity } from '../columns.ts'
import { blocks, columns, sort, where } from '../member-types.ts'
import { type Members, partOf } from '../members.ts'
import { pageSizeOf, readQuery, unread } from '../query.ts'
import type { ScreenKind } from '../screen-kind.ts'

const members = {
  where,
  columns: columns(),
  sort,
  blocks: blocks(reader => reader.component()),
} satisfies Members

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
  members,
  isSpecified: screen => partOf(members, screen).blocks.length > 0,
  need: (screen, app, address) => {
    const entity = shownEntity(screen, app)
    if (entity === null) return { need: { kind: 'nothing' }, ignored: unread(address.query) }
    const part = partOf(members, screen)
    const order = part.sort.map(({ field, descending }) => ({ field, descending }))
    const { ignored, ...query } = readQuery(entity, app, address, order)
    return {
      need: {
        kind: 'rows',
        entity: entity.key,
        columns: columnsOf(part.columns, entity, app),
        where: part.where,
        ...query,
        limit: pageSizeOf(address),
        countTo: 0,
      },
      ignored,
    }
  },
}
