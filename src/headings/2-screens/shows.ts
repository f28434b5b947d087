/** The Shows cell: a kind of the registry with what it shows. */

import { after, codeless, slice, splitAt } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { didYouMean, nearest } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import { screenKinds } from '../../kinds/screens/index.ts'
import type { ScreenKind } from '../../kinds/screens/screen-kind.ts'
import { type Context, listed } from '../context.ts'
import { evened } from '../names.ts'
import { screenCodes } from './codes.ts'
import { fieldOf } from './fields.ts'
import type { Shows } from './model.ts'

const section = 2

/** The kind that a Shows cell begins with; null for one that is not served. */
export function kindWritten(cell: Cell): ScreenKind | null {
  const isLink = blockLink(cell) !== null
  const begins = (kind: ScreenKind) => (isLink ? kind.opening === '[' : behind(kind, cell) !== null)
  return [...screenKinds.values()].find(begins) ?? null
}

/** The link of `[Checklist](blocks/checklist.tsx) of Loan`, and what it is of; null: the cell begins with no link. */
export function blockLink(cell: Cell): { readonly link: Cell; readonly of: Cell | null } | null {
  const found = /^(\[[^\]]*\]\([^)]*\))(?:\s+of\s+(?=\S)|$)/.exec(cell.text)
  if (found === null) return null
  const rest = found[0].length
  return { link: slice(cell, 0, found[1]!.length), of: rest === cell.text.length ? null : slice(cell, rest) }
}

/** What stands behind the opening words. */
const behind = ({ opening, also }: ScreenKind, cell: Cell): Cell | null =>
  after(cell, opening) ?? (also === undefined ? null : after(cell, also))

/** Null after a report. `isOne`: its address is that of one record. */
export function readShows(context: Context, cell: Cell, isOne: boolean): Shows | null {
  const { report } = reporter(screenCodes, section, context.found)
  const kind = kindWritten(cell)
  if (kind === null) {
    reportUnknown(context, cell, isOne)
    return null
  }
  const block = blockLink(cell)
  if (block !== null) {
    const of = block.of === null ? null : context.entities.find(codeless(block.of))
    return block.of !== null && of === null ? null : shown(cell, kind, of?.key ?? null)
  }
  const written = kind.written.split(' · ')[0]!
  const rest = behind(kind, cell)!
  if (kind.entity === 'none') {
    if (rest.text === '') return shown(cell, kind, null)
    report('N1215', cell, { kind: kind.name, what: 'nothing behind it', written })
    return null
  }
  const by = context.entities.all.has(evened(rest.text)) ? null : splitAt(rest, 'by')
  const lanes = by === null && kind.by === 'lanes' ? splitAt(rest, 'from') : null
  const named = codeless(by?.before ?? lanes?.before ?? rest)
  if (named.text === '') {
    report('N1215', cell, { kind: kind.name, what: 'an entity', written })
    return null
  }
  const entity = context.entities.find(named)
  if (entity === null) return null
  if (by !== null && kind.by === 'none') {
    const fix = writeInstead(cell, cell.text.slice(0, cell.text.length - rest.text.length) + named.text)
    report('N1215', cell, { kind: kind.name, what: 'no `by`', written }, { fixes: [fix] })
    return null
  }
  return by === null
    ? readWithoutBy(context, cell, kind, entity.key)
    : readBy(context, cell, kind, entity.key, by.after)
}

const shown = (cell: Cell, { name }: ScreenKind, entity: string | null, by: string | null = null): Shows => ({
  cell,
  kind: name,
  entity,
  by,
  until: null,
})

function readWithoutBy(context: Context, cell: Cell, kind: ScreenKind, entity: string): Shows | null {
  if (kind.by === 'none' || kind.by === 'groups elsewhere') return shown(cell, kind, entity)
  const isMeant = kind.by !== 'lanes' && context.workflows.has(entity)
  const fixes = isMeant ? [writeInstead(cell, `${cell.text} by state`)] : []
  const parameters = { kind: kind.name, what: '`by` and a field', written: kind.written.split(' · ')[0]! }
  reporter(screenCodes, section, context.found).report('N1215', cell, parameters, { fixes })
  return null
}

function readBy(context: Context, cell: Cell, kind: ScreenKind, entity: string, by: Cell): Shows | null {
  // What groups are is read with the keys below the heading, which it may read from.
  if (kind.by === 'groups' || kind.by === 'groups elsewhere') return shown(cell, kind, entity)
  if (kind.by === 'days') return readDays(context, cell, kind, entity, by)
  if (kind.by === 'lanes') return readLanes(context, cell, kind, entity, by)
  const field = fieldOf(context, entity, by)
  if (field === null) return null
  if (kind.by === 'choice' && field.type.kind !== 'choice' && field.type.kind !== 'error') {
    const fixes = context.workflows.has(entity) ? [writeInstead(by, 'state')] : []
    reporter(screenCodes, section, context.found).report('N1209', by, { field: field.key }, { fixes })
    return null
  }
  return shown(cell, kind, entity, field.key)
}

/** `by due_back`, `by out_on to due_back`: days or moments, both of one type. */
function readDays(context: Context, cell: Cell, { name }: ScreenKind, entity: string, by: Cell): Shows | null {
  const { report } = reporter(screenCodes, section, context.found)
  const span = splitAt(by, 'to')
  const [first, last] = [span?.before ?? by, span?.after ?? null]
  const from = fieldOf(context, entity, first)
  const to = last === null ? null : fieldOf(context, entity, last)
  if (from === null || (last !== null && to === null)) return null
  for (const [field, place] of [[from, first] as const, ...(to === null ? [] : [[to, last!] as const])])
    if (!['date', 'moment', 'error'].includes(field.type.kind)) {
      report('N1219', place, { kind: name, field: field.key })
      return null
    }
  if (to !== null && from.type.kind !== to.type.kind && from.type.kind !== 'error' && to.type.kind !== 'error') {
    report('N1220', last!, { kind: name, from: from.key, to: to.key })
    return null
  }
  return { cell, kind: name, entity, by: from.key, until: to?.key ?? null }
}

/** `by item, from out_on to due_back`: what its lanes are, and days. */
function readLanes(context: Context, cell: Cell, kind: ScreenKind, entity: string, by: Cell): Shows | null {
  const { report } = reporter(screenCodes, section, context.found)
  const parts = splitAt(by, 'from')
  if (parts === null) {
    report('N1215', cell, { kind: kind.name, what: '`from` and a date', written: kind.written.split(' · ')[0]! })
    return null
  }
  const named = slice(parts.before, 0, parts.before.text.replace(/\s*,$/, '').length)
  const lanes = fieldOf(context, entity, codeless(named))
  const days = readDays(context, cell, kind, entity, parts.after)
  if (lanes === null || days === null) return null
  if (!['reference', 'choice', 'error'].includes(lanes.type.kind)) {
    const fixes = context.workflows.has(entity) ? [writeInstead(named, 'state')] : []
    report('N1264', named, { kind: kind.name, field: lanes.key }, { fixes })
    return null
  }
  return { ...days, lanes: lanes.key }
}

function reportUnknown(context: Context, cell: Cell, isOne: boolean): void {
  const known = [...screenKinds.values()].flatMap(({ opening, also }) => [
    opening,
    ...(also === undefined ? [] : [also]),
  ])
  // `lists of Loan` means `list of Loan`: what stands before the entity is compared.
  const begins = [2, 1].map(count => cell.text.split(/\s+/).slice(0, count).join(' '))
  const begin = begins.find(words => nearest(words, known) !== null)
  const meant = begin === undefined ? null : nearest(begin, known)!
  // The entity alone: its list, or one of its records.
  const whole = context.entities.all.has(evened(cell.text)) ? `${isOne ? 'one' : 'list of'} ${cell.text}` : null
  const written = whole ?? (meant === null ? null : meant + cell.text.slice(begin!.length))
  const fixes = written === null ? [] : [writeInstead(cell, written)]
  reporter(screenCodes, section, context.found).report(
    'N1206',
    cell,
    {
      shows: cell.text,
      meant: whole !== null ? `; did you mean \`${whole}\`?` : begin === undefined ? '' : didYouMean(begin, known),
      known: listed(
        [...screenKinds.values()].flatMap(({ written }) => written.split(' · ')),
        Infinity,
      ),
    },
    { fixes },
  )
}
