/** What a calendar and a timeline are told alike. */
import { columns, emptyText, filters, where } from '../member-types.ts'
import type { Members } from '../members.ts'
import type { ScreenKind } from '../screen-kind.ts'

export const members = { emptyText, where, columns: columns('Card'), filters } satisfies Members

export const properties: ScreenKind['properties'] = [
  { name: 'Where', meaning: 'Records it shows, besides what permissions allow.' },
  { name: 'Card', meaning: 'Fields shown beside the title of a record. Absent: its state.' },
  { name: 'Filters', meaning: 'What its readers look for records by. Absent: the state and fields with few answers.' },
  { name: 'Empty text', meaning: 'What stands there when there is nothing to show.' },
]
