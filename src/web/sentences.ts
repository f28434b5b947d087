/** Translation (i18n) of the sentences of the HTTP half, which `ui/words.ts` does not have; a language is a file of `locales/`. */
import { type Filling, spoken } from '../ui/speak.ts'
import { english } from './locales/english.ts'
import { german } from './locales/german.ts'
import type { Site } from './site.ts'

export const sentences = spoken('pages', english, german)

export type SentenceKey = keyof typeof english

/** A sentence in the language of whoever reads. A forgotten parameter does not compile. */
export const say = <K extends SentenceKey>(
  site: Pick<Site, 'reader'>,
  key: K,
  ...filling: Filling<(typeof english)[K]>
): string => sentences.in(site.reader.locale)(key, ...filling)
