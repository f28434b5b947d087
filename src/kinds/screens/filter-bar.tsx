/** What stands over a list or a board: the search and the filters, and what of the address was not understood. */
import { type FilterControl, Filters } from '../../ui/list.tsx'
import { Note } from '../../ui/page.tsx'
import { useReader } from '../../ui/reader.tsx'
import type { FilterBarView } from './filter-view.ts'
import type { FieldView } from './view-model.ts'

/** `list`: what is filtered. */
export function FilterBar({ bar, list }: { readonly bar: FilterBarView; readonly list: string }) {
  const { search } = bar
  if (search === null && bar.filters.length + bar.choosers.length === 0) return null
  return (
    <Filters
      id="f"
      list={list}
      action={bar.action}
      search={search === null ? null : { name: search.name, value: search.value, hint: search.label }}
      controls={bar.filters.map(filterOf)}
      choosers={bar.choosers}
      hidden={bar.keep}
      sort={null}
      active={bar.chips.length}
      further={bar.builder.open}
    />
  )
}

/** To the form in which they are put together; on a phone it stands in the sheet of the filters, where there is one. */
export function MoreFilters({ bar }: { readonly bar: FilterBarView }) {
  const { words } = useReader()
  return (
    <a className={bar.filters.length > 0 ? 'only-wide' : undefined} href={bar.builder.open} aria-keyshortcuts="f">
      {words('moreFilters')}
    </a>
  )
}

export const chipsOf = ({ chips }: FilterBarView) =>
  chips.map(({ label, value, href }) => ({ label, value, remove: href }))

export function Ignored({ ignored }: { readonly ignored: readonly string[] }) {
  return ignored.length === 0 ? null : (
    <Note tone="wait" icon="alert">
      {ignored.join(' ')}
    </Note>
  )
}

function filterOf({ id, name, label, value, control }: FieldView, at: number): FilterControl {
  const common = { id, name, label, value, main: at < 4 }
  if (control.kind === 'select')
    return { ...common, kind: 'select', options: control.options, any: control.empty ?? '' }
  return control.kind === 'input' && control.numeric
    ? { ...common, kind: 'number', inputMode: control.inputMode }
    : { ...common, kind: 'text' }
}
