/** Filters and free text of a list as SQL. A field that is seen only on some rows carries that condition into its filter. */

import { folded, foldedSql, type Without } from '../../expression/letters.ts'
import { join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { Entity, Field } from '../../headings/3-entities/model.ts'
import { searchedFields } from '../../headings/3-entities/searched.ts'
import { titleFields } from '../../headings/3-entities/titles.ts'
import type { App } from '../../headings/app.ts'
import { composed } from '../../kinds/fields/texts.ts'
import type { Filter } from '../../kinds/screens/screen-kind.ts'
import { allOf, anyOf, type Condition, conditionSql } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { seenReference } from '../access/seen-reference.ts'
import { columnSql, comparedWithout, fieldSql, fromSql, isLinks, linksSql, typeOf } from '../names.ts'
import { fits, isId, sqlArrayType, sqlType } from '../values.ts'
import { alike, isTolerant } from './alike.ts'
import { isSingle, visibleLists } from './select.ts'

export interface Filtered {
  /** What the text of the statement depends on. */
  readonly shape: string
  /** Built only when no statement of this shape is at hand. */
  readonly condition: () => Condition
  readonly bindings: Readonly<Record<string, unknown>>
}

/** A field that these roles never see filters nothing, exactly as one that does not exist. */
export function filterOf(
  app: App,
  policy: Policy,
  entity: string,
  alias: string,
  filters: readonly Filter[],
): Filtered {
  const asked = filters.flatMap((filter, index): readonly Asked[] => {
    const list = filter.rows === undefined ? null : listOf(app, policy, entity, alias, filter)
    if (filter.rows !== undefined && list === null) return []
    const row = list?.alias ?? alias
    const found = oneFilter(app, policy, list?.entity ?? entity, row, filter, index)
    return found === null ? [] : [{ ...found, filter, list }]
  })
  const groups = Map.groupBy(asked, ({ filter }) => filter.group)
  const always = groups.get(undefined) ?? []
  groups.delete(undefined)
  return {
    shape: asked.map(({ filter: { group, rows }, shape }) => `${group ?? ''} ${rows ?? ''} ${shape}`).join(';'),
    condition: () => allOf([together(always), groups.size === 0 ? true : anyOf([...groups.values()].map(together))]),
    bindings: Object.assign({}, ...asked.map(({ bindings }) => bindings)),
  }
}

interface Asked extends Filtered {
  readonly filter: Filter
  /** The child rows of which it is asked; null: it is asked of the record. */
  readonly list: RowList | null
}

interface RowList {
  readonly entity: string
  readonly alias: string
  /** That one of the rows which may be seen is so. */
  readonly some: (condition: Condition) => Condition
}

/** All of them hold; what is asked of the rows of one list, of the same row. */
function together(asked: readonly Asked[]): Condition {
  const lists = Map.groupBy(asked, ({ list }) => list?.alias)
  const all = (same: readonly Asked[]) => allOf(same.map(({ condition }) => condition()))
  return allOf([...lists.values()].map(same => same[0]!.list?.some(all(same)) ?? all(same)))
}

/** Null: it is not there for these roles. */
function listOf(app: App, policy: Policy, entity: string, alias: string, { rows, group }: Filter): RowList | null {
  const list = visibleLists(app, policy, entity).find(({ field }) => field === rows)
  if (list === undefined) return null
  const { field, entity: child } = list
  const row = `${field} ${group ?? ''}`
  const ofParent = sql`${columnSql(row, app.schema.get(child)!.parent!)} = ${columnSql(alias, 'id')}`
  return {
    entity: child,
    alias: row,
    some(condition) {
      const there = allOf([ofParent, policy.rows(child, 'see', row), condition])
      const found = sql`exists (select from ${fromSql(child, row)} where ${conditionSql(there)})`
      return allOf([policy.field(entity, field, alias), found])
    },
  }
}

/** One filter of the row that `alias` names, whatever its group. Null: its field is not there for these roles. */
function oneFilter(
  app: App,
  policy: Policy,
  entity: string,
  alias: string,
  filter: Filter,
  index: number,
): Filtered | null {
  const name = `filter.${index}`
  const { via, field, comparison: how } = filter
  if (via === undefined && isLinks(app, entity, field)) return linksFilter(app, policy, entity, alias, filter, name)
  const place = placeOf(app, policy, entity, alias, filter, `f${index}`)
  if (place === null) return null
  const { type } = place
  const without = how === 'is' || how === 'is not' || how === 'any of' ? place.without : null
  const given = (Array.isArray(filter.value) ? filter.value : [filter.value]) as readonly Wire[]
  const values = given.map(value => folded(without, value))
  const needsValue = how !== 'is empty'
  const usable = !needsValue || values.every(value => fits(type, value))
  const turned = !needsValue && filter.value === false ? ' no' : ''
  const several = isSeveral(filter) ? ' several' : ''
  return {
    shape: `${via ?? ''} ${field} ${how}${several}${turned}${usable ? '' : ' !'}`,
    condition: () =>
      usable ? place.condition(value => comparison(filter, type, foldedSql(without, value), name)) : false,
    bindings: usable && needsValue ? bindingsOf(filter, type, values, name) : {},
  }
}

function bindingsOf(
  filter: Filter,
  type: Type,
  values: readonly Wire[],
  name: string,
): Readonly<Record<string, unknown>> {
  const { comparison: how } = filter
  if (how === 'within') return Object.fromEntries(values.map((value, at) => [`${name}.${at}`, value]))
  if ((how === 'contains' && type.kind !== 'choices') || how === 'starts with')
    return { [name]: escaped(String(values[0])) }
  return { [name]: isSeveral(filter) ? values : values[0] }
}

const isSeveral = ({ comparison, value }: Filter): boolean =>
  comparison === 'any of' || (comparison !== 'within' && Array.isArray(value))

interface FilterPlace {
  readonly type: Type
  /** What values may differ in and still be the same. */
  readonly without: Without | null
  /** What must hold of the row, given what must hold of the value. */
  readonly condition: (holds: (value: Sql) => Sql) => Condition
}

/** The value that is compared: the record's own, or that of the record which a reference names, as far as both may be seen. */
function placeOf(
  app: App,
  policy: Policy,
  entity: string,
  alias: string,
  { via, field, comparison: how }: Filter,
  other: string,
): FilterPlace | null {
  const own = via ?? field
  const type = typeOf(app, entity, own)
  const seen = type === undefined || !isSingle(app, entity, own) ? false : policy.field(entity, own, alias)
  if (type === undefined || seen === false) return null
  if (via === undefined) {
    const value = fieldSql(app, entity, field, alias)
    if (type.kind !== 'reference' || how === 'is empty' || policy.names(type.entity, 'seen') === true)
      return { type, without: comparedWithout(app, entity, field), condition: holds => allOf([seen, holds(value)]) }
    const given = seenReference(policy, type.entity, value)
    // The column by itself, too, for its index; `is not` is true of what is not given.
    return {
      type,
      without: null,
      condition: holds => allOf([seen, how === 'is not' ? true : holds(value), holds(given)]),
    }
  }
  if (type.kind !== 'reference') return null
  const target = type.entity
  const theirs = typeOf(app, target, field)
  const visible = theirs === undefined || !isSingle(app, target, field) ? false : policy.field(target, field, other)
  const rows = target === 'person' ? policy.rows(target, 'see', other) : policy.names(target, other)
  if (theirs === undefined || visible === false || rows === false) return null
  const reference = fieldSql(app, entity, via, alias)
  return {
    type: theirs,
    without: comparedWithout(app, target, field),
    condition(holds) {
      const there = allOf([
        sql`${columnSql(other, 'id')} = ${reference}`,
        rows,
        visible,
        holds(fieldSql(app, target, field, other)),
      ])
      return allOf([seen, sql`exists (select from ${fromSql(target, other)} where ${conditionSql(there)})`])
    },
  }
}

/** Whether a field names this record, of those that may be seen, or none at all. Null: the field is not there for these roles. */
function linksFilter(
  app: App,
  policy: Policy,
  entity: string,
  alias: string,
  { field, comparison: how, value }: Filter,
  name: string,
): Filtered | null {
  const seen = policy.field(entity, field, alias)
  if (seen === false) return null
  const target = (typeOf(app, entity, field) as Extract<Type, { kind: 'list' }>).entity
  const isEmpty = how === 'is empty'
  const ids = [value].flat()
  const usable = isEmpty || ids.every(isId)
  const condition = () => {
    if (!usable) return false
    const named = allOf([
      sql`links.owner = ${columnSql(alias, 'id')}`,
      isEmpty ? true : sql`links.member = any(${slot(name)}::uuid[])`,
      // Others are told of too, and so it is not empty.
      isEmpty ? true : policy.names(target, 'm'),
    ])
    const found = sql`exists (select from ${linksSql(entity, field)} as links
      join ${fromSql(target, 'm')} on m.id = links.member where ${conditionSql(named)})`
    return allOf([seen, isEmpty && value !== false ? sql`not ${found}` : found])
  }
  return {
    shape: `${field} ${how}${isEmpty && value === false ? ' no' : ''}${usable ? '' : ' !'}`,
    condition,
    bindings: usable && !isEmpty ? { [name]: ids } : {},
  }
}

function comparison(filter: Filter, type: Type, field: Sql, name: string): Sql {
  const value = sql`${slot(name)}::${sqlType(type)}`
  switch (filter.comparison) {
    case 'is':
      return sql`${field} = ${value}`
    case 'is not':
      return isSeveral(filter)
        ? sql`(${field} = any(${slot(name)}::${sqlArrayType(type)})) is not true`
        : sql`${field} is distinct from ${value}`
    case 'contains':
      if (type.kind === 'choices') {
        const holds = (one: Sql) => sql`strpos(', ' || ${field} || ', ', ', ' || ${one} || ', ') > 0`
        return isSeveral(filter)
          ? sql`exists (select from unnest(${slot(name)}::text[]) as one where ${holds(sql`one`)})`
          : holds(value)
      }
      return holdsText(sql`(${field})::text`, value)
    case 'starts with':
      return sql`ninefold.fold((${field})::text) like ninefold.fold(${value}::text) || '%'`
    case 'before':
      return sql`${field} < ${value}`
    case 'after':
      return sql`${field} > ${value}`
    case 'at least':
      return sql`${field} >= ${value}`
    case 'at most':
      return sql`${field} <= ${value}`
    case 'any of':
      return sql`${field} = any(${slot(name)}::${sqlArrayType(type)})`
    case 'within': {
      const [from, to] = [slot(`${name}.0`), slot(`${name}.1`)]
      return sql`(${field} >= ${from}::${sqlType(type)} and ${field} < ${to}::${sqlType(type)})`
    }
    case 'is empty':
      return filter.value === false ? sql`${field} is not null` : sql`${field} is null`
  }
}

/** More words than these are not looked at: what one types into a search box is short. */
export const maximumWords = 6

/** Whether a text has another one in it, whatever the case and the accents. `looked` is escaped for `like`. */
const holdsText = (text: Sql, looked: Sql): Sql =>
  sql`ninefold.fold(${text}) like '%' || ninefold.fold(${looked}::text) || '%'`

/** Whether a text has what `pattern` of `alike.ts` describes. The trigrams in it are found by the index as those of `like` are. */
const holdsAlike = (text: Sql, pattern: Sql): Sql => sql`ninefold.fold(${text}) ~ ninefold.fold(${pattern}::text)`

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const spelled: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** "Müller" is looked for as "Mueller" too, and the other way round. What the accents alone decide, `ninefold.fold` forgets. */
export function spellings(word: string): readonly string[] {
  const small = word.toLowerCase()
  const long = small.replace(/[äöü]/g, letter => spelled[letter]!)
  const short = small.replace(/[aou]e/g, pair => pair[0]!)
  return [...new Set([small, long, short])]
}

interface Searching {
  /** References whose records are searched by what they are called. */
  readonly through?: readonly string[] | undefined
  /** Words may be one letter off. */
  readonly similar?: boolean | undefined
}

/**
 * Every word must stand in one of the searched fields, or in what a record is called that one of the fields `through` refers to. Nothing to
 * search in: nothing is found.
 */
export function searchOf(
  app: App,
  policy: Policy,
  entity: string,
  alias: string,
  search: string | null,
  { through = [], similar = false }: Searching = {},
): Filtered {
  const { fields } = app.entities.get(entity)!
  const references = fields.filter(field => through.includes(field.key) && refersToNames(app, field))
  const shape = references.map(({ key }) => ` ${key}`).join('')
  return searchIn(search, similar, shape, (looked, holds) => {
    const own = holdingOf(app, policy, entity, alias, searchedFields(app.entities.get(entity)!), holds)
    const others = references.flatMap(({ key, type }) => {
      const isShown = policy.field(entity, key, alias)
      if (isShown === false || type.kind !== 'reference') return []
      const named = namedOf(app, policy, type.entity, 'r', holds)
      return [
        (word: readonly Sql[]) => {
          const found = named(word)
          if (found === false) return false
          // An array, so that an index of the reference serves it beside that of the texts.
          return allOf([
            isShown,
            sql`${columnSql(alias, key)} = any(array(select ${columnSql('r', 'id')} from ${fromSql(type.entity, 'r')}
              where ${conditionSql(found)}))`,
          ])
        },
      ]
    })
    return allOf(looked.map(word => anyOf([own, ...others].map(holding => holding(word)))))
  })
}

/** The records of an entity whose name has every word in it, of those that may be named. */
export function namesOf(
  app: App,
  policy: Policy,
  entity: string,
  alias: string,
  search: string | null,
  similar: boolean,
): Filtered {
  return searchIn(search, similar, ' names', (looked, holds) =>
    allOf(looked.map(namedOf(app, policy, entity, alias, holds))),
  )
}

/** What it refers to has texts in its name. */
export const refersToNames = ({ entities }: App, { type, computed }: Field): boolean =>
  type.kind === 'reference' && computed === null && nameFields(entities.get(type.entity)!).length > 0

const nameFields = (entity: Entity): readonly Field[] =>
  searchedFields(entity).filter(({ key }) => titleFields(entity).includes(key))

function namedOf(app: App, policy: Policy, entity: string, alias: string, holds: Holds) {
  // Whoever sees that somebody borrowed sees who.
  const known = entity === 'person' ? { ...policy, field: () => true } : policy
  const holding = holdingOf(app, known, entity, alias, nameFields(app.entities.get(entity)!), holds)
  return (word: readonly Sql[]): Condition => allOf([policy.names(entity, alias), holding(word)])
}

/** Whether one of the fields has a word in it, in one of its spellings. */
function holdingOf(app: App, policy: Policy, entity: string, alias: string, searched: readonly Field[], holds: Holds) {
  const fields = searched.flatMap(({ key }) => {
    const seen = policy.field(entity, key, alias)
    return seen === false ? [] : [{ seen, text: fieldSql(app, entity, key, alias) }]
  })
  return (word: readonly Sql[]): Condition =>
    anyOf(fields.map(({ seen, text }) => allOf([seen, anyOf(word.map(way => holds(text, way)))])))
}

/** Whether a text has a word in it, which is in a slot. */
type Holds = (text: Sql, word: Sql) => Sql

/** `condition` is given the slots of each word's spellings, and how a text is compared with one. */
function searchIn(
  search: string | null,
  similar: boolean,
  where: string,
  condition: (words: readonly (readonly Sql[])[], holds: Holds) => Condition,
): Filtered {
  const words = wordsOf(search).map(spellings)
  if (words.length === 0) return { shape: '', condition: () => true, bindings: {} }
  const bound = similar ? alike : escaped
  const bindings = Object.fromEntries(
    words.flatMap((ways, word) => ways.map((text, way) => [`search.${word}.${way}`, bound(text)])),
  )
  const slots = words.map((ways, word) => ways.map((_, way) => slot(`search.${word}.${way}`)))
  return {
    shape: `${similar ? 'similar' : 'search'} ${words.map(ways => ways.length)}${where}`,
    condition: () => condition(slots, similar ? holdsAlike : holdsText),
    bindings,
  }
}

const allWords = (search: string | null): readonly string[] =>
  composed(search ?? '')
    .split(/\s+/)
    .filter(word => word !== '' && fits({ kind: 'text' }, word))

/** The words of what was typed into a search box. */
export const wordsOf = (search: string | null): readonly string[] => allWords(search).slice(0, maximumWords)

/** Those that are not looked at. */
export const overlooked = (search: string | null): readonly string[] => allWords(search).slice(maximumWords)

/** One of the words may be a letter off. */
export const mayBeAlike = (search: string | null): boolean => wordsOf(search).some(isTolerant)

export const commas = (parts: readonly Sql[]): Sql => (parts.length === 0 ? raw('') : join(parts, ', '))
