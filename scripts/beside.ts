/** Collections of others that may stand beside the repository, in `../shared/corpus`. Tests take them in addition to samples of our own. */
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'vitest'

/** The text of one. Where it is not there: null, and a skipped test names it, which ends up among what the run left out. */
export function beside(name: string): string | null {
  const file = new URL(`../../shared/corpus/${name}`, import.meta.url)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  test.skip(`../shared/corpus/${name}`)
  return null
}
