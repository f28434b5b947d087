/** `ninefold new`: a folder to begin in. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { didYouMean } from '../document/nearest.ts'
import { home } from '../files.ts'
import { CannotRead, type Command, type Options, typed } from './command.ts'

export const newProject: Command = {
  name: 'new',
  options: {
    zone: { type: 'string', meaning: "the time zone of its days: Europe/Vienna; without it, this machine's" },
    currency: { type: 'string', meaning: 'the currency of its amounts: CHF; without it, EUR' },
  },
  async run(files, { zone, currency }) {
    const [given] = files
    if (files.length !== 1 || given === undefined)
      throw new CannotRead(`'ninefold new' takes one folder. For example: ${typed('new', 'tool-library')}`)
    const folder = resolve(given)
    const name = nameOf(folder)
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw new CannotRead(`${given} has files in it already. Name a folder that is empty, or not there yet.`)
    const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')]
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone
    const settings = {
      zone: zone === undefined ? (zones.find(name => name === own) ?? 'UTC') : oneOf(zones, zone, 'time zone'),
      currency: currency === undefined ? 'EUR' : oneOf(Intl.supportedValuesOf('currency'), currency, 'currency'),
    }
    mkdirSync(folder, { recursive: true })
    for (const [file, text] of Object.entries(project(name, titleOf(folder), specifierOf(home, folder), settings)))
      writeFileSync(join(folder, file), text, { flag: 'wx' })
    console.log(`${join(given, `${name}.md`)} is the application. Next:

  cd ${/^[\w./-]+$/.test(given) ? given : `'${given.replaceAll("'", `'\\''`)}'`}
  npm install
  npm start      serves it on http://localhost:3000 and shows each change when you save it
  npm test       checks it, and tests that the application does what it says`)
    return 0
  },
}

/** The name as it is written in the list. */
function oneOf(names: readonly string[], given: Options[string], what: string): string {
  const wanted = String(given)
  const found = names.find(name => name.toLowerCase() === wanted.toLowerCase())
  if (found === undefined) throw new CannotRead(`There is no ${what} '${wanted}'${didYouMean(wanted, names) || '.'}`)
  return found
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
function project(
  name: string,
  title: string,
  ninefold: string,
  { zone, currency }: { readonly zone: string; readonly currency: string },
): Readonly<Record<string, string>> {
  const document = readFileSync(join(home, 'examples', 'requests', 'requests.md'), 'utf8')
  // A signal that reaches npm's shell alone ends the server, too. Windows has neither.
  const exec = process.platform === 'win32' ? '' : 'exec '
  const scripts = {
    start: `${exec}ninefold dev ${name}.md`,
    test: `ninefold check ${name}.md && ninefold verify ${name}.md`,
    serve: `${exec}ninefold serve ${name}.md`,
  }
  return {
    [`${name}.md`]: document
      .replace(/^# .*/, `# ${title}`)
      .replace(/(?<=\*\*Time zone:\*\* ).*/, zone)
      .replaceAll(/\bEUR\b/g, currency),
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
    'AGENTS.md': `# Working on ${title}

[${name}.md](${name}.md) is the whole application: tables under nine headings, which Ninefold checks and serves. Nothing is generated from it; there is no other code.

- The language: \`node_modules/ninefold/docs/language/README.md\`. Complete documents: \`node_modules/ninefold/examples\`.
- After each change: \`npx ninefold check ${name}.md\`. A finding says what to write instead; \`npx ninefold explain N1234\` says more about its code, \`--format json\` gives the edits that cure it.
- Before it is done: \`npm test\`, which tries every step, field and screen as every role.
- What a change means in business words: \`npx ninefold diff OLD.md ${name}.md\`. What nobody has decided yet: \`npx ninefold gaps ${name}.md\`.
- Who may do what stands under heading 6 alone. Widen it only when asked to.
- To rename a field or entity, write \`(was old_name)\` beside the new name: its data goes with it.
`,
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
