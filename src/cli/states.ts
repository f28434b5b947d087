/** `ninefold states`: the states of a document as diagrams. */
import { printFrames } from '../document/print.ts'
import { statesOf } from '../trace/states.ts'
import { type Command, onlyFile } from './command.ts'
import { loadApp } from './load.ts'

export const states: Command = {
  name: 'states',
  options: {},
  async run(files) {
    const { app, errors } = loadApp(onlyFile(files, 'states'))
    if (app === null || errors.length > 0) {
      process.stdout.write(printFrames(errors))
      return 1
    }
    process.stdout.write(statesOf(app))
    return 0
  },
}
