/** Where files lie: as FILES_URL says, else in the data folder beside the document; and, where CLAMD_URL names it, who looks for viruses in them. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { App } from '../headings/app.ts'
import { scannerAt } from '../store/clamd.ts'
import { type FileStore, filesAt, folderFiles, whyNotKept } from '../store/files.ts'
import { Unavailable } from '../store/unavailable.ts'
import { dataFolder } from './database.ts'
import { variable as ofProcess } from './environment.ts'

/**
 * Throws where nothing can be written there: better at the start than with the first file that somebody sends. Where the document keeps no
 * files (`keeps`), what is imported needs a place for as long as it is read, and the machine's own will do.
 */
export function openFiles(file: string, keeps = true, variable = ofProcess): FileStore {
  const scanner = variable('CLAMD_URL')
  const address = variable('FILES_URL')
  const beside = folderFiles(join(dataFolder(file), 'files'))
  const isPassing = address === undefined && !keeps && refusalOf(beside) !== null
  const passing = () => folderFiles(join(tmpdir(), `ninefold-${process.getuid?.() ?? 'files'}`))
  const files = isPassing ? passing() : address === undefined ? beside : filesAt(address, variable)
  const refusal = refusalOf(files)
  if (refusal !== null)
    throw new Unavailable(
      `No file can be kept in ${files.staging}: ${refusal}`,
      'Files that people send are kept there: set FILES_URL to a folder that this user may write (file:///srv/files), or to a bucket.',
    )
  return scanner === undefined ? files : { ...files, scan: scannerAt(scanner) }
}

/** Whether records of the document hold files. */
export const keepsFiles = ({ entities }: App): boolean =>
  [...entities.values()].some(({ fields }) => fields.some(({ type }) => type.kind === 'file'))

/** Why nothing can be kept in a store; null: it can. */
function refusalOf({ staging }: FileStore): string | null {
  try {
    // Closed are the files alone: beside them may lie the database, which another account serves where root starts it.
    makeFolder(dirname(dirname(staging)), 0o755)
    makeFolder(staging, 0o700)
    accessSync(staging, constants.W_OK)
    return null
  } catch (error) {
    const why = whyNotKept(error)
    if (why === null) throw error
    return why
  }
}

/** Each folder above it that is missing, once: Node's `recursive` tries for ever where a folder is there and takes none, as `/proc`. */
function makeFolder(path: string, mode: number): void {
  if (existsSync(path)) return
  makeFolder(dirname(path), mode)
  mkdirSync(path, { mode })
}
