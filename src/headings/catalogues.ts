/** The catalogues of `languages/`, as servers and commands read them; browsers never do. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Catalogue, cataloguesBy } from '../expression/catalogue.ts'
import { home } from '../files.ts'
import type { App } from './app.ts'

/** Null: there is none. */
export function shippedCatalogue(language: string): Catalogue | null {
  if (!/^[a-z]{2,3}(-\w{2,8})*$/i.test(language)) return null
  try {
    return JSON.parse(readFileSync(join(home, 'languages', `${language}.json`), 'utf8')) as Catalogue
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

cataloguesBy(shippedCatalogue)

/** Those that a document brings itself, by tag. */
export const cataloguesOf = ({ product }: App): ReadonlyMap<string, Catalogue> =>
  new Map(product.languages.flatMap(({ tag, catalogue }) => (catalogue === undefined ? [] : [[tag, catalogue]])))
