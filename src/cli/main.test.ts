import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { commands } from './commands.ts'
import { main } from './main.ts'

const said = vi.spyOn(console, 'error').mockImplementation(() => {})
vi.spyOn(process.stdout, 'on').mockReturnThis()
const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
afterEach(() => {
  said.mockClear()
  printed.mockClear()
  vi.unstubAllEnvs()
})
// Test files share what they load.
afterAll(() => vi.restoreAllMocks())

const document = 'examples/loan-desk/loan-desk.md'

test.each([
  [['chek', document], "There is no command 'chek'; did you mean `check`?"],
  [['constructor'], "There is no command 'constructor'. Commands: new, dev, serve"],
  [['help', 'pln'], "There is no command 'pln'; did you mean `plan`?"],
  [['check', '--strikt', document], "'ninefold check' has no option '--strikt'; did you mean `--strict`?"],
  [['check'], 'takes one file; none was named. For example: npx ninefold check app.md'],
  [['check', 'a.md', 'b.md'], 'takes one file; 2 were named'],
  [['check', 'nowhere.md'], "There is no file 'nowhere.md'. Name the document's root file"],
  [['check', 'examples'], "'examples' is not a file. Name the document's root file"],
  [['import', 'jdl', 'examples'], "'examples' is not a file. Name a model"],
  [['import', 'database', 'psql://localhost/shop'], 'is written like postgres://name:password@host:5432/database'],
])('%j is refused in one message that says what to do', async (args, words) => {
  expect(await main(args)).toBe(2)
  expect(said).toHaveBeenCalledOnce()
  expect(said.mock.calls[0]?.[0]).toContain(words)
})

test.each(['nonsense', 'mysql://ada:s3cret@localhost/shop', 'postgres://ada:s3#cret@localhost/shop'])(
  'a DATABASE_URL of %s is no address, and its password is not repeated',
  async url => {
    vi.stubEnv('DATABASE_URL', url)
    expect(await main(['plan', document])).toBe(2)
    expect(said.mock.calls[0]?.[0]).toMatch(/^DATABASE_URL is not the address of a PostgreSQL database\. (?!.*cret)/)
  },
)

test('a command tells its options, and what it says can be typed', async () => {
  expect(await main(['help', 'plan'])).toBe(0)
  expect(printed.mock.calls[0]?.[0]).toContain('--adopt …')
  const { typed } = await import('./command.ts')
  expect(typed('check', "Ada's desk.md")).toBe(`npx ninefold check 'Ada'\\''s desk.md'`)
  expect(typed('check', 'docs/app.md')).toBe('npx ninefold check docs/app.md')
})

test('a code is explained, whether or not a document is named with it', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    expect(await main(['explain', 'n0251'])).toBe(0)
    expect(await main(['explain', document, 'N0251'])).toBe(0)
    expect(write.mock.calls.map(([text]) => String(text).split('\n')[0])).toEqual(
      Array(2).fill(expect.stringMatching(/^# N0251: /)),
    )
  } finally {
    write.mockRestore()
  }
})

test('a role that nobody is given, and one that is not there, are told before anybody is created', async () => {
  const person = (role: string) => main(['person', document, '--email', 'a@example.org', '--name', 'A', '--role', role])
  expect([await person('Borrower'), await person('Clerc')]).toEqual([1, 1])
  expect(said.mock.calls[0]?.[0]).toMatch(
    /^Nobody is appointed to the role 'Borrower': loan-desk\.md:\d+:\d+ says who has it\. Roles that people are appointed to: Clerk, Manager/,
  )
  expect(said.mock.calls[1]?.[0]).toContain("There is no role 'Clerc'; did you mean `Clerk`?")
})

test('a folder that takes no folder is no place for files', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://localhost:1/desk')
  vi.stubEnv('FILES_URL', 'file:///proc/ninefold/files')
  vi.stubEnv('WEB_PROCESSES', '1')
  expect(await main(['serve', document])).toBe(1)
  expect(said.mock.calls[0]?.[0]).toMatch(
    /^No file can be kept in \/proc\/ninefold\/files\/incoming: the folder is not there\. .*set FILES_URL to a folder/,
  )
})

test('what is open is listed, and that there are errors is said beside it', async () => {
  expect(await main(['gaps', document])).toBe(0)
  expect(said).not.toHaveBeenCalled()
  const wrong = 'src/headings/2-screens/fixtures/addresses.md'
  expect(await main(['gaps', wrong])).toBe(1)
  expect(printed.mock.calls.at(-1)?.[0]).toMatch(/^\d+ gaps?: /)
  expect(said.mock.calls[0]?.[0]).toMatch(/addresses\.md has \d+ errors; .* To see them: npx ninefold check src\//)
})

test('the texts that a language lacks are a table to fill in', async () => {
  const absences = readFileSync('examples/absence-desk/absence-desk.md', 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-'))
  try {
    const file = join(folder, 'absences.md')
    writeFileSync(file, absences.replace('| Deputy | Vertretung |\n', ''))
    expect(await main(['gaps', file, '--texts', 'German'])).toBe(0)
    expect(printed.mock.calls.at(-1)?.[0]).toBe('### German\n\n| Text | Translation |\n| --- | --- |\n| Deputy | |')
    expect(await main(['gaps', file, '--texts', 'French'])).toBe(2)
    expect(said.mock.calls[0]?.[0]).toBe("'French' is not another language of Absence desk; heading 1 lists German.")
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the list of commands loads none of them', async () => {
  const loads = Object.values(commands).map(one => vi.spyOn(one, 'load'))
  expect(await main(['--help'])).toBe(0)
  expect(printed.mock.calls.flat().join('\n')).toContain('  ninefold check FILE [--ways]\n')
  for (const load of loads) expect(load).not.toHaveBeenCalled()
})

test('what is wrong in a file of sample data is an error for check, and keeps nothing from being served', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-'))
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const file = join(folder, 'desk.md')
    const item =
      '### Item\n\n- **Sample data:** [items.csv](items.csv)\n\n| Field | Type |\n| --- | --- |\n| value | integer |\n'
    writeFileSync(file, `# Desk\n\n## 3 Entities and their fields\n\n${item}`)
    vi.stubEnv('DATABASE_URL', '')
    vi.stubEnv('WEB_PROCESSES', '1')
    const outcomes = async () => [await main(['check', file]), await main(['serve', file])]
    for (const csv of ['value\nmany\n', 'worth\n', 'value\n1,2\n', '']) {
      writeFileSync(join(folder, 'items.csv'), csv)
      // It goes on to ask where the database is.
      expect([csv, ...(await outcomes())]).toEqual([csv, 1, 2])
      expect(said.mock.calls.at(-1)?.[0]).toContain('DATABASE_URL is not set')
    }
    writeFileSync(file, `# Desk\n\n## 3 Entities and their fields\n\n${item.replace('integer', 'integr')}`)
    expect(await outcomes()).toEqual([1, 1])
  } finally {
    write.mockRestore()
    rmSync(folder, { recursive: true })
  }
})

test('a check is over before much of it is made faster', () => {
  const args = ['--trace-opt', 'bin/ninefold.mjs', 'check', document]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, expect.stringContaining('No errors')])
  // Twice as many where V8 is left to itself.
  expect(stdout.match(/^\[marking/gm)!.length).toBeLessThan(200)
})
