/** Headings 2 that were left out: their tables, keys and headings 3 have slipped under the heading above. */
import { type Diagnostic, reporter } from '../../document/diagnostic.ts'
import { nineTitles } from '../../document/nine.ts'
import type { Cell, Span } from '../../document/source.ts'
import type { Block, Section, Subject, Table } from '../../document/tree.ts'
import { blockKind } from '../blocks.ts'
import { structureCodes } from '../codes.ts'
import { cutSection } from './cut.ts'
import { isKeyOf, isTableOf } from './forms.ts'
import { addAbove, firstLine, lineStart } from './places.ts'

/** The sections, with each of the nine headings that a document lacks where what belongs to it begins; one report for each. */
export function withMissingSections(sections: readonly Section[], found: Diagnostic[]): readonly Section[] {
  return nineTitles.reduce((all, title, index) => {
    const number = index + 1
    if (all.some(section => section.number === number)) return all
    const at = all.findIndex(section => strayed(section, number) !== null)
    const section = all[at]
    if (section === undefined) return all
    const place = strayed(section, number)!
    const heading = `## ${number} ${title}`
    reporter(structureCodes, number, found).report(
      'N0321',
      firstLine(place),
      { heading },
      { fixes: [addAbove(place, heading)] },
    )
    const [start, { file }] = [lineStart(place), place]
    return all.toSpliced(
      at,
      1,
      ...cutSection(section, start, number, { file, start, end: start, text: title, gaps: [] }),
    )
  }, sections)
}

/**
 * Where what belongs to a later heading begins under a section: at a heading 3, a table or a key. Null where nothing does, or where
 * something of the section itself still follows: that is a line at the wrong place, and no heading is missing.
 */
function strayed(section: Section, number: number): Span | null {
  const here = section.number
  if (number <= here) return null
  const parts = [section, ...section.subjects]
  const [first] = parts.flatMap(part => placesOf(part, number, here).map(place => ({ part, place })))
  if (first === undefined) return null
  if (parts.some(part => placesOf(part, here, number).some(({ start }) => start > first.place.start))) return null
  return 'was' in first.part && isFirst(first.part, first.place) ? first.part.title : first.place
}

/** What stands in a section or a subject that belongs to one heading and not to another, in the order of the document. */
function placesOf({ blocks, ...own }: Section | Subject, number: number, other: number): readonly Span[] {
  const isOf = (table: Table) => isTableOf(number, table) && !isTableOf(other, table)
  return [own, ...blocks.filter(hasTables)]
    .flatMap(({ tables, properties }): readonly Span[] => [
      ...tables.filter(isOf),
      ...properties.flatMap(({ key }) => (isKeyOf(number, key.text) && !isKeyOf(other, key.text) ? [key] : [])),
    ])
    .sort((a, b) => a.start - b.start)
}

const hasTables = ({ title }: Block): boolean => !['other', 'notes'].includes(blockKind(title))

/** Whether nothing that decides something stands between the title of a subject and a place. */
const isFirst = ({ tables, properties, blocks, fences }: Subject, { start }: Span): boolean =>
  ![...tables, ...fences, ...properties.map(({ key }): Cell => key), ...blocks.map(({ title }) => title)].some(
    other => other.start < start,
  )
