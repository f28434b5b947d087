/** `ninefold backup` and `ninefold restore`: a database and its files, as they were at one moment, in a folder. */
import { existsSync } from 'node:fs'
import { backUp, restore as putBack } from '../store/backup/backup.ts'
import { CannotRead, type Command, type Options, typed } from './command.ts'
import { openDatabase } from './database.ts'
import { openFiles } from './files.ts'
import { documentNamed } from './load.ts'

export const backup: Command = {
  name: 'backup',
  options: { to: { type: 'string', meaning: 'the folder to write it to, which is not there yet' } },
  async run(files, options, output) {
    const file = documentNamed(files, 'backup')
    const folder = folderIn(options, 'to', 'backup')
    const { store, close } = await openDatabase(file, output.say, { share: true })
    try {
      const { at, document, tables, files: contents } = await backUp(store, openFiles(file), folder, output)
      output.result({ folder, at, document, rows: total(tables), files: contents.length })
      output.say(`Written to ${folder}: what there was at ${at}.`)
      return 0
    } finally {
      await close()
    }
  },
}

export const restore: Command = {
  name: 'restore',
  options: { from: { type: 'string', meaning: 'the folder of the backup' } },
  async run(files, options, output) {
    const file = documentNamed(files, 'restore')
    const folder = folderIn(options, 'from', 'restore')
    if (!existsSync(folder))
      throw new CannotRead(`There is no folder '${folder}'. Name the one that a backup was written to.`)
    const { store, close } = await openDatabase(file, output.say)
    try {
      const { at, document, tables, files: contents } = await putBack(store, () => openFiles(file), folder, output)
      output.result({ folder, at, document, rows: total(tables), files: contents.length })
      output.say(`Restored what there was at ${at}. See whether it fits the document: ${typed('plan', file)}`)
      return 0
    } finally {
      await close()
    }
  },
}

const total = (tables: readonly { readonly rows: number }[]): number => tables.reduce((sum, { rows }) => sum + rows, 0)

function folderIn(options: Options, option: 'to' | 'from', command: string): string {
  const folder = options[option]
  if (typeof folder === 'string' && folder !== '') return folder
  throw new CannotRead(
    `'ninefold ${command}' needs --${option} and a folder. For example: ${typed(command, 'app.md', `--${option}`, 'backups/monday')}`,
  )
}
