import type { Screen } from '../../../headings/2-screens/model.ts'
import type { Entity } from '../../../headings/3-entities/model.ts'
import type { App } from '../../../headings/app.ts'
import { isLong, shownEntity } from '../columns.ts'
import { letThrough } from '../let-through.ts'
import { buttons, columns, emptyText, sort, where } from '../member-types.ts'
import { type Members, partOf } from '../members.ts'
import { readQuery, unreadOfLists } from '../query.ts'
import type { Address, GroupsNeed, ScreenKind } from '../screen-kind.ts'

/** Cards of a group that are shown at once. */
const cards = 50

/** Fields on a card where the document names none. */
const fieldsOfCard = 4

const members = { emptyText, where, columns: columns('Card'), sort, buttons } satisfies Members

export const boardPart = (screen: Screen) => partOf(members, screen)

/** Records as cards in groups: by state, where a move is a step, or by another field with a closed list of values. */
export const board: ScreenKind = {
  name: 'board',
  written: 'board of Entity by field',
  opening: 'board of',
  meaning:
    'Records as cards side by side in groups, by state or by a choice. Moving a card takes the step that leads there.',
  entity: 'required',
  by: 'choice',
  properties: [
    {
      name: 'Where',
      meaning: 'Cards it shows, besides what permissions allow. Groups that it rules out are not shown.',
    },
    { name: 'Card', meaning: 'Fields on a card, in order. Absent: the first few.' },
    { name: 'Sort', meaning: 'The order of the cards in a group.' },
    { name: 'Buttons', meaning: 'Steps offered on the cards. Absent: all steps of the entity.' },
    { name: 'Empty text', meaning: 'What stands there when there is nothing to show.' },
  ],
  members,
  shows: 'records',
  standsOn: ({ by }) => [by ?? 'state'],
}

/** The cards that this address asks for. Null: there is nothing to group. */
export function boardNeed(
  screen: Screen,
  app: App,
  address: Address,
): { readonly need: GroupsNeed; readonly ignored: readonly string[] } | null {
  const entity = shownEntity(screen, app)
  if (entity === null || 'unspecified' in screen.shows) return null
  const by = screen.shows.by ?? 'state'
  const options = groupsOf(entity, by, app)
  if (options === null) return null
  const { where: condition, ...part } = boardPart(screen)
  const card = part.columns.length > 0 ? part.columns.map(({ field }) => field) : usualCard(entity)
  const order = part.sort.map(({ field, descending }) => ({ field, descending }))
  const { filters, search, ignored } = readQuery(entity, app, address, order)
  return {
    need: {
      kind: 'groups',
      entity: entity.key,
      by,
      groups: condition === null ? options : letThrough(condition.root, by, options),
      columns: card,
      where: condition,
      filters,
      search,
      searched: card,
      sort: order,
      limit: cards,
    },
    ignored: [...ignored, ...unreadOfLists(address.query)],
  }
}

/** The values that a field can have; null where they are not a closed list. */
function groupsOf(entity: Entity, by: string, app: App): readonly string[] | null {
  const states = by === 'state' ? app.workflows.get(entity.key)?.states.map(({ name }) => name) : undefined
  return states ?? entity.fields.find(({ key }) => key === by)?.parameters.choices ?? null
}

function usualCard(entity: Entity): readonly string[] {
  const short = entity.fields.filter(
    ({ hidden, type, parameters }) => hidden === null && type.kind !== 'list' && !isLong(parameters.length),
  )
  const keys = short.map(({ key }) => key)
  return [...entity.title.filter(key => keys.includes(key)), ...keys.filter(key => !entity.title.includes(key))].slice(
    0,
    fieldsOfCard,
  )
}
