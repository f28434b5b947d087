/** What an inbox says of itself, in the languages. */
import { spoken } from '../../../ui/speak.ts'

export const sentences = spoken(
  'inbox',
  {
    waiting: 'To decide',
    late: 'Late',
    due: 'Due by the next working day',
    later: 'Later',
    done: 'Done',
    nothing: 'Nothing waits for you.',
    nothingDone: 'Nothing done here yet.',
    doneThen: '{step}, {when}',
    show: 'Show',
    place: '{at} of {count}',
    following: 'Then: {title}',
    page: 'Open its page',
    gone: 'That does not wait for you any more. This is the next one.',
  },
  {
    waiting: 'Zu entscheiden',
    late: 'Überfällig',
    due: 'Fällig bis zum nächsten Arbeitstag',
    later: 'Später',
    done: 'Erledigt',
    nothing: 'Nichts wartet auf Sie.',
    nothingDone: 'Hier ist noch nichts erledigt.',
    doneThen: '{step}, am {when}',
    show: 'Zeigen',
    place: '{at} von {count}',
    following: 'Danach: {title}',
    page: 'Seite öffnen',
    gone: 'Das wartet nicht mehr auf Sie. Hier ist das Nächste.',
  },
)
