import type { Screen } from '../../../headings/2-screens/model.ts'
import type { App } from '../../../headings/app.ts'
import { columnsOf, shownEntity } from '../columns.ts'
import { blocks, columns, sort, where } from '../member-types.ts'
import { type Members, partOf } from '../members.ts'
import { pageSizeOf, readQuery } from '../query.ts'
import type { Address, RowsNeed, ScreenKind } from '../screen-kind.ts'

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
  isSpecified: screen => blockPart(screen).blocks.length > 0,
}

export const blockPart = (screen: Screen) => partOf(members, screen)

/** The records that it is given. Null: none. */
export function blockNeed(screen: Screen, app: App, address: Address): RowsNeed | null {
  const entity = shownEntity(screen, app)
  if (entity === null) return null
  const part = blockPart(screen)
  const order = part.sort.map(({ field, descending }) => ({ field, descending }))
  const { ignored: _, ...query } = readQuery(entity, app, address, order)
  return {
    kind: 'rows',
    entity: entity.key,
    columns: columnsOf(part.columns, entity, app),
    where: part.where,
    ...query,
    limit: pageSizeOf(address),
    countTo: 0,
  }
}
