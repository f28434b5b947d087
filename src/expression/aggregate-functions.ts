/** Functions over many records or rows, as the manual tells them. */
import type { AggregateName } from './checked.ts'

interface AggregateEntry {
  readonly name: Exclude<AggregateName, 'groups'>
  readonly written: string
  readonly meaning: string
}

export const aggregates: readonly AggregateEntry[] = [
  {
    name: 'count',
    written: 'count(lines) · count(lines where damaged) · count(Loan where borrower = this.borrower)',
    meaning: 'How many rows or records there are; of values, how many are not empty.',
  },
  {
    name: 'sum',
    written: 'sum(lines.value) · sum(lines.net by lines.rate)',
    meaning: 'The total of numbers, amounts or lengths of time; of nothing: 0. With `by`: a line for each group.',
  },
  { name: 'min', written: 'min(lines.value)', meaning: 'The smallest value; of nothing: empty.' },
  { name: 'max', written: 'max(lines.value)', meaning: 'The largest value; of nothing: empty.' },
  {
    name: 'any',
    written: 'any(lines where damaged)',
    meaning: 'Whether at least one is as the condition says; of nothing: no.',
  },
  {
    name: 'none',
    written: 'none(other Loan where item = this.item)',
    meaning: 'Whether not one is as the condition says.',
  },
  {
    name: 'all',
    written: 'all(lines where not damaged)',
    meaning:
      'Whether each one is as the condition says; of nothing: yes. Where the condition is unknown it does not hold.',
  },
  {
    name: 'first',
    written: 'first(Reading where meter = this order by taken_at down).value · first(lines order by due).item',
    meaning:
      'The first one in that order, or what a field of it holds; `down` turns the order round, so that it is the latest. Of nothing: empty.',
  },
  {
    name: 'list',
    written: 'list(lines.product.name) · list(Loan.number where borrower = this.borrower order by due_back)',
    meaning:
      'Their values one after the other, as `text` writes them, `"Tent, Stove"`: rows in their order, others as they were created, or as `order by` says; after the first 20 how many more there are, `"… and 12 more"`. Of nothing: empty.',
  },
]
