/** The columns and keys of heading 2, as data: reading, "unknown column" and the reference are made from them. Those of a kind of screen stand with it, in `kinds/screens`. */
import type { TableSchema } from '../../document/columns.ts'
import { screenKinds } from '../../kinds/screens/index.ts'
import type { ScreenKind } from '../../kinds/screens/screen-kind.ts'

export const routes = {
  name: 'routes',
  columns: [
    {
      name: 'Route',
      required: true,
      meaning: 'The address: `/loans/{number}`; braces name a field of the shown entity.',
    },
    { name: 'Screen', required: true, meaning: 'What people call it.' },
    { name: 'For', required: true, meaning: 'Who may open it: roles, everyone, or everyone signed in.' },
    {
      name: 'Shows',
      required: true,
      meaning: 'The kind of screen and its entity: `list of Loan`, `board of Loan by state`, `one Loan`.',
    },
  ],
} as const

/** Keys under every screen's heading 3. The first three say what the table's columns say. */
const ofAll: TableSchema['columns'] = [
  { name: 'Route', required: false, meaning: 'As the column of the routes table.' },
  { name: 'For', required: false, meaning: 'As the column of the routes table.' },
  { name: 'Shows', required: false, meaning: 'As the column of the routes table.' },
  { name: 'Home for', required: false, meaning: 'Roles that come to this screen after signing in, and at `/`.' },
  {
    name: 'Meaning',
    required: false,
    meaning: 'What it is for, in a sentence: stands under its title. Not of `text`.',
  },
]

/** Keys under the heading 3 of a screen of these kinds. What one of them has several times may stand there several times. */
export function screenKeys(name: string, kinds: readonly ScreenKind[]): TableSchema {
  const own = kinds.flatMap(({ properties }) => properties).map(property => ({ ...property, required: false }))
  const byName = new Map([...own, ...own.filter(({ many }) => many)].map(one => [one.name, one]))
  return { name, columns: [...ofAll, ...byName.values()] }
}

/** Keys under a screen's heading 3, of whatever kind it is. */
export const properties = screenKeys('screen', [...screenKinds.values()])

/** Keys under a heading 4 of a wizard: a page. */
export const pageKeys = {
  name: 'page',
  columns: [
    {
      name: 'Columns',
      required: true,
      meaning: 'Fields that it asks for, in order; of rows the fields of a row: `lines.item, lines.quantity`.',
    },
    { name: 'Meaning', required: false, meaning: 'Prose that stands above them.' },
  ],
} as const

/** Keys under a heading 4 of a record's page or form: a section. */
export const sectionKeys = {
  name: 'section',
  columns: [
    { name: 'Columns', required: true, meaning: 'Fields and child rows that stand in it, in order.' },
    {
      name: 'Tab',
      required: false,
      meaning: 'The tab that it stands on, on the page of a record. Absent: the first one.',
    },
    { name: 'Meaning', required: false, meaning: 'Prose that stands above them.' },
  ],
} as const

/** Keys under a heading 4 of a print: a part. */
export const partKeys = {
  name: 'part',
  columns: [
    {
      name: 'Columns',
      required: false,
      meaning:
        'Fields, also of records that it names (`supplier.name`), and rows with their columns (`lines.product, lines.net`), in order.',
    },
    { name: 'Text', required: false, meaning: 'What stands above them; a text with `{fields}`.' },
  ],
} as const

/** Keys under a heading 4 of a dashboard: a card. */
export const cardKeys = {
  name: 'card',
  columns: [
    {
      name: 'Measure',
      required: false,
      many: true,
      meaning: 'The number that it shows: `count of Loan where state = Out`. Of a chart up to four.',
    },
    {
      name: 'By',
      required: false,
      meaning:
        'With it the card is a chart: a number for each `state`, `item.category` or `month of out_on`; behind a comma what each is parted by: `month of out_on, state`.',
    },
    {
      name: 'Chart',
      required: false,
      meaning:
        '`line`, `bars`, `grouped` (beside each other), `stacked` or `share` (of 100 %). Absent: over time a line, or `stacked` where it is parted; bars otherwise.',
    },
    { name: 'Aim', required: false, meaning: 'What the number should be: `100`, `limits.aim`.' },
    { name: 'Better', required: false, meaning: '`higher` or `lower`: which way a change of the number is good.' },
    {
      name: 'Date',
      required: false,
      meaning:
        'The day by which the period of the dashboard asks for records: `out_on`. Absent: that of a chart over time.',
    },
    {
      name: 'Width',
      required: false,
      meaning: '`quarter`, `third`, `half`, `two thirds` or `full`. Absent: as there is room.',
    },
    { name: 'Shows', required: false, meaning: 'A list instead of a number: `list of Loan`.' },
    { name: 'Where', required: false, meaning: 'Rows of the list, besides what permissions allow.' },
    { name: 'Columns', required: false, meaning: 'Fields of the list, in order.' },
    { name: 'Sort', required: false, meaning: 'The order of the list.' },
    { name: 'Meaning', required: false, meaning: 'Prose that stands below it.' },
  ],
} as const
