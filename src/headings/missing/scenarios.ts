/** Headings 4 of scenarios that were left out: their tables have slipped under another heading. */
import { type Diagnostic, reporter } from '../../document/diagnostic.ts'
import type { Block, Content, Section, Table } from '../../document/tree.ts'
import { blockKind } from '../blocks.ts'
import { structureCodes } from '../codes.ts'
import { isScenario } from './forms.ts'
import { addAbove, firstLine, lineStart } from './places.ts'

/** The sections, with a scenario for each table of steps that stands under none; one report for each. */
export const withMissingScenarios = (sections: readonly Section[], found: Diagnostic[]): readonly Section[] =>
  sections.map(section => {
    const { number } = section
    return {
      ...withScenarios(section, number, found),
      subjects: section.subjects.map(subject => withScenarios(subject, number, found)),
    }
  })

function withScenarios<C extends Content & { readonly blocks: readonly Block[] }>(
  content: C,
  number: number,
  found: Diagnostic[],
): C {
  const others = content.blocks.filter(({ title }) => !['scenario', 'notes'].includes(blockKind(title)))
  const strayed = [content, ...others].flatMap(({ tables }) => tables.filter(isScenario))
  if (strayed.length === 0) return content
  const without = <D extends Content>(part: D): D => ({
    ...part,
    tables: part.tables.filter(one => !strayed.includes(one)),
  })
  const blocks = content.blocks.map(block => (others.includes(block) ? without(block) : block))
  return { ...without(content), blocks: [...blocks, ...strayed.map(table => scenarioOf(table, number, found))] }
}

function scenarioOf(table: Table, number: number, found: Diagnostic[]): Block {
  const fixes = [addAbove(table, '#### Scenario: what it shows')]
  reporter(structureCodes, number, found).report('N0323', firstLine(table), {}, { fixes })
  const start = lineStart(table)
  const title = { file: table.file, start, end: start, text: 'Scenario: ', gaps: [] }
  return { title, properties: [], nearly: [], tables: [table], fences: [], prose: [] }
}
