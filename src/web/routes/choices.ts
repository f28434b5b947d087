/** Records that the fields of a form may name: offered, looked for, and what those are called that were chosen. */
import type { RecordValue, Wire } from '../../expression/type.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { gathered, linked } from '../../kinds/fields/several/links.ts'
import { isBlank } from '../../kinds/fields/texts.ts'
import { choiceReads, type FormData, readOptions } from '../../run/read/form.ts'
import { isId } from '../../run/values.ts'
import { atOnce } from '../../store/at-once.ts'
import { type Answer, json } from '../answer.ts'
import { pickResults, selectOptions } from '../bounds.ts'
import type { Exchange } from '../exchange.ts'
import { isStorable } from '../records.ts'
import type { Place } from '../routes.ts'
import { noteOf, ofAbove, ofThis } from '../screens/choosing.ts'
import type { Building } from '../screens/common.ts'
import { type Choices, referencesIn, type Search } from '../screens/form.ts'
import { heldIn, scalar, type Typed, typedFrom, typedOf } from '../screens/typed.ts'
import { controlText } from '../screens/values.ts'
import { knownTo } from '../seen.ts'
import { say } from '../sentences.ts'
import { type Face, faceOf, linksTo } from '../site.ts'

/**
 * One statement, whatever the form has; two more where what is offered goes by what stands in it. `typed`: what somebody has filled in
 * by now.
 */
export async function choicesOf(
  asking: Exchange,
  entity: string,
  form: FormData,
  typed: Typed | null,
): Promise<ReadonlyMap<string, Choices>> {
  const exchange = { ...asking, runtime: { ...asking.runtime, store: atOnce(asking.runtime.store) } }
  const asked = new Map(
    referencesIn(exchange.site, entity, form.fields).map(one => [`${one.entity}.${one.field}`, one]),
  )
  const offered = async ({ entity: of, field }: { readonly entity: string; readonly field: string }) => {
    const { runtime, request, site } = exchange
    const goesBy = choiceReads(site.app, of, field)
    const options = (known: RecordValue, above: RecordValue) =>
      readOptions(runtime, request, { entity: of, field, search: null, limit: selectOptions, known, above })
    if (goesBy.own.length + goesBy.above.length === 0) return options({}, {})
    const listed = form.fields.filter(({ key, children }) => children !== null && linesOf(site, entity, key) === of)
    const [own, around] = [openIn(of === entity ? form.fields : (listed[0]?.children ?? [])), openIn(form.fields)]
    const reads = [
      ...goesBy.own.filter(name => own.has(name)).map(name => `${ofThis}${name}`),
      ...goesBy.above.filter(name => around.has(name)).map(name => `${ofAbove}${name}`),
    ]
    const above = await knownOf(exchange, entity, goesBy.above, form.values, typed?.texts ?? {})
    const offer = async (values: RecordValue, texts: Typed['texts']): Promise<Choices> => {
      const known = await knownOf(exchange, of, goesBy.own, values, texts)
      // Whether it is a list or a search does not go by what is filled in at the moment.
      const [narrow, all] = await Promise.all([
        options(known, above),
        reads.length === 0 ? null : options(lasting(known, own), lasting(above, around)),
      ])
      const now = { ...textsOf(site, of, known, ofThis), ...textsOf(site, entity, above, ofAbove) }
      return { ...narrow, more: (all ?? narrow).more, following: { reads, known: now } }
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

/** The entity of the rows of a list. */
function linesOf(site: Exchange['site'], entity: string, list: string): string | null {
  const type = faceOf(site.app, entity, list)?.type
  return type?.kind === 'list' ? type.entity : null
}

/** The rows of a list as they stand in the form, with what is stored of them. */
function rowsIn(form: Pick<FormData, 'values'>, typed: Typed | null, list: string) {
  const stored = (Array.isArray(form.values[list]) ? form.values[list] : []) as readonly RecordValue[]
  const rows = typed?.lists[list] ?? stored.map(({ id }) => ({ id: String(id), texts: {} }))
  return rows.map(({ id, texts }, index) => ({
    name: `${list}.${index}`,
    values: stored.find(row => row.id === id) ?? {},
    texts,
  }))
}

/** The values by which a field is chosen: as they were typed, else as they are. What is named has to be nameable. */
async function knownOf(
  exchange: Exchange,
  entity: string,
  names: readonly string[],
  values: RecordValue,
  texts: Typed['texts'],
): Promise<RecordValue> {
  const { runtime, request, site } = exchange
  const known = knownTo(exchange).entities.get(entity)
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
  site: Exchange['site'],
  entity: string,
  known: RecordValue,
  base: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(known).flatMap(([name, wire]) => {
      const field = faceOf(site.app, entity, name)?.field
      return wire === null || field == null ? [] : [[`${base}${name}`, controlText(site, field, wire as Wire)]]
    }),
  )

/** What a form names through links before anybody types: their titles are not read with the record. */
export function linksOf(build: Building, entity: string, form: FormData): Typed {
  const { texts, lists } = typedFrom(build, entity, form)
  const { app } = build.site
  const named = (of: string, all: Typed['texts']) =>
    Object.fromEntries(
      Object.entries(all).filter(([key]) => {
        const face = faceOf(app, of, key)
        return face !== null && linksTo(face) !== null
      }),
    )
  const rows = Object.entries(lists).map(([list, of]) => {
    const type = faceOf(app, entity, list)?.type
    const child = type?.kind === 'list' ? type.entity : ''
    return [list, of.map(({ id, texts: own }) => ({ id, texts: named(child, own) }))] as const
  })
  return { texts: named(entity, texts), lists: Object.fromEntries(rows) }
}

/**
 * Titles of what was chosen in pickers and is in no list of options: one statement, however much somebody sends. What stands in the
 * form as it was read keeps its name.
 */
export async function chosenTitles(
  { runtime, request, site }: Exchange,
  entity: string,
  { values }: FormData,
  typed: Typed | null,
  choices: ReadonlyMap<string, Choices>,
): Promise<ReadonlyMap<string, string>> {
  if (typed === null) return new Map()
  const texts = [
    ...Object.entries(typed.texts).map(([key, text]) => ({ of: entity, key, text, there: [values] })),
    ...Object.entries(typed.lists).flatMap(([list, rows]) => {
      const face = faceOf(site.app, entity, list)
      const child = face?.type.kind === 'list' ? face.type.entity : ''
      const read = values[list]
      const there = Array.isArray(read) ? read : []
      return rows.flatMap(row => Object.entries(row.texts).map(([key, text]) => ({ of: child, key, text, there })))
    }),
  ]
  const unnamed = [...Map.groupBy(texts, ({ of, key }) => `${of}.${key}`)].flatMap(([name, same]) => {
    const { of, key, there } = same[0]!
    if (!isPicked(faceOf(site.app, of, key))) return []
    const known = new Set(choices.get(name)?.options.map(({ value }) => value))
    const ids = new Set(same.flatMap(({ text }) => linked(text)).filter(id => isId(id) && !known.has(id)))
    const named = there.flatMap(record => linked(scalar(record[key])))
    return ids.size === 0 ? [] : [{ entity: of, field: key, search: null, limit: ids.size, ids: [...ids], named }]
  })
  const reading = { ...runtime, store: atOnce(runtime.store) }
  const found = await Promise.all(unnamed.map(need => readOptions(reading, request, need)))
  return new Map(found.flatMap(({ options }) => options.map(({ value, label }) => [value, label] as const)))
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
  { site }: Exchange,
  { entity }: Place,
  form: URLSearchParams,
): { readonly note?: string } {
  const name = form.has('_pick') ? null : unanswered(form)
  if (name === null) return {}
  const [list = '', , key] = name.split('.')
  const face = faceOf(site.app, entity.key, list)
  const own = key !== undefined && face?.type.kind === 'list' ? faceOf(site.app, face.type.entity, key) : face
  return { note: say(site, 'pickUnanswered', { field: own?.label ?? name }) }
}

/** Whether what stands in the field is chosen from records. */
const isPicked = (face: Face | null): boolean =>
  face !== null && (face.type.kind === 'reference' || linksTo(face) !== null)

/** `_pick=lines.0.item`: what the letters in `_q.lines.0.item` find. */
export async function searched(
  exchange: Exchange,
  place: Place,
  form: URLSearchParams,
  name: string,
  values: RecordValue,
): Promise<ReadonlyMap<string, Search>> {
  const { site, runtime, request } = exchange
  const [list = '', , key] = name.split('.')
  const face = faceOf(site.app, place.entity.key, list)
  const [entity, field] =
    key !== undefined && face?.type.kind === 'list' ? [face.type.entity, key] : [place.entity.key, name]
  if (!isPicked(faceOf(site.app, entity, field))) return new Map()
  const query = form.get(`_q.${name}`) ?? ''
  const search = isStorable(query) ? query : ''
  const goesBy = choiceReads(site.app, entity, field)
  const typed = typedOf(form, place.entity, site)
  const row = key === undefined ? null : rowsIn({ values }, typed, list).find(one => name.startsWith(`${one.name}.`))
  const known = await knownOf(exchange, entity, goesBy.own, row?.values ?? values, row?.texts ?? typed.texts)
  const above = await knownOf(exchange, place.entity.key, goesBy.above, values, typed.texts)
  const found = await readOptions(runtime, request, { entity, field, search, limit: pickResults, known, above })
  return new Map([[name, { query, found }]])
}

/** `/-/options?entity=loan_line&field=item&this.model=…&above.day=…&q=sony`: the same for the island; without letters all that a list has. */
export async function pickOptions(exchange: Exchange): Promise<Answer> {
  const { query, site, runtime, request } = exchange
  const entity = query.get('entity') ?? ''
  const field = query.get('field') ?? ''
  const search = query.get('q')
  if (!isPicked(faceOf(site.app, entity, field)) || !isStorable(search ?? '')) return json({ options: [], note: '' })
  const goesBy = choiceReads(site.app, entity, field)
  const parent = site.app.entities.get(entity)!.partOf ?? entity
  const given = (base: string, of: string) => {
    const texts: Record<string, string> = {}
    for (const [name, text] of query) {
      const key = name.slice(base.length)
      if (name.startsWith(base) && isStorable(text))
        texts[key] = heldIn(site, site.app.entities.get(of), key, texts[key], text)
    }
    return texts
  }
  const known = await knownOf(exchange, entity, goesBy.own, {}, given(ofThis, entity))
  const above = await knownOf(exchange, parent, goesBy.above, {}, given(ofAbove, parent))
  const limit = search === null ? selectOptions : pickResults
  const found = await readOptions(runtime, request, { entity, field, search, limit, known, above })
  return json({ options: found.options, note: noteOf(site, { query: search ?? '', found }) })
}
