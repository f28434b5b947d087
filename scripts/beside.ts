/** Collections of others that may stand beside the repository, in `../shared/corpus`. Tests take them in addition to samples of our own. */
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'vitest'

/** The text of one. Where it is not there: null, and a test that is shown as left out says so. */
export function beside(name: string): string | null {
  const file = new URL(`../../shared/corpus/${name}`, import.meta.url)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  test.skip(`all of ../shared/corpus/${name}, which is not here: only our own samples are tested`)
  return null
}
