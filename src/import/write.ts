/** A draft into Markdown: nine headings, compact tables; what the source does not say is "not shown." */
import { nineTitles } from '../document/nine.ts'
import type { Draft, DraftEntity, DraftRule, Note } from './draft.ts'
import { administrator, everything, isOpened, rolesOf, screensOf } from './opened.ts'

/** The document, ending in one line end. It checks clean where the draft's expressions do. */
export function writeDocument(draft: Draft): string {
  const contents = nineTitles.map((title, index) => [`## ${index + 1} ${title}`, contentOf(draft, index + 1)])
  return `${[`# ${plain(draft.title)}`, '- **Ninefold:** 1', ...contents.flat()].join('\n\n')}\n`
}

/** Notes for the terminal, one line each: those that say the same stand together. */
export function listNotes(notes: readonly Note[]): readonly string[] {
  return gathered(notes).map(({ about, text }) => `${about.join(', ')}: ${text}`)
}

const notShown = 'not shown.'

function contentOf({ origin, entities, rules, notes }: Draft, heading: number): string {
  const general = notes.filter(({ entity }) => entity === null)
  const written = entities.filter(entity => entity.name !== 'Person' || entity.fields.length > 0)
  switch (heading) {
    case 1:
      return [
        notShown,
        quote([
          `${plain(origin)}${general.length === 0 ? '' : ' Not carried over, or said in another way:'}`,
          ...noteLines(general),
        ]),
      ].join('\n\n')
    case 2: {
      const screens = screensOf(entities)
      return screens.length === 0 ? notShown : tableText(['Route', 'Screen', 'For', 'Shows'], screens)
    }
    case 3:
      return written.length === 0
        ? notShown
        : written
            .map(entity =>
              entityText(
                entity,
                notes.filter(note => note.entity === entity.name),
              ),
            )
            .join('\n\n')
    case 4: {
      const moving = entities.map(statesText).filter(text => text !== null)
      return moving.length === 0 ? notShown : moving.join('\n\n')
    }
    case 5:
      return rules.length === 0 ? notShown : rulesTable(rules)
    case 6:
      return permissionsText(entities)
    case 8:
      return rules.length === 0
        ? notShown
        : tableText(
            ['Code', 'Message'],
            rules.map(({ error, message }) => [error, message]),
          )
    default:
      return notShown
  }
}

function entityText(entity: DraftEntity, notes: readonly Note[]): string {
  const { name, partOf, table, prose, fields, evidence, data } = entity
  // A paragraph without a table below it could be taken for a rule; a quote is never more than an illustration.
  const text = prose.map(plain).map(line => (fields.length > 0 && isParagraph(line) ? line : quote([line])))
  return [
    `### ${name}${partOf === null ? '' : ` (part of ${partOf})`}`,
    ...text,
    ...(table === null ? [] : [`- **Table:** ${table}`]),
    ...(data === null ? [] : [`- **Sample data:** [${data.replace(/^.*\//, '')}](${data})`]),
    ...(fields.length === 0 ? [] : [fieldsTable(fields)]),
    ...(evidence.lines.length === 0
      ? []
      : [quote([`Read from ${evidence.of}:`, '', ...evidence.lines.map(line => `- ${line}`)])]),
    ...(notes.length === 0 ? [] : [quote(['Not carried over, or said in another way:', ...noteLines(notes)])]),
  ].join('\n\n')
}

function statesText({ name, workflow }: DraftEntity): string | null {
  if (workflow === null) return null
  const locks = workflow.states.some(({ locked }) => locked)
  const states = workflow.states.map(({ name, kind, locked }, index) => [
    name,
    index === 0 ? 'start' : kind,
    ...(locks ? [locked ? 'all' : ''] : []),
  ])
  return [
    `### ${name}`,
    tableText(['State', 'Kind', ...(locks ? ['Locks'] : [])], states),
    ...(workflow.steps.length === 0
      ? []
      : [
          tableText(
            ['Transition', 'From', 'To', 'Who'],
            workflow.steps.map(({ name, from, to, who }) => [name, from.join(', '), to, who]),
          ),
        ]),
  ].join('\n\n')
}

function fieldsTable(fields: DraftEntity['fields']): string {
  const labelled = fields.some(({ label }) => label !== null)
  const meant = fields.some(({ meaning }) => meaning !== '')
  const pick = (cells: readonly [string, string, string, string, string]) =>
    cells.filter((_, index) => (index !== 3 || labelled) && (index !== 4 || meant))
  return tableText(
    pick(['Field', 'Type', 'Rules', 'Label', 'Meaning']),
    fields.map(({ key, type, rules, label, meaning }) => pick([key, type, rules.join('; '), label ?? '', meaning])),
  )
}

const rulesTable = (rules: readonly DraftRule[]): string =>
  tableText(
    ['Rule', 'Applies to', 'Must hold', 'Field', 'Error'],
    rules.map(({ name, entity, mustHold, field, error }) => [name, entity, `\`${mustHold}\``, field, error]),
  )

/** Nothing is opened where there is nothing to open. */
function permissionsText(entities: readonly DraftEntity[]): string {
  const opened = entities.filter(isOpened)
  if (opened.length === 0) return notShown
  const roles = rolesOf(entities).map(role => [role, `appointed by ${administrator}`])
  const may = ({ grants }: DraftEntity) =>
    tableText(
      ['Role', 'See', 'Create', 'Change', 'Delete', 'Do', 'Export', 'Import'],
      [everything, ...grants].map(one => [
        one.role,
        one.see,
        one.create,
        one.change,
        one.delete,
        one.do,
        one.export,
        one.import,
      ]),
    )
  return [tableText(['Role', 'Who'], roles), ...opened.flatMap(entity => [`### ${entity.name}`, may(entity)])].join(
    '\n\n',
  )
}

function tableText(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `|${cells.map(cell => (cell === '' ? ' |' : ` ${cellText(cell)} |`)).join('')}`
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')
}

/** A backslash pairs with the bar behind it, so that neither ends the cell. */
const cellText = (text: string): string =>
  text
    .replace(/\s*[\r\n]\s*/g, ' ')
    .trim()
    .replace(/(\\*)\|/g, (_, slashes: string) => `${slashes}${slashes.length % 2 === 0 ? '' : ' '}\\|`)

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Whether a line of prose is a paragraph and nothing else to Markdown. */
const isParagraph = (line: string): boolean => /^\p{L}/u.test(line) && !/[<>|]/.test(line)

const quote = (lines: readonly string[]): string => lines.map(line => (line === '' ? '>' : `> ${line}`)).join('\n')

const noteLines = (notes: readonly Note[]): readonly string[] =>
  notes.length === 0
    ? []
    : [
        '',
        ...gathered(notes).map(
          ({ about, text }) => `- ${about.map(name => `\`${name.replaceAll('`', "'")}\``).join(', ')}: ${text}`,
        ),
      ]

/** Notes with the same words, together. */
function gathered(notes: readonly Note[]): readonly { readonly about: readonly string[]; readonly text: string }[] {
  const byText = new Map<string, Set<string>>()
  for (const { about, text } of notes) {
    const known = byText.get(text)
    if (known === undefined) byText.set(text, new Set([about]))
    else known.add(about)
  }
  return [...byText].map(([text, about]) => ({ about: [...about], text }))
}
