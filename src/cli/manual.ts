/** Search in the manual and in the examples: what the pages say best about a question, by BM25 over their sections. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { home } from '../files.ts'

export interface Section {
  /** `docs/language/4-states.md`. */
  readonly path: string
  /** Its titles, from the page's to its own: `4 States and transitions › Timers`. */
  readonly title: string
  readonly text: string
}

/** The reference of the language, section by section, and the articles on codes, each as a whole. */
export const manualSections = (): readonly Section[] => [
  ...pagesIn('docs/language')
    // Its parts stand in the others.
    .filter(path => !path.endsWith('/core.md'))
    .flatMap(path => sectionsOf(path, 4)),
  ...pagesIn('docs/codes').flatMap(path => sectionsOf(path, 1)),
]

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(home, folder)).flatMap(name => (name.endsWith('.md') ? [`${folder}/${name}`] : []))

/** The documents that come along. */
export const exampleSections = (): readonly Section[] =>
  readdirSync(join(home, 'examples')).flatMap(name => {
    const found = readdirSync(join(home, 'examples', name)).includes(`${name}.md`)
    return found ? sectionsOf(`examples/${name}/${name}.md`, 4) : []
  })

/** A page, cut at its headings down to a level; what stands in a fence is no heading. */
function sectionsOf(path: string, level: number): readonly Section[] {
  const sections: { path: string; title: string; text: string }[] = []
  const titles: string[] = []
  let fence: string | null = null
  for (const line of readFileSync(join(home, path), 'utf8').split('\n')) {
    const mark = /^(?:`{3,}|~{3,})/.exec(line)?.[0]
    if (mark !== undefined && (fence === null || line.startsWith(fence))) fence = fence === null ? mark : null
    const heading = fence === null ? /^(#{1,4}) (.+)$/.exec(line) : null
    if (heading !== null && heading[1]!.length <= level) {
      titles.length = Math.min(titles.length, heading[1]!.length - 1)
      titles.push(heading[2]!)
      sections.push({ path, title: titles.join(' › '), text: '' })
    }
    if (sections.length > 0 && !line.startsWith('<!--')) sections.at(-1)!.text += `${line}\n`
  }
  return sections.map(section => ({ ...section, text: section.text.trim() }))
}

/** Saturation of how often a word stands in a section, and weight of the section's length, as is usual for BM25. */
const [saturation, byLength] = [1.2, 0.75]
/** A word of the title counts as often as this. */
const titleWeight = 4
/** Articles are about mistakes: a question is rarely about one, unless it names the code. */
const articleWeight = 0.5

/** The best first; none where no word of the question stands anywhere. */
export function search(sections: readonly Section[], question: string, most: number): readonly Section[] {
  const wanted = new Set(wordsOf(question))
  const counted = sections.map(section => {
    const words = [...wordsOf(section.text), ...Array(titleWeight).fill(wordsOf(section.title)).flat()]
    const counts = new Map<string, number>()
    for (const word of words) if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
    return { section, counts, length: words.length }
  })
  const usual = counted.reduce((sum, { length }) => sum + length, 0) / counted.length
  const rarity = new Map(
    [...wanted].map(word => {
      const having = counted.filter(({ counts }) => counts.has(word)).length
      return [word, Math.log(1 + (counted.length - having + 0.5) / (having + 0.5))]
    }),
  )
  const scored = counted.map(({ section, counts, length }) => {
    const parts = [...counts].map(([word, n]) => {
      const weighed = n + saturation * (1 - byLength + (byLength * length) / usual)
      return (rarity.get(word)! * n * (saturation + 1)) / weighed
    })
    const sum = parts.reduce((sum, part) => sum + part, 0)
    return { section, score: section.path.startsWith('docs/codes/') ? sum * articleWeight : sum }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ section }) => section)
}

/** Words without their endings, roughly: `approvals`, `approval` and `approve` meet. */
const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\d]{2,}/gu) ?? [])
    .filter(word => !passing.has(word))
    .map(word => word.replace(/(?:ations?|ings?|als?|ers?|ed|es|s|e)$/, ''))

const passing = new Set(
  'the and for with that this what which where when how can does do is are to of in on at an be or as by it its from not has have who may if one you'.split(
    ' ',
  ),
)
