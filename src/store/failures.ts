/** What the failures of PostgreSQL, and of the way to it, mean. */
import { Unavailable, Unsure } from './unavailable.ts'

/** The code of PostgreSQL (SQLSTATE) or of the operating system; empty where there is none. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/**
 * Waited too long for a lock, took too long, lost against others too often, or the server was being restarted: the same may well work a
 * moment later.
 */
const busy = new Set(['55P03', '57014', '40001', '40P01', '57P01', '57P02', '57P03'])

export const isBusy = (error: unknown): boolean => busy.has(codeOf(error))

/** It is no mistake of ours, and passes: whoever asked is to ask again. */
export const isPassing = (error: unknown): boolean => error instanceof Unavailable || isBusy(error)

/** Serialisation failure, deadlock; a connection that an administrator ended, which the server says before anything is committed. */
const worthRetrying = new Set(['40001', '40P01', '57P01'])

export const isWorthRetrying = (error: unknown): boolean => worthRetrying.has(codeOf(error))

/** What was sent has NUL in it, which no text of PostgreSQL has. */
export const isNoText = (error: unknown): boolean => codeOf(error) === '22021'

/** A plan made before a change of tables. */
export const isOutdatedPlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && /cached plan must not change result type/.test((error as Error).message)

/** How the operating system and the driver say that a connection broke. */
const broken = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ERR_(?:STREAM|SOCKET|SSL))/

/** PostgreSQL errors have a severity; what has none came from the connection, and leaves it in an unknown state. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof Unavailable || error instanceof Unsure) return false
  const { severity } = error as { severity?: string }
  if (severity === undefined)
    return broken.test(codeOf(error)) || /connection|client was closed|read timeout/i.test(error.message)
  return severity === 'FATAL' || severity === 'PANIC' || codeOf(error).startsWith('57P0')
}

/** Nothing was heard for longer than the server may take. */
export const silence = (): Error => new Error('Query read timeout')

/** It would not be heard on another connection either. */
export const isSilence = (error: unknown): boolean => error instanceof Error && /read timeout/.test(error.message)

/** The driver knew that the connection was broken. */
export const neverSent = (error: unknown): boolean => error instanceof Error && /not queryable/.test(error.message)

/** What the server says of itself that takes no change, whoever asks: it may be another server by now. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006'

/** The connection is of no more use. */
export const isSpent = (error: unknown): boolean => isConnectionLost(error) || isReadOnly(error)

/** The server is restarting, ended the connection while doing so, or has no connection left. */
const comingBack = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', '53300', '57P01', '57P02', '57P03'])

/** Of a connection that was not made: another try may well succeed in a moment. */
export const isComingBack = (error: unknown): boolean =>
  comingBack.has(codeOf(error)) || (error as Error).message === 'Connection terminated unexpectedly'

/** What keeps PostgreSQL from working, though it answers. */
const impeded: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  '53100': ['The disk of the database is full', 'Make room on it.'],
  '53200': ['The database has no memory left', 'Give it more, or lower its max_connections.'],
  '53400': ['The database reached a limit of its configuration', 'Its log names it.'],
  '58030': ['The database cannot read or write its files', 'Its log says why.'],
  '25006': ['The database takes no changes: it is read-only', 'Name the server that takes them in DATABASE_URL.'],
}

/** What is there can be read; nothing is kept. */
export const takesNothing = (error: unknown): boolean => error instanceof Unavailable && codeOf(error.cause) in impeded

/** A statement's failure, in words where it lies outside of the document and of our code. */
export function explainedFailure(error: unknown): unknown {
  if (isConnectionLost(error))
    return new Unavailable(
      `The connection to the database broke (${(error as Error).message})`,
      'Its log says why.',
      error,
    )
  const known = impeded[codeOf(error)]
  return known === undefined ? error : new Unavailable(`${known[0]} (${(error as Error).message})`, known[1], error)
}

/** Why no connection is to be had. `inUse`: how many there are. */
export function explainedConnecting(
  error: unknown,
  url: string,
  { patience, inUse }: { readonly patience: number; readonly inUse: number },
): unknown {
  if (error instanceof Unavailable) return error
  const { message } = error as Error
  if (/timeout exceeded when trying to connect/.test(message))
    return new Unavailable(
      `No database connection became free within ${patience / 1000} seconds (${inUse} are in use)`,
      'The server is overloaded; try again.',
      error,
    )
  const address = addressOf(url)
  if (/unsupported startup parameter/.test(message))
    return new Unavailable(
      `What answers at ${address} is a pooler that does not take the settings of a connection: ${message}`,
      'Name PostgreSQL itself there: Ninefold keeps a pool of its own.',
      error,
    )
  const refused = explainedTls(error as Error, address) ?? explainedAsking(error as NodeJS.ErrnoException, address)
  if (refused !== null) return refused
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
    case 'ENOENT':
    case 'ENOTFOUND':
    case 'EHOSTUNREACH':
    case 'ETIMEDOUT':
      return new Unavailable(
        `No PostgreSQL server answers at ${address}`,
        'Check DATABASE_URL, and that the server runs.',
        error,
      )
    case '28P01':
      return new Unavailable(`The database at ${address} refuses the name or password`, 'Check DATABASE_URL.', error)
    case '28000':
      return new Unavailable(`The database at ${address} lets nobody in like this: ${message}`, wayIn(message), error)
    case '3D000':
      return new Unavailable(
        `There is no such database at ${address}: ${message}`,
        'Create it, or check DATABASE_URL.',
        error,
      )
    case '53300':
      return new Unavailable(
        `The database at ${address} has no connection left: ${message}`,
        'Raise its max_connections, or lower WEB_PROCESSES: each process keeps up to twelve.',
        error,
      )
    default:
      return isConnectionLost(error)
        ? new Unavailable(`No connection to the database at ${address}: ${message}`, 'Its log says why.', error)
        : explainedFailure(error)
  }
}

/** What DATABASE_URL lacks, or names and is not there; null: something else failed. */
function explainedAsking(error: NodeJS.ErrnoException, address: string): Unavailable | null {
  if (/client password must be a string/.test(error.message))
    return new Unavailable(
      `The database at ${address} asks for a password, and DATABASE_URL has none`,
      'It is written like postgres://name:password@host:5432/database.',
      error,
    )
  if (error.syscall !== 'open') return null
  return new Unavailable(
    `A file that DATABASE_URL names cannot be read: ${error.message}`,
    'Check what stands behind sslrootcert, sslcert and sslkey in it.',
    error,
  )
}

/** What to do where `pg_hba.conf` has a line against it, or none for it. */
const wayIn = (message: string): string =>
  /no encryption|SSL off/.test(message)
    ? 'If the server wants TLS, append ?sslmode=verify-full to DATABASE_URL; else its pg_hba.conf has to let this user in.'
    : 'Check DATABASE_URL; the pg_hba.conf of the server says who is let in.'

/** Node's names for what is wrong with a certificate. */
const uncertified = /CERT|^UNABLE_TO_|^ERR_TLS_/

/** TLS that is not to be had, or whose certificate nobody vouches for; null: something else failed. */
function explainedTls(error: Error, address: string): Unavailable | null {
  if (/does not support SSL/.test(error.message))
    return new Unavailable(
      `The database at ${address} offers no TLS, which DATABASE_URL asks for`,
      'Turn it on there (ssl = on), or, where nobody else is on the way, write ?sslmode=disable.',
      error,
    )
  if (codeOf(error) === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new Unavailable(
      `The certificate of the database at ${address} is for another name: ${error.message}`,
      'Write the host in DATABASE_URL as the certificate has it, or give the server a certificate for this name.',
      error,
    )
  if (!uncertified.test(codeOf(error))) return null
  return new Unavailable(
    `The certificate of the database at ${address} is not accepted: ${error.message}`,
    'Name the authority that signed it: append ?sslmode=verify-full&sslrootcert=/path/to/authority.pem to DATABASE_URL.',
    error,
  )
}

/**
 * An address as the driver takes it: `sslmode=require` checks the certificate as `verify-full` does. Under the other names the driver would do
 * the same, and warn in nine lines that it will not for ever.
 */
export const checkingCertificates = (url: string): string =>
  /[?&]uselibpqcompat=true/.test(url)
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')

/** What the user of the database was not granted; null: something else failed. */
export const explainedDenial = (error: unknown): Unavailable | null =>
  codeOf(error) === '42501'
    ? new Unavailable(
        `The database user may not do what this needs: ${(error as Error).message}`,
        `Plan and apply as the owner of the tables; for all else, let them grant it: ${grants}.`,
        error,
      )
    : null

const grants = [
  'grant usage on schema public, ninefold to …',
  'grant select, insert, update, delete on all tables in schema public, ninefold to …',
  'grant usage on all sequences in schema public, ninefold to …',
].join('; ')

/** Host and port, without the password. */
function addressOf(url: string): string {
  try {
    return new URL(url).host || 'its socket'
  } catch {
    return 'DATABASE_URL'
  }
}
