/** JDL text into words, numbers, signs and comments that document something. */
import type { TextRange } from './model.ts'

export interface Token extends TextRange {
  readonly kind: 'word' | 'number' | 'text' | 'regex' | 'comment' | 'sign' | 'end'
  /** Without quotes, slashes and the stars of a comment. */
  readonly text: string
}

/** What cannot be read, and where. */
export class JdlMistake extends Error {
  readonly place: TextRange
  constructor(message: string, place: TextRange) {
    super(message)
    this.place = place
  }
}

const patterns = [
  { kind: 'space', pattern: /\s+/y },
  { kind: 'documentation', pattern: /\/\*\*(?!\/)[\s\S]*?\*\//y },
  { kind: 'comment', pattern: /\/\*[\s\S]*?\*\/|\/\/[^\r\n]*/y },
  { kind: 'text', pattern: /"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'/y },
  { kind: 'number', pattern: /-?\d+(?:\.\d+)?(?![\w.-])/y },
  // Package names, host names and versions stand in configuration; names of entities and fields are checked by the parser.
  { kind: 'word', pattern: /[\p{L}\p{N}_$](?:[\p{L}\p{N}_$]|[.:-](?=[\p{L}\p{N}_$]))*/uy },
  { kind: 'sign', pattern: /./uy },
] as const

/** Reads one word after another; a regular expression only where the parser expects one. */
export class Lexer {
  private at = 0
  private line = 1
  private lineStart = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  next(): Token {
    for (;;) {
      const place = this.place()
      if (this.at >= this.text.length) return { kind: 'end', text: '', ...place }
      if (this.text.startsWith('/*', this.at) && !this.text.includes('*/', this.at + 2))
        throw new JdlMistake('this comment never ends', place)
      const [kind, found] = this.match()
      this.advance(found)
      if (kind === 'space' || kind === 'comment') continue
      if (kind === 'documentation') return { kind: 'comment', text: commentText(found), ...place }
      if (kind === 'text') return { kind, text: found.slice(1, -1).replace(/\\(.)/g, '$1'), ...place }
      return { kind, text: found, ...place }
    }
  }

  /** `/…/`, from here: what `pattern(` is followed by. */
  regex(): Token {
    while (/\s/.test(this.text[this.at] ?? '')) this.advance(this.text[this.at]!)
    const place = this.place()
    const end = this.text[this.at] === '/' ? closingSlash(this.text, this.at + 1) : -1
    if (end < 0) throw new JdlMistake('a pattern is written between slashes: pattern(/[A-Z]+/)', place)
    const text = this.text.slice(this.at + 1, end)
    this.advance(this.text.slice(this.at, end + 1))
    return { kind: 'regex', text, ...place }
  }

  private match(): readonly [(typeof patterns)[number]['kind'], string] {
    for (const { kind, pattern } of patterns) {
      pattern.lastIndex = this.at
      const found = pattern.exec(this.text)
      if (found !== null) return [kind, found[0]]
    }
    throw new Error('A sign is always found.')
  }

  private place(): TextRange {
    return { line: this.line, column: this.at - this.lineStart + 1 }
  }

  private advance(text: string): void {
    for (const end of text.matchAll(/\r\n|\n|\r/g)) {
      this.line += 1
      this.lineStart = this.at + end.index + end[0].length
    }
    this.at += text.length
  }
}

/** A slash that stands neither behind a backslash nor in a class, or where a line ends without one, the last of the line. */
function closingSlash(text: string, from: number): number {
  let inClass = false
  for (let at = from; at < text.length && !/[\r\n]/.test(text[at]!); at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (character === '[') inClass = true
    else if (character === ']') inClass = false
    else if (character === '/' && !inClass) return at
  }
  return -1
}

/** The words of a comment, on one line. */
const commentText = (comment: string): string =>
  comment
    .slice(3, -2)
    .split(/\r\n|\n|\r/)
    .map(line => line.replace(/^\s*\*?\s?/, '').trim())
    .filter(line => line !== '')
    .join(' ')
