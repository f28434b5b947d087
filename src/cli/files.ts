/** Where files lie: as FILES_URL says, else in the data folder beside the document. */
import { join } from 'node:path'
import { type FileStore, filesAt, folderFiles } from '../store/files.ts'
import { dataFolder } from './database.ts'

export function openFiles(file: string): FileStore {
  const address = process.env.FILES_URL ?? ''
  if (address === '') return folderFiles(join(dataFolder(file), 'files'))
  return filesAt(address, name => (process.env[name] === '' ? undefined : process.env[name]))
}
