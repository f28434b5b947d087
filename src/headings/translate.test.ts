import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { App } from './app.ts'
import { readApp } from './index.ts'
import { appIn, wordFor } from './translate.ts'

/** The loan desk of the reference, as a whole document. */
const page = readFileSync(resolve(import.meta.dirname, '../../docs/language/1-product.md'), 'utf8')
const document = /^```md ninefold alone\n(# Loan desk[\s\S]*?)^```$/m.exec(page)![1]!

function read(edit: (text: string) => string = text => text) {
  const { app, found } = readApp('desk.md', () => edit(document))
  return { app: app as App, codes: found.map(({ code, message }) => `${code} ${message}`) }
}

test('a print says its texts in the other language, and reads once what is not translated', () => {
  const { app, codes } = read(text =>
    text
      .replace('| Loan | Ausleihe |', '| Loan | Ausleihe |\n| Back by {due_back}. | Zurück am {due_back:long}. |')
      .replace(
        '## 3 Ent',
        '### Slip\n\n- **Title:** Loan\n- **Footer:** {nothing}\n- **Text:** Back by {due_back}.\n\n## 3 Ent',
      )
      .replace('| list of Loan |', '| list of Loan |\n| /loans/{id}/slip | Slip | Clerk | print of Loan |'),
  )
  expect(codes.filter(code => code.startsWith('N02'))).toHaveLength(1)
  const texts = (of: App) =>
    of.screens
      .at(-1)!
      .print!.parts[0]!.text!.parts.map(part =>
        part.kind === 'text' ? part.text : part.kind === 'value' ? part.format : '',
      )
  expect([texts(app), texts(appIn(app, 'de'))]).toEqual([
    ['Back by ', null, '.'],
    ['Zurück am ', 'long', '.'],
  ])
  expect(appIn(app, 'de').screens.at(-1)!.print!.title!.parts).toEqual([{ kind: 'text', text: 'Ausleihe' }])
})

test('what people read is in the other language, and what decides is the same', () => {
  const { app } = read()
  const german = appIn(app, 'de')
  expect(appIn(app, 'de')).toBe(german)
  expect(appIn(app, 'en')).toBe(app)
  const loan = german.entities.get('loan')!
  expect([german.screens[0]!.name.text, loan.name, loan.key, loan.fields[0]!.label, loan.fields[0]!.key]).toEqual([
    'Meine Ausleihen',
    'Ausleihe',
    'loan',
    'Rückgabe am',
    'due_back',
  ])
  const workflow = german.workflows.get('loan')!
  expect([workflow.transitions[0]!.name, workflow.transitions[0]!.key]).toEqual(['ausgeben', 'hand_out'])
  // A state is a value: only what is shown is translated.
  expect(workflow.states.map(({ name }) => [name, wordFor(german, name)])).toEqual([
    ['Requested', 'Beantragt'],
    ['Out', 'Ausgegeben'],
  ])
  expect(wordFor(app, 'Out')).toBe('Out')
  expect(german.errors.get('E-DUE-1')!.templates.get('loan')!.message.parts[0]).toEqual({
    kind: 'text',
    text: 'Die Ausleihe endet am ',
  })
  expect(app.errors.get('E-DUE-1')!.templates.get('loan')!.message.parts[0]).toEqual({
    kind: 'text',
    text: 'The loan ends on ',
  })
})

test('texts without a translation are one gap, and shown in the first language', () => {
  const { app } = read(text => text.replace('| Out | Ausgegeben |\n| hand out | ausgeben |\n', ''))
  expect(app.gaps.map(({ what, consequence }) => `${what}: ${consequence}`)).toContain(
    '2 texts in German: `Out`, `hand out`: people read English',
  )
  expect(wordFor(appIn(app, 'de'), 'Out')).toBe('Out')
  expect(read().app.gaps.filter(({ what }) => what.includes('German'))).toEqual([])
})

test('a language that Ninefold does not speak says so', () => {
  const { app } = read(text => text.replace('English, German', 'English, German, French'))
  expect(app.gaps.map(({ what }) => what)).toContain('the words of Ninefold itself in French')
})

test('a mistake in a translated message is reported where it stands', () => {
  const { codes } = read(text => text.replace('endet am {due_back}', 'endet am {due_bak}'))
  expect(codes.filter(code => code.startsWith('N02'))).toHaveLength(1)
  expect(codes.find(code => code.startsWith('N0201'))).toContain('due_bak')
})
