/** Something to look at: the document's sample data in tables that are empty, and a demo person for every role. For `dev` only. */

import type { Cell } from '../../document/source.ts'
import { evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import { sql } from '../../expression/sql.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { Entity, Field, Reckoned, Sample } from '../../headings/3-entities/model.ts'
import { namingFields, namingRows } from '../../headings/3-entities/naming.ts'
import { newPerson } from '../../headings/6-permissions/by-record.ts'
import type { App } from '../../headings/app.ts'
import { demoPeople } from '../../headings/demo-people.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { madeUp } from '../../kinds/fields/made-up.ts'
import { gathered, linked, namedIn } from '../../kinds/fields/several/links.ts'
import { allOf, anyOf, conditionSql } from '../access/condition.ts'
import { hiddenTenant } from '../access/tenants.ts'
import { momentAt } from '../clock.ts'
import { clockworkOf, workingDaysFrom } from '../later/recurrence.ts'
import { columnSql, declared, fromSql } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { appoint } from '../people/appointments.ts'
import { type Door, systemRequest } from '../people/people.ts'
import { valuesFor } from '../people/roles.ts'
import { raise } from '../problems/raise.ts'
import type { Request, Runtime } from '../request.ts'
import { childLists, deepLists } from '../write/draft-record.ts'
import { environmentOf, relatedNothing } from '../write/environment.ts'
import { isRequired } from '../write/validate.ts'
import { change, create, putIn } from '../write/writes.ts'
import { asTheyHold } from './holders.ts'
import { call, callRows, inputsOf, type SampleRow, type SampleRows } from './seed-rows.ts'

export interface DemoPerson {
  readonly id: string
  readonly name: string
  readonly email: string
  /** Appointed roles, and those that everyone has. */
  readonly roles: readonly string[]
}

interface Seeded {
  readonly people: readonly DemoPerson[]
  /** Records that were created now. */
  readonly created: number
  /** Demo people and sample rows that the document's own rules refuse. */
  readonly problems: readonly SeedProblem[]
}

/** `row`: a cell of the sample row that is refused. */
type SeedProblem = Problem & { readonly row?: Cell | undefined }

/**
 * Safe to run at every start: people are found by their address, sample data goes only into tables without a row. `files`: also what
 * files of sample data say; scenarios and examples are tried without.
 */
export async function seed(runtime: Runtime, door: Door, { files = false } = {}): Promise<Seeded> {
  const request = await systemRequest(runtime, 'seed', door)
  const work = newWork(runtime, request, files)
  await seedTenant(work)
  const people: DemoPerson[] = []
  for (const wanted of demoPeople(runtime.app)) {
    const person = await ensurePerson(work, wanted)
    if (person !== null) people.push(person)
  }
  await seedPeople(work)
  for (const entity of runtime.app.entities.keys()) await seedEntity(work, entity)
  for (const one of work.circular) await nameNow(work, one)
  work.problems.push(...strayRows(work))
  return { people: await asTheyHold(runtime, request, people), created: work.created, problems: work.problems }
}

const addressOf = (name: string): string =>
  `${name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '.')}@example.com`

/** Whoever has lost all roles (they are called otherwise now) gets those of the document; other appointments stay as they are. */
async function ensurePerson(
  work: Work,
  { name, roles }: { readonly name: string; readonly roles: readonly string[] },
): Promise<DemoPerson | null> {
  const { runtime, request, problems, tenant } = work
  const { app, store } = runtime
  const sampled = await sampledPerson(work, name, 'at once')
  const email = String(sampled.values.email ?? addressOf(name))
  const [known] = await store.query<{ id: string; roles: readonly string[] }>(
    sql`select id, array(select role from ninefold.appointment where person = p.id) as roles
        from public.person as p where email = ${email}`,
  )
  let id = known?.id
  if (id === undefined) {
    const said = {
      name,
      email,
      ...(app.product.tenant === null ? {} : { [app.product.tenant.field]: tenant }),
      ...Object.assign({}, ...roles.map(role => valuesFor(app, role))),
      ...sampled.values,
    }
    const values = { ...(await neededValues(work, app.entities.get('person')!, said)), ...said }
    const outcome = await create(runtime, request, 'person', { values, children: {}, invalidValues: [] })
    if (outcome.kind === 'refused') problems.push(...outcome.problems.map(one => ({ ...one, row: sampled.row })))
    if (outcome.kind !== 'done') return null
    id = outcome.id
    work.newPeople.set(name, id)
  }
  if (!known?.roles.some(role => app.roles.has(role)))
    for (const role of roles) await appoint(runtime, request, id, role)
  return { id, name, email, roles }
}

/** People whom only the sample data of `Person` names, and which people these name: they have to be there first. */
async function seedPeople(work: Work): Promise<void> {
  const { runtime, request, newPeople, problems } = work
  for (const name of sampleNames(samplesOf(work, 'person'))) {
    const [known] = await runtime.store.query(sql`select from public.person where name = ${name} limit 1`)
    if (known === undefined && (await ensurePerson(work, { name, roles: [] })) !== null) work.created++
  }
  for (const [name, id] of newPeople) {
    const { values, row } = await sampledPerson(work, name, 'later')
    if (Object.keys(values).length === 0) continue
    const outcome = await change(runtime, request, 'person', id, null, { values, children: {}, invalidValues: [] })
    if (outcome.kind === 'refused') problems.push(...outcome.problems.map(one => ({ ...one, row })))
  }
}

const nameIn = (sample: Sample, index: number): string | undefined =>
  sample.rows[index]?.[sample.columns.findIndex(({ field }) => field === 'name')]?.text

const sampleNames = (samples: readonly Sample[]): readonly string[] =>
  samples.flatMap(sample => sample.rows.flatMap((_, index) => nameIn(sample, index) ?? [])).filter(name => name !== '')

/** What the sample data say of somebody: once people are there, whom they name and what needs people itself; everything else at once. */
async function sampledPerson(
  work: Work,
  name: string,
  when: 'at once' | 'later',
): Promise<{ readonly values: Readonly<Record<string, Wire>>; readonly row: Cell | undefined }> {
  const person = work.runtime.app.entities.get('person')!
  const values: Record<string, Wire> = {}
  let first: Cell | undefined
  for (const sample of samplesOf(work, 'person'))
    for (const index of sample.rows.keys()) {
      if (nameIn(sample, index) !== name) continue
      first ??= sample.rows[index]![0]
      const row = rowOf(work, person, sample, index)
      const wanted = row.references.filter(([field]) => needsPeople(work, field) === (when === 'later'))
      if (when === 'at once') Object.assign(values, row.values)
      for (const [field, text] of wanted) {
        await seedEntity(work, referredBy(field.type)!)
        values[field.key] = await named(work, field, text)
      }
    }
  return { values, row: first }
}

/** The entity of the record, or of the records, that a field of this type names; null: it names none. */
const referredBy = (type: Type): string | null =>
  type.kind === 'reference' || type.kind === 'list' ? type.entity : null

function needsPeople({ runtime: { app } }: Work, { type, required }: Field): boolean {
  const named = referredBy(type)!
  return named === 'person' || (required === null && needs(app, named, 'person'))
}

/**
 * Something for the fields that the document adds to Person and requires, beside what is `said` of somebody; for each person something
 * else where it is `unique`.
 */
async function neededValues(
  work: Work,
  person: Entity,
  said: Readonly<Record<string, Wire>>,
): Promise<Readonly<Record<string, Wire>>> {
  const values: Record<string, Wire> = {}
  const [known] = await work.runtime.store.query<{ n: string }>(sql`select count(*) as n from public.person`)
  const n = Number(known!.n) + 1
  const preset = newPerson(person)
  const isConditional = ({ required, onlyWhen }: Field) =>
    (required !== null && required.when !== null) || onlyWhen !== null
  // Whether a field is required, or there at all, may hang on what the others hold.
  for (const field of [...person.fields].sort(
    (one, other) => Number(isConditional(one)) - Number(isConditional(other)),
  )) {
    if (Object.hasOwn(said, field.key) || field.default !== null) continue
    if (!isRequired(field, environmentOf(work.request, relatedNothing, { ...preset, ...values, ...said }, null)))
      continue
    const [example] = fieldKind(field.kind).examples.flatMap(({ good }) => good)
    const value = field.parameters.choices?.[0] ?? example?.wire
    if (field.type.kind === 'reference') values[field.key] = await anyRecord(work, field.type.entity)
    else if (field.unique !== null || field.pattern !== null) values[field.key] = madeUp(field, n)
    else if (value !== undefined && field.type.kind !== 'file') values[field.key] = value
  }
  return values
}

/** The first record that the sample data have. */
async function anyRecord(work: Work, entity: string): Promise<string | null> {
  if (entity !== 'person') await seedEntity(work, entity)
  const own = work.runtime.app.schema.get(entity)?.tenant?.field
  const isOwn = own === undefined || own === 'id' || sql`${columnSql('t', own)} = ${work.tenant}::uuid`
  const [row] = await work.runtime.store.query<{ id: string }>(
    sql`select t.id from ${fromSql(entity, 't')} where ${conditionSql(isOwn)} order by t.id limit 1`,
  )
  return row?.id ?? null
}

interface Work {
  readonly runtime: Runtime
  readonly request: Request
  created: number
  readonly problems: SeedProblem[]
  readonly done: Set<string>
  /** Those whose rows are put in now. */
  readonly filled: Set<string>
  /** Child rows that went in with their record. */
  readonly placed: Set<Sample['rows'][number]>
  /** Whether files of sample data count, too. */
  readonly files: boolean
  /** By entity: ids of what rows are called. */
  readonly called: Map<string, Map<string, string>>
  /** Made now, by name. */
  readonly newPeople: Map<string, string>
  /** Of the demo people, and of samples that name none. */
  tenant: string | null
  /** Records that name others which were not there yet: these name them, or are named by what these name. */
  readonly circular: Circular[]
}

interface Circular {
  readonly entity: string
  readonly id: string
  readonly field: Field
  readonly text: string
  readonly tenant: string | null
  readonly row: Cell | undefined
}

const newWork = (runtime: Runtime, request: Request, files: boolean): Work => ({
  runtime,
  request,
  created: 0,
  problems: [],
  done: new Set(),
  filled: new Set(),
  placed: new Set(),
  files,
  called: new Map(),
  newPeople: new Map(),
  tenant: null,
  circular: [],
})

const samplesOf = ({ runtime, files }: Work, entity: string): readonly Sample[] =>
  runtime.app.entities.get(entity)!.samples.filter(({ isFile }) => files || !isFile)

/** Where nobody is kept apart there is nothing to do; else the first tenant, made where a name is all that it needs. */
async function seedTenant(work: Work): Promise<void> {
  const { app, store } = work.runtime
  const { tenant } = app.product
  if (tenant === null) return
  await seedEntity(work, tenant.entity)
  const [first] = await store.query<{ id: string }>(
    sql`select t.id from ${fromSql(tenant.entity, 't')} order by t.id limit 1`,
  )
  const { name } = app.entities.get(tenant.entity)!
  work.tenant = first?.id ?? (await namedRecord(work, tenant.entity, name))
}

async function seedEntity(work: Work, key: string): Promise<void> {
  const { runtime } = work
  if (work.done.has(key) || key === 'person') return
  work.done.add(key)
  const entity = runtime.app.entities.get(key)!
  if (entity.partOf !== null) return seedEntity(work, entity.partOf)
  const samples = samplesOf(work, key)
  if (samples.length === 0) return
  const [row] = await runtime.store.query(sql`select from ${fromSql(key, 't')} limit 1`)
  if (row !== undefined) return
  work.filled.add(key)
  // What the rows refer to comes first, so that a name finds its record.
  const rows = deepLists(runtime.app, key).map(list => list.entity)
  for (const of of [key, ...rows])
    for (const { field } of samplesOf(work, of).flatMap(({ columns }) => columns)) {
      const named = referredBy(declared(runtime.app, of, field)?.type ?? { kind: 'error' })
      if (named !== null && !needs(runtime.app, named, key)) await seedEntity(work, named)
    }
  for (const sample of samples) for (const index of sample.rows.keys()) await seedRow(work, entity, sample, index)
}

/** Whether records of one entity cannot be there before those of the other: a required reference leads to it, also by way of others. */
function needs(app: App, one: string, other: string, seen = new Set([one])): boolean {
  const { fields, partOf } = app.entities.get(one)!
  const needed = fields.flatMap(({ type, required }) =>
    required !== null && type.kind === 'reference' ? [type.entity] : [],
  )
  return [...needed, partOf ?? []].flat().some(next => {
    if (next === other || seen.has(next)) return next === other
    return needs(app, next, other, seen.add(next))
  })
}

/** The cells of a row as values, and the texts that name other records. */
function rowOf(work: Work, entity: Entity, sample: Sample, index: number) {
  const values: Record<string, Wire> = {}
  const references: [Field, string][] = []
  for (const [column, { field: key }] of sample.columns.entries()) {
    const field = entity.fields.find(one => one.key === key)
    const cell = sample.rows[index]![column]
    if (field === undefined || cell === undefined || cell.text === '') continue
    const reckoned = sample.reckoned.get(cell)
    if (referredBy(field.type) !== null) references.push([field, cell.text])
    else if (reckoned !== undefined) values[key] = reckon(work, reckoned)
    else {
      const parsed = fieldKind(field.kind).parse(
        cell.text,
        field.parameters,
        'en',
        work.runtime.app.product.timeZone.name,
      )
      if ('value' in parsed) values[key] = parsed.value
    }
  }
  return { values, references }
}

/** `today - 3 working days at 10:00`, on the day on which it is put in. */
function reckon({ runtime, request }: Work, { expression, workingDays, time }: Reckoned): Wire {
  const value = evaluate(expression, environmentOf(request, relatedNothing, {}, null))
  if (value === NOT_LOADED || Array.isArray(value)) return null
  const clockwork = clockworkOf(runtime.app, request.closed)
  const day = workingDays === 0 ? (value as Wire) : workingDaysFrom(String(value), workingDays, clockwork)
  return time === null || day === null ? day : momentAt(String(day), time, clockwork.zone).toISOString()
}

const cellOf = (sample: Sample, index: number, column: string): string | undefined =>
  sample.rows[index]?.[sample.columns.findIndex(({ field }) => field === column)]?.text

async function seedRow(work: Work, entity: Entity, sample: Sample, index: number): Promise<void> {
  const { runtime, request } = work
  const { values, references } = rowOf(work, entity, sample, index)
  // Whose the record is comes first: what it names is looked for among their records.
  const own = hiddenTenant(runtime.app, entity.key)
  const whose = references.find(([{ key }]) => key === own)
  const tenant = whose === undefined ? work.tenant : await namedOne(work, referredBy(whose[0].type)!, whose[1])
  for (const [field, text] of references) values[field.key] = await named({ ...work, tenant }, field, text)
  if (own !== null) values[own] = tenant
  const name = sample.names[index]?.text ?? null
  const titles = [...namingRows(entity)].flatMap(key => cellOf(sample, index, key) ?? [])
  const rows = await rowsOf({ ...work, tenant }, entity.key, [name ?? '', ...titles])
  const children = inputsOf(rows)
  const state = cellOf(sample, index, 'state')
  const from = { state: state === undefined || state === '' ? null : state, because: sample.cell }
  const outcome = await putIn(runtime, request, entity.key, { values, children, invalidValues: [] }, from)
  if (outcome.kind === 'refused')
    work.problems.push(...outcome.problems.map(one => ({ ...one, row: sample.rows[index]?.[0] })))
  if (outcome.kind !== 'done') return
  work.created++
  for (const [field, text] of references)
    if (isCut(field, text, values[field.key]))
      work.circular.push({ entity: entity.key, id: outcome.id, field, text, tenant, row: sample.rows[index]?.[0] })
  call(work, entity.key, name, outcome.id)
  await callRows(work, entity.key, outcome.id, rows)
}

/** The sample rows of the record, or row, with one of these names, and theirs. */
async function rowsOf(work: Work, entity: string, names: readonly string[]): Promise<SampleRows> {
  const rows: Record<string, readonly SampleRow[]> = {}
  for (const { field, entity: of, parent } of childLists(work.runtime.app, entity))
    rows[field] = await childRows(work, of, parent, names)
  return rows
}

async function childRows(work: Work, entity: string, parent: string, names: readonly string[]): Promise<SampleRow[]> {
  const model = work.runtime.app.entities.get(entity)!
  const rows: SampleRow[] = []
  for (const sample of samplesOf(work, entity))
    for (const index of sample.rows.keys()) {
      const above = cellOf(sample, index, parent) ?? ''
      if (above === '' || !names.includes(above)) continue
      work.placed.add(sample.rows[index]!)
      const { values, references } = rowOf(work, model, sample, index)
      for (const [field, text] of references) values[field.key] = await named(work, field, text)
      const name = sample.names[index]?.text ?? null
      const titles = [...namingRows(model)].flatMap(key => cellOf(sample, index, key) ?? [])
      rows.push({ values, name, rows: await rowsOf(work, entity, [name ?? '', ...titles]) })
    }
  return rows
}

/** Rows that name no record of those that were put in: they are part of nothing. */
function strayRows(work: Work): readonly SeedProblem[] {
  const { app } = work.runtime
  return [...work.filled].flatMap(key =>
    deepLists(app, key).flatMap(({ entity, parent, within }) =>
      samplesOf(work, entity)
        .flatMap(({ rows }) => rows)
        .filter(row => !work.placed.has(row))
        .map(row => ({
          ...raise(app, 'NF-NO-RECORD', { label: app.entities.get(within?.entity ?? key)!.name }, { field: parent }),
          row: row[0],
        })),
    ),
  )
}

/** The record that a sample names by its title or another unique text; made where the name is all that it needs. */
const namedOne = async (work: Work, entity: string, text: string): Promise<string | null> =>
  work.called.get(entity)?.get(text) ?? (await namedRecord(work, entity, text))

/** The same as a value of this field; all of them where it names several. */
async function named(work: Work, { type }: Field, text: string): Promise<Wire> {
  const entity = referredBy(type)
  if (entity === null || type.kind === 'reference') return entity === null ? null : namedOne(work, entity, text)
  let ids = ''
  for (const { name } of namedIn(text)) ids = gathered(ids, (await namedOne(work, entity, name)) ?? '')
  return ids === '' ? null : ids
}

/** Whether a value lacks a record that the text names. */
const isCut = ({ type }: Field, text: string, value: Wire | undefined): boolean =>
  linked(value).length < (type.kind === 'reference' ? 1 : new Set(namedIn(text).map(({ name }) => name)).size)

/** All records are there. */
async function nameNow(work: Work, { entity, id, field, text, tenant, row }: Circular): Promise<void> {
  const { runtime, request, problems } = work
  const value = await named({ ...work, tenant }, field, text)
  if (isCut(field, text, value))
    problems.push({ ...raise(runtime.app, 'NF-NO-RECORD', { label: field.label }, { field: field.key }), row })
  if (value === null) return
  const input = { values: { [field.key]: value }, children: {}, invalidValues: [] }
  const outcome = await change(runtime, request, entity, id, null, input)
  if (outcome.kind === 'refused') problems.push(...outcome.problems.map(one => ({ ...one, row })))
}

async function namedRecord(work: Work, entity: string, text: string): Promise<string | null> {
  const { runtime, request } = work
  const { app } = runtime
  const target = app.entities.get(entity)!
  const keys = namingFields(target)
  const found = await findNamed(runtime, target, keys, text, work.tenant)
  if (found !== null) return found
  const [title] = keys
  const others = target.fields.some(
    one =>
      one !== title && one.hidden === null && one.required !== null && one.default === null && one.computed === null,
  )
  const isComing =
    work.filled.has(entity) &&
    samplesOf(work, entity).some(one => one.rows.some((_, index) => cellOf(one, index, title?.key ?? '') === text))
  if (title === undefined || others || target.builtIn || target.partOf !== null || isComing) return null
  const own = hiddenTenant(app, target.key)
  const outcome = await create(runtime, request, target.key, {
    values: { [title.key]: text, ...(own === null ? {} : { [own]: work.tenant }) },
    children: {},
    invalidValues: [],
  })
  if (outcome.kind === 'refused') work.problems.push(...outcome.problems)
  return outcome.kind === 'done' ? outcome.id : null
}

async function findNamed(
  { store }: Runtime,
  target: Entity,
  keys: readonly Field[],
  text: string,
  tenant: string | null,
): Promise<string | null> {
  const called = anyOf(keys.map(({ key }) => sql`${columnSql('t', key)} = ${text}`))
  const own = target.shape.tenant?.field
  const isOwn = own === undefined || own === 'id' || sql`${columnSql('t', own)} = ${tenant}::uuid`
  const same = allOf([called, isOwn])
  const [row] = await store.query<{ id: string }>(
    sql`select t.id from ${fromSql(target.key, 't')} where ${conditionSql(same)} order by t.id limit 1`,
  )
  return row?.id ?? null
}

/** The record of this name or unique text, made where that is all that it needs; null where it is not there. */
export const ensureNamed = (runtime: Runtime, request: Request, entity: string, text: string): Promise<string | null> =>
  namedRecord(newWork(runtime, request, false), entity, text)
