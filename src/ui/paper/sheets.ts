/** Pages on which lines are set one below the other: where the next page begins, what stands on each, and what the whole is made of. */
import PDFDocument, { type StructureElement } from 'pdfkit'
import type { Line } from './lines.ts'
import type { Paper } from './paper.ts'

/** Points. */
export const margin = 51
const footSize = 8

export const ink = { text: '#14171a', quiet: '#59626b', line: '#c9ced3', strong: '#59626b' } as const

export interface Column {
  /** From the side where text begins. */
  readonly start: number
  readonly width: number
  /** Figures stand at the end of theirs. */
  readonly atEnd?: boolean
}

export interface Sheets {
  readonly pdf: PDFDocument
  /** Between the margins. */
  readonly width: number
  /** Below what stands on the page so far. */
  readonly top: () => number
  readonly move: (by: number) => void
  /** So much has room on the page, or it is another one, which has `head` first. */
  readonly room: (height: number, head?: () => void) => void
  /** Where the room on a page ends. */
  readonly bottom: () => number
  /** What has room on a page of its own. */
  readonly whole: number
  readonly page: () => void
  readonly pages: () => number
  /** A line of text, with its upper end at `top`. `colour`: that of text. */
  readonly line: (
    line: Line,
    column: Column,
    look: { readonly size: number; readonly top: number; readonly colour?: string },
  ) => void
  readonly rule: (column: Column, top: number, colour: string) => void
  /** What is drawn in between belongs to an element of the structure; null: it is there for the eyes alone. */
  readonly marked: (type: string, element: StructureElement | null, draw: () => void) => void
  readonly element: (
    type: string,
    parent?: StructureElement,
    options?: { readonly scope: 'Column' | 'Row' },
  ) => StructureElement
}

export const leading = (size: number): number => size * 1.4

export function sheetsOf(paper: Paper, layout: 'portrait' | 'landscape'): Sheets {
  const pdf = new PDFDocument({
    size: 'A4',
    layout,
    margin,
    font: null,
    bufferPages: true,
    autoFirstPage: false,
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    tagged: true,
    displayTitle: true,
    lang: paper.language,
    info: { Title: paper.title, Producer: 'Ninefold', Creator: 'Ninefold' },
  })
  const [long, short] = [841.89, 595.28]
  const [full, high] = layout === 'portrait' ? [short, long] : [long, short]
  const width = full - 2 * margin
  const bottom = high - margin - leading(footSize)
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  let at = 0
  let pages = 0
  const page = () => {
    pdf.addPage()
    pages++
    at = margin
  }
  const left = ({ start, width: wide }: Column): number =>
    paper.direction === 'rtl' ? margin + width - start - wide : margin + start
  return {
    pdf,
    width,
    bottom: () => bottom,
    whole: bottom - margin,
    top: () => at,
    move: by => {
      at += by
    },
    room: (height, head) => {
      if (at + height <= bottom || at === margin) return
      page()
      head?.()
    },
    page,
    pages: () => pages,
    line: (line, column, { size, top, colour = ink.text }) => {
      const toRight = (column.atEnd === true) !== (paper.direction === 'rtl')
      let x = left(column) + (toRight ? column.width - line.width : 0)
      pdf.fillColor(colour)
      for (const { text, face, slanted, width: wide } of line.pieces) {
        pdf
          .font(face.font, `face ${face.index}`, size)
          .text(text, x, top + size * 1.1, { lineBreak: false, baseline: 'alphabetic', oblique: slanted })
        x += wide
      }
    },
    rule: (column, top, colour) => {
      const from = left(column)
      pdf
        .lineWidth(0.6)
        .strokeColor(colour)
        .moveTo(from, top)
        .lineTo(from + column.width, top)
        .stroke()
    },
    marked: (type, element, draw) => {
      if (element === null) pdf.markContent('Artifact', { type: 'Layout' })
      else element.add(pdf.markStructureContent(type))
      draw()
      pdf.endMarkedContent()
    },
    element: (type, parent = root, options) => {
      const made = pdf.struct(type, options)
      parent.add(made)
      return made
    },
  }
}
