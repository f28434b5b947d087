/** The types of JDL in the words of the language. */
import { mostLongText, textOf } from '../types.ts'

export interface WrittenType {
  readonly type: string
  /** What the type of JDL could hold and this one does not, or holds in another way. */
  readonly note: string | null
  /** Which validations go with it: a text's length, a number's size, neither. */
  readonly bounds: 'length' | 'size' | 'bytes' | 'none'
}

/** JHipster's own length of a `String` column. */
export const usualLength = 255
const text = (length: number): WrittenType => ({ ...textOf(length), bounds: 'length' })

const exact = 'there is no floating point here: an exact decimal, with at most 10 digits after the point'

/** Null for a name that is none of JDL's types. */
export function jdlType(name: string): WrittenType | null {
  switch (name) {
    case 'String':
      return text(usualLength)
    case 'Integer':
    case 'Long':
      return { type: 'integer', note: null, bounds: 'size' }
    case 'BigDecimal':
      // As JHipster makes the column: numeric(21,2).
      return { type: 'decimal 21.2', note: null, bounds: 'size' }
    case 'Float':
    case 'Double':
      return { type: 'decimal', note: exact, bounds: 'size' }
    case 'Boolean':
      return { type: 'yes/no', note: null, bounds: 'none' }
    case 'LocalDate':
      return { type: 'date', note: null, bounds: 'none' }
    case 'Instant':
    case 'ZonedDateTime':
      return { type: 'date and time', note: null, bounds: 'none' }
    case 'LocalTime':
      return { type: 'time', note: 'a time of day is kept to the minute here', bounds: 'none' }
    case 'Duration':
      return { type: 'duration', note: 'a length of time is kept in hours, minutes and seconds here', bounds: 'none' }
    case 'UUID':
      return { type: 'text 36', note: null, bounds: 'none' }
    case 'TextBlob':
      return { type: `long text ${mostLongText}`, note: null, bounds: 'bytes' }
    case 'Blob':
    case 'AnyBlob':
      return { type: 'file', note: null, bounds: 'bytes' }
    case 'ImageBlob':
      return { type: 'image', note: null, bounds: 'bytes' }
    default:
      return null
  }
}
