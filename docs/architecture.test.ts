/**
 * `docs/architecture.md` tells each way through the house as a list of functions: what stands below a function is called by it, in that
 * order. Each of them is looked for in its file, and its name in the code of the function above it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

interface Called {
  readonly name: string
  readonly file: string
  readonly below: Called[]
}

const source = join(import.meta.dirname, '../src')
const page = readFileSync(join(import.meta.dirname, 'architecture.md'), 'utf8')

/** Lines such as `  - `read` (`run/read/read.ts`): …`, two spaces for each level. */
function waysOf(text: string): readonly Called[] {
  const roots: Called[] = []
  const above: Called[] = []
  for (const [, indent, name, file] of text.matchAll(/^( *)- `([\w.]+)` \(`([\w/.-]+)`\)/gm)) {
    const called: Called = { name: name!, file: file!, below: [] }
    const depth = indent!.length / 2
    if (depth === 0) roots.push(called)
    else above[depth - 1]!.below.push(called)
    above[depth] = called
  }
  return roots
}

const ways = waysOf(page)

/** The code of what is declared under a name at the top of a file, without comments; null: nothing is. */
function codeOf({ name, file }: Called): string | null {
  const path = join(source, file)
  if (!existsSync(path)) return null
  const text = readFileSync(path, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
  const declared = text
    .split(/\n(?=(?:export |async |function |const |interface |type |class |declare )\S*)/)
    .filter(part => new RegExp(`^(?:export )?(?:async )?(?:function|const) ${name}\\b`).test(part))
  return declared.length === 0 ? null : declared.join('\n')
}

/** Whether a file has the other's names: it is the same, or imports from it. */
function knows(file: string, other: string): boolean {
  if (file === other) return true
  const text = readFileSync(join(source, file), 'utf8')
  return [...text.matchAll(/from '(\.[^']+)'/g)].some(([, from]) => join(dirname(file), from!) === other)
}

/** What is not so below a function. */
function wrongBelow(caller: Called): readonly string[] {
  const code = codeOf(caller)
  if (code === null) return [`${caller.file} has no ${caller.name}`]
  let at = code.indexOf(caller.name) + caller.name.length
  return caller.below.flatMap(called => {
    const found = new RegExp(`\\b${called.name}\\b`).exec(code.slice(at))
    const isThere = found !== null && knows(caller.file, called.file)
    if (found !== null) at += found.index + called.name.length
    return [...(isThere ? [] : [`${caller.name} does not call ${called.name} there`]), ...wrongBelow(called)]
  })
}

test('each of the five ways has its list', () => {
  const told = page
    .split('\n## ')
    .find(part => part.startsWith('Five ways'))!
    .split(/^\*\*/m)
    .slice(1)
  expect(told.map(way => waysOf(way).some(({ below }) => below.length > 1))).toEqual(Array(5).fill(true))
})

test.each(ways.map(way => [way.name, way] as const))('%s calls what stands below it, in that order', (_, way) =>
  expect(wrongBelow(way)).toEqual([]),
)

test('a function that is not called, is called before, or is not there is noticed', () => {
  const [first, second] = ways[0]!.below
  expect(wrongBelow({ ...ways[0]!, below: [second!, first!] })).not.toEqual([])
  expect(wrongBelow({ ...ways[0]!, below: [{ name: 'nowhere', file: first!.file, below: [] }] })).toHaveLength(2)
})

const words = readFileSync(join(import.meta.dirname, 'words.md'), 'utf8')

test.each([...words.matchAll(/^\| ([\w -]+) \| (`src\/.*`) \|$/gm)].map(([, word, files]) => [word!, files!] as const))(
  'whoever searches for %s finds it at the head of its file',
  (word, files) => {
    for (const [, file] of files.matchAll(/`([^`]+)`/g)) {
      const [head] = readFileSync(join(source, '..', file!), 'utf8').split('*/')
      expect(head!.toLowerCase().replace(/\s+\*?\s*/g, ' ')).toContain(word.toLowerCase())
    }
  },
)
