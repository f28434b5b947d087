import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type CodeAction,
  type CompletionItem,
  createProtocolConnection,
  type Diagnostic,
  type DocumentSymbol,
  type FoldingRange,
  type Hover,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
} from 'vscode-languageserver/node'
import { legend } from './colours.ts'
import { serveEditor } from './server.ts'

const examples = join(import.meta.dirname, '../../examples')
const example = join(examples, 'loan-desk/loan-desk.md')

let folder: string
let client: ProtocolConnection
let told: { uri: string; diagnostics: Diagnostic[] }[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'editor '))
  const [toServer, toClient] = [new PassThrough(), new PassThrough()]
  serveEditor(toServer, toClient)
  client = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer))
  told = []
  client.onNotification('textDocument/publishDiagnostics', one => void told.push(one))
  client.listen()
  await client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} })
  await client.sendNotification('initialized', {})
})
afterEach(() => {
  client.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const desk = `# Desk

## 3 Entities and their fields

### Item

| Field | Type | Rules |
| --- | --- | --- |
| tag | text 12 | required |
| bought_on | date | |

## 5 Validation rules

| Rule | Applies to | Must hold | Error |
| --- | --- | --- | --- |
| V-1 | Item | bought_on <= today | E-1 |

## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-1 | It was not bought yet. |
`

const uriOf = (name: string) => pathToFileURL(join(folder, name)).href
const save = (name: string, text: string) => writeFileSync(join(folder, name), text)

async function open(name: string, text: string): Promise<string> {
  save(name, text)
  const uri = uriOf(name)
  await client.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'markdown', version: 1, text },
  })
  return uri
}

/** What is said of a file next. */
async function said(uri: string): Promise<readonly Diagnostic[]> {
  await expect.poll(() => told.some(one => one.uri === uri)).toBe(true)
  const found = told.findLast(one => one.uri === uri)!.diagnostics
  told = []
  return found
}

async function edit(uri: string, text: string, from: string, to: string): Promise<string> {
  const at = text.indexOf(from)
  const before = text.slice(0, at).split('\n')
  const start = { line: before.length - 1, character: before.at(-1)!.length }
  const end = { line: start.line, character: start.character + from.length }
  await client.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start, end }, text: to }],
  })
  return text.replace(from, to)
}

const problems = (found: readonly Diagnostic[]) =>
  found.filter(({ severity }) => severity === 1).map(({ code }) => code)

test('a mistake is told where it is while one writes, and its fix cures it', async () => {
  const uri = await open('desk.md', desk)
  expect(problems(await said(uri))).toEqual([])
  const broken = await edit(uri, desk, 'bought_on <=', 'boughton <=')
  const [found] = (await said(uri)).filter(({ severity }) => severity === 1)
  expect(found).toMatchObject({ code: 'N0201', source: 'ninefold', range: { start: { line: 15, character: 15 } } })
  const actions = (await client.sendRequest('textDocument/codeAction', {
    textDocument: { uri },
    range: found!.range,
    context: { diagnostics: [found] },
  })) as CodeAction[]
  const [{ newText, range }] = actions.find(({ title }) => title.startsWith('N0201'))!.edit!.changes![uri] as [TextEdit]
  expect([newText, range]).toEqual(['bought_on', found!.range])
  await edit(uri, broken, 'boughton', newText)
  expect(problems(await said(uri))).toEqual([])
})

test('a file that is no document is left alone; a part is read with its document, and what is wrong is told in each of its files', async () => {
  const readme = await open('README.md', '# Read me\n\n## Installing\n\n| a | b |\n| --- | --- |\n')
  expect(await said(readme)).toEqual([])
  mkdirSync(join(folder, 'parts'))
  save('desk.md', `# Desk\n\n- **Part:** [Entities](parts/entities.md)\n\n${desk.slice(desk.indexOf('## 5'))}`)
  const uri = await open('parts/entities.md', desk.slice(desk.indexOf('## 3'), desk.indexOf('## 5')))
  expect(problems(await said(uri))).toEqual([])
  await edit(uri, desk.slice(desk.indexOf('## 3')), 'bought_on', 'bought_at')
  await expect
    .poll(() => told.some(one => one.uri === uriOf('desk.md') && problems(one.diagnostics)[0] === 'N0201'))
    .toBe(true)
})

test('names, outline and even tables, as the editor asks for them', async () => {
  const text = desk.replace('bought_on <= today', 'b')
  const uri = await open('desk.md', text)
  const line = text.split('\n').findIndex(one => one.startsWith('| V-1'))
  const at = { textDocument: { uri }, position: { line, character: '| V-1 | Item | b'.length } }
  const offered = (await client.sendRequest('textDocument/completion', at)) as CompletionItem[]
  expect(offered.find(({ label }) => label === 'bought_on')).toMatchObject({
    detail: 'date',
    textEdit: { range: { start: { line, character: 15 }, end: { line, character: 16 } }, newText: 'bought_on' },
  })
  const symbols = (await client.sendRequest('textDocument/documentSymbol', {
    textDocument: { uri },
  })) as DocumentSymbol[]
  expect(symbols.map(({ name, children }) => [name, children?.map(({ name }) => name)])).toEqual([
    ['Desk', ['3 Entities and their fields', '5 Validation rules', '8 The error catalogue']],
  ])
  const folded = (await client.sendRequest('textDocument/foldingRange', { textDocument: { uri } })) as FoldingRange[]
  const rows = text.split('\n')
  expect(folded.map(({ startLine, endLine }) => [rows[startLine], rows[endLine]])).toEqual([
    ['# Desk', '| E-1 | It was not bought yet. |'],
    ['## 3 Entities and their fields', '| bought_on | date | |'],
    ['### Item', '| bought_on | date | |'],
    ['## 5 Validation rules', '| V-1 | Item | b | E-1 |'],
    ['## 8 The error catalogue', '| E-1 | It was not bought yet. |'],
    ['| Field | Type | Rules |', '| bought_on | date | |'],
    ['| Rule | Applies to | Must hold | Error |', '| V-1 | Item | b | E-1 |'],
    ['| Code | Message |', '| E-1 | It was not bought yet. |'],
  ])
  const format = () =>
    client.sendRequest('textDocument/formatting', {
      textDocument: { uri },
      options: { tabSize: 2, insertSpaces: true },
    })
  expect(await format()).toEqual([])
  await edit(uri, text, '| tag |', '|tag  |')
  expect(await format()).toMatchObject([{ newText: text }])
})

test('the name at the cursor: what it is, where it stands, and another name, or why not', async () => {
  const uri = await open('desk.md', desk)
  const line = desk.split('\n').findIndex(one => one.startsWith('| V-1'))
  const at = { textDocument: { uri }, position: { line, character: '| V-1 | Item | bou'.length } }
  expect(await client.sendRequest('textDocument/hover', at)).toMatchObject({
    contents: { value: expect.stringMatching(/^\*\*field bought_on of Item\*\*\n- date\./) },
  })
  const declared = { uri, range: { start: { line: 9, character: 2 }, end: { line: 9, character: 11 } } }
  expect(await client.sendRequest('textDocument/definition', at)).toEqual([declared])
  const references = { ...at, context: { includeDeclaration: true } }
  expect(await client.sendRequest('textDocument/references', references)).toHaveLength(2)
  expect(await client.sendRequest('textDocument/prepareRename', at)).toMatchObject({ start: { line, character: 15 } })
  const { changes } = (await client.sendRequest('textDocument/rename', { ...at, newName: 'acquired_on' })) as {
    changes: Record<string, TextEdit[]>
  }
  expect(changes[uri]!.map(({ newText }) => newText)).toEqual(['acquired_on (was bought_on)', 'acquired_on'])
  await expect(client.sendRequest('textDocument/rename', { ...at, newName: 'tag' })).rejects.toThrow('cannot be called')
})

test('a word of the language is told with its meaning and where to read on; prose is none', async () => {
  const text = desk
    .replace('# Desk\n', '# Desk\n\nEach date is required.\n')
    .replace('<= today', '<= today and length(tag) > 3')
  const uri = await open('desk.md', text)
  const told = async (line: string, word: string) => {
    const at = text.indexOf(word, text.indexOf(line)) + 1
    const before = text.slice(0, at).split('\n')
    const position = { line: before.length - 1, character: before.at(-1)!.length }
    const hover = (await client.sendRequest('textDocument/hover', { textDocument: { uri }, position })) as Hover | null
    return hover === null ? null : (hover.contents as { value: string }).value.split('\n')[0]
  }
  expect(await told('| tag |', 'text')).toBe('**type `text [length]`**')
  expect(await told('| tag |', 'required')).toBe('**word `required`**')
  expect(await told('| bought_on |', 'date')).toBe('**type `date`**')
  expect(await told('| Rule |', 'Must hold')).toBe('**column `Must hold`**')
  expect(await told('| Rule |', 'hold')).toBe('**column `Must hold`**')
  expect(await told('| V-1 |', 'length')).toBe('**function `length(`**')
  expect(await told('Each date', 'date')).toBe(null)
})

test('every beginning of a line of an example, half-written tables among them, is answered', async () => {
  const text = readFileSync(example, 'utf8')
  const lines = text.split('\n')
  const uri = await open('half.md', '# Half\n')
  for (let count = 1; count < lines.length; count += 7) {
    const half = lines.slice(0, count).join('\n') + lines[count]!.slice(0, lines[count]!.length / 2)
    await client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: count + 1 },
      contentChanges: [{ text: half }],
    })
    const end = { line: count - 1, character: 200 }
    const range = { start: { line: 0, character: 0 }, end }
    await client.sendRequest('textDocument/completion', { textDocument: { uri }, position: end })
    await client.sendRequest('textDocument/codeAction', { textDocument: { uri }, range, context: { diagnostics: [] } })
  }
  expect(lines.length).toBeGreaterThan(200)
})

/** The words that a file's colours stand at, with what they are. */
async function coloured(uri: string, text: string): Promise<readonly (readonly [word: string, is: string])[]> {
  const { data } = (await client.sendRequest('textDocument/semanticTokens/full', { textDocument: { uri } })) as {
    data: readonly number[]
  }
  const lines = text.split('\n')
  const found: [string, string][] = []
  let [line, character] = [0, 0]
  for (let at = 0; at < data.length; at += 5) {
    const [down, right, length, type] = data.slice(at, at + 4) as [number, number, number, number]
    character = down === 0 ? character + right : right
    line += down
    found.push([lines[line]!.slice(character, character + length), legend.tokenTypes[type]!])
  }
  return found
}

test('names, values and words of the language have their colours, and prose has none', async () => {
  const text = desk.replace('bought_on <= today', 'bought_on <= today and length(tag) > 3 and tag != "bought_on"')
  const uri = await open('desk.md', text)
  expect(await coloured(uri, text)).toEqual([
    ['Item', 'class'],
    ['tag', 'property'],
    ['12', 'number'],
    ['bought_on', 'property'],
    ['Item', 'class'],
    ['bought_on', 'property'],
    ['today', 'keyword'],
    ['and', 'keyword'],
    ['length', 'function'],
    ['tag', 'property'],
    ['3', 'number'],
    ['and', 'keyword'],
    ['tag', 'property'],
    ['"bought_on"', 'string'],
    ['E-1', 'macro'],
    ['E-1', 'macro'],
  ])
})

test('the entity at the cursor is shown with its states, with who may do what, and with who leads it where', async () => {
  const text = readFileSync(example, 'utf8')
  const uri = await open('loan-desk.md', text)
  const ask = (command: string, words: string) => {
    const line = text.split('\n').findIndex(one => one.startsWith(words))
    return client.sendRequest('workspace/executeCommand', {
      command,
      arguments: [{ uri, position: { line, character: 3 } }],
    })
  }
  expect(await ask('ninefold.states', '| due_back')).toMatchObject({
    title: 'States of Loan',
    text: expect.stringMatching(/^## Loan\n\n```mermaid\nstateDiagram-v2\n {2}\[\*\] --> Draft\n/),
  })
  expect(await ask('ninefold.access', '### Loan')).toMatchObject({
    title: 'Access to Loan',
    text: expect.stringContaining('| Borrower | `borrower = me` | yes | `borrower = me and state = Draft` |'),
  })
  expect(await ask('ninefold.ways', '### Loan')).toMatchObject({
    title: 'Ways of Loan',
    text: expect.stringContaining('    submit → Requested: Borrower, when `borrower = me` (loan-desk.md:'),
  })
  expect(await ask('ninefold.states', '### Category')).toBeNull()
  expect(await ask('ninefold.access', '## 2 ')).toBeNull()
})

/** Of what an editor asks as soon as it opens a file. */
test.each(readdirSync(examples).filter(name => existsSync(join(examples, name, `${name}.md`))))(
  'the whole of %s: nothing is wrong, and every question is answered',
  async name => {
    const path = join(examples, name, `${name}.md`)
    const text = readFileSync(path, 'utf8')
    const uri = pathToFileURL(path).href
    const textDocument = { uri }
    await client.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'markdown', version: 1, text },
    })
    expect(problems(await said(uri))).toEqual([])
    expect(await client.sendRequest('textDocument/formatting', { textDocument, options: {} })).toEqual([])
    const words = await coloured(uri, text)
    expect(words.length).toBeGreaterThan(100)
    expect(words.filter(([word]) => !/^(?:"[^|]*"|[\p{L}\p{N}_][^|"*]*)$/u.test(word))).toEqual([])
    const lines = text.split('\n')
    for (let line = 0; line < lines.length; line += 41) {
      const position = { line, character: Math.floor(lines[line]!.length / 2) }
      for (const method of ['hover', 'definition', 'documentHighlight', 'completion'])
        await client.sendRequest(`textDocument/${method}`, { textDocument, position })
    }
  },
)
