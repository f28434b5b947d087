/** Forms for everyone: sent by people who are not signed in. */
import { isUnspecified } from '../said.ts'
import type { Screen } from './model.ts'

/** Whoever comes may fill it in. */
export const isPublicForm = ({ shows, for: audience }: Pick<Screen, 'shows' | 'for'>): boolean =>
  !isUnspecified(shows) && shows.kind === 'form' && !isUnspecified(audience) && audience.kind === 'everyone'
