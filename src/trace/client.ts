/** A typed client of the application's API: its types, before what is the same for every application (`types/client.ts`). */
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { App } from '../headings/app.ts'
import { mayBeNull } from '../headings/code/model.ts'
import type { Comparison } from '../kinds/fields/field-kind.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { askableFields, askedByPrograms, filterName, relatedFields, rowLists } from '../kinds/screens/query.ts'
import { notSettable } from '../run/access/settable.ts'
import { approvalsOf } from '../run/approvals/approvals.ts'
import { askedBy } from '../web/site.ts'
import { isRead, isRows, namesOf, valueType } from './types.ts'

/** Names that the text has already. */
const own = [
  'Asked',
  'Client',
  'DateText',
  'Decimal',
  'Entities',
  'Moment',
  'Options',
  'Page',
  'Problem',
  'Query',
  'Records',
  'Refused',
  'Writing',
  'Promise',
  'Record',
  'Array',
  'Error',
  'Object',
]

/** The text of `ninefold-client.ts`. `runtime` is that of `types/client.ts`. */
export function clientOf(app: App, runtime: string): string {
  const named = namesOf(app, own)
  const roots = [...app.entities.values()].filter(({ partOf }) => partOf === null)
  return [
    `/** Made by \`ninefold types --client\` from ${app.document.files[0]!.path}: a client of its API. Not to be changed by hand. */`,
    '/** 2026-03-28 */\nexport type DateText = string',
    '/** With as many decimals as its field has: "12.50" */\nexport type Decimal = string',
    '/** RFC 3339: 2026-03-28T09:30:00Z */\nexport type Moment = string',
    '/** Of a field of what a record names, or of its rows: `borrower.name.contains` */\ntype Asked = string | number | boolean | readonly string[] | undefined',
    ...[...app.entities.values()].flatMap(entity => typesOfEntity(app, entity, named)),
    [
      '/** By the keys of the API. */',
      'export interface Entities {',
      ...roots.map(({ key }) => `  ${key}: ${shapeOf(named.get(key)!)}`),
      '}',
    ].join('\n'),
    `export const ninefold = (options: Options): Client<Entities> =>\n  connect<Entities>(options, [${roots.map(({ key }) => `'${key}'`).join(', ')}])`,
    runtime.slice(runtime.indexOf('*/') + 2).trim(),
    '',
  ].join('\n\n')
}

const shapeOf = (name: string): string =>
  `{ record: ${name}; create: ${name}Create; change: ${name}Change; filters: ${name}Filters; steps: ${name}Steps; sorts: ${name}Sorts }`

type Named = ReadonlyMap<string, string>

function typesOfEntity(app: App, entity: Entity, named: Named): readonly string[] {
  const name = named.get(entity.key)!
  const read = block(`/** A field that may not be seen is not there. */\nexport interface ${name}`, [
    'id: string',
    ...(entity.partOf === null ? ['version: number', 'created_at?: Moment', 'changed_at?: Moment'] : []),
    ...(entity.archives === null ? [] : ['archived_at?: Moment | null']),
    "/** What the records are called that fields name: `with: 'names'`. */",
    '_names?: { [field: string]: string }',
    '/** Fields that name a record which may not be seen. */',
    'unseen?: string[]',
    ...stateOf(app, entity),
    ...entity.fields
      .filter(isRead)
      .map(field => `${field.key}?: ${orNull(field, valueType(field, named), field.computed !== null)}`),
  ])
  if (entity.partOf !== null) return [read, writtenType(entity, `${name}Row`, 'create', named)]
  const steps = block(`export interface ${name}Steps`, stepsOf(app, entity, named))
  return [
    read,
    writtenType(entity, `${name}Create`, 'create', named),
    writtenType(entity, `${name}Change`, 'change', named),
    filtersOf(app, entity, name, named),
    steps,
  ]
}

const block = (head: string, lines: readonly string[]): string =>
  lines.length === 0 ? `${head} {}` : [`${head} {`, ...lines.map(line => `  ${line}`), '}'].join('\n')

const orNull = (field: Field, type: string, always = false): string =>
  !isRows(field) && (always || mayBeNull(field)) ? `${type} | null` : type

function stateOf(app: App, { key }: Entity): readonly string[] {
  const workflow = app.workflows.get(key)
  if (workflow === undefined) return []
  const words = (all: readonly string[]) => [...new Set(all)].map(one => JSON.stringify(one)).join(' | ') || 'never'
  return [
    `state?: ${words(workflow.states.map(({ name }) => name))}`,
    `steps?: (${words(workflow.transitions.map(one => one.key))})[]`,
  ]
}

/** What people may set; rows as a whole, those that stay by their ids. */
function writtenType({ fields }: Entity, name: string, verb: 'create' | 'change', named: Named): string {
  const lines = fields
    .filter(field => notSettable(field, verb, { system: null }) === null)
    .map(field => {
      const isNeeded =
        verb === 'create' &&
        field.required !== null &&
        field.required.when === null &&
        field.default === null &&
        !isRows(field)
      const rows = isRows(field) && fieldKind(field.kind).links !== true && field.type.kind === 'list'
      const type = rows
        ? `(${named.get((field.type as { entity: string }).entity)!}Row & { id?: string })[]`
        : valueType(field, named)
      return `${field.key}${isNeeded ? '' : '?'}: ${isNeeded || rows ? type : `${type} | null`}`
    })
  return block(`export interface ${name}`, lines)
}

function filtersOf(app: App, entity: Entity, name: string, named: Named): string {
  const fields = askableFields(entity, app)
  const lines = [...fields].flatMap(([key, asked]) => {
    const [plain, ...others] = askedByPrograms(asked).filter(comparison => comparison !== 'any of')
    if (plain === undefined) return []
    const value = valueAsked(app, entity, key, named)
    return [plain, ...others].map(
      comparison =>
        `'${filterName(key, comparison, asked, plain)}'?: ${filterType(comparison, value, comparison === plain)}`,
    )
  })
  const paths = [
    ...[...fields].flatMap(([field, asked]) => (relatedFields(asked, app).size === 0 ? [] : [field])),
    ...rowLists(entity, app).keys(),
  ]
  const further = paths.map(path => `[further: \`${path}.\${string}\`]: Asked`)
  const sorts = [...fields].flatMap(([key, { kind }]) => (kind.sortable ? [`'${key}'`, `'-${key}'`] : []))
  return `${block(`export interface ${name}Filters`, [...lines, ...further])}\n\nexport type ${name}Sorts = ${sorts.join(' | ') || 'never'}`
}

/** One value of a field; of several, one of them. */
function valueAsked(app: App, { key: entity, fields }: Entity, key: string, named: Named): string {
  const field = fields.find(one => one.key === key)
  if (field !== undefined) return valueType(field, named).replace(/^\((.*)\)\[\]$|\[\]$/, '$1') || 'string'
  const states = app.workflows.get(entity)?.states.map(({ name }) => JSON.stringify(name))
  return key === 'state' && states !== undefined ? states.join(' | ') : 'Moment'
}

function filterType(comparison: Comparison, value: string, isPlain: boolean): string {
  if (comparison === 'is empty') return 'boolean'
  if (isPlain || comparison === 'is not') return `${value} | readonly (${value})[]`
  return comparison === 'contains' || comparison === 'starts with' || comparison === 'within' ? 'string' : value
}

function stepsOf(app: App, entity: Entity, named: Named): readonly string[] {
  const keys = new Set((app.workflows.get(entity.key)?.transitions ?? []).map(({ key }) => key))
  return [...keys].map(key => {
    const asked = askedBy(app, entity.key, key, null).flatMap(({ field, required }) => {
      const of = entity.fields.find(one => one.key === field)
      if (of === undefined) return []
      return [`${field}${required ? '' : '?'}: ${required ? valueType(of, named) : `${valueType(of, named)} | null`}`]
    })
    const reason = approvalsOf(app, entity.key, key).length > 0 ? ['reason?: string'] : []
    return `${key}: { ${[...asked, ...reason].join('; ')} }`
  })
}
