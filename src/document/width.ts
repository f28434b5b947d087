/** How wide text is in a terminal, so that marks stand below what they mean. */

/** A character as a reader sees it: its range in the text (UTF-16 offsets), and what is shown for it in how many columns. */
export interface Glyph {
  readonly offset: number
  readonly end: number
  readonly shown: string
  readonly width: number
}

const tabStop = 4
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
// Control characters would reach the terminal as commands; the reordering marks would move what is shown after them.
const unshowable = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u
const wide =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

/** The characters of one line with what is shown for them: tabs as spaces, what a terminal would obey as `�`. */
export function glyphs(line: string): Glyph[] {
  let column = 0
  return Array.from(segmenter.segment(line), ({ segment, index }) => {
    const width = segment === '\t' ? tabStop - (column % tabStop) : widthOf(segment)
    column += width
    const end = index + segment.length
    return { offset: index, end, shown: segment === '\t' ? ' '.repeat(width) : showable(segment), width }
  })
}

/** Text from a document made fit for one line of a terminal. */
export function showable(text: string): string {
  return text.replace(/\s+/g, ' ').replace(new RegExp(unshowable, 'gu'), '\ufffd')
}

function widthOf(grapheme: string): number {
  if (unshowable.test(grapheme)) return 1
  if (invisible.test(grapheme)) return 0
  return wide.test(grapheme) ? 2 : 1
}
