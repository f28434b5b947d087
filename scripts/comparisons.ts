/**
 * Who compares something with the name of a screen kind, outside of its folder: whoever does has to be told of each new kind, and keeps a
 * deleted one. Kinds are asked questions instead (`kinds/screens/screen-kind.ts`). `node scripts/run.mjs scripts/comparisons.ts` lists them.
 */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { screenKinds } from '../src/kinds/screens/index.ts'

const here = resolve(import.meta.dirname, '..')

/** Types of values are called so, too: only a comparison counts whose other side speaks of a screen. */
const types = ['text', 'list']
/** And acts, cards, aggregates, calendars and what may be seen of a record: a variable `kind` counts as well, where a file speaks of screens. */
const shared = ['report', 'one', 'chart', 'calendar', 'timeline', 'print']
const ofScreens = /\b(?:shows|screen|screens|kindOf)\b/i
const speaksOfScreens = /from '[^']*(?:2-screens\/|kinds\/screens\/(?:index|screen-kind))/

interface Comparison {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** In code that is no test, below `src`. */
export function comparisons(root = here): readonly Comparison[] {
  return globSync('src/**/*.{ts,tsx}', { cwd: root })
    .filter(path => !/\.test\.|testing|\/differential\//.test(path))
    .flatMap(path => found(path, readFileSync(resolve(root, path), 'utf8')))
}

function found(path: string, text: string): readonly Comparison[] {
  const names = [...screenKinds.keys()].filter(name => !path.startsWith(`src/kinds/screens/${name}/`))
  const name = `'(${names.join('|')})'`
  const speaks = path.startsWith('src/headings/2-screens/') || speaksOfScreens.test(text)
  const counts = (left: string, right: string) =>
    ofScreens.test(left) ||
    (shared.includes(right) ? speaks && /^\W*(?:kind|name)$/.test(left) : !types.includes(right))
  const at = (match: RegExpExecArray): Comparison => ({
    path,
    line: text.slice(0, match.index).split('\n').length,
    text: match[0].trim(),
  })
  const compared = text.matchAll(new RegExp(`([\\w.?!()[\\]]+)\\s+[!=]==\\s+${name}`, 'g'))
  const cases = text.matchAll(new RegExp(`\\bcase ${name}:`, 'g'))
  const listed = text.matchAll(new RegExp(`\\[[^[\\]]*${name}[^[\\]]*\\](?:\\)|\\.includes\\((.*)\\))`, 'g'))
  const looked = text.matchAll(new RegExp(`\\bscreen(?:Kinds|Pages)\\.get\\(${name}`, 'g'))
  const switched = (before: number) => /switch \((.*)\) \{(?![\s\S]*switch \()/.exec(text.slice(0, before))?.[1] ?? ''
  return [
    ...[...compared].filter(([, left, right]) => counts(left!, right!)),
    ...[...cases].filter(match => counts(switched(match.index), match[1]!)),
    ...[...listed].filter(
      ([whole, right]) => !types.includes(right!) && names.filter(one => whole.includes(`'${one}'`)).length > 1,
    ),
    ...looked,
  ].map(at)
}

if (process.argv[1]?.endsWith('comparisons.ts')) {
  const all = comparisons(process.argv[2])
  for (const { path, line, text } of all) console.log(`${path}:${line} ${text}`)
  console.log(`${all.length} comparisons with names of screen kinds outside of their folders`)
}
