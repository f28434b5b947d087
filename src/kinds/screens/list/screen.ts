import type { Grouping, Screen } from '../../../headings/2-screens/model.ts'
import type { App } from '../../../headings/app.ts'
import { allView, countName, similarName, viewName } from '../address.ts'
import { chosenColumns, columnsOf, shownEntity } from '../columns.ts'
import { buttons, columns, emptyText, filters, listed, sharedBy, sort, totals, views, where } from '../member-types.ts'
import { type Member, type Members, partOf } from '../members.ts'
import { asWritten, countAll, countTo, pageSizeOf, readQuery } from '../query.ts'
import { groupsOf } from '../row-groups.ts'
import type { Address, RowsAsked, ScreenKind } from '../screen-kind.ts'

const members = {
  emptyText,
  sharedBy,
  where,
  columns: columns(),
  filters,
  totals,
  groups: {
    read: reader => reader.groupings('Group by'),
    uses: groups => ({ groups }),
    compared: { told: ', its groups', as: all => listed(all.map(({ cell }) => cell.text)) },
  } satisfies Member<readonly Grouping[]>,
  sort,
  views,
  buttons,
} satisfies Members

export const listPart = (screen: Screen) => partOf(members, screen)

export function listRows(screen: Screen, app: App, address: Address): RowsAsked | null {
  const entity = shownEntity(screen, app)
  if (entity === null) return null
  const part = listPart(screen)
  const asked = address.query.get(viewName) ?? allView
  const view = part.views.find(({ key }) => key === asked) ?? null
  const { ignored, ...query } = readQuery(
    entity,
    app,
    address,
    (view !== null && view.sort.length > 0 ? view : part).sort.map(({ field, descending }) => ({
      field,
      descending,
    })),
  )
  const own = view !== null && view.columns.length > 0 ? view.columns : part.columns
  const chosen = chosenColumns(entity, app, address) ?? columnsOf(own, entity, app)
  const { group, ignored: unknown } = groupsOf(address.open(part.groups), chosen, entity, app, address, query.sort)
  const counted = address.query.get(countName) === 'all' ? countAll : countTo
  return {
    need: {
      kind: 'rows',
      entity: entity.key,
      columns: chosen,
      where: part.where,
      ...(view === null || view.where === null ? {} : { view: view.where }),
      ...query,
      ...(group === undefined ? {} : { group }),
      searched: chosen,
      ...(address.query.get(similarName) === 'yes' ? { similar: true } : {}),
      limit: pageSizeOf(address),
      countTo: counted,
    },
    ignored: [...ignored, ...unknown, ...(view === null && asked !== allView ? [asWritten(viewName, asked)] : [])],
  }
}

/** Records in rows, with filters, order and pages in the address. */
export const list: ScreenKind = {
  name: 'list',
  written: 'list of Entity · table of Entity',
  opening: 'list of',
  also: 'table of',
  meaning: 'Records in rows, with filters, search, sorting and pages.',
  entity: 'required',
  by: 'none',
  properties: [
    { name: 'Where', meaning: 'Rows it shows, besides what permissions allow.' },
    { name: 'Columns', meaning: 'Fields of the list, in order. Absent: all short fields, in the order of heading 3.' },
    {
      name: 'Filters',
      meaning:
        'Fields that stand over it as filters, in order; one relation away, too: `borrower.name`. Absent: the state, and columns with choices, yes/no or dates.',
    },
    {
      name: 'Totals',
      meaning:
        'Numbers, amounts and lengths of time that are added up below it and for each group, over all that the filters let through: `net, gross`; other measures, too: `average of score`, `share of count where in_time out of count as In time`. Absent: none.',
    },
    {
      name: 'Group by',
      meaning:
        'What its rows are grouped by, each group with its count and totals: `department`, `month of needed_on`. Further ones, behind commas, are offered to its readers beside the columns. Absent: no groups.',
    },
    {
      name: 'Sort',
      meaning: 'The order where a reader chooses none: `due_back, then number`; `down` after a field turns it round.',
    },
    {
      name: 'View',
      meaning:
        'A view as a tab over the list: `Late where state = Overdue; columns number, due_back; sort due_back down`.',
      many: true,
    },
    {
      name: 'Views shared by',
      meaning: 'Roles that may share views that they saved with any role. Absent: whoever appoints to the role.',
    },
    { name: 'Buttons', meaning: 'Steps offered on every row. Absent: all steps of the entity.' },
    { name: 'Empty text', meaning: 'What stands there when there is nothing to show.' },
  ],
  members,
  shows: 'records',
  isListing: true,
  rows: listRows,
}
