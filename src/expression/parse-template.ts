/** Texts with `{expression}` holes: messages, mails, addresses of calls. */

import type { Diagnostic } from '../document/diagnostic.ts'
import { nearest } from '../document/nearest.ts'
import type { Cell } from '../document/source.ts'
import type { Ast } from './ast.ts'
import { createParser } from './parse.ts'
import { type Reports, reports, writeInstead } from './reports.ts'

/** The named formats of values in texts. */
const templateFormats = ['long', 'short', 'plain', 'weekday'] as const

type TemplateAst =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly ast: Ast; readonly format: string | null }
  | { readonly kind: 'plural'; readonly ast: Ast; readonly forms: readonly string[] }

/** Null after a report. `}}` is a brace itself, too; a single `}` stands for itself. */
export function parseTemplate(cell: Cell, found: Diagnostic[], section = 0): readonly TemplateAst[] | null {
  const before = found.length
  const report = reports(cell, section, found)
  const parts: TemplateAst[] = []
  let text = ''
  let at = 0
  while (at < cell.text.length) {
    const character = cell.text[at]!
    const isDouble = cell.text[at + 1] === character
    if ((character === '{' || character === '}') && isDouble) {
      text += character
      at += 2
    } else if (character === '{') {
      const hole = readHole(cell, report, at)
      if (hole === null) return null
      if (text !== '') parts.push({ kind: 'text', text })
      text = ''
      parts.push(hole.part)
      at = hole.end
    } else {
      text += character
      at++
    }
  }
  if (text !== '') parts.push({ kind: 'text', text })
  return found.length === before ? parts : null
}

function readHole(
  cell: Cell,
  report: Reports,
  open: number,
): { readonly part: TemplateAst; readonly end: number } | null {
  const parser = createParser(cell, report, open + 1)
  parser.lexer.bars = false
  const unclosed = (): null => {
    report.report('N0113', { from: open, to: open + 1 }, {})
    return null
  }
  if (cell.text.indexOf('}', open) < 0) return unclosed()
  const ast = parser.expression()
  if (ast === null) return null
  const next = parser.lexer.next()
  if (next.text === '}') return { part: { kind: 'value', ast, format: null }, end: next.to }
  if (next.kind === 'end') return unclosed()
  const close = cell.text.indexOf('}', next.to)
  if (next.text === ':') {
    if (close < 0) return unclosed()
    const format = cell.text.slice(next.to, close).trim()
    if ((templateFormats as readonly string[]).includes(format)) {
      return { part: { kind: 'value', ast, format }, end: close + 1 }
    }
    const meant = nearest(format, templateFormats)
    const words = {
      word: format,
      meant: meant === null ? '' : `; did you mean \`${meant}\`?`,
      known: templateFormats.join(', '),
    }
    const place = { from: next.to, to: close }
    report.report('N0114', place, words, meant === null ? [] : [writeInstead(place, meant)])
    return null
  }
  if (next.text === '|') {
    const bar = cell.text.indexOf('|', next.to)
    if (close < 0) return unclosed()
    if (bar < 0 || bar > close) {
      report.report('N0102', { from: close, to: close + 1 }, { word: '}', expected: '`|` and the word for several' })
      return null
    }
    const forms = cell.text.slice(next.to, close).split('|')
    return { part: { kind: 'plural', ast, forms }, end: close + 1 }
  }
  return parser.unexpected(next, '`}`')
}
