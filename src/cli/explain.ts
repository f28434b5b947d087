/** `ninefold explain`: the line that decides something, and where it is enforced; or the article on a code. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printFrames } from '../document/print.ts'
import { explain as explainThing } from '../trace/explain.ts'
import { CannotRead, type Command } from './command.ts'
import { explainRecord } from './explain-record.ts'
import { loadApp } from './load.ts'
import { reportFailure } from './process.ts'

const articles = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'docs', 'codes')

export const explain: Command = {
  name: 'explain',
  usage: 'explain FILE THING | explain FILE --record … --person … | explain N0000',
  meaning:
    'Says which line decides a rule, step, field, role, error, constant or screen, and where it holds. Or what somebody may do with a record, or what a code means.',
  options: {
    record: { type: 'string', meaning: 'a record, as its address names it: --record "Loan LN-2026-00007"' },
    person: {
      type: 'string',
      meaning: 'the e-mail address of whoever it is about: what they may do with the record, and why not the rest',
    },
  },
  async run(args, { record, person }) {
    const [first, ...rest] = args
    // Of a code there is nothing to read in the document, whether or not one is named.
    const code = args.length <= 2 ? args.at(-1)?.toUpperCase() : undefined
    if (code !== undefined && /^N\d{4}$/.test(code)) {
      const article = join(articles, `${code}.md`)
      if (!existsSync(article)) throw new CannotRead(`There is no code ${code}. All of them are in docs/codes.`)
      process.stdout.write(readFileSync(article, 'utf8'))
      return 0
    }
    if (record !== undefined || person !== undefined) {
      if (first === undefined || typeof record !== 'string' || typeof person !== 'string')
        throw new CannotRead("'ninefold explain' takes a record together with a person, and a file.")
      return reportFailure(() => explainRecord(first, record, person))
    }
    const asked = rest.join(' ')
    if (first === undefined || asked === '')
      throw new CannotRead("'ninefold explain' takes a file and a name, e.g. ninefold explain app.md V-2")
    const { app, found } = loadApp(first)
    if (app === null) {
      process.stdout.write(printFrames(found.filter(({ severity }) => severity === 'error')))
      return 1
    }
    const explained = explainThing(app, asked)
    if ('unknown' in explained) {
      console.error(
        `Nothing in ${first} is named '${asked}'${explained.nearest === null ? '' : `; did you mean '${explained.nearest}'?`}`,
      )
      return 1
    }
    console.log(explained.lines.join('\n'))
    return 0
  },
}
