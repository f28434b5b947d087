/** Around a table of records: views, filters, chips, count, pager, bulk bar. All of a list's state is in its address. */
import type { ReactNode } from 'react'
import { type Hidden, HiddenInputs, LinkButton, Menu } from './buttons.tsx'
import { type Option, SelectControl, TextControl, type TextControlProps } from './controls.tsx'
import { Field } from './form.tsx'
import { Icon, type IconName } from './icons.tsx'
import { classes, useReader } from './reader.tsx'

interface ViewLink {
  readonly label: string
  readonly href: string
  readonly count?: string
  readonly current: boolean
}

/** Tabs, where there is room for them; on a phone a button that names the open view, with all of them in its menu. */
export function Views({ views, label }: { readonly views: readonly ViewLink[]; readonly label?: string }) {
  const { words } = useReader()
  if (views.length < 2) return null
  return (
    <nav className="views" aria-label={label ?? words('views')}>
      {views.map((view, at) => (
        <a
          key={view.href}
          href={view.href}
          aria-current={view.current ? 'page' : undefined}
          aria-keyshortcuts={at < 9 ? String(at + 1) : undefined}
        >
          {view.label} {view.count !== undefined && <span className="n">{view.count}</span>}
        </a>
      ))}
      <div className="only-narrow">
        <Menu
          id="views"
          label={views.find(view => view.current)?.label ?? words('views')}
          wide
          icon="down"
          items={views.map(({ label, href, count, current }) => ({
            kind: 'link',
            label: count === undefined ? label : `${label} ${count}`,
            href,
            current,
          }))}
        />
      </div>
    </nav>
  )
}

export type FilterControl = {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly value: string
  /** Stands in the row on a wide page; the others are behind "More". */
  readonly main: boolean
} & (
  | { readonly kind: 'select'; readonly options: readonly Option[]; readonly any: string }
  | { readonly kind: 'text' }
  | { readonly kind: 'number'; readonly inputMode: NonNullable<TextControlProps['inputMode']> | null }
)

interface FiltersProps {
  /** Unique on the page. */
  readonly id: string
  /** What is filtered, for the landmark's name: `Loans`. */
  readonly list: string
  readonly action: string
  readonly search: { readonly name: string; readonly value: string; readonly hint: string } | null
  readonly controls: readonly FilterControl[]
  /** Filters that are chosen on a page of their own. */
  readonly choosers?: readonly { readonly label: string; readonly href: string }[]
  /** Kept in the address: the view. */
  readonly hidden: readonly Hidden[]
  /** Sorting as a choice, because heads of columns are not seen on a phone. */
  readonly sort: { readonly name: string; readonly value: string; readonly options: readonly Option[] } | null
  /** How many filters are set, for the phone's button. */
  readonly active: number
  /** Where filters of one's own are put together: on a phone at the end of the sheet. */
  readonly further?: string
}

/** A GET form. On a wide page the main filters stand in a row; on a phone all but the search are a sheet that the button opens. */
export function Filters(props: FiltersProps) {
  const { id, list, action, search, controls, choosers = [], hidden, sort, active, further } = props
  const { words } = useReader()
  const main = controls.filter(control => control.main)
  const more = controls.filter(control => !control.main)
  const sheet = `${id}-sheet`
  return (
    <search aria-label={words('filterList', { list })}>
      <form className="filters" method="get" action={action}>
        <HiddenInputs inputs={hidden} />
        {search !== null && (
          <div className="grow">
            <Field id={`${id}-q`} label={words('search')}>
              {aid => (
                <TextControl
                  aid={aid}
                  name={search.name}
                  type="search"
                  value={search.value}
                  placeholder={search.hint}
                />
              )}
            </Field>
          </div>
        )}
        <div className="fset" id={sheet} popover="auto">
          {main.map(control => (
            <FilterField key={control.id} control={control} />
          ))}
          {more.length > 0 && (
            <>
              <button className="btn only-wide" type="button" popoverTarget={`${id}-more`}>
                <Icon name="filter" />
                {words('more')}
              </button>
              <div className="fmore" id={`${id}-more`} popover="auto">
                {more.map(control => (
                  <FilterField key={control.id} control={control} />
                ))}
                <button type="submit" className="btn pri only-wide">
                  {words('apply')}
                </button>
              </div>
            </>
          )}
          {sort !== null && (
            <div className="only-sheet">
              <Field id={`${id}-sort`} label={words('sortedBy')}>
                {aid => (
                  <SelectControl aid={aid} name={sort.name} value={sort.value} options={sort.options} empty={null} />
                )}
              </Field>
            </div>
          )}
          {choosers.map(({ label, href }) => (
            <LinkButton key={href} href={href}>
              {`${label}…`}
            </LinkButton>
          ))}
          <button type="submit" className="btn">
            {words('apply')}
          </button>
          {further !== undefined && (
            <a className="only-sheet" href={further}>
              {words('moreFilters')}
            </a>
          )}
        </div>
        {(controls.length + choosers.length > 0 || sort !== null) && (
          <button className="btn only-narrow" type="button" popoverTarget={sheet}>
            <Icon name="filter" />
            {words('filters')}
            {active > 0 && <span className="tag mute">{active}</span>}
          </button>
        )}
      </form>
    </search>
  )
}

function FilterField({ control }: { readonly control: FilterControl }) {
  return (
    <Field id={control.id} label={control.label}>
      {aid =>
        control.kind === 'select' ? (
          <SelectControl
            aid={aid}
            name={control.name}
            value={control.value}
            options={control.options}
            empty={control.any}
          />
        ) : (
          <TextControl
            aid={aid}
            name={control.name}
            value={control.value}
            {...(control.kind === 'number'
              ? { ...(control.inputMode === null ? {} : { inputMode: control.inputMode }), numeric: true }
              : {})}
          />
        )
      }
    </Field>
  )
}

/** A filter that is set, in words, with the address of the list without it. */
interface Chip {
  readonly label: string
  readonly value: string
  readonly remove: string
}

interface ChipsProps {
  readonly chips: readonly Chip[]
  /** The list without any filter. */
  readonly clear: string
  /** `146 records, newest first`. */
  readonly count: ReactNode
  /** Links that change what is shown. */
  readonly children?: ReactNode
}

export function Chips({ chips, clear, count, children }: ChipsProps) {
  const { words } = useReader()
  return (
    <div className={classes('chips', chips.length === 0 && count === null && 'only-wide')}>
      {chips.length > 0 && (
        <ul aria-label={words('activeFilters')}>
          {chips.map(({ label, value, remove }) => (
            <li key={`${label} ${value}`} className="chip">
              <span>
                {label} <b>{value}</b>
              </span>
              <a href={remove} aria-label={words('removeFilter', { filter: `${label} ${value}` })}>
                <Icon name="close" />
              </a>
            </li>
          ))}
          <li>
            <a className="link-more" href={clear}>
              {words('clearAll')}
            </a>
          </li>
        </ul>
      )}
      <output className="count">{count}</output>
      {children}
    </div>
  )
}

interface CountProps {
  /** As far as it was counted. */
  readonly counted: number
  /** There are more than `counted`. */
  readonly more: boolean
  /** Counts on request. */
  readonly exact?: string | null
}

/** How many there are, with a bound: counting a million rows for every page is nobody's wish. */
export function Count({ counted, more, exact }: CountProps) {
  const { words } = useReader()
  if (!more) return words('records', { count: counted })
  return (
    <>
      {words('atLeastRecords', { count: counted })}
      {exact != null && (
        <>
          {' '}
          <a href={exact}>{words('countExactly')}</a>
        </>
      )}
    </>
  )
}

interface PagerProps {
  /** `1–25 of 146`. */
  readonly range: string
  /** Keyset paging: there are only neighbours. Null at the ends. */
  readonly previous: string | null
  readonly next: string | null
  /** At the end: density, columns. */
  readonly aside?: ReactNode
}

export function Pager({ range, previous, next, aside }: PagerProps) {
  const { words } = useReader()
  return (
    <div className="prov">
      <span>{range}</span>
      {(previous !== null || next !== null) && (
        <nav className="pager" aria-label={words('pages')}>
          <PageLink href={previous} rel="prev" label={words('previous')} />
          <PageLink href={next} rel="next" label={words('next')} />
        </nav>
      )}
      {aside != null && <span className="noprint">{aside}</span>}
    </div>
  )
}

function PageLink({
  href,
  rel,
  label,
}: {
  readonly href: string | null
  readonly rel: 'prev' | 'next'
  readonly label: string
}) {
  return href === null ? (
    <span className="muted" aria-hidden="true">
      {label}
    </span>
  ) : (
    <a href={href} rel={rel}>
      {label}
    </a>
  )
}

interface BulkAction {
  readonly label: string
  readonly action: string
  readonly icon?: IconName
  readonly tone?: 'plain' | 'bad'
}

interface ListFormProps {
  readonly hidden: readonly Hidden[]
  readonly bulk: readonly BulkAction[]
  /** A box that means all that the filters let through, on other pages too: `All 146 loans`; null: there is none. */
  readonly all?: string | null
  readonly children: ReactNode
}

/** The form that row menus and the bulk bar submit. The bar appears with the first selected row; it counts by style sheet. */
export function ListForm({ hidden, bulk, all = null, children }: ListFormProps) {
  const { words } = useReader()
  return (
    <form className="listform" method="post">
      {/* Enter in a box presses the form's first button, which would be some row's step. Outside a dialog this one does nothing. */}
      <button type="submit" formMethod="dialog" hidden />
      <HiddenInputs inputs={hidden} />
      <div className="lf">
        {children}
        {bulk.length > 0 && (
          <fieldset className="bulk" aria-label={words('selectedRecords')}>
            <span className="cnt">{words('selected')}</span>
            {all !== null && (
              <label className="opt">
                <input type="checkbox" name="_all" value="yes" />
                <span>{all}</span>
              </label>
            )}
            {bulk.map(({ label, action, icon, tone }) => (
              <button key={label} type="submit" className={classes('btn', tone === 'bad' && 'bad')} formAction={action}>
                {icon !== undefined && <Icon name={icon} />}
                {label}
              </button>
            ))}
          </fieldset>
        )}
      </div>
    </form>
  )
}
