/** Headings 4 of scenarios that were left out: their tables have slipped under another heading. */
import { type Diagnostic, reporter } from '../../document/diagnostic.ts'
import { nearest } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import type { Block, Content, Section, Subject, Table } from '../../document/tree.ts'
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
  const above = isTitled(content) ? content.title : null
  const blocks = content.blocks.map(block => (others.includes(block) ? without(block) : block))
  const scenarios = strayed.map(table =>
    isBelowNearly(content.blocks, table) ? unnamed(table) : scenarioOf(table, above, number, found),
  )
  return { ...without(content), blocks: [...blocks, ...scenarios] }
}

/** Below `#### Secnario: …`, which is told by its own name. */
function isBelowNearly(blocks: readonly Block[], table: Table): boolean {
  const above = blocks.findLast(({ title }) => title.file === table.file && title.start < table.start)
  return above !== undefined && nearest(above.title.text.split(':')[0]!, ['Scenario']) !== null
}

/** A heading 3 that would be a scenario as a heading 4. */
const isTitled = (content: Content): content is Subject =>
  'title' in content && /^scenario\b/i.test((content as Subject).title.text)

function scenarioOf(table: Table, above: Cell | null, number: number, found: Diagnostic[]): Block {
  const { report } = reporter(structureCodes, number, found)
  if (above !== null) {
    const { file, start, text } = above
    const edits = [{ span: { file, start: lineStart(above), end: start }, text: '#### ' }]
    report(
      'N0323',
      above,
      { instead: '; this is a heading 3' },
      { fixes: [{ title: `write \`#### ${text}\``, edits }] },
    )
    return { ...unnamed(table), title: above }
  }
  report('N0323', firstLine(table), { instead: '' }, { fixes: [addAbove(table, '#### Scenario: what it shows')] })
  return unnamed(table)
}

function unnamed(table: Table): Block {
  const start = lineStart(table)
  const title = { file: table.file, start, end: start, text: 'Scenario: ', gaps: [] }
  return { title, properties: [], nearly: [], tables: [table], fences: [], prose: [] }
}
