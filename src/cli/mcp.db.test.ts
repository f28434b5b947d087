/** `ninefold mcp` as an assistant's client meets it: a process of its own, asked over its standard input and output. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { patience } from '../../scripts/limits.ts'

const home = join(import.meta.dirname, '../..')
const client = new Client({ name: 'test', version: '1' })
const failures: Error[] = []
let folder: string
let desk: string
let wrong: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ninefold mcp '))
  cpSync(join(home, 'examples', 'requests'), folder, { recursive: true })
  desk = join(folder, 'requests.md')
  wrong = join(folder, 'wrong.md')
  writeFileSync(wrong, readFileSync(desk, 'utf8').replace('| cost | money EUR |', '| cost | money EURO |'))
  client.onerror = error => failures.push(error)
  const { PATH = '' } = process.env
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(home, 'bin', 'ninefold.mjs'), 'mcp'],
      env: { PATH, DATABASE_URL: inject('databaseUrl') },
      stderr: 'ignore',
    }),
  )
})
afterAll(async () => {
  await client.close()
  rmSync(folder, { recursive: true })
})

async function ask(name: string, args: Readonly<Record<string, unknown>>): Promise<{ text: string; isError: boolean }> {
  const answer = await client.callTool({ name, arguments: args }, undefined, { timeout: patience.step })
  const [content] = answer.content as readonly { readonly text: string }[]
  // What is not of the protocol on standard output would be told as an error.
  expect(failures).toEqual([])
  return { text: content!.text, isError: answer.isError === true }
}

test('its tools are commands, and say what they take', async () => {
  const { tools } = await client.listTools()
  const names = ['check', 'gaps', 'explain', 'plan', 'diff', 'verify', 'format', 'reference', 'examples', 'preview']
  expect(tools.map(({ name }) => name)).toEqual(names)
  expect(tools.filter(({ description = '' }) => description === '')).toEqual([])
  expect(tools.find(({ name }) => name === 'preview')!.inputSchema.required).toEqual(['file', 'address'])
  expect(tools.flatMap(({ name, annotations }) => (annotations?.readOnlyHint === true ? [] : [name]))).toEqual([
    'format',
  ])
})

test('the language in one page can be read before all else', async () => {
  const { contents } = await client.readResource({ uri: 'ninefold://core' })
  expect(contents).toEqual([
    { uri: 'ninefold://core', text: readFileSync(join(home, 'docs/language/core.md'), 'utf8') },
  ])
})

test.each<readonly [string, () => Readonly<Record<string, unknown>>, RegExp]>([
  ['check', () => ({ file: desk }), /^No errors/],
  ['check', () => ({ file: wrong }), /wrong\.md:\d+:\d+ error N13\d\d .*EURO/],
  ['check', () => ({ file: wrong, format: 'json' }), /^\{"path":"wrong\.md".*"fixes":\[/],
  ['gaps', () => ({ file: desk }), /./],
  ['explain', () => ({ file: desk, thing: 'approve' }), /requests\.md:\d+[\s\S]*Approver/],
  ['explain', () => ({ thing: 'N1304' }), /^# N1304: unknown field/],
  ['plan', () => ({ file: desk }), /./],
  ['diff', () => ({ before: desk, after: desk }), /^No differences\.\n$/],
  ['verify', () => ({ file: desk, scenarios: true }), /somebody else decides|\d+ passed, 0 failed\n$/],
  ['format', () => ({ file: desk, check: true }), /^$/],
  ['reference', () => ({ question: 'several approvals' }), /docs\/language\/4-states\.md/],
  ['reference', () => ({ question: 'scenarios', page: 2 }), /──── Page 2 of \d/],
  ['examples', () => ({ topic: 'approvals by amount' }), /examples\/purchasing\/purchasing\.md/],
  ['preview', () => ({ file: desk, address: '/board', person: 'Ann' }), /Board[\s\S]*A second screen/],
])('%s answers what the command says', async (name, args, words) => {
  const { text, isError } = await ask(name, args())
  expect(isError).toBe(false)
  expect(text).toMatch(words)
})

test('a preview says which row of the sample data is left out, by which rule', async () => {
  const file = join(folder, 'past.md')
  const written = readFileSync(desk, 'utf8').replace('| V-1 | Request on ask |', '| V-1 | Request |')
  writeFileSync(file, written.replace('today + 7 | Mia', 'today - 7 | Mia'))
  const { text, isError } = await ask('preview', { file, address: '/board', person: 'Ann' })
  expect(isError).toBe(false)
  expect(text).toMatch(/past\.md:\d+(?::\d+)?: this row of the sample data is left out: .* \(E-\w+, .*past\.md:\d+/)
})

test('a call that is wrong says what to do instead, and the server goes on', async () => {
  const nowhere = await ask('check', { file: join(folder, 'nowhere.md') })
  expect(nowhere).toEqual({ text: expect.stringContaining("There is no file '"), isError: true })
  const nobody = await ask('preview', { file: desk, address: '/board', person: 'Nobody' })
  expect(nobody).toEqual({
    text: expect.stringContaining("has no demo person 'Nobody'. There are: Max"),
    isError: true,
  })
  const beyond = await ask('reference', { question: 'scenarios', page: 99 })
  expect(beyond).toEqual({ text: expect.stringContaining("There is no page '99' of this answer"), isError: true })
  expect(await ask('check', {})).toMatchObject({ isError: true, text: expect.stringContaining('file') })
  expect((await ask('check', { file: desk })).isError).toBe(false)
  // What is left out of a question unseen would be taken for answered.
  expect(await ask('check', { file: desk, strictly: true })).toMatchObject({
    isError: true,
    text: expect.stringContaining('strictly'),
  })
})
