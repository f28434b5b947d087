/** Heading 8 into the model. Codes are declared first; their texts are read last, for the entities that raise them. */

import type { NamedRow } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import { didYouMean } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import { holesOf } from '../../expression/holes.ts'
import type { Product } from '../1-product/model.ts'
import {
  type Context,
  cellOrNull,
  listed,
  part,
  readSpecified,
  readTables,
  readTextAt,
  sectionsOf,
} from '../context.ts'
import { open, use } from '../gaps/gap.ts'
import { addRow, alikeNumbers, bothPlaces, type Names, names, writeNearest } from '../names.ts'
import { isUnspecified, type Specified } from '../specified.ts'
import { type BuiltIn, type BuiltInCode, builtIn } from './built-in.ts'
import { errorCodes } from './codes.ts'
import type { ErrorEntry, ErrorTexts } from './model.ts'
import { errors } from './table.ts'

const section = 8

export interface ErrorDraft {
  readonly code: string
  readonly cell: Cell
  readonly row: NamedRow<'Code' | 'Message' | 'What to do' | 'Status'>
}

/** The table that errors are declared in; a code that is given twice is reported. */
export function errorNames(context: Pick<Context, 'found'>): Names<ErrorDraft> {
  const { report } = reporter(errorCodes, section, context.found)
  const found: Names<ErrorDraft> = names<ErrorDraft>(context.found, {
    twice: (cell, first) => report('N1802', cell, { code: cell.text }, bothPlaces(cell, first)),
    unknown: (cell, meant, { fixes }) => {
      // No name has a blank.
      if (/\s/.test(cell.text)) {
        report('N1808', cell, { text: cell.text })
        return
      }
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

/** Notes every code, so that rules and steps may name it. */
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

/** The texts, once it is known which entities raise each code. */
export function readErrors(context: Context, translations: Translations): ReadonlyMap<string, ErrorEntry> {
  const read = new Map<string, ErrorEntry>()
  for (const draft of context.errors.all.values()) read.set(draft.code, readEntry(context, draft, translations))
  return read
}

function readEntry(context: Context, { code, cell, row }: ErrorDraft, translations: Translations): ErrorEntry {
  const message = readSpecified(context, row.cell('Message')!, open(section, 'message', { code }), written => written)
  const whatToDo = cellOrNull(row.cell('What to do'))
  const templates = readTemplates(context, code, message, whatToDo)
  const builtInWords = builtInOf(context, code, cell)
  if (builtInWords !== null && !isUnspecified(message)) checkHoles(context, code, [message, whatToDo], builtInWords)
  const translated = new Map<string, Pick<ErrorEntry, 'message' | 'whatToDo' | 'templates'>>()
  for (const [tag, texts] of translations) {
    const words = (text: Cell) => texts.get(text.text)?.words ?? text
    const own = {
      message: isUnspecified(message) ? message : words(message),
      whatToDo: whatToDo === null ? null : words(whatToDo),
    }
    if (own.message === message && own.whatToDo === whatToDo) continue
    if (builtInWords !== null && !isUnspecified(own.message))
      checkHoles(context, code, [own.message, own.whatToDo], builtInWords)
    translated.set(tag, { ...own, templates: readTemplates(context, code, own.message, own.whatToDo) })
  }
  const status = readStatus(context, cellOrNull(row.cell('Status')), builtInWords?.status ?? 422)
  return { code, cell, message, whatToDo, status, templates, translated }
}

/** The refusal of Ninefold's own that a row words anew; null for the document's own codes. */
function builtInOf(context: Context, code: string, cell: Cell): BuiltIn | null {
  if (!/^NF-/i.test(code)) return null
  if (Object.hasOwn(builtIn, code)) return builtIn[code as BuiltInCode]
  const codes = Object.keys(builtIn)
  reporter(errorCodes, section, context.found).report(
    'N1805',
    cell,
    { code, meant: didYouMean(code, codes) },
    { fixes: writeNearest(cell, codes) },
  )
  return null
}

/** Its words may have the values that the built-in words have, and no others: nobody would fill them in. */
function checkHoles(context: Context, code: string, cells: readonly (Cell | null)[], words: BuiltIn): void {
  const known = holesOf(`${words.message} ${words.whatToDo}`)
  for (const cell of cells)
    for (const hole of cell?.text.matchAll(/\{([^{}]*)\}/g) ?? []) {
      const name = hole[1]!.split('|')[0]!
      if (known.includes(name) && holesOf(hole[0]).length > 0) continue
      const place = part(cell!, hole.index + 1, hole.index + hole[0].length - 1)
      reporter(errorCodes, section, context.found).report('N1806', place, {
        hole: hole[1]!,
        code,
        meant: didYouMean(name, known),
        known: listed(known),
      })
    }
}

function readTemplates(
  context: Context,
  code: string,
  message: Specified<Cell>,
  whatToDo: Cell | null,
): ReadonlyMap<string, ErrorTexts> {
  const templates = new Map<string, ErrorTexts>()
  for (const entity of context.raised.get(code) ?? []) {
    if (entity === null || isUnspecified(message)) continue
    const place = { section, entity }
    const texts = {
      message: readTextAt(context, message, place, use('message', { code })),
      whatToDo: whatToDo === null ? null : readTextAt(context, whatToDo, place, use('whatToDo', { code })),
    }
    if (texts.message !== null) templates.set(entity, { message: texts.message, whatToDo: texts.whatToDo })
  }
  return templates
}

function readStatus(context: Context, cell: Cell | null, otherwise: number): number {
  if (cell === null) return otherwise
  if (/^[45]\d\d$/.test(cell.text)) return Number(cell.text)
  reporter(errorCodes, section, context.found).report('N1803', cell, { status: cell.text })
  return otherwise
}
