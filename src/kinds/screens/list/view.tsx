/** A list of records: search, filters, chips, the table, its pager. */
import { LinkButton, Menu, type MenuItem } from '../../../ui/buttons.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Chips, type FilterControl, Filters, ListForm, Pager, Views } from '../../../ui/list.tsx'
import { Note, PageHead } from '../../../ui/page.tsx'
import { EmptyState } from '../../../ui/problem.tsx'
import { useReader } from '../../../ui/reader.tsx'
import { type Column, DataTable, type ShapedRow, type Slot, type TableRow } from '../../../ui/table.tsx'
import { AssumedBoxes } from '../assumed.tsx'
import { shown } from '../value.tsx'
import type { FieldView } from '../view-model.ts'
import { ColumnChooser, FilterBuilder } from './forms.tsx'
import { ViewSaver } from './saver.tsx'
import type { ListView } from './view-model.ts'

export function ListScreen({ view }: { readonly view: ListView }) {
  const { words } = useReader()
  const create = view.create !== null && (
    <LinkButton href={view.create.href} tone="primary" icon="plus">
      {view.create.label}
    </LinkButton>
  )
  const actions = (
    <>
      {view.emergency !== null && (
        <LinkButton href={view.emergency.href} icon="alert">
          {view.emergency.label}
        </LinkButton>
      )}
      {view.import !== null && <LinkButton href={view.import.href}>{view.import.label}</LinkButton>}
      {view.exports.length > 0 && view.rows.length > 0 && (
        <Menu
          id="export"
          label={words('export')}
          wide
          icon="download"
          items={view.exports.map(({ label, href }) => ({ kind: 'link', label, href, icon: 'file' }))}
        />
      )}
      {view.drafts.map(({ label, href }) => (
        <LinkButton key={href} href={href} icon="pencil">
          {label}
        </LinkButton>
      ))}
      {view.empty?.filtered !== false && create}
    </>
  )
  const active = view.chips.length
  return (
    <>
      <PageHead title={view.title} actions={actions} />
      <Views views={view.views} />
      {(view.search !== null || view.filters.length > 0) && (
        <Filters
          id="f"
          list={view.title}
          action={view.action}
          search={
            view.search === null ? null : { name: view.search.name, value: view.search.value, hint: view.search.label }
          }
          controls={view.filters.map(filterOf)}
          hidden={view.keep}
          sort={null}
          active={active}
        />
      )}
      {view.ignored.length > 0 && (
        <Note tone="wait" icon="alert">
          {view.ignored.join(' ')}
        </Note>
      )}
      {view.builder.form !== null && <FilterBuilder form={view.builder.form} close={view.builder.close} />}
      {view.chooser.form !== null && <ColumnChooser form={view.chooser.form} close={view.chooser.close} />}
      {view.saver?.form != null && <ViewSaver form={view.saver.form} close={view.saver.close} />}
      <Chips
        chips={view.chips.map(({ label, value, href }) => ({ label, value, remove: href }))}
        clear={view.clear ?? view.action}
        count={
          view.exact === null ? (
            (view.count ?? '')
          ) : (
            <>
              {view.count} <a href={view.exact}>{words('countExactly')}</a>
            </>
          )
        }
      />
      <p className="tools noprint">
        <a href={view.builder.open}>{words('moreFilters')}</a>
        <a href={view.chooser.open}>{words('columns')}</a>
        {view.saver !== null && <a href={view.saver.open}>{words('views')}</a>}
      </p>
      {view.empty === null ? (
        <ListForm
          hidden={view.bulkHidden}
          all={view.count === null ? null : words('allMatching', { count: view.count })}
          bulk={view.bulk.map(({ label, action, danger }) => ({ label, action, tone: danger ? 'bad' : 'plain' }))}
        >
          <div className="sheet">
            <DataTable
              caption={view.caption}
              columns={columnsOf(view)}
              rows={view.rows.map(shapedRow)}
              selectable={view.bulk.length > 0}
              foot={view.totals === null ? null : { label: words('total'), cells: view.totals }}
            />
            {(view.next !== null || view.previous !== null) && (
              <Pager
                range={view.count ?? ''}
                previous={view.previous}
                next={view.next}
                aside={
                  view.first === null ? undefined : (
                    <a href={view.first}>
                      <Icon name="back" />
                      {words('firstPage')}
                    </a>
                  )
                }
              />
            )}
          </div>
        </ListForm>
      ) : (
        <div className="sheet">
          <EmptyState
            art={view.empty.filtered ? 'search' : 'nothing'}
            title={view.empty.title}
            text={view.empty.text}
            actions={
              view.empty.filtered && view.clear !== null ? (
                <LinkButton href={view.clear}>{words('clearAll')}</LinkButton>
              ) : (
                create || undefined
              )
            }
          />
        </div>
      )}
      <AssumedBoxes assumed={view.assumed} />
    </>
  )
}

function filterOf({ id, name, label, value, control }: FieldView, at: number): FilterControl {
  const common = { id, name, label, value, main: at < 3 }
  if (control.kind === 'select')
    return { ...common, kind: 'select', options: control.options, any: control.empty ?? '' }
  const isDate = control.kind === 'input' && control.type === 'date'
  const isNumber = control.kind === 'input' && (control.inputMode === 'decimal' || control.inputMode === 'numeric')
  return { ...common, kind: isDate ? 'date' : isNumber ? 'number' : 'text' }
}

/** The first column names the record; on a phone the first figure and the state stay beside it. */
function columnsOf(view: ListView): readonly Column[] {
  const figure = view.columns.findIndex(({ numeric, priority }, at) => at > 0 && numeric && priority === 1)
  const state = view.columns.findIndex((_, at) => at > 0 && view.rows.some(row => row.cells[at]?.state != null))
  return view.columns.map(({ field, label, numeric, edited, priority, sort }, at) => {
    const slot: Slot | null = at === 0 ? 'title' : at === figure ? 'figure' : at === state ? 'state' : null
    return {
      key: field,
      label,
      numeric,
      edited,
      priority: slot === null ? priority : 1,
      sort: sort === null ? null : { href: sort.href, order: sort.direction },
      ...(slot === null ? {} : { slot }),
    }
  })
}

type ListRow = ListView['rows'][number]

const icons = { edit: 'pencil', copy: 'copy', delete: 'trash' } as const

/** Rows with the same states, looks and steps are of one shape. Exported for its test. */
export function shapedRow(row: ListRow): ShapedRow {
  const { id, title, href, cells, actions, more } = row
  const looks = cells.map(cell => [cell.look, cell.state, cell.href === null, cell.datetime === null])
  const steps = actions.map(({ label, danger, primary }) => [label, danger, primary])
  return {
    id,
    shape: JSON.stringify([href === null, looks, steps, more.map(({ kind, label }) => [kind, label])]),
    texts: [
      id,
      title,
      href ?? '',
      ...cells.flatMap(cell => [cell.text, cell.href ?? '', cell.datetime ?? '']),
      ...actions.map(({ action, confirm }) => confirm ?? action),
      ...more.map(one => one.href),
    ],
    withMenu: actions.length + more.length > 0,
    row: texts => tableRow(row, texts),
  }
}

/** `texts` are in the order of `shapedRow`. In a list a step asks first on a page of its own, which knows the version it is about. */
function tableRow({ href, cells, actions, more }: ListRow, texts: readonly string[]): TableRow {
  const given = texts.values()
  const next = () => given.next().value ?? ''
  return {
    id: next(),
    object: next(),
    href: orNull(href, next()),
    cells: cells.map(cell =>
      shown({ ...cell, text: next(), href: orNull(cell.href, next()), datetime: orNull(cell.datetime, next()) }),
    ),
    mine: actions.some(({ primary }) => primary),
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

const orNull = (value: string | null, text: string): string | null => (value === null ? null : text)
