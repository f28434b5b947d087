/** Where files lie: as FILES_URL says, else in the data folder beside the document; and, where CLAMD_URL names it, who looks for viruses in them. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { scannerAt } from '../store/clamd.ts'
import { type FileStore, filesAt, folderFiles } from '../store/files.ts'
import { dataFolder } from './database.ts'
import { variable } from './environment.ts'

/** Throws where nothing can be written there: better at the start than with the first file that somebody sends. */
export function openFiles(file: string): FileStore {
  const scanner = variable('CLAMD_URL')
  const files = filesOf(file, variable('FILES_URL'))
  makeFolder(files.staging)
  accessSync(files.staging, constants.W_OK)
  return scanner === undefined ? files : { ...files, scan: scannerAt(scanner) }
}

/** Each folder above it that is missing, once: Node's `recursive` tries for ever where a folder is there and takes none, as `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

const filesOf = (file: string, address: string | undefined): FileStore =>
  address === undefined ? folderFiles(join(dataFolder(file), 'files')) : filesAt(address, variable)
