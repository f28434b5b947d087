/** For tests: the documents that they try to break. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Diagnostic } from '../document/diagnostic.ts'
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
