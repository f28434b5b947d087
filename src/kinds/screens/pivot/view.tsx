/** A pivot: a table with groups in rows and in columns, each figure a link to what it counts. */
import { Menu, Submit } from '../../../ui/buttons.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { PageHead, ScrollRegion } from '../../../ui/page.tsx'
import { EmptyState } from '../../../ui/problem.tsx'
import { classes, useReader } from '../../../ui/reader.tsx'
import { AssumedBoxes } from '../assumed.tsx'
import { PeriodSwitch } from '../cards/view.tsx'
import { Lookup } from '../lookup.tsx'
import { sentences } from './texts.ts'
import type { PivotRow, PivotView } from './view-model.ts'

export function PivotScreen({ view }: { readonly view: PivotView }) {
  const { words } = useReader()
  const { period } = view
  const files = view.exports.length > 0 && (
    <Menu
      id="export"
      label={words('export')}
      wide
      icon="download"
      items={view.exports.map(({ label, href }) => ({ kind: 'link', label, href, icon: 'file' }))}
    />
  )
  return (
    <>
      <PageHead
        title={view.title}
        meaning={view.meaning}
        facts={period?.days == null ? undefined : <span className="muted">{period.days}</span>}
        actions={
          period === null ? (
            files || undefined
          ) : (
            <>
              <PeriodSwitch period={period} />
              {files}
            </>
          )
        }
      />
      <Lookup title={view.title} bar={view.bar} ignored={view.ignored} />
      <div className="stack">
        <Shelves shelves={view.shelves} />
        <div className="sheet">
          {view.empty === null ? <Grid view={view} /> : <EmptyState title={view.empty} text="" />}
        </div>
        {view.notes.map(note => (
          <p key={note} className="muted">
            {note}
          </p>
        ))}
      </div>
      <AssumedBoxes assumed={view.assumed} />
    </>
  )
}

function Shelves({ shelves: { action, hidden, choices, show } }: { readonly shelves: PivotView['shelves'] }) {
  return (
    <form className="asks sheet noprint" method="get" action={action}>
      {hidden.map(({ name, value }) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      {choices.map(({ name, id, label, value, options }) => (
        <label key={id} className="day" htmlFor={id}>
          {label}
          <select className="in" id={id} name={name} defaultValue={value}>
            {options.map(option => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        </label>
      ))}
      <Submit>{show}</Submit>
    </form>
  )
}

function Grid({ view }: { readonly view: PivotView }) {
  const { columns, measures, corner } = view
  const isDouble = columns !== null && measures.length > 1
  const single = columns !== null && !isDouble ? columns : measures
  return (
    <ScrollRegion className="tw" label={view.caption}>
      <table className="t pivot">
        <caption className="vh">{view.caption}</caption>
        <thead>
          {isDouble && (
            <tr>
              <td />
              {columns.map((column, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may be called the same
                <th key={at} scope="colgroup" colSpan={measures.length}>
                  {column}
                </th>
              ))}
            </tr>
          )}
          <tr>
            {corner === '' ? <td /> : <th scope="col">{corner}</th>}
            {(isDouble ? columns.flatMap(() => measures) : single).map((label, at, all) => {
              const sort = view.sorts[at - all.length + measures.length]
              return (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: the same measures stand below each column
                  key={at}
                  scope="col"
                  className={classes('num', edgeAt(view, at))}
                  aria-sort={sort?.isNow ? 'descending' : undefined}
                >
                  {sort === undefined ? (
                    label
                  ) : (
                    <a href={sort.href}>
                      {label}
                      {sort.isNow && <Icon name="down" />}
                    </a>
                  )}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {view.rows.map(row => (
            <Row key={row.id} view={view} row={row} />
          ))}
        </tbody>
        {view.total !== null && (
          <tfoot>
            <Row view={view} row={view.total} />
          </tfoot>
        )}
      </table>
    </ScrollRegion>
  )
}

/** Where the figures of another column begin, and those of all columns. */
const edgeAt = ({ columns, measures }: PivotView, at: number): string | false =>
  columns !== null && at % measures.length === 0 && (at === (columns.length - 1) * measures.length ? 'sums' : 'edge')

function Row({ view, row: { label, looks, fold, cells } }: { readonly view: PivotView; readonly row: PivotRow }) {
  const said = sentences.in(useReader().locale)
  const { columns, measures } = view
  return (
    <tr className={looks === 'alone' ? undefined : looks}>
      <th scope="row">
        {fold === null ? (
          label
        ) : (
          <a className="twist" href={fold.href} aria-expanded={!fold.isFolded}>
            <Icon name="down" />
            {label}
          </a>
        )}
      </th>
      {cells.map(({ text, href, heat }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells have no names but their places
        <td key={at} className={classes('num', edgeAt(view, at), heat !== null && `heat-${heat}`)}>
          {href === null ? (
            text || <span className="muted">–</span>
          ) : (
            <a
              href={href}
              aria-label={`${text}: ${said('behind', { object: [label, columns?.[Math.floor(at / measures.length)]].filter(Boolean).join(', ') })}`}
            >
              {text}
            </a>
          )}
        </td>
      ))}
    </tr>
  )
}
