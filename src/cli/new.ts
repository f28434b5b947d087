/** `ninefold new`: a folder to begin in. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { home } from '../files.ts'
import { CannotRead, type Command, typed } from './command.ts'

export const newProject: Command = {
  name: 'new',
  options: {},
  async run(files) {
    const [given] = files
    if (files.length !== 1 || given === undefined)
      throw new CannotRead(`'ninefold new' takes one folder. For example: ${typed('new', 'tool-library')}`)
    const folder = resolve(given)
    const name = nameOf(folder)
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw new CannotRead(`${given} has files in it already. Name a folder that is empty, or not there yet.`)
    mkdirSync(folder, { recursive: true })
    for (const [file, text] of Object.entries(project(name, titleOf(folder), specifierOf(home, folder))))
      writeFileSync(join(folder, file), text, { flag: 'wx' })
    console.log(`${join(given, `${name}.md`)} is the application. Next:

  cd ${/^[\w./-]+$/.test(given) ? given : `'${given.replaceAll("'", `'\\''`)}'`}
  npm install
  npm start      serves it on http://localhost:3000 and shows each change when you save it
  npm test       checks it, and tests that the application does what it says`)
    return 0
  },
}

/** `Mein Büro` → `mein-buero`: what npm, shells and addresses take. */
function nameOf(folder: string): string {
  const name = basename(folder)
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[äöüßæøå]/g, letter => plain[letter]!)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  if (name === '') throw new CannotRead(`'${basename(folder)}' has no letters that the application could be named by.`)
  return name
}

const plain: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'oe', å: 'aa' }

/** The folder's own words: `mein-büro` is "Mein büro". */
function titleOf(folder: string): string {
  const words = basename(folder)
    .normalize('NFC')
    .replaceAll(/[-_\s]+/g, ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The project's files by name. The document is an example of this repository under another title. */
function project(name: string, title: string, ninefold: string): Readonly<Record<string, string>> {
  const document = readFileSync(join(home, 'examples', 'requests', 'requests.md'), 'utf8')
  // A signal that reaches npm's shell alone ends the server, too. Windows has neither.
  const exec = process.platform === 'win32' ? '' : 'exec '
  const scripts = {
    start: `${exec}ninefold dev ${name}.md`,
    test: `ninefold check ${name}.md && ninefold verify ${name}.md`,
    serve: `${exec}ninefold serve ${name}.md`,
  }
  return {
    [`${name}.md`]: document.replace(/^# .*/, `# ${title}`),
    'package.json': `${JSON.stringify(
      {
        name,
        private: true,
        type: 'module',
        scripts,
        dependencies: { ninefold },
        // Their binaries come in by a script, which newer versions of npm run only where it is allowed.
        allowScripts: { esbuild: true, ...Object.fromEntries(embedded().map(name => [name, true])) },
      },
      null,
      2,
    )}\n`,
    '.gitignore': 'node_modules\n.ninefold\n',
    'README.md': `# ${title}

[${name}.md](${name}.md) is the application: Ninefold serves what it says.

    npm install
    npm start      serves it on http://localhost:3000 and shows each change when you save it
    npm test       checks it, and tests that the application does what it says

\`npx ninefold\` lists the other commands.
`,
  }
}

/** The packages that bring PostgreSQL, of every platform. */
function embedded(): readonly string[] {
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    optionalDependencies?: Record<string, string>
  }
  return Object.keys(optionalDependencies)
}

/** What a `package.json` in this folder names this very Ninefold by: a clone by its path, a package by where it was installed from. */
export function specifierOf(home: string, folder: string): string {
  const path = (to: string) => `file:${relative(folder, to).split(sep).join('/')}`
  const modules = dirname(home)
  if (basename(modules) !== 'node_modules') return path(home)
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; resolved?: string }>
  }
  const { version = '*', resolved = '' } = packages['node_modules/ninefold'] ?? {}
  if (resolved.startsWith('file:')) return path(resolve(dirname(modules), resolved.slice('file:'.length)))
  return /^https?:/.test(resolved) || resolved === '' ? version : resolved
}
