import { codeOf } from '../../expression/names.ts'
import type { Wire } from '../../expression/type.ts'

export type EngineKey =
  | 'acting_as'
  | 'code_attempts'
  | 'code_pause'
  | 'confirm_hours'
  | 'draft_days'
  | 'emergency_access'
  | 'history_days'
  | 'invitation_days'
  | 'job_days'
  | 'link_days'
  | 'max_file_size'
  | 'max_key_days'
  | 'max_key_requests'
  | 'max_storage'
  | 'page_size'
  | 'password_link'
  | 'sent_days'
  | 'session_idle'
  | 'session_length'
  | 'sign_in_attempts'
  | 'sign_in_link'
  | 'visitor_files'
  | 'visitor_forms'

/**
 * Limits that Ninefold has of its own. A document words one anew with a constant of the same name and unit; where it does not,
 * the value here holds, and the page of limits shows it; in German as `run/problems/german.ts` has it.
 */
interface EngineLimit {
  readonly key: EngineKey
  /** Wire; null: without such a constant there is no limit. */
  readonly value: string | null
  /** At least one, and at most so many. */
  readonly most: number
  readonly unit: string
  readonly meaning: string
}

export const engineLimits: readonly EngineLimit[] = [
  {
    key: 'acting_as',
    value: '30',
    most: 480,
    unit: 'minutes',
    meaning: 'How long somebody may act as another person, without asking anew.',
  },
  {
    key: 'code_attempts',
    value: '5',
    most: 20,
    unit: 'attempts',
    meaning:
      'How many wrong codes close a record to codes from one network for a while; a quarter of an hour without any resets it.',
  },
  {
    key: 'code_pause',
    value: '30',
    most: 1440,
    unit: 'minutes',
    meaning: 'How long a record is closed to codes after too many wrong ones.',
  },
  {
    key: 'confirm_hours',
    value: '24',
    most: 720,
    unit: 'hours',
    meaning: 'How long a link confirms what visitors sent with a form, or an account that they asked for.',
  },
  {
    key: 'draft_days',
    value: '30',
    most: 3650,
    unit: 'days',
    meaning: 'How long a draft of a form is kept after somebody last wrote on it.',
  },
  {
    key: 'emergency_access',
    value: '60',
    most: 10_080,
    unit: 'minutes',
    meaning: 'How long a record stays open to whoever reads it in an emergency.',
  },
  {
    key: 'history_days',
    value: null,
    most: 36_500,
    unit: 'days',
    meaning: 'How long the history tells what was done.',
  },
  {
    key: 'invitation_days',
    value: '7',
    most: 90,
    unit: 'days',
    meaning: 'How long an invitation lets somebody in for the first time.',
  },
  {
    key: 'job_days',
    value: '30',
    most: 3650,
    unit: 'days',
    meaning: 'How long imports and steps for many records are told of, once they have ended.',
  },
  {
    key: 'link_days',
    value: '180',
    most: 3650,
    unit: 'days',
    meaning: 'How long a link or a code for people without an account leads to its record.',
  },
  {
    key: 'max_file_size',
    value: '10',
    most: 10_000,
    unit: 'MB',
    meaning: 'How large a file may be, where its field has no “at most”.',
  },
  {
    key: 'max_key_days',
    value: '365',
    most: 3650,
    unit: 'days',
    meaning: 'How long a key for a program may hold.',
  },
  {
    key: 'max_key_requests',
    value: '600',
    most: 1_000_000,
    unit: 'requests',
    meaning: 'How many requests all keys of a person may make in a minute.',
  },
  {
    key: 'max_storage',
    value: null,
    most: 1_000_000_000,
    unit: 'MB',
    meaning: 'How much all files together may take; where tenants are kept apart, those of each.',
  },
  {
    key: 'page_size',
    value: '25',
    most: 100,
    unit: 'records',
    meaning: 'How many records a page of a list shows, and an answer of the API that is asked for no number.',
  },
  {
    key: 'password_link',
    value: '30',
    most: 1440,
    unit: 'minutes',
    meaning: 'How long a link for setting a new password works.',
  },
  {
    key: 'sent_days',
    value: '365',
    most: 36_500,
    unit: 'days',
    meaning:
      'How long mails and calls are told of that were delivered, withdrawn or had nobody to go to; what was not delivered stays.',
  },
  {
    key: 'session_idle',
    value: '30',
    most: 525_600,
    unit: 'minutes',
    meaning: 'After how long without a request somebody is signed out.',
  },
  {
    key: 'session_length',
    value: '12',
    most: 87_600,
    unit: 'hours',
    meaning: 'After how long somebody is signed out in any case.',
  },
  {
    key: 'sign_in_attempts',
    value: '5',
    most: 20,
    unit: 'attempts',
    meaning: 'How often a password may be wrong before whoever types it has to wait, longer each time.',
  },
  {
    key: 'sign_in_link',
    value: '10',
    most: 1440,
    unit: 'minutes',
    meaning: 'How long a link that signs somebody in works.',
  },
  {
    key: 'visitor_files',
    value: '20',
    most: 10_000,
    unit: 'files',
    meaning:
      'How many files visitors may send from one network address before they have to wait; an hour without any resets it.',
  },
  {
    key: 'visitor_forms',
    value: '10',
    most: 10_000,
    unit: 'forms',
    meaning:
      'How many forms for everyone may be sent from one network address before it has to wait, where a form has no “At most”; an hour without any resets it.',
  },
]

export const engineLimit = (key: string): EngineLimit | undefined => engineLimits.find(limit => limit.key === key)

/** What a constant may lie between at all, as wire values; null where it is no limit of Ninefold's. */
export function engineRange(key: string): { readonly min: string; readonly max: string } | null {
  const limit = engineLimit(key)
  return limit === undefined ? null : { min: '1', max: String(limit.most) }
}

/** The value that holds: the document's constant, where it has one with a value, else Ninefold's own. */
export const engineValue = (
  limits: Readonly<Record<string, Wire>>,
  key: Exclude<EngineKey, 'history_days' | 'max_storage'>,
): number => Number(limits[key] ?? engineLimit(key)!.value)

/** Constants that count requests in a minute. Behind `max_requests` nothing stands where the document has none. */
type RequestsKey = 'max_requests' | 'max_key_requests'
const requestsKeys: readonly RequestsKey[] = ['max_requests', 'max_key_requests']
export const requestsUnit = 'requests'

/** `max_requests_clerk`. */
const ofRole = (key: RequestsKey, role: string): string => `${key}_${codeOf(role)}`

/** Names of constants that count requests, in an application with these roles. */
export const countsRequests = (roles: Iterable<string>): ReadonlySet<string> =>
  new Set([...requestsKeys, ...[...roles].flatMap(role => requestsKeys.map(key => ofRole(key, role)))])

/** The largest number that the constants give to one of these roles; null where they give none. */
export function requestsOfRole(
  limits: Readonly<Record<string, Wire>>,
  key: RequestsKey,
  roles: readonly string[],
): number | null {
  const given = roles.flatMap(role => {
    const value = limits[ofRole(key, role)]
    return value == null ? [] : [Number(value)]
  })
  return given.length === 0 ? null : Math.max(...given)
}
