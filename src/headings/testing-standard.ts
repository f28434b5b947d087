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

/** A document, the standard one unless another is given, with the parts of a block in the place of its own. */
export function rooted(block: string, root = standard): string {
  const own = partsOf(block).filter(({ text, subject, title }) => text.trim() !== '' || subject !== '' || title !== '')
  const replaces = (part: Part) =>
    own.some(({ number, subject, text }) => number === part.number && subject === part.subject && text.trim() !== '')
  const kept = partsOf(root).filter(part => !replaces(part))
  const heading1 = /^# .*\n/m.exec(root)![0]
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

/** The document of the tutorial after each of its steps, and the file that comes in. */
export function firstHour(): { readonly steps: readonly string[]; readonly courses: string } {
  const page = readFileSync(new URL('../../docs/first-hour.md', import.meta.url), 'utf8')
  const steps: string[] = []
  for (const [, block = ''] of page.matchAll(/^```md first-hour\n([\s\S]*?)^```$/gm))
    steps.push(steps.length === 0 ? block : rooted(block, steps.at(-1)))
  return { steps, courses: /^```csv\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '' }
}
