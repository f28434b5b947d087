/** What is wrong with a catalogue, beside one that says everything. */
import type { Catalogue, Entry } from './catalogue.ts'
import { holesOf } from './holes.ts'

const isForms = (entry: Entry): boolean => typeof entry !== 'string' && 'other' in entry
const holes = (entry: Entry) => [
  ...new Set((typeof entry === 'string' ? [entry] : Object.values(entry)).flatMap(holesOf)),
]

/** The forms that whole numbers up to 200 take, and that of everything else. */
const formsIn = (language: string) => {
  const rules = new Intl.PluralRules(language)
  return [...new Set([...Array.from({ length: 201 }, (_, n) => rules.select(n)), 'other'])].sort()
}

/** Why a language cannot say a text so, instead of one that is meant; in words. */
export function faultsOf(language: string, said: Entry, meant: Entry): readonly string[] {
  const forms = formsIn(language)
  const parts = isForms(meant) ? forms : typeof meant === 'string' ? null : Object.keys(meant).sort()
  const found = typeof said === 'string' ? null : Object.keys(said).sort()
  const [has, needs] = [holes(said), holes(meant)]
  const texts = typeof said === 'string' ? [said] : Object.values(said)
  const counted = texts.flatMap(text => [...text.matchAll(/\{\w+((?:\|[^{}|]*){2,})\}/g)])
  return [
    ...(String(found) === String(parts) ? [] : [`has ${partsIn(found)}, and needs ${partsIn(parts)}`]),
    ...(texts.every(text => text.trim() !== '') ? [] : ['is empty']),
    ...has.filter(hole => !needs.includes(hole)).map(hole => `knows no {${hole}}`),
    ...(isForms(meant) ? [] : needs.filter(hole => !has.includes(hole)).map(hole => `lacks {${hole}}`)),
    ...counted.flatMap(([whole, words]) => {
      const count = words!.split('|').length - 1
      const most = new Set([...forms, 'other']).size
      return count === most || count === most - 1 ? [] : [`has ${count} forms in ${whole}, and needs ${most}`]
    }),
  ]
}

const partsIn = (parts: readonly string[] | null): string => (parts === null ? 'one text' : parts.join(', '))

export interface Compared {
  /** What can be said as it stands there. */
  readonly sound: Catalogue
  /** `pages.daysLate has one, other, and needs few, many, one, other` */
  readonly faults: readonly string[]
  /** `pages.daysLate` */
  readonly missing: readonly string[]
  /** Nothing reads them. */
  readonly unknown: readonly string[]
}

/** `whole` says everything. */
export function compared(language: string, catalogue: Catalogue, whole: Catalogue): Compared {
  const entries = Object.entries(catalogue).flatMap(([section, texts]) =>
    Object.entries(texts).map(([key, said]) => {
      const meant = whole[section]?.[key]
      const faults = meant === undefined ? [] : faultsOf(language, said, meant)
      return { section, key, said, isKnown: meant !== undefined, faults }
    }),
  )
  const sound: Record<string, Record<string, Entry>> = {}
  for (const { section, key, said, isKnown, faults } of entries)
    if (isKnown && faults.length === 0) sound[section] = { ...sound[section], [key]: said }
  return {
    sound,
    faults: entries.flatMap(({ section, key, faults }) => faults.map(fault => `${section}.${key} ${fault}`)),
    missing: Object.entries(whole).flatMap(([section, texts]) =>
      Object.keys(texts).flatMap(key => (catalogue[section]?.[key] === undefined ? [`${section}.${key}`] : [])),
    ),
    unknown: entries.flatMap(({ section, key, isKnown }) => (isKnown ? [] : [`${section}.${key}`])),
  }
}
