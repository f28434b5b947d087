import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { paperOf } from '../kinds/screens/print/screen.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import type { App } from './app.ts'
import { gapTexts } from './gaps/gap.ts'
import { readApp } from './index.ts'
import { appFor, appIn, chooseLanguage, offeredLanguages, wordFor } from './translate.ts'

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
    paperOf(of.screens.at(-1)!)!.parts[0]!.text!.parts.map(part =>
      part.kind === 'text' ? part.text : part.kind === 'value' ? part.format : '',
    )
  expect([texts(app), texts(appIn(app, 'de'))]).toEqual([
    ['Back by ', null, '.'],
    ['Zurück am ', 'long', '.'],
  ])
  expect(paperOf(appIn(app, 'de').screens.at(-1)!)!.title!.parts).toEqual([{ kind: 'text', text: 'Ausleihe' }])
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

test('the word of a mark is a text to translate; when it stands there is the same', () => {
  const mark = '### Loan\n\n- **Mark:** Late where due_back < today; bad\n\n| Field'
  const { app } = read(text => text.replace('### Loan\n\n| Field', mark))
  expect(app.gaps.map(gap => gapTexts(gap).what)).toContainEqual(expect.stringMatching(/in German: `Late`$/))
  const { app: said } = read(text =>
    text
      .replace('### Loan\n\n| Field', mark)
      .replace('| Loan | Ausleihe |', '| Loan | Ausleihe |\n| Late | Verspätet |'),
  )
  const [late] = appIn(said, 'de').entities.get('loan')!.marks
  expect([late!.name.text, late!.tone]).toEqual(['Verspätet', 'bad'])
})

test('texts without a translation are one gap, and shown in the first language', () => {
  const { app } = read(text => text.replace('| Out | Ausgegeben |\n| hand out | ausgeben |\n', ''))
  expect(app.gaps.map(gap => gapTexts(gap)).map(({ what, consequence }) => `${what}: ${consequence}`)).toContain(
    '2 texts in German: `Out`, `hand out`: people read English',
  )
  expect(wordFor(appIn(app, 'de'), 'Out')).toBe('Out')
  expect(read().app.gaps.filter(({ params }) => params.language !== undefined)).toEqual([])
})

test('a language that Ninefold does not speak says so', () => {
  const { app } = read(text => text.replace('English, German', 'English, German, Finnish'))
  expect(app.gaps.map(gap => gapTexts(gap).what)).toContain('the words of Ninefold itself in Finnish')
})

test('a mistake in a translated message is reported where it stands', () => {
  const { codes } = read(text => text.replace('endet am {due_back}', 'endet am {due_bak}'))
  expect(codes.filter(code => code.startsWith('N02'))).toHaveLength(1)
  expect(codes.find(code => code.startsWith('N0201'))).toContain('due_bak')
})

const withMail = (more: string, body = '') =>
  read(text =>
    text
      .replace('| Clerk | Ausgabe |', '| Clerk | Ausgabe |\n| {state} today | Heute {state} |')
      .replace(
        '| Transition | From | To | Who |\n| --- | --- | --- | --- |',
        '| Transition | From | To | Who | Then |\n| --- | --- | --- | --- | --- |',
      )
      .replace('| hand out | Requested | Out | Clerk |', '| hand out | Requested | Out | Clerk | send mail out |')
      .replace(
        '## 8 The',
        `## 7 The calls it makes\n\n| Mail | To | Subject | Body |\n| --- | --- | --- | --- |\n| out | Clerk | {state} today | ${body} |\n${more}\n## 8 The`,
      ),
  )
const fenced = (name: string, text: string) => `\n\`\`\`ninefold mail ${name}\n${text}\n\`\`\`\n`

test('a mail is in the other language, by the table or by a fence of its own, and so are the states in it', () => {
  const { app, codes } = withMail(fenced('out', 'It is\n{state}.') + fenced('out in German', 'Es ist\n{state}.'))
  expect(codes.filter(code => !code.startsWith('N1002'))).toEqual([])
  const words = ({ mails }: App) => {
    const { subject, body } = mails.get('out')!
    return [subject, body].map(text => (text !== null && 'parts' in text ? text.parts : null))
  }
  const [first, own] = [words(app), words(appIn(app, 'de'))]
  expect(first[0]!.map(part => ('words' in part ? part.words : part.kind))).toEqual(['value', 'text'])
  expect(
    own.map(parts => parts!.map(part => (part.kind === 'text' ? part.text : part.kind === 'value' && part.words))),
  ).toEqual([
    ['Heute ', { Requested: 'Beantragt', Out: 'Ausgegeben' }],
    ['Es ist\n', { Requested: 'Beantragt', Out: 'Ausgegeben' }, '.'],
  ])
  expect(appIn(appIn(app, 'de'), 'en')).toBe(app)
})

test('a mail that is not translated is a gap', () => {
  const missing = (reading: ReturnType<typeof withMail>) =>
    reading.app.gaps.flatMap(gap => (gap.params.language === 'de' ? [gapTexts(gap).what] : []))
  expect(missing(withMail(fenced('out', 'It is\n{state}.')))).toEqual(['a text in German: `ninefold mail out`'])
  expect(missing(withMail('', 'It is out.'))).toEqual(['a text in German: `It is out.`'])
  expect(missing(withMail('', '{state}'))).toEqual([])
})

test.each([
  [['en', 'de'], ['de-at'], 'de'],
  [['en', 'de-CH'], ['de'], 'de-CH'],
  [['en', 'de'], ['fr', 'de', 'en'], 'de'],
  [['en', 'de'], ['fr'], 'en'],
  [['de', 'en'], [], 'de'],
  [['en'], ['de'], 'en'],
])('of %s, for somebody who wants %s: %s', (offered, wanted, chosen) => {
  expect(chooseLanguage(offered, wanted)).toBe(chosen)
})

test('whoever chose no language gets the default one, which need not be the one of the document', () => {
  const { app } = read(text => text.replace('English, German', 'English, German\n- **Default language:** German'))
  expect(offeredLanguages(app)).toEqual(['de', 'en'])
  expect([appFor(app, null), appFor(app, 'en-GB'), appFor(app, 'fr')].map(({ language }) => language)).toEqual([
    'de',
    'en',
    'de',
  ])
  expect(offeredLanguages(read().app)).toEqual(['en', 'de'])
})

test('a page of prose has its words in other languages below itself', () => {
  const { app, codes } = read(text =>
    text
      .replace('| list of Loan |', '| list of Loan |\n| /help | Help | Clerk | text |')
      .replace(
        '## 3 Ent',
        '### Help\n\nAsk *Ben*.\n\n#### Where\n\nRoom 1.\n\n#### In German\n\nFragen Sie *Ben*.\n\n#### Wo\n\nRaum 1.\n\n## 3 Ent',
      ),
  )
  expect(codes.filter(code => !code.startsWith('N1002'))).toEqual([])
  const textIn = (of: App) =>
    usesOf(of.screens.find(({ name }) => name.text === 'Help' || name.text === 'Hilfe')!).text!.text!.text
  expect(textIn(app)).toBe('Ask *Ben*.\n\n#### Where\n\nRoom 1.')
  expect(textIn(appIn(app, 'de'))).toBe('Fragen Sie *Ben*.\n\n#### Wo\n\nRaum 1.')
})
