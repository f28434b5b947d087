/** `- **Mark:** Late where state = Out and due_back < today; bad`: a word beside the records of which something holds. */
import { codeless, splitAt, splitCell } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nearest } from '../../document/nearest.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { type Context, readAt } from '../context.ts'
import { use } from '../gaps/gap.ts'
import { entityCodes } from './codes.ts'
import { type Mark, markTones } from './model.ts'
import type { TypedEntity } from './shape.ts'

const section = 3

/** In the document's order. Rows are shown with their record, and have none. */
export function readMarks(context: Context, { draft, parent }: TypedEntity): readonly Mark[] {
  const { report } = reporter(entityCodes, section, context.found)
  const marks = new Map<string, Mark>()
  for (const cell of draft.marks) {
    if (nothing(cell) !== null) continue
    if (parent !== null) {
      report('N1368', cell, { why: `rows stand with their ${parent.name}, which may have marks` })
      continue
    }
    const mark = readMark(context, draft, cell)
    const first = mark === null ? undefined : marks.get(mark.name.text)
    if (first !== undefined)
      report('N1368', mark!.name, { why: `\`${first.name.text}\` stands there already; join them by \`or\`` })
    else if (mark !== null) marks.set(mark.name.text, mark)
  }
  return [...marks.values()]
}

function readMark(context: Context, { key, name: entity }: TypedEntity['draft'], cell: Cell): Mark | null {
  const { report } = reporter(entityCodes, section, context.found)
  const [first = cell, tone = null, ...others] = splitCell(cell, ';')
  const parts = splitAt(first, 'where')
  const name = parts?.before ?? first
  const where = parts?.after ?? null
  const [beyond] = others
  const meant = tone === null ? 'warning' : markTones.find(one => one === tone.text.toLowerCase())
  if (!/\p{L}/u.test(name.text)) report('N1368', cell, { why: 'it has no word' })
  else if (where === null || where.text === '')
    report('N1368', name, { why: `it does not say when a record is \`${name.text}\`` })
  else if (beyond !== undefined) report('N1368', beyond, { why: 'behind its tone stands nothing more' })
  else if (meant === undefined) {
    const near = nearest(tone!.text, markTones)
    const fixes = near === null ? [] : [writeInstead(tone!, near)]
    report('N1368', tone!, { why: `\`${tone!.text}\` is none of ${markTones.join(', ')}` }, { fixes })
  } else {
    const place = { section, entity: key }
    const holds = readAt(context, codeless(where), place, { kind: 'yes/no' }, use('mark', { entity, mark: name.text }))
    return holds === null ? null : { cell, name, where: holds, tone: meant }
  }
  return null
}
