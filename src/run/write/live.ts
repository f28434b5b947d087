import { type Environment, evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import { folded } from '../../expression/letters.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import { addedUp } from '../../expression/values.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import { raise, raiseInvalidValue, render, type Wording } from '../problems/raise.ts'
import { shownValue } from '../problems/shown.ts'
import type { LiveEntity, LiveField, LiveForm, LiveRule, Mark } from './live-form.ts'
import { asWritten, isLinks, type Standing, type StandingRow, standing } from './live-standing.ts'
import { type Broken, brokenCount, brokenFieldRule, isAbsent, isLocked, isRequired } from './validate.ts'

export interface LiveProblem {
  readonly code: string
  readonly message: string
  readonly whatToDo: string | null
  readonly mark: Mark | null
  /** The control, or the list, that it stands at; null: the record as a whole. */
  readonly name: string | null
  /** Controls that it looks at, its own among them: it is of interest once one of them was filled in. */
  readonly reads: readonly string[]
}

export interface Checked {
  readonly problems: readonly LiveProblem[]
  /** Of each rule of the form's own entity, by name. */
  readonly rules: Readonly<Record<string, 'kept' | 'broken' | 'open'>>
  /** Computed fields; `not known`: what it needs is not at hand. */
  readonly computed: Readonly<Record<string, Wire | 'not known'>>
  /** And those of rows, as their controls would be named: `lines.3.amount`. */
  readonly inRows: Readonly<Record<string, Wire | 'not known'>>
  /** Numbers and amounts of rows, added up as far as they are there: by list and field. */
  readonly totals: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Codes of rules that could not be decided here. */
  readonly undecided: ReadonlySet<string>
  /** What each control is now, where a condition of its field decides that, by name. */
  readonly controls: Readonly<Record<string, ControlNow>>
}

export interface ControlNow {
  readonly absent: boolean
  readonly locked: boolean
  readonly required: boolean
}

export type Pairs = Iterable<readonly [string, string]>

/** Checks a form as it stands. `pairs` are the names and texts of its controls. */
export function checkForm(live: LiveForm, pairs: Pairs): Checked {
  const own = readable(live.entities[live.entity]!)
  const decoded = decodeForm(own, appOf(live), pairs, live.locale, { shown: boxesOf(live), zone: live.zone })
  const form = standing(live, decoded)
  const now: Found = { problems: [], rules: {}, undecided: new Set(), controls: {} }
  const reported = new Set<string>()
  for (const { path, ...invalid } of decoded.invalidValues) {
    const name = asWritten(path, form.record)
    const problem = raiseInvalidValue(wordingOf(live), invalid, String(invalid.detail.label ?? ''), nowhere)
    reported.add(name)
    now.problems.push({ ...problem, name, reads: [name], mark: null })
  }
  checkRow(live, form, form.record, reported, now)
  const computed = { ...computedOf(live.entities[live.entity]!, form.environment(form.record)), ...live.worked }
  return { ...now, computed, ...rowsOf(live, form) }
}

const nowhere = { field: null, because: null } as const

interface Found {
  readonly problems: LiveProblem[]
  readonly rules: Record<string, 'kept' | 'broken' | 'open'>
  readonly undecided: Set<string>
  readonly controls: Record<string, ControlNow>
}

/** What is said of the record, or of one of its rows: by its fields, by the rows in it, by its rules. */
function checkRow(live: LiveForm, form: Standing, at: StandingRow, reported: ReadonlySet<string>, now: Found): void {
  const of = live.entities[at.of]
  if (of === undefined) return
  const environment = form.environment(at)
  checkFields(live, of, at.record, environment, at.prefix, reported, now)
  for (const field of of.fields) {
    const rows = at.lists.get(field.key)
    if (rows === undefined || !field.entered) continue
    checkCount(live, field, rows.length, environment, at.prefix, now)
    for (const row of rows) checkRow(live, form, row, reported, now)
    checkTwice(live, form, rows, now)
  }
  checkRules(live, at, environment, now)
}

function checkFields(
  live: LiveForm,
  entity: LiveEntity,
  record: RecordValue,
  environment: Environment,
  prefix: string,
  reported: ReadonlySet<string>,
  now: Found,
): void {
  for (const field of entity.fields) {
    const name = `${prefix}${field.key}`
    if (!field.entered || (field.type.kind === 'list' && !isLinks(field)) || reported.has(name)) continue
    const absent = isAbsent(field, environment)
    if (field.onlyWhen !== null || field.readOnlyWhen !== null || field.required?.when != null) {
      const locked = isLocked(field, environment)
      now.controls[name] = { absent, locked, required: isRequired(field, environment) }
    }
    const value = record[field.key]
    if (absent || value === undefined || Array.isArray(value)) continue
    const broken = brokenFieldRule(field, value as Wire, environment)
    if (broken !== null) now.problems.push(brokenField(live, field, broken, name, environment))
  }
}

/** In the words of the error behind `else`, where there is one. */
function refusal(live: LiveForm, field: LiveField, code: string, environment: Environment) {
  const own = field.refusals[code]
  if (own === undefined) return null
  if (own.message === null) return raise(wordingOf(live), 'NF-RULE', { rule: own.code })
  const reading = { environment, locale: live.locale, zone: live.zone }
  const whatToDo = own.whatToDo === null ? null : render(own.whatToDo, reading)
  return { code: own.code, message: render(own.message, reading), whatToDo }
}

function brokenField(
  live: LiveForm,
  field: LiveField,
  broken: Broken,
  name: string,
  environment: Environment,
): LiveProblem {
  const words = wordingOf(live)
  const { label } = field
  const at = { name, reads: [name], mark: field.marks[broken.code] ?? null }
  const own = refusal(live, field, broken.code, environment)
  if (own !== null) return { ...own, ...at }
  switch (broken.code) {
    case 'NF-REQUIRED':
      return { ...raise(words, broken.code, { label }), ...at }
    case 'NF-PATTERN':
      return { ...raise(words, broken.code, { label, pattern: broken.pattern }), ...at }
    case 'NF-FEW':
    case 'NF-MANY':
    case 'NF-SHORT':
    case 'NF-LONG':
      return { ...raise(words, broken.code, { label, limit: String(broken.limit), found: broken.found }), ...at }
    case 'NF-DECIMALS':
    case 'NF-WHOLE':
    case 'NF-FILE-TYPE':
    case 'NF-FILE-SIZE':
      return { ...raiseInvalidValue(words, { code: broken.code, detail: { ...broken } }, label, nowhere), ...at }
    default: {
      const written = (one: Wire) => shownValue(one, field.type, live.locale, live.zone)
      const detail = { label, limit: written(broken.limit), value: written(broken.value) }
      return { ...raise(words, broken.code, detail), ...at }
    }
  }
}

function checkCount(
  live: LiveForm,
  field: LiveField,
  found: number,
  environment: Environment,
  prefix: string,
  now: Found,
): void {
  const broken = brokenCount(field, found, environment)
  if (broken === null) return
  const detail = { label: field.label, limit: String(broken.limit), found: broken.found }
  const mark = field.marks[broken.code] ?? null
  const told = refusal(live, field, broken.code, environment) ?? raise(wordingOf(live), broken.code, detail)
  const name = `${prefix}${field.key}`
  now.problems.push({ ...told, name, reads: [name], mark })
}

function checkTwice(live: LiveForm, form: Standing, rows: readonly StandingRow[], now: Found): void {
  const [first] = rows
  for (const field of (first && live.entities[first.of]?.fields) ?? []) {
    if (field.unlike === null) continue
    const seen = new Set<string>()
    for (const row of rows) {
      const { record, prefix } = row
      const environment = form.environment(row)
      if (field.unlikeWhile !== null && evaluate(field.unlikeWhile, environment) !== true) continue
      const values = field.unlike.map(key =>
        folded(key === field.key ? field.unlikeWithout : null, record[key] ?? null),
      )
      if (values.includes(null)) continue
      const key = JSON.stringify(values)
      const name = `${prefix}${field.key}`
      const mark = field.marks['NF-TWICE'] ?? null
      if (seen.has(key)) {
        const own = refusal(live, field, 'NF-TWICE', environment)
        const told = own ?? raise(wordingOf(live), 'NF-TWICE', { label: field.label })
        now.problems.push({ ...told, name, reads: [name], mark })
      }
      seen.add(key)
    }
  }
}

function checkRules(live: LiveForm, at: StandingRow, environment: Environment, now: Found): void {
  const on = at.old === null ? 'create' : 'change'
  for (const rule of live.rules) {
    if (rule.entity !== at.of || (rule.on !== null && !rule.on.includes(on))) continue
    const held = evaluate(rule.mustHold, environment)
    const status = held === true ? 'kept' : held === false ? 'broken' : 'open'
    if (at.prefix === '') now.rules[rule.name] = status
    if (held === NOT_LOADED) now.undecided.add(rule.code ?? 'NF-RULE')
    if (status === 'broken' && !rule.warns) now.problems.push(brokenRule(live, rule, environment, at.prefix))
  }
}

function brokenRule(live: LiveForm, rule: LiveRule, environment: Environment, prefix: string): LiveProblem {
  const name = rule.field === null ? (prefix === '' ? null : prefix.slice(0, -1)) : `${prefix}${rule.field}`
  const reads = [...new Set([...(name === null ? [] : [name]), ...rule.reads.map(key => `${prefix}${key}`)])]
  const at = { name, reads, mark: rule.mark }
  if (rule.code === null || rule.message === null)
    return { ...raise(wordingOf(live), 'NF-RULE', { rule: rule.code ?? rule.name }), ...at }
  const reading = { environment, locale: live.locale, zone: live.zone }
  const whatToDo = rule.whatToDo === null ? null : render(rule.whatToDo, reading)
  return { code: rule.code, message: render(rule.message, reading), whatToDo, ...at }
}

function computedOf(entity: LiveEntity, environment: Environment): Checked['computed'] {
  const found: Record<string, Wire | 'not known'> = {}
  for (const { key, computed, later } of entity.fields) {
    if (computed === null && later === null) continue
    const value = computed === null ? NOT_LOADED : evaluate(computed, environment)
    if (!Array.isArray(value)) found[key] = value === NOT_LOADED ? 'not known' : (value as Wire)
  }
  return found
}

/** What is computed in each row, and what the columns come to. */
function rowsOf(live: LiveForm, form: Standing): Pick<Checked, 'inRows' | 'totals'> {
  const inRows: Record<string, Wire | 'not known'> = {}
  const totals: Record<string, Record<string, string>> = {}
  const goThrough = ({ lists, prefix: at }: StandingRow) => {
    for (const [list, rows] of lists) {
      const known = rows.map((row): Readonly<Record<string, unknown>> => {
        const of = live.entities[row.of]
        const computed = of === undefined ? {} : computedOf(of, form.environment(row))
        for (const [key, value] of Object.entries(computed)) inRows[row.prefix + key] = value
        goThrough(row)
        return { ...row.record, ...computed }
      })
      totals[at + list] = rows.length === 0 ? {} : sumsOf(live, live.entities[rows[0]!.of], known)
    }
  }
  goThrough(form.record)
  return { inRows, totals }
}

function sumsOf(live: LiveForm, of: LiveEntity | undefined, rows: readonly Readonly<Record<string, unknown>>[]) {
  const sums: Record<string, string> = {}
  for (const { key, type, summed, entered, computed } of of?.fields ?? []) {
    if (!summed || (!entered && computed === null)) continue
    const found = rows.flatMap(({ [key]: value }) => (typeof value === 'string' ? [value] : []))
    const sum = addedUp(found, type)
    if (sum !== null) sums[key] = shownValue(sum, type, live.locale, live.zone)
  }
  return sums
}

const readable = ({ fields }: LiveEntity) => ({
  fields: fields.filter(({ entered }) => entered).map(field => ({ ...field, computed: null })),
  shape: { fields: { has: (key: string) => fields.some(field => field.key === key) } },
})

const appOf = (live: LiveForm) => ({
  entities: {
    get: (key: string) => {
      const entity = live.entities[key]
      return entity === undefined ? undefined : readable(entity)
    },
  },
})

const boxesOf = (live: LiveForm, entity = live.entity): ReadonlySet<string> =>
  new Set(
    (live.entities[entity]?.fields ?? []).flatMap(field => {
      const { key, type } = field
      if (type.kind === 'list' && !isLinks(field))
        return [...boxesOf(live, type.entity)].map(inner => `${key}.${inner}`)
      return isBox(field) ? [key] : []
    }),
  )

/** What a condition keeps from being sent says nothing by being absent. */
const isBox = ({ entered, onlyWhen, readOnlyWhen }: LiveField): boolean =>
  entered && onlyWhen === null && readOnlyWhen === null

const wordingOf = ({ words, locale }: LiveForm): Wording => ({
  language: locale,
  errors: {
    get: code => {
      const own = words[code]
      if (own === undefined) return undefined
      const whatToDo = own.whatToDo === null ? null : { text: own.whatToDo }
      return { message: { text: own.message }, whatToDo, status: 422 }
    },
  },
})
