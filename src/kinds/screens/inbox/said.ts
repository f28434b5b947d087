/** What an inbox says of itself, in the languages. */
import { spoken } from '../../../ui/speak.ts'

export const sentences = spoken({ nothing: 'Nothing waits for you.' }, { nothing: 'Nichts wartet auf Sie.' })
