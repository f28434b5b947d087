import type { Edit } from '../faults.ts'

export interface Mutant {
  readonly kind:
    | 'permissions'
    | 'fields'
    | 'new records'
    | 'effects'
    | 'screens'
    | 'figures'
    | 'steps'
    | 'rules'
    | 'bounds'
    | 'lists'
    | 'searches'
    | 'files'
    | 'mails and calls'
    | 'messages'
    | 'timers'
    | 'constants'
    | 'errors'
    | 'history'
    | 'notices'
    | 'doors'
    | 'expressions'
    | 'languages'
  readonly edits: readonly Edit[]
  /** The quickest example, or document beside this file, that says something of it. Absent: `requests`. */
  readonly on?: string
}
