/**
 * Markup that differs in nothing but its texts, made fast: React renders each shape once, with marks in place of the texts, and from
 * then on the texts are put in where the marks were. What React gives is the measure: `shapes.test.tsx` and the `list/view.test.tsx`
 * of the screens hold the two against each other.
 */
import type { ReactElement, ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { type Reader, ReaderProvider } from './reader.tsx'

/** Text `places[n]` stands between `parts[n]` and the next one. */
interface Shape {
  readonly parts: readonly string[]
  readonly places: readonly number[]
}

/** Of one part of pages for one reader, whose words are in it. By everything that the shape depends on. */
export type Shapes = Map<string, Shape>

/** Shapes come from roles, states, columns and addresses: many, and short. Beyond so many letters in all they are made anew. */
const mostLetters = 16_000_000

let known = new WeakMap<Reader, Map<string, Map<string, Shapes>>>()
let letters = 0

/** The shapes of what `name` and `frame` name: these and `key` of `fillShape` together decide a shape. */
export function shapesOf(reader: Reader, name: string, frame = ''): Shapes {
  if (letters > mostLetters) {
    known = new WeakMap()
    letters = 0
  }
  const parts = known.get(reader) ?? new Map<string, Map<string, Shapes>>()
  known.set(reader, parts)
  const framed = parts.get(name) ?? new Map<string, Shapes>()
  parts.set(name, framed)
  const found = framed.get(frame)
  if (found !== undefined) return found
  const made: Shapes = new Map()
  framed.set(frame, made)
  letters += name.length + frame.length
  return made
}

/**
 * The HTML of `element(texts)`. `key` names everything that the element depends on besides the texts. An empty text is part of the
 * shape: elements leave out what is empty. `markup` is put in as it is; in the element each of it is a text like the others.
 */
export function fillShape(
  shapes: Shapes,
  key: string,
  texts: readonly string[],
  element: (texts: readonly string[], markup: readonly string[]) => ReactElement,
  markup: readonly string[] = [],
): string {
  const all = texts.join('\n')
  // Which text is suspicious decides what React makes of it: such a shape is not kept.
  const isOdd = texts.some(text => maybeScript(text) && script.test(text))
  let full = key
  for (const text of texts) full += text === '' ? '0' : '1'
  let shape = isOdd ? undefined : shapes.get(full)
  if (shape === undefined) {
    const marks = texts.map((text, index) => (text === '' || (isOdd && script.test(text)) ? text : markAt(index)))
    const marked = markup.map((_, index) => markAt(texts.length + index))
    const html = renderToString(element(marks, marked))
    shape = shapeOf(html)
    if (!isOdd) {
      shapes.set(full, shape)
      letters += full.length + html.length
    }
  }
  const escaped = special.test(all) ? texts.map(escapeHtml) : texts
  const { parts, places } = shape
  let html = parts[0]!
  for (let index = 0; index < places.length; index++) {
    const place = places[index]!
    html += (place < texts.length ? escaped[place]! : markup[place - texts.length]!) + parts[index + 1]!
  }
  return html
}

/** No document and no database has a NUL in it, so a mark is never anything else. */
const markAt = (index: number): string => `\0${index}\0`

function shapeOf(html: string): Shape {
  const pieces = html.split('\0')
  return {
    parts: pieces.filter((_, index) => index % 2 === 0).map(latinOnly),
    places: pieces.filter((_, index) => index % 2 === 1).map(Number),
  }
}

/**
 * One letter beyond Latin (an ellipsis, a dash, the euro) would make a page of two bytes a letter in memory, and its way out three times as
 * long. No part has scripts or styles of its own, where a number would not be read as a letter.
 */
const beyondLatin = /[^\0-\xff]/gu
const numbered = (letter: string): string => `&#${letter.codePointAt(0)};`
/** Written anew: a piece of a text of two bytes a letter stays one, and so does what was made of it by replacing letters. */
const oneByte = (latin: string): string => Buffer.from(latin, 'latin1').toString('latin1')
const latinOnly = (part: string): string => oneByte(part.replace(beyondLatin, numbered))

/** What might be an address that is a program, which React does not let through: then React decides. */
const script = /^[\0- ]*j[^:]*:/i
/** By its first letter: a space, a control character or a J. */
const maybeScript = (text: string): boolean => text.charCodeAt(0) <= 32 || text[0] === 'j' || text[0] === 'J'

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }
/** What React escapes in texts and attributes alike, and the signs beyond Latin that stand in pages of every language: letters stay as they are. */
const special = /[&<>"'\u2000-\u206f\u20ac]/
const specials = new RegExp(special, 'g')

const escapeHtml = (text: string): string => {
  if (!special.test(text)) return text
  const escaped = text.replace(specials, sign => signs[sign] ?? numbered(sign))
  return escaped.search(beyondLatin) < 0 ? oneByte(escaped) : escaped
}

/**
 * A part of pages, made of plain data, which is all that decides what it looks like. Texts are what differs from page to page (names,
 * counts, tokens); of a text the part may ask only whether it is empty. Markup was made before.
 */
export interface PartProps<Data, Text extends string, Inner extends string> {
  readonly data: Data
  readonly texts: Readonly<Record<Text, string>>
  readonly markup: Readonly<Record<Inner, string>>
}

/** Frames of parts as JSON. */
const written = new WeakMap<object, string>()

function writtenOnce(frame: object): string {
  const text = written.get(frame) ?? JSON.stringify(frame)
  written.set(frame, text)
  return text
}

/**
 * The HTML of a part, which has a name of its own and depends on nothing but what it is given and who reads. `frame` is what of its data
 * is the same object wherever it says the same: it is written down once.
 */
export function renderPart<Data, Text extends string, Inner extends string, Frame extends object = object>(
  reader: Reader,
  Part: (props: PartProps<Frame & Data, Text, Inner>) => ReactNode,
  { frame, data, texts, markup }: PartProps<Data, Text, Inner> & { readonly frame?: Frame },
): string {
  const around = frame === undefined ? '{}' : writtenOnce(frame)
  const own = JSON.stringify(data)
  const element = (textMarks: readonly string[], markupMarks: readonly string[]) => (
    <ReaderProvider reader={reader}>
      {/* From the keys, so that nothing decides that is not in them. */}
      <Part
        data={{ ...(JSON.parse(around, withoutNul) as Frame), ...(JSON.parse(own, withoutNul) as Data) }}
        texts={like(texts, textMarks)}
        markup={like(markup, markupMarks)}
      />
    </ReaderProvider>
  )
  return fillShape(shapesOf(reader, Part.name, around), own, Object.values(texts), element, Object.values(markup))
}

const like = <Name extends string>(named: Readonly<Record<Name, string>>, values: readonly string[]) =>
  Object.fromEntries(Object.keys(named).map((name, index) => [name, values[index]!])) as Record<Name, string>

/** Addresses may hold one, and it would be a mark. */
const withoutNul = (_: string, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value)
