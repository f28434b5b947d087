/** What a report says of itself, in the languages. */
import { spoken } from '../../../ui/speak.ts'

export const sentences = spoken(
  'report',
  { all: 'All', sum: '{group}, all', behind: '{things}: {group}', caption: '{title}: {measures}' },
  { all: 'Alle', sum: '{group}, gesamt', behind: '{things}: {group}', caption: '{title}: {measures}' },
)
