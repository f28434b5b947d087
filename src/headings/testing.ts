/** For tests: the documents that they try to break. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Diagnostic } from '../document/diagnostic.ts'
import { applyFix } from '../document/fix.ts'
import { readApp } from './index.ts'

interface Example {
  readonly name: string
  readonly text: string
  /** The errors and warnings of another text in its place, beside the files that it links. */
  readonly said: (text: string) => readonly Diagnostic[]
}

/** An example that a newcomer sees, with its sample data and code. */
export function example(name: string): Example {
  const folder = new URL(`../../examples/${name}/`, import.meta.url)
  const root = `${name}.md`
  const beside = new Map<string, string | null>()
  const load = (path: string) => {
    const file = fileURLToPath(new URL(path, folder))
    if (!beside.has(path)) beside.set(path, existsSync(file) ? readFileSync(file, 'utf8') : null)
    return beside.get(path)!
  }
  return {
    name,
    text: load(root)!,
    said: text =>
      readApp(root, path => (path === root ? text : load(path))).found.filter(
        ({ severity }) => severity === 'error' || severity === 'warning',
      ),
  }
}

/** The examples that have something under each heading. */
export const exampleNames = ['loan-desk', 'requests', 'absence-desk', 'street-defects', 'equipment-desk', 'purchasing']

/** The documents of all examples, below `examples`. */
export const exampleFiles = [...exampleNames.map(name => `${name}/${name}.md`), 'seed/specification.md']

/** The loan desk without its files of sample data: all of it is in one text. */
export const loanDeskAlone = readFileSync(
  new URL('../../examples/loan-desk/loan-desk.md', import.meta.url),
  'utf8',
).replace(/(?:### Person\n\n)?- \*\*Sample data:.*\n\n/g, '')

type Edit = readonly [string | RegExp, string | ((found: string) => string)]

/** Edits, code, the text at its place, and the title of the first fix; null: it says what to do, and writes nothing. */
export type Mistake = readonly [what: string, edits: readonly Edit[], code: string, at: string, fix: string | null]

export const saidOfLoanDesk = (text: string): readonly Diagnostic[] =>
  readApp('loan-desk.md', path => (path === 'loan-desk.md' ? text : null)).found.filter(
    ({ severity }) => severity !== 'gap',
  )

/** The loan desk, written otherwise in these places, each of which is there. */
export const loanDeskWith = (edits: readonly Edit[]): string =>
  edits.reduce((all, [old, now]) => {
    expect(all.search(old instanceof RegExp ? old : old.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))).toBeGreaterThanOrEqual(
      0,
    )
    return all.replace(old, now as string)
  }, loanDeskAlone)

/** The loan desk with these edits has no error. */
export const expectNoError = (edits: readonly Edit[]): void =>
  expect(saidOfLoanDesk(loanDeskWith(edits)).filter(({ severity }) => severity === 'error')).toEqual([])

/** The loan desk with these edits gives one message, at its place, and its fix cures it. */
export function expectOneMessage(edits: readonly Edit[], code: string, at: string, title: string | null): void {
  const found = saidOfLoanDesk(loanDeskWith(edits))
  expect(found.map(one => [one.code, one.span.file.text.slice(one.span.start, one.span.end)])).toEqual([[code, at]])
  const [fix] = found[0]!.fixes
  expect(fix?.title ?? null).toBe(title)
  if (fix === undefined) expect(found[0]!.help).not.toBeNull()
  else {
    const [mended] = applyFix(fix).values()
    expect(saidOfLoanDesk(mended!).filter(({ severity }) => severity === 'error')).toEqual([])
  }
}
