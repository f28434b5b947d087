/** A subject that several files speak of: an entity whose fields and states are written where they belong. */
import type { Section, Subject } from '../document/tree.ts'
import { evened } from './names.ts'

/** The sections, with what later files say about a subject put to what the first one says. Twice in one file stays twice. */
export function joined(sections: readonly Section[]): readonly Section[] {
  const whole = new Map<string, Subject[]>()
  for (const { subjects } of sections)
    for (const subject of subjects) {
      const name = evened(subject.title.text)
      const others = whole.get(name) ?? []
      if (others.length === 0 || goesWith(subject, others)) whole.set(name, [...others, subject])
    }
  const later = new Set([...whole.values()].flatMap(([, ...others]) => others))
  return sections.map(section => ({
    ...section,
    subjects: section.subjects
      .filter(subject => !later.has(subject))
      .map(subject => {
        const all = whole.get(evened(subject.title.text))!
        return all.length > 1 && all[0] === subject ? all.reduce(together) : subject
      }),
  }))
}

const goesWith = ({ title, was, partOf }: Subject, others: readonly Subject[]): boolean =>
  others.every(
    other =>
      other.title.file !== title.file && isSame(other.was?.text, was?.text) && isSame(other.partOf?.text, partOf?.text),
  )

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || evened(one) === evened(other)

const together = (one: Subject, other: Subject): Subject => ({
  title: one.title,
  was: one.was ?? other.was,
  partOf: one.partOf ?? other.partOf,
  properties: [...one.properties, ...other.properties],
  nearly: [...one.nearly, ...other.nearly],
  tables: [...one.tables, ...other.tables],
  fences: [...one.fences, ...other.fences],
  prose: [...one.prose, ...other.prose],
  blocks: [...one.blocks, ...other.blocks],
})
