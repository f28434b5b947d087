/**
 * Markup that differs in nothing but its texts, made fast: React renders each shape once, with marks in place of the texts, and from
 * then on the texts are put in where the marks were. What React gives is the measure: `list/view.test.tsx` of the screens holds the two against each other.
 */
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'

/** Text `places[n]` stands between `parts[n]` and the next one. */
interface Shape {
  readonly parts: readonly string[]
  readonly places: readonly number[]
}

/** Shapes come from states, columns and what is empty: few. More than these are made anew. */
const maximumKept = 1000

export type Shapes = Map<string, Shape>

/**
 * The HTML of `element(texts)`. `key` names everything that the element depends on besides the texts. An empty text is part of the
 * shape: elements leave out what is empty.
 */
export function fillShape(
  known: Shapes,
  key: string,
  texts: readonly string[],
  element: (texts: readonly string[]) => ReactElement,
): string {
  if (texts.some(text => script.test(text))) return renderToString(element(texts))
  const full = `${key}\n${texts.map(text => (text === '' ? '0' : '1')).join('')}`
  let shape = known.get(full)
  if (shape === undefined) {
    if (known.size >= maximumKept) known.clear()
    shape = shapeOf(renderToString(element(texts.map((text, index) => (text === '' ? '' : `\0${index}\0`)))))
    known.set(full, shape)
  }
  const { parts, places } = shape
  let html = parts[0]!
  for (let index = 0; index < places.length; index++) html += escapeHtml(texts[places[index]!]!) + parts[index + 1]!
  return html
}

/** No document and no database has a NUL in it, so a mark is never anything else. */
function shapeOf(html: string): Shape {
  const pieces = html.split('\0')
  return {
    parts: pieces.filter((_, index) => index % 2 === 0),
    places: pieces.filter((_, index) => index % 2 === 1).map(Number),
  }
}

/** What might be an address that is a program, which React does not let through: then React decides. */
const script = /^[\0- ]*j[^:]*:/i

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }

/** As React escapes texts and attributes alike. */
const escapeHtml = (text: string): string =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, sign => signs[sign]!) : text
