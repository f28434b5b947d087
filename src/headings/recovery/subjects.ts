/** Headings 3 that were left out: what stood below them has slipped under the entity above, or under none. */
import { type Diagnostic, reporter } from '../../document/diagnostic.ts'
import { nearest } from '../../document/nearest.ts'
import type { Cell, Span } from '../../document/source.ts'
import type { Content, Property, Section, Subject, Table } from '../../document/tree.ts'
import { fieldKinds } from '../../kinds/fields/index.ts'
import { blockKind } from '../blocks.ts'
import { structureCodes } from '../codes.ts'
import { evened } from '../names.ts'
import { cutSubject } from './cut.ts'
import { isKeyOf, isStates, isTableBelow } from './forms.ts'
import { addAbove, firstLine, lineStart } from './places.ts'

/** An entity that a heading 3 would name, and the one that it is part of. */
interface Lacking {
  readonly name: string
  readonly partOf: Cell | null
}

/**
 * The sections, with the headings 3 that entities lack under headings 3, 4 and 6; one report for each. Where only one entity can be
 * meant it is read under that name; otherwise what stands below the place is not read.
 */
export function withMissingSubjects(sections: readonly Section[], found: Diagnostic[]): readonly Section[] {
  const lacking = new Map([
    [3, undeclared(sections)],
    [4, without(sections, 4)],
    [6, without(sections, 6)],
  ])
  return sections.map(section => {
    const { number } = section
    const known = lacking.get(number ?? 0)
    if (number === null || known === undefined) return section
    const first = ownPlace(section)
    if (first !== null) {
      const [before, after] = cutSubject(section, lineStart(first))
      const named = reportMissing(number, first, known, found)
      const subjects = named === null ? [] : [subjectOf(named, after)]
      return { ...before, subjects: [...subjects, ...section.subjects] }
    }
    return {
      ...section,
      subjects: section.subjects.flatMap(subject => {
        const place = secondPlace(number, subject, known)
        if (place === null) return [subject]
        const [before, after] = cutSubject(subject, lineStart(place))
        const named = reportMissing(number, place, known, found)
        return named === null ? [before] : [before, subjectOf(named, after)]
      }),
    }
  })
}

/** The heading that is missing, its title as a cell without extent; null where several could be meant. */
function reportMissing(
  number: number,
  place: Span,
  known: readonly Lacking[],
  found: Diagnostic[],
): Pick<Subject, 'title' | 'partOf'> | null {
  const titles = known.map(({ name, partOf }) => `### ${name}${partOf === null ? '' : ` (part of ${partOf.text})`}`)
  const only = known.length === 1 ? known[0]! : null
  reporter(structureCodes, number, found).report(
    'N0322',
    firstLine(place),
    { which: only === null ? 'the name of its entity' : `\`${titles[0]}\`` },
    { fixes: titles.slice(0, mostOffered).map(title => addAbove(place, title)) },
  )
  const start = lineStart(place)
  if (only === null) return null
  const title = { file: place.file, start, end: start, text: only.name, gaps: [] }
  return { title, partOf: only.partOf }
}

const mostOffered = 8

const subjectOf = (named: Pick<Subject, 'title' | 'partOf'>, content: ReturnType<typeof cutSubject>[1]): Subject => ({
  ...named,
  was: null,
  ...content,
})

/** What stands under the heading itself, but only has a meaning below an entity. */
function ownPlace({ number, tables, properties }: Section): Span | null {
  const places = [
    ...tables.filter(table => isTableBelow(number, table)),
    ...properties.flatMap(({ key }) => (number === 3 && isKeyOf(3, key.text) ? [key] : [])),
  ]
  return inOrder(places)[0] ?? null
}

/** Where the second of two entities begins that stand below one heading 3. */
function secondPlace(number: number, subject: Subject, lacking: readonly Lacking[]): Span | null {
  if (number === 4)
    return subject.tables.filter(table => isStates(table) && columnOf(table, 'kind').includes('start'))[1] ?? null
  if (number === 6) return sameRoles(subject.tables.filter(table => isTableBelow(6, table)))
  if (number !== 3) return null
  const [, again] = subject.properties.flatMap(({ key }) => (/^sample data$/i.test(key.text) ? [key] : []))
  const inSamples = subject.blocks
    .filter(({ title }) => blockKind(title) === 'sample data')
    .flatMap(({ tables }) => tables.filter(table => isTableBelow(3, table)))
  const another = lacking.length === 0 ? [] : subject.tables.filter(table => isTableBelow(3, table)).slice(1)
  const [place] = inOrder([...(again === undefined ? [] : [again]), ...inSamples, ...another])
  return place === undefined ? null : withKeysAbove(subject, place)
}

/** The first table of permissions that has a role again. */
function sameRoles(tables: readonly Table[]): Table | null {
  const roles = tables.map(table => columnOf(table, 'role'))
  return (
    tables.find((_, index) => roles.slice(0, index).some(all => all.some(one => roles[index]!.includes(one)))) ?? null
  )
}

/** A place, or the first of the bold keys that stand directly above it. */
function withKeysAbove(subject: Subject, place: Span): Span {
  const keys = [subject, ...subject.blocks].flatMap(({ properties }): readonly Property[] => properties)
  const above = inOrder(keys.map(({ key }) => key)).filter(({ start }) => start < place.start)
  return above.reduceRight<Span>((first, key) => {
    const between = first.file.text.slice(key.start, first.start).split(/\r?\n/).slice(1, -1)
    return between.every(line => line.trim() === '') && (first !== place || isTable(subject, place)) ? key : first
  }, place)
}

const isTable = (subject: Subject, place: Span): boolean =>
  [subject, ...subject.blocks].some(({ tables }: Content) => (tables as readonly Span[]).includes(place))

/** Entities that are named as types, or have states or permissions, and are not declared; misspelt names are of those that are. */
function undeclared(sections: readonly Section[]): readonly Lacking[] {
  const of = (number: number) => sections.filter(section => section.number === number)
  const declared = of(3).flatMap(({ subjects }) => subjects)
  const names = declared.map(({ title }) => evened(title.text))
  const there = new Set(names)
  const named = [...of(4), ...of(6)].flatMap(({ subjects }) => subjects.map(({ title }) => title.text))
  const parts = new Map(
    declared.flatMap(({ title, tables }) =>
      tables
        .flatMap(table => columnOf(table, 'type'))
        .flatMap(type => {
          const [, list, name] = /^(list of |several )?(\p{Lu}[\p{L}\p{N} -]*)$/u.exec(type) ?? []
          return name === undefined || isKind(name) ? [] : [[evened(name), list === 'list of ' ? title : null] as const]
        }),
    ),
  )
  // Nothing has to name Person, who may have keys and fields of her own.
  const person = of(3).some(({ properties }) => properties.length > 0) ? ['Person'] : []
  return [...new Set([...parts.keys(), ...named.map(evened), ...person])]
    .filter(name => !there.has(name) && nearest(name, names) === null && (name !== 'Person' || person.length > 0))
    .map(name => ({ name, partOf: parts.get(name) ?? null }))
}

/** Whether a type of the language is written like the name of an entity: `Date`, `Money EUR`. */
const isKind = (name: string): boolean =>
  [...fieldKinds.keys()].some(kind => `${name} `.toLowerCase().startsWith(`${kind} `))

/** Entities that stand under heading 3 and not under heading 4 or 6; of heading 4 those that have steps to take. */
function without(sections: readonly Section[], number: number): readonly Lacking[] {
  const subjectsOf = (one: number) =>
    sections.filter(section => section.number === one).flatMap(({ subjects }) => subjects)
  const namesOf = (subjects: readonly Subject[]) => new Set(subjects.map(({ title }) => evened(title.text)))
  const there = namesOf(subjectsOf(number))
  const lacking = [...namesOf(subjectsOf(3).filter(({ partOf }) => partOf === null))].filter(name => !there.has(name))
  const isTaken = (text: string) => !/^(?:none|no|–|)$/i.test(text)
  const stepping = namesOf(
    subjectsOf(6).filter(({ tables }) => tables.some(table => columnOf(table, 'do').some(isTaken))),
  )
  const stepped = lacking.filter(name => stepping.has(name))
  return (number === 4 && stepped.length > 0 ? stepped : lacking).map(name => ({ name, partOf: null }))
}

function columnOf({ header, rows }: Table, name: string): readonly string[] {
  const index = header.findIndex(({ text }) => text.toLowerCase() === name)
  return index < 0 ? [] : rows.flatMap(({ cells }) => cells[index]?.text ?? [])
}

const inOrder = <S extends Span>(places: readonly S[]): readonly S[] => [...places].sort((a, b) => a.start - b.start)
