/**
 * What can stand at a place of a document while it is being written: columns and keys from the tables of the headings, names from the
 * App as it was last read. A reader of both, for editors; it never refuses anything.
 */
import { nineTitles } from '../document/nine.ts'
import { aggregates } from '../expression/aggregate-functions.ts'
import { scalarFunctions } from '../expression/functions.ts'
import { fieldKinds } from '../kinds/fields/index.ts'
import { screenKinds } from '../kinds/screens/index.ts'
import * as product from './1-product/table.ts'
import * as screens from './2-screens/table.ts'
import { faceParts } from './3-entities/model.ts'
import * as entities from './3-entities/table.ts'
import * as states from './4-states/table.ts'
import * as validation from './5-validation/table.ts'
import * as permissions from './6-permissions/table.ts'
import * as calls from './7-calls/table.ts'
import * as errors from './8-errors/table.ts'
import type { Constant } from './9-limits/model.ts'
import * as limits from './9-limits/table.ts'
import type { App } from './app.ts'

interface Completion {
  readonly label: string
  readonly kind:
    | 'column'
    | 'key'
    | 'field'
    | 'state'
    | 'role'
    | 'step'
    | 'entity'
    | 'error'
    | 'constant'
    | 'function'
    | 'type'
    | 'word'
  readonly detail: string
  /** What `explain` calls it; absent: a word of the language. */
  readonly thing?: string
}

export interface Completions {
  /** Where the word begins that they stand for. */
  readonly from: number
  readonly options: readonly Completion[]
}

interface Schema {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly meaning: string }[]
}

const rooms: readonly Readonly<Record<string, unknown>>[] = [
  product,
  screens,
  entities,
  states,
  validation,
  permissions,
  calls,
  errors,
  limits,
]

/** Tables of a heading, and what is written as bullets there: schemas whose keys nobody writes as columns, too. */
const schemasOf = (section: number): readonly Schema[] =>
  Object.values(rooms[section - 1] ?? {}).filter((one): one is Schema => Array.isArray((one as Schema | null)?.columns))

/** What fits at an offset of the text, and where the word being typed begins. */
export function completions(app: App, text: string, offset: number): Completions {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  const before = text.slice(lineStart, offset)
  const from = offset - (/[\p{L}\p{N}_.-]*$/u.exec(before)?.[0].length ?? 0)
  const place = placeOf(app, text, lineStart, before)
  const known = place === null ? [] : optionsAt(app, place, text.slice(from, offset))
  const options = place?.column === 'Then' ? [...known, ...namedIn(before)] : known
  const unique = new Map(options.map(option => [option.label, option]))
  return { from, options: [...unique.values()] }
}

/** What has got a name in a Then cell so far: `let taken = min(rest, wanted)`, `for each line in lines`. */
const namedIn = (before: string): readonly Completion[] =>
  [
    ...before
      .slice(before.lastIndexOf('|') + 1)
      .matchAll(/\b(?:let ([a-z]\w*) *= *|for each ([a-z]\w*) in )([^;:]*)[;:]/g),
  ].map(
    ([, local, record, detail]): Completion => ({ label: (local ?? record)!, kind: 'word', detail: detail!.trim() }),
  )

/**
 * What `explain` calls the name at an offset, where the name is one that fits there: a field, a state, a step. Null in prose, and for words of
 * the language.
 */
export const nameAt = (app: App, text: string, offset: number): string | null =>
  standingAt(app, text, offset, ({ label, thing }) => (thing === undefined ? null : label))?.thing ?? null

/** The word of the language at an offset: a column, a key, a type, a rule, a function. Null in prose, and for names. */
export function languageWordAt(app: App, text: string, offset: number): Completion | null {
  const begun = /[\p{L}\p{N}_/-]*$/u.exec(text.slice(0, offset))![0].length
  return standingAt(app, text, offset - begun, ({ label, kind, thing }) =>
    thing !== undefined ? null : kind === 'column' || kind === 'key' ? label : (beforeBlanks.exec(label)?.[0] ?? null),
  )
}

/** `no overlap of` of `no overlap of <field> to <field>`, `money` of `money CUR`, `days` of `length(`. */
const beforeBlanks = /^[a-z][a-z_/-]*(?: [a-z][a-z/-]*)*(?![\w])/

/** What fits at an offset and stands there, as `spelled` says that it is written; the longest. */
function standingAt(
  app: App,
  text: string,
  offset: number,
  spelled: (option: Completion) => string | null,
): Completion | null {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  const place = placeOf(app, text, lineStart, text.slice(lineStart, offset))
  if (place === null) return null
  const word = wordAt(text, offset)
  const lineEnd = text.indexOf('\n', offset)
  const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd)
  const found = optionsAt(app, place, word).filter(option => {
    const written = spelled(option)
    return written !== null && (written === word || covers(line, written, offset - lineStart))
  })
  return found.sort((a, b) => b.label.length - a.label.length)[0] ?? null
}

/** The word at an offset as far as the part of the path in which the offset lies: `item.cat|egory.keeper` is `item.category`. */
function wordAt(text: string, offset: number): string {
  const before = /[\p{L}\p{N}_.-]*$/u.exec(text.slice(0, offset))![0]
  const behind = /^[\p{L}\p{N}_-]*/u.exec(text.slice(offset))![0]
  return before + behind
}

/** Whether a name of several words stands around an offset of a line. */
function covers(line: string, label: string, offset: number): boolean {
  for (let at = line.indexOf(label); at >= 0; at = line.indexOf(label, at + 1)) {
    const isWhole = !/[\p{L}\p{N}_]/u.test(`${line[at - 1] ?? ' '}${line[at + label.length] ?? ' '}`)
    if (isWhole && at <= offset && offset <= at + label.length) return true
  }
  return false
}

interface CursorPlace {
  readonly section: number
  /** Key of the entity that it is about. */
  readonly entity: string | null
  /** Header of the table; empty outside of one. */
  readonly header: readonly string[]
  /** The column, or key, that is filled in; null: a column or key itself is written. */
  readonly column: string | null
  /** What stands in the cell so far; empty behind a key. */
  readonly typed: string
  readonly isTable: boolean
}

/** Null in prose. */
function placeOf(app: App, text: string, lineStart: number, before: string): CursorPlace | null {
  const above = text.slice(0, lineStart).split('\n')
  const title = above.findLast(line => /^## /.test(line)) ?? ''
  const section =
    nineTitles.findIndex(one => title.toLowerCase().includes(one.toLowerCase())) + 1 ||
    Number(/^## ([1-9])\b/.exec(title)?.[1] ?? 0)
  if (section === 0) return null
  const subject = above.slice(above.lastIndexOf(title)).findLast(line => /^### /.test(line))
  const named =
    subject === undefined
      ? null
      : subject
          .slice(4)
          .replace(/\((?:part of|was) .*\)/, '')
          .trim()
  const entity = entityNamed(app, named ?? '')
  const key = /^\s*[-*] \*\*(?:([^*]*?):\*\*)?/.exec(before)
  if (key !== null) return { section, entity, header: [], column: key[1] ?? null, typed: '', isTable: false }
  if (!/^\s*\|/.test(before)) return null
  const rows: string[] = []
  for (const line of above.slice(0, -1).reverse()) {
    if (!/^\s*\|/.test(line)) break
    rows.unshift(line)
  }
  const header = rows[0] === undefined ? [] : cellsOf(rows[0])
  const own = cellsOf(before)
  const column = rows.length === 0 ? null : (header[own.length - 1] ?? null)
  const about = header.indexOf('Applies to')
  return {
    section,
    entity: about >= 0 && own[about] !== undefined ? entityNamed(app, own[about]) : entity,
    header: rows.length === 0 ? own : header,
    column,
    typed: own.at(-1) ?? '',
    isTable: true,
  }
}

/** What stands between the pipes; the cell that is not closed counts. */
const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, line.trim() === '|' ? '' : '|')
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim())

const entityNamed = (app: App, text: string): string | null =>
  [...app.entities.values()]
    .filter(({ name }) => text.toLowerCase().startsWith(name.toLowerCase()))
    .sort((left, right) => right.name.length - left.name.length)[0]?.key ?? null

function optionsAt(app: App, place: CursorPlace, word: string): readonly Completion[] {
  const { section, column, header, isTable } = place
  if (column === null)
    return schemasOf(section).flatMap(({ name, columns }) =>
      columns
        .filter(one => !header.includes(one.name))
        .map(
          (one): Completion => ({
            label: one.name,
            kind: isTable ? 'column' : 'key',
            detail: `${name}: ${one.meaning}`,
          }),
        ),
    )
  const isFieldMatrix = section === 6 && header[0] === 'Field'
  const supply = suppliers[isFieldMatrix && (column === 'See' || column === 'Change') ? 'Who' : column]
  return supply === undefined ? [] : supply(app, place, word)
}

type Supply = (app: App, place: CursorPlace, word: string) => readonly Completion[]

const both =
  (...all: readonly Supply[]): Supply =>
  (app, place, word) =>
    all.flatMap(one => one(app, place, word))

const statesOf: Supply = (app, { entity }) =>
  [...app.workflows.values()]
    .filter(workflow => entity === null || workflow.entity === entity)
    .flatMap(workflow =>
      workflow.states.map(
        ({ name, meaning }): Completion => ({
          label: name,
          kind: 'state',
          detail: meaning?.text ?? app.entities.get(workflow.entity)!.name,
          thing: `${app.entities.get(workflow.entity)!.name}.${name}`,
        }),
      ),
    )
const rolesOf: Supply = app =>
  [...app.roles.values()].map(
    ({ name, meaning }): Completion => ({ label: name, kind: 'role', detail: meaning?.text ?? '', thing: name }),
  )
const stepsOf: Supply = (app, { entity }) =>
  (entity === null ? [] : (app.workflows.get(entity)?.transitions ?? [])).map(
    ({ name, cell }): Completion => ({
      label: name,
      kind: 'step',
      detail: cell.text,
      thing: `${app.entities.get(entity!)!.name}.${name}`,
    }),
  )
/** Of rows without states, those of what they are part of. */
const stepsAbove: Supply = (app, place, word) => {
  const { partOf = null } = app.entities.get(place.entity ?? '') ?? {}
  const isBelow = partOf !== null && !app.workflows.has(place.entity!)
  return stepsOf(app, isBelow ? { ...place, entity: partOf } : place, word)
}
const everyStep: Supply = (app, place, word) =>
  [...app.workflows.keys()].flatMap(entity => stepsOf(app, { ...place, entity }, word))
const approvalsOf: Supply = (app, { entity }) =>
  (entity === null ? [] : (app.workflows.get(entity)?.approvals ?? [])).map(
    ({ name, key, cell }): Completion => ({ label: name, kind: 'step', detail: cell.text, thing: `${entity}.${key}` }),
  )
const awaited: Supply = (app, place, word) =>
  approvalsOf(app, place, word).map(one => ({ ...one, label: `waiting for ${one.label}` }))
const errorsOf: Supply = app =>
  [...app.errors.values()].map(
    ({ code, message }): Completion => ({
      label: code,
      kind: 'error',
      detail: 'text' in message ? message.text : '',
      thing: code,
    }),
  )
/** What says a currency: choices of currencies, of the record or one that it names, and texts of heading 9. */
const currenciesOf: Supply = (app, { entity }) => {
  const choices = (of: string, prefix: string) =>
    fieldsAt(app, of, prefix).filter(({ label }) => {
      const type = app.schema.get(of)!.fields.get(label.slice(prefix.length))!.type
      return type.kind === 'choice' && type.options.every(option => currency.test(option))
    })
  const named = [...(app.schema.get(entity ?? '')?.fields.values() ?? [])].flatMap(({ key, type }) =>
    type.kind === 'reference' && key !== 'id' ? choices(type.entity, `${key}.`) : [],
  )
  const constants = constantsOf(app, isCurrency)
  return [...(entity === null ? [] : choices(entity, '')), ...named, ...constants]
}
const currency = /^[A-Z]{3}$/
const isCurrency = ({ value, change }: Constant): boolean =>
  change === 'fixed' && 'wire' in value && currency.test(String(value.wire))
const entitiesOf: Supply = app =>
  [...app.entities.values()].map(({ name }): Completion => ({ label: name, kind: 'entity', detail: '', thing: name }))
const typesOf: Supply = both(
  () =>
    [...fieldKinds.values()].map(
      ({ written, meaning }): Completion => ({ label: written.split(' · ')[0]!, kind: 'type', detail: meaning }),
    ),
  entitiesOf,
)
const showsOf: Supply = both(
  () =>
    [...screenKinds.values()].map(
      ({ written, meaning }): Completion => ({ label: written.split(' · ')[0]!, kind: 'type', detail: meaning }),
    ),
  entitiesOf,
)
const words =
  (...all: readonly string[]): Supply =>
  () =>
    all.map((label): Completion => ({ label, kind: 'word', detail: '' }))

/** Fields of the entity, or of the one that the path before the last dot of the word leads to. */
const fieldsOf: Supply = (app, { entity }, word) => {
  const path = word.split('.').slice(0, -1)
  if (path.length === 0) return fieldsAt(app, entity)
  const [first, ...rest] = path
  const start = first === 'my' ? 'person' : first === 'this' || first === 'old' ? entity : reached(app, entity, first!)
  const end = rest.reduce<string | null>((at, step) => reached(app, at, step), start)
  return fieldsAt(app, end, path.map(part => `${part}.`).join(''))
}

function fieldsAt(app: App, entity: string | null, prefix = ''): readonly Completion[] {
  const of = entity === null ? undefined : app.schema.get(entity)
  return [...(of?.fields.values() ?? [])]
    .filter(({ key, unseen }) => key !== 'id' && unseen !== true)
    .map(
      ({ key }): Completion => ({
        label: prefix + key,
        kind: 'field',
        detail: app.entities.get(entity!)?.fields.find(one => one.key === key)?.typeCell.text ?? '',
        thing: `${entity}.${key}`,
      }),
    )
}

/** `decisions of approve`. */
function decisions(app: App, entity: string | null): readonly string[] {
  const { steps = [], approvals = [] } = app.schema.get(entity ?? '')?.decided ?? {}
  return [...steps, ...approvals].map(key => `decisions of ${key}`)
}

const constantsOf = ({ limits }: App, fits: (constant: Constant) => boolean): readonly Completion[] =>
  [...limits.values()].filter(fits).map(
    ({ key, meaning }): Completion => ({
      label: `limits.${key}`,
      kind: 'constant',
      detail: meaning?.text ?? '',
      thing: `limits.${key}`,
    }),
  )

/** Inside of an expression: `due_back`, `item.category.keeper`, `limits.max_days`, functions, states. */
const expression: Supply = (app, place, word) => {
  if (word.startsWith('limits.')) return constantsOf(app, () => true)
  if (word.includes('.')) return fieldsOf(app, place, word)
  return [
    ...fieldsAt(app, place.entity),
    ...statesOf(app, place, word),
    ...[...scalarFunctions, ...aggregates].map(
      ({ written, meaning }): Completion => ({
        label: `${written.split('(')[0]!}(`,
        kind: 'function',
        detail: meaning,
      }),
    ),
    ...[...app.functions.keys()].map(
      (name): Completion => ({ label: `${name}(`, kind: 'function', detail: '', thing: name }),
    ),
    ...words(
      'me',
      'my.',
      'today',
      'now',
      'limits.',
      ...decisions(app, place.entity),
      'and',
      'or',
      'not',
      'is empty',
      'is not empty',
      'in (',
    )(app, place, word),
  ]
}

const reached = (app: App, entity: string | null, field: string): string | null => {
  const type = entity === null ? undefined : app.schema.get(entity)?.fields.get(field)?.type
  return type?.kind === 'reference' || type?.kind === 'list' ? type.entity : null
}

const granted = both(words('yes', 'no'), expression)

/** By column or key. What is not here is free text. */
const suppliers: Readonly<Record<string, Supply>> = {
  From: both(statesOf, rolesOf, fieldsOf),
  After: approvalsOf,
  Needs: words('1 of', 'all of', 'majority of', '60% of'),
  Except: fieldsOf,
  Face: both(words(...faceParts, 'none'), fieldsOf),
  Survives: both(fieldsOf, stepsOf),
  Deputy: both(words('named'), fieldsOf),
  To: statesOf,
  While: both(statesOf, awaited, words('stands in ')),
  Frozen: both(words('on ', 'until ', 'except '), stepsOf, fieldsOf),
  Kind: words('start', 'start when ', 'end', 'good end', 'bad end'),
  Locks: both(words('all', 'all except '), fieldsOf),
  Who: both(
    rolesOf,
    words('everyone', 'everyone signed in', 'everyone except ', 'appointed by ', 'link of ', 'shared ', 'none'),
    fieldsOf,
  ),
  For: both(words('everyone', 'everyone signed in'), rolesOf),
  'Never with': rolesOf,
  Role: both(rolesOf, words('never', 'never ')),
  'Who may change': rolesOf,
  'Document for': rolesOf,
  Assistants: both(rolesOf, words('none')),
  'Assistants ask before': both(everyStep, words('delete')),
  'Send again': rolesOf,
  Comments: rolesOf,
  'Views shared by': rolesOf,
  'Home for': rolesOf,
  Error: errorsOf,
  Field: fieldsOf,
  Asks: fieldsOf,
  Columns: fieldsOf,
  Filters: fieldsOf,
  Totals: fieldsOf,
  'Group by': fieldsOf,
  By: fieldsOf,
  'Applies to': entitiesOf,
  Of: both(entitiesOf, stepsOf),
  Tenant: entitiesOf,
  Type: (app, place, word) => (/^money in\b/.test(place.typed) ? currenciesOf : typesOf)(app, place, word),
  Shows: showsOf,
  Do: both(words('all', 'none'), stepsOf),
  See: granted,
  Create: granted,
  Change: granted,
  Delete: granted,
  Export: granted,
  When: expression,
  'Must hold': expression,
  Severity: words(...validation.severities),
  At: expression,
  Where: expression,
  Only: expression,
  Rules: both(
    () =>
      entities.rules.map(
        ({ written, meaning }): Completion => ({ label: written.split(' · ')[0]!, kind: 'word', detail: meaning }),
      ),
    expression,
    stepsAbove,
  ),
  Then: both(
    () =>
      states.acts.map(
        ({ written, meaning }): Completion => ({ label: written.split(' · ')[0]!, kind: 'word', detail: meaning }),
      ),
    expression,
  ),
}
