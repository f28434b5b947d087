/** Heading 8 into the model. Codes are declared first; their texts are read last, for the entities that raise them. */

import type { NamedRow } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Product } from '../1-product/model.ts'
import { type Context, cellOrNull, readSaid, readTables, readTextAt, sectionsOf } from '../context.ts'
import { addRow, alikeNumbers, bothPlaces, type Names, names } from '../names.ts'
import { isUnspecified, type Said } from '../said.ts'
import { errorCodes } from './codes.ts'
import type { ErrorEntry, ErrorTexts } from './model.ts'
import { errors } from './table.ts'

const section = 8

export interface ErrorDraft {
  readonly code: string
  readonly cell: Cell
  readonly row: NamedRow<'Code' | 'Message' | 'What to do' | 'Status'>
}

export function errorNames(context: Pick<Context, 'found'>): Names<ErrorDraft> {
  const { report } = reporter(errorCodes, section, context.found)
  const found: Names<ErrorDraft> = names<ErrorDraft>(context.found, {
    twice: (cell, first) => report('N1802', cell, { code: cell.text }, bothPlaces(cell, first)),
    unknown: (cell, meant, { fixes }) => {
      const last = [...found.all.values()].at(-1)
      const isCode = /^[A-Za-z][\w-]*$/.test(cell.text)
      const added =
        last && isCode
          ? addRow(last.row, errors, { Code: cell.text, Message: 'TBD' }, `add \`${cell.text}\` to the error catalogue`)
          : null
      report('N1801', cell, { code: cell.text, meant }, { fixes: added === null ? fixes : [...fixes, added] })
    },
    alike: alikeNumbers,
  })
  return found
}

export function declareErrors(context: Context): void {
  for (const content of sectionsOf(context, section).flatMap(part => [part, ...part.subjects])) {
    for (const row of readTables(context, content, section, [errors]).rows(errors)) {
      const cell = row.cell('Code')!
      if (cell.text !== '') context.errors.declare(cell, cell.text, { code: cell.text, cell, row })
    }
  }
}

/** Resolves a code that a rule, a step or an answer names, and remembers which entity's records raise it. */
export function raise(context: Context, cell: Cell, entity: string | null): string | null {
  const error = context.errors.find(cell)
  if (error === null) return null
  const by = context.raised.get(error.code) ?? new Set()
  context.raised.set(error.code, by.add(entity))
  return error.code
}

type Translations = Product['translations']

export function readErrors(context: Context, translations: Translations): ReadonlyMap<string, ErrorEntry> {
  const read = new Map<string, ErrorEntry>()
  for (const draft of context.errors.all.values()) read.set(draft.code, readEntry(context, draft, translations))
  return read
}

function readEntry(context: Context, { code, cell, row }: ErrorDraft, translations: Translations): ErrorEntry {
  const open = { section, what: `the message of ${code}`, consequence: `people read only ${code}` }
  const message = readSaid(context, row.cell('Message')!, open, written => written)
  const whatToDo = cellOrNull(row.cell('What to do'))
  const templates = readTemplates(context, code, message, whatToDo)
  const translated = new Map<string, Pick<ErrorEntry, 'message' | 'whatToDo' | 'templates'>>()
  for (const [tag, texts] of translations) {
    const words = (text: Cell) => texts.get(text.text)?.words ?? text
    const own = {
      message: isUnspecified(message) ? message : words(message),
      whatToDo: whatToDo === null ? null : words(whatToDo),
    }
    if (own.message !== message || own.whatToDo !== whatToDo)
      translated.set(tag, { ...own, templates: readTemplates(context, code, own.message, own.whatToDo) })
  }
  const status = readStatus(context, cellOrNull(row.cell('Status')))
  return { code, cell, message, whatToDo, status, templates, translated }
}

function readTemplates(
  context: Context,
  code: string,
  message: Said<Cell>,
  whatToDo: Cell | null,
): ReadonlyMap<string, ErrorTexts> {
  const templates = new Map<string, ErrorTexts>()
  for (const entity of context.raised.get(code) ?? []) {
    if (entity === null || isUnspecified(message)) continue
    const place = { section, entity }
    const texts = {
      message: readTextAt(context, message, place, `the message of ${code}`),
      whatToDo: whatToDo === null ? null : readTextAt(context, whatToDo, place, `what to do about ${code}`),
    }
    if (texts.message !== null) templates.set(entity, { message: texts.message, whatToDo: texts.whatToDo })
  }
  return templates
}

function readStatus(context: Context, cell: Cell | null): number {
  if (cell === null) return 422
  if (/^[45]\d\d$/.test(cell.text)) return Number(cell.text)
  reporter(errorCodes, section, context.found).report('N1803', cell, { status: cell.text })
  return 422
}
