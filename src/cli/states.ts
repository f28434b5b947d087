/** `ninefold states`: the states of a document as diagrams. */
import { statesOf } from '../trace/states.ts'
import { type Command, onlyFile } from './command.ts'
import { loadApp } from './load.ts'
import { refuse } from './output.ts'

export const states: Command = {
  name: 'states',
  options: {},
  async run(files, _, output) {
    const { app, errors } = loadApp(onlyFile(files, 'states'))
    if (app === null || errors.length > 0) return refuse(output, errors)
    const text = statesOf(app)
    output.result({ text })
    output.print(text)
    return 0
  },
}
