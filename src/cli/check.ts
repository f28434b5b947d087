/** `ninefold check`: what is wrong with a document, as source frames, JSON lines or SARIF. */
import { findingOf, printFrames, printJsonLines, printSummary } from '../document/print.ts'
import { toSarif } from '../document/sarif.ts'
import { unaccepted } from '../headings/gaps/list.ts'
import { questionsOf } from '../headings/questions/index.ts'
import { sayWays, waysOutOf } from '../trace/ways.ts'
import { CannotRead, type Command, onlyFile, typed } from './command.ts'
import { loadApp } from './load.ts'

export const check: Command = {
  name: 'check',
  options: {
    format: { type: 'string', meaning: 'frames (the default), json (one object per line) or sarif' },
    ways: {
      type: 'boolean',
      meaning:
        'also who can lead a record out of each state, and what may have been overlooked: ways round a decision, marks of an earlier life, what leaves in part',
    },
    strict: { type: 'boolean', meaning: 'also fail on assumptions that the document does not accept' },
    'no-color': { type: 'boolean', meaning: 'plain text; the environment variable NO_COLOR does the same' },
  },
  async run(files, options, output) {
    const file = onlyFile(files, 'check')
    const { app, found: read, root } = loadApp(file)
    const found = options.strict === true && app !== null ? [...read, ...unaccepted(app)] : read
    const ways = options.ways === true && app !== null ? { ways: waysOutOf(app), questions: questionsOf(app) } : null
    const format = options.format ?? 'frames'
    if (format !== 'frames' && format !== 'json' && format !== 'sarif')
      throw new CannotRead(`--format is frames, json or sarif; not '${String(format)}'.`)
    output.result({
      document: { file: root, name: app?.name ?? null, version: app?.version ?? null },
      findings: found.map(findingOf),
      ...(ways === null ? {} : { ways: ways.ways, questions: ways.questions.map(findingOf) }),
    })
    if (format === 'json') output.print(printJsonLines([...found, ...(ways?.questions ?? [])]))
    else if (format === 'sarif') output.say(JSON.stringify(toSarif([...found, ...(ways?.questions ?? [])]), null, 2))
    else {
      const color = process.stdout.isTTY === true && options['no-color'] !== true && !process.env.NO_COLOR
      if (ways !== null) output.print(`${sayWays(ways.ways)}\n${printFrames(ways.questions, { color })}`)
      output.print(
        printFrames(
          found.filter(({ severity }) => severity !== 'gap'),
          { color },
        ),
      )
      const gaps = found.some(({ severity }) => severity === 'gap')
      if (ways !== null) output.say(sayQuestions(ways.questions.length))
      output.say(`${printSummary(found)}${gaps ? `. What is open: ${typed('gaps', file)}` : ''}`)
    }
    return found.some(({ severity }) => severity === 'error') ? 1 : 0
  },
}

const sayQuestions = (count: number): string =>
  count === 0 ? 'No questions.' : `${count === 1 ? '1 question' : `${count} questions`}; none of it need be wrong.`
