/** What is checked about the text of a file before Markdown is read: characters nobody can see or store, and nesting without end. */
import type { DocumentReport } from './codes.ts'
import type { SourceFile } from './source.ts'

/** Levels of lists and block quotes. Reading Markdown takes time that grows with lines × levels; people stay below ten. */
export const nestingLimit = 50

// PostgreSQL refuses NUL and lone surrogates in text; the other control characters reach terminals and mails; U+FEFF inside a
// text is a byte order mark that was copied along, unseen.
const unstorable = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufeff]/gu

// U+FFFD is what is left of bytes that were not UTF-8. UTF-16 has NUL in every second byte of most letters.
const undecoded = /\ufffd/gu
const inUtf16 = /^\ufffd{2}|^(?:[^\0]\0){4}|^(?:\0[^\0]){4}/u

// The marks that reorder text ("Trojan Source", CVE-2021-42574): with them a reader sees another rule than the one that runs.
const reordering = /[\u202a-\u202e\u2066-\u2069]/g

/** N0014 and N0015, each at the first such character and at most once in a file; N0018 instead where it was not decoded. */
export function checkCharacters(file: SourceFile, report: DocumentReport): void {
  const isUtf16 = inUtf16.test(file.text)
  const first = isUtf16 ? 0 : file.text.search(undecoded)
  if (first >= 0) {
    const encoding = isUtf16 ? 'UTF-16' : 'WINDOWS-1252'
    report('N0018', { file, start: first, end: first + 1 }, { encoding, path: file.path })
    return
  }
  for (const [code, pattern] of [
    ['N0014', unstorable],
    ['N0015', reordering],
  ] as const) {
    const all = [...file.text.matchAll(pattern)]
    const [first] = all
    if (first === undefined) continue
    const number = first[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    const count = all.length === 1 ? 'it stands once' : `${all.length} such characters`
    const edits = all.map(({ index }) => ({ span: { file, start: index, end: index + 1 }, text: '' }))
    const fixes = [{ title: 'take it out', edits }]
    report(code, { file, start: first.index, end: first.index + 1 }, { character: `U+${number}`, count }, { fixes })
  }
}

/** Whether a line opens more lists and block quotes than {@link nestingLimit}, by its marks or by its indentation. */
export function isTooDeep(file: SourceFile, start: number): boolean {
  let levels = 0
  let indent = 0
  for (let i = start; ; i++) {
    const character = file.text[i]
    if (character === ' ' || character === '\t') {
      indent += character === '\t' ? 4 : 1
      continue
    }
    const mark = /[-*+>]|\d{1,9}[.)]/y
    mark.lastIndex = i
    const found = mark.exec(file.text)
    if (found === null) return false
    const next = file.text[i + found[0].length]
    // `---` and `**bold**` are no lists; only a mark with white space behind it is one.
    if (found[0] !== '>' && next !== ' ' && next !== '\t') return false
    levels++
    if (levels > nestingLimit || indent > 2 * nestingLimit) return true
    i += found[0].length - 1
  }
}
