/** The nine headings, and which of them a heading 2 is. */

import { slice } from './cell.ts'
import type { DocumentReport } from './codes.ts'
import type { Fix } from './diagnostic.ts'
import { writeInstead } from './fix.ts'
import { nearest } from './nearest.ts'
import type { Cell } from './source.ts'

/** The titles of the nine headings; heading `n` is at index `n - 1`. */
export const nineTitles = [
  'What the product does and for whom',
  'Screens and routes',
  'Entities and their fields',
  'States and transitions',
  'Validation rules',
  'Roles and permissions',
  'The calls it makes',
  'The error catalogue',
  'Business constants and limits',
] as const

/**
 * The number of the heading that a heading 2 is: matched by its text or by its number, with or without a full stop, upper and
 * lower case alike. Reports what does not fit; null where it is none of the nine even with good will.
 */
export function headingNumber(title: Cell, report: DocumentReport): number | null {
  const parts = /^(\d+)\s*[.):]?(?:\s+|$)/d.exec(title.text)
  const number = parts === null ? null : Number(parts[1])
  const words = slice(title, parts?.[0].length ?? 0)
  const byText = nineTitles.findIndex(known => plain(known) === plain(words.text)) + 1
  const byNumber = number !== null && number >= 1 && number <= nineTitles.length ? number : null
  if (byText > 0) {
    if (number !== null && number !== byText) {
      const digits = parts!.indices![1]!
      const span = slice(title, digits[0], digits[1])
      report(
        'N0302',
        span,
        { title: nineTitles[byText - 1]!, right: byText, wrong: number },
        { fixes: [writeInstead(span, String(byText))] },
      )
    }
    return byText
  }
  if (byNumber !== null) {
    if (words.text.trim() === '') return byNumber
    const known = nineTitles[byNumber - 1]!
    report(
      'N0316',
      words,
      { number: byNumber, title: known, written: words.text },
      { fixes: [writeInstead(words, known)] },
    )
    return byNumber
  }
  if (/^(?:Scenario|Examples|Sample data|Fields|Notes)\b/i.test(title.text)) {
    report(
      'N0301',
      title,
      { title: title.text, meant: '; it is a heading 4', titles: nineTitles.join(', ') },
      { fixes: [marked(title, '####')] },
    )
    return null
  }
  const meant = nearest(words.text, nineTitles) ?? titleWith(words.text)
  const right = meant === null ? null : nineTitles.indexOf(meant as (typeof nineTitles)[number]) + 1
  const written = `${right} ${meant}`
  const isBelow = /^##\s/m.test(title.file.text.slice(0, title.file.text.lastIndexOf('\n', title.start) + 1))
  const below = isBelow ? [marked(title, '###')] : allHigher(title)
  report(
    'N0301',
    title,
    {
      title: title.text,
      meant: meant === null ? '' : `; did you mean \`${written}\`?`,
      titles: nineTitles.join(', '),
    },
    { fixes: meant === null ? below : [writeInstead(title, written)] },
  )
  return right
}

/** The number of one of the nine headings that this is word for word, with or without its number; null for any other text. */
export function exactHeading({ text }: Pick<Cell, 'text'>): number | null {
  const [, number = ''] = /^(\d+)\s*[.):]?\s+/.exec(text) ?? []
  const found = nineTitles.findIndex(title => plain(title) === plain(text.replace(/^\d+\s*[.):]?\s+/, ''))) + 1
  return found > 0 && (number === '' || Number(number) === found) ? found : null
}

/** The heading with other marks before it. */
export function marked({ file, start, text }: Cell, marks: string): Fix {
  const line = file.text.lastIndexOf('\n', start) + 1
  return {
    title: `write \`${marks} ${text}\``,
    edits: [{ span: { file, start: line, end: start }, text: `${marks} ` }],
  }
}

/** Where a file has no heading 1 and its nine headings stand a level too low: all of them a level higher. */
function allHigher({ file }: Cell): readonly Fix[] {
  const all = [...file.text.matchAll(/^##+(?= )/gm)]
  const isLower = (line: string) => /^### /.test(line) && exactHeading({ text: line.slice(4) }) !== null
  if (/^# /m.test(file.text) || file.text.split('\n').filter(isLower).length < 2) return []
  const edits = all.map(({ index }) => ({ span: { file, start: index, end: index + 1 }, text: '' }))
  return [{ title: 'take one `#` out of every heading', edits }]
}

/** What the nine are called in German. */
const germanWords = [
  /produkt|zweck|überblick/i,
  /bildschirm|masken|seiten|oberfläche|ansichten/i,
  /entität|felder|datenmodell/i,
  /zuständ|übergäng|status/i,
  /validierung|prüfung|prüfregeln|geschäftsregeln/i,
  /rollen|rechte|berechtigung/i,
  /aufrufe|schnittstellen/i,
  /fehler/i,
  /konstanten|grenzwerte/i,
]

/** The only title that shares a word of some length with what is written: `Entities` means `Entities and their fields`. */
function titleWith(written: string): string | null {
  const words = plain(written)
    .split(' ')
    .filter(word => word.length > 4 && word !== 'their')
  const found = nineTitles.filter(title => words.some(word => plain(title).split(' ').includes(word)))
  if (found.length === 1) return found[0]!
  const german = germanWords.findIndex(pattern => pattern.test(written))
  return german < 0 ? null : nineTitles[german]!
}

function plain(title: string): string {
  return title.trim().replace(/\s+/g, ' ').replace(/[.:]$/, '').toLowerCase()
}
