/** What stands over records that somebody looks through: search and filters, what was not understood, what is looked for now. */
import { Chips } from '../../ui/list.tsx'
import { chipsOf, FilterBar, Ignored, MoreFilters } from './filter-bar.tsx'
import { FilterBuilder } from './filter-builder.tsx'
import type { FilterBarView } from './filter-view.ts'

interface LookupProps {
  readonly title: string
  readonly bar: FilterBarView
  readonly ignored: readonly string[]
}

export function Lookup({ title, bar, ignored }: LookupProps) {
  return (
    <>
      <FilterBar bar={bar} list={title} />
      <Ignored ignored={ignored} />
      {bar.builder.form !== null && <FilterBuilder form={bar.builder.form} close={bar.builder.close} />}
      <Chips chips={chipsOf(bar)} clear={bar.clear ?? bar.action} count={null}>
        <p className="tools noprint">
          <MoreFilters bar={bar} />
        </p>
      </Chips>
    </>
  )
}
