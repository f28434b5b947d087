/**
 * Paper → PDF, tagged so that it can be read aloud (PDF/UA). It takes processor time: whoever serves others does it in a thread of its own
 * (`web/paper-thread.ts`).
 */
import { buffer } from 'node:stream/consumers'
import type { StructureElement } from 'pdfkit'
import { facesWith } from './faces.ts'
import { type Line, type Run, type Setter, setterOf } from './lines.ts'
import type { Block, Paper, Said, Sheet } from './paper.ts'
import { richParagraphs } from './rich-runs.ts'
import { type Column, ink, leading, margin, type Sheets, sheetsOf } from './sheets.ts'
import { setTable, tableNeeds } from './table.ts'

export interface Setting {
  readonly sheets: Sheets
  readonly setter: Setter
}

const size = { title: 18, heading: 12.5, text: 10, quiet: 9, foot: 8 } as const

export async function typeset(paper: Paper): Promise<Buffer> {
  const setter = setterOf(facesWith(paper.fonts), paper.direction)
  const portrait = sheetsOf(paper, 'portrait')
  const isWide = paper.sheets.some(({ blocks }) =>
    blocks.some(
      block =>
        block.kind === 'table' &&
        tableNeeds(setter, block).reduce((sum, { whole }) => sum + Math.min(whole, 160), 0) > portrait.width,
    ),
  )
  const sheets = isWide ? sheetsOf(paper, 'landscape') : portrait
  const setting = { sheets, setter }
  const feet = paper.sheets.flatMap(sheet => {
    const before = sheets.pages()
    setSheet(setting, paper, sheet)
    return Array.from({ length: sheets.pages() - before }, () => sheet.foot)
  })
  setFeet(setting, feet)
  sheets.pdf.end()
  return buffer(sheets.pdf)
}

function setSheet(setting: Setting, paper: Paper, sheet: Sheet): void {
  const { sheets } = setting
  sheets.page()
  setLetterhead(setting, paper)
  setText(setting, [{ text: sheet.title, weight: 600 }], { type: 'H1', size: size.title, after: 10 })
  for (const [at, block] of sheet.blocks.entries()) setBlock(setting, block, sheet.blocks[at + 1] ?? null)
}

function setBlock(setting: Setting, block: Block, next: Block | null): void {
  const { sheets } = setting
  switch (block.kind) {
    case 'heading':
      // It stays with what follows it.
      sheets.room(leading(size.heading) + (next === null ? 0 : 3 * leading(size.text)) + 10)
      sheets.move(10)
      setText(setting, [{ text: block.text, weight: 600 }], { type: 'H2', size: size.heading, after: 5 })
      break
    case 'text':
      setText(setting, [{ text: block.text, weight: 400 }], {
        type: 'P',
        size: block.quiet === true ? size.quiet : size.text,
        after: 8,
        colour: block.quiet === true ? ink.quiet : ink.text,
      })
      break
    case 'facts':
      for (const { label, value } of block.facts) setFact(setting, label, value)
      sheets.move(8)
      break
    case 'table':
      setTable(setting, block)
  }
}

/** The sender, and at the other side the lines of their address. */
function setLetterhead({ sheets, setter }: Setting, { letterhead, logo, direction }: Paper): void {
  const [name = '', ...address] = letterhead
  const half = sheets.width / 2
  const lines = setter.lines([{ text: name, weight: 600 }], size.text, half)
  const others = address.flatMap(text => setter.lines([{ text, weight: 400 }], 9, half))
  const top = sheets.top()
  let start = 0
  if (logo !== null) {
    sheets.marked('Artifact', null, () => {
      const x = direction === 'rtl' ? margin + sheets.width - 90 : margin
      sheets.pdf.image(Buffer.from(logo), x, top, {
        fit: [90, 28],
        ...(direction === 'rtl' && { align: 'right' as const }),
      })
    })
    start = 100
  }
  const element = sheets.element('P')
  const put = (all: readonly Line[], column: Column, height: number, of: number) =>
    sheets.marked('P', element, () => {
      for (const [at, line] of all.entries()) sheets.line(line, column, { size: of, top: top + at * height })
    })
  put(lines, { start, width: half }, leading(size.text), size.text)
  if (others.length > 0) put(others, { start: half, width: half, atEnd: true }, leading(9), 9)
  const height = Math.max(lines.length * leading(size.text), others.length * leading(9), logo === null ? 0 : 28)
  sheets.move(height + 8)
  sheets.marked('Artifact', null, () => sheets.rule({ start: 0, width: sheets.width }, sheets.top(), ink.strong))
  sheets.move(18)
}

interface TextLook {
  readonly type: string
  readonly size: number
  readonly after: number
  readonly colour?: string
  readonly column?: Column
}

/** Lines that go on on the next page are the same paragraph. */
function setText({ sheets, setter }: Setting, runs: readonly Run[], look: TextLook): void {
  const { column = { start: 0, width: sheets.width } } = look
  setLines(sheets, setter.lines(runs, look.size, column.width), sheets.element(look.type), { ...look, column })
  sheets.move(look.after)
}

function setLines(
  sheets: Sheets,
  lines: readonly Line[],
  element: StructureElement,
  { type, size: of, column, colour }: TextLook & { readonly column: Column },
): void {
  const height = leading(of)
  for (let at = 0; at < lines.length; ) {
    sheets.room(height)
    const fits = Math.max(1, Math.floor((margin + sheets.whole - sheets.top()) / height))
    const here = lines.slice(at, at + fits)
    sheets.marked(type, element, () => {
      for (const [index, line] of here.entries())
        sheets.line(line, column, {
          size: of,
          top: sheets.top() + index * height,
          ...(colour !== undefined && { colour }),
        })
    })
    sheets.move(here.length * height)
    at += fits
  }
}

/** What it is called, and beside it what it is. */
function setFact(setting: Setting, label: string, value: Said): void {
  const { sheets, setter } = setting
  const labels: Column = { start: 0, width: sheets.width * 0.28 }
  const values: Column = { start: sheets.width * 0.3, width: sheets.width * 0.7 }
  const names = setter.lines([{ text: label, weight: 400 }], size.text, labels.width)
  sheets.room(names.length * leading(size.text))
  const element = sheets.element('P')
  const top = sheets.top()
  sheets.marked('P', element, () => {
    for (const [at, line] of names.entries())
      sheets.line(line, labels, { size: size.text, top: top + at * leading(size.text), colour: ink.quiet })
  })
  const page = sheets.pages()
  for (const { runs, indent } of saidRuns(value)) {
    const column = { start: values.start + indent, width: values.width - indent }
    setLines(sheets, setter.lines(runs, size.text, column.width), element, {
      type: 'P',
      size: size.text,
      after: 0,
      column,
    })
  }
  const end = top + names.length * leading(size.text)
  if (sheets.pages() === page && sheets.top() < end) sheets.move(end - sheets.top())
  sheets.move(2)
}

const saidRuns = ({ text, rich }: Said): ReturnType<typeof richParagraphs> =>
  rich === undefined ? [{ runs: [{ text: text === '' ? '–' : text, weight: 400 }], indent: 0 }] : richParagraphs(rich)

/** Beside it which page of how many, when all are there. */
function setFeet({ sheets, setter }: Setting, feet: readonly string[]): void {
  for (const [at, foot] of feet.entries()) {
    sheets.pdf.switchToPage(at)
    sheets.pdf.markContent('Artifact', { type: 'Pagination' })
    const top = margin + sheets.whole + leading(size.foot)
    const look = { size: size.foot, top, colour: ink.quiet }
    const [line] = setter.lines([{ text: foot, weight: 400 }], size.foot, sheets.width * 0.8)
    if (line !== undefined) sheets.line(line, { start: 0, width: sheets.width * 0.8 }, look)
    const [number] = setter.lines([{ text: `${at + 1} / ${feet.length}`, weight: 400 }], size.foot, sheets.width)
    sheets.line(number!, { start: 0, width: sheets.width, atEnd: true }, look)
    sheets.pdf.endMarkedContent()
  }
}
