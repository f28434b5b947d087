/** `- **Face:** title subject; reference number; facts net, supplier`: what is shown of a record among others. */
import { after, splitCell, words } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nearest } from '../../document/nearest.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { FieldShape } from '../../expression/type.ts'
import { imageTypes } from '../../kinds/fields/file/types.ts'
import { fieldOf } from '../2-screens/fields.ts'
import type { Context } from '../context.ts'
import { entityCodes } from './codes.ts'
import type { EntityDraft } from './declare.ts'
import { type FaceLine, type FacePart, type Field, faceParts } from './model.ts'
import type { TypedEntity } from './shape.ts'

const section = 3

/** So many facts stand beside what a record is called. */
export const mostFacts = 3

interface Part {
  /** What its fields are: "a date", for the message. */
  readonly what: string
  readonly most: number
  readonly fits: (field: Faced, context: Context, entity: string) => boolean
}

/** A field as far as a face asks for it. */
type Faced = Pick<Field, 'type' | 'types'>

/** Who and when of every record: shown where the document names them, and never derived. */
const byItself: ReadonlySet<string> = new Set(['created_at', 'created_by', 'changed_at', 'changed_by'])

const naming: ReadonlySet<Field['type']['kind']> = new Set([
  'text',
  'integer',
  'decimal',
  'choice',
  'date',
  'moment',
  'time',
  'reference',
  'error',
])

const facts: ReadonlySet<Field['type']['kind']> = new Set([...naming, 'choices', 'yes/no', 'money', 'duration'])

const isRowsOf = ({ type }: Faced, { typed }: Context, entity: string): boolean =>
  type.kind === 'list' && typed.get(type.entity)?.parent?.key === entity

/** What it holds is shown in its place. */
export const isPicture = ({ type, types }: Faced): boolean =>
  type.kind === 'file' && types !== null && types.names.every(name => imageTypes.includes(name))

const parts: Readonly<Record<FacePart, Part>> = {
  title: {
    what: 'a text, a number, a choice, a date, a record or the list of its rows',
    most: 3,
    fits: (field, context, entity) => naming.has(field.type.kind) || isRowsOf(field, context, entity),
  },
  reference: { what: 'a text or a number', most: 1, fits: ({ type }) => ['text', 'integer'].includes(type.kind) },
  facts: { what: 'a value of one line', most: mostFacts, fits: ({ type }) => facts.has(type.kind) },
  person: {
    what: 'a person',
    most: 1,
    fits: ({ type }) => type.kind === 'reference' && type.entity === 'person',
  },
  date: { what: 'a date', most: 1, fits: ({ type }) => type.kind === 'date' || type.kind === 'moment' },
  picture: { what: 'an image', most: 1, fits: isPicture },
}

/** Null: nothing is said. What is not possible is reported, and derived as if it were not there. */
export function readFace(context: Context, { draft }: TypedEntity, fields: readonly Field[]): FaceLine | null {
  const { key, face: cell } = draft
  if (cell === null || nothing(cell) !== null) return null
  const { report } = reporter(entityCodes, section, context.found)
  const found = new Map<FacePart, readonly string[]>()
  for (const piece of splitCell(cell, ';')) {
    const [first = piece] = words(piece)
    const part = faceParts.find(one => one === first.text.toLowerCase())
    if (part === undefined) {
      const near = nearest(first.text, faceParts)
      const fixes = near === null ? [] : [writeInstead(first, near)]
      report('N1377', first, { why: `\`${first.text}\` is none of ${faceParts.join(', ')}` }, { fixes })
      continue
    }
    const why = found.has(part) ? `its ${part} is said twice` : whyNoPart(part, draft, fields)
    if (why !== null) report('N1377', piece, { why })
    else {
      const named = fieldsOf(context, key, fields, part, after(piece, part)!)
      if (named !== null) found.set(part, named)
    }
  }
  return { cell, parts: found }
}

/** Why the document cannot say this part; null where it can. */
function whyNoPart(part: FacePart, { builtIn }: EntityDraft, fields: readonly Field[]): string | null {
  if (part !== 'title' && part !== 'reference') return null
  if (builtIn) return 'people are called by their `name`'
  const displayed = fields.find(({ display }) => display !== null)
  return displayed === undefined ? null : `\`display\` of \`${displayed.key}\` says already what a record is called`
}

/** Why a field cannot stand in this part; null where it can. */
function whyNotFaced(
  context: Context,
  entity: string,
  all: readonly Field[],
  part: FacePart,
  { key, type }: FieldShape,
): string | null {
  const { what, fits } = parts[part]
  const own = all.find(field => field.key === key)
  const isNaming = part === 'title' || part === 'reference'
  if (own === undefined && (isNaming || !byItself.has(key))) return `\`${key}\` is no field of the document`
  if (own?.hidden != null) return `\`${key}\` is hidden`
  return fits(own ?? { type, types: null }, context, entity) ? null : `\`${key}\` is not ${what}`
}

/** The fields of a part; null after a report. */
function fieldsOf(
  context: Context,
  entity: string,
  all: readonly Field[],
  part: FacePart,
  cell: Cell,
): readonly string[] | null {
  const { report } = reporter(entityCodes, section, context.found)
  const { most } = parts[part]
  const isNone = nothing(cell) === 'none'
  if (isNone && part !== 'title') return []
  const pieces = isNone ? [] : splitCell(cell, ',')
  if (pieces.length === 0) {
    report('N1377', cell, { why: `its ${part} names no field` })
    return null
  }
  const [beyond] = pieces.slice(most)
  if (beyond !== undefined) {
    report('N1377', beyond, { why: most === 1 ? `its ${part} is one field` : `its ${part} are ${most} fields at most` })
    return null
  }
  const keys: string[] = []
  for (const piece of pieces) {
    const shape = fieldOf(context, entity, piece, section)
    if (shape === null) return null
    const wrong = whyNotFaced(context, entity, all, part, shape)
    if (wrong === null) keys.push(shape.key)
    else {
      report('N1377', piece, { why: wrong })
      return null
    }
  }
  return keys
}
