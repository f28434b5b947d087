/**
 * What is said of many documents with one mistake each, to be compared before and after a change: `node scripts/run.mjs scripts/findings.ts > before.txt`,
 * and `diff` afterwards. The path of another checkout may follow. Every line begins with the mistake that it is about.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Diagnostic } from '../src/document/diagnostic.ts'
import type { Span } from '../src/document/source.ts'

const root = resolve(process.argv[2] ?? '.')
const moduleOf = (path: string) => import(pathToFileURL(join(root, path)).href)
const { readApp }: typeof import('../src/headings/index.ts') = await moduleOf('src/headings/index.ts')
const { position }: typeof import('../src/document/cell.ts') = await moduleOf('src/document/cell.ts')

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let last = seed
  return below => {
    last = (last * 1103515245 + 12345) & 0x7fffffff
    return last % below
  }
}

/** Each row of heading 6 dropped, each of its cells said to be `never` and emptied; lines dropped and words misspelt anywhere. */
function* mistakesIn(
  text: string,
  random: (below: number) => number,
): Generator<readonly [what: string, text: string]> {
  const lines = text.split('\n')
  const written = (at: number, line: string) => lines.with(at, line).join('\n')
  const dropped = (at: number) => [`drop ${at + 1}`, lines.toSpliced(at, 1).join('\n')] as const
  const heading = (number: number) => lines.findIndex(line => line.startsWith(`## ${number}`))
  for (let at = heading(6); at < heading(7); at++) {
    if (!lines[at]!.startsWith('|') || /^\| ?-/.test(lines[at]!)) continue
    yield dropped(at)
    const cells = lines[at]!.split('|')
    for (let cell = 1; cell < cells.length - 1; cell++) {
      yield [`never ${at + 1} ${cell}`, written(at, cells.with(cell, ' never ').join('|'))]
      yield [`empty ${at + 1} ${cell}`, written(at, cells.with(cell, ' ').join('|'))]
    }
  }
  for (let count = 0; count < 60; count++) yield dropped(random(lines.length))
  for (let count = 0; count < 60; count++) {
    const at = random(lines.length)
    const words = lines[at]!.match(/[A-Za-z_]{4,}/g)
    if (words === null) continue
    const word = words[random(words.length)]!
    const misspelt = `${word[0]}${word[2]}${word[1]}${word.slice(3)}`
    yield [`misspell ${at + 1} ${word}`, written(at, lines[at]!.replace(word, misspelt))]
  }
}

function* linesOf({ code, message, help, span, related, fixes }: Diagnostic): Generator<string> {
  yield `${code} ${placeOf(span)} ${oneLine(message)}`
  if (help !== undefined) yield `  help: ${oneLine(help)}`
  for (const other of related) yield `  ${placeOf(other.span)} ${oneLine(other.message)}`
  for (const { title, edits } of fixes)
    yield `  fix: ${oneLine(title)}${edits.map(edit => `; ${placeOf(edit.span)} ${JSON.stringify(edit.text)}`).join('')}`
}

function placeOf({ file, start }: Span): string {
  const { line, column } = position(file, start)
  return `${file.path}:${line}:${column}`
}

const oneLine = (text: string): string => text.replaceAll('\n', '⏎')

const random = numbers(7)
for (const name of ['requests', 'loan-desk', 'purchasing']) {
  const folder = join(root, 'examples', name)
  const main = `${name}.md`
  const files = new Map<string, string | null>()
  const load = (path: string) => {
    if (!files.has(path)) {
      const file = join(folder, path)
      files.set(path, existsSync(file) ? readFileSync(file, 'utf8') : null)
    }
    return files.get(path)!
  }
  for (const [what, text] of mistakesIn(load(main)!, random)) {
    const { found } = readApp(main, path => (path === main ? text : load(path)))
    for (const line of found.flatMap(finding => [...linesOf(finding)])) console.log(`${name}, ${what}: ${line}`)
  }
}
