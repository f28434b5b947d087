/** Markdown that people wrote into a field, as what is shown of it: never HTML, no pictures, and links only to where a link may lead. */
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'

/** Texts, and what stands around them. */
export type Rich = string | RichElement

interface RichElement {
  readonly tag:
    | 'p'
    | 'h3'
    | 'h4'
    | 'h5'
    | 'h6'
    | 'ul'
    | 'ol'
    | 'li'
    | 'blockquote'
    | 'pre'
    | 'code'
    | 'strong'
    | 'em'
    | 'br'
    | 'hr'
    | 'a'
  readonly children: readonly Rich[]
  readonly href?: string
  /** The first number of a list. */
  readonly start?: number
}

/** What is nested deeper stands there as it was written. */
const deepest = 12

/** Signs of lists and quotations in a line, lines that go on in one without its sign, and opened brackets: each takes the longer to read, the more there are. */
const mostSigns = 20
const mostLazy = 500
const mostBrackets = 2000

export function richOf(text: string): readonly Rich[] {
  if (takesLong(text)) return [{ tag: 'pre', children: [{ tag: 'code', children: [text] }] }]
  const { children } = fromMarkdown(text)
  return children.flatMap(node => elementOf(node, text, 0))
}

const sign = /^[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/

/** Nobody writes so by hand; it would keep the process busy for seconds, and stands there as it was written. */
function takesLong(text: string): boolean {
  if (text.split('[').length > mostBrackets) return true
  let lazy = 0
  let isInside = false
  for (const line of text.split('\n')) {
    let depth = 0
    for (let rest = line, found = sign.exec(rest); found !== null; found = sign.exec(rest)) {
      if (++depth > mostSigns) return true
      rest = rest.slice(found[0].length)
    }
    if (depth > 0) isInside = true
    else if (line.trim() === '') isInside = false
    else if (isInside && /^\S/.test(line) && ++lazy > mostLazy) return true
  }
  return false
}

/** The words alone, a line for each paragraph. */
export const plainOf = (all: readonly Rich[]): string =>
  all
    .map(one => (typeof one === 'string' ? one : `${plainOf(one.children)}${blocks.has(one.tag) ? '\n' : ''}`))
    .join('')
    .replace(/\n+/g, '\n')
    .trim()

const blocks: ReadonlySet<RichElement['tag']> = new Set(['p', 'h3', 'h4', 'h5', 'h6', 'li', 'pre', 'br', 'hr'])

function elementOf(node: Nodes, text: string, depth: number): readonly Rich[] {
  if (depth > deepest) return [sourceOf(node, text)]
  const inside = (): readonly Rich[] =>
    'children' in node ? node.children.flatMap(child => elementOf(child, text, depth + 1)) : []
  const as = (tag: RichElement['tag'], more: Partial<RichElement> = {}): readonly Rich[] => [
    { tag, children: inside(), ...more },
  ]
  switch (node.type) {
    case 'text':
      return [node.value]
    case 'paragraph':
      return as('p')
    case 'heading':
      // The page and its parts have the first two.
      return as(`h${Math.min(node.depth + 2, 6)}` as RichElement['tag'])
    case 'list':
      return node.ordered === true ? as('ol', { start: node.start ?? 1 }) : as('ul')
    case 'listItem':
      return as('li')
    case 'blockquote':
      return as('blockquote')
    case 'strong':
      return as('strong')
    case 'emphasis':
      return as('em')
    case 'inlineCode':
      return [{ tag: 'code', children: [node.value] }]
    case 'code':
      return [{ tag: 'pre', children: [{ tag: 'code', children: [node.value] }] }]
    case 'break':
      return [{ tag: 'br', children: [] }]
    case 'thematicBreak':
      return [{ tag: 'hr', children: [] }]
    case 'link':
      return isLink(node.url) ? as('a', { href: node.url }) : inside()
    case 'image':
      return [node.alt ?? '']
    case 'definition':
      return []
    default:
      // HTML, and what only other dialects know.
      return [sourceOf(node, text)]
  }
}

const isLink = (url: string): boolean => {
  const parsed = URL.parse(url)
  return parsed !== null && ['http:', 'https:', 'mailto:', 'tel:'].includes(parsed.protocol)
}

const sourceOf = ({ position }: Nodes, text: string): string =>
  position === undefined ? '' : text.slice(position.start.offset, position.end.offset)
