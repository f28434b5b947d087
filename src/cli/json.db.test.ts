/** What commands print with `--json` is one object as its schema has it, and nothing else. */
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../store/testing.ts'
import { commands } from './commands.ts'
import { main } from './main.ts'

const schemas = join(import.meta.dirname, '../../docs/schemas')
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })
for (const file of readdirSync(schemas)) ajv.addSchema(JSON.parse(readFileSync(join(schemas, file), 'utf8')))

const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
vi.spyOn(console, 'error').mockImplementation(() => {})
vi.spyOn(process.stdout, 'on').mockReturnThis()
let folder: string
let desk: string
let wrong: string
let database: TestDatabase

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ninefold-json-'))
  cpSync('examples/requests', folder, { recursive: true })
  desk = join(folder, 'requests.md')
  wrong = join(folder, 'wrong.md')
  writeFileSync(wrong, '# Wrong\n\n## 3 Entities and their fields\n\n### Loan\n\n| Feld |\n| --- |\n| a |\n')
  writeFileSync(join(folder, 'shop.jdl'), 'entity Item { name String required }\n')
  database = await createTestDatabase(inject('databaseUrl'))
  vi.stubEnv('DATABASE_URL', database.url)
})
afterEach(() => {
  printed.mockClear()
  written.mockClear()
})
afterAll(async () => {
  // Test files share what they load.
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** Its exit code, and the one object that it printed, which fits the schema. */
async function told(schema: string, ...args: readonly string[]): Promise<Record<string, unknown>> {
  const exit = await main([...args, '--json'])
  expect(printed.mock.calls).toHaveLength(1)
  expect(written).not.toHaveBeenCalled()
  const value = JSON.parse(printed.mock.calls[0]![0])
  ajv.validate(`${schema}.json`, value)
  expect(ajv.errors ?? []).toEqual([])
  return { exit, ...value }
}

/** In an order in which each finds what it needs. */
const calls: readonly (readonly [command: string, ...args: string[]])[] = [
  ['check', 'DESK'],
  ['check', 'DESK', '--strict'],
  ['check', 'DESK', '--ways'],
  ['gaps', 'DESK'],
  ['explain', 'DESK', 'Request'],
  ['explain', 'N0251'],
  ['states', 'DESK'],
  ['reference', 'several', 'approvals'],
  ['reference', 'scenarios', '--page', '2'],
  ['examples', 'timers'],
  ['preview', 'DESK', '/requests', '--person', 'Ann'],
  ['format', 'DESK', '--check'],
  ['upgrade', 'DESK', '--check'],
  ['types', 'DESK'],
  ['diff', 'DESK', 'DESK'],
  ['diff', 'DESK', 'examples/loan-desk/loan-desk.md'],
  ['import', 'jdl', 'FOLDER/shop.jdl'],
  ['new', 'FOLDER/made'],
  ['plan', 'DESK'],
  ['apply', 'DESK'],
  ['backlog', 'DESK'],
  ['backup', 'DESK', '--to', 'FOLDER/backup'],
  ['person', 'DESK', '--email', 'ada@example.org', '--name', 'Ada'],
  ['person', 'DESK', '--email', 'ada@example.org', '--give-out', 'FOLDER/out', '--erase'],
  // Found as it is written, though it is kept as mail servers know it.
  ['person', 'DESK', '--email', 'ida@müller.de', '--name', 'Ida'],
  ['person', 'DESK', '--email', 'Ida@Müller.de', '--erase'],
  ['verify', 'DESK', '--scenarios'],
]

const filled = (args: readonly string[]) => args.map(arg => arg.replace('DESK', desk).replace('FOLDER', folder))

test.each(calls.map(call => [call.join(' '), call] as const))('%s', async (_, [command, ...args]) => {
  const { exit } = await told(command, command, ...filled(args))
  // Assumptions that are not accepted, and differences.
  expect(exit).toBe(args.includes('--strict') || args.includes('examples/loan-desk/loan-desk.md') ? 1 : 0)
})

test('every command that ends is among them', () => {
  // `dev` is asked in dev.db.test.ts, `restore` in backup.db.test.ts; the others speak as they always do.
  const others = ['dev', 'restore', 'serve', 'lsp', 'mcp']
  expect([...new Set([...calls.map(([command]) => command), ...others])].sort()).toEqual(Object.keys(commands).sort())
})

test('a value says what the text says', async () => {
  const { findings, document } = await told('check', 'check', wrong)
  expect(document).toMatchObject({ file: 'wrong.md', name: 'Wrong' })
  expect(findings).toContainEqual(expect.objectContaining({ path: 'wrong.md', line: 7, severity: 'error' }))
  printed.mockClear()
  expect(await told('plan', 'plan', desk)).toMatchObject({ exit: 0, possible: true, steps: [], findings: [] })
})

test.each([
  [1, ['states', 'WRONG']],
  [1, ['backlog', 'WRONG']],
  [1, ['plan', 'WRONG']],
  [1, ['apply', 'WRONG']],
  [1, ['types', 'WRONG']],
  [1, ['person', 'WRONG', '--email', 'eve@example.org']],
  [1, ['explain', 'DESK', 'nothing']],
  [1, ['reference', 'xyzzy']],
  [2, ['reference', 'approvals', '--page', '0']],
  [2, ['examples', 'approvals', '--page', 'two']],
  [1, ['preview', 'DESK', '/nowhere']],
  [2, ['preview', 'DESK', '/requests', '--person', 'Nobody']],
  [2, ['diff', 'WRONG', 'WRONG']],
  [2, ['check', 'nowhere.md']],
  [2, ['backlog', 'nowhere.md']],
  [2, ['backup', 'nowhere.md', '--to', 'FOLDER/never']],
  [2, ['restore', 'nowhere.md', '--from', 'FOLDER/backup']],
  [2, ['restore', 'DESK', '--from', 'FOLDER/nowhere']],
  [2, ['check', 'DESK', '--frmat', 'json']],
  [2, ['chek', 'DESK']],
  [1, ['person', 'DESK', '--email', 'nobody@example.org']],
])('exit code %i and the reason: %j', async (exit, args) => {
  const refused = await told('error', ...filled(args).map(arg => arg.replace('WRONG', wrong)))
  expect(refused).toMatchObject({ exit, error: expect.stringMatching(/./) })
  expect((refused.findings as readonly unknown[]).length > 0).toBe(args.includes('WRONG'))
})

test('what is explained of a document with errors is no success', async () => {
  expect(await told('explain', 'explain', wrong, 'Loan')).toMatchObject({ exit: 1, thing: 'Loan' })
})

test('a database user who was granted nothing is told what to ask for', async () => {
  const role = `reader_${randomUUID().replaceAll('-', '')}`
  const grant = (text: string) => database.store.inSession(session => session.execute(text))
  await grant(`create role ${role} login password 'reader'`)
  const url = new URL(database.url)
  url.username = role
  url.password = 'reader'
  vi.stubEnv('DATABASE_URL', url.href)
  try {
    const person = ['--email', 'eve@example.org', '--name', 'Eve']
    const calls = [
      ['plan', desk],
      ['apply', desk],
      ['backlog', desk],
      ['person', desk, ...person],
    ] as const
    for (const call of calls) {
      const refused = await told('error', ...call)
      expect(refused).toMatchObject({
        exit: 1,
        error: expect.stringContaining('permission denied for schema ninefold'),
      })
      printed.mockClear()
    }
  } finally {
    vi.stubEnv('DATABASE_URL', database.url)
    await grant(`drop owned by ${role}; drop role ${role}`)
  }
})
