/** One record that was read → its print: what its reader does not see of it is not on the paper, and no gap tells that it could be. */
import type { PrintField, PrintPart, Screen } from '../../headings/2-screens/model.ts'
import { paperOf } from '../../kinds/screens/print/screen.ts'
import type { PieceView, PrintView } from '../../kinds/screens/print/view-model.ts'
import { toldText } from '../../run/access/told.ts'
import type { WholeRecord } from '../../run/read/each.ts'
import { fieldInfo } from '../site.ts'
import { assumedOf, type Building, screenMark, titleOf, valueAt } from './common.ts'
import { childrenOf } from './sections.ts'
import { valueView } from './values.ts'

export function printView(build: Building, screen: Screen, entity: string, data: WholeRecord): PrintView {
  const { site, context } = build
  const { title = null, footer = null, parts = [] } = paperOf(screen) ?? {}
  const name = titleOf(site, entity, data.row)
  const textOf = (text: PrintPart['text']) =>
    text === null ? '' : (toldText(text, data.told, context.request)?.trim() ?? '')
  const own = textOf(title)
  const shown = own === '' ? `${site.app.entities.get(entity)?.name ?? ''} ${name}` : own
  return {
    kind: 'print',
    title: shown,
    pageTitle: shown,
    crumbs: [],
    mark: screenMark(site, screen),
    assumed: assumedOf(site, entity),
    parts: parts.flatMap((part, at) => {
      const text = textOf(part.text)
      const pieces = piecesOf(build, entity, data, part.fields)
      if (text === '' && pieces.length === 0) return []
      return [{ key: String(at), title: part.name?.text ?? null, text: text === '' ? null : text, pieces }]
    }),
    footer: textOf(footer),
  }
}

/** Fields that follow each other stand together, and so do columns of the same rows. */
function piecesOf(
  build: Building,
  entity: string,
  data: WholeRecord,
  fields: readonly PrintField[],
): readonly PieceView[] {
  const pieces: PieceView[] = []
  let at = 0
  while (at < fields.length) {
    const { field } = fields[at]!
    const rows = Object.hasOwn(data.children, field) ? data.children[field] : undefined
    if (rows === undefined) {
      const fact = factOf(build, entity, data, fields[at]!)
      const last = pieces.at(-1)
      if (fact !== null && last?.kind === 'facts') pieces[pieces.length - 1] = { ...last, facts: [...last.facts, fact] }
      else if (fact !== null) pieces.push({ kind: 'facts', facts: [fact] })
      at++
      continue
    }
    const next = fields.findIndex((other, index) => index > at && other.field !== field)
    const end = next === -1 ? fields.length : next
    const named = fields.slice(at, end).flatMap(({ column }) => column ?? [])
    const known = data.childFields[field] ?? []
    const columns = named.length === 0 ? known : named.filter(column => known.includes(column))
    for (const one of childrenOf(build, entity, field, rows, columns))
      if (one.columns.length > 0) pieces.push({ kind: 'rows', rows: one })
    at = end
  }
  return pieces
}

/** Null: not for them. */
function factOf({ site }: Building, entity: string, { row, told }: WholeRecord, { field, column, value }: PrintField) {
  if (value === null) {
    const info = fieldInfo(site.app, entity, field)
    return info === null || column !== null || !(field in row.values)
      ? null
      : { label: info.label, value: { ...valueAt(site, entity, row, field), href: null } }
  }
  const found = told.get(value)
  const last = value.root.op === 'field' ? value.root.path.steps.at(-1) : undefined
  const info = last === undefined ? null : fieldInfo(site.app, last.entity, last.field)
  if (found === undefined || last === undefined || info === null) return null
  const label = found.label ?? undefined
  return { label: info.label, value: valueView(site, last.entity, info, found.value, { label, href: null }) }
}
