/** What is personal, how long it is kept, and whether it is written down who is shown it. */
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nearest } from '../../document/nearest.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { archivedAt } from '../../expression/archived.ts'
import { type Context, leaveOpen } from '../context.ts'
import { open } from '../gaps/gap.ts'
import { removePiece } from '../names.ts'
import { isArchiving } from './archives.ts'
import { entityCodes } from './codes.ts'
import type { Entity, Field, Keep } from './model.ts'
import type { TypedEntity } from './shape.ts'

const section = 3

/** What takes the place of a text that has to be there: `erased`, and what makes it unlike all others. */
export const erasedLength = 19

/** A field that could never be erased is not personal. */
export function checkPersonal(context: Context, entity: string, field: Field): void {
  const { personal } = field
  if (personal === null) return
  const { report } = reporter(entityCodes, section, context.found)
  const not = whyNot(entity, field)
  if (not === null) return
  const { why, help, isNever } = not
  // What could be erased, were it not required, is to be erased: that is no mistake.
  report('N1340', personal, { field: field.key, why, help }, { fixes: isNever ? [removePiece(personal)] : [] })
}

interface NotErased {
  readonly why: string
  readonly help: string
  /** Whatever else is said of the field. */
  readonly isNever: boolean
}

function whyNot(entity: string, field: Field): NotErased | null {
  const { key, type, kind, computed, required, pattern, parameters } = field
  if (type.kind === 'error') return null
  const never = (why: string, help: string) => ({ why, help, isNever: true })
  if (computed !== null) return never('it is worked out', 'Mark the fields that it reads.')
  if (parameters.picture !== undefined) return never('it is a number that is given once', 'Take `personal` out.')
  const isPerson = (type.kind === 'reference' || type.kind === 'list') && type.entity === 'person'
  if (isPerson) return null
  if (kind !== 'several' && type.kind === 'list')
    return never('it is a list of rows', `Mark the fields of the rows of ${entity}.`)
  if (required === null || required.when !== null || type.kind === 'list') return null
  const fits = type.kind === 'text' && ['text', 'long text', 'markdown', 'e-mail'].includes(kind) && pattern === null
  const room = parameters.length === undefined || Number(parameters.length) >= erasedLength
  if (fits && room) return null
  return {
    why: 'it is required, and no value would be left to stand in its place',
    help: `Let \`${key}\` be empty, if only later (\`required when state = Open\`), or make it a text of at least ${erasedLength} characters without a pattern: \`erased\` and a number stand there then.`,
    isNever: false,
  }
}

const units = {
  day: 'day',
  days: 'day',
  week: 'week',
  weeks: 'week',
  month: 'month',
  months: 'month',
  year: 'year',
  years: 'year',
} as const

/** `- **Keep:** 5 years after Closed, then delete`. Left open: null, as where it is absent; the assumption says so. */
export function readKeep(context: Context, entity: TypedEntity, fields: readonly Field[]): Entity['keep'] {
  const { draft, parent } = entity
  const cell = draft.keep
  if (cell === null) return null
  const kind = nothing(cell)
  if (typeof kind === 'object' && kind !== null)
    leaveOpen(context, cell, open(section, 'keep', { entity: draft.name }), kind)
  if (kind !== null) return null
  const { report } = reporter(entityCodes, section, context.found)
  if (parent !== null) {
    report('N1342', cell, { entity: draft.name, key: 'Keep', parent: parent.name })
    return null
  }
  const keep = keepOf(context, entity, cell)
  if (typeof keep === 'string') {
    report('N1341', cell, { written: cell.text, wrong: keep })
    return null
  }
  const series =
    keep.kind === 'for' && keep.end === 'delete' ? fields.find(({ gapless }) => gapless !== null) : undefined
  // Before a step gives the number a record may go.
  if (series !== undefined && (series.givenOn === null || (keep.kind === 'for' && 'field' in keep.after))) {
    report(
      'N1345',
      cell,
      { entity: draft.name, field: series.key },
      { related: [{ span: series.gapless!, message: '`gapless` here' }] },
    )
    return null
  }
  const children = [...context.typed.values()].filter(one => one.parent?.key === draft.key)
  const isPersonal =
    draft.builtIn ||
    fields.some(({ personal }) => personal !== null) ||
    children.some(child => [...child.fields.values()].some(({ rules }) => rules.has('personal')))
  if (keep.kind === 'for' && keep.end === 'erase' && !isPersonal) report('N1343', cell, { entity: draft.name })
  return keep
}

type KeptFor = Extract<Keep, { kind: 'for' }>

/** A text says what is wrong. */
function keepOf(context: Context, entity: TypedEntity, cell: Cell): Keep | string {
  if (/^forever$/i.test(cell.text)) return { kind: 'forever', cell }
  const parts = /^(\d{1,4})\s+([a-z]+)\s+after\s+([^;]+?)(?:\s*[,;]\s*then\s+(erase|delete))?$/i.exec(cell.text)
  if (parts === null) return 'a number, `days`, `weeks`, `months` or `years`, `after` and what'
  const [, amount = '', named = '', what = '', then = 'erase'] = parts
  const unit = Object.entries(units).find(([name]) => name === named.toLowerCase())?.[1]
  if (unit === undefined) {
    const near = nearest(named, Object.keys(units))
    return `there is no unit \`${named}\`${near === null ? '' : `; did you mean \`${near}\`?`}`
  }
  const end = then.toLowerCase() === 'delete' ? ('delete' as const) : ('erase' as const)
  if (entity.draft.builtIn && end === 'delete') return 'people are named by what they did: they are erased, not deleted'
  const after = startOf(context, entity, what)
  return typeof after === 'string' ? after : { kind: 'for', cell, amount: Number(amount), unit, after, end }
}

/** Commas and `or`, outside of quotes. */
const between = /(?:\s*,\s*(?:or\s+)?|\s+or\s+)(?=(?:[^"]*"[^"]*")*[^"]*$)/

/** `Returned`, `Returned, Lost or Declined`, `left_on`; a text says what is wrong. */
function startOf(context: Context, { draft, fields }: TypedEntity, what: string): KeptFor['after'] | string {
  const known = context.workflows.get(draft.key)?.states.all ?? new Map<string, { readonly name: string }>()
  const plain = (name: string) => name.replace(/^["`]|["`]$/g, '')
  const names = known.has(plain(what)) ? [plain(what)] : what.split(between).map(plain)
  const unknown = names.find(name => !known.has(name))
  if (unknown === undefined) return { states: names.map(name => known.get(name)!.name) }
  const built = ['created_at', 'changed_at', ...(isArchiving(draft) ? [archivedAt] : [])]
  const type = built.includes(unknown) ? 'moment' : fields.get(unknown)?.type.kind
  const isDate = type === 'date' || type === 'moment'
  if (isDate && names.length === 1) return { field: unknown }
  if (isDate) return `\`${unknown}\` is no state: of several, each is one`
  const dates = [...fields.values()].filter(one => one.type.kind === 'date' || one.type.kind === 'moment')
  const near = nearest(unknown, [...known.keys(), ...dates.map(one => one.key), ...built])
  const meant = near === null ? '' : `; did you mean \`${near}\`?`
  return type === undefined
    ? `${draft.name} has no state and no date \`${unknown}\`${meant}`
    : `\`${unknown}\` is no date and no moment${meant}`
}

/** `- **Read log:** yes`. */
export function readReadLog(context: Context, { draft, parent }: TypedEntity): Cell | null {
  const cell = draft.readLog
  if (cell === null || nothing(cell) !== null) return null
  const { report } = reporter(entityCodes, section, context.found)
  if (parent !== null) {
    report('N1342', cell, { entity: draft.name, key: 'Read log', parent: parent.name })
    return null
  }
  if (/^yes$/i.test(cell.text)) return cell
  report('N1344', cell, { written: cell.text }, { fixes: [writeInstead(cell, 'yes')] })
  return null
}
