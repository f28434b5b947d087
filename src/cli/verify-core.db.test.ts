/** The document that the core of the manual gives whole, in a colour of its own and with an error for a step: it keeps what it says when it is served. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { readApp } from '../headings/index.ts'
import { createTestDatabase } from '../store/testing.ts'
import { verifyOn } from './verify.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/language/core.md'), 'utf8')
const [, whole] = /^```md ninefold.*\n(# [\s\S]*?)^```$/m.exec(page)!
/** Whoever takes it when it is not to be taken is told the error, by whichever door. */
const erring: readonly (readonly [RegExp, string])[] = [
  [/^\| Transition \|.*$/m, '$& Error |'],
  [/(^\| Transition .*\n\|.*)$/m, '$1 --- |'],
  [/^\| (?:approve|decline|take back|finish) \|.*$/gm, '$& |'],
  [/^(\| ask \|.*?\|.*?\|.*?\|) (\|.*)$/m, '$1 `needed_by > today + 5 days` $2 E-PAST |'],
]
const read = (colour: string) => {
  const told = whole!.replace(/^- \*\*Sign-in:\*\*.*$/m, `$&\n- **Colour:** ${colour}`)
  const text = erring.reduce((all, [from, to]) => all.replace(from, to), told)
  return readApp('core.md', path => (path === 'core.md' ? text : null)).app!
}

test('the complete document of the core passes, and another colour than it says is told', async () => {
  const { store, drop } = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(read('#0b6e4f'), store, () => undefined, read('teal'))
    expect(lines.filter(({ passed }) => !passed)).toMatchObject([
      { title: 'Colour: teal', detail: 'no style sheet has an accent of the colour teal' },
    ])
    expect(lines.some(({ title, passed }) => title === 'Board as Approver: shown' && passed)).toBe(true)
  } finally {
    await drop()
  }
})
