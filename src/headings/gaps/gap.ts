/** What a document leaves open, as a code of the catalogue and its parameters, and its texts in the languages of the catalogue. */
import { filled, type Holes, type Params } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import { languageOf } from '../../expression/catalogue.ts'
import * as english from './english.ts'
import * as german from './german.ts'

type GapCode = keyof typeof english.gaps
type UseCode = keyof typeof english.uses

/** The parameters behind a code: none, or those that its English text has holes for. */
type Filling<Text extends string> = [Given<Text>] extends [never]
  ? []
  : [params: Readonly<Record<Given<Text>, string | number>>]
/** Who reads a constant is known only at the end. */
type Given<Text extends string> = Exclude<Holes<Text>, 'uses'>

/** What is left open where a cell says nothing. */
export interface Open {
  readonly section: number
  readonly code: GapCode
  readonly params: Params
}

/** What is left undone where an expression cannot be decided. */
export interface Use {
  readonly code: UseCode
  readonly params: Params
}

/** Something that the document leaves open. */
export interface Gap extends Open {
  readonly cell: Cell
  /** What is left open at the end of a list that goes on: `Clerk, the council TBD`. */
  readonly named: string | null
  /** Of a constant without a value: what reads it. */
  readonly uses: readonly Use[]
  readonly owner: string | null
  readonly note: string | null
}

/** `open(4, 'stepWho', { step: 'submit' })`: a forgotten parameter does not compile. */
export const open = <C extends GapCode>(
  section: number,
  code: C,
  ...filling: Filling<(typeof english.gaps)[C]['what' | 'consequence']>
): Open => ({ section, code, params: filling[0] ?? {} })

/** `use('rule', { rule: 'V-1' })`. */
export const use = <C extends UseCode>(code: C, ...filling: Filling<(typeof english.uses)[C]>): Use => ({
  code,
  params: filling[0] ?? {},
})

const catalogues = { en: english, de: german }

/** What is left open, and what holds until it is decided; English where the language of this tag has no catalogue. */
export function gapTexts({ code, params, named, uses }: Gap, tag = 'en'): { what: string; consequence: string } {
  const language = languageOf(tag) === 'de' ? 'de' : 'en'
  const texts = catalogues[language]
  const { what, consequence } = texts.gaps[code]
  const read = new Set(uses.map(one => filled(texts.uses[one.code], one.params)))
  const holes = { ...withLanguages(params, language), uses: [...read].join('; ') }
  return {
    what: `${filled(what, holes)}${named === null ? '' : `: ${named}`}`,
    consequence: filled(consequence, holes),
  }
}

/** Tags of languages are told by name. */
function withLanguages(params: Params, language: string): Params {
  const isTag = (hole: string) => hole === 'language' || hole === 'firstLanguage'
  const told = (tag: string) => new Intl.DisplayNames(language, { type: 'language' }).of(tag)!
  return Object.fromEntries(
    Object.entries(params).map(([hole, value]) => [hole, isTag(hole) ? told(String(value)) : value]),
  )
}
