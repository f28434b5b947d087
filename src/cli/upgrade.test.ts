/** A document of an older version is rewritten where its meaning stays, told of where somebody has to choose, and else left as it is. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { main } from './main.ts'

const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
let folder: string
let desk: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ninefold-upgrade-'))
  desk = join(folder, 'requests.md')
})
beforeEach(() => {
  cpSync('examples/requests', folder, { recursive: true })
  printed.mockClear()
})
afterAll(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

const said = () => printed.mock.calls.flat().join('\n')
const edit = (by: (text: string) => string) => writeFileSync(desk, by(readFileSync(desk, 'utf8')))
const all = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => readFileSync(join(folder, name), 'utf8'))

test('what is up to date stays as it is, to the letter', async () => {
  const before = all()
  expect(await main(['upgrade', desk])).toBe(0)
  expect(said()).toContain('Edition 1, the newest: 0 changes, 0 lines to decide.')
  expect(all()).toEqual(before)
})

test('it names the edition, and rewrites what keeps its meaning', async () => {
  const whole = readFileSync(desk, 'utf8')
  const then = '| Then | | `R1.state = Approved` | |'
  expect(whole).toContain('- **Ninefold:** 1\n')
  edit(text => text.replace('- **Ninefold:** 1\n', '').replace(then, then.replace(/ \|$/, ' denied |')))
  const older = all()
  expect(await main(['upgrade', desk, '--check'])).toBe(1)
  expect(all()).toEqual(older)
  expect(said()).toContain('2 changes to be made, 0 lines to decide.')
  expect(await main(['upgrade', desk])).toBe(0)
  expect(said()).toContain('requests.md:1:3  write `- **Ninefold:** 1`')
  expect(said()).toContain('leave `Result` empty (the result was passed over)')
  const text = readFileSync(desk, 'utf8')
  expect(text.replace(/\s/g, '')).toBe(whole.replace(/\s/g, ''))
  expect(await main(['check', desk])).toBe(0)
})

test('what somebody has to choose is listed, and left', async () => {
  writeFileSync(
    desk,
    `# Notes\n\n- **Ninefold:** 1\n\n## 3 Entities and their fields\n\n### Note\n\n| Field | Type | Rules |\n| --- | --- | --- |\n| keeper | Person | required |\n| text | text | required |\n
## 6 Roles and permissions\n\n| Role | Who |\n| --- | --- |\n| Member | everyone signed in |\n\n### Note\n\n| Role | See | Create | Change |\n| --- | --- | --- | --- |\n| Member | yes | yes | \`keeper = me\` |\n`,
  )
  const before = all()
  expect(await main(['upgrade', desk])).toBe(1)
  expect(said()).toMatch(/requests\.md:\d+:\d+ {2}N1628, for you to decide: a change could lead anywhere\. /)
  expect(all()).toEqual(before)
})
