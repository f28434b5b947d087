/** `ninefold format`: the tables of a document as everybody writes them. */
import { join } from 'node:path'
import { formatted } from '../document/format.ts'
import { type Command, onlyFile } from './command.ts'
import { loadApp } from './load.ts'
import { replaceFile } from './replace.ts'

export const format: Command = {
  name: 'format',
  options: {
    check: { type: 'boolean', meaning: 'write nothing; exit code 1 if something would change' },
  },
  async run(files, options, output) {
    const { folder, files: parts } = loadApp(onlyFile(files, 'format'))
    const changed = parts
      .filter(({ path }) => path.endsWith('.md'))
      .map(({ path, text }) => ({ path, text, even: formatted(text) }))
      .filter(({ text, even }) => even !== text)
    for (const { path, even } of changed) {
      if (options.check !== true) replaceFile(join(folder, path), even)
      output.say(path)
    }
    output.result({ changed: changed.map(({ path }) => path) })
    return options.check === true && changed.length > 0 ? 1 : 0
  },
}
