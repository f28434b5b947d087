/** A kind of screen with a page in `pages.ts` is a whole room: everybody else asks its questions, and nobody looks inside. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { comparisons } from '../../../scripts/comparisons.ts'
import { screenKinds } from './index.ts'
import { screenPages } from './pages.ts'

const source = resolve(import.meta.dirname, '../..')
const registries = ['kinds/screens/index.ts', 'kinds/screens/pages.ts']
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map(path => path.replaceAll('\\', '/'))
  .filter(path => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  .map(path => ({ path, text: readFileSync(join(source, path), 'utf8') }))

/** What a file imports, by paths below `src`. */
const importsOf = ({ path, text }: (typeof files)[number]): readonly string[] =>
  [...text.matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g)].map(([, to]) =>
    relative(source, resolve(source, dirname(path), to!)).replaceAll('\\', '/'),
  )

test('every page is that of a kind', () => {
  for (const name of screenPages.keys()) expect([...screenKinds.keys()]).toContain(name)
})

test.each([...screenPages.keys()])('only the registries know what is in %s', name => {
  const room = `kinds/screens/${name}/`
  const knowing = files.filter(file => importsOf(file).some(to => to.startsWith(room))).map(({ path }) => path)
  expect(knowing.filter(path => !path.startsWith(room)).sort()).toEqual(registries)
})

test('nobody outside of its folder compares anything with the name of a kind', () => {
  expect(comparisons()).toEqual([])
})

test.each([...screenPages.keys()])('%s knows of everything above it the presenter alone', name => {
  const above = /^(?:store|run|web|verify|trace|import|cli)\//
  const room = files.filter(({ path }) => path.startsWith(`kinds/screens/${name}/`) && !path.endsWith('testing.ts'))
  expect(room.flatMap(importsOf).filter(to => above.test(to))).toEqual([])
})

test.each(['fields', 'screens', 'calls'])(
  'what the registry of %s reaches draws nothing: the data half of a kind knows no view',
  registry => {
    const reached = new Set([`kinds/${registry}/index.ts`])
    // A set goes on with what is added while it is gone through.
    for (const path of reached) {
      const file = files.find(one => one.path === path)
      for (const to of file === undefined ? [] : importsOf(file)) reached.add(to)
    }
    expect(reached.size).toBeGreaterThan(5)
    expect([...reached].filter(path => /\.tsx$|^(?:store|run|ui|web|verify|trace|import|cli)\//.test(path))).toEqual([])
  },
)
