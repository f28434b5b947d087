/** Calls, mails and settings by name, before anything that names them is read. */
import { slice, trimmed } from '../../document/cell.ts'
import { type NamedRow, readProperties } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Fence, Subject } from '../../document/tree.ts'
import { tagOfLanguage } from '../1-product/tags.ts'
import { type Context, documentReporter, listed, readTables, sectionsOf, type Tables } from '../context.ts'
import { addRow, alikeNumbers, bothPlaces, evened, type Names, names } from '../names.ts'
import { callCodes } from './codes.ts'
import { receivedName } from './receives.ts'
import { answers, calls, mails, properties, send, settings } from './table.ts'

const section = 7

export interface CallDraft {
  /** `C-2`. */
  readonly key: string
  readonly name: string
  readonly cell: Cell
  readonly keys: NamedRow<
    'Trigger' | 'Request' | 'Sign with' | 'Header' | 'Timeout' | 'Safe to repeat' | 'Order' | 'Quiet hours' | 'Meaning'
  >
  /** The short form's own column. */
  readonly onFailure: Cell | null
  readonly send: readonly NamedRow<'Send' | 'From'>[]
  readonly answers: readonly NamedRow<'Answer' | 'Then'>[]
  /** Entities whose steps and timers make it → the place where they say so. */
  readonly usedBy: Map<string, Cell>
  /** About which records it is taken back, and where that is said. */
  readonly withdrawnBy: { readonly entity: string; readonly cell: Cell }[]
}

export interface MailDraft {
  readonly key: string
  readonly cell: Cell
  readonly row: NamedRow<'Mail' | 'To' | 'Subject' | 'Body' | 'Urgent' | 'Optional' | 'Language'>
  /** Its body where that is a fence, of several lines. */
  fence: Cell | null
  /** The same in other languages, by their tags, with the place that names them. */
  readonly translated: Map<string, { readonly about: Cell; readonly body: Cell }>
  readonly usedBy: Map<string, Cell>
}

export type SettingRow = NamedRow<'Setting' | 'Type' | 'Secret' | 'Meaning'>

/** The table that calls are declared in; a key that is given twice is reported. */
export function callNames(context: Pick<Context, 'found'>): Names<CallDraft> {
  const { report } = reporter(callCodes, section, context.found)
  const found: Names<CallDraft> = names<CallDraft>(context.found, {
    twice: (cell, first) => report('N1702', cell, { call: cell.text }, bothPlaces(cell, first)),
    unknown: (cell, meant, options) =>
      report('N1701', cell, { call: cell.text, meant, known: listed(found.all.keys()) }, options),
    alike: alikeNumbers,
  })
  return found
}

/** The table that mails are declared in; a name that is given twice is reported. */
export function mailNames(context: Pick<Context, 'found'>): Names<MailDraft> {
  const { report } = reporter(callCodes, section, context.found)
  const found: Names<MailDraft> = names<MailDraft>(context.found, {
    twice: (cell, first) => report('N1704', cell, { mail: cell.text }, bothPlaces(cell, first)),
    unknown: (cell, meant, { fixes }) => {
      const last = [...found.all.values()].at(-1)
      const values = { Mail: cell.text, To: 'TBD', Subject: 'TBD' }
      const added =
        last && cell.text !== '' ? addRow(last.row, mails, values, `add \`${cell.text}\` to the mails`) : null
      const parameters = { mail: cell.text, meant, known: listed(found.all.keys()) }
      report('N1703', cell, parameters, { fixes: added === null ? fixes : [...fixes, added] })
    },
  })
  return found
}

const groups = /^(mails|settings|calls)$/i

/** Matches the tables of heading 7, declares calls and mails, and gives the rows of settings. */
export function declareCalls(context: Context): readonly SettingRow[] {
  const found: SettingRow[] = []
  for (const content of sectionsOf(context, section)) {
    const parts = [content, ...content.subjects.filter(subject => groups.test(subject.title.text))]
    for (const part of parts) {
      const tables = readTables(context, part, section, [settings, calls, mails])
      declareRows(context, tables, found)
    }
    for (const subject of content.subjects) if (!groups.test(subject.title.text)) declareCall(context, subject, found)
  }
  for (const content of sectionsOf(context, section))
    for (const { fences } of [content, ...content.subjects]) for (const fence of fences) declareBody(context, fence)
  return found
}

/** ```` ```ninefold mail returned ````, ```` ```ninefold mail returned in German ````: the body of a mail that needs more than one line. */
function declareBody(context: Context, { about, text }: Fence): void {
  const { report } = reporter(callCodes, section, context.found)
  const body = trimmed(text)
  if (about === null) {
    report('N1732', body, { why: 'it names none' })
    return
  }
  const { named, tag } = languageIn(context, about)
  const mail = context.mails.find(named)
  if (mail === null) return
  const first =
    tag === null ? (mail.fence ?? cellOrEmpty(mail.row.cell('Body'))) : (mail.translated.get(tag)?.body ?? null)
  const related = first === null ? [] : [{ span: first, message: 'also here' }]
  if (first !== null) report('N1732', about, { why: `what ${mail.key} says stands elsewhere already` }, { related })
  else if (tag === null) mail.fence = body
  else mail.translated.set(tag, { about, body })
}

/** `returned in German`, unless a mail is called so. */
function languageIn(context: Context, about: Cell): { readonly named: Cell; readonly tag: string | null } {
  const [, named, language] = /^(.*\S)\s+in\s+(.+)$/.exec(about.text) ?? []
  const tag = language === undefined || context.mails.all.has(evened(about.text)) ? null : tagOfLanguage(language)
  return { named: tag === null ? about : slice(about, 0, named!.length), tag }
}

const cellOrEmpty = (cell: Cell | null): Cell | null => (cell === null || cell.text === '' ? null : cell)

function declareRows(context: Context, tables: Tables, found: SettingRow[]): void {
  found.push(...tables.rows(settings))
  for (const row of tables.rows(settings)) context.settingNames.add(row.cell('Setting')!.text)
  for (const row of tables.rows(mails)) declareMail(context, row)
  for (const row of tables.rows(calls)) declareShort(context, row)
}

function declareMail(context: Context, row: MailDraft['row']): void {
  const cell = row.cell('Mail')!
  if (cell.text !== '')
    context.mails.declare(cell, cell.text, {
      key: evened(cell.text),
      cell,
      row,
      fence: null,
      translated: new Map(),
      usedBy: new Map(),
    })
}

/** A row of the short form says the same as a heading 3 with bold keys. */
function declareShort(context: Context, row: NamedRow<'Call' | 'Trigger' | 'Request' | 'On failure'>): void {
  const cell = row.cell('Call')!
  if (cell.text === '') return
  const keys: CallDraft['keys'] = {
    ...row,
    cell: name => (name === 'Trigger' || name === 'Request' ? row.cell(name) : null),
    all: name => (name === 'Trigger' || name === 'Request' ? row.all(name) : []),
  }
  declare(context, cell, { keys, onFailure: row.cell('On failure'), send: [], answers: [] })
}

function declareCall(context: Context, subject: Subject, found: SettingRow[]): void {
  if (receivedName(subject) !== null) return
  const tables = readTables(context, subject, section, [send, answers, settings, calls, mails])
  declareRows(context, tables, found)
  const isCall = subject.properties.length > 0 || [...tables.rows(send), ...tables.rows(answers)].length > 0
  if (!isCall && tables.tables.length + subject.fences.length > 0) return
  const keys = readProperties(subject.properties, properties, subject.title, documentReporter(context, section))
  declare(context, subject.title, { keys, onFailure: null, send: tables.rows(send), answers: tables.rows(answers) })
}

/** `C-2 Tell the asset register`: the first word is the key where it is written like one. */
function declare(
  context: Context,
  title: Cell,
  rest: Pick<CallDraft, 'keys' | 'onFailure' | 'send' | 'answers'>,
): void {
  const first = /^[A-Z][A-Za-z]*-[A-Za-z0-9-]+/.exec(title.text)?.[0]
  const cell = first === undefined ? title : slice(title, 0, first.length)
  const name = first === undefined ? title.text : trimmed(slice(title, first.length)).text || first
  context.calls.declare(cell, cell.text, {
    key: evened(cell.text),
    name: evened(name),
    cell,
    usedBy: new Map(),
    withdrawnBy: [],
    ...rest,
  })
}
