/** Words and signs of a cell, read one by one on demand: what stands behind an expression is not looked at. */
import type { TextRange } from './ast.ts'

export interface Token extends TextRange {
  /** `unclosed`: a text without its closing quote. `other`: a character that nothing begins with. */
  readonly kind:
    | 'number'
    | 'date'
    | 'moment'
    | 'time'
    | 'text'
    | 'name'
    | 'choice'
    | 'sign'
    | 'other'
    | 'unclosed'
    | 'end'
  /** As written; of a text what stands between the quotes. */
  readonly text: string
}

export interface Lexer {
  readonly text: string
  readonly peek: () => Token
  readonly next: () => Token
  /** Whether a bar can be a mistaken `or`; in a template it divides plural forms. */
  bars: boolean
}

/** What other languages write, and how it is written here. */
const foreign: Readonly<Record<string, string>> = {
  '||': 'or',
  '|': 'or',
  OR: 'or',
  '&&': 'and',
  '&': 'and',
  AND: 'and',
  '!': 'not',
  NOT: 'not',
  '==': '=',
  '===': '=',
  '!==': '!=',
  '<>': '!=',
  '≠': '!=',
  '≤': '<=',
  '=<': '<=',
  '≥': '>=',
  '=>': '>=',
  null: 'empty',
  NULL: 'empty',
  nil: 'empty',
  undefined: 'empty',
  blank: 'empty',
}

export const instead = (word: string): string | undefined => foreign[word]

const patterns: readonly (readonly [Token['kind'], RegExp])[] = [
  ['moment', /\d{4}-\d{2}-\d{2}T[\d:.]*(?:Z|[+-]\d{2}:\d{2})?/y],
  ['date', /\d{4}-\d{2}-\d{2}(?![\d-])/y],
  ['time', /\d{1,2}:\d{2}(?!\d)/y],
  ['number', /\d[\d_]*(?:\.\d[\d_]*)?/y],
  ['text', /"[^"]*"/y],
  ['unclosed', /["“”„].*/sy],
  ['name', /[a-z_][A-Za-z0-9_]*/y],
  ['choice', /[A-Z][A-Za-z0-9_]*/y],
  ['sign', /===|!==|<>|==|!=|<=|>=|=<|=>|\|\||&&|[-+*/=<>(),.!|&%≤≥≠]/y],
  ['other', /[\uD800-\uDBFF][\uDC00-\uDFFF]|[\s\S]/y],
]

/** Reads tokens from an offset on; `peek` does not advance. After the text every token is `end`. */
export function lexer(text: string, start: number): Lexer {
  let at = start
  let ahead: Token | null = null
  const read = (): Token => {
    const space = /\s*/y
    space.lastIndex = at
    space.exec(text)
    const from = space.lastIndex
    for (const [kind, pattern] of patterns) {
      pattern.lastIndex = from
      const match = pattern.exec(text)
      if (match === null) continue
      const written = match[0]
      return { kind, text: kind === 'text' ? written.slice(1, -1) : written, from, to: from + written.length }
    }
    return { kind: 'end', text: '', from: text.length, to: text.length }
  }
  return {
    text,
    bars: true,
    peek() {
      ahead ??= read()
      return ahead
    },
    next() {
      const token = ahead ?? read()
      ahead = null
      at = token.to
      return token
    },
  }
}
