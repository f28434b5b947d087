/** `ninefold types`: what the document declares, as TypeScript for the code beside it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { typesOf } from '../trace/types.ts'
import { type Command, onlyFile } from './command.ts'
import { loadApp } from './load.ts'
import { refuse } from './output.ts'

export const types: Command = {
  name: 'types',
  options: {},
  async run(files, _, output) {
    const { app, found, folder } = loadApp(onlyFile(files, 'types'))
    // Code that is not there yet is written against these types.
    const errors = found.filter(({ severity, code }) => severity === 'error' && code !== 'N1021' && code !== 'N1022')
    if (app === null || errors.length > 0) return refuse(output, errors)
    const path = join(folder, 'ninefold.d.ts')
    writeFileSync(path, typesOf(app))
    output.result({ path })
    output.say(`${path} has the types of ${app.name}.`)
    return 0
  },
}
