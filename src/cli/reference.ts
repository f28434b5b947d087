/** `ninefold reference` and `ninefold examples`: what the manual, and the documents that come along, say about something. */
import { CannotRead, type Command, typed } from './command.ts'
import { exampleSections, manualSections, type Section, search } from './manual.ts'

/** Sections that are given, and of each the characters at most on a page: an answer stays below some four thousand tokens. */
const most = 5
const longest = 3000

export const reference: Command = asking('reference', manualSections, 'how are several approvals written')
export const examples: Command = asking('examples', exampleSections, 'approvals')

function asking(name: string, sections: () => readonly Section[], for_: string): Command {
  return {
    name,
    options: { page: { type: 'string', meaning: 'goes on where a long answer was cut: `--page 2`' } },
    async run(words, { page: asked = '1' }, output) {
      if (words.length === 0)
        throw new CannotRead(`'ninefold ${name}' takes words to look for. For example: ${typed(name, for_)}`)
      const question = words.join(' ')
      const answer = search(sections(), question, most).map(section => ({ section, parts: inParts(section.text) }))
      if (answer.length === 0) {
        output.fail(`Nothing is said about '${question}'. Ask with other words.`)
        return 1
      }
      const pages = Math.max(...answer.map(({ parts }) => parts.length))
      const page = Number(asked)
      if (!Number.isInteger(page) || page < 1 || page > pages)
        throw new CannotRead(`There is no page '${asked}' of this answer: its pages are 1 to ${pages}.`)
      const found = answer.flatMap(({ section: { path, title }, parts }) => {
        const text = parts[page - 1]
        return text === undefined ? [] : [{ path, title, text, more: parts.length > page }]
      })
      output.result({ found, page, pages })
      output.say(
        found
          .map(({ path, title, text, more }) => `──── ${path}: ${title}\n\n${text}${more ? '\n…' : ''}`)
          .join('\n\n'),
      )
      if (page < pages)
        output.say(
          `\n──── Page ${page} of ${pages}. What is cut at … goes on: ${typed(name, question, '--page', String(page + 1))}`,
        )
      return 0
    },
  }
}

/** Cut at the ends of lines, as far as these are not too long themselves. */
export function inParts(text: string): readonly string[] {
  if (text.length <= longest) return [text]
  const end = text.lastIndexOf('\n', longest)
  const [first, rest] =
    end > 0 ? [text.slice(0, end), text.slice(end + 1)] : [text.slice(0, longest), text.slice(longest)]
  return [first, ...inParts(rest)]
}
