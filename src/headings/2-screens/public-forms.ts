/** Forms for everyone: sent by people who are not signed in. */

import { codeless, splitCell } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import { formPart } from '../../kinds/screens/form/screen.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import type { Field } from '../3-entities/model.ts'
import { withoutElse } from '../3-entities/rules.ts'
import { raise } from '../8-errors/read.ts'
import { engineValue } from '../9-limits/engine.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified, specified } from '../specified.ts'
import { screenCodes } from './codes.ts'
import { readColumns } from './fields.ts'
import type { AtMost, Column, Screen } from './model.ts'

const section = 2

/** Whoever comes may fill it in. */
export const isPublicForm = (screen: Pick<Screen, 'shows' | 'for'>): boolean =>
  kindOf(screen)?.entry === 'page' && specified(screen.for)?.kind === 'everyone'

/** `- **Confirm by mail to:** email`: one field. */
export function readConfirmTo(context: Context, entity: string, cell: Cell | null): Column | null {
  const fields = readColumns(context, entity, cell)
  const [first = null] = fields
  if (fields.length < 2) return first
  const { report } = reporter(screenCodes, section, context.found)
  report('N1253', cell!, {
    field: cell!.text,
    why: 'these are several',
    instead: 'Name one field of the type `e-mail`.',
  })
  return null
}

const mostInASpan = 1000

/** `- **At most:** 5 per hour else E-LATER`. */
export function readAtMost(context: Context, entity: string, cell: Cell | null): AtMost | null {
  if (cell === null) return null
  const { before, code } = withoutElse(codeless(cell))
  const [, most, span] = /^(\d{1,4}) per (minute|hour|day)$/i.exec(before.text) ?? []
  if (most === undefined || Number(most) < 1 || Number(most) > mostInASpan) {
    reporter(screenCodes, section, context.found).report('N1255', before, { text: before.text, max: mostInASpan })
    return null
  }
  return {
    cell,
    most: Number(most),
    span: span!.toLowerCase() as AtMost['span'],
    error: code === null ? null : raise(context, code, entity),
  }
}

/** `https://www.example.org, https://www.example.com:8443`; `http:` for trying it on this machine. */
export function readSites(
  context: Context,
  cell: Cell | null,
): readonly { readonly origin: string; readonly cell: Cell }[] {
  if (cell === null) return []
  const { report } = reporter(screenCodes, section, context.found)
  return splitCell(cell, ',').flatMap(piece => {
    const written = codeless(piece)
    if (written.text === '') return []
    const url = URL.parse(written.text)
    const isOurs = url?.protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(url.hostname)
    if (url !== null && (url.protocol === 'https:' || isOurs) && isOrigin.test(written.text))
      return [{ origin: url.origin, cell: piece }]
    report('N1254', piece, { site: written.text })
    return []
  })
}

const isOrigin = /^https?:\/\/[a-z\d.-]+(:\d{1,5})?\/?$/i

/** What a form or the pages of a wizard ask for: fields by key; of a list of rows the fields of a row, null where it takes all. */
export type Only = ReadonlyMap<string, ReadonlySet<string> | null>

export const onlyOf = (screen: Screen): Only =>
  new Map(usesOf(screen).asked.map(({ field, rows }) => [field, rows === undefined ? null : new Set(rows)]))

/** What only forms for everyone have. */
export function checkOnlyPublic(context: Context, app: App): void {
  const { report } = reporter(screenCodes, section, context.found)
  for (const screen of app.screens) {
    const part = formPart(screen)
    if (part === null) continue
    if (isPublicForm(screen)) checkPublic(context, app, screen, part)
    else for (const [key, cell] of onlyPublic(part)) report('N1252', cell, { key, name: screen.name.text })
  }
}

type FormPart = NonNullable<ReturnType<typeof formPart>>

/** The keys that only forms for everyone have. */
function onlyPublic({
  embeddedIn,
  atMost,
  confirmationTitle,
  confirmTo,
}: FormPart): readonly (readonly [string, Cell])[] {
  const keys = [
    ['Embedded in', embeddedIn[0]?.cell],
    ['At most', atMost?.cell],
    ['Confirmation title', confirmationTitle],
    ['Confirm by mail to', confirmTo?.cell],
  ] as const
  return keys.flatMap(([key, cell]) => (cell == null ? [] : [[key, cell] as const]))
}

function checkPublic(context: Context, app: App, { shows, name }: Screen, { confirmTo, columns }: FormPart): void {
  const { report } = reporter(screenCodes, section, context.found)
  const files = filesAtOnce(app, shows, columns)
  const most = numberOf(app, 'visitor_files') ?? engineValue({}, 'visitor_files')
  if (files > most) report('N1256', name, { name: name.text, files, most })
  if (confirmTo === null || isUnspecified(shows)) return
  const { field, cell } = confirmTo
  const kind = app.entities.get(shows.entity ?? '')?.fields.find(({ key }) => key === field)?.kind
  if (kind !== 'e-mail')
    report('N1253', cell, { field, why: 'it is no address', instead: 'Name a field of the type `e-mail`.' })
  else if (columns.length > 0 && !columns.some(one => one.field === field))
    report('N1253', cell, { field, why: 'the form does not ask for it', instead: 'Add it to `Columns`.' })
}

/** Files that one sending may bring: its own, and those of as many rows as a list says that it takes. */
function filesAtOnce(app: App, shows: Screen['shows'], columns: readonly Column[]): number {
  const fields = (isUnspecified(shows) ? undefined : app.entities.get(shows.entity ?? ''))?.fields ?? []
  const isFile = ({ type }: Field) => type.kind === 'file'
  return fields
    .filter(({ key }) => columns.some(({ field }) => field === key))
    .reduce((sum, field) => {
      const { type, max } = field
      if (type.kind !== 'list') return sum + Number(isFile(field))
      const { root } = max ?? {}
      const rows = root?.op === 'literal' ? Number(root.value) : root?.op === 'limit' ? numberOf(app, root.name) : 0
      const listed = columns.find(one => one.field === field.key)?.rows
      const inRow =
        app.entities.get(type.entity)?.fields.filter(one => isFile(one) && listed?.includes(one.key) !== false)
          .length ?? 0
      return sum + (rows ?? 0) * inRow
    }, 0)
}

/** The number that a constant of the document has; null where it has none. */
function numberOf({ limits }: App, key: string): number | null {
  const value = limits.get(key)?.value
  return value === undefined || isUnspecified(value) ? null : Number(value.wire)
}
