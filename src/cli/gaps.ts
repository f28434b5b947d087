/** `ninefold gaps`: everything that a document leaves open, with place, owner and consequence. */
import { printFrames, printSummary } from '../document/print.ts'
import { listGaps } from '../headings/gaps.ts'
import { type Command, onlyFile, typed } from './command.ts'
import { loadApp } from './load.ts'

export const gaps: Command = {
  name: 'gaps',
  usage: 'gaps FILE',
  meaning:
    'Lists what a document leaves open, what follows from that, and who owes the answer. Exit code 1 if it has errors.',
  options: {},
  async run(files) {
    const file = onlyFile(files, 'gaps')
    const { app, found } = loadApp(file)
    const errors = found.filter(({ severity }) => severity === 'error')
    if (app === null) {
      process.stdout.write(printFrames(errors, { color: false }))
      return 1
    }
    console.log(listGaps(app).join('\n'))
    if (errors.length === 0) return 0
    console.error(
      `${file} has ${printSummary(errors)}; this list may be incomplete because of them. To see them: ${typed('check', file)}`,
    )
    return 1
  },
}
