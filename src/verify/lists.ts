/**
 * What stands on a list, and on each of its views: the records that heading 6 and its conditions let through, in its order, under its
 * columns; and that other screens of records show none that their Where keeps from them. Worked out from all records that there are; what cannot be (the words by which references are sorted) is left open.
 */
import { readCsv } from '../document/csv.ts'
import { placesIn } from '../expression/currency.ts'
import { add, type Decimal, formatDecimal, parseDecimal, whole } from '../expression/decimal.ts'
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { Expression } from '../expression/expression.ts'
import type { Type, Wire } from '../expression/type.ts'
import { fromWire, order } from '../expression/values.ts'
import type { Column, Grouping, Route, Screen, SortKey } from '../headings/2-screens/model.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import { specified } from '../headings/specified.ts'
import { allView, viewHref } from '../kinds/screens/address.ts'
import { columnsOf } from '../kinds/screens/columns.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { asksForArchived, isArchived } from '../run/access/archived.ts'
import { fieldIn } from '../web/routes.ts'
import { calledIn, firstHead } from '../web/screens/table-heads.ts'
import { fieldInfo } from '../web/site.ts'
import { seesColumn } from './audience.ts'
import type { Player, Site } from './client.ts'
import { worth } from './judge.ts'
import { nameOf } from './kept.ts'
import { countsIn, groupOf, otherGroups } from './list-groups.ts'
import { pieces } from './oracle/cells.ts'
import { readsOf, sees, seesField, takesOut, toldOf } from './oracle/rights.ts'
import { nextPage, openPage, pagesAtMost, plainText } from './page.ts'
import { saidOf } from './parts.ts'
import { reach } from './reach.ts'
import { addressesOf, addressesOn } from './shown.ts'
import { type Case, isTold } from './trial.ts'
import { visitor, type World } from './world.ts'

/** The list itself, or a view of it. */
interface Look {
  /** In words: `in the view Late, `; empty: the list itself. */
  readonly says: string
  readonly path: string
  readonly conditions: readonly Expression[]
  readonly columns: readonly Column[]
  readonly sort: readonly SortKey[]
  /** Its rows stand in the first of these; empty: in none. */
  readonly groups: readonly Grouping[]
}

/** `html`: its page as this person is shown it. What is not as the document says; empty: nothing. */
export async function tryRecords(site: Site, screen: Screen, player: Player, html: string): Promise<readonly string[]> {
  const route = specified(screen.route)
  const entity = site.app.entities.get(specified(screen.shows)?.entity ?? '')
  if (route === null || fieldIn(route) !== null || entity === undefined || !isTold(site.app, entity.key)) return []
  const { where } = usesOf(screen)
  const conditions = where === null ? [] : [where]
  const kind = kindOf(screen)
  if (!kind?.isListing)
    return kind?.shows === 'records' ? otherShown(site, screen, entity, player, conditions, html) : []
  site.judged.in(screen.name, 'Shows')
  site.judged.add(saidOf({ site, screen }, 'shows'))
  const wrong: string[] = []
  for (const look of looksOf(screen, route))
    wrong.push(...(await tryLook(site, screen, entity, look, player)).map(text => `${look.says}${text}`))
  return wrong
}

/** The list itself, and each of its views. */
export function looksOf(screen: Screen, route: Route): readonly Look[] {
  const { where, shown, sort, views, groups } = usesOf(screen)
  const conditions = where === null ? [] : [where]
  return [
    { says: '', path: viewHref(route.pattern, allView), conditions, columns: shown, sort, groups },
    ...views.map(view => ({
      says: `in the view ${view.name.text}, `,
      path: viewHref(route.pattern, view.key),
      conditions: view.where === null ? conditions : [...conditions, view.where],
      columns: view.columns.length > 0 ? view.columns : shown,
      sort: view.sort.length > 0 ? view.sort : sort,
      groups,
    })),
  ]
}

/** Records on a page that may be one of many: what is not there may be on another. */
async function otherShown(
  site: Site,
  screen: Screen,
  entity: Entity,
  player: Player,
  conditions: readonly Expression[],
  html: string,
): Promise<readonly string[]> {
  const world = await site.observatory.world(player)
  const ids = await idsByAddress(site, player, entity)
  site.judged.in(screen.name, 'Shows')
  site.judged.add(saidOf({ site, screen }, 'shows'))
  const { wanted, open } = letThrough({ site, entity, world }, conditions)
  site.judged.add(...conditions.map(({ cell }) => cell))
  const named = [...html.matchAll(/data-record="([^"]+)"/g)].map(([, id]) => id!)
  const there = new Set([...named, ...addressesOn(html).flatMap(address => ids.get(plainText(address)) ?? [])])
  const wrong = [...there].flatMap(id => {
    const record = world.record(entity.key, id)
    return record === undefined || wanted.has(id) || open.has(id) ? [] : [`${nameOf(entity, record)} is shown`]
  })
  const { sort } = usesOf(screen)
  const said = saidOf({ site, screen }, 'empty text')
  if (said !== null && wanted.size === 0 && open.size === 0 && nextPage(html) === undefined) {
    site.judged.add(said)
    if (!plainText(html).includes(said.text)) wrong.push(`it does not say '${said.text}'`)
  }
  if (sort.length === 0) return wrong
  // Cards below each other are of one state.
  const listed = { heads: null, counts: new Map(), text: '', foot: '', isWhole: false }
  const look: Look = { says: '', path: '', conditions, columns: [], sort, groups: [] }
  for (const rows of Map.groupBy(named, id => world.record(entity.key, id)?.state).values())
    wrong.push(...otherOrder({ site, entity, world, look, listed: { ...listed, rows } }))
  return wrong
}

export async function tryLook(
  site: Site,
  screen: Screen,
  entity: Entity,
  look: Look,
  player: Player,
): Promise<readonly string[]> {
  const listed = await readList(site, player, entity, look.path)
  if (typeof listed === 'string') return [`the application says ${listed} to ${look.path}`]
  site.judged.add(...look.conditions.map(({ cell }) => cell))
  const about = { site, entity, world: await site.observatory.world(player), look, listed }
  const file = look.says === '' ? await otherFile(about, player) : []
  const parts = [...otherWords(about, screen), ...otherTotals(about, screen)]
  return [...otherRecords(about), ...otherOrder(about), ...otherColumns(about), ...parts, ...file]
}

/** Records in a plain table inside of another screen, which shows the first of them. `html`: that part of its page. */
export async function tryLines(
  whose: Whose,
  content: {
    readonly where: Expression | null
    readonly columns: readonly Column[]
    readonly sort: readonly SortKey[]
  },
  html: string,
): Promise<readonly string[]> {
  const { site, entity, world } = whose
  const ids = await idsByAddress(site, visitor, entity)
  const [head = '', body = ''] = (/<table.*?<\/table>/s.exec(html)?.[0] ?? '').split('</thead>')
  const rows = [...body.matchAll(bodyRows)].map(([, row]) => {
    const address = /<a[^>]* href="([^"?]*)/.exec(row!)?.[1]
    return ids.get(plainText(address ?? '')) ?? null
  })
  const heads = head === '' ? null : [...head.matchAll(columnHeads)].map(([, text]) => plainText(text!))
  const conditions = content.where === null ? [] : [content.where]
  const look: Look = {
    says: '',
    path: '',
    conditions,
    columns: content.columns.slice(0, mostColumns),
    sort: content.sort,
    groups: [],
  }
  site.judged.add(...conditions.map(({ cell }) => cell))
  const about = {
    ...whose,
    world,
    look,
    listed: { heads, rows, counts: new Map(), text: '', foot: '', isWhole: rows.length < fewRows },
  }
  // Without columns of its own it has some of those of a list.
  const columns = content.columns.length === 0 ? [] : otherColumns(about)
  return [...otherRecords(about), ...otherOrder(about), ...columns]
}

/** Columns of such a table; so few rows are all that there are. */
const [mostColumns, fewRows] = [4, 7]

interface Listed {
  /** Of its columns; null: it has no row, and so no head. */
  readonly heads: readonly string[] | null
  /** The ids of its records; null: neither a box nor a link says which one it is. */
  readonly rows: readonly (string | null)[]
  /** How many records the heads of its groups say. */
  readonly counts: ReadonlyMap<string, number>
  /** What its first page says, and its foot. */
  readonly text: string
  readonly foot: string
  /** No page of it was left out. */
  readonly isWhole: boolean
}

interface Whose {
  readonly site: Site
  readonly entity: Entity
  readonly world: World
}

interface About extends Whose {
  readonly look: Look
  readonly listed: Listed
}

const tables = /<table class="t cards[^"]*".*?<\/table>/s
const columnHeads = /<th(?! class="c-act")[^>]*>(.*?)<\/th>/gs
const bodyRows = /<tr(?! class="grp")[^>]*>(.*?)<\/tr>/gs

/** All pages of a list; a text: why one cannot be read. */
async function readList(site: Site, player: Player, entity: Entity, path: string): Promise<Listed | string> {
  const ids = await idsByAddress(site, player, entity)
  const rows: (string | null)[] = []
  const counts = new Map<string, number>()
  let heads: readonly string[] | null = null
  let [text, foot] = ['', '']
  let next: string | undefined = path
  for (let pages = 0; pages < pagesAtMost && next !== undefined; pages++) {
    const page = await openPage(site, player, next)
    if (page.kind !== 'shown') return page.why
    const [head = '', body = ''] = (tables.exec(page.html)?.[0] ?? '').split('</thead>')
    if (text === '') [text, foot] = [plainText(page.html), plainText(/<tfoot.*?<\/tfoot>/s.exec(page.html)?.[0] ?? '')]
    if (head !== '') heads ??= [...head.matchAll(columnHeads)].map(([, text]) => plainText(text!))
    for (const [group, count] of countsIn(page.html)) counts.set(group, count)
    for (const [, row] of body.split('</tbody>')[0]!.matchAll(bodyRows)) {
      const id = /name="id" value="([^"]+)"/.exec(row!)?.[1]
      const address = /<a class="ttl" href="([^"?]*)/.exec(row!)?.[1]
      rows.push(id ?? ids.get(plainText(address ?? '')) ?? null)
    }
    next = nextPage(page.html)
  }
  return { heads, rows, counts, text, foot, isWhole: next === undefined }
}

async function idsByAddress(site: Site, player: Player, entity: Entity): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const { id } of (await site.observatory.world(player)).records(entity.key))
    for (const address of await addressesOf(site, entity, String(id))) ids.set(address, String(id))
  return ids
}

/** The ids of the records that this person is to be shown; `open`: of those of which it cannot be told. */
export function letThrough({ site: { app }, entity, world }: Whose, conditions: readonly Expression[]) {
  const [wanted, open] = [new Set<string>(), new Set<string>()]
  const areArchivedAsked = conditions.some(condition => asksForArchived(app, entity.key, condition))
  for (const record of world.records(entity.key)) {
    if (isArchived(record) && !areArchivedAsked) continue
    if (!sees({ world, entity: entity.key, record })) continue
    const values = conditions.map(condition => worth(condition, world.environment(entity.key, record)))
    if (values.every(value => value === true)) wanted.add(String(record.id))
    else if (values.every(value => value === true || value === NOT_LOADED)) open.add(String(record.id))
  }
  return { wanted, open }
}

/** Records that are missing, and those that are there and should not be. */
function otherRecords({ look, listed, ...whose }: About): readonly string[] {
  const { entity, world } = whose
  const { wanted, open } = letThrough(whose, look.conditions)
  const { rows, isWhole } = listed
  const there = new Set(rows.filter(id => id !== null))
  const unnamed = rows.filter(id => id === null).length
  const name = (id: string) => nameOf(entity, world.record(entity.key, id) ?? { id })
  const wrong = [...there].filter(id => !wanted.has(id) && !open.has(id)).map(id => `${name(id)} is shown`)
  if (there.size + unnamed < rows.length) wrong.push('it shows a record more than once')
  if (!isWhole) return wrong
  const missing = [...wanted].filter(id => !there.has(id))
  if (unnamed === 0) return [...wrong, ...missing.map(id => `${name(id)} is not shown`)]
  if (unnamed < missing.length || unnamed > missing.length + open.size)
    wrong.push(`it shows ${rows.length} records, the document lets ${wanted.size} through`)
  return wrong
}

/** Records of a group that stand apart, or else the first two neighbours that stand the other way round. */
function otherOrder({ site, entity, world, look, listed: { rows, counts, isWhole } }: About): readonly string[] {
  const sort = look.sort.length > 0 ? look.sort : entity.order
  const cases = rows.map((id): Case | null => {
    const record = id === null ? undefined : world.record(entity.key, id)
    return record === undefined ? null : { app: site.app, world, entity: entity.key, record }
  })
  // Rows stand in the first that is open to whoever reads them.
  const whose = { app: site.app, world, entity: entity.key }
  const [by] = look.groups.filter(({ value }) =>
    [...readsOf(whose, value.cell.text)].every(key => seesColumn(whose, key) !== false),
  )
  const groups = cases.map(one => (by === undefined || one === null ? null : groupOf(by, one)))
  const known = groups.filter(group => group !== null)
  if (by !== undefined && isWhole && known.length === rows.length) {
    site.judged.add(by.cell)
    const wrong = otherGroups(known, [...counts.values()])
    if (wrong.length > 0) return wrong
  }
  for (const [at, one] of cases.entries()) {
    const next = cases[at + 1]
    if (one === null || next == null || (by !== undefined && (groups[at] ?? at) !== groups[at + 1])) continue
    const found = compared(one, next, entity, sort)
    if (found !== null) site.judged.add(...sort.map(({ cell }) => cell))
    if ((found ?? 0) > 0) return [`${nameOf(entity, one.record)} stands before ${nameOf(entity, next.record)}`]
  }
  return []
}

/** As records are sorted; null: it cannot be told from here. */
export function compared(
  one: Case,
  other: Case,
  entity: Entity,
  sort: readonly Pick<SortKey, 'field' | 'descending'>[],
): number | null {
  for (const { field, descending } of sort) {
    const type = one.app.schema.get(entity.key)!.fields.get(field)?.type
    const [left, right] = [seenValue(one, entity, field), seenValue(other, entity, field)]
    if (type === undefined || left === undefined || right === undefined) return null
    if (left === right) continue
    // What refers to nothing that may be named is sorted as if it were empty.
    if (type.kind === 'reference') return null
    if (left === null || right === null) return left === null ? 1 : -1
    const found = comparedAs(type, left, right)
    if (found === null) return null
    if (found !== 0) return descending ? -found : found
  }
  return sort.length > 0 ? null : one.record.id! < other.record.id! ? 1 : -1
}

/** Of a field as somebody sees it; undefined: it cannot be told. */
function seenValue(one: Case, entity: Entity, key: string): Wire | undefined {
  const field = entity.fields.find(candidate => candidate.key === key)
  if (field === undefined && toldOf(one).lines.has(key)) return undefined
  if (field !== undefined && !seesField(one, field)) return null
  const computed = field?.computed ?? null
  const value = computed === null ? one.record[key] : worth(computed, one.world.environment(entity.key, one.record))
  return value === NOT_LOADED || (typeof value === 'object' && value !== null) ? undefined : ((value ?? null) as Wire)
}

/** Texts as people sort them, by the numbers in them. */
const people = new Intl.Collator('und', { numeric: true })
/** Of which all that sort texts say the same. */
const plain = /^[\p{L}\p{N} -]*$/u

function comparedAs(type: Type, left: NonNullable<Wire>, right: NonNullable<Wire>): number | null {
  if (type.kind === 'choice') return type.options.indexOf(String(left)) - type.options.indexOf(String(right))
  if (type.kind === 'text') {
    if (!plain.test(String(left)) || !plain.test(String(right))) return null
    // Texts that count alike are told apart by their bytes.
    return people.compare(String(left), String(right)) || null
  }
  const [a, b] = [fromWire(left, type), fromWire(right, type)]
  return a === null || b === null || type.kind === 'duration' ? null : order(a, b)
}

/** Its words for being empty, where nothing is let through. */
function otherWords({ listed, look, ...whose }: About, screen: Screen): readonly string[] {
  const said = saidOf({ site: whose.site, screen }, 'empty text')
  const { wanted, open } = letThrough(whose, look.conditions)
  if (said === null || wanted.size > 0 || open.size > 0) return []
  whose.site.judged.add(said)
  return listed.text.includes(said.text) ? [] : [`it does not say '${said.text}'`]
}

/** Below its columns: the sums of what is let through. */
function otherTotals({ listed, look, ...whose }: About, screen: Screen): readonly string[] {
  const { site, entity, world } = whose
  const said = saidOf({ site, screen }, 'totals')
  const { wanted, open } = letThrough(whose, look.conditions)
  if (said === null || wanted.size === 0 || open.size > 0 || listed.foot === '') return []
  return pieces(said.text, ',').flatMap(key => {
    const field = entity.fields.find(one => one.key === key)
    const values = [...wanted].map(id =>
      seenValue({ app: site.app, world, entity: entity.key, record: world.record(entity.key, id)! }, entity, key),
    )
    if (field?.type.kind !== 'money' || values.includes(undefined)) return []
    const places = field.type.places ?? placesIn(field.type)
    const sum = values.reduce<Decimal>((all, value) => add(all, parseDecimal(String(value ?? '0'))!), whole(0))
    site.judged.add(said)
    const digits = formatDecimal(sum, places).replace(/\D/g, '')
    const isThere = listed.foot.split(/[^\d.,’' \u202f]+/).some(one => one.replace(/\D/g, '') === digits)
    return isThere ? [] : [`the total of ${key} is not ${formatDecimal(sum, places)} (${listed.foot})`]
  })
}

const emptyLines = (csv: string): number =>
  csv
    .replace(/"(?:[^"]|"")*"/g, 'x')
    .trimEnd()
    .split(/\r?\n/)
    .slice(1)
    .filter(line => line === '').length

/** As a file: the columns of the list, and the records of it that may be taken out, with what their texts say. */
async function otherFile(about: About, player: Player): Promise<readonly string[]> {
  const { site, entity, world, look } = about
  const headers = { ...(await site.headersFor(player)), origin: site.url }
  const { headers: told, text } = await reach(`${site.url}${look.path}&_export=csv`, { headers, redirect: 'manual' })
  if (told.get('content-type')?.startsWith('text/csv') !== true) return []
  const table = readCsv({ path: 'list.csv', text: text.replace(/^\ufeff/, '') })
  if (table === null) return ['its file has no table']
  const heads = table.header.map(cell => cell.text)
  const wrong = columnsIn(about, heads)
  const { wanted, open } = letThrough(about, look.conditions)
  const taken = [...wanted].filter(id => takesOut({ world, entity: entity.key, record: world.record(entity.key, id)! }))
  // Of one column, a record that says nothing there is an empty line, which a table has not.
  const count = table.rows.length + (heads.length > 1 ? 0 : emptyLines(text))
  if (open.size === 0 && count !== taken.length)
    wrong.push(`it has ${count} records, and ${taken.length} may be taken out`)
  const one = (id: string): Case => ({
    app: site.app,
    world,
    entity: entity.key,
    record: world.record(entity.key, id)!,
  })
  const cellsOf = (at: number) => table.rows.map(({ cells }) => cells[at]?.text ?? '')
  for (const field of open.size > 0 ? [] : entity.fields) {
    const column = heads.indexOf(fieldInfo(site.app, entity.key, field.key)?.label ?? '')
    if (column < 0 || (heads.length === 1 && count > table.rows.length)) continue
    const unlike = otherCells(
      field,
      taken.map(id => seenValue(one(id), entity, field.key)),
      cellsOf(column),
    )
    if (unlike !== null) wrong.push(unlike)
  }
  return wrong.map(each => `as a file: ${each}`)
}

/** What the cells of a column do not say, whatever the order of the rows; null: nothing, or it cannot be told. */
function otherCells({ key, kind }: Field, values: readonly (Wire | undefined)[], cells: readonly string[]) {
  const read = cellReaders[kind]
  if (read === undefined || values.includes(undefined)) return null
  const left = new Map<string, number>()
  for (const cell of cells) left.set(read(cell), (left.get(read(cell)) ?? 0) + 1)
  const missing = values
    .map(value => String(value ?? ''))
    .find(value => {
      const count = left.get(read(value)) ?? 0
      left.set(read(value), count - 1)
      return count === 0
    })
  return missing === undefined ? null : `${key} ${missing || 'nothing'} is not in it`
}

const asNumber = (text: string): string => (text.trim() === '' ? '' : String(Number(text)))
const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** By the kind of the field, how a cell and a value are compared. */
const cellReaders: Readonly<Record<string, (text: string) => string>> = {
  text: spaced,
  choice: spaced,
  date: spaced,
  integer: asNumber,
  decimal: asNumber,
  money: asNumber,
}

const columnsFor = ({ site: { app }, entity, world, look }: About) =>
  columnsOf(look.columns, entity, app).map(key => ({
    label: fieldInfo(app, entity.key, key)?.label ?? null,
    isSeen: seesColumn({ app, world, entity: entity.key }, key),
  }))

/** The first one says what its records are called by. */
function headsFor(about: About): ReturnType<typeof columnsFor> {
  const { site, entity, world, look } = about
  const [first, ...others] = columnsFor(about)
  const sees = (field: string) => seesColumn({ app: site.app, world, entity: entity.key }, field)
  const fields = columnsOf(look.columns, entity, site.app)
  if (first === undefined) return []
  if (calledIn(entity, fields).some(field => sees(field) === null)) return [{ label: null, isSeen: null }, ...others]
  const head = firstHead(site.app, entity, fields, field => sees(field) === true)
  return [{ ...first, label: head?.label ?? first.label }, ...others]
}

/** Columns of a file that are missing, or should not be there. */
function columnsIn(about: About, heads: readonly string[]): string[] {
  return columnsFor(about).flatMap(({ label, isSeen }) => {
    if (label === null || isSeen === null || heads.includes(label) === isSeen) return []
    return [`the column ${label} is ${isSeen ? 'missing' : 'there'}`]
  })
}

/** Columns that are missing, that should not be there, or stand in another order. */
function otherColumns(about: About): readonly string[] {
  const { heads } = about.listed
  if (heads === null) return []
  about.site.judged.add(...about.look.columns.map(({ cell }) => cell))
  const columns = headsFor(about)
  const [wanted, open] = [true, null].map(said => columns.flatMap(one => (one.isSeen === said ? [one.label] : [])))
  const missing = wanted!.filter(label => label !== null && !heads.includes(label))
  const others = open!.includes(null) ? [] : heads.filter(head => !wanted!.includes(head) && !open!.includes(head))
  const wrong = [
    ...missing.map(label => `the column ${label} is missing`),
    ...others.map(head => `the column ${head} is shown`),
  ]
  const there = heads.filter(head => wanted!.includes(head))
  if (wrong.length === 0 && there.join('\n') !== wanted!.join('\n'))
    wrong.push(`its columns are ${there.join(', ')}, and not ${wanted!.join(', ')}`)
  return wrong
}
