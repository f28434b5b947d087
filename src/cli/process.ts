/** What commands share that run until somebody ends them. */
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { explainedDenial } from '../store/failures.ts'
import { Unavailable } from '../store/unavailable.ts'
import { CannotRead, type Command, type Options } from './command.ts'
import type { Variable } from './environment.ts'
import type { Output } from './output.ts'

/** A port as the variable `name` says it, 3000 where it is not set. */
export function portOf(text: string | undefined, name = 'PORT'): number {
  if (text === undefined || text === '') return 3000
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new CannotRead(`${name} is '${text}'; it must be a whole number up to 65535.`)
  return port
}

/** `HOST`, every address of the machine where it is not set. */
export const hostOf = (variable: Variable): string => variable('HOST') ?? '0.0.0.0'

/** `PUBLIC_URL`, where people reach the application: null where it is not set. */
export function publicUrlOf(text: string | undefined): string | null {
  if (text === undefined || text === '') return null
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new CannotRead(`PUBLIC_URL is '${text}'; it is written like https://desk.example.org`)
  if (new URL(text).href !== `${new URL(text).origin}/`)
    throw new CannotRead(
      `PUBLIC_URL is '${text}'; an application has a host name of its own, with nothing behind it: ${new URL(text).origin}`,
    )
  return text
}

/** `SMTP_URL`: null where it is not set. Never repeats the address, in which a password may stand. */
export function smtpUrlOf(text: string | undefined): string | null {
  if (text === undefined || text === '') return null
  const url = /^smtps?:\/\//.test(text) ? URL.parse(text) : null
  if (url === null || url.hostname === '')
    throw new CannotRead(
      'SMTP_URL is not the address of a mail server. It is written like smtp://name:password@mail.example.org:587, or smtps:// where the port expects TLS at once; in a name or password, @ is %40, / is %2F, # is %23 and % is %25.',
    )
  return text
}

/** `MAIL_FROM`, an address, perhaps with a name before it; null where it is not set. */
export function mailFromOf(text: string | undefined): string | null {
  if (text === undefined || text === '') return null
  if (/^(?:[^<>@]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(text)) return text
  throw new CannotRead(`MAIL_FROM is '${text}'; it is written like desk@example.org, or Loan desk <desk@example.org>`)
}

/** `TRUSTED_PROXIES`: how many stand in front one behind the other, none where it is not set. */
export function trustedProxiesOf(text: string | undefined): number {
  const count = Number(text ?? 0)
  if (Number.isInteger(count) && count >= 0 && count <= 9) return count
  throw new CannotRead(
    `TRUSTED_PROXIES is '${text}'; it is the number of proxies that every request comes through, from 0 to 9.`,
  )
}

/** `SHUTDOWN_DELAY`, in milliseconds: how long it is said that others shall take what comes, before nothing is taken any more. */
export function shutdownDelayOf(text: string | undefined): number {
  const seconds = Number(text ?? 5)
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= 300) return seconds * 1000
  throw new CannotRead(`SHUTDOWN_DELAY is '${text}'; it is a whole number of seconds, from 0 to 300.`)
}

/** Resolves when that time is over. Whoever ends it at a terminal does not wait: there is nobody else who would take what comes. */
export const delayed = (signal: NodeJS.Signals, delay: number): Promise<void> =>
  signal === 'SIGTERM' ? wait(delay) : Promise.resolve()

/** Who mails come from where nobody said. */
export const mailFromByDefault = 'ninefold@localhost'

/** Milliseconds in which one Ctrl-C arrives by two ways: from the terminal, and passed on by npm or an older Node. */
const oneSignal = 500

/** Rejects as listening would, before anything takes long. 0: any port that is free. */
export async function mustBeFree(port: number, host: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  await new Promise(closed => server.close(closed))
}

let asking: Promise<NodeJS.Signals> | null = null

/** Resolves with the signal that asks the process to end. A second Ctrl-C ends it at once. */
export function signalled(): Promise<NodeJS.Signals> {
  asking ??= new Promise(resolve => {
    let asked: number | null = null
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (asked !== null && performance.now() - asked > oneSignal) process.exit(130)
        asked ??= performance.now()
        resolve(signal)
      })
    if (process.env.npm_command === 'exec') whenOrphaned(() => resolve('SIGTERM'))
  })
  return asking
}

/** Milliseconds between two looks. */
const lookForParent = 500

/** `npx` that is ended by SIGTERM ends its shell, and tells nobody who was started by that. */
function whenOrphaned(tell: () => void): void {
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    tell()
  }, lookForParent).unref()
}

/** The same, for those to whom all signals are one. */
export const untilStopped = async (): Promise<'stop'> => {
  await signalled()
  return 'stop'
}

/** A signal to all processes of a terminal ends what was started from here, too, and may be heard here after that has failed. */
const isHeard = 100

/** Whether somebody has asked the process to end: what fails then is no failure. */
export const isEnding = (): Promise<boolean> => Promise.race([untilStopped().then(() => true), wait(isHeard, false)])

/** What lies outside of the call, in words; null: something else failed. */
function outside(error: unknown): string | null {
  const known = error instanceof Unavailable ? error : explainedDenial(error)
  return known === null
    ? (notListening(error as NodeJS.ErrnoException & { address?: string; port?: number }) ??
        notKept(error as NodeJS.ErrnoException))
    : sayUnavailable(known)
}

/** Why a disk does not keep what is written to it, whose name a write does not know; null: something else failed. */
function notKept({ code = '', path }: NodeJS.ErrnoException): string | null {
  const why = Object.hasOwn(disks, code) ? disks[code]! : null
  return why === null ? null : `${path === undefined ? 'What is to be written' : `'${path}'`} ${why}`
}

const disks: Readonly<Record<string, string>> = {
  ENOSPC: 'cannot be kept: the disk is full. Make room, or name another place.',
  EDQUOT: 'cannot be kept: this user has no room left on the disk. Make room, or name another place.',
  EIO: 'cannot be kept: the disk fails. See what the log of the system says of it, or name another place.',
}

/** A failure that people can do something about, in words, with its exit code; null: a mistake of ours, which keeps its stack. */
export function failureOf(error: unknown): { readonly why: string; readonly exit: 1 | 2 } | null {
  const met = outside(error)
  if (met !== null) return { why: met, exit: 1 }
  const called = error instanceof CannotRead ? error.message : fileRefused(error as NodeJS.ErrnoException)
  return called === null ? null : { why: called, exit: 2 }
}

/** What went wrong outside is told, and is no exception. */
export async function runCommand(
  command: Command,
  words: readonly string[],
  options: Options,
  output: Output,
): Promise<number> {
  try {
    return await command.run(words, options, output)
  } catch (error) {
    const failure = failureOf(error)
    if (failure === null) throw error
    output.fail(failure.why)
    return failure.exit
  }
}

/** Why nothing can be served at the port or the address; null: something else failed. */
function notListening(error: {
  readonly syscall?: string | undefined
  readonly code?: string | undefined
  readonly address?: string
  readonly port?: number
}): string | null {
  const { syscall, code, address = '', port = '' } = error
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return null
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken by another program. End that one, or choose another port: PORT=3001`
    case 'EACCES':
      return `Port ${port} may not be used by this user. Choose one above 1023: PORT=3001`
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${address}. Check HOST.`
    case 'ENOTFOUND':
      return 'HOST names no machine. Check it.'
    default:
      return null
  }
}

/** What the machine refuses about a file that was named; null: something else failed. */
export function fileRefused({ code = '', path }: NodeJS.ErrnoException): string | null {
  const why = path === undefined ? undefined : refusals[code]
  return why === undefined ? null : `'${path}' ${why}`
}

const refusals: Readonly<Record<string, string>> = {
  EACCES: 'may not be opened by this user. Give them the right to it, or name another place.',
  EPERM: 'may not be opened by this user. Give them the right to it, or name another place.',
  EROFS: 'cannot be written: nothing can on that disk. Name another place.',
  ENOENT: 'is not there, and cannot be made. Name another place.',
  EISDIR: 'is a folder, and a file is wanted there. Name another place.',
  EEXIST: 'is a file, and a folder is wanted there. Name another place.',
  ENOTDIR: 'leads through something that is no folder. Name another place.',
}

const sayUnavailable = ({ code, message, hint }: Unavailable): string =>
  `${code === null ? '' : `${code}: `}${message}. ${hint}`
