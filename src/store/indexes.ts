/** Which indexes an entity needs: for its references, its row rules, the lists and boards that show it, and what expressions look for. */

import { isDeepStrictEqual } from 'node:util'
import type { Cell } from '../document/source.ts'
import { mayBeEmpty } from '../expression/computed.ts'
import type { Expression } from '../expression/expression.ts'
import { keptColumn, keptOf } from '../expression/kept-columns.ts'
import type { Type } from '../expression/type.ts'
import type { SortKey } from '../headings/2-screens/model.ts'
import { apartBy } from '../headings/3-entities/apart.ts'
import { hasPlace, placeField } from '../headings/3-entities/by-hand.ts'
import type { Entity } from '../headings/3-entities/model.ts'
import { searchedFields } from '../headings/3-entities/searched.ts'
import type { App } from '../headings/app.ts'
import { specified } from '../headings/specified.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { lookedFor } from './looked-for.ts'
import { shortName } from './names.ts'
import type { Index, IndexColumn } from './physical.ts'

interface Wish {
  readonly columns: readonly IndexColumn[]
  readonly serves: string
  readonly cell: Cell
}

/** One that is the beginning of another is left out: the longer one serves both. */
export function indexesOf(app: App, entity: Entity): readonly Index[] {
  const wishes = [
    ...orderWishes(app, entity),
    ...screenWishes(app, entity),
    ...ruleWishes(app, entity),
    ...referenceWishes(app, entity),
    ...lookedForWishes(app, entity),
  ]
  const kept: Wish[] = []
  for (const wish of wishes.sort((left, right) => right.columns.length - left.columns.length))
    if (wish.columns.length > 0 && !kept.some(longer => begins(longer.columns, wish.columns))) kept.push(wish)
  return kept.map(({ columns, serves, cell }) => ({
    name: shortName(
      entity.key,
      ...columns.flatMap(({ name, descending }) => (descending ? [name, 'down'] : name)),
      'idx',
    ),
    columns,
    folded: false,
    unique: false,
    where: null,
    serves,
    holds: null,
    cell,
  }))
}

/** One index finds parts of words in every searched field that has a column. */
export function searchIndex(entity: Entity): readonly Index[] {
  const fields = searchedFields(entity).filter(({ computed }) => computed === null)
  const [first] = fields
  if (first === undefined) return []
  return [
    {
      name: shortName(entity.key, 'search'),
      columns: fields.map(({ key }) => plain(key)),
      folded: true,
      unique: false,
      where: null,
      serves: `the search in ${fields.map(({ label }) => label).join(', ')} of ${entity.name}`,
      holds: null,
      cell: first.searchable ?? first.cell,
    },
  ]
}

const plain = (name: string): IndexColumn => ({ name, forPeople: false, descending: false })

const begins = (longer: readonly IndexColumn[], shorter: readonly IndexColumn[]): boolean =>
  shorter.every((column, index) => isDeepStrictEqual(column, longer[index]))

function referenceWishes(app: App, entity: Entity): readonly Wish[] {
  const wishes: Wish[] = []
  if (entity.partOf !== null)
    wishes.push({
      columns: [entity.shape.parent ?? entity.partOf, 'position'].map(plain),
      serves: `the rows of ${app.entities.get(entity.partOf)?.name ?? entity.partOf}, in order`,
      cell: entity.cell,
    })
  for (const field of entity.fields)
    if (field.type.kind === 'reference' && field.computed === null)
      wishes.push({
        columns: [plain(field.key)],
        serves: `what refers to ${app.entities.get(field.type.entity)?.name ?? field.type.entity}`,
        cell: field.typeCell,
      })
  return wishes
}

/** Row rules ask for equality on these, whoever looks. Who may change or delete is asked of rows that were found already. */
function ruleWishes(app: App, entity: Entity): readonly Wish[] {
  const wishes: Wish[] = []
  for (const { role, see } of app.access.get(entity.key)?.rows ?? []) {
    const grant = specified(see)
    if (grant?.kind === 'when')
      for (const name of ownColumns(app, entity, grant.expression))
        wishes.push({ columns: [plain(name)], serves: `what ${role} may see`, cell: grant.cell })
  }
  return wishes
}

/** What expressions of the document find other records by, where neither a reference nor a unique field finds them already. */
function lookedForWishes(app: App, entity: Entity): readonly Wish[] {
  const types = columnTypes(app, entity)
  const isFound = (name: string) => types.get(name)?.kind === 'reference' || name === entity.shape.parent
  const uniques = entity.fields.flatMap(({ key, unique }) =>
    unique === null ? [] : [[...apartBy(entity, key, unique.within), ...unique.within, key]],
  )
  return lookedFor(app).flatMap(({ entity: of, fields, text, cell }) => {
    const names = of === entity.key ? fields.filter(name => types.has(name) || isFound(name)) : []
    const isUnique = uniques.some(columns => columns.every(name => names.includes(name)))
    if (isUnique || names.every(isFound)) return []
    const sorted = [...names.filter(isFound), ...names.filter(name => !isFound(name))]
    const labels = names.map(name => entity.fields.find(({ key }) => key === name)?.label ?? name)
    return [
      { columns: sorted.map(plain), serves: `finding ${entity.name} by ${labels.join(' and ')} in \`${text}\``, cell },
    ]
  })
}

function screenWishes(app: App, entity: Entity): readonly Wish[] {
  const wishes: Wish[] = []
  for (const screen of app.screens) {
    const shows = specified(screen.shows)
    if (shows === null || shows.entity !== entity.key || kindOf(screen)?.record !== undefined) continue
    const { sort, where: own, views } = usesOf(screen)
    const order = sortColumns(app, entity, sort.length > 0 ? sort : entity.order)
    const serves = `the screen ${screen.name.text}`
    const cell = screen.name
    wishes.push({ columns: order, serves, cell })
    const equal = new Set(ruleWishes(app, entity).flatMap(wish => wish.columns.map(column => column.name)))
    for (const where of [own, ...views.map(view => view.where)])
      if (where !== null) for (const name of ownColumns(app, entity, where)) equal.add(name)
    if (shows.by !== null && columnTypes(app, entity).has(shows.by)) equal.add(columnOf(app, entity, shows.by))
    for (const name of equal)
      if (!order.some(column => column.name === name)) wishes.push({ columns: [plain(name), ...order], serves, cell })
  }
  // The order by id alone is the primary key's.
  return wishes.filter(wish => wish.columns.length > 1 || wish.columns[0]?.name !== 'id')
}

/** The order of heading 3, wherever nothing else orders them. */
function orderWishes(app: App, entity: Entity): readonly Wish[] {
  const columns = sortColumns(app, entity, entity.order)
  if (columns.length === 1) return []
  return [{ columns, serves: `the order of ${entity.name}`, cell: entity.order[0]!.cell }]
}

/**
 * The leading columns of the order that an index can hold, and the id, which ends it: references sort by their title, choices by
 * their place in the list. An order in one direction is gone through from either end, unless empty values come last going down.
 */
function sortColumns(app: App, entity: Entity, sorts: readonly SortKey[]): readonly IndexColumn[] {
  const types = columnTypes(app, entity)
  const shape = app.schema.get(entity.key)!
  const isHeld = ({ field }: SortKey) =>
    !['reference', 'choice', 'file', 'json'].includes(types.get(field)?.kind ?? 'file')
  const end = sorts.findIndex(sort => !isHeld(sort))
  const held = (end < 0 ? sorts : sorts.slice(0, end)).map(({ field, descending }) => ({
    field,
    descending,
    emptiesLast: descending && mayBeEmpty(shape.fields.get(field)!),
  }))
  const last = held.at(-1)?.descending ?? false
  const isTurned = held.some(({ descending, emptiesLast }) => emptiesLast || descending !== last)
  return [
    ...held.map(({ field, descending, emptiesLast }) => ({
      name: columnOf(app, entity, field),
      forPeople: types.get(field)!.kind === 'text',
      descending: isTurned && descending,
      ...(emptiesLast ? { emptiesLast } : {}),
    })),
    { ...plain('id'), descending: isTurned && last },
  ]
}

/** Fields of this entity, with a column, that an expression compares. */
function ownColumns(app: App, entity: Entity, expression: Expression): readonly string[] {
  const types = columnTypes(app, entity)
  const names = [...new Set(expression.reads.map(path => path.split('.')[0]!))].filter(name => types.has(name))
  return names.map(name => columnOf(app, entity, name))
}

const columnOf = (app: App, entity: Entity, field: string): string =>
  keptOf(app.schema, entity.key, field) === null ? field : keptColumn(field)

/** By field. */
function columnTypes(app: App, entity: Entity): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>()
  for (const { key, kind, parameters, computed, type } of entity.fields)
    if (computed === null ? fieldKind(kind).column(parameters) !== null : keptOf(app.schema, entity.key, key) !== null)
      types.set(key, type)
  for (const key of ['state', ...(hasPlace(entity) ? [placeField] : [])]) {
    const builtIn = entity.shape.fields.get(key)
    if (builtIn !== undefined && !types.has(key)) types.set(key, builtIn.type)
  }
  return types
}
