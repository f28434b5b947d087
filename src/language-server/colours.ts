/** Colours by meaning: what the words of tables, keys and headings name. Prose stays as it is. */
import { type SemanticTokens, SemanticTokensBuilder, SemanticTokenTypes } from 'vscode-languageserver/node'
import type { SourceFile } from '../document/source.ts'
import { reservedWords } from '../expression/ast.ts'
import { functionNames } from '../expression/functions.ts'
import type { App } from '../headings/app.ts'
import { positionAt } from './convert.ts'

const types = [
  SemanticTokenTypes.class,
  SemanticTokenTypes.property,
  SemanticTokenTypes.enumMember,
  SemanticTokenTypes.interface,
  SemanticTokenTypes.event,
  SemanticTokenTypes.variable,
  SemanticTokenTypes.function,
  SemanticTokenTypes.macro,
  SemanticTokenTypes.keyword,
  SemanticTokenTypes.string,
  SemanticTokenTypes.number,
] as const

export const legend = { tokenTypes: [...types], tokenModifiers: [] }

type TokenType = (typeof types)[number]

const known = new WeakMap<App, ReadonlyMap<string, TokenType>>()

/** What each name of a document is; of names that are several things, the first in this order. */
function namesOf(app: App): ReadonlyMap<string, TokenType> {
  const found = known.get(app)
  if (found !== undefined) return found
  const names = new Map<string, TokenType>()
  const add = (type: TokenType, all: Iterable<string>) => {
    for (const name of all) if (!names.has(name)) names.set(name, type)
  }
  const [entities, workflows] = [[...app.entities.values()], [...app.workflows.values()]]
  add(
    SemanticTokenTypes.class,
    entities.map(({ name }) => name),
  )
  add(SemanticTokenTypes.interface, app.roles.keys())
  add(
    SemanticTokenTypes.enumMember,
    workflows.flatMap(({ states }) => states.map(({ name }) => name)),
  )
  add(
    SemanticTokenTypes.enumMember,
    entities.flatMap(({ fields }) => fields.flatMap(({ parameters }) => parameters.choices ?? [])),
  )
  add(
    SemanticTokenTypes.event,
    workflows.flatMap(({ transitions }) => transitions.map(({ name }) => name)),
  )
  add(
    SemanticTokenTypes.property,
    entities.flatMap(({ fields }) => fields.map(({ key }) => key)),
  )
  add(SemanticTokenTypes.variable, app.limits.keys())
  add(SemanticTokenTypes.macro, app.errors.keys())
  add(SemanticTokenTypes.function, [...app.functions.keys(), ...functionNames])
  add(SemanticTokenTypes.keyword, reservedWords)
  known.set(app, names)
  return names
}

/** Columns that people write for people. */
const prose = /^(?:Meaning|Message|What to do|Body|Subject|Label|Unit|Screen)$/i

export function coloursOf(app: App, file: SourceFile): SemanticTokens {
  const names = namesOf(app)
  const builder = new SemanticTokensBuilder()
  for (const { start, text, isExpression } of piecesOf(file.text))
    for (const { at, length, type } of wordsOf(text, names, isExpression)) {
      const { line, character } = positionAt(file, start + at)
      builder.push(line, character, length, types.indexOf(type), 0)
    }
  return builder.build()
}

interface Piece {
  readonly start: number
  readonly text: string
  /** Numbers and quoted texts are values there. */
  readonly isExpression: boolean
}

/** Cells of tables but their first row and their prose, what stands behind keys, and names of subjects. */
function* piecesOf(text: string): Generator<Piece> {
  let header: readonly string[] | null = null
  for (const { line, start } of linesOutsideFences(text)) {
    const cells = line.startsWith('|') ? cellsOf(line, start) : null
    if (cells === null) {
      header = null
      const [, before, said] = /^(- \*\*[^*]+:\*\* |#{3} )(.+)$/.exec(line) ?? []
      if (said !== undefined) yield { start: start + before!.length, text: said, isExpression: before!.startsWith('-') }
    } else if (header === null) header = cells.map(cell => cell.text.trim())
    else
      for (const [column, cell] of cells.entries())
        if (!prose.test(header[column] ?? '')) yield { ...cell, isExpression: true }
  }
}

function* linesOutsideFences(text: string) {
  let fence: string | null = null
  for (const { 0: line, index: start } of text.matchAll(/^.*$/gm)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null
    if (fence === null) yield { line, start }
  }
}

/** Between bars; one behind a backslash belongs to its cell. */
function cellsOf(line: string, start: number): readonly { readonly start: number; readonly text: string }[] {
  const bars = Array.from(line.matchAll(/(?<!\\)\|/g), ({ index }) => index)
  return bars.slice(0, -1).map((bar, at) => ({ start: start + bar + 1, text: line.slice(bar + 1, bars[at + 1]) }))
}

/** The longest name that stands at a word, and what is a value by its form. */
function* wordsOf(text: string, names: ReadonlyMap<string, TokenType>, isExpression: boolean) {
  const begins = /"(?:[^"\\]|\\.)*"|[\p{L}\p{N}_][\p{L}\p{N}_.-]*/gu
  for (let found = begins.exec(text); found !== null; found = begins.exec(text)) {
    const at = found.index
    const word = found[0]
    if (word.startsWith('"')) {
      if (isExpression) yield { at, length: word.length, type: SemanticTokenTypes.string as TokenType }
      continue
    }
    const name = longestAt(text, at, names)
    if (name !== null) {
      yield { at, length: name.length, type: names.get(name)! }
      begins.lastIndex = at + name.length
    } else if (isExpression && /^\d[\d.:-]*%?$/.test(word) && !/[\p{L}\p{N}_][-.]$/u.test(text.slice(0, at)))
      yield { at, length: word.length, type: SemanticTokenTypes.number as TokenType }
    // `item.keeper` is two names, `loan-desk` none.
    else begins.lastIndex = at + /^[\p{L}\p{N}_]+/u.exec(word)![0].length
  }
}

/** Words that a name may have. */
const mostWords = 5

/** A function is one where it is called: `date` is a type elsewhere. */
function longestAt(text: string, at: number, names: ReadonlyMap<string, TokenType>): string | null {
  const words =
    new RegExp(`^[\\p{L}\\p{N}_-]+(?: [\\p{L}\\p{N}_-]+){0,${mostWords - 1}}`, 'u').exec(text.slice(at))?.[0] ?? ''
  for (let name = words; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf(' '))))
    if (names.has(name) && (names.get(name) !== SemanticTokenTypes.function || text[at + name.length] === '('))
      return name
  return null
}
