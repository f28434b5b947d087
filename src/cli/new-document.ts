/** The document that `ninefold new` begins with: an example under another title, in the zone, language and currency that were asked for. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { didYouMean } from '../document/nearest.ts'
import { home } from '../files.ts'
import { languageCalled, tagOfLanguage } from '../headings/1-product/tags.ts'
import { zoneMeant } from '../headings/1-product/zones.ts'
import { CannotRead, type Options } from './command.ts'

export interface Beginning {
  readonly example: string
  readonly zone: string
  readonly language: string
  readonly currency: string
}

/** What somebody answers; empty where they take what is offered. */
export interface Questions {
  readonly ask: (question: string) => Promise<string>
  readonly tell: (text: string) => void
  readonly close: () => void
}

/** What no option says is asked for, and without `questions` what would be offered is taken. */
export async function settingsOf(options: Options, questions: Questions | null): Promise<Beginning> {
  const choose = async (option: string, what: string, names: readonly string[], offered: string): Promise<string> => {
    const given = options[option]
    if (given !== undefined) return oneOf(names, String(given), what)
    for (;;) {
      const answer = (await questions?.ask(`${what[0]!.toUpperCase()}${what.slice(1)} (${offered}): `))?.trim()
      if (answer === undefined || answer === '') return offered
      try {
        return oneOf(names, answer, what)
      } catch (error) {
        if (!(error instanceof CannotRead)) throw error
        questions?.tell(error.message)
      }
    }
  }
  try {
    const example = await choose('example', 'example', examples(), 'requests')
    const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')]
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone
    return {
      example,
      zone: await choose('zone', 'time zone', zones, zones.includes(own) ? own : 'UTC'),
      language: await choose('language', 'language', ['English', 'German'], 'English'),
      currency: await choose('currency', 'currency', Intl.supportedValuesOf('currency'), currencyOf(textOf(example))),
    }
  } finally {
    questions?.close()
  }
}

/** On a terminal. Answers may be typed ahead; whoever ends the input, or interrupts, is asked nothing more. */
export function questions(input: Readable, output: Writable): Questions {
  const terminal = createInterface({ input, output })
  const lines = terminal[Symbol.asyncIterator]()
  terminal.once('SIGINT', () => terminal.close())
  return {
    async ask(question) {
      terminal.setPrompt(question)
      terminal.prompt()
      const { done, value } = await lines.next()
      if (done === true) throw new CannotRead('\nNothing was made.')
      return value
    },
    tell: text => void output.write(`${text}\n`),
    close: () => terminal.close(),
  }
}

/** The name as it is written in the list. */
function oneOf(names: readonly string[], wanted: string, what: string): string {
  const tag = what === 'language' ? languageCalled(['en', 'de'], wanted) : null
  const isMeant = (name: string) =>
    name.toLowerCase() === wanted.toLowerCase() || (tag !== null && tagOfLanguage(name) === tag)
  const found = names.find(isMeant)
  if (found !== undefined) return found
  const all = names.length < 10 ? `. Choose one of: ${names.join(', ')}.` : '.'
  const zone = what === 'time zone' ? zoneMeant(wanted) : null
  const meant = zone === null ? didYouMean(wanted, names) : `; did you mean \`${zone}\`?`
  throw new CannotRead(`There is no ${what} '${wanted}'${meant || all}`)
}

const fileOf = (example: string): string => join(home, 'examples', example, `${example}.md`)

const textOf = (example: string): string => readFileSync(fileOf(example), 'utf8')

const examples = (): readonly string[] =>
  readdirSync(join(home, 'examples')).filter(example => existsSync(fileOf(example)))

const currencyOf = (document: string): string => /\bmoney ([A-Z]{3})\b/.exec(document)?.[1] ?? 'EUR'

export function begun(title: string, { example, zone, language, currency }: Beginning): string {
  const document = textOf(example)
  const [heading = '', old = ''] = /^# (.*)/.exec(document) ?? []
  const titled = document
    .replace(heading, () => `# ${title}`)
    // The example's own title in other languages.
    .replace(`\n| ${old} | ${translationOf(document, old)} |`, '')
    .replace(/(?<=\*\*Time zone:\*\* ).*/, zone)
    .replaceAll(new RegExp(`\\b${currencyOf(document)}\\b`, 'g'), currency)
  return language === 'German' ? inGerman(titled, example) : titled
}

const translationOf = (document: string, text: string): string =>
  document.split(`\n| ${text} | `)[1]?.split(' |')[0] ?? ''

/** The examples are written in English; what has no translation yet is read in it, and `ninefold gaps` counts it. */
function inGerman(document: string, example: string): string {
  const spoken = document.replace(
    /\*\*Languages:\*\* .*/,
    '**Languages:** English, German\n- **Default language:** German',
  )
  return example === 'requests' ? spoken.replace('\n## 2 ', () => `\n${german}\n## 2 `) : spoken
}

const german = `### German

| Text | Translation |
| --- | --- |
| Overview | Übersicht |
| To decide | Zu entscheiden |
| Cost by month | Kosten nach Monat |
| By person | Nach Person |
| Needed first | Als Nächstes benötigt |
| Requests | Anfragen |
| Nobody has asked for anything yet. | Noch hat niemand etwas angefragt. |
| Mine | Meine |
| New request | Neue Anfrage |
| Request | Anfrage |
| Board | Tafel |
| Waiting for me | Wartet auf mich |
| Number | Nummer |
| What | Was |
| Why | Warum |
| Cost | Kosten |
| Needed by | Benötigt bis |
| Asked by | Angefragt von |
| Decided by | Entschieden von |
| Reason | Grund |
| Draft | Entwurf |
| Requested | Angefragt |
| Approved | Genehmigt |
| Declined | Abgelehnt |
| Done | Erledigt |
| ask | anfragen |
| approve | genehmigen |
| decline | ablehnen |
| take back | zurücknehmen |
| finish | abschließen |
| Member | Mitglied |
| Approver | Genehmiger |
| Most | Höchstbetrag |
| More than {limits.most} is not approved here. | Mehr als {limits.most} wird hier nicht genehmigt. |
| Decline it, and say who decides instead. | Lehnen Sie ab, und sagen Sie, wer statt Ihrer entscheidet. |
| It is needed on {needed_by}, which is over. | Es wird am {needed_by} gebraucht, und der Tag ist vorbei. |
| Choose a later day. | Wählen Sie einen späteren Tag. |
| {asked_by} asks for {what} | {asked_by} fragt {what} an |
| {number}: {why} It will cost {cost} and is needed by {needed_by}. | {number}: {why} Es kostet {cost} und wird bis {needed_by} benötigt. |
`
