/** The package as people have it: packed, brought by npx into an empty folder, and served from what npm installs there. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { patience } from '../../scripts/limits.ts'
import { createDatabase, dropDatabase } from '../../src/store/testing.ts'

const home = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'ninefold package '))
/** A space and an umlaut, as in many a user's name. */
const empty = join(folder, 'für alle')
const desk = join(empty, 'desk')
const installed = join(desk, 'node_modules', 'ninefold')
const ninefold = join(installed, 'bin', 'ninefold.mjs')

/** How this machine reaches a registry: through which proxy, and whose certificates it believes. */
const ofTheNetwork =
  /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|(?:https?|no|all)_proxy|npm_config_(?:registry|ca|cafile|strict_ssl|userconfig|globalconfig|(?:https?_|no)?proxy))$/i

/** Whoever installs the package asks a registry for what it depends on. */
const asked = spawnSync('npm', ['view', 'pg', 'version', '--fetch-retries=0'], {
  timeout: patience.step,
  encoding: 'utf8',
})
const installs = asked.status === 0
if (!installs) console.log('No npm registry answers: left out is what installs the package from its tarball.')

let environment: Record<string, string>
let tarball: string
let database: string

/** To its end; on Windows npm would be `npm.cmd`. */
function run(cwd: string, command: string, ...args: readonly string[]) {
  const limits = { timeout: patience.test, killSignal: 'SIGKILL' } as const
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env: environment, encoding: 'utf8', ...limits })
  return { status, stdout, stderr }
}

beforeAll(async () => {
  chmodSync(folder, 0o755)
  mkdirSync(empty)
  // What npx installs is gone with the folder; what npm has fetched before, it need not fetch again.
  const cache = join(folder, 'cache')
  mkdirSync(cache)
  const { stdout } = spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' })
  if (existsSync(join(stdout.trim(), '_cacache'))) symlinkSync(join(stdout.trim(), '_cacache'), join(cache, '_cacache'))
  const { PATH = '', HOME = folder } = process.env
  const given = Object.entries(process.env).filter(([name]) => ofTheNetwork.test(name)) as [string, string][]
  environment = {
    ...Object.fromEntries(given),
    PATH,
    HOME,
    npm_config_cache: cache,
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
  }
  const packed = run(home, 'npm', 'pack', '--silent', '--pack-destination', folder)
  tarball = join(folder, packed.stdout.trim().split('\n').at(-1)!)
  expect(packed).toMatchObject({ status: 0, stderr: '' })
  database = await createDatabase(inject('databaseUrl'))
})
afterAll(async () => {
  await dropDatabase(inject('databaseUrl'), database)
  rmSync(folder, { recursive: true })
})

test.runIf(installs)('npx makes an application in an empty folder, and npm installs it without a warning', () => {
  const made = run(empty, 'npx', '--yes', `--package=${tarball}`, '--', 'ninefold', 'new', 'desk')
  expect(made).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(empty)).toEqual(['desk'])
  const install = run(desk, 'npm', 'install', '--omit=optional', '--no-audit', '--no-fund')
  expect(install).toMatchObject({ status: 0, stderr: '' })
  expect(run(desk, 'npx', 'ninefold', 'check', 'desk.md')).toEqual({ status: 0, stdout: 'No errors\n', stderr: '' })
  // What CI and the container install lies in the project.
  const { dependencies } = JSON.parse(readFileSync(join(desk, 'package.json'), 'utf8'))
  expect(dependencies).toEqual({ ninefold: `file:${basename(tarball)}` })
  expect(readFileSync(join(desk, basename(tarball)))).toEqual(readFileSync(tarball))
})

test.runIf(installs)('its CI says what a change means', () => {
  const git = (...args: readonly string[]) => {
    const { status, stdout, stderr } = run(
      changed,
      'git',
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.org',
      ...args,
    )
    expect([status, stderr]).toEqual([0, ''])
    return stdout.trim()
  }
  const changed = join(folder, 'changed')
  cpSync(desk, changed, { recursive: true, filter: path => !path.endsWith('node_modules') })
  git('init', '--quiet')
  git('remote', 'add', 'origin', changed)
  git('add', '.')
  git('commit', '--quiet', '--message', 'Begin')
  symlinkSync(join(desk, 'node_modules'), join(changed, 'node_modules'))
  const document = join(changed, 'desk.md')
  writeFileSync(document, readFileSync(document, 'utf8').replaceAll('needed_by', 'wanted_by'))
  environment.BASE = git('rev-parse', 'HEAD')
  const { jobs } = parse(readFileSync(join(changed, '.github', 'workflows', 'check.yml'), 'utf8'))
  const { run: script } = jobs.diff.steps.find(({ name }: { name?: string }) => name === 'Say what changes')
  expect(run(changed, 'bash', '-e', '-c', script)).toMatchObject({ status: 0, stderr: '' })
  const comment = readFileSync(join(changed, '.ninefold', 'changes.md'), 'utf8')
  expect(comment).toMatch(/^What this changes:\n\n~~~~text\n[^~]*wanted_by[^~]*\n~~~~\n$/)
})

test.runIf(installs)('it brings what runs and what is read, and no source', () => {
  expect(readdirSync(installed).sort()).toEqual([
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bench',
    'bin',
    'dist',
    'docs',
    'examples',
    'languages',
    'package.json',
    'types',
  ])
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  expect(files.filter(file => /(?:\.test\.tsx?|\.ninefold|\/proof)$/.test(file))).toEqual([])
  expect(bytesOf(join(desk, 'node_modules'))).toBeLessThan(120_000_000)
  // Node keeps the text of what it runs, with any other letter in twice the room.
  const inLatin = (file: string) => /^[\0-\xff]*$/.test(readFileSync(join(installed, 'dist', file), 'utf8'))
  expect(readdirSync(join(installed, 'dist')).filter(file => file.endsWith('.js') && !inLatin(file))).toEqual([])
})

function bytesOf(of: string): number {
  const files = readdirSync(of, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

test.runIf(installs)('every command loads', () => {
  const { status, stdout, stderr } = run(desk, process.execPath, ninefold, 'help')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('ninefold new FOLDER [--zone …]')
  expect(run(desk, process.execPath, ninefold, 'explain', 'N1001').stdout).toContain('N1001')
})

test.runIf(installs)('every command loads on the oldest Node that engines names', () => {
  const { engines } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const oldest = join(folder, 'oldest')
  mkdirSync(oldest)
  writeFileSync(join(oldest, 'package.json'), '{}')
  const got = run(oldest, 'npm', 'install', `node@${engines.node.slice('>='.length)}`, '--no-audit', '--no-fund')
  expect(got.status).toBe(0)
  const node = join(oldest, 'node_modules', 'node', 'bin', 'node')
  const listed = run(desk, node, ninefold, 'help').stdout
  const commands = [...new Set([...listed.matchAll(/^ {2}ninefold (\w+)/gm)].map(([, name]) => name!))]
  expect(commands.length).toBeGreaterThan(20)
  for (const command of commands) {
    const { status, stderr } = run(desk, node, ninefold, command, '--help')
    expect([command, status, stderr]).toEqual([command, 0, ''])
  }
})

test.runIf(installs)('functions and components that stand beside a document run', () => {
  cpSync(join(installed, 'examples', 'street-defects'), join(empty, 'street-defects'), { recursive: true })
  environment.DATABASE_URL = inject('databaseUrl')
  const { status, stdout } = run(empty, process.execPath, ninefold, 'verify', 'street-defects/street-defects.md')
  expect(status).toBe(0)
  expect(stdout).toMatch(/\d passed, 0 failed\n/)
})

/** A picture that must be one, and who hands it in. */
const pictures = `# Pictures

- **Ninefold:** 1

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /pictures | Pictures | everyone signed in | list of Picture |

## 3 Entities and their fields

### Picture

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
| photo | image | required; types JPEG, PNG |

## 5 Validation rules

#### Scenario: a picture is taken

| Step | Who | What | Result |
| --- | --- | --- | --- |
| When | Max the Member | Picture P1 with name Harbour | ok |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |

### Picture

| Role | See | Create |
| --- | --- | --- |
| Member | yes | yes |
`

test.runIf(installs)('files are told by their content', () => {
  writeFileSync(join(desk, 'pictures.md'), pictures)
  environment.DATABASE_URL = inject('databaseUrl')
  const { status, stdout } = run(desk, process.execPath, ninefold, 'verify', 'pictures.md', '--only', '5')
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/ok +when: Max the Member, Picture P1[\s\S]*\d passed, 0 failed\n/),
  ])
})

test.runIf(installs)('a large file is read in a thread of its own', async () => {
  const thread = new Worker(join(installed, 'dist', 'table-thread.js'), {
    workerData: {
      bytes: Buffer.from('name,size\nBoard,3\nSaw,5\n'),
      wish: { names: ['name', 'size'], locale: 'en', sheet: null, heading: null },
    },
  })
  const told: unknown[] = []
  await new Promise<void>((resolve, reject) => {
    thread.on('error', reject).on('exit', () => resolve())
    thread.on('message', part => {
      told.push(part)
      thread.postMessage('more')
      if (told.length === 2) void thread.terminate()
    })
  })
  expect(told[0]).toHaveLength(2)
})

/** Somebody with a number and no name, where only root can be them; what is installed can be written by nobody but root. */
const somebody = process.getuid?.() === 0 ? ['setpriv', '--reuid=54321', '--regid=54321', '--clear-groups'] : []

test.runIf(installs)(
  'npm serves it in two processes, on sources that cannot be written, and a signal to npm ends it',
  async () => {
    environment.DATABASE_URL = database
    expect(run(desk, 'npx', 'ninefold', 'apply', 'desk.md')).toMatchObject({ status: 0, stderr: '' })
    if (somebody.length === 0) run(desk, 'chmod', '-R', 'a-w', '.')
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const [command = 'npm', ...args] = [...somebody, 'npm', 'run', 'serve']
    const served = spawn(command, args, {
      cwd: desk,
      env: {
        ...environment,
        HOME: '/nonexistent',
        npm_config_cache: '/nonexistent',
        PORT: String(port),
        WEB_PROCESSES: '2',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = textOf(served)
    try {
      await until(() => answers(url), said)
      const page = await (await fetch(`${url}/-/sign-in`)).text()
      const assets = [...new Set(page.match(/\/-\/assets\/[\w.-]+/g))]
      expect(assets.some(asset => asset.endsWith('.css')) && assets.some(asset => asset.endsWith('.js'))).toBe(true)
      for (const asset of assets) expect([asset, (await fetch(url + asset)).status]).toEqual([asset, 200])
      served.kill('SIGTERM')
      await until(async () => !(await answers(url)), said)
    } finally {
      served.kill('SIGKILL')
      if (somebody.length === 0) run(desk, 'chmod', '-R', 'u+w', '.')
    }
  },
)

test.runIf(installs)('npm create makes an application, too', () => {
  const create = run(home, 'npm', 'pack', '--silent', '--pack-destination', folder, './create-ninefold').stdout.trim()
  const both = [tarball, join(folder, create)].map(path => `--package=${path}`)
  const made = run(empty, 'npx', '--yes', ...both, '--', 'create-ninefold', 'made', '--currency', 'CHF')
  expect(made).toMatchObject({ status: 0, stderr: '' })
  expect(readFileSync(join(empty, 'made', 'made.md'), 'utf8')).toContain('money CHF')
})

/** What a release is made of is what is committed. */
const isCommitted = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: home }).status === 0

test.runIf(installs && isCommitted)(
  'a release can be made, and leaves the repository as it is when it is a trial',
  () => {
    const status = () => run(home, 'git', 'status', '--porcelain').stdout
    const [before, out] = [status(), join(folder, 'release')]
    const trial = run(home, process.execPath, 'scripts/release.ts', '99.0.0', '--dry-run', '--out', out)
    expect([trial.status, trial.stdout]).toEqual([0, expect.stringMatching(/Nothing was committed or published\.\n$/)])
    expect(status()).toBe(before)
    expect(readdirSync(out).sort()).toEqual([
      'LICENSES.md',
      'SHA256SUMS',
      'create-ninefold-99.0.0.tgz',
      'ninefold-99.0.0.cdx.json',
      'ninefold-99.0.0.tgz',
    ])
    expect(run(out, 'sha256sum', '--check', '--quiet', 'SHA256SUMS')).toEqual({ status: 0, stdout: '', stderr: '' })
    const { components } = JSON.parse(readFileSync(join(out, 'ninefold-99.0.0.cdx.json'), 'utf8'))
    const names = components.map(({ name }: { name: string }) => name)
    // Installed, built in; and what only our tests use.
    expect(names).toEqual(expect.arrayContaining(['pg', 'codemirror']))
    expect(names).not.toContain('vitest')
    const packed = run(out, 'tar', '-xzOf', 'create-ninefold-99.0.0.tgz', 'package/package.json').stdout
    expect(JSON.parse(packed)).toMatchObject({ version: '99.0.0', dependencies: { ninefold: '99.0.0' } })
  },
)

/** Written by somebody who has the package alone. */
const program = `
import type { BlockProps } from 'ninefold/blocks'
import type { Decimal } from 'ninefold/functions'
import { DocumentError, type Finding, readDocument, serve } from 'ninefold'
import { startApplication, type TestApplication } from 'ninefold/testing'

const document = readDocument('desk.md')
const first: Finding | undefined = document.errors[0]
// @ts-expect-error: what cannot be understood has no name
const name: string = document.name
const amount: Decimal = '12.50'
const given = ({ record, steps }: BlockProps<{ price?: Decimal }>): string => \`\${record.price ?? amount} \${steps.length}\`
const wrong = readDocument('desk.md', () => '# Desk\\n\\n## 3 Entities and their fields\\n\\n### Loan\\n\\n| Feld |\\n| --- |\\n| a |\\n')
const refused: string = await serve('wrong.md').then(() => 'served', error => (error instanceof DocumentError ? error.errors[0]!.path : String(error)))
const service = await serve('desk.md', { settings: { ...process.env, PORT: '0', HOST: '127.0.0.1' } })
const ready = await fetch(\`\${service.url}/readyz\`)
await service.close()
const application: TestApplication = await startApplication('desk.md')
const who = application.people[0]!
const [seen, unseen] = [await application.fetch('/api/v1/request', who.name), await application.fetch('/api/v1/request', null)]
await application.close()
console.log(JSON.stringify({
  name, first, given: given({ record: {}, steps: [], today: '2026-03-02', locale: 'en' }),
  wrong: wrong.errors.length > 0, refused, ready: ready.status, seen: seen.status, unseen: unseen.status,
}))
`

test.runIf(installs)('programs read, serve and test a document with it, and are checked by its types', () => {
  writeFileSync(join(desk, 'program.mts'), program)
  writeFileSync(
    join(desk, 'wrong.md'),
    '# Wrong\n\n## 3 Entities and their fields\n\n### Loan\n\n| Feld |\n| --- |\n| a |\n',
  )
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2024']
  const globals = ['--types', 'node', '--typeRoots', join(home, 'node_modules', '@types')]
  const checked = run(desk, join(home, 'node_modules', '.bin', 'tsc'), ...strict, ...globals, 'program.mts')
  expect(checked).toEqual({ status: 0, stdout: '', stderr: '' })
  environment.DATABASE_URL = database
  const { status, stdout } = run(desk, process.execPath, '--disable-warning=ExperimentalWarning', 'program.mts')
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    name: 'Desk',
    given: '12.50 0',
    wrong: true,
    refused: 'wrong.md',
    ready: 200,
    seen: 200,
    unseen: 401,
  })
})

test.runIf(installs).each([
  ['publint@0.3.25', '--strict'],
  ['@arethetypeswrong/cli@0.18.5', '--profile', 'esm-only'],
])('%s finds nothing wrong with what it exports', (tool, ...options) => {
  const { status, stdout, stderr } = run(folder, 'npx', '--yes', tool, tarball, ...options)
  expect([status, stdout + stderr]).toEqual([0, expect.stringMatching(/All good|No problems|🟢/)])
})

function textOf({ stdout, stderr }: ChildProcess): () => string {
  let text = ''
  for (const stream of [stdout, stderr]) stream?.on('data', part => (text += part))
  return () => text
}

const answers = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

async function until(holds: () => Promise<boolean>, said: () => string) {
  for (let looked = 0; !(await holds()); looked++) {
    if (looked === 600) throw new Error(`It never came:\n${said()}`)
    await wait(100)
  }
}

const freePort = () =>
  new Promise<number>(resolve => {
    const server = createServer().listen(0, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
