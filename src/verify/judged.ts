/**
 * Which cells of the document the application was held against: something that it answered, stored or sent was compared with what they
 * say. A cell that was only read, or of which nothing could be tried, does not count, and neither do names, prose and scenarios.
 */
import { splitCell } from '../document/cell.ts'
import type { Cell, Span } from '../document/source.ts'
import type { Content, Document, Table } from '../document/tree.ts'
import { isOpen } from './oracle/cells.ts'

/** A piece of a cell that decides something: `required` of `required; min 0`. */
export interface Claim {
  readonly heading: number
  /** The column, or the bold key. */
  readonly column: string
  readonly cell: Cell
  /** Of the heading below which it stands, where that is no number: an entity, a screen; null: it stands below none. */
  readonly subject: string | null
}

export class Judged {
  readonly #document: Document
  readonly #spans: Span[] = []
  readonly #known = new Set<string>()
  #rows: ReadonlyMap<Cell, ReadonlyMap<string, Cell>> | null = null

  constructor(document: Document) {
    this.#document = document
  }

  /** Cells, and pieces of some. */
  add(...spans: readonly (Span | null | undefined)[]): void {
    for (const span of spans) {
      if (span == null) continue
      const key = `${span.file.path} ${span.start} ${span.end}`
      if (this.#known.has(key)) continue
      this.#known.add(key)
      this.#spans.push(span)
    }
  }

  /** Cells of a row or a block, by a cell of it and the names of their columns. */
  in(one: Span, ...columns: readonly string[]): void {
    const asked = `${one.file.path} ${one.start} ${columns.join()}`
    if (this.#known.has(asked)) return
    this.#known.add(asked)
    this.#rows ??= rowsIn(this.#document)
    for (const [cell, row] of this.#rows) {
      if (cell.file.path !== one.file.path || cell.start > one.start || cell.end < one.end) continue
      for (const column of columns) this.add(row.get(column.toLowerCase()))
    }
  }

  /** What stands behind a bold key right below a heading. */
  under(heading: number, key: string): void {
    for (const { number, properties } of this.#document.sections)
      if (number === heading) this.add(...properties.flatMap(one => (one.key.text === key ? [one.value] : [])))
  }

  has({ file, start, end }: Span): boolean {
    return this.#spans.some(span => span.file.path === file.path && span.start < end && span.end > start)
  }
}

/** By each cell of a row, and the title and each value of a block or subject: all of its cells. */
function rowsIn({ sections }: Document): ReadonlyMap<Cell, ReadonlyMap<string, Cell>> {
  const found = new Map<Cell, ReadonlyMap<string, Cell>>()
  const look = ({ tables, properties }: Content, title: Cell | null) => {
    for (const { header, rows } of tables)
      for (const { cells } of rows) {
        const row = new Map(header.map(({ text }, at) => [text.toLowerCase(), cells[at]!]))
        for (const cell of cells) if (cell.end > cell.start) found.set(cell, row)
      }
    const block = new Map(properties.map(({ key, value }) => [key.text.toLowerCase(), value]))
    for (const cell of [...(title === null ? [] : [title]), ...block.values()]) found.set(cell, block)
  }
  for (const section of sections) {
    look(section, null)
    for (const block of section.blocks) look(block, block.title)
    for (const subject of section.subjects) {
      look(subject, subject.title)
      for (const block of subject.blocks) look(block, block.title)
    }
  }
  return found
}

/** How much of the document was judged. */
export interface Reach {
  readonly claims: number
  readonly judged: number
  /** Of each heading. */
  readonly of: ReadonlyMap<number, { readonly claims: number; readonly judged: number }>
  /** What nothing was held against. */
  readonly open: readonly Claim[]
}

export function reachOf(document: Document, judged: Judged): Reach {
  const claims = claimsOf(document)
  const open = claims.filter(({ cell }) => !judged.has(cell))
  const of = new Map(
    [...Map.groupBy(claims, ({ heading }) => heading)].map(([heading, all]) => [
      heading,
      { claims: all.length, judged: all.length - open.filter(one => one.heading === heading).length },
    ]),
  )
  return { claims: claims.length, judged: claims.length - open.length, of, open }
}

/** Tables whose first column says something; that of any other names its rows. */
const speaking: ReadonlySet<string> = new Set(['route', 'on', 'answer', 'send'])
const isSilent = (text: string): boolean => /^(?:none|[-–—]|)$/i.test(text) || isOpen(text)
/** Prose, what it is written for, and what `check` is told: the application does nothing by it. */
const isAbout = /^(?:Meaning|Serves|Accept)$/i
/** Rows that are tried, and say nothing of the application by themselves; prose. */
const isAside = ({ text }: Cell): boolean => /^(?:Scenario|Examples|Notes)\b/i.test(text)

/** All pieces of cells that decide something. */
function claimsOf({ sections }: Document): readonly Claim[] {
  return sections.flatMap(({ number: heading, ...section }) => {
    const of = (content: Content, subject: string | null, isNamed = true): readonly Claim[] => {
      const claim = (column: string, cell: Cell, separator: ';' | null): readonly Claim[] =>
        (separator === null ? [cell] : splitCell(cell, separator)).map(piece => ({
          heading,
          column,
          cell: piece,
          subject,
        }))
      return [
        ...content.tables.flatMap(table =>
          cellsIn(table, isNamed).flatMap(([column, cell]) => claim(column, cell, ';')),
        ),
        ...content.properties.flatMap(({ key, value }) =>
          isSilent(value.text) || isAbout.test(key.text)
            ? []
            : claim(key.text, value, /^Then$/i.test(key.text) ? ';' : null),
        ),
        ...content.fences.map(({ text }) => ({ heading, column: 'Body', cell: text, subject })),
      ]
    }
    const told = section.blocks.filter(({ title }) => !isAside(title))
    return [
      ...of(section, null),
      ...told.flatMap(block => of(block, null)),
      ...section.subjects.flatMap(subject => [
        ...of(subject, subject.title.text),
        ...subject.blocks
          .filter(({ title }) => !isAside(title))
          .flatMap(block => of(block, subject.title.text, !/^Sample data/i.test(block.title.text))),
      ]),
    ]
  })
}

/** `isNamed`: its first column may name its rows. */
const cellsIn = ({ header, rows }: Table, isNamed: boolean): readonly (readonly [string, Cell])[] =>
  rows.flatMap(({ cells }) =>
    header.flatMap(({ text }, at) => {
      const isName = isNamed && at === 0 && !speaking.has(text.toLowerCase())
      return isName || isAbout.test(text) || isSilent(cells[at]!.text) ? [] : [[text, cells[at]!] as const]
    }),
  )
