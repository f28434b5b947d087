/** Markdown that people wrote into a field, as what is shown of it: never HTML, no pictures, and links only to where a link may lead. */
import MarkdownIt, { type Token } from 'markdown-it'

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

/** As it is shown, and its words alone, a line for each paragraph. */
interface RichText {
  readonly rich: readonly Rich[]
  readonly plain: string
}

/** Blocks that are nested deeper (a list and its items are two) are not read: the whole text stands there as it was written. */
const deepest = 24

// It takes time that grows with the length alone, whatever is written: `conformance/hostile` measures it.
const parser = new MarkdownIt('commonmark', { html: false, maxNesting: deepest + 1 })
// Where links may lead is decided below, and their addresses stay as they were written.
parser.validateLink = () => true
parser.normalizeLink = url => url

/** Of all texts that are kept together. */
const mostLetters = 1_000_000

let known = new Map<string, RichText>()
let letters = 0

/** The same text stands in a field, in its history and in lists, and is read once. */
export function readMarkdown(text: string): RichText {
  const found = known.get(text)
  if (found !== undefined) return found
  if (letters > mostLetters) {
    known = new Map()
    letters = 0
  }
  const rich = richOf(text)
  const read = { rich, plain: plainOf(rich) }
  known.set(text, read)
  letters += text.length
  return read
}

function richOf(text: string): readonly Rich[] {
  const tokens = parser.parse(text, {})
  // The parser leaves out what is inside of these.
  const isWhole = tokens.every(({ level }) => level < deepest)
  return isWhole ? around(tokens) : [{ tag: 'pre', children: [{ tag: 'code', children: [text] }] }]
}

const plainOf = (all: readonly Rich[]): string =>
  all
    .map(one => (typeof one === 'string' ? one : `${plainOf(one.children)}${blocks.has(one.tag) ? '\n' : ''}`))
    .join('')
    .replace(/\n+/g, '\n')
    .trim()

const blocks: ReadonlySet<RichElement['tag']> = new Set(['p', 'h3', 'h4', 'h5', 'h6', 'li', 'pre', 'br', 'hr'])

/** The parser gives signs one after another; here they stand in each other. Emphasis that is nested deeper stands there as its signs. */
function around(tokens: readonly Token[]): readonly Rich[] {
  const all: Rich[] = []
  const open: Rich[][] = [all]
  for (const token of tokens) {
    const inside = open.at(-1)!
    if (token.nesting === 0) put(inside, single(token))
    else if (token.level >= deepest) put(inside, token.tag === 'a' ? [] : [token.markup])
    else if (token.nesting < 0) open.pop()
    else {
      const element = opened(token)
      if (element !== null) inside.push(element)
      open.push(element?.children ?? inside)
    }
  }
  return all
}

/** Texts that follow each other are one. */
function put(inside: Rich[], more: readonly Rich[]): void {
  for (const one of more) {
    const last = inside.at(-1)
    if (typeof last === 'string' && typeof one === 'string') inside[inside.length - 1] = last + one
    else inside.push(one)
  }
}

type Opened = RichElement & { readonly children: Rich[] }

/** Null: what is inside stands without anything around it. */
function opened(token: Token): Opened | null {
  switch (token.type) {
    case 'heading_open':
      // The page and its parts have the first two.
      return { tag: `h${Math.min(Number(token.tag.slice(1)) + 2, 6)}` as RichElement['tag'], children: [] }
    case 'ordered_list_open':
      return { tag: 'ol', children: [], start: Number(token.attrGet('start') ?? 1) }
    case 'link_open': {
      const href = String(token.attrGet('href') ?? '')
      return isLink(href) ? { tag: 'a', children: [], href } : null
    }
    default:
      return { tag: token.tag as RichElement['tag'], children: [] }
  }
}

function single(token: Token): readonly Rich[] {
  switch (token.type) {
    case 'inline':
      return around(token.children ?? [])
    case 'code_inline':
      return [{ tag: 'code', children: [token.content] }]
    case 'fence':
    case 'code_block':
      return [{ tag: 'pre', children: [{ tag: 'code', children: [token.content.replace(/\n$/, '')] }] }]
    case 'hardbreak':
      return [{ tag: 'br', children: [] }]
    case 'hr':
      return [{ tag: 'hr', children: [] }]
    case 'softbreak':
      return ['\n']
    case 'image':
      return [plainOf(around(token.children ?? []))]
    default:
      return [token.content]
  }
}

const isLink = (url: string): boolean => {
  const parsed = URL.parse(url)
  return parsed !== null && ['http:', 'https:', 'mailto:', 'tel:'].includes(parsed.protocol)
}
