/** `- **Delete:** archives`: what is deleted is put aside. */
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { Context } from '../context.ts'
import { entityCodes } from './codes.ts'
import type { EntityDraft } from './declare.ts'
import type { TypedEntity } from './shape.ts'

/** Rows go with what they are part of; people are erased, or have no role any more. */
export const isArchiving = ({ archives, builtIn, partOf }: EntityDraft): boolean =>
  archives !== null && /^archives$/i.test(archives.text) && !builtIn && partOf === null

/** The cell `Delete: archives`; null where deleting deletes. */
export function readArchives(context: Context, { draft, parent }: TypedEntity): Cell | null {
  const cell = draft.archives
  if (cell === null || nothing(cell) !== null || isArchiving(draft)) return isArchiving(draft) ? cell : null
  const { report } = reporter(entityCodes, 3, context.found)
  if (parent !== null) report('N1342', cell, { entity: draft.name, key: 'Delete', parent: parent.name })
  else if (draft.builtIn) report('N1358', cell, { written: cell.text, why: 'people are erased, not archived' })
  else {
    const why = 'an entity only says whether what is deleted is archived'
    report('N1358', cell, { written: cell.text, why }, { fixes: [writeInstead(cell, 'archives')] })
  }
  return null
}
