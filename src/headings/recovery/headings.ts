/** Headings that were left out, and columns in each other's place: each is reported once, and read as if it were right. */
import { type Diagnostic, reporter } from '../../document/diagnostic.ts'
import { nineTitles } from '../../document/nine.ts'
import type { Document, Section } from '../../document/tree.ts'
import { structureCodes } from '../codes.ts'
import { withColumnsInPlace } from './exchanged.ts'
import { isKeyOf } from './forms.ts'
import { reportHiddenTables } from './hidden.ts'
import { withLevels } from './levels.ts'
import { reportLists } from './lists.ts'
import { addAbove, lineStart } from './places.ts'
import { withMissingScenarios } from './scenarios.ts'
import { withMissingSections } from './sections.ts'
import { withMissingSubjects } from './subjects.ts'

/** The document with its missing headings and its columns in place, as far as what stands there tells which they are. */
export function mended(document: Document, found: Diagnostic[]): Document {
  reportHiddenTables(document, found)
  reportLists(document, found)
  const sections = withMissingSections(
    [...missingFirst(document, found), ...withLevels(document.sections, found)],
    found,
  )
  const whole = withMissingScenarios(withMissingSubjects(sections, found), found)
  return { ...document, sections: withColumnsInPlace(whole, found) }
}

/** Heading 1 where its bold keys stand before all headings: in place of what was found there, the heading is reported. */
function missingFirst({ properties, sections }: Document, found: Diagnostic[]): readonly Section[] {
  const unread = new Set(found.filter(({ code }) => code === 'N0305').map(({ span }) => span.start))
  const own = properties.filter(({ key }) => unread.has(key.start) && isKeyOf(1, key.text))
  const first = own[0]?.key
  if (first === undefined || sections.some(({ number }) => number === 1)) return []
  const isOwn = ({ code, span }: Diagnostic) =>
    (code === 'N0305' && own.some(({ key }) => key.start === span.start)) ||
    (code === 'N0303' && span.file === first.file && span.start > first.start)
  found.splice(0, found.length, ...found.filter(each => !isOwn(each)))
  const heading = `## 1 ${nineTitles[0]}`
  reporter(structureCodes, 1, found).report('N0321', first, { heading }, { fixes: [addAbove(first, heading)] })
  const [file, start] = [first.file, lineStart(first)]
  const title = { file, start, end: start, text: nineTitles[0], gaps: [] }
  return [
    { number: 1, title, properties: own, nearly: [], tables: [], fences: [], prose: [], subjects: [], blocks: [] },
  ]
}
