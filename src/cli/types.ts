/** `ninefold types`: what the document declares, as TypeScript for the code beside it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { home } from '../files.ts'
import { typesOf } from '../trace/types.ts'
import { type Command, onlyFile } from './command.ts'
import { loadApp } from './load.ts'
import { refuse } from './output.ts'
import { replaceFile } from './replace.ts'

export const types: Command = {
  name: 'types',
  options: {
    client: { type: 'boolean', meaning: 'ninefold-client.ts instead: a typed client of the API, without dependencies' },
  },
  async run(files, { client }, output) {
    const { app, found, folder } = loadApp(onlyFile(files, 'types'))
    // Code that is not there yet is written against these types.
    const errors = found.filter(({ severity, code }) => severity === 'error' && code !== 'N1021' && code !== 'N1022')
    if (app === null || errors.length > 0) return refuse(output, errors)
    const path = join(folder, client === true ? 'ninefold-client.ts' : 'ninefold.d.ts')
    const runtime = () => readFileSync(join(home, 'types/client.ts'), 'utf8')
    replaceFile(path, client === true ? (await import('../trace/client.ts')).clientOf(app, runtime()) : typesOf(app))
    output.result({ path })
    output.say(client === true ? `${path} is a client of ${app.name}.` : `${path} has the types of ${app.name}.`)
    return 0
  },
}
