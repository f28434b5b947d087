/** Headings of a file as a tree, for the outline of an editor, and what it can fold. */
import { type DocumentSymbol, type FoldingRange, SymbolKind } from 'vscode-languageserver/node'
import type { SourceFile } from '../document/source.ts'
import { positionAt, rangeOf } from './convert.ts'

const kinds = [SymbolKind.File, SymbolKind.Module, SymbolKind.Class, SymbolKind.Struct] as const

interface Heading {
  readonly level: number
  readonly name: string
  readonly start: number
  readonly end: number
}

export function outline(file: SourceFile): DocumentSymbol[] {
  const headings = headingsOf(file.text)
  const roots: DocumentSymbol[] = []
  const open: { level: number; symbol: DocumentSymbol }[] = []
  for (const [at, { level, name, start, end }] of headings.entries()) {
    const next = headings.slice(at + 1).find(other => other.level <= level)?.start ?? file.text.length
    const symbol: DocumentSymbol = {
      name,
      kind: kinds[level - 1] ?? SymbolKind.Struct,
      range: { start: positionAt(file, start), end: positionAt(file, next) },
      selectionRange: rangeOf({ file, start, end }),
      children: [],
    }
    while (open.length > 0 && open.at(-1)!.level >= level) open.pop()
    const siblings = open.at(-1)?.symbol.children ?? roots
    siblings.push(symbol)
    open.push({ level, symbol })
  }
  return roots
}

/** What is below a heading, down to the next that is not below it, and tables. */
export function foldings(file: SourceFile): FoldingRange[] {
  const lines = file.text.split('\n')
  const filled = (line: number) => {
    while (lines[line]?.trim() === '') line--
    return line
  }
  const sections = (symbols: readonly DocumentSymbol[]): readonly FoldingRange[] =>
    symbols.flatMap(({ range: { start, end }, children = [] }) => [
      { startLine: start.line, endLine: filled(end.character === 0 ? end.line - 1 : end.line) },
      ...sections(children),
    ])
  const inTable = (line: number) => /^\s*\|/.test(lines[line] ?? '')
  const tables = lines.flatMap((_, startLine) => {
    if (!inTable(startLine) || inTable(startLine - 1)) return []
    let endLine = startLine
    while (inTable(endLine + 1)) endLine++
    return [{ startLine, endLine }]
  })
  return [...sections(outline(file)), ...tables].filter(({ startLine, endLine }) => endLine > startLine)
}

/** What the last heading 3 above an offset says, below the last heading 2; null: there is none. */
export function nearestHeading(text: string, offset: number): string | null {
  const last = headingsOf(text).findLast(({ level, start }) => start <= offset && level <= 3)
  return last?.level === 3 ? last.name : null
}

/** `#` inside of a fence is no heading. */
function headingsOf(text: string): readonly Heading[] {
  const found: Heading[] = []
  let fence: string | null = null
  for (const line of text.matchAll(/^.*$/gm)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line[0])?.[1]
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null
    const [, hashes, name] = (fence === null ? /^(#{1,6})\s+(.*\S)/.exec(line[0]) : null) ?? []
    if (hashes === undefined || name === undefined) continue
    found.push({ level: hashes.length, name, start: line.index, end: line.index + line[0].trimEnd().length })
  }
  return found
}
