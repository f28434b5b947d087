/** How a list is narrowed and gone through: comparisons with a value, words, also of texts that are not searched, in every order and page by page. */
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Field } from '../headings/3-entities/model.ts'
import { searchedFields } from '../headings/3-entities/searched.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { isArchived } from '../run/access/archived.ts'
import { ask, isOk, type Player, type Reply, verdictOf } from './client.ts'
import { isAsked } from './drafts.ts'
import { distinct } from './edges.ts'
import { compared } from './lists.ts'
import * as oracle from './oracle/rights.ts'
import type { Accepted } from './subjects.ts'
import { type Case, caseOf, cellOf, type Subject, type Trial, tallyOf } from './trial.ts'

/** Of one page. */
const recordsAtMost = 100
/** Pages of two records each. */
const pagesAtMost = 30

const rowsOf = ({ body }: Reply) => (body.data ?? []) as readonly { readonly id: string }[]

/** By a record that this person sees. */
export async function tryNarrowing(trial: Trial, subject: Subject, player: Player): Promise<void> {
  const known = await caseOf(trial, subject, player)
  if (known === null || !oracle.sees(known)) return
  const { site, entity } = trial
  const { key: of } = entity
  const id = String(known.record.id)
  const find = (query: Readonly<Record<string, string>>) =>
    ask(site, player, 'GET', `${of}?${new URLSearchParams({ sort: '-created_at', ...query })}`)
  const tally = tallyOf(trial, 'door narrowed', cellOf(known), `${entity.name}: its list is narrowed and gone through`)
  const check = (what: string, reply: Reply, wanted: boolean, looked = id) => {
    tally.tried++
    if (isOk(reply)) tally.through++
    const isThere = rowsOf(reply).some(row => row.id === looked)
    // On a full page it may be left to the next one.
    if (!isOk(reply)) tally.wrong.push(`${player.name}, ${what}: the application says ${verdictOf(reply)}`)
    else if (isThere !== wanted && (isThere || reply.body.next == null))
      tally.wrong.push(`${player.name}, ${what}: it is ${wanted ? 'not ' : ''}found`)
  }
  for (const field of entity.fields) {
    const value = known.record[field.key]
    const { filters, toJson } = fieldKind(field.kind)
    if (!filters.includes('at least') || typeof value !== 'string' || !oracle.seesField(known, field)) continue
    const text = String(toJson(value as NonNullable<Wire>, field.parameters))
    check(`${field.key} at least ${text}`, await find({ [`${field.key}.at-least`]: text }), true)
    check(`${field.key} at most ${text}`, await find({ [`${field.key}.at-most`]: text }), true)
  }
  const { world } = known
  const seen = world.records(of).filter(one => !isArchived(one) && oracle.sees({ world, entity: of, record: one }))
  for (const { field, id: looked, value } of othersOf(trial, known, seen, player))
    check(`${field} is not ${value}`, await find({ [`${field}.is-not`]: value }), true, looked)
  const searched = searchedWord(trial, known, seen)
  if (searched !== null) {
    const { word, id: looked } = searched
    for (const same of [word.toLowerCase(), word.toUpperCase()])
      check(`the search for ${same}`, await find({ q: same }), true, looked)
    check(`the search for ${word} and what nothing says`, await find({ q: `${word} qzxjvkwqzxj` }), false, looked)
  }
  for (const record of seen) {
    const word = unsearchedWord(trial, { ...known, record })
    if (word === null) continue
    check(`the search for ${word}, which no searched field has`, await find({ q: word }), false, String(record.id))
    break
  }
  await tryPages(trial, seen, player)
  await trySorts(trial, known, seen, player)
}

interface Other {
  readonly field: string
  readonly id: string
  readonly value: string
}

/** Of each field that refers to records, or is a choice, one that has another value than one that there is, or none. */
const othersOf = ({ entity }: Trial, known: Case, seen: readonly RecordValue[], player: Player): readonly Other[] =>
  entity.fields.flatMap(field => {
    const { key, kind, type, computed } = field
    if (!fieldKind(kind).filters.includes('is not') || !['reference', 'choice'].includes(type.kind)) return []
    const told = computed === null ? seen.filter(record => oracle.seesField({ ...known, record }, field)) : []
    const given = told.map(record => record[key]).find(one => typeof one === 'string')
    const value = given ?? (type.kind === 'reference' && type.entity === 'person' ? player.id : undefined)
    const others = [
      told.find(record => record[key] == null),
      told.find(record => typeof record[key] === 'string' && record[key] !== value),
    ].filter(record => record !== undefined)
    return value === undefined ? [] : others.map(({ id }) => ({ field: key, id: String(id), value: String(value) }))
  })

/** A word of a text that is searched, with a capital letter where there is one. */
function searchedWord({ entity }: Trial, known: Case, seen: readonly RecordValue[]) {
  const words = searchedFields(entity).flatMap(field =>
    (field.computed === null ? seen : []).flatMap(record => {
      const text = oracle.seesField({ ...known, record }, field) ? record[field.key] : null
      const plain = typeof text === 'string' ? text.split(/\s+/).filter(one => /^[a-z]{4,30}$/i.test(one)) : []
      return plain.map(word => ({ word, id: String(record.id) }))
    }),
  )
  return words.find(({ word }) => /[A-Z]/.test(word)) ?? words[0] ?? null
}

/** A word that stands only in texts that are not searched. */
function unsearchedWord({ entity }: Trial, { record }: Case): string | null {
  const searched = new Set(searchedFields(entity).map(({ key }) => key))
  if (searched.size === 0) return null
  const texts = entity.fields.filter(({ type }) => type.kind === 'text').map(({ key }) => [key, record[key]] as const)
  const found = texts
    .filter(([key]) => searched.has(key))
    .map(([, text]) => String(text ?? '').toLowerCase())
    .join(' ')
  const words = texts.flatMap(([key, text]) => (searched.has(key) || typeof text !== 'string' ? [] : text.split(/\s+/)))
  return words.find(word => /^[a-z]{4,30}$/i.test(word) && !found.includes(word.toLowerCase())) ?? null
}

/** Two records on each page: each that this person sees comes once, and as many are counted. */
async function tryPages(trial: Trial, there: readonly RecordValue[], player: Player): Promise<void> {
  const { site, entity } = trial
  if (there.length < 2 || there.length > pagesAtMost) return
  const tally = tallyOf(trial, 'door pages', entity.cell, `${entity.name}: page by page its list has each record once`)
  const ids: string[] = []
  let after: string | null = null
  for (let pages = 0; pages <= pagesAtMost; pages++) {
    const query = new URLSearchParams({ limit: '2', count: 'yes', ...(after === null ? {} : { after }) })
    const reply = await ask(site, player, 'GET', `${entity.key}?${query}`)
    tally.tried++
    if (!isOk(reply)) return void tally.wrong.push(`${player.name}: the application says ${verdictOf(reply)}`)
    tally.through++
    if (reply.body.count !== there.length) {
      tally.wrong.push(`${player.name}: ${String(reply.body.count)} are counted, and ${there.length} shown`)
      return
    }
    ids.push(...rowsOf(reply).map(({ id }) => id))
    after = (reply.body.next ?? null) as string | null
    if (after === null) break
  }
  if (new Set(ids).size !== ids.length || ids.length !== there.length)
    tally.wrong.push(
      `${player.name}: its pages have ${ids.length} records, ${new Set(ids).size} of them once, and not ${there.length}`,
    )
}

/** Records with options of a choice that letters would sort otherwise than the document does. Gives those that were made. */
export async function optionsApart({ site, entity }: Trial, { player, values }: Accepted): Promise<readonly string[]> {
  const ids: string[] = []
  for (const field of entity.fields.filter(isAsked)) {
    if (field.type.kind !== 'choice') continue
    const { options } = field.type
    const at = options.findIndex((option, place) => place > 0 && option < options[place - 1]!)
    for (const option of at === -1 ? [] : options.slice(at - 1, at + 1)) {
      const sent = await distinct(site, player, entity, { ...values, [field.key]: option }, '')
      const reply = await ask(site, player, 'POST', entity.key, sent)
      if (isOk(reply)) ids.push(String(reply.body.id))
    }
  }
  return ids
}

/** Kinds of types of which it can be told how they are sorted. */
const sorted: ReadonlySet<string> = new Set(['text', 'choice', 'date', 'moment', 'integer', 'decimal', 'money'])

/** By each field that somebody sees of all of them, up and down, and by those that leave records together also by another one. */
async function trySorts(trial: Trial, known: Case, there: readonly RecordValue[], player: Player): Promise<void> {
  const { site, entity } = trial
  if (there.length < 2 || there.length > recordsAtMost) return
  const cases = new Map(there.map(record => [String(record.id), { ...known, record }]))
  const tally = tallyOf(trial, 'door sorted', entity.cell, `${entity.name}: its list in the order of each field`)
  const isSeen = (field: Field) => [...cases.values()].every(one => oracle.seesField(one, field))
  const fields = entity.fields.filter(one => sorted.has(one.type.kind) && one.kind !== 'secret' && isSeen(one))
  const isToldApart = (one: Field, other: Field) =>
    there.some((record, at) =>
      there.slice(0, at).some(it => it[one.key] === record[one.key] && it[other.key] !== record[other.key]),
    )
  const orders = fields.flatMap(field => [
    [{ field: field.key, descending: false }],
    [{ field: field.key, descending: true }],
    ...fields
      .filter(next => next !== field && isToldApart(field, next))
      .slice(0, 1)
      .map(next => [
        { field: field.key, descending: false },
        { field: next.key, descending: true },
      ]),
  ])
  for (const order of orders) {
    const sort = order.map(({ field, descending }) => `${descending ? '-' : ''}${field}`).join(',')
    const query = new URLSearchParams({ sort, limit: String(recordsAtMost) })
    const reply = await ask(site, player, 'GET', `${entity.key}?${query}`)
    // What is kept under seal, or worked out when it is read, is in no order.
    if (!isOk(reply)) continue
    tally.tried++
    tally.through++
    const rows = rowsOf(reply).flatMap(({ id }) => cases.get(id) ?? [])
    const at = rows.findIndex((one, place) => place > 0 && (compared(rows[place - 1]!, one, entity, order) ?? 0) > 0)
    const told = (one: Case) => order.map(({ field }) => String(one.record[field] ?? 'nothing')).join(', ')
    if (at > 0) tally.wrong.push(`${player.name}, by ${sort}: ${told(rows[at - 1]!)} stands before ${told(rows[at]!)}`)
  }
}
