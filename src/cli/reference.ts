/** `ninefold reference` and `ninefold examples`: what the manual, and the documents that come along, say about something. */
import { CannotRead, type Command, typed } from './command.ts'
import { exampleSections, manualSections, type Section, search } from './manual.ts'

/** Sections that are given, and of each the characters at most: an answer stays below some four thousand tokens. */
const most = 5
const longest = 3000

export const reference: Command = asking('reference', manualSections, 'how are several approvals written')
export const examples: Command = asking('examples', exampleSections, 'approvals')

function asking(name: string, sections: () => readonly Section[], for_: string): Command {
  return {
    name,
    options: {},
    async run(words, _, output) {
      if (words.length === 0)
        throw new CannotRead(`'ninefold ${name}' takes words to look for. For example: ${typed(name, for_)}`)
      const question = words.join(' ')
      const found = search(sections(), question, most).map(({ path, title, text }) => ({
        path,
        title,
        text: text.length > longest ? `${text.slice(0, longest)}\n…` : text,
      }))
      if (found.length === 0) {
        output.fail(`Nothing is said about '${question}'. Ask with other words.`)
        return 1
      }
      output.result({ found })
      output.say(found.map(({ path, title, text }) => `──── ${path}: ${title}\n\n${text}`).join('\n\n'))
      return 0
    },
  }
}
