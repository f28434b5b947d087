/** `ninefold explain`: the line that decides something, and where it is enforced; or the article on a code. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { printSummary } from '../document/print.ts'
import { home } from '../files.ts'
import { explain as explainThing } from '../trace/explain.ts'
import { CannotRead, type Command, typed } from './command.ts'
import { explainRecord } from './explain-record.ts'
import { loadApp } from './load.ts'
import { refuse } from './output.ts'

const articles = join(home, 'docs', 'codes')

export const explain: Command = {
  name: 'explain',
  options: {
    record: { type: 'string', meaning: 'a record, named as in its address: --record "Loan LN-2026-00007"' },
    person: {
      type: 'string',
      meaning: 'the e-mail address of a person: what they may do with the record, and why not the rest',
    },
  },
  async run(args, { record, person }, output) {
    const [first, ...rest] = args
    // Of a code there is nothing to read in the document, whether or not one is named.
    const code = args.length <= 2 ? args.at(-1)?.toUpperCase() : undefined
    if (code !== undefined && /^N\d{4}$/.test(code)) {
      const article = join(articles, `${code}.md`)
      if (!existsSync(article)) throw new CannotRead(`There is no code ${code}. All of them are in docs/codes.`)
      const text = readFileSync(article, 'utf8')
      output.result({ code, text })
      output.print(text)
      return 0
    }
    if (record !== undefined || person !== undefined) {
      if (first === undefined || typeof record !== 'string' || typeof person !== 'string')
        throw new CannotRead(
          "'ninefold explain' needs a file, --record and --person together, e.g. ninefold explain app.md --record 'Loan LN-2026-00007' --person ada@example.org",
        )
      return explainRecord(first, record, person, output)
    }
    const asked = rest.join(' ')
    if (first === undefined || asked === '')
      throw new CannotRead("'ninefold explain' takes a file and a name, e.g. ninefold explain app.md V-2")
    const { app, found } = loadApp(first)
    const errors = found.filter(({ severity }) => severity === 'error')
    if (app === null) return refuse(output, errors)
    const explained = explainThing(app, asked)
    if ('unknown' in explained) {
      output.fail(
        explained.nearest === null
          ? `Nothing in ${first} is named '${asked}'. Ask for a rule, step, field, role, error, constant or screen as the document names it.`
          : `Nothing in ${first} is named '${asked}'; did you mean '${explained.nearest}'?`,
      )
      return 1
    }
    const text = explained.lines.join('\n')
    output.result({ thing: asked, text })
    output.say(text)
    if (errors.length === 0) return 0
    output.warn(`${first} has ${printSummary(errors)}, which may concern this. To see them: ${typed('check', first)}`)
    return 1
  },
}
