import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
} from 'vscode-languageserver/node'
import { serveEditor } from './server.ts'

const example = join(import.meta.dirname, '../../examples/loan-desk/loan-desk.md')

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
