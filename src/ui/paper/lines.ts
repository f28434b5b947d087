/** Text → lines of a width: where they may end (UAX 14), which way each part runs (UAX 9), and which face has its letters. */
import bidiFactory from 'bidi-js'
import LineBreaker from 'linebreak'
import type { Face, Faces, Weight } from './faces.ts'

export interface Run {
  readonly text: string
  readonly weight: Weight
  readonly slanted?: boolean
}

/** Letters that are drawn at once. */
export interface Piece {
  readonly text: string
  readonly face: Face
  readonly slanted: boolean
  readonly width: number
}

/** From left to right. */
export interface Line {
  readonly pieces: readonly Piece[]
  readonly width: number
}

interface Atom extends Piece {
  readonly level: number
  readonly isSpace: boolean
}

/** An atom whose letters are still being gathered, as they are written. */
type Letters = { text: string } & Look & Pick<Atom, 'face' | 'isSpace'>

type Look = { readonly weight: Weight } & Pick<Atom, 'slanted' | 'level'>

/** To the last atom, if it is drawn as that is; else to one of its own. Spaces and marks follow the face of what they stand behind. */
function addLetter(atoms: Letters[], faces: Faces, letter: string, look: Look): void {
  const isSpace = spaces.test(letter)
  const last = atoms.at(-1)
  const fits =
    last !== undefined &&
    last.weight === look.weight &&
    last.slanted === look.slanted &&
    last.level === look.level &&
    last.isSpace === isSpace &&
    last.text.length < longestPiece
  const face = fits && (isSpace || /\p{M}/u.test(letter)) ? last.face : faces.of(letter.codePointAt(0)!, look.weight)
  if (fits && last.face === face) last.text += letter
  else atoms.push({ ...look, text: letter, face, isSpace })
}

export interface Setter {
  /** `size` in points, as is `width`. */
  readonly lines: (runs: readonly Run[], size: number, width: number) => readonly Line[]
  /** Of its longest line, and of its longest word. */
  readonly widths: (runs: readonly Run[], size: number) => { readonly whole: number; readonly word: number }
}

const bidi = bidiFactory()

/** Letters that are shaped at once: what that takes grows faster than they do. */
const longestPiece = 200

/** Letters of scripts that run to the left, and signs that change which way text runs. */
const leftward =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const strong = /[\p{L}\p{N}]/u
/** They decide how others are read, and are not seen themselves. */
const unseen = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/u
const spaces = /^[\s\u00a0]+$/

/** There may be more of them than a function takes. */
const most = <Each>(all: readonly Each[], of: (each: Each) => number): number =>
  all.reduce((sum, each) => Math.max(sum, of(each)), 0)

export function setterOf(faces: Faces, direction: 'ltr' | 'rtl'): Setter {
  const base = direction === 'rtl' ? 1 : 0
  const measured = new Map<string, number>()
  const widthOf = (text: string, { index, font }: Face): number => {
    const key = `${index} ${text}`
    const known = measured.get(key)
    if (known !== undefined) return known
    const width = font.layout(text).advanceWidth / font.unitsPerEm
    measured.set(key, width)
    return width
  }

  /** The atoms of a paragraph, word by word; the last of a word may be space. */
  function words(runs: readonly Run[]): readonly (readonly Atom[])[] {
    const text = runs.map(run => run.text).join('')
    const levels = base === 1 || leftward.test(text) ? bidi.getEmbeddingLevels(text, direction).levels : null
    const breaker = new LineBreaker(text)
    const all: Atom[][] = []
    let [run, runEnd, from] = [0, runs[0]?.text.length ?? 0, 0]
    for (let at = breaker.nextBreak(); at !== null; at = breaker.nextBreak()) {
      const atoms: Letters[] = []
      while (from < at.position) {
        while (from >= runEnd) runEnd += runs[++run]!.text.length
        const { weight, slanted = false } = runs[run]!
        const letter = String.fromCodePoint(text.codePointAt(from)!)
        const level = levels?.[from] ?? 0
        from += letter.length
        if (!unseen.test(letter)) addLetter(atoms, faces, seenAs(letter, weight), { weight, slanted, level })
      }
      all.push(
        atoms.map(atom => {
          const shown = shownOf(atom.text, atom.level)
          return { ...atom, text: shown, width: widthOf(shown, atom.face) }
        }),
      )
    }
    return all
  }

  /** Spaces of other widths are spaces where the fonts have none. */
  const seenAs = (letter: string, weight: Weight): string =>
    /\s/.test(letter) && !faces.has(letter.codePointAt(0)!, weight) ? ' ' : letter

  /** Letters that run to the left are turned around by their script; signs between them by nobody. */
  function shownOf(text: string, level: number): string {
    if (level % 2 === 0) return text
    const mirrored = [...text].map(letter => bidi.getMirroredCharacter(letter) ?? letter)
    return (strong.test(text) ? mirrored : mirrored.toReversed()).join('')
  }

  /** Level by level from the highest, what is at least as high is turned around; space at the end of a line stands where the line ends. */
  function visual(atoms: readonly Atom[]): readonly Atom[] {
    let end = atoms.length
    while (end > 0 && atoms[end - 1]!.isSpace) end--
    const kept = atoms.slice(0, end)
    const highest = Math.max(0, ...kept.map(({ level }) => level))
    for (let level = highest; level > 0; level--)
      for (let from = 0; from < kept.length; from++) {
        if (kept[from]!.level < level) continue
        let to = from
        while (to < kept.length && kept[to]!.level >= level) to++
        kept.splice(from, to - from, ...kept.slice(from, to).toReversed())
        from = to
      }
    return kept
  }

  /** What follows each other in one face is one piece. */
  function lineOf(atoms: readonly Atom[], size: number): Line {
    const pieces: Piece[] = []
    let last: Atom | null = null
    for (const atom of visual(atoms)) {
      const before = pieces.at(-1)
      const joins: boolean =
        last !== null &&
        last.level % 2 === 0 &&
        atom.level % 2 === 0 &&
        last.face === atom.face &&
        last.slanted === atom.slanted
      const { text, face, slanted, width } = atom
      if (joins && before !== undefined && before.text.length + text.length <= longestPiece)
        pieces[pieces.length - 1] = { ...before, text: before.text + text, width: before.width + width * size }
      else pieces.push({ text, face, slanted, width: width * size })
      last = atom
    }
    return { pieces, width: pieces.reduce((sum, { width }) => sum + width, 0) }
  }

  /** A word that no line has room for, in parts that fit. */
  function* parts(word: readonly Atom[], size: number, width: number): Generator<readonly Atom[]> {
    let [part, used]: [Atom[], number] = [[], 0]
    for (const atom of word) {
      const letters = [...new Intl.Segmenter().segment(atom.text)].map(({ segment }) => segment)
      let text = ''
      let wide = 0
      for (const letter of letters) {
        const more = widthOf(letter, atom.face)
        if ((used + wide + more) * size > width && used + wide > 0) {
          if (text !== '') part.push({ ...atom, text, width: wide })
          yield part
          ;[part, used, text, wide] = [[], 0, '', 0]
        }
        text += letter
        wide += more
      }
      if (text !== '') part.push({ ...atom, text, width: wide })
      used += wide
    }
    yield part
  }

  const paragraphsOf = (runs: readonly Run[]): readonly (readonly Run[])[] => {
    const all: Run[][] = [[]]
    for (const run of runs)
      for (const [at, text] of run.text
        .normalize('NFC')
        .split(/\r\n|[\n\r\u2028\u2029]/)
        .entries()) {
        if (at > 0) all.push([])
        if (text !== '') all.at(-1)!.push({ ...run, text: text.replaceAll('\t', '    ') })
      }
    return all
  }

  const solid = (atoms: readonly Atom[]): number =>
    atoms.reduce((sum, { isSpace, width }) => (isSpace ? sum : sum + width), 0)
  const long = (atoms: readonly Atom[]): number => atoms.reduce((sum, { width }) => sum + width, 0)

  /** At least one line, which may be empty. */
  function linesOf(paragraph: readonly Run[], size: number, width: number): readonly Line[] {
    const lines: (readonly Atom[])[] = []
    const isWider = (ems: number) => ems * size > width + 0.01
    let [line, used]: [Atom[], number] = [[], 0]
    const add = (atoms: readonly Atom[]) => {
      if (line.length > 0 && isWider(used + solid(atoms))) {
        lines.push(line)
        ;[line, used] = [[], 0]
      }
      line.push(...atoms)
      used += long(atoms)
    }
    for (const word of words(paragraph)) {
      if (isWider(solid(word))) for (const part of parts(word, size, width)) add(part)
      else add(word)
    }
    return [...lines, line].map(atoms => lineOf(atoms, size))
  }

  return {
    lines: (runs, size, width) => paragraphsOf(runs).flatMap(paragraph => linesOf(paragraph, size, width)),
    widths: (runs, size) => {
      const paragraphs = paragraphsOf(runs).map(words)
      return {
        whole: size * most(paragraphs, all => all.reduce((sum, word) => sum + long(word), 0)),
        word: size * most(paragraphs, all => most(all, solid)),
      }
    },
  }
}
