/**
 * What a form in the browser may know so that it can check and compute: fields, rules and limits as plain data, for the person who
 * fills it in. An expression goes out only if this person sees every field on every path that it reads; else the server alone
 * decides. Limits go out only where an expression that goes out needs them.
 */
import type { Cell } from '../../document/source.ts'
import { type Portable, partsOf, toPortable } from '../../expression/computed.ts'
import type { Expression, Template } from '../../expression/expression.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import { packedZone } from '../../expression/zone-table.ts'
import { placeField } from '../../headings/3-entities/by-hand.ts'
import type { Entity, Field, Refusal } from '../../headings/3-entities/model.ts'
import { summedFields } from '../../headings/3-entities/summed.ts'
import type { Rule } from '../../headings/5-validation/model.ts'
import { builtIn } from '../../headings/8-errors/built-in.ts'
import { specified } from '../../headings/specified.ts'
import { storedReads } from '../../headings/stored-reads.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { policyFor } from '../../run/access/policy.ts'
import { logRead } from '../../run/access/read-log.ts'
import type { Words } from '../../run/problems/raise.ts'
import { fileLimit } from '../../run/read/files.ts'
import type { FormData } from '../../run/read/form.ts'
import { readOptions } from '../../run/read/options.ts'
import type { FormField } from '../../run/read/presets.ts'
import type { LiveEntity, LiveField, LiveForm, LiveRefusal, LiveRule } from '../../run/write/live-form.ts'
import { searchingRules } from '../../run/write/searches.ts'
import { selectOptions } from '../bounds.ts'
import { readingAtOnce } from '../request-context.ts'
import type { Site } from '../site.ts'
import type { Building } from './common.ts'
import type { Choices, Records, Wanted } from './form.ts'

type Checked = Portable['root']
type Path = Extract<Checked, { op: 'field' }>['path']

/** What goes out, gathered while it is made. */
interface Making {
  readonly build: Building
  readonly entity: string
  readonly form: FormData
  readonly sees: (entity: string, field: string) => boolean
  readonly limits: Set<string>
  /** Something asks for the days without work. */
  closed: boolean
  /** Fields of other records that go out with the records that a reference names, by entity. */
  readonly wanted: Map<string, Set<string>>
  /** From so many references to the next the longest of its paths leads. */
  levels: number
}

/** What the form in the browser works with, as long as nothing is known of the records that its lists offer. */
interface Living {
  readonly live: LiveForm
  /** What goes out of those records, and of those that they name, by entity. */
  readonly wanted: Wanted
}

export function livingForm(build: Building, entity: string, form: FormData): Living {
  const { site, context } = build
  const { request } = context
  const making: Making = {
    build,
    entity,
    form,
    sees: seesOf(build, entity, form),
    limits: new Set(),
    closed: false,
    wanted: new Map(),
    levels: 0,
  }
  const on = form.id === null ? 'create' : 'change'
  const entities: Record<string, LiveEntity> = { [entity]: entityOf(making, entity, form.fields) }
  for (const { of, fields } of listsIn(build, entity, form.fields)) entities[of] = entityOf(making, of, fields)
  const rules = site.app.rules.flatMap(rule => ruleOf(making, rule, entities, on))
  const live: LiveForm = {
    locale: request.locale,
    zone: site.reader.format.zone,
    clocks: clocksOf(build),
    on,
    entity,
    entities,
    rules,
    values: { ...form.values, ...(form.id === null ? {} : { id: form.id }) },
    me: request.actor.id,
    today: request.today,
    now: request.now.toISOString(),
    limits: Object.fromEntries([...making.limits].map(name => [name, request.limits[name] ?? null])),
    closed: making.closed && seesClosed(build) ? request.closed : null,
    worked: {},
    related: {},
    leads: leadsOf(build, making.wanted),
    levels: making.levels,
    words: wordsOf(build),
  }
  return { live, wanted: making.wanted }
}

function clocksOf({ site }: Building): LiveForm['clocks'] {
  const zones = new Set([site.app.product.timeZone.name, site.reader.format.zone])
  zones.delete('UTC')
  return Object.fromEntries([...zones].map(zone => [zone, packedZone(zone)]))
}

/** Whether this person sees every day without work: only then may the browser know them. */
function seesClosed({ site, context }: Building): boolean {
  const closed = site.app.workingTime?.closed ?? null
  if (closed === null) return true
  const policy = policyFor(site.app, context.request.actor)
  return policy.rows(closed.entity, 'see', 't') === true && policy.field(closed.entity, closed.field, 't') === true
}

/** The rows of a form, and theirs. */
function listsIn(
  { site }: Pick<Building, 'site'>,
  entity: string,
  fields: readonly FormField[],
): readonly { readonly of: string; readonly fields: readonly FormField[] }[] {
  return fields.flatMap(({ key, children }) => {
    const type = site.app.schema.get(entity)?.fields.get(key)?.type
    if (children === null || type?.kind !== 'list') return []
    return [{ of: type.entity, fields: children }, ...listsIn({ site }, type.entity, children)]
  })
}

/** What this person sees of a record of the form, of its rows, and of records that they name. */
function seesOf({ site, context }: Building, entity: string, form: FormData): Making['sees'] {
  const { app } = site
  const policy = policyFor(app, context.request.actor)
  const own = new Set(['id', ...form.fields.map(({ key }) => key), ...Object.keys(form.values)])
  const rows = new Map<string, ReadonlySet<string>>()
  // Among rows that are not seen it is another place than the one that is seen.
  const places = (row: string) => (policy.rows(row, 'see', 't') === true ? [placeField] : [])
  for (const { of: row, fields } of listsIn({ site }, entity, form.fields))
    rows.set(row, new Set(['id', app.schema.get(row)?.parent ?? 'id', ...places(row), ...fields.map(({ key }) => key)]))
  return (of, field) => {
    const known = of === entity ? own : rows.get(of)
    if (known !== undefined) return known.has(field)
    return policy.rows(of, 'see', 't') !== false && policy.field(of, field, 't') !== false
  }
}

function entityOf(making: Making, entity: string, fields: readonly FormField[]): LiveEntity {
  const { app } = making.build.site
  const of = app.entities.get(entity)!
  const summed = summedFields(app.entities, entity)
  return {
    parent: app.schema.get(entity)?.parent ?? null,
    fields: fields.flatMap(({ key, settable }) => {
      const field = of.fields.find(candidate => candidate.key === key)
      return field === undefined ? [] : [{ ...fieldOf(making, of, field, settable), summed: summed.has(key) }]
    }),
  }
}

/** Whether a field is unique or free of overlaps, or stands in what another one is so within. */
const decidesTaken = ({ fields }: Entity, key: string): boolean =>
  fields.some(
    ({ key: own, unique, noOverlap }) =>
      (unique !== null && [own, ...unique.within].includes(key)) ||
      (noOverlap !== null && [noOverlap.begin, noOverlap.end, ...noOverlap.within].includes(key)),
  )

/** Whether the rules of a field search other records, or search them by it. */
const decidesSearch = ({ fields }: Entity, key: string): boolean =>
  fields.some(field =>
    searchingRules(field).some(
      ({ rule }) => field.key === key || rule.reads.some(path => path.replace(/^this\./, '').split('.')[0] === key),
    ),
  )

function fieldOf(making: Making, entity: Entity, field: Field, entered: boolean): Omit<LiveField, 'summed'> {
  const { key, label, kind, parameters, type, required, unique, pattern, types, most } = field
  const send = (expression: Expression | null) => (expression === null ? null : sent(making, expression))
  const when = required?.when ?? null
  const { computed: worked } = field
  const computed = send(worked && { ...worked, root: unfrozen(making, entity.key, key, worked.root) })
  const unlikeWhile = send(unique?.while ?? null)
  return {
    key,
    label,
    kind,
    parameters,
    type,
    entered,
    asks: entered && (decidesTaken(entity, key) || decidesSearch(entity, key)),
    // Of a secret only the server knows whether there is one.
    required:
      !entered || required === null || fieldKind(kind).sealed
        ? null
        : when === null
          ? { when: null }
          : conditional(send(when)),
    currency: entered ? send(field.currency) : null,
    min: entered ? send(field.min) : null,
    max: entered ? send(field.max) : null,
    pattern: pattern === null ? null : { source: pattern.source, shown: pattern.shown },
    onlyWhen: entered ? send(field.onlyWhen) : null,
    readOnlyWhen: entered ? send(field.readOnlyWhen) : null,
    types: types === null ? null : { names: types.names },
    most: type.kind === 'file' ? shownLimit(fileLimit(making.build.context.request.limits, most)) : null,
    computed,
    later: field.computed === null || computed !== null ? null : ownReads(making, entity.key, field.computed),
    copied: field.renewed ? null : send(field.copiedFrom),
    renewed: field.renewed,
    unlike: unlikeOf(making, entity, field, unlikeWhile),
    unlikeWithout: unique?.without ?? null,
    unlikeWhile,
    refusals: Object.fromEntries(
      [...field.refusals].map(([code, refusal]) => [code, refusalOf(making, entity.key, refusal)]),
    ),
    marks: marksOf(making.build.site, field),
  }
}

/** What refuses a value, by code. */
function marksOf({ mark }: Site, { required, min, max, pattern, types, most, unique }: Field): LiveField['marks'] {
  const of = (rule: { readonly cell: Cell } | null) => (rule === null ? null : mark(rule.cell))
  return {
    'NF-REQUIRED': of(required),
    'NF-MIN': of(min),
    'NF-FEW': of(min),
    'NF-SHORT': of(min),
    'NF-LONG': of(max),
    'NF-MAX': of(max),
    'NF-MANY': of(max),
    'NF-PATTERN': of(pattern),
    'NF-FILE-TYPE': of(types),
    'NF-FILE-SIZE': of(most),
    'NF-TWICE': of(unique),
  }
}

/** The fields that a value may not be like; null where this person may not know all of them. */
function unlikeOf(making: Making, entity: Entity, { key, unique }: Field, unlikeWhile: Portable | null) {
  const parent = making.build.site.app.schema.get(entity.key)?.parent
  if (unique === null || parent === undefined || (unique.while !== null && unlikeWhile === null)) return null
  const fields = [...unique.within.filter(other => other !== parent), key]
  return fields.every(other => making.sees(entity.key, other)) ? fields : null
}

function refusalOf(making: Making, entity: string, { code }: Refusal): LiveRefusal {
  const templates = making.build.site.app.errors.get(code)?.templates.get(entity)
  const message = templates === undefined ? null : wordsFrom(making, templates.message)
  const whatToDo = templates?.whatToDo == null ? null : wordsFrom(making, templates.whatToDo)
  // Words that say something of what this person does not see are the server's to say.
  if (message === 'unseen' || whatToDo === 'unseen') return { code, message: null, whatToDo: null }
  return { code, message, whatToDo }
}

const shownLimit = ({ bytes, shown }: NonNullable<LiveField['most']>) => ({ bytes, shown })

const conditional = (when: Portable | null): LiveField['required'] => (when === null ? null : { when })

function ruleOf(
  making: Making,
  rule: Rule,
  entities: LiveForm['entities'],
  on: 'create' | 'change',
): readonly LiveRule[] {
  const { site } = making.build
  const { name, entity, field, on: occasions, warns } = rule
  const expression = specified(rule.mustHold)
  const isRow = entity !== making.entity
  if (expression === null || !(entity in entities)) return []
  if (rule.on !== null && !rule.on.some(verb => verb === on || (isRow && verb === 'create'))) return []
  if (field !== null && !making.sees(entity, field)) return []
  const code = specified(rule.error)
  const templates = code === null ? undefined : site.app.errors.get(code)?.templates.get(entity)
  const message = templates === undefined ? null : wordsFrom(making, templates.message)
  const whatToDo = templates?.whatToDo == null ? null : wordsFrom(making, templates.whatToDo)
  // Its words would say something of what this person does not see.
  if (message === 'unseen' || whatToDo === 'unseen') return []
  const mustHold = sent(making, expression)
  if (mustHold === null) return []
  const mark = site.mark(expression.cell)
  return [
    {
      name,
      entity,
      on: occasions,
      mustHold,
      warns,
      reads: readsOf(mustHold, entity),
      field,
      code,
      message,
      whatToDo,
      mark,
    },
  ]
}

function wordsFrom(making: Making, template: Template): Words | 'unseen' {
  const parts: Words['parts'][number][] = []
  for (const part of template.parts) {
    if (part.kind === 'text') {
      parts.push(part)
      continue
    }
    const expression = sent(making, part.expression)
    if (expression === null) return 'unseen'
    parts.push({ ...part, expression })
  }
  return { parts }
}

/** Fields of the record that the expression comes down to, as far as this person sees them. */
const ownReads = ({ build, sees }: Making, entity: string, expression: Expression): readonly string[] =>
  [...storedReads(build.site.app, entity, expression)].filter(key => sees(entity, key))

const thawed = (making: Making, { computed, ...portable }: Portable): Portable => ({
  ...portable,
  computed: Object.fromEntries(
    Object.entries(computed).map(([name, root]) => {
      const [entity, field] = name.split('.') as [string, string]
      return [name, unfrozen(making, entity, field, root)]
    }),
  ),
})

/** A computed field that nothing has frozen yet is what it is worked out to; what keeps it otherwise is seen by nobody. */
function unfrozen({ build, entity: own, form }: Making, entity: string, key: string, root: Checked): Checked {
  const field = build.site.app.entities.get(entity)?.fields.find(one => one.key === key)
  if (field?.frozen == null || root.op !== 'if') return root
  const isOpen = form.id === null || (entity === own && !form.locks.some(lock => lock.locks(key)))
  return isOpen ? root.then : root
}

/** The expression as it goes out; null where it must not, or would be of no use. Notes the limits and records that it needs. */
function sent(making: Making, expression: Expression): Portable | null {
  const portable = thawed(making, toPortable(expression))
  const nodes = nodesOf(portable)
  if (nodes.some(node => elsewhere.has(node.op) || ('source' in node && node.source.kind === 'records'))) return null
  const paths = nodes.flatMap(ownPaths)
  for (const { base, steps } of paths)
    if (base === 'me' || !steps.every(step => making.sees(step.entity, step.field))) return null
  for (const node of nodes) {
    if (node.op === 'limit') making.limits.add(node.name)
    if (node.op === 'limit on') making.limits.add(`${node.name} on`)
  }
  making.closed ||= nodes.some(
    node => node.op === 'call' && node.calendar?.week?.closed === true && node.closed === undefined,
  )
  for (const { steps } of paths) {
    for (const [at, { entity: of, field }] of steps.entries())
      if (at > 0 && steps[at - 1]!.parent !== true)
        making.wanted.set(of, (making.wanted.get(of) ?? new Set()).add(field))
    making.levels = Math.max(making.levels, steps.filter(({ parent }) => parent !== true).length - 1)
  }
  return portable
}

/** Of records that go out: the references among what is wanted of them that lead to others. */
const leadsOf = ({ site }: Building, wanted: Wanted): LiveForm['leads'] =>
  Object.fromEntries(
    [...wanted].map(([entity, fields]) => [
      entity,
      Object.fromEntries(
        [...fields].flatMap(field => {
          const type = site.app.schema.get(entity)?.fields.get(field)?.type
          return type?.kind === 'reference' && wanted.has(type.entity) ? [[field, type.entity]] : []
        }),
      ),
    ]),
  )

/** What cannot be evaluated in a browser at all. */
const elsewhere: ReadonlySet<string> = new Set(['answer', 'setting', 'function', 'within', 'error'])

const nodesOf = ({ root, computed }: Portable): readonly Checked[] =>
  [root, ...Object.values(computed)].flatMap(function inner(node): readonly Checked[] {
    return [node, ...partsOf(node).flatMap(inner)]
  })

const ownPaths = (node: Checked): readonly Path[] =>
  node.op === 'field' ? [node.path] : 'source' in node && node.source.kind === 'list' ? [node.source.path] : []

/** Fields of the record itself that it comes down to. */
function readsOf(portable: Portable, entity: string): readonly string[] {
  const steps = nodesOf(portable).flatMap(node => ownPaths(node).flatMap(({ steps: [first] }) => first ?? []))
  return [...new Set(steps.filter(step => step.entity === entity && !step.computed).map(step => step.field))]
}

/** With the records that the lists of the form offer, and those that stand in it: no more of them than is needed and may be seen. */
export async function withRecords(
  { site, context }: Building,
  { live, wanted }: Living,
  choices: ReadonlyMap<string, Choices>,
  standing: Records,
): Promise<LiveForm> {
  const related = new Map<string, Readonly<Record<string, RecordValue>>>()
  for (const [key, { more, options, records, rows }] of choices) {
    const [entity = '', field = ''] = key.split('.')
    const type = site.app.schema.get(entity)?.fields.get(field)?.type
    const fields = type?.kind === 'reference' ? wanted.get(type.entity) : undefined
    if (type?.kind !== 'reference' || fields === undefined || more || options.length > selectOptions) continue
    const inRows = [...(rows?.values() ?? [])].map(row => row.records)
    const found = Object.assign({}, standing.get(type.entity), records, ...inRows) as Choices['records']
    const told = Object.entries(found).map(([id, values]) => [id, chosen(values, fields)])
    related.set(type.entity, { ...related.get(type.entity), ...Object.fromEntries(told) })
  }
  await logAll(context, related)
  return { ...live, related: Object.fromEntries(related) }
}

/** The records that are chosen in a form as it stands, and those that they name, with what it needs of them and this person sees. */
export async function relatedTo(
  { context }: Building,
  { live, wanted }: Living,
  standing: Records,
): Promise<LiveForm['related']> {
  const { runtime, request } = readingAtOnce(context)
  const related = new Map<string, Record<string, RecordValue>>()
  let found = standing
  for (let level = 1; found.size > 0; level++) {
    for (const [entity, records] of found) {
      const known = related.get(entity) ?? {}
      for (const [id, values] of Object.entries(records)) known[id] = chosen(values, wanted.get(entity)!)
      related.set(entity, known)
    }
    if (level >= live.levels) break
    const named = [...found].flatMap(([entity, records]) =>
      Object.entries(live.leads[entity] ?? {}).flatMap(([field, to]) => {
        const all = Object.values(records).flatMap(({ [field]: id }) => (typeof id === 'string' ? [id] : []))
        const ids = [...new Set(all)].filter(id => related.get(to)?.[id] === undefined)
        return ids.length === 0 ? [] : [{ entity, field, to, ids }]
      }),
    )
    const next = await Promise.all(
      named.map(async ({ entity, field, to, ids }) => {
        const need = { entity, field, search: null, limit: ids.length, ids, named: ids, fields: wanted.get(to)! }
        return [to, (await readOptions(runtime, request, need)).records] as const
      }),
    )
    found = new Map(
      [...Map.groupBy(next, ([to]) => to)].map(([to, all]) => [to, Object.assign({}, ...all.map(([, of]) => of))]),
    )
  }
  await logAll(context, related)
  return Object.fromEntries(related)
}

async function logAll({ runtime, request }: Building['context'], related: Records): Promise<void> {
  for (const [entity, records] of related)
    await logRead(runtime, request, { entity, records: Object.keys(records), way: 'list', opening: null })
}

function chosen(values: RecordValue, fields: ReadonlySet<string>): RecordValue {
  const found: Record<string, Wire> = {}
  for (const key of fields) {
    const value = values[key]
    if (value === null || typeof value === 'string' || typeof value === 'boolean') found[key] = value
  }
  return found
}

/** Built-in messages that this document words anew. */
function wordsOf({ site }: Building): LiveForm['words'] {
  const own: Record<string, LiveForm['words'][string]> = {}
  for (const { code, message, whatToDo } of site.app.errors.values()) {
    const words = specified(message)
    if (code in builtIn && words !== null) own[code] = { message: words.text, whatToDo: whatToDo?.text ?? null }
  }
  return own
}
