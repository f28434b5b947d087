import type { Wire } from '../../expression/type.ts'

export type EngineKey = 'draft_days' | 'emergency_access' | 'max_file_size' | 'max_key_days' | 'max_key_requests'

/**
 * Limits that Ninefold has of its own. A document words one anew with a constant of the same name and unit; where it does not,
 * the value here holds, and the page of limits shows it; in German as `run/german.ts` has it.
 */
export interface EngineLimit {
  readonly key: EngineKey
  /** Wire. */
  readonly value: string
  readonly unit: string
  readonly meaning: string
}

export const engineLimits: readonly EngineLimit[] = [
  {
    key: 'draft_days',
    value: '30',
    unit: 'days',
    meaning: 'How long a draft of a form is kept after somebody last wrote on it.',
  },
  {
    key: 'emergency_access',
    value: '60',
    unit: 'minutes',
    meaning: 'How long a record stays open to whoever reads it in an emergency.',
  },
  {
    key: 'max_file_size',
    value: '10',
    unit: 'MB',
    meaning: 'How large a file may be, where its field has no “at most”.',
  },
  {
    key: 'max_key_days',
    value: '365',
    unit: 'days',
    meaning: 'How long a key for a program may hold.',
  },
  {
    key: 'max_key_requests',
    value: '600',
    unit: 'requests',
    meaning: 'How many requests one key may make in a minute.',
  },
]

export const engineLimit = (key: string): EngineLimit | undefined => engineLimits.find(limit => limit.key === key)

/** The value that holds: the document's constant, where it has one with a value, else Ninefold's own. */
export const engineValue = (limits: Readonly<Record<string, Wire>>, key: string): number =>
  Number(limits[key] ?? engineLimit(key)!.value)
