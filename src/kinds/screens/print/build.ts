/** One record that was read → its print: what its reader does not see of it is not on the paper, and no gap tells that it could be. */
import type { PrintField, PrintPart, Screen } from '../../../headings/2-screens/model.ts'
import type { Presenter } from '../presenter.ts'
import type { WholeRecord } from '../read-data.ts'
import { paperOf } from './screen.ts'
import type { LabelledValue, PieceView, PrintView } from './view-model.ts'

export function printView(presenter: Presenter, screen: Screen, entity: string, data: WholeRecord): PrintView {
  const { title = null, footer = null, parts = [] } = paperOf(screen) ?? {}
  const textOf = (text: PrintPart['text']) => (text === null ? '' : (presenter.toldText(text, data.told)?.trim() ?? ''))
  const own = textOf(title)
  const shown =
    own === '' ? `${presenter.app.entities.get(entity)?.name ?? ''} ${presenter.title(entity, data.row)}` : own
  return {
    ...presenter.frame(screen, entity),
    title: shown,
    pageTitle: shown,
    parts: parts.flatMap((part, at) => {
      const text = textOf(part.text)
      const pieces = piecesOf(presenter, entity, data, part.fields)
      if (text === '' && pieces.length === 0) return []
      return [{ key: String(at), title: part.name?.text ?? null, text: text === '' ? null : text, pieces }]
    }),
    footer: textOf(footer),
  }
}

/** Fields that follow each other stand together, and so do columns of the same rows. */
function piecesOf(
  presenter: Presenter,
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
      const fact = factOf(presenter, entity, data, fields[at]!)
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
    for (const one of presenter.childTables(entity, field, rows, columns, named.length === 0 ? null : named))
      if (one.columns.length > 0) pieces.push({ kind: 'rows', rows: one })
    at = end
  }
  return pieces
}

/** Null: not for them. */
function factOf(
  presenter: Presenter,
  entity: string,
  { row, told }: WholeRecord,
  { field, column, value }: PrintField,
): LabelledValue | null {
  if (value !== null) return presenter.toldValue(value, told)
  const label = presenter.label(entity, field)
  return label === null || column !== null || !(field in row.values)
    ? null
    : { label, value: { ...presenter.value(entity, row, field), href: null } }
}
