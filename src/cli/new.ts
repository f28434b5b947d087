/** `ninefold new`: a folder to begin in. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { home } from '../files.ts'
import { CannotRead, type Command, typed } from './command.ts'
import { begun, questions, settingsOf } from './new-document.ts'
import { filesBeside } from './new-files.ts'

export const newProject: Command = {
  name: 'new',
  options: {
    zone: { type: 'string', meaning: "the time zone of its days: Europe/Vienna; without it, this machine's" },
    language: {
      type: 'string',
      meaning: 'what people read first: English or German, also en or de; without it, English',
    },
    currency: { type: 'string', meaning: "the currency of its amounts: CHF; without it, the example's" },
    example: { type: 'string', meaning: 'the document to begin with: loan-desk; without it, requests, which is small' },
  },
  async run(files, options, output) {
    const [given] = files
    if (files.length !== 1 || given === undefined)
      throw new CannotRead(`'ninefold new' takes one folder. For example: ${typed('new', 'tool-library')}`)
    const folder = resolve(given)
    const name = nameOf(folder)
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw new CannotRead(`${given} has files in it already. Name a folder that is empty, or not there yet.`)
    const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true
    const begin = await settingsOf(options, isTerminal ? questions(process.stdin, process.stdout) : null)
    const title = titleOf(folder)
    const document = begun(title, begin)
    const [ninefold, tarball] = packageOf(specifierOf(home, folder), folder)
    const beside = filesBeside({ name, title, ninefold, scripted: ['esbuild', ...embedded()] })
    mkdirSync(folder, { recursive: true })
    try {
      const source = join(home, 'examples', begin.example)
      cpSync(source, folder, { recursive: true, filter: path => isOfProject(relative(source, path), begin.example) })
      if (tarball !== null) copyFileSync(tarball, join(folder, basename(tarball)))
      writeFiles(folder, { [`${name}.md`]: document, ...beside })
    } catch (error) {
      // A folder that was empty: half a project would be in the way of a whole one.
      for (const file of readdirSync(folder)) rmSync(join(folder, file), { recursive: true })
      throw error
    }
    output.result({ folder, document: join(folder, `${name}.md`) })
    output.say(`${join(given, `${name}.md`)} is the application. Next:

  cd ${/^[\w./-]+$/.test(given) ? given : `'${given.replaceAll("'", `'\\''`)}'`}
  npm install
  npm start      serves it on http://localhost:3000 and shows each change when you save it
  npm test       checks it, and tests that the application does what it says

README.md says what the other files are for.`)
    return 0
  },
}

function writeFiles(folder: string, texts: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text, { flag: 'wx' })
  }
}

/** Of an example's folder: not its document, which gets another name, and not what proves or explains the example. */
const isOfProject = (path: string, example: string): boolean =>
  ![`${example}.md`, 'README.md', 'proof', '.ninefold'].includes(path)

/** A package that is a file goes into the project, where CI and containers find it. */
function packageOf(specifier: string, folder: string): readonly [specifier: string, tarball: string | null] {
  if (!/^file:.*\.tgz$/.test(specifier)) return [specifier, null]
  const tarball = resolve(folder, specifier.slice('file:'.length))
  return [`file:${basename(tarball)}`, tarball]
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
