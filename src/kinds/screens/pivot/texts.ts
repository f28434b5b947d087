/** What a pivot says of itself, in the languages. */
import { spoken } from '../../../ui/speak.ts'

export const sentences = spoken(
  'pivot',
  {
    rows: 'Rows',
    thenBy: 'then by',
    columns: 'Columns',
    nothing: 'None',
    show: 'Show',
    all: 'All',
    label: '{figures} by {groups}',
    anew: 'Averages, extremes and shares are worked out anew for each sum, and never added up.',
    rowsLeft: {
      one: 'The first {first} rows are shown. {count} more is left out.',
      other: 'The first {first} rows are shown. {count} more are left out.',
    },
    columnsLeft: { one: '{count} more column is left out.', other: '{count} more columns are left out.' },
    empty: 'Nothing to count here.',
    behind: 'Records behind {object}',
  },
  {
    rows: 'Zeilen',
    thenBy: 'darin nach',
    columns: 'Spalten',
    nothing: 'Keine',
    show: 'Anzeigen',
    all: 'Alle',
    label: '{figures} nach {groups}',
    anew: 'Durchschnitte, kleinste und größte Werte und Anteile sind für jede Summe neu berechnet, nie zusammengezählt.',
    rowsLeft: {
      one: 'Die ersten {first} Zeilen sind zu sehen. {count} weitere fehlt.',
      other: 'Die ersten {first} Zeilen sind zu sehen. {count} weitere fehlen.',
    },
    columnsLeft: { one: '{count} weitere Spalte fehlt.', other: '{count} weitere Spalten fehlen.' },
    empty: 'Hier gibt es nichts zu zählen.',
    behind: 'Datensätze hinter {object}',
  },
)
