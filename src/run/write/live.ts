import { type Environment, evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import { folded } from '../../expression/letters.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import { addedUp } from '../../expression/values.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { type Decoded, type DecodedRow, decodeForm } from '../../kinds/fields/input.ts'
import { raise, raiseInvalidValue, render, type Wording } from '../problems/raise.ts'
import { shownValue } from '../problems/shown.ts'
import type { LiveEntity, LiveField, LiveForm, LiveRule, Mark } from './live-form.ts'
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
  const own = live.entities[live.entity]!
  const decoded = decodeForm(readable(own), appOf(live), pairs, live.locale, { shown: boxesOf(live), zone: live.zone })
  const { record, rows } = recordOf(live, decoded)
  const now: Found = { problems: [], rules: {}, undecided: new Set(), controls: {} }
  const environment = environmentOf(live, record, live.on === 'change' ? live.values : null, record)
  const reported = new Set<string>()
  for (const { path, ...invalid } of decoded.invalidValues) {
    const name = asWritten(path, rows)
    const problem = raiseInvalidValue(wordingOf(live), invalid, String(invalid.detail.label ?? ''), nowhere)
    reported.add(name)
    now.problems.push({ ...problem, name, reads: [name], mark: null })
  }
  checkFields(live, own, record, environment, '', reported, now)
  for (const field of own.fields) {
    const list = rows.get(field.key)
    if (list !== undefined) checkList(live, field, list, environment, record, reported, now)
  }
  checkRules(live, live.entity, live.on, environment, '', now)
  return { ...now, computed: { ...computedOf(own, environment), ...live.worked }, ...rowsOf(live, rows, record) }
}

const isLinks = ({ kind }: Pick<LiveField, 'kind'>): boolean => fieldKind(kind).links === true

const nowhere = { field: null, because: null } as const

interface Found {
  readonly problems: LiveProblem[]
  readonly rules: Record<string, 'kept' | 'broken' | 'open'>
  readonly undecided: Set<string>
  readonly controls: Record<string, ControlNow>
}

interface Row {
  readonly record: RecordValue
  readonly old: RecordValue | null
  /** `lines.3.`, as its controls are named. */
  readonly prefix: string
}

type Rows = ReadonlyMap<string, { readonly entity: string; readonly rows: readonly Row[] }>

/** The record as it would be written, as far as it is known. What is not known is not in it. */
function recordOf(live: LiveForm, decoded: Decoded): { readonly record: RecordValue; readonly rows: Rows } {
  const own = live.entities[live.entity]!
  const record = merged(
    own,
    live.values,
    decoded.values,
    decoded.invalidValues.map(({ path }) => path),
  )
  const all = new Map<string, { entity: string; rows: Row[] }>()
  for (const field of own.fields) {
    if (field.type.kind !== 'list' || isLinks(field)) continue
    const { entity } = field.type
    const stored = (Array.isArray(live.values[field.key]) ? live.values[field.key] : []) as readonly RecordValue[]
    const given: readonly DecodedRow[] | undefined = decoded.children[field.key]
    if (given === undefined) {
      all.set(field.key, { entity, rows: [] })
      record[field.key] = stored
      continue
    }
    const of = live.entities[entity]
    if (of === undefined) continue
    const rows = given.map(({ id, values, written }, index): Row => {
      const old = id === null ? null : (stored.find(row => row.id === id) ?? null)
      const prefix = `${field.key}.${index}.`
      const wrong = decoded.invalidValues.flatMap(({ path }) =>
        path.startsWith(prefix) ? [path.slice(prefix.length)] : [],
      )
      const row = merged(of, old ?? {}, values, wrong)
      if (of.parent !== null) row[of.parent] = idOf(live)
      if (old === null) copyInto(live, of, row)
      return { record: row, old, prefix: `${field.key}.${written}.` }
    })
    all.set(field.key, { entity, rows })
    record[field.key] = rows.map(row => row.record)
  }
  return { record, rows: all }
}

type Draft = Record<string, Wire | readonly RecordValue[]>

/** What was there, with what was typed on top. Computed fields are computed anew; what could not be read is not known. */
function merged(
  entity: LiveEntity,
  before: RecordValue,
  typed: Readonly<Record<string, Wire>>,
  wrong: readonly string[],
): Draft {
  const record: Draft = {}
  for (const [key, value] of Object.entries(before)) if (value !== undefined) record[key] = value
  for (const { key, kind, computed, renewed, copied, type, entered } of entity.fields) {
    if (computed !== null || renewed || (type.kind === 'list' && !fieldKind(kind).links)) delete record[key]
    else if (key in typed) record[key] = typed[key]!
    else if (wrong.includes(key)) delete record[key]
    else if (copied === null && entered) record[key] ??= null
  }
  return record
}

function copyInto(live: LiveForm, entity: LiveEntity, row: Draft): void {
  for (const { key, copied } of entity.fields) {
    if (copied === null) continue
    const value = evaluate(copied, environmentOf(live, row, null, null))
    if (value === NOT_LOADED || Array.isArray(value)) delete row[key]
    else row[key] = value as Wire
  }
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
    case 'NF-FILE-TYPE':
    case 'NF-FILE-SIZE':
      return { ...raiseInvalidValue(words, { code: broken.code, detail: broken }, label, nowhere), ...at }
    default: {
      const written = (one: Wire) => shownValue(one, field.type, live.locale, live.zone)
      const detail = { label, limit: written(broken.limit), value: written(broken.value) }
      return { ...raise(words, broken.code, detail), ...at }
    }
  }
}

function checkList(
  live: LiveForm,
  field: LiveField,
  { entity, rows }: { readonly entity: string; readonly rows: readonly Row[] },
  environment: Environment,
  parent: RecordValue,
  reported: ReadonlySet<string>,
  now: Found,
): void {
  const of = live.entities[entity]
  if (of === undefined || !field.entered) return
  const broken = brokenCount(field, rows.length, environment)
  if (broken !== null) {
    const detail = { label: field.label, limit: String(broken.limit), found: broken.found }
    const mark = field.marks[broken.code] ?? null
    const told = refusal(live, field, broken.code, environment) ?? raise(wordingOf(live), broken.code, detail)
    now.problems.push({ ...told, name: field.key, reads: [field.key], mark })
  }
  for (const { record, old, prefix } of rows) {
    const own = environmentOf(live, record, old, parent)
    checkFields(live, of, record, own, prefix, reported, now)
    checkRules(live, entity, old === null ? 'create' : 'change', own, prefix, now)
  }
  checkTwice(live, of, rows, parent, now)
}

function checkTwice(live: LiveForm, of: LiveEntity, rows: readonly Row[], parent: RecordValue, now: Found): void {
  for (const field of of.fields) {
    if (field.unlike === null) continue
    const seen = new Set<string>()
    for (const { record, old, prefix } of rows) {
      const environment = environmentOf(live, record, old, parent)
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

function checkRules(
  live: LiveForm,
  entity: string,
  on: 'create' | 'change',
  environment: Environment,
  prefix: string,
  now: Found,
): void {
  for (const rule of live.rules) {
    if (rule.entity !== entity || (rule.on !== null && !rule.on.includes(on))) continue
    const held = evaluate(rule.mustHold, environment)
    const status = held === true ? 'kept' : held === false ? 'broken' : 'open'
    if (prefix === '') now.rules[rule.name] = status
    if (held === NOT_LOADED) now.undecided.add(rule.code ?? 'NF-RULE')
    if (status === 'broken' && !rule.warns) now.problems.push(brokenRule(live, rule, environment, prefix))
  }
}

function brokenRule(live: LiveForm, rule: LiveRule, environment: Environment, prefix: string): LiveProblem {
  const name = rule.field === null ? (prefix === '' ? null : (prefix.split('.')[0] ?? null)) : `${prefix}${rule.field}`
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
function rowsOf(live: LiveForm, lists: Rows, parent: RecordValue): Pick<Checked, 'inRows' | 'totals'> {
  const inRows: Record<string, Wire | 'not known'> = {}
  const totals: Record<string, Record<string, string>> = {}
  for (const [list, { entity, rows }] of lists) {
    const of = live.entities[entity]
    if (of === undefined) continue
    const known = rows.map(({ record, old, prefix }): Readonly<Record<string, unknown>> => {
      const computed = computedOf(of, environmentOf(live, record, old, parent))
      for (const [key, value] of Object.entries(computed)) inRows[prefix + key] = value
      return { ...record, ...computed }
    })
    const sums: Record<string, string> = {}
    for (const { key, type, summed, entered, computed } of of.fields) {
      if (!summed || (!entered && computed === null)) continue
      const found = known.flatMap(({ [key]: value }) => (typeof value === 'string' ? [value] : []))
      const sum = addedUp(found, type)
      if (sum !== null) sums[key] = shownValue(sum, type, live.locale, live.zone)
    }
    totals[list] = sums
  }
  return { inRows, totals }
}

function environmentOf(
  live: LiveForm,
  row: RecordValue,
  old: RecordValue | null,
  form: RecordValue | null,
): Environment {
  const { me, today, now, limits, closed } = live
  const related = (entity: string, id: string) =>
    entity === live.entity && id === idOf(live) && form !== null ? form : live.related[entity]?.[id]
  return { row, old, me, my: null, today, now, limits, ...(closed === null ? {} : { closed }), related, partial: true }
}

const idOf = (live: LiveForm): string => (typeof live.values.id === 'string' ? live.values.id : 'new')

/** `lines.0.item` (the rows that count) → `lines.3.item` (as the controls are named). */
function asWritten(path: string, rows: Rows): string {
  const [list = '', index = '', ...rest] = path.split('.')
  const row = rows.get(list)?.rows[Number(index)]
  return row === undefined ? path : `${row.prefix}${rest.join('.')}`
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

const boxesOf = (live: LiveForm): ReadonlySet<string> =>
  new Set(
    live.entities[live.entity]!.fields.filter(isBox).flatMap(({ key, type }) =>
      type.kind === 'list'
        ? (live.entities[type.entity]?.fields ?? []).filter(isBox).map(child => `${key}.${child.key}`)
        : [key],
    ),
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
