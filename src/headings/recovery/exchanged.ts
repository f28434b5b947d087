/** Columns that stand in each other's place, in a header or in a row: each is reported once, and read as if they did not. */
import { type Diagnostic, reporter } from '../../document/diagnostic.ts'
import type { Cell, Span } from '../../document/source.ts'
import type { Content, Section, Table } from '../../document/tree.ts'
import { fieldKinds } from '../../kinds/fields/index.ts'
import { structureCodes } from '../codes.ts'
import { evened } from '../names.ts'
import { isFields, isScenario } from './forms.ts'

/** A column that is known by what stands in it, and the columns that it is mistaken for. */
interface Telling {
  readonly column: string
  readonly others: readonly string[]
  readonly fits: (text: string) => boolean
}

const typed = new RegExp(`^(?:${[...fieldKinds.keys()].join('|')})(?![^\\s:])`)

/** The sections with all cells in their columns, as far as what stands in them tells which these are. */
export function withColumnsInPlace(sections: readonly Section[], found: Diagnostic[]): readonly Section[] {
  const entities = sections.flatMap(({ number, subjects }) => (number === 3 ? subjects : []))
  const names = new Set(['Person', ...entities.map(({ title }) => evened(title.text))])
  const isType = (text: string) => typed.test(text) || names.has(evened(text).replace(/^(?:list of|several) /, ''))
  const tellings = {
    scenario: {
      column: 'step',
      others: ['who', 'what'],
      fits: (text: string) => /^(?:Given|When|Then|And)$/.test(text),
    },
    fields: { column: 'type', others: ['rules'], fits: isType },
  }
  const inPlace = (table: Table, number: number): Table => {
    const telling = isScenario(table) ? tellings.scenario : isFields(table) ? tellings.fields : null
    return telling === null ? table : straightened(table, telling, number, found)
  }
  const of = <C extends Content>(content: C, number: number): C => ({
    ...content,
    tables: content.tables.map(table => inPlace(table, number)),
  })
  return sections.map(section => {
    const { number } = section
    const subjects = section.subjects.map(subject => ({
      ...of(subject, number),
      blocks: subject.blocks.map(block => of(block, number)),
    }))
    return { ...of(section, number), subjects, blocks: section.blocks.map(block => of(block, number)) }
  })
}

function straightened(table: Table, { column, others, fits }: Telling, number: number, found: Diagnostic[]): Table {
  const columns = table.header.map(({ text }) => text.toLowerCase())
  const own = columns.indexOf(column)
  const strayed = table.rows.map(({ cells }) =>
    fits(cells[own]!.text) ? -1 : columns.findIndex((name, at) => others.includes(name) && fits(cells[at]!.text)),
  )
  const [first = -1] = strayed
  const { report } = reporter(structureCodes, number, found)
  const reportAt = (cells: readonly Cell[], other: number, where: string) => {
    const [one, two] = [cells[Math.min(own, other)]!, cells[Math.max(own, other)]!]
    const [name = '', next = ''] = [own, other].sort((a, b) => a - b).map(at => table.header[at]!.text)
    const edits = [written(one, two), written(two, one)]
    const place = one.text === '' ? two : one
    const fixes = [{ title: `exchange the two ${where === 'header' ? 'columns' : 'cells'}`, edits }]
    report('N0329', place, { one: name, other: next, where }, { fixes })
  }
  if (first >= 0 && strayed.length > 1 && strayed.every(at => at === first)) {
    reportAt(table.header, first, 'header')
    return { ...table, header: exchanged(table.header, own, first) }
  }
  const rows = table.rows.map((row, index) => {
    const other = strayed[index]!
    if (other < 0) return row
    reportAt(row.cells, other, 'row')
    return { ...row, cells: exchanged(row.cells, own, other) }
  })
  return { ...table, rows }
}

/** What stands in one cell, written in another, with spaces beside the bars. */
function written({ file, start, end }: Cell, other: Span): { readonly span: Span; readonly text: string } {
  const text = other.file.text.slice(other.start, other.end)
  const [before, behind] = [file.text[start - 1] === '|' ? ' ' : '', file.text[end] === '|' ? ' ' : '']
  return { span: { file, start, end }, text: text === '' ? '' : `${before}${text}${behind}` }
}

const exchanged = (cells: readonly Cell[], one: number, other: number): readonly Cell[] =>
  cells.with(one, cells[other]!).with(other, cells[one]!)
