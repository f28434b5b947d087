import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const methods =
  '(?:includes|startsWith|endsWith|match|matchAll|search|indexOf|lastIndexOf|replace|replaceAll|split|slice|substring)'

/** Code that goes by the words of a finding or of its fix: it breaks where they are put better. */
const byWords = [
  new RegExp(`\\b(?:message|help)\\b[)!?]*\\.${methods}\\(`),
  /\.(?:test|exec)\((?:\w+\.)*(?:message|help)\b/,
  /\b(?:message|help) [!=]== (?:found|finding|before|diagnostic)\.(?:message|help)\b/,
  /\b(?:message|help) [!=]== ['"`](?!['"`])/,
  new RegExp(`\\bfix(?:es)?\\b.*\\btitle\\b[)!?]*\\.${methods}\\(`),
  /\bfix(?:es)?\b.*\.(?:test|exec)\((?:\w+\.)*title\b/,
  /\bfix(?:es)?\b.*\btitle [!=]== /,
]

const goesByWords = (line: string): boolean => byWords.some(pattern => pattern.test(line))

test.each([
  'if (/no field/.test(found.message)) return',
  'const isUnknown = ({ message }) => message.startsWith("there is no")',
  'return help?.includes(`did you mean`)',
  'found.filter(({ message }) => message === "also here")',
  'const same = all.find(({ message }) => message === found.message)',
  "fixes.every(({ title }) => !title.startsWith('write '))",
  'found.fixes.find(({ title }) => title === fix.title)',
])('goes by words: %s', line => expect(goesByWords(line)).toBe(true))

test('no code goes by the words of findings and fixes: it asks their codes, params and kinds', () => {
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    path => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path),
  )
  const found = sources.flatMap(path => {
    const text = readFileSync(`${root}${path}`, 'utf8')
    if (!/\bfrom '[^']*\/(?:diagnostic|fix)\.ts'/.test(text)) return []
    return text.split('\n').flatMap((line, at) => (goesByWords(line) ? [`${path}:${at + 1} ${line.trim()}`] : []))
  })
  expect(found).toEqual([])
})
