/**
 * What the readers of the nine headings share while a document is read: the names that it declares, what was found, what it
 * leaves open, and the one door to the expression language. Filled in the order of `index.ts`; nothing outside of reading sees it.
 */
import { splitCell, within } from '../document/cell.ts'
import { type DocumentReport, documentReport } from '../document/codes.ts'
import { type ColumnName, matchTable, type NamedRow, readRows, type TableSchema } from '../document/columns.ts'
import { type Diagnostic, type Reporter, reporter } from '../document/diagnostic.ts'
import { nineTitles } from '../document/nine.ts'
import { leftOpen, nothing } from '../document/nothing.ts'
import type { Cell, SourceFile, Span } from '../document/source.ts'
import type { Content, Document, Section, Table } from '../document/tree.ts'
import type { Calendar } from '../expression/calendar.ts'
import type { Expression, Template } from '../expression/expression.ts'
import { readExpression, readTemplate } from '../expression/read.ts'
import type { LimitShape, Scope } from '../expression/scope.ts'
import type { EntityShape, Type } from '../expression/type.ts'
import type { Tenant } from './1-product/model.ts'
import type { ScreenDraft } from './2-screens/read.ts'
import type { EntityDraft } from './3-entities/declare.ts'
import type { TypedEntity } from './3-entities/shape.ts'
import type { EffectRow, TimerRow, WorkflowDraft } from './4-states/declare.ts'
import type { RuleDraft } from './5-validation/read.ts'
import type { RoleDraft } from './6-permissions/declare.ts'
import type { CallDraft, MailDraft } from './7-calls/declare.ts'
import type { ErrorDraft } from './8-errors/read.ts'
import type { Constant } from './9-limits/model.ts'
import type { CodeFunction } from './code/model.ts'
import { isFunctions } from './code/table.ts'
import { commonCodes, structureCodes } from './codes.ts'
import type { Gap, Open, Use } from './gaps/gap.ts'
import { type Names, placeOf } from './names.ts'
import { headingOfTable, isBelowSubject } from './recovery/forms.ts'
import type { Specified, Unspecified } from './specified.ts'
import { joined } from './split.ts'

/** Where an expression is written: whose fields its bare names are, and what else it may read. */
export interface ExpressionScope {
  readonly section: number
  /** Entity key; null where there is no record. */
  readonly entity: string | null
  /** The entity of the record that `this.` is, where that is another (`choose from Fine where …`). */
  readonly about?: string
  /** On change: `old.` is known. */
  readonly old?: boolean
  /** In an answer of a call: `answer.` is known. */
  readonly answer?: boolean
  /** In a report that asks for something: `asked.` is known. */
  readonly asked?: Scope['asked']
  /** In a request of a call: `settings.` is known. */
  readonly settings?: boolean
  /** Inside of `for each order in …`: the entities of the records that have names. */
  readonly records?: Scope['records']
  /** Values that have names here. */
  readonly locals?: Scope['locals']
  /** The name that the records are to have which are selected here. */
  readonly naming?: string
  /** In a scenario: records and people by the names that it gave them. */
  readonly named?: Scope['named']
  /** What is asked is the opposite: the expression stands as if under a `not`. */
  readonly negated?: boolean
  /** JavaScript decides: functions of the document may be asked; of a guard, apart from what the database decides. */
  readonly code?: Scope['code']
  /** A field is computed from it: amounts may be converted. */
  readonly converts?: boolean
}

export interface Context {
  readonly document: Document
  readonly found: Diagnostic[]
  readonly entities: Names<EntityDraft>
  readonly entityByKey: Map<string, EntityDraft>
  /** Entities with their fields, once types are read. */
  readonly typed: Map<string, TypedEntity>
  readonly schema: Map<string, EntityShape>
  readonly limitShapes: Map<string, LimitShape>
  readonly limits: Map<string, Constant>
  readonly workflows: Map<string, WorkflowDraft>
  /** Rows of `| On | Of | When | Then |`, wherever they stand under heading 4. */
  readonly effectRows: EffectRow[]
  /** Rows of timers, with the entity that they stand under. */
  readonly timerRows: { readonly entity: string; readonly row: TimerRow }[]
  /** Rows of timers that say `for each`, wherever they stand under heading 4. */
  readonly sweepRows: TimerRow[]
  readonly roles: Names<RoleDraft>
  readonly rules: Names<RuleDraft>
  readonly calls: Names<CallDraft>
  readonly mails: Names<MailDraft>
  readonly errors: Names<ErrorDraft>
  readonly screens: Names<ScreenDraft>
  /** Settings that stand in a table; empty where there is none, then any name is one. */
  readonly settingNames: Set<string>
  /** Files of code that were asked for, by path; null where there is none. */
  readonly codeFiles: Map<string, SourceFile | null>
  /** Files of sample data that were read, by path. */
  readonly sampleFiles: Map<string, SourceFile>
  readonly load: (path: string) => string | null
  /** A file that is no text. */
  readonly bytes: (path: string) => Uint8Array | null
  /** Written in TypeScript. */
  readonly functions: Map<string, CodeFunction>
  /** Everything that was read, for what asks who reads what (unused constants, settings, consequences of gaps). */
  readonly expressions: { readonly expression: Expression; readonly use: Use }[]
  /** Cells whose expression could not be read, with what was found in them. */
  readonly failures: { readonly cell: Cell; readonly found: readonly Diagnostic[] }[]
  /** Names of roles that something outside of their own row uses. */
  readonly usedRoles: Set<string>
  /** By code of the catalogue: entities whose rules, steps and calls raise it. */
  readonly raised: Map<string, Set<string | null>>
  readonly gaps: Gap[]
  /** Read before the first expression. */
  calendar: Calendar
  /** Read before the fields of entities. */
  tenant: Tenant | null
  /** Read before the first expression over a record. */
  exchange: Scope['exchange']
}

/** The section's parts in all files, in file order; of entities and their states each stands whole where it is named first. */
export function sectionsOf(context: Context, number: number): readonly Section[] {
  const sections = context.document.sections.filter(section => section.number === number)
  return number === 3 || number === 4 ? joined(sections) : sections
}

export const documentReporter = (context: Context, section: number): DocumentReport =>
  documentReport(section, context.found)

export const commonReporter = (context: Context, section: number): Reporter<typeof commonCodes> =>
  reporter(commonCodes, section, context.found)

/** The tables of a place, each read in the schema that its header matches. */
export interface Tables {
  readonly rows: <const S extends TableSchema>(schema: S) => NamedRow<ColumnName<S>>[]
  readonly tables: readonly { readonly table: Table; readonly schema: TableSchema }[]
}

/** Matches every table of a place with one of the schemas. Others are answered with N0310. */
export function readTables(
  context: Context,
  content: Pick<Content, 'tables'>,
  section: number,
  schemas: readonly TableSchema[],
): Tables {
  const tables: { table: Table; schema: TableSchema }[] = []
  for (const table of content.tables) {
    if (isFunctions(table)) continue
    const other = headingOfTable(table.header.map(({ text }) => text))
    if (other !== null && other !== section) {
      reportElsewhere(context, section, table, other)
      continue
    }
    const schema = matchTable(table, schemas, documentReporter(context, section))
    if (schema !== null) tables.push({ table, schema })
  }
  return {
    tables,
    rows: schema => tables.flatMap(match => (match.schema === schema ? readRows(match.table, schema) : [])),
  }
}

/** N0324: a table of another heading; where its own says nothing between itself and its tables, the fix puts it there. */
function reportElsewhere({ document, found }: Context, section: number, table: Table, number: number): void {
  const { file, start, end } = table
  const own = document.sections.find(other => other.number === number)?.title
  const at = own === undefined ? 0 : own.file.text.indexOf('\n', own.end)
  const edits =
    own === undefined ||
    at < 0 ||
    isBelowSubject(
      number,
      table.header.map(({ text }) => text),
    )
      ? []
      : [
          { span: { file: own.file, start: at, end: at }, text: `\n\n${file.text.slice(start, end)}` },
          { span: table, text: '' },
        ]
  const title = nineTitles[number - 1]!
  const fixes = edits.length === 0 ? [] : [{ title: `move it to heading ${number}`, edits }]
  const line = file.text.indexOf('\n', start)
  reporter(structureCodes, section, found).report(
    'N0324',
    { file, start, end: line < 0 ? end : Math.min(line, end) },
    { number, title },
    { fixes },
  )
}

/** The honest answer to what the language has and this Ninefold has not. */
export function notYet(
  context: Context,
  section: number,
  span: Span,
  what: string,
  instead = 'Take it out until it is; a block quote can keep it as a plan.',
): void {
  commonReporter(context, section).report('N1001', placeOf(span), { what, instead })
}

/** Reads an expression at a place; null after a report. `expected`: the type that it must have. `use`: what is left undone while a constant in it has no value. */
export function readAt(
  context: Context,
  cell: Cell,
  place: ExpressionScope,
  expected: Type | null,
  use: Use,
): Expression | null {
  const { expression, found } = readExpression(cell, scopeAt(context, place), expected ?? undefined)
  noteFailure(context, cell, found)
  if (expression !== null) context.expressions.push({ expression, use })
  return expression
}

/** The type that an expression has when nothing is expected of it; null where it has mistakes of its own. Reports nothing. */
export const typeAt = (context: Context, cell: Cell, place: ExpressionScope): Type | null =>
  readExpression(cell, scopeAt(context, place)).expression?.type ?? null

/** One person, all whom `several Person` names, or those whom the rows of a list name. */
export function isPeople(type: Type): boolean {
  if (type.kind === 'values') return isPeople(type.of)
  return (type.kind === 'reference' || type.kind === 'list') && type.entity === 'person'
}

/** Reads a text with `{expression}` holes at a place; null after a report. */
export function readTextAt(context: Context, cell: Cell, place: ExpressionScope, use: Use): Template | null {
  const { template, found } = readTemplate(cell, scopeAt(context, place))
  noteFailure(context, cell, found)
  for (const part of template?.parts ?? []) {
    if (part.kind !== 'text') context.expressions.push({ expression: part.expression, use })
  }
  return template
}

function noteFailure(context: Context, cell: Cell, found: readonly Diagnostic[]): void {
  context.found.push(...found)
  if (found.length > 0) context.failures.push({ cell, found })
}

function scopeAt(context: Context, place: ExpressionScope): Scope {
  return {
    schema: context.schema,
    self: place.entity === null ? null : (context.schema.get(place.entity) ?? null),
    me: context.schema.get('person') ?? null,
    limits: context.limitShapes,
    calendar: context.calendar,
    old: place.old ?? false,
    answer: place.answer ?? false,
    ...(place.about === undefined ? {} : { this: context.schema.get(place.about)! }),
    ...(place.asked === undefined ? {} : { asked: place.asked }),
    ...(place.records === undefined ? {} : { records: place.records }),
    ...(place.locals === undefined ? {} : { locals: place.locals }),
    ...(place.naming === undefined ? {} : { naming: place.naming }),
    ...(place.named === undefined ? {} : { named: place.named }),
    ...(place.settings ? { settings: context.settingNames.size > 0 ? context.settingNames : ('any' as const) } : {}),
    functions: shapesOf(context.functions),
    code: place.code ?? false,
    ...(context.exchange !== undefined && { exchange: context.exchange }),
    converts: place.converts ?? false,
    negated: place.negated ?? false,
    section: place.section,
  }
}

const shapesOf = (functions: Context['functions']): NonNullable<Scope['functions']> =>
  new Map([...functions].map(([name, { takes, gives }]) => [name, { takes, gives: gives.type }]))

/**
 * Reads a cell that may be left open: unspecified where it says so or, being required, is empty. A mistake (null from `read`)
 * counts as left open too, so that what cannot be understood stays closed; it is reported, not listed as a gap.
 */
export function readSpecified<T>(
  context: Context,
  cell: Cell,
  open: Open,
  read: (cell: Cell) => T | null,
): Specified<T> {
  const kind = nothing(cell)
  if (kind === 'empty') return leaveOpen(context, cell, open)
  if (typeof kind === 'object' && kind !== null) return leaveOpen(context, cell, open, kind)
  return read(cell) ?? { unspecified: true, cell, owner: null, note: null }
}

/** What a cell says; null where it says nothing or leaves it open, which is a gap. */
export function answerOf(context: Context, cell: Cell | null, open: Open): Cell | null {
  const kind = cell === null ? 'empty' : nothing(cell)
  if (kind === null) return cell
  if (typeof kind === 'object') leaveOpen(context, cell!, open, kind)
  return null
}

/** Records a gap. `by`: who owes the answer, as far as the document says. `named`: which one of a list it is. */
export function leaveOpen(
  context: Context,
  cell: Cell,
  open: Open,
  { owner, note }: Pick<Gap, 'owner' | 'note'> = { owner: null, note: null },
  named: string | null = null,
): Unspecified {
  context.gaps.push({ ...open, cell, named, uses: [], owner, note })
  return { unspecified: true, cell, owner, note }
}

/** Pieces of a list cell: `Clerk, Manager`. A piece whose end is left open is a gap and not among them. */
export function readList(context: Context, cell: Cell, separator: ',' | ';', open: Open): Cell[] {
  return splitCell(cell, separator).filter(piece => {
    const end = leftOpen(piece)
    const kind = nothing(piece)
    if (end !== null) leaveOpen(context, end.place, open, end.by, end.what.text)
    else if (typeof kind === 'object' && kind !== null) leaveOpen(context, piece, open, kind)
    else return kind === null
    return false
  })
}

/** Whether a cell says nothing at all: it is absent, empty, or explicitly none. */
export function saysNothing(cell: Cell | null): boolean {
  if (cell === null) return true
  const kind = nothing(cell)
  return kind === 'empty' || kind === 'none'
}

/** The cell where it says something; null where it is absent, empty or explicitly none. */
export const cellOrNull = (cell: Cell | null): Cell | null => (saysNothing(cell) ? null : cell)

/** The part of a cell as a cell of its own text, for words that a message quotes. */
export const part = (cell: Cell, from: number, to: number): Span => within(cell, from, to)

/** The names of a map for a message: `` `a`, `b` ``, shortened where there are many. */
export function listed(all: Iterable<string>, most = 12): string {
  const known = [...all]
  if (known.length === 0) return 'none yet'
  const shown = known.slice(0, most).map(name => `\`${name}\``)
  return known.length > most ? `${shown.join(', ')} and ${known.length - most} more` : shown.join(', ')
}
