/** `ninefold gaps`: everything that a document leaves open, with place, owner and consequence. */
import { printFrames } from '../document/print.ts'
import { listGaps } from '../headings/gaps.ts'
import { type Command, onlyFile } from './command.ts'
import { loadApp } from './load.ts'

export const gaps: Command = {
  name: 'gaps',
  usage: 'gaps FILE',
  meaning: 'Lists what the document leaves open, what follows from that, and who owes the answer.',
  options: {},
  async run(files) {
    const { app, found } = loadApp(onlyFile(files, 'gaps'))
    if (app === null) {
      process.stdout.write(
        printFrames(
          found.filter(({ severity }) => severity === 'error'),
          { color: false },
        ),
      )
      return 1
    }
    console.log(listGaps(app).join('\n'))
    return 0
  },
}
