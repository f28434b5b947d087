/** A section or a subject in two: what stands before a place, and what stands behind it. */
import type { Cell, Span } from '../../document/source.ts'
import type { Block, Content, Section, Subject } from '../../document/tree.ts'

/** A section that ends at `at`, and the one that begins there under a title of its own; what was behind `at` is all in the second. */
export function cutSection(section: Section, at: number, number: number, title: Cell): readonly [Section, Section] {
  const isBefore = ({ title }: Subject) => title.start < at
  const subjects = section.subjects.filter(isBefore).map(subject => cutSubject(subject, at))
  const own = cutSubject(section, at)
  const behind = [own, ...subjects].map(([, after]) => after)
  return [
    { ...own[0], subjects: subjects.map(([before]) => before) },
    {
      number,
      title,
      ...behind.reduce<Content>(together, nothing),
      blocks: behind.flatMap(({ blocks }) => blocks),
      subjects: section.subjects.filter(subject => !isBefore(subject)),
    },
  ]
}

type WithBlocks = Content & { readonly blocks: readonly Block[] }

/** A subject (or what stands under a section itself) that ends at `at`, and what stands behind. */
export function cutSubject<S extends WithBlocks>(subject: S, at: number): readonly [S, WithBlocks] {
  const isBefore = ({ title }: Block) => title.start < at
  const blocks = subject.blocks.filter(isBefore).map(block => cutContent(block, at))
  const own = cutContent(subject, at)
  return [
    { ...own[0], blocks: blocks.map(([before]) => before) },
    {
      ...[own, ...blocks].map(([, after]) => after).reduce<Content>(together, nothing),
      blocks: subject.blocks.filter(block => !isBefore(block)),
    },
  ]
}

function cutContent<C extends Content>(content: C, at: number): readonly [C, Content] {
  const part = (isIn: (span: Span) => boolean): Content => ({
    properties: content.properties.filter(({ key }) => isIn(key)),
    nearly: content.nearly.filter(({ key }) => isIn(key)),
    tables: content.tables.filter(isIn),
    fences: content.fences.filter(isIn),
    prose: content.prose.filter(isIn),
  })
  return [{ ...content, ...part(({ start }) => start < at) }, part(({ start }) => start >= at)]
}

const nothing: Content = { properties: [], nearly: [], tables: [], fences: [], prose: [] }

const together = (one: Content, other: Content): Content => ({
  properties: [...one.properties, ...other.properties],
  nearly: [...one.nearly, ...other.nearly],
  tables: [...one.tables, ...other.tables],
  fences: [...one.fences, ...other.fences],
  prose: [...one.prose, ...other.prose],
})
