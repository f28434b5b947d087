/** For tests of manuals: the standard document, and blocks that are only a part of a document put into it. */
import { readFileSync } from 'node:fs'
import { headingNumber } from '../document/nine.ts'

export const standard = readFileSync(new URL('../../docs/codes/standard.md', import.meta.url), 'utf8')

interface Part {
  /** The heading's number; 0 before the first heading 2, 10 for a heading that is none of the nine. */
  readonly number: number
  /** The heading 2's own line. */
  readonly title: string
  /** The heading 3 that it stands under; empty between heading 2 and the first heading 3. */
  readonly subject: string
  readonly text: string
}

function partsOf(text: string): readonly Part[] {
  return text.split(/^(?=## )/m).flatMap((section): readonly Part[] => {
    const title = /^## .*\n/.exec(section)?.[0] ?? ''
    const number = title === '' ? 0 : numberOf(title.slice(3).trim())
    const [own = '', ...subjects] = section.slice(title.length).split(/^(?=### )/m)
    return [
      { number, title, subject: '', text: own },
      ...subjects.map(text => ({ number, title, subject: /^### (.*?)(?: \(.*)?\n/.exec(text)?.[1] ?? '', text })),
    ]
  })
}

function numberOf(title: string): number {
  const file = { path: '', text: title }
  return headingNumber({ file, start: 0, end: title.length, text: title, gaps: [] }, () => undefined) ?? 10
}

/** The standard document with the parts of a block in the place of its own. */
export function rooted(block: string): string {
  const own = partsOf(block).filter(({ text, subject, title }) => text.trim() !== '' || subject !== '' || title !== '')
  const replaces = (part: Part) =>
    own.some(({ number, subject, text }) => number === part.number && subject === part.subject && text.trim() !== '')
  const kept = partsOf(standard).filter(part => !replaces(part))
  const heading1 = /^# .*\n/.exec(standard)![0]
  let text = ''
  for (let number = 0; number <= 10; number++) {
    const mine = own.filter(part => part.number === number)
    const parts = [...kept.filter(part => part.number === number), ...mine]
    const intro = parts.filter(({ subject }) => subject === '').map(part => part.text)
    const title = mine[0]?.title || parts[0]?.title || ''
    const begin = number === 0 && !intro.join('').includes(heading1) ? heading1 : title
    text += [begin, ...intro, ...parts.filter(({ subject }) => subject !== '').map(part => part.text)].join('\n')
  }
  return text
}
