/** The database of a command: the server named in DATABASE_URL, else the embedded one, with its data beside the document. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { startEmbedded } from '../store/embedded.ts'
import { codeOf } from '../store/failures.ts'
import { openStore, type Store } from '../store/pool.ts'
import { refuseAnother, refusePooler } from '../store/pooler.ts'
import { refuseNewer } from '../store/system/newer.ts'
import { Unavailable } from '../store/unavailable.ts'
import { CannotRead, typed } from './command.ts'
import { variable as ofProcess, type Variable } from './environment.ts'

export interface Database {
  readonly store: Store
  /** "the PostgreSQL server that DATABASE_URL names", "an embedded PostgreSQL, data in examples/loan-desk/.ninefold/loan-desk". */
  readonly described: string
  /** Where the embedded server keeps it; null: another server does. */
  readonly folder: string | null
  readonly close: () => Promise<void>
}

interface DatabaseOptions {
  readonly share?: boolean
  readonly variable?: Variable
  readonly version?: string
}

/**
 * Opens the pool; starts the embedded server where DATABASE_URL names none. Rejects with `Unavailable` and a hint.
 * `share`: also while `dev` serves from the same folder. `variable`: settings other than those of this process. `version`: of the document
 * whose records are read or written.
 */
export async function openDatabase(
  file: string,
  onProgress: (message: string) => void,
  { share = false, variable = ofProcess, version }: DatabaseOptions = {},
): Promise<Database> {
  const options = {
    ...(version === undefined ? {} : { version }),
    onProblem: (error: Error) => onProgress(`A database connection broke: ${error.message}`),
  }
  const url = variable('DATABASE_URL')
  if (url !== undefined && url !== '') {
    mustBeAddress('DATABASE_URL', url)
    const directUrl = variable('DATABASE_DIRECT_URL')
    if (directUrl !== undefined) mustBeAddress('DATABASE_DIRECT_URL', directUrl)
    const store = openStore(url, { ...options, directUrl })
    const described = 'the PostgreSQL server that DATABASE_URL names'
    return usable({ store, described, folder: null, close: () => store.close() }, directUrl !== undefined)
  }
  const folder = dataFolder(file)
  const embedded = await startEmbedded({ dataDir: folder, onProgress, share })
  const store = openStore(embedded.url, options)
  return usable({
    store,
    described: `an embedded PostgreSQL, data in ${embedded.folder === resolve(folder) ? folder : `${embedded.folder}, to which ${folder} leads`}`,
    folder,
    close: async () => {
      await store.close()
      await embedded.stop()
    },
  })
}

/** Closes it again where it cannot be reached or used. */
async function usable(database: Database, isBehindPooler = false): Promise<Database> {
  try {
    await database.store.serverVersion()
    await refusePooler(database.store, isBehindPooler ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL')
    if (isBehindPooler) await refuseAnother(database.store)
    await refuseNewer(database.store)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Throws `CannotRead` for what no driver should guess at. Never repeats the address, in which a password may stand. */
export function mustBeAddress(what: string, url: string): void {
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return
  throw new CannotRead(
    `${what} is not the address of a PostgreSQL database. It is written like postgres://name:password@host:5432/database; in a password, @ is %40, / is %2F, # is %23 and % is %25.`,
  )
}

/**
 * What a command does with records. Throws `Unavailable` where the database has not the tables of the document yet, which it
 * lacks until `apply`.
 */
export async function onItsTables<T>(file: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!withoutTables.has(codeOf(error))) throw error
    throw notAsWanted(file, error)
  }
}

/** What leads on from a database that is not as the document wants it. */
export const notAsWanted = (file: string, cause?: unknown): Unavailable =>
  new Unavailable(
    'The database does not match the document',
    `Look at the plan: ${typed('plan', file)}\nThen: ${typed('apply', file)}`,
    cause,
  )

/** Codes of PostgreSQL: no such table, column, schema. */
const withoutTables = new Set(['42P01', '42703', '3F000'])

/** The same for a document wherever the command is started, and another one for its copy in another folder. Kept out of git. */
export function dataFolder(file: string): string {
  const all = join(dirname(file), '.ninefold')
  try {
    mkdirSync(all, { recursive: true })
    writeFileSync(join(all, '.gitignore'), '*\n')
  } catch {
    // Whoever starts the server says that it cannot be written, and what to do.
  }
  return join(all, basename(file, extname(file)))
}
