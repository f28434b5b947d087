/** Records that the fields of a form may name: offered, looked for, and what those are called that were chosen. */
import type { RecordValue, Wire } from '../../expression/type.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { gathered, linked } from '../../kinds/fields/several/links.ts'
import { isBlank } from '../../kinds/fields/texts.ts'
import type { FormData } from '../../run/read/form.ts'
import { choiceReads, readOptions } from '../../run/read/options.ts'
import { isId } from '../../run/values.ts'
import { pickResults, selectOptions } from '../bounds.ts'
import { isLookup } from '../records.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'
import type { EntityRoutes } from '../routes.ts'
import { noteOf, ofAbove, ofThis } from '../screens/choosing.ts'
import type { Building } from '../screens/common.ts'
import { type Choices, type Records, referencesIn, type Search, type Wanted } from '../screens/form.ts'
import { heldIn, scalar, type Typed, typedFrom, typedOf } from '../screens/typed.ts'
import { controlText } from '../screens/values.ts'
import { knownTo } from '../seen.ts'
import { say } from '../sentences.ts'
import { type FieldInfo, fieldInfo, linksTo } from '../site.ts'

const nothingWanted: Wanted = new Map()

/**
 * One statement, whatever the form has; one more where what is offered goes by records that were chosen by now. `typed`: what somebody
 * has filled in. `wanted`: what is read of the records besides.
 */
export async function choicesOf(
  asking: RequestContext,
  entity: string,
  form: FormData,
  typed: Typed | null,
  wanted: Wanted = nothingWanted,
): Promise<ReadonlyMap<string, Choices>> {
  const context = readingAtOnce(asking)
  const asked = new Map(referencesIn(context.site, entity, form.fields).map(one => [`${one.entity}.${one.field}`, one]))
  const offered = async ({ entity: of, field }: { readonly entity: string; readonly field: string }) => {
    const { runtime, request, site } = context
    const goesBy = choiceReads(site.app, of, field)
    const need = { entity: of, field, search: null, limit: selectOptions, ...wantedAt(site, of, field, wanted) }
    const options = (known: RecordValue, above: RecordValue) => readOptions(runtime, request, { ...need, known, above })
    if (goesBy.own.length + goesBy.above.length === 0) return options({}, {})
    const listed = form.fields.filter(({ key, children }) => children !== null && linesOf(site, entity, key) === of)
    const [own, around] = [openIn(of === entity ? form.fields : (listed[0]?.children ?? [])), openIn(form.fields)]
    const reads = [
      ...goesBy.own.filter(name => own.has(name)).map(name => `${ofThis}${name}`),
      ...goesBy.above.filter(name => around.has(name)).map(name => `${ofAbove}${name}`),
    ]
    const above = await knownOf(context, entity, goesBy.above, form.values, typed?.texts ?? {})
    const offer = async (values: RecordValue, texts: Typed['texts']): Promise<Choices> => {
      const known = await knownOf(context, of, goesBy.own, values, texts)
      // Whether it is a list or a search does not go by what is filled in at the moment.
      const [narrow, all] = await Promise.all([
        options(known, above),
        reads.length === 0 ? null : options(lasting(known, own), lasting(above, around)),
      ])
      const now = { ...textsOf(site, of, known, ofThis), ...textsOf(site, entity, above, ofAbove) }
      const records = { ...all?.records, ...narrow.records }
      return { ...narrow, records, more: (all ?? narrow).more, following: { reads, known: now } }
    }
    if (of === entity) return offer(form.values, typed?.texts ?? {})
    const rows = listed
      .flatMap(({ key }) => rowsIn(form, typed, key))
      .slice(0, goesBy.own.length === 0 ? 0 : followedRows)
    const [fresh, ...each] = await Promise.all([
      offer({}, {}),
      ...rows.map(({ values, texts }) => offer(values, texts)),
    ])
    return { ...fresh, rows: new Map(rows.map(({ name }, index) => [name, each[index]!])) }
  }
  return new Map(await Promise.all([...asked].map(async ([key, one]) => [key, await offered(one)] as const)))
}

/** In so many rows what is offered goes by the row when the page comes; in those behind them a script asks. */
const followedRows = 20

const openIn = (fields: FormData['fields']): ReadonlySet<string> =>
  new Set(fields.flatMap(({ key, settable }) => (settable ? [key] : [])))

const lasting = (known: RecordValue, open: ReadonlySet<string>): RecordValue =>
  Object.fromEntries(Object.entries(known).filter(([name]) => !open.has(name)))

/** The entity of the rows of a list; null: it is none. */
export function linesOf(site: RequestContext['site'], entity: string, list: string): string | null {
  const type = fieldInfo(site.app, entity, list)?.type
  return type?.kind === 'list' ? type.entity : null
}

/** The rows of a list as they stand in the form, with what is stored of them. */
function rowsIn(form: Pick<FormData, 'values'>, typed: Typed | null, list: string) {
  const stored = (Array.isArray(form.values[list]) ? form.values[list] : []) as readonly RecordValue[]
  const rows = typed?.lists[list] ?? stored.map(({ id }) => ({ id: String(id), texts: {}, lists: {} }))
  return rows.map(({ id, texts }, index) => ({
    name: `${list}.${index}`,
    values: stored.find(row => row.id === id) ?? {},
    texts,
  }))
}

/** The values by which a field is chosen: as they were typed, else as they are. What is named has to be nameable. */
async function knownOf(
  context: RequestContext,
  entity: string,
  names: readonly string[],
  values: RecordValue,
  texts: Typed['texts'],
): Promise<RecordValue> {
  const { runtime, request, site } = context
  const known = knownTo(context).entities.get(entity)
  const found = await Promise.all(
    names.map(async (name): Promise<readonly [string, Wire]> => {
      const own = known?.fields.find(({ key }) => key === name)
      const text = texts[name]
      if (text === undefined || own === undefined) return [name, scalar(values[name]) ?? null]
      const nameable = async (ids: readonly string[]) => {
        const need = { entity, field: name, search: null, limit: ids.length, ids }
        return (await readOptions(runtime, request, need)).options.map(option => option.value)
      }
      if (fieldKind(own.kind).links === true) {
        const ids = linked(text).filter(isId)
        return [name, ids.length === 0 ? null : gathered(undefined, (await nameable(ids)).join(' ')) || null]
      }
      if (own.type.kind === 'list' || own.type.kind === 'file' || isBlank(text)) return [name, null]
      const parsed = fieldKind(own.kind).parse(text, own.parameters, site.reader.locale, request.zone)
      const value = 'value' in parsed ? parsed.value : null
      if (own.type.kind !== 'reference' || value === null || value === values[name]) return [name, value]
      return [name, (await nameable([String(value)])).length === 0 ? null : value]
    }),
  )
  return Object.fromEntries(found)
}

/** Those values in an address. */
const textsOf = (
  site: RequestContext['site'],
  entity: string,
  known: RecordValue,
  base: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(known).flatMap(([name, wire]) => {
      const field = fieldInfo(site.app, entity, name)?.field
      return wire === null || field == null ? [] : [[`${base}${name}`, controlText(site, field, wire as Wire)]]
    }),
  )

/** What is wanted of the records that a field names; nothing of many. */
function wantedAt(site: RequestContext['site'], entity: string, field: string, wanted: Wanted) {
  const type = fieldInfo(site.app, entity, field)?.type
  const fields = type?.kind === 'reference' ? wanted.get(type.entity) : undefined
  return fields === undefined ? {} : { fields }
}

/**
 * The records that stand in a form, chosen in pickers or linked: their titles, and what is wanted of them. One statement, however much
 * somebody sends. What stands in the form as it was read keeps its name; links alone are not read with it.
 */
export async function standingIn(
  build: Building,
  entity: string,
  form: FormData,
  typed: Typed | null,
  wanted: Wanted = nothingWanted,
): Promise<{ readonly titles: ReadonlyMap<string, string>; readonly records: Records }> {
  const { site } = build
  const { runtime, request } = readingAtOnce(build.context)
  const { values } = form
  const { texts, lists } = typed ?? typedFrom(build, entity, form)
  const all = [
    ...Object.entries(texts).map(([key, text]) => ({ of: entity, key, text, there: [values] })),
    ...Object.entries(lists).flatMap(([list, rows]) => {
      const child = linesOf(site, entity, list) ?? ''
      const read = values[list]
      const there = Array.isArray(read) ? read : []
      return rows.flatMap(row => Object.entries(row.texts).map(([key, text]) => ({ of: child, key, text, there })))
    }),
  ]
  const found = await Promise.all(
    [...Map.groupBy(all, ({ of, key }) => `${of}.${key}`).values()].map(async same => {
      const { of, key, there } = same[0]!
      const info = fieldInfo(site.app, of, key)
      const asked = wantedAt(site, of, key, wanted)
      if (!isPicked(info) || (typed === null && linksTo(info!) === null && asked.fields === undefined)) return null
      const ids = [...new Set(same.flatMap(({ text }) => linked(text)).filter(isId))]
      const named = there.flatMap(record => linked(scalar(record[key])))
      if (ids.length === 0) return null
      const need = { entity: of, field: key, search: null, limit: ids.length, ids, named, ...asked }
      return { info: info!, ...(await readOptions(runtime, request, need)) }
    }),
  )
  const records = new Map<string, Choices['records']>()
  for (const one of found)
    if (one?.info.type.kind === 'reference')
      records.set(one.info.type.entity, { ...records.get(one.info.type.entity), ...one.records })
  return {
    titles: new Map(found.flatMap(one => one?.options.map(({ value, label }) => [value, label] as const) ?? [])),
    records,
  }
}

/** Enter in the search box of a picker sends the form, too: where nothing is chosen yet, it is the search that was meant. */
export function unanswered(form: URLSearchParams): string | null {
  for (const [name, text] of form) {
    const [, field = ''] = /^_q\.(.+)$/.exec(name) ?? []
    if (field !== '' && text.trim() !== '' && (form.getAll(field).at(-1) ?? '') === '') return field
  }
  return null
}

/** That what was looked for, but not chosen, is why nothing was saved; nothing where a search is what was asked for. */
export function unansweredNote(
  { site }: RequestContext,
  { entity }: EntityRoutes,
  form: URLSearchParams,
): { readonly note?: string } {
  const name = form.has('_pick') ? null : unanswered(form)
  if (name === null) return {}
  const [list = '', , key] = name.split('.')
  const info = fieldInfo(site.app, entity.key, list)
  const own = key !== undefined && info?.type.kind === 'list' ? fieldInfo(site.app, info.type.entity, key) : info
  return { note: say(site, 'pickUnanswered', { field: own?.label ?? name }) }
}

/** Whether what stands in the field is chosen from records. */
const isPicked = (info: FieldInfo | null): boolean =>
  info !== null && (info.type.kind === 'reference' || linksTo(info) !== null)

/** `_pick=lines.0.item`: what the letters in `_q.lines.0.item` find. */
export async function searched(
  context: RequestContext,
  place: EntityRoutes,
  form: URLSearchParams,
  name: string,
  values: RecordValue,
): Promise<ReadonlyMap<string, Search>> {
  const { site, runtime, request } = context
  const [list = '', , key] = name.split('.')
  const info = fieldInfo(site.app, place.entity.key, list)
  const [entity, field] =
    key !== undefined && info?.type.kind === 'list' ? [info.type.entity, key] : [place.entity.key, name]
  if (!isPicked(fieldInfo(site.app, entity, field))) return new Map()
  const query = form.get(`_q.${name}`) ?? ''
  const search = isLookup(query) ? query : ''
  const goesBy = choiceReads(site.app, entity, field)
  const typed = typedOf(form, place.entity, site)
  const row = key === undefined ? null : rowsIn({ values }, typed, list).find(one => name.startsWith(`${one.name}.`))
  const known = await knownOf(context, entity, goesBy.own, row?.values ?? values, row?.texts ?? typed.texts)
  const above = await knownOf(context, place.entity.key, goesBy.above, values, typed.texts)
  const found = await readOptions(runtime, request, { entity, field, search, limit: pickResults, known, above })
  return new Map([[name, { query, found }]])
}

/** `/-/options?entity=loan_line&field=item&this.model=…&above.day=…&q=sony`: the same for the island; without letters all that a list has. */
export async function pickOptions(context: RequestContext): Promise<HttpResponse> {
  const { query, site, runtime, request } = context
  const entity = query.get('entity') ?? ''
  const field = query.get('field') ?? ''
  const search = query.get('q')
  if (!isPicked(fieldInfo(site.app, entity, field)) || !isLookup(search ?? '')) return json({ options: [], note: '' })
  const goesBy = choiceReads(site.app, entity, field)
  const parent = site.app.entities.get(entity)!.partOf ?? entity
  const given = (base: string, of: string) => {
    const texts: Record<string, string> = {}
    for (const [name, text] of query) {
      const key = name.slice(base.length)
      if (name.startsWith(base) && isLookup(text))
        texts[key] = heldIn(site, site.app.entities.get(of), key, texts[key], text)
    }
    return texts
  }
  const known = await knownOf(context, entity, goesBy.own, {}, given(ofThis, entity))
  const above = await knownOf(context, parent, goesBy.above, {}, given(ofAbove, parent))
  const limit = search === null ? selectOptions : pickResults
  const found = await readOptions(runtime, request, { entity, field, search, limit, known, above })
  return json({ options: found.options, note: noteOf(site, { query: search ?? '', found }) })
}
