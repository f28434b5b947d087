/** What screens of records in time say of their days, in the languages. */
import { spoken } from '../../../ui/speak.ts'

export const sentences = spoken(
  'days',
  {
    quarter: 'Quarter',
    month: 'Month',
    week: 'Week',
    day: 'Day',
    today: 'Today',
    nothing: 'Nothing on these days.',
    period: '{first} to {last}',
    asks: '{time}: Enter takes it, Escape leaves it as it was.',
  },
  {
    quarter: 'Quartal',
    month: 'Monat',
    week: 'Woche',
    day: 'Tag',
    today: 'Heute',
    nothing: 'Nichts an diesen Tagen.',
    period: '{first} bis {last}',
    asks: '{time}: Eingabe übernimmt es, Esc lässt es, wie es war.',
  },
)
