/** What screens of records in time say of their days, in the languages. */
import { spoken } from '../../../ui/speak.ts'

export const sentences = spoken(
  {
    quarter: 'Quarter',
    month: 'Month',
    week: 'Week',
    day: 'Day',
    today: 'Today',
    nothing: 'Nothing on these days.',
    period: '{first} to {last}',
  },
  {
    quarter: 'Quartal',
    month: 'Monat',
    week: 'Woche',
    day: 'Tag',
    today: 'Heute',
    nothing: 'Nichts an diesen Tagen.',
    period: '{first} bis {last}',
  },
)
