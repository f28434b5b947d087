/**
 * Limits that Ninefold has of its own. A document words one anew with a constant of the same name and unit; where it does not,
 * the value here holds, and the page of limits shows it.
 */
export interface EngineLimit {
  readonly key: string
  /** Wire. */
  readonly value: string
  readonly unit: string
  readonly meaning: string
}

export const engineLimits: readonly EngineLimit[] = [
  {
    key: 'max_file_size',
    value: '10',
    unit: 'MB',
    meaning: 'How large a file may be, where its field has no `at most`.',
  },
]

export const engineLimit = (key: string): EngineLimit | undefined => engineLimits.find(limit => limit.key === key)
