/** All steps in their order. A new one has the next number, and stands in the file of what it is about. */
import type { SystemStep } from '../system.ts'
import { first } from './first.ts'
import { people } from './people.ts'
import { records } from './records.ts'
import { work } from './work.ts'

export const systemSteps: readonly SystemStep[] = [...first, ...people, ...records, ...work].sort(
  (left, right) => left.number - right.number,
)
