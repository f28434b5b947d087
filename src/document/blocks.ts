/** One file of Markdown → sections, subjects and blocks: every top-level block is classified, nothing is read inside others. */
import type { Blockquote, Code, Heading, Html, List, ListItem, Paragraph, RootContent } from 'mdast'
import { cellAt, rawCell, slice } from './cell.ts'
import { blocksIn, fenceOf, rawHtml, topLevelBlocks } from './chunks.ts'
import { type DocumentReport, documentReport } from './codes.ts'
import type { Diagnostic } from './diagnostic.ts'
import { closeBeforeEmptyLine, intoBlockQuote } from './fix.ts'
import { didYouMean } from './nearest.ts'
import { exactHeading, headingNumber, marked } from './nine.ts'
import { readName, readNearly, readProperty } from './property.ts'
import { lintProse, reportLostTable } from './prose.ts'
import type { Cell, SourceFile, Span } from './source.ts'
import { readTables, spanOf } from './table.ts'
import type { Block, Content, Fence, Property, Section, Subject, Table } from './tree.ts'

/** What one file says before its parts and the root are put together. */
export interface ReadFile {
  readonly title: Cell | null
  /** Properties before the first heading 2. */
  readonly properties: readonly Property[]
  readonly sections: readonly Section[]
}

/** The kinds of fence that a document may hold: ```` ```ninefold mail ````. */
const fenceKinds: readonly string[] = ['mail']

/**
 * Blocks with these titles hold tables of their own. A table below any other heading 4 belongs to the subject (or section)
 * around it: a step in block form is a row, and a row has no tables.
 */
const blocksWithTables = /^(?:sample data|examples|scenario|fields|notes)\b/i

/** What only a heading 4 says. At another depth a scenario is told by its table. */
const onlyBlocks = /^(?:sample data$|(?:examples|fields):)/i

const rowInHtml = /(?:^|[\r\n]) {0,3}\|[^\r\n]*\|/

interface Draft {
  readonly properties: Property[]
  readonly nearly: Property[]
  readonly tables: Table[]
  readonly fences: Fence[]
  readonly prose: Cell[]
}

type BlockDraft = Draft & { readonly title: Cell; readonly ownsTables: boolean }
type SubjectDraft = Draft & ReturnType<typeof readName> & { readonly blocks: BlockDraft[] }
type SectionDraft = Draft & {
  readonly number: number
  readonly title: Cell
  readonly subjects: SubjectDraft[]
  readonly blocks: BlockDraft[]
}

/** Reads one file. Whatever the text is, the answer is a tree (perhaps an empty one), diagnostics, or both. */
export function readFile(file: SourceFile, found: Diagnostic[]): ReadFile {
  const reader = new FileReader(file, found)
  for (const node of topLevelBlocks(file, reader.reportHere)) reader.take(node)
  return reader.finish()
}

class FileReader {
  private readonly properties: Property[] = []
  private readonly sections: SectionDraft[] = []
  private readonly file: SourceFile
  private readonly found: Diagnostic[]
  private report: DocumentReport
  private title: Cell | null = null
  private section: SectionDraft | null = null
  private subject: SubjectDraft | null = null
  private block: BlockDraft | null = null
  /** Below a heading that was reported and cannot be placed nothing is read, so that one mistake gives one message. */
  private skipping = false
  private before: RootContent | null = null
  /** A heading 5 or 6: prose, unless bold keys follow. */
  private deep: Cell | null = null

  constructor(file: SourceFile, found: Diagnostic[]) {
    this.file = file
    this.found = found
    this.report = documentReport(0, found)
  }

  /** Reports under the heading that was reached. */
  get reportHere(): DocumentReport {
    return (...all) => this.report(...all)
  }

  take(node: RootContent): void {
    const { deep } = this
    this.deep = null
    if (node.type === 'heading') this.takeHeading(node)
    else if (!this.skipping) {
      if (deep !== null && this.section !== null && node.type === 'list' && this.hasKeys(node)) this.takeAt(4, deep)
      this.takeContent(node)
    }
    this.before = node
  }

  finish(): ReadFile {
    for (const section of this.sections) lintProse(section, documentReport(section.number, this.found))
    return { title: this.title, properties: this.properties, sections: this.sections.map(finishSection) }
  }

  private takeHeading(node: Heading): void {
    const [first, last] = [node.children[0], node.children.at(-1)]
    const whole = spanOf(this.file, node)
    const title =
      first === undefined || last === undefined
        ? rawCell(this.file, whole.end, whole.end)
        : plainTitle(cellAt(this.file, spanOf(this.file, first).start, spanOf(this.file, last).end))
    const number = exactHeading(title)
    const isTitled = this.title !== null
    if (node.depth !== 2 && number !== null && (isTitled || (node.depth > 1 && !this.skipping))) this.takeAt(2, title)
    else if (node.depth === 1) this.takeName(title, whole)
    else if (node.depth <= 4 && title.text === '' && !this.skipping) this.report('N0304', whole, {})
    else if (node.depth === 2) this.takeSection(title)
    else if (this.skipping) return
    else if (node.depth !== 4 && this.section !== null && isBlockAlone(node.depth, title)) this.takeAt(4, title)
    else if (node.depth <= 4) this.takeSubject(node.depth, title)
    else this.deep = title
  }

  /** N0327: a heading that only another depth has, read as if it had it. */
  private takeAt(depth: 2 | 4, title: Cell): void {
    const marks = '#'.repeat(depth)
    const place = { ...title, start: this.file.text.lastIndexOf('\n', title.start) + 1 }
    const report = depth === 2 ? documentReport(exactHeading(title)!, this.found) : this.report
    report('N0327', place, { instead: `${marks} ${title.text}` }, { fixes: [marked(title, marks)] })
    if (depth === 2) this.takeSection(title)
    else this.takeSubject(4, title)
  }

  private hasKeys(list: List): boolean {
    const first = list.children[0]?.children[0]
    return first?.type === 'paragraph' && readProperty(spanOf(this.file, first)) !== null
  }

  private takeName(title: Cell, whole: Span): void {
    if (this.title === null && this.section === null) this.title = title.text === '' ? null : title
    else
      this.report(
        'N0008',
        whole,
        {},
        this.title === null ? {} : { related: [{ span: this.title, message: 'the first' }] },
      )
  }

  private takeSection(title: Cell): void {
    const before = this.found.length
    const number = headingNumber(title, documentReport(0, this.found))
    for (let i = before; i < this.found.length; i++) this.found[i] = { ...this.found[i]!, section: number ?? 0 }
    this.skipping = number === null
    this.subject = null
    this.block = null
    this.section = null
    if (number === null) return
    this.section = { ...empty(), number, title, subjects: [], blocks: [] }
    this.sections.push(this.section)
    this.report = documentReport(number, this.found)
  }

  private takeSubject(depth: number, title: Cell): void {
    if (this.section === null) {
      this.report('N0303', title, { what: 'heading' })
      this.skipping = true
      return
    }
    this.block = null
    if (depth === 3) {
      this.subject = { ...empty(), ...readName(title, this.report), blocks: [] }
      this.section.subjects.push(this.subject)
      return
    }
    this.block = { ...empty(), title, ownsTables: blocksWithTables.test(title.text) }
    const owner = this.subject ?? this.section
    owner.blocks.push(this.block)
  }

  private takeContent(node: RootContent): void {
    if (node.type === 'table') for (const table of readTables(this.file, node, this.report)) this.takeTable(table)
    else if (node.type === 'list') for (const item of node.children) this.takeItem(item, node.ordered === true)
    else if (node.type === 'blockquote') this.takeSwallowed(node, 'quote')
    else if (node.type === 'code') this.takeCode(node)
    else if (node.type === 'html') this.takeHtml(node)
    else if (node.type === 'paragraph') this.takeParagraph(node)
  }

  private takeTable(table: Table): void {
    const block = this.block?.ownsTables === true ? this.block : null
    const owner = block ?? this.subject ?? this.section
    if (owner === null) this.report('N0303', table, { what: 'table' }, { fixes: [intoBlockQuote('the table', table)] })
    else owner.tables.push(table)
  }

  private takeItem(item: ListItem, isOrdered: boolean): void {
    const table = swallowedTable(spanOf(this.file, item))
    if (!isOrdered) this.takeBullet(item, table?.start)
    this.takeSwallowed(item, 'bullet')
  }

  private takeBullet({ children }: ListItem, end = this.file.text.length): void {
    const owner = this.block ?? this.subject ?? this.section
    const [first, ...others] = children
    if (first?.type !== 'paragraph') return
    const whole = spanOf(this.file, first)
    const span = { ...whole, end: Math.min(whole.end, end) }
    const property = readProperty(span)
    if (property === null) {
      const nearly = readNearly(span)
      if (nearly !== null) owner?.nearly.push(nearly)
      return
    }
    const target = owner?.properties ?? this.properties
    target.push(property)
    if (others[0] !== undefined) this.report('N0307', spanOf(this.file, others[0]), { key: property.key.text })
  }

  /** N0331: a table that Markdown takes for text of what stands directly above it, read as if an empty line stood between them. */
  private takeSwallowed(node: ListItem | Blockquote, what: string): void {
    const table = swallowedTable(spanOf(this.file, node))
    if (table === null) return
    const { file, start } = table
    const edits = [{ span: { file, start, end: start }, text: '\n' }]
    this.report('N0331', firstLine(table), { what }, { fixes: [{ title: 'put an empty line between them', edits }] })
    for (const block of blocksIn(table)) this.take(block)
  }

  private takeCode(node: Code): void {
    const span = spanOf(this.file, node)
    const source = this.file.text.slice(span.start, span.end)
    const fence = fenceOf(source)
    if (fence === null) return
    const { opening, mark, close } = fence
    if (close === null) this.reportOpen('fence', span, mark)
    const info = /^\s*ninefold(?:\s+(\S+))?/.exec(opening.trimStart().slice(mark.length))
    if (info === null) return
    const kind = info[1] ?? ''
    const owner = this.block ?? this.subject ?? this.section
    if (!fenceKinds.includes(kind)) {
      this.report('N0308', firstLine(span), { kind, meant: didYouMean(kind, fenceKinds) })
    } else if (owner === null) this.report('N0303', firstLine(span), { what: 'fence' })
    else {
      const lineBreak = /^(?:\r\n|[\r\n])/.exec(source.slice(opening.length))?.[0] ?? ''
      const bodyStart = opening.length + lineBreak.length
      const bodyEnd = Math.max(bodyStart, close ?? source.length)
      const named = /^\s*(?:`+|~+)\s*ninefold\s+\S+\s+(\S.*?)\s*$/d.exec(opening)?.indices?.[1]
      const about = named === undefined ? null : rawCell(this.file, span.start + named[0], span.start + named[1])
      owner.fences.push({
        ...span,
        about,
        text: rawCell(this.file, span.start + bodyStart, span.start + bodyEnd),
      })
    }
  }

  private reportOpen(what: string, span: Span, close: string): void {
    this.report('N0013', firstLine(span), { what, close }, { fixes: [closeBeforeEmptyLine(span, close)] })
  }

  private takeHtml(node: Html): void {
    const span = spanOf(this.file, node)
    const source = this.file.text.slice(span.start, span.end)
    const raw = rawHtml(source)
    if (raw?.isOpen) this.reportOpen(raw.close === '-->' ? 'comment' : 'HTML', span, raw.close)
    else if (raw === null && this.section !== null && this.section.number > 1 && rowInHtml.test(source)) {
      this.report('N0317', firstLine(span), {})
    }
  }

  private takeParagraph(node: Paragraph): void {
    const span = spanOf(this.file, node)
    const owner = this.block ?? this.subject ?? this.section
    if (owner === null) return
    if (this.section!.number > 1 && reportLostTable(span, this.before, this.report)) return
    owner.prose.push(cellAt(this.file, span.start, span.end))
  }
}

/** From the header of a table at the left margin, which no empty line keeps apart from the bullet or quote that it stands below, to the end. */
function swallowedTable({ file, start, end }: Span): Span | null {
  const found = /[\r\n](?=\|[^\r\n]*\r?\n\|[ \t]*:?-[-:| \t]*(?:[\r\n]|$))/.exec(file.text.slice(start, end))
  return found === null ? null : { file, start: start + found.index + 1, end }
}

function empty(): Draft {
  return { properties: [], nearly: [], tables: [], fences: [], prose: [] }
}

function finishSection(draft: SectionDraft): Section {
  const { number, title } = draft
  const subjects = draft.subjects.map((subject): Subject => {
    const { title, was, partOf } = subject
    return { title, was, partOf, blocks: subject.blocks.map(finishBlock), ...contentOf(subject) }
  })
  return { number, title, subjects, blocks: draft.blocks.map(finishBlock), ...contentOf(draft) }
}

function finishBlock(draft: BlockDraft): Block {
  return { title: draft.title, ...contentOf(draft) }
}

function contentOf({ properties, nearly, tables, fences, prose }: Draft): Content {
  return { properties, nearly, tables, fences, prose }
}

/** The words of a heading that is bold or italic as a whole. */
function plainTitle(title: Cell): Cell {
  const marks = /^([*_]{1,2})[^*_]+\1$/.exec(title.text)?.[1]?.length ?? 0
  return slice(title, marks, title.text.length - marks)
}

const isBlockAlone = (depth: number, { text }: Cell): boolean =>
  onlyBlocks.test(text) || (depth > 4 && /^scenario:/i.test(text))

function firstLine({ file, start, end }: Span): Span {
  const line = /^[^\r\n]*/.exec(file.text.slice(start, end))![0]
  return { file, start, end: start + line.length }
}
