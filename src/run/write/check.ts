/**
 * Everything that a record must fulfil before it is written, found in one go: what could not be read, field rules, counts of
 * child rows, what must be unique, references that must be there, and the rules of heading 5. In the order of the form.
 */
import type { Cell } from '../../document/source.ts'
import { type Environment, evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import type { Template } from '../../expression/expression.ts'
import { folded } from '../../expression/letters.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { Rule } from '../../headings/5-validation/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { storedReads } from '../../headings/stored-reads.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { readingBefore, readingOf, sightOf, tellsField } from '../access/reading.ts'
import { sampled, writesWhole } from '../many/sampled.ts'
import { declared, isLinks, isState } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { isNoHigher } from '../people/acting.ts'
import { absentFrom, deniedCredential } from '../people/credentials.ts'
import { conditionsOf, ofPerson } from '../people/roles.ts'
import { type Reading, raise, raiseEntry, raiseInvalidValue, refuse } from '../problems/raise.ts'
import { shownValue } from '../problems/shown.ts'
import { fileLimit } from '../read/files.ts'
import type { Request } from '../request.ts'
import { ofEntity } from '../statements.ts'
import { absentRecords, strangeFiles } from './check-named.ts'
import { conflicts, inFull, isTaken, writtenRows } from './conflicts.ts'
import { dependsOnInvalid, type Reads } from './depends-on-invalid.ts'
import { childLists, type Draft, type ListField, putInPlace, rowsIn } from './draft-record.ts'
import { environmentOf, environmentOfRules, type Related, withRelated } from './environment.ts'
import { inFormOrder } from './form-order.ts'
import { ratesOf } from './rates.ts'
import { namedRows } from './row-names.ts'
import type { Scope } from './scope.ts'
import { readsRecords } from './together.ts'
import { brokenCount, brokenFieldRule, ruleHolds } from './validate.ts'
import { workedOut } from './worked-out.ts'

/** A record about to be written, beside what it was. */
export interface Writing {
  readonly entity: string
  readonly record: Draft
  readonly old: RecordValue | null
  /** `create`, `change`, `sample data`, or the key of a step. */
  readonly on: string
  /** Fields that got another value; null: all of them count as new. */
  readonly touched: ReadonlySet<string> | null
  /** Paths of which something else was said already; they are not looked at again. */
  readonly reported: ReadonlySet<string>
  /** Fields that the step asked for: somebody gave them, though nobody sets them by hand otherwise. */
  readonly asked?: readonly string[]
  /** Records of which it is known that they may be named. */
  readonly named?: ReadonlySet<string>
}

interface Found {
  readonly problems: (Reads & { readonly problem: Problem })[]
  readonly ruled: (Reads & { readonly rule: Rule; readonly environment: Environment })[]
  /** Rules that look at all records of an entity: asked of the database, after the write. `fails`: only what is told is asked. */
  readonly later: {
    readonly rule: Rule
    readonly path: string
    readonly id: string
    readonly old: RecordValue | null
    readonly fails: boolean
  }[]
}

/** Checks values as values: each field's kind says whether it can hold it. Gives the canonical value, or the problem. */
export function heldBy(app: App, field: Field, wire: Wire, path: string): { value: Wire } | { problem: Problem } {
  if (wire === null || wire === '') return { value: null }
  const kind = fieldKind(field.kind)
  const parsed = kind.received
    ? kind.parse(String(wire), field.parameters, 'en', app.product.timeZone.name)
    : kind.fromJson(wire, field.parameters)
  if ('value' in parsed) return parsed
  return { problem: raiseInvalidValue(app, parsed.invalid, field.label, { field: path, because: field.typeCell }) }
}

export interface Checked {
  readonly about: Pick<Writing, 'entity' | 'record'>
  readonly problems: readonly Problem[]
  readonly later: Found['later']
  /** Codes of warnings that would have stopped it, had they not been confirmed. */
  readonly confirmed: Set<string>
}

/** All that is wrong with a write, at once and as values; writes nothing. What only the database can tell is left in `later`. */
export async function check(scope: Scope, writing: Writing): Promise<Checked> {
  const { tx, app, request, related } = scope
  const { entity, record, old } = writing
  putInPlace(app, entity, record)
  related.put(entity, record)
  const found = await withRelated(related, () => {
    const now: Found = { problems: [], ruled: [], later: [] }
    const environment = environmentOf(request, related, record, old)
    const ofRules = environmentOfRules(app, request, related, { of: entity, row: record, before: old })
    checkFields(app, request, writing, ofRules, '', now)
    for (const list of childLists(app, entity))
      checkList(app, request, related, { ...writing, prefix: '' }, list, now, ofRules)
    checkRules(app, request, writing, environment, '', now)
    return now
  })
  const rows = writtenRows(app, writing)
  const [taken, absent, strange, takenOver] = await Promise.all([
    conflicts(scope, rows),
    absentRecords(scope, writing),
    strangeFiles(scope, writing),
    credentialsIn(scope, writing),
  ])
  const fieldsOf = (problems: readonly Problem[]) => problems.flatMap(({ field }) => field ?? [])
  // What is refused already decides nothing else.
  const dependent = dependsOnInvalid(app, entity, record, old, [...writing.reported, ...fieldsOf(absent)])
  const confirmed = new Set<string>()
  const ruled: Problem[] = []
  for (const one of found.ruled) {
    if (dependent.reads(one)) continue
    const { rule, prefix, environment } = one
    const reading = await readingBefore(tx, app, request, rule.entity, environment, textsOf(app, rule))
    const problem = brokenRule(app, rule, reading, prefix)
    if (!isConfirmed(request, problem, confirmed)) ruled.push(problem)
  }
  const own: Found['problems'] = []
  for (const one of found.problems) {
    const row = rows.find(({ prefix }) => prefix === one.prefix)
    const field = declared(app, one.of, one.problem.field?.slice(one.prefix.length) ?? '')
    const isWritten = row !== undefined && field !== undefined
    own.push({
      ...one,
      problem: isWritten ? await inFull(scope, row, field, one.problem) : one.problem,
    })
  }
  const judged = [...own, ...taken].filter(one => !dependent.reads(one))
  const others = [...ruled, ...absent, ...strange, ...takenOver]
  // That others have a value is told of a value that could be written.
  const refusals = [...judged.filter(one => !isTaken(one)).map(({ problem }) => problem), ...others]
  const isRefused = new Set(fieldsOf(refusals.filter(({ warning }) => warning !== true)))
  const told = judged.filter(one => !isTaken(one) || !one.reads.some(key => isRefused.has(`${one.prefix}${key}`)))
  const problems = [...told.map(({ problem }) => problem), ...others].filter(
    ({ field, code }, index, all) =>
      !(field !== null && writing.reported.has(field)) &&
      index === all.findIndex(other => other.field === field && other.code === code),
  )
  const named = await namedRows(scope, writing, inFormOrder(app, entity, problems))
  return { about: writing, problems: named, later: found.later, confirmed }
}

/**
 * Links that sign in go to the e-mail address, and roles by condition come from what stands in the record. Neither is given to anybody by
 * whoever finds a browser open, or by a key that was not made for it.
 */
async function credentialsIn(scope: Scope, { entity, record, old }: Writing): Promise<readonly Problem[]> {
  if (entity !== 'person') return []
  const { tx, app, request } = scope
  const isMoved = old !== null && (record.email ?? null) !== (old.email ?? null)
  const denied = isMoved ? await deniedCredential(tx, app, request, record.id, 'email') : null
  if (denied !== null) return [denied]
  const absent = absentFrom(app, request)
  return absent !== null && (await rises(scope, record, old)) ? [absent] : []
}

/** By what stands in it, the person has a role now that whoever writes neither has nor could give. */
async function rises(scope: Scope, record: Draft, old: RecordValue | null): Promise<boolean> {
  const { app, request } = scope
  const risen = await rolesRisen(scope, record, old)
  return risen.some(role => !isNoHigher(app, request.actor.roles, [role]))
}

/** Roles by condition that the person has now by what stands in the record, and had not before. */
export async function rolesRisen(
  { tx, app, request, related }: Scope,
  record: RecordValue,
  old: RecordValue | null,
): Promise<readonly string[]> {
  const risen: string[] = []
  for (const { role, when } of conditionsOf(app)) {
    const holds = async (row: RecordValue) => {
      const about = { entity: 'person', record: row, old: null, this: { entity: 'person', record: row } }
      return (await workedOut(tx, app, request, related, ofPerson(when), about)) === true
    }
    if ((await holds(record)) && (old === null || !(await holds(old)))) risen.push(role)
  }
  return risen
}

/** Whether a warning stops nobody: it was confirmed (which is noted), or the application itself acts. */
export function isConfirmed(request: Request, { warning, code }: Problem, confirmed: Set<string>): boolean {
  if (warning !== true) return false
  if (request.actor.system !== null) return true
  if (request.confirmed?.has(code) !== true) return false
  confirmed.add(code)
  return true
}

/** Stands where a value would that whoever is refused may not see. */
const untold = '…'

/** What each field of a record, or of a row at `prefix`, says by itself. */
function checkFields(
  app: App,
  request: Request,
  writing: Writing,
  environment: Environment,
  prefix: string,
  now: Found,
): void {
  const { entity, record } = writing
  for (const field of enteredFields(app, entity)) {
    if (prefix === '' && !isAsked(field, writing)) continue
    const value = (record[field.key] ?? null) as Wire
    // What steps, calls and the application itself fill is not missing before they did.
    if (value === null && field.setBy !== null && field.required?.when == null && field.onlyWhen === null) continue
    const rules = field.type.kind === 'file' ? { ...field, most: fileLimit(request.limits, field.most) } : field
    const broken = brokenFieldRule(rules, value, environment)
    if (broken === null) continue
    const place = { field: `${prefix}${field.key}`, because: cellOf(field, broken.code) }
    const by = { entity, refusals: field.refusals }
    const reading = readingOf(app, request, environment)
    const conditions = [field.required?.when, field.onlyWhen, field.min, field.max, field.currency]
    const reads = [field.key, ...conditions.flatMap(one => one?.reads ?? [])]
    const isSeen = tellsField(app, request, entity, field, environment)
    const tell = (problem: Problem) => now.problems.push({ problem, of: entity, prefix, reads })
    switch (broken.code) {
      case 'NF-REQUIRED':
        tell(refuse(app, by, broken.code, { label: field.label }, reading, place))
        break
      case 'NF-PATTERN': {
        const detail = { label: field.label, pattern: broken.pattern }
        tell(refuse(app, by, broken.code, detail, reading, place))
        break
      }
      case 'NF-DECIMALS':
      case 'NF-WHOLE': {
        const detail = { scale: broken.scale, found: isSeen ? broken.found : untold }
        tell(raiseInvalidValue(app, { code: broken.code, detail }, field.label, place))
        break
      }
      case 'NF-FEW':
      case 'NF-MANY':
      case 'NF-SHORT':
      case 'NF-LONG': {
        const found = isSeen ? broken.found : untold
        const detail = { label: field.label, limit: String(broken.limit), found }
        tell(refuse(app, by, broken.code, detail, reading, place))
        break
      }
      case 'NF-FILE-TYPE':
        tell(refuse(app, by, broken.code, { label: field.label, ...broken }, reading, place))
        break
      case 'NF-FILE-SIZE':
        tell(refuse(app, by, broken.code, { label: field.label, ...broken }, reading, place))
        break
      default: {
        const written = (one: Wire) => shownValue(one, field.type, request.locale, request.zone)
        const detail = {
          label: field.label,
          limit: written(broken.limit),
          value: isSeen ? written(broken.value) : untold,
        }
        tell(refuse(app, by, broken.code, detail, reading, place))
      }
    }
  }
}

/** Fields with a value of their own that somebody gives. */
const enteredFields = ofEntity((app, entity) =>
  app.entities.get(entity)!.fields.filter(({ key, type, computed, kind }) => {
    const isRows = type.kind === 'list' && !isLinks(app, entity, key)
    return computed === null && !isRows && fieldKind(kind).entered
  }),
)

/** A step leaves alone what it does not touch, but what it sets may make another field required. */
function isAsked(field: Field, { touched, on }: Writing): boolean {
  if (touched === null || on === 'change' || touched.has(field.key)) return true
  const reads = [field.required?.when, field.onlyWhen].flatMap(condition => condition?.reads ?? [])
  if (field.currency?.reads.some(path => touched.has(path.split('.')[0]!)) === true) return true
  return field.required !== null && reads.some(path => touched.has(path.split('.')[0]!))
}

function cellOf(field: Field, code: string): Cell {
  switch (code) {
    case 'NF-REQUIRED':
      return field.required?.cell ?? field.cell
    case 'NF-MIN':
    case 'NF-SHORT':
    case 'NF-FEW':
      return field.min?.cell ?? field.cell
    case 'NF-MAX':
    case 'NF-LONG':
    case 'NF-MANY':
      return field.max?.cell ?? field.cell
    case 'NF-FILE-TYPE':
      return field.types?.cell ?? field.cell
    case 'NF-FILE-SIZE':
      return field.most?.cell ?? field.cell
    case 'NF-DECIMALS':
    case 'NF-WHOLE':
      return field.typeCell
    default:
      return field.pattern?.cell ?? field.cell
  }
}

function checkList(
  app: App,
  request: Request,
  related: Related,
  writing: Writing & { readonly prefix: string },
  list: ListField,
  now: Found,
  environment: Environment,
): void {
  const { prefix: at } = writing
  const field = app.entities.get(writing.entity)!.fields.find(({ key }) => key === list.field)!
  const rows = rowsIn(writing.record, list)
  // A step changes no child rows; rules about them may be asked at it all the same.
  if (!writesWhole(writing)) {
    if (writing.on !== 'delete') checkRowsAtStep(app, request, related, writing, list, rows, now)
    return
  }
  const broken = brokenCount(field, rows.length, environment)
  if (broken !== null) {
    const by = { entity: writing.entity, refusals: field.refusals }
    const found = tellsField(app, request, writing.entity, field, environment) ? broken.found : untold
    const detail = { label: field.label, limit: String(broken.limit), found }
    const place = { field: `${at}${list.field}`, because: cellOf(field, broken.code) }
    const problem = refuse(app, by, broken.code, detail, readingOf(app, request, environment), place)
    const conditions = [field.required?.when, field.onlyWhen, field.min, field.max]
    const reads = [field.key, ...conditions.flatMap(one => one?.reads ?? [])]
    now.problems.push({ problem, of: writing.entity, prefix: at, reads })
  }
  const before = new Map(rowsIn(writing.old, list).map(row => [row.id, row]))
  rows.forEach((row, index) => {
    const old = before.get(row.id) ?? null
    const prefix = `${at}${list.field}.${index}.`
    related.put(list.entity, row)
    const own = environmentOf(request, related, row, old)
    const child: Writing = {
      entity: list.entity,
      record: row as Draft,
      old,
      on: writing.on === sampled ? sampled : old === null ? 'create' : 'change',
      touched: null,
      reported: writing.reported,
    }
    const ofRules = environmentOfRules(app, request, related, { of: list.entity, row, before: old })
    checkFields(app, request, child, ofRules, prefix, now)
    for (const inner of childLists(app, list.entity))
      checkList(app, request, related, { ...child, prefix }, inner, now, ofRules)
    checkRules(app, request, child, own, prefix, now)
  })
  checkTwice(app, request, related, list, rows, `${at}${list.field}`, now)
}

/** `Loan line on submit`: asked of each row as it stands when the loan is submitted. */
function checkRowsAtStep(
  app: App,
  request: Request,
  related: Related,
  { on, reported, prefix: at }: Writing & { readonly prefix: string },
  list: ListField,
  rows: readonly RecordValue[],
  now: Found,
): void {
  for (const [index, row] of rows.entries()) {
    related.put(list.entity, row)
    const child: Writing = { entity: list.entity, record: row as Draft, old: row, on, touched: null, reported }
    const environment = environmentOf(request, related, row, row)
    const prefix = `${at}${list.field}.${index}.`
    checkRules(app, request, child, environment, prefix, now)
    for (const inner of childLists(app, list.entity))
      checkRowsAtStep(app, request, related, { ...child, prefix }, inner, rowsIn(row, inner), now)
  }
}

/** Two rows of the same form must not have the same value where it is to be unique; the database knows nothing of them yet. */
function checkTwice(
  app: App,
  request: Request,
  related: Related,
  list: ListField,
  rows: readonly RecordValue[],
  path: string,
  now: Found,
): void {
  for (const field of app.entities.get(list.entity)!.fields) {
    const { unique } = field
    if (unique === null) continue
    const keys = [...unique.within.filter(key => key !== list.parent), field.key]
    const seen = new Set<string>()
    rows.forEach((row, index) => {
      const values = keys.map(key => folded(key === field.key ? unique.without : null, row[key] ?? null))
      const environment = environmentOf(request, related, row, null)
      if (values.includes(null) || (unique.while !== null && evaluate(unique.while, environment) !== true)) return
      const [key, prefix] = [JSON.stringify(values), `${path}.${index}.`]
      const place = { field: `${prefix}${field.key}`, because: unique.cell }
      const [by, detail] = [{ entity: list.entity, refusals: field.refusals }, { label: field.label }]
      const problem = () => refuse(app, by, 'NF-TWICE', detail, readingOf(app, request, environment), place)
      if (seen.has(key)) now.problems.push({ problem: problem(), of: list.entity, prefix, reads: keys })
      seen.add(key)
    })
  }
}

/**
 * A rule without an `on` is checked whenever the record is created or changed, and at a step that changes what it reads or may
 * change what it counts. One `on change` is checked there too where fields are set: to go to another state alone is no change.
 */
function applies(app: App, rule: Rule, { entity, on, touched }: Writing): boolean {
  if (rule.on?.includes(on) === true) return true
  if (writesWhole({ on })) return rule.on === null
  if (on === 'delete') return false
  if (isUnspecified(rule.mustHold) || touched === null || rule.on?.includes('change') === false) return false
  const counting = rule.on === null ? touched : new Set([...touched].filter(key => !isState(app, entity, key)))
  // What looks at all records of an entity looks at their states, too.
  if (readsRecords(rule.mustHold.root)) return rule.on === null || counting.size > 0
  const reads = storedReads(app, entity, rule.mustHold)
  return [...counting].some(key => reads.has(key))
}

/** Heading 5, of a record or of a row at `prefix`; what cannot be told yet is left in `now.later`. */
function checkRules(
  app: App,
  request: Request,
  writing: Writing,
  environment: Environment,
  prefix: string,
  now: Found,
): void {
  const { entity, record, old } = writing
  for (const rule of rulesOf(app, entity)) {
    if (isUnspecified(rule.mustHold) || !applies(app, rule, writing)) continue
    const held = ruleHolds(rule.mustHold, environment)
    // What code decides is never asked of the database: what is not at hand by now is unknown.
    if (held === true || (held === 'not loaded' && rule.mustHold.tier === 3)) continue
    const texts = textsOf(app, rule)
    // A constraint would be in the way before the database could be asked what the reader sees; none is asked at some occasions only.
    const isUnsure = (rule.mustHold.tier > 0 || rule.on !== null) && !isClear(app, request, texts, environment)
    if (held === 'not loaded' || isUnsure || !isTold(texts, environment)) {
      now.later.push({ rule, path: prefix, id: record.id, old, fails: held === false })
      continue
    }
    const { reads, tier } = rule.mustHold
    now.ruled.push({ rule, environment, of: entity, prefix, reads, whole: tier === 3 })
  }
}

const rulesOf = ofEntity((app, entity) => [
  ...app.rules.filter(rule => rule.entity === entity),
  ...ratesOf(app, entity),
])

/** The texts that tell of a rule that does not hold. */
export function textsOf(app: App, { error, entity }: Rule): readonly Template[] {
  const texts = isUnspecified(error) ? undefined : app.errors.get(error)?.templates.get(entity)
  return texts === undefined ? [] : [texts.message, texts.whatToDo].filter(text => text !== null)
}

/** Whether everything that is told is at hand; else the database is asked, after the write. */
const isTold = (texts: readonly Template[], environment: Environment): boolean =>
  texts.every(({ parts }) =>
    parts.every(part => part.kind === 'text' || evaluate(part.expression, environment) !== NOT_LOADED),
  )

/** Whether it is known of everything that is told if whoever asks sees it. */
const isClear = (app: App, request: Request, texts: readonly Template[], environment: Environment): boolean =>
  texts.every(({ parts }) =>
    parts.every(
      part => part.kind === 'text' || typeof sightOf(app, request, part.expression, environment) === 'boolean',
    ),
  )

/** The problem of a rule that does not hold, in the words of its catalogue entry. */
export function brokenRule(app: App, rule: Rule, reading: Reading, prefix: string): Problem {
  const place = {
    field: rule.field === null ? (prefix === '' ? null : prefix.slice(0, -1)) : `${prefix}${rule.field}`,
    because: isUnspecified(rule.mustHold) ? rule.cell : rule.mustHold.cell,
  }
  if (isUnspecified(rule.error)) return raise(app, 'NF-RULE', { rule: rule.name }, place)
  if (rule.error === 'NF-RATE')
    return raise(app, 'NF-RATE', { label: declared(app, rule.entity, rule.name)!.label }, place)
  const problem = raiseEntry(app, rule.error, rule.entity, reading, place)
  return rule.warns ? { ...problem, warning: true } : problem
}
