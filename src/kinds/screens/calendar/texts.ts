/** What a calendar says of itself, in the languages. */
import { spoken } from '../../../ui/speak.ts'

export const sentences = spoken(
  'calendar',
  {
    more: '{count} more',
    wholeDay: 'The whole day',
    cut: {
      one: 'The first one is shown. From {day} on, some may be missing: the page of a day has all of them.',
      other: 'The first {count} are shown. From {day} on, some may be missing: the page of a day has all of them.',
    },
    further: 'More on this day',
  },
  {
    more: '{count} weitere',
    wholeDay: 'Ganzer Tag',
    cut: {
      one: 'Nur der erste Eintrag ist zu sehen. Ab {day} können welche fehlen: Die Seite eines Tages zeigt alle.',
      other: 'Nur die ersten {count} sind zu sehen. Ab {day} können welche fehlen: Die Seite eines Tages zeigt alle.',
    },
    further: 'Weitere an diesem Tag',
  },
)
