/** A list of records: search, filters, chips, the table, its pager. */
import { memoize } from '../../../expression/memoize.ts'
import { LinkButton, Menu, type MenuItem } from '../../../ui/buttons.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Chips, ListForm, Pager, Views } from '../../../ui/list.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { EmptyState } from '../../../ui/problem.tsx'
import { type Reader, useReader } from '../../../ui/reader.tsx'
import { roomOf } from '../../../ui/room.ts'
import { Shared, sharedParts } from '../../../ui/row-menu.tsx'
import { type PartProps, renderPart } from '../../../ui/shapes.tsx'
import type { Made } from '../../../ui/shell.tsx'
import {
  type Column,
  DataTable,
  groupHeads,
  type KeptRow,
  type MadeRows,
  type ShapedRow,
  type Slot,
  shapedRows,
  type TableRow,
} from '../../../ui/table.tsx'
import { AssumedBoxes } from '../assumed.tsx'
import { distinctNames } from '../distinct.ts'
import { chipsOf, FilterBar, Ignored, MoreFilters } from '../filter-bar.tsx'
import { FilterBuilder } from '../filter-builder.tsx'
import type { TableFrame } from '../table-view.ts'
import { shown } from '../value.tsx'
import { ColumnChooser } from './chooser.tsx'
import { icons, rowMenu } from './row-menu.tsx'
import { ViewSaver } from './saver.tsx'
import type { ListView } from './view-model.ts'

/** The rows of a page and what decides how they look: the same object as long as they are the same in the same frame. */
interface Around extends TableFrame, Pick<ListView, 'bulk'> {
  /** With the room that each has. */
  readonly table: readonly Column[]
  readonly rows: Omit<MadeRows, 'html'>
}

/** What is there besides, and decides what the page looks like; the rest is texts. */
interface ListData extends Pick<ListView, 'views' | 'saver' | 'more' | 'further' | 'drafts' | 'held' | 'empty'> {
  /** The names of the token, and of the address to come back to. */
  readonly token: string
  readonly here: string
}

type ListText = 'count' | 'range' | 'caption' | 'next' | 'previous' | 'token' | 'here' | `total ${number}`

interface Table extends Pick<ListView, 'frame' | 'bulk'> {
  readonly reader: Reader
  readonly around: Around
  readonly each: readonly string[]
  readonly markup: Readonly<Record<'rows' | 'symbols' | 'menu', string>>
}

const tables = new WeakMap<ListView['rows'], Table>()

/** The table of a page: it is made once for the same rows in the same frame. */
function tableOf(reader: Reader, { frame, rows, bulk }: ListView): Table {
  const known = tables.get(rows)
  if (known?.reader === reader && known.frame === frame && known.bulk === bulk) return known
  const columns = columnsOf(frame, rows)
  const { items, places } = rowMenu(rows)
  const names = distinctNames(rows)
  const shaped = rows.map((row, at) => keptRow(row, places[at], names[at]))
  const { each, ...made } = shapedRows(reader, shaped, { columns, selectable: bulk.length > 0 })
  const rings = rows.flatMap(({ cells }) => cells.flatMap(({ state }) => (state === null ? [] : [state.ring])))
  const table: Table = {
    reader,
    frame,
    bulk,
    around: { ...frame, bulk, table: columns, rows: made },
    each,
    markup: { rows: each.join(''), ...sharedParts(reader, rings, items) },
  }
  tables.set(rows, table)
  return table
}

/** The rows below the heads of their groups. */
function groupedRows(
  reader: Reader,
  { each, around: { table, rows, bulk } }: Table,
  groups: ListView['groups'],
): string {
  const heads = groupHeads(
    reader,
    groups.map(({ sums, ...head }) => ({ ...head, cells: sums.map(sum => sum ?? '') })),
    { columns: table, selectable: bulk.length > 0, withMenu: rows.withMenu },
  )
  const pieces = groups.map(({ at }, index) => [heads[index]!, ...each.slice(at, groups[index + 1]?.at ?? each.length)])
  return [...each.slice(0, groups[0]?.at), ...pieces.flat()].join('')
}

export function listContent(reader: Reader, view: ListView): Made {
  const { views, saver, more, further, drafts, held, empty, token, here } = view
  const table = tableOf(reader, view)
  const { around } = table
  const markup =
    view.groups.length === 0 ? table.markup : { ...table.markup, rows: groupedRows(reader, table, view.groups) }
  const texts: Record<ListText, string> = {
    count: view.count ?? '',
    range: view.range ?? '',
    caption: view.caption,
    next: view.next ?? '',
    previous: view.previous ?? '',
    token: token.value,
    here: here.value,
  }
  view.totals?.forEach((sum, at) => {
    texts[`total ${at}`] = sum ?? ''
  })
  const data = { views, saver, more, further, drafts, held, empty, token: token.name, here: here.name }
  return {
    html: renderPart<ListData, ListText, keyof Table['markup'], Around>(reader, ListScreen, {
      frame: around,
      data,
      texts,
      markup,
    }),
  }
}

type ListProps = PartProps<Around & ListData, ListText, keyof Table['markup']>

const Create = ({ create }: Pick<Around, 'create'>) =>
  create && (
    <LinkButton href={create.href} tone="primary" icon="plus" letter="n">
      {create.label}
    </LinkButton>
  )

function Actions({ view }: { readonly view: ListProps['data'] }) {
  const { words } = useReader()
  return (
    <>
      {view.emergency !== null && (
        <LinkButton href={view.emergency.href} icon="alert">
          {view.emergency.label}
        </LinkButton>
      )}
      {view.import !== null && <LinkButton href={view.import.href}>{view.import.label}</LinkButton>}
      {view.exports.length > 0 && view.rows.count > 0 && (
        <Menu
          id="export"
          label={words('export')}
          wide
          icon="download"
          items={view.exports.map(({ label, href }) => ({ kind: 'link', label, href, icon: 'file' }))}
        />
      )}
      {view.held !== null && (
        <LinkButton href={view.held.href} icon="alert">
          {view.held.label}
        </LinkButton>
      )}
      {view.drafts.map(({ label, href }) => (
        <LinkButton key={href} href={href} icon="pencil">
          {label}
        </LinkButton>
      ))}
      {view.empty?.filtered !== false && <Create create={view.create} />}
    </>
  )
}

function ListScreen({ data: view, texts, markup }: ListProps) {
  const { words } = useReader()
  const token = { name: view.token, value: texts.token }
  const { bar } = view
  const isForm = bar.builder.form !== null || view.chooser.form !== null || view.saver?.form != null
  /** There is no record at all: nothing to look through. */
  const isBare = view.empty?.filtered === false && view.views.length < 2 && !isForm
  return (
    <>
      <PageHead title={view.title} meaning={view.meaning} actions={<Actions view={view} />} />
      <Views views={view.views} />
      {!isBare && <FilterBar bar={bar} list={view.title} />}
      <Ignored ignored={view.ignored} />
      {bar.builder.form !== null && <FilterBuilder form={bar.builder.form} close={bar.builder.close} />}
      {view.chooser.form !== null && <ColumnChooser form={view.chooser.form} close={view.chooser.close} />}
      {view.saver?.form != null && (
        <ViewSaver form={{ ...view.saver.form, hidden: [token, ...view.saver.form.hidden] }} close={view.saver.close} />
      )}
      {!isBare && (
        <Chips
          chips={chipsOf(bar)}
          clear={bar.clear ?? bar.action}
          count={
            view.more ? (
              <>
                {texts.count} <a href={view.countAll}>{words('countExactly')}</a>
              </>
            ) : (
              texts.count
            )
          }
        >
          <p className="tools noprint">
            <MoreFilters bar={bar} />
            {view.grouping !== null && <Grouping grouping={view.grouping} />}
            <a href={view.chooser.open}>{words('columns')}</a>
            {view.saver !== null && <a href={view.saver.open}>{words('views')}</a>}
          </p>
        </Chips>
      )}
      {view.empty === null ? (
        <ListForm
          hidden={[token, { name: view.here, value: texts.here }]}
          all={texts.count === '' ? null : words('allMatching', { count: texts.count })}
          bulk={view.bulk.map(({ label, action, danger }) => ({ label, action, tone: danger ? 'bad' : 'plain' }))}
        >
          <Rows data={view} texts={texts} markup={markup} />
        </ListForm>
      ) : (
        <div className="sheet">
          <EmptyState
            art={view.empty.filtered ? 'search' : 'nothing'}
            title={view.empty.title}
            text={view.empty.text}
            actions={
              view.empty.filtered && bar.clear !== null ? (
                <LinkButton href={bar.clear}>{words('clearAll')}</LinkButton>
              ) : (
                view.create && <Create create={view.create} />
              )
            }
          />
        </div>
      )}
      <AssumedBoxes assumed={view.assumed} />
    </>
  )
}

function Rows({ data: view, texts, markup }: ListProps) {
  const { words } = useReader()
  const sums = view.table.map((_, at) => orNull(texts[`total ${at}`]))
  const first = view.further ? (
    <a href={view.first}>
      <Icon name="back" />
      {words('firstPage')}
    </a>
  ) : undefined
  return (
    <div className="sheet">
      <Shared symbols={markup.symbols} menu={markup.menu} />
      <DataTable
        caption={texts.caption}
        columns={view.table}
        rows={{ ...view.rows, html: markup.rows }}
        selectable={view.bulk.length > 0}
        foot={sums.every(sum => sum === null) ? null : { label: words('total'), cells: sums }}
      />
      {(texts.next !== '' || texts.previous !== '') && (
        <Pager range={texts.range} previous={orNull(texts.previous)} next={orNull(texts.next)} aside={first} />
      )}
    </div>
  )
}

/** By what rows are grouped is its own control: it says what is, and offers what may be. */
const Grouping = ({ grouping: { label, choices } }: { readonly grouping: NonNullable<TableFrame['grouping']> }) => (
  <Menu
    id="grouping"
    label={label}
    wide
    small
    tone="quiet"
    icon="timeline"
    items={choices.map(one => ({ kind: 'link', ...one }))}
  />
)

/** The first column names the record; on a phone the first amount, the state and the first date stay beside it. */
function columnsOf(frame: TableFrame, rows: ListView['rows']): readonly Column[] {
  const amount = frame.columns.findIndex((column, at) => at > 0 && column.amount)
  const figure = amount > 0 ? amount : frame.columns.findIndex(({ numeric }, at) => at > 0 && at < 3 && numeric)
  const state = frame.columns.findIndex((_, at) => at > 0 && rows.some(row => row.cells[at]?.state != null))
  const date = frame.columns.findIndex((_, at) => at > 0 && rows.some(row => row.cells[at]?.datetime != null))
  const isMine = rows.some(({ actions }) => actions.some(({ primary }) => primary))
  const room = roomOf(
    frame.columns.map(({ label }, at) => ({
      label,
      longest: Math.max(0, ...rows.map(({ cells }) => cells[at]?.text.length ?? 0)),
      beside: at === state ? (isMine ? 106 : 22) : 0,
    })),
    [0, state, figure].filter(at => at >= 0),
  )
  const slots = new Map<number, Slot>([
    [date, 'note'],
    [state, 'state'],
    [figure, 'figure'],
    [0, 'title'],
  ])
  return frame.columns.map(({ field, label, numeric, edited, bare, sort }, at) => {
    const slot = slots.get(at)
    return {
      key: field,
      label,
      numeric,
      edited,
      bare,
      ...room[at]!,
      sort: sort === null ? null : { href: sort.href, order: sort.direction },
      ...(slot === undefined ? {} : { slot }),
    }
  })
}

type ListRow = ListView['rows'][number]

const stateKeys = new WeakMap<object, string>()

/** `places`: what it has of the page's menu. `object`: what it is called among the others. */
export const keptRow = (row: ListRow, places: string | null = null, object = row.title): KeptRow => ({
  of: row,
  object,
  places,
  withMenu: row.actions.length + row.more.length > 0 || row.places !== null,
  shaped: () => shapedRow({ ...row, title: object }, places),
})

/** Rows with the same states and looks are of one shape. Exported for its test. */
export function shapedRow(row: ListRow, places: string | null): ShapedRow {
  const { id, title, href, under, cells, marks, places: moves, actions, more } = row
  const texts = [id, title, href ?? '', under]
  let shape = `${href === null ? '-' : '+'}${under === '' ? '-' : '+'}`
  for (const { text, look, state, href: to, datetime, due } of cells) {
    texts.push(text, to ?? '', datetime ?? '')
    if (due !== undefined) shape += JSON.stringify(due)
    shape += `${look}${to === null ? '-' : '+'}${datetime === null ? '-' : '+'}`
    if (state !== null) shape += memoize(stateKeys, state, () => JSON.stringify(state))
  }
  const isMine = actions.some(({ primary }) => primary)
  shape += `${isMine}${moves}`
  if (marks.length > 0) shape += JSON.stringify(marks)
  if (places !== null) {
    texts.push(places)
    shape += 'shared'
  } else {
    for (const { label, danger, action, confirm } of actions) {
      texts.push(confirm ?? action)
      shape += JSON.stringify([label, danger])
    }
    for (const { kind, label, href: to } of more) {
      texts.push(to)
      shape += JSON.stringify([kind, label])
    }
  }
  return { id, shape, texts, row: given => tableRow(row, places !== null, given) }
}

/** `texts` are in the order of `shapedRow`. In a list a step asks first on a page of its own, which knows the version it is about. */
function tableRow(
  { href, cells, marks, places, actions, more }: ListRow,
  isShared: boolean,
  texts: readonly string[],
): TableRow {
  const given = texts.values()
  const next = () => given.next().value ?? ''
  const row = {
    id: next(),
    object: next(),
    href: ifThere(href, next()),
    under: next(),
    cells: cells.map(cell =>
      shown(
        { ...cell, text: next(), href: ifThere(cell.href, next()), datetime: ifThere(cell.datetime, next()) },
        true,
      ),
    ),
    mine: actions.some(({ primary }) => primary),
    marks,
    places,
  }
  if (isShared) return { ...row, shared: next() }
  return {
    ...row,
    menu: [
      ...actions.map(
        ({ label, danger }): MenuItem => ({
          kind: 'link',
          label,
          href: next(),
          icon: 'arrow',
          tone: danger ? 'bad' : 'plain',
        }),
      ),
      ...(actions.length > 0 && more.length > 0 ? [{ kind: 'rule' } as const] : []),
      ...more.map(
        ({ kind, label }): MenuItem => ({
          kind: 'link',
          label,
          href: next(),
          icon: icons[kind],
          tone: kind === 'delete' ? 'bad' : 'plain',
        }),
      ),
    ],
  }
}

const ifThere = (value: string | null, text: string): string | null => (value === null ? null : text)

const orNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text)
