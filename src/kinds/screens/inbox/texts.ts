/** What an inbox says of itself, in the languages. */
import { spoken } from '../../../ui/speak.ts'

export const sentences = spoken(
  'inbox',
  {
    nothing: 'Nothing waits for you.',
    show: 'Show',
    place: '{at} of {count}',
    following: 'Then: {title}',
    page: 'Open its page',
    gone: 'That does not wait for you any more. This is the next one.',
  },
  {
    nothing: 'Nichts wartet auf Sie.',
    show: 'Zeigen',
    place: '{at} von {count}',
    following: 'Danach: {title}',
    page: 'Seite öffnen',
    gone: 'Das wartet nicht mehr auf Sie. Hier ist das Nächste.',
  },
)
