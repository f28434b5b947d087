import { join, sql } from '../../../expression/sql.ts'
import { literal } from '../checks.ts'
import type { FieldKind, FieldParameters, Parsed, WrongType } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { asSeen, codePoints, composed, jsonText } from '../texts.ts'

const mostChoices = 200
const longestChoice = 80

/** One of a closed list. States are fields of this kind too. */
export const choice: FieldKind = {
  name: 'choice',
  written: 'choice: Name, Name, …',
  meaning: 'One of the names listed: `choice: New, Used, Broken`.',
  read: readChoices,
  type: ({ choices = [] }, owner) => ({ kind: 'choice', of: owner, options: choices }),
  column: () => 'text',
  check: ({ choices = [] }, column) => sql`${column} in (${join(choices.map(literal), ', ')})`,
  parse: (text, { choices = [] }) => read(text, choices),
  fromJson: (json, { choices = [] }) =>
    jsonText(json, 'a text', text => (choices.includes(text) ? { value: text } : refused(choices))),
  toJson: wire => wire,
  schema: ({ choices = [] }) => ({ type: 'string', enum: [...choices] }),
  input: wire => (wire === null ? '' : String(wire)),
  sample: (n, { choices = [] }) => choices[(n - 1) % choices.length] ?? null,
  filters: ['is', 'is not', 'any of', 'is empty'],
  sortable: true,
  entered: true,
  examples: [
    {
      type: "choice: Broken, New, Used, With owner's mark",
      good: [
        { text: 'broken', wire: 'Broken' },
        { text: ' New ', wire: 'New' },
        { text: "With owner's mark", wire: "With owner's mark" },
      ],
      bad: ['Nwe', 'New, Used', ''],
    },
  ],
}

/** The names that a type lists, or what is wrong with one. */
export function readChoices(argument: string): FieldParameters | WrongType {
  const choices: string[] = []
  let from = 0
  if (/^[^,]+(?: \/ |;)[^,]+$/.test(argument))
    return {
      wrong: 'choices are parted by commas',
      at: [0, argument.length],
      suggestion: argument
        .split(/ \/ |;/)
        .map(name => name.trim())
        .join(', '),
    }
  for (const part of argument.split(',')) {
    const name = part.trim().normalize('NFC')
    const begin = from + part.length - part.trimStart().length
    const at = [begin, begin + part.trim().length] as const
    from += part.length + 1
    if (name === '') return { wrong: 'a choice is missing here; write them like `choice: New, Used`', at }
    if (codePoints(name) > longestChoice) return { wrong: `a choice has at most ${longestChoice} characters`, at }
    if (/[\p{Cc}"|]/u.test(name)) return { wrong: 'a choice cannot have quotes or bars in it', at }
    if (/^\p{Ll}/u.test(name)) {
      const suggestion = name.replace(/^./u, letter => letter.toUpperCase())
      return { wrong: 'choices begin with a capital letter', at, suggestion }
    }
    if (choices.some(other => other.toLowerCase() === name.toLowerCase()))
      return { wrong: `\`${name}\` is listed twice`, at }
    choices.push(name)
  }
  if (choices.length > mostChoices)
    return { wrong: `a choice has at most ${mostChoices} names; make it an entity`, at: [0, argument.length] }
  return { choices }
}

const refused = (choices: readonly string[]): Parsed => invalidValue('NF-CHOICE', { choices: listed(choices) })

function read(text: string, choices: readonly string[]): Parsed {
  const name = composed(asSeen(text))
  const value =
    choices.find(choice => choice === name) ?? choices.find(choice => choice.toLowerCase() === name.toLowerCase())
  return value === undefined ? refused(choices) : { value }
}

/** The first ten, in words. */
export function listed(choices: readonly string[]): string {
  return choices.length <= 10
    ? choices.join(', ')
    : `${choices.slice(0, 10).join(', ')} and ${choices.length - 10} more`
}
