/** A text with Markdown as paragraphs of runs. */
import type { Rich } from '../../kinds/fields/markdown/rich.ts'
import type { Run } from './lines.ts'

interface Paragraph {
  readonly runs: readonly Run[]
  /** Points. */
  readonly indent: number
}

interface Around {
  readonly strong: boolean
  readonly slanted: boolean
  readonly indent: number
}

const step = 14
const inline: ReadonlySet<string> = new Set(['strong', 'em', 'a', 'code'])

export function richParagraphs(parts: readonly Rich[]): readonly Paragraph[] {
  const all: { runs: Run[]; indent: number }[] = []
  /** Of the item that is open: it stands before its first paragraph. */
  let sign = ''
  const open = (indent: number) => {
    all.push({ runs: sign === '' ? [] : [{ text: sign, weight: 400 }], indent })
    sign = ''
  }
  const add = (text: string, { strong, slanted, indent }: Around) => {
    if (all.length === 0) open(indent)
    all.at(-1)!.runs.push({ text, weight: strong ? 600 : 400, slanted })
  }
  const each = (children: readonly Rich[], around: Around) => {
    for (const child of children) put(child, around)
  }
  const put = (part: Rich, around: Around): void => {
    if (typeof part === 'string') add(part, around)
    else if (part.tag === 'br') add('\n', around)
    else if (part.tag === 'hr') open(around.indent)
    else if (part.tag === 'ul' || part.tag === 'ol') putItems(part, { ...around, indent: around.indent + step })
    else if (part.tag === 'blockquote') each(part.children, { ...around, indent: around.indent + step })
    else {
      const { tag, children } = part
      if (tag === 'p' || tag === 'pre' || /^h\d/.test(tag)) open(around.indent)
      const strong = around.strong || tag === 'strong' || /^h\d/.test(tag)
      each(children, { ...around, strong, slanted: around.slanted || tag === 'em' })
    }
  }
  const putItems = ({ tag, children, start = 1 }: Exclude<Rich, string>, around: Around) => {
    for (const [at, item] of children.filter(child => typeof child !== 'string').entries()) {
      sign = tag === 'ul' ? '•  ' : `${start + at}.  `
      // In a tight list an item has its text without a paragraph around it.
      const [first] = item.children
      if (typeof first === 'string' || inline.has(first?.tag ?? '')) open(around.indent)
      each(item.children, around)
    }
  }
  each(parts, { strong: false, slanted: false, indent: 0 })
  return all
}
