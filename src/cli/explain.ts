/** `ninefold explain`: the line that decides something, and where it is enforced; or the article on a code. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printFrames } from '../document/print.ts'
import { explain as explainThing } from '../trace/explain.ts'
import { CannotRead, type Command } from './command.ts'
import { loadApp } from './load.ts'

const articles = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'docs', 'codes')

export const explain: Command = {
  name: 'explain',
  usage: 'explain FILE THING | explain N0000',
  meaning:
    'Says which line decides a rule, step, field, role, error, constant or screen, and where it holds. Or what a code means.',
  options: {},
  async run(args) {
    const [first, ...rest] = args
    if (first !== undefined && /^N\d{4}$/i.test(first)) {
      const article = join(articles, `${first.toUpperCase()}.md`)
      if (!existsSync(article)) throw new CannotRead(`There is no code ${first.toUpperCase()}.`)
      process.stdout.write(readFileSync(article, 'utf8'))
      return 0
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
