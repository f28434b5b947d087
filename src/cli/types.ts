/** `ninefold types`: what the document declares, as TypeScript for the code beside it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printFrames } from '../document/print.ts'
import { typesOf } from '../trace/types.ts'
import { type Command, onlyFile } from './command.ts'
import { loadApp } from './load.ts'

export const types: Command = {
  name: 'types',
  options: {},
  async run(files) {
    const { app, found, folder } = loadApp(onlyFile(files, 'types'))
    // Code that is not there yet is written against these types.
    const errors = found.filter(({ severity, code }) => severity === 'error' && code !== 'N1021' && code !== 'N1022')
    if (app === null || errors.length > 0) {
      process.stdout.write(printFrames(errors))
      return 1
    }
    const path = join(folder, 'ninefold.d.ts')
    writeFileSync(path, typesOf(app))
    console.log(`${path} has the types of ${app.name}.`)
    return 0
  },
}
