/** Types of PostgreSQL in the words of the language. */
import { amountNote, type Choices, choiceOf, decimalOf, mostLongText, mostText, textOf } from '../types.ts'
import type { ForeignColumn } from './catalogue.ts'
import type { Measure } from './measure.ts'

interface ColumnType extends Omit<Choices, 'choices'> {
  readonly choices: Choices['choices'] | null
}

const plain = (type: string, note: string | null = null): ColumnType => ({ type, note, choices: null })

const exact = 'there is no floating point here: an exact decimal, with at most 10 digits after the point'
const unlimited = (most: string) => `has no longest length there, and at most ${most} characters here`

/** `indexed`: it is unique or a key, which a long text cannot be. */
export function columnType({ name: column, type, labels, measure }: ForeignColumn, indexed: boolean): ColumnType {
  const [, name, argument] = /^([^(]+?)\s*(?:\(([^)]*)\))?(?: with(?:out)? time zone)?$/.exec(type) ?? [type, type]
  if (labels !== null) return choiceOf(labels) ?? plain('text 200', 'its labels cannot be choices here: any text')
  switch (name) {
    case 'smallint':
    case 'integer':
    case 'bigint':
      return plain('integer')
    case 'numeric':
      return { ...decimalOf(argument), choices: null }
    case 'real':
    case 'double precision':
      return plain('decimal', exact)
    case 'money':
      return plain('decimal 19.2', amountNote)
    case 'character varying':
    case 'character':
    case 'text':
    case 'citext':
    case 'name': {
      const note = name === 'citext' ? 'capitals count here' : null
      if (argument !== undefined)
        return indexed ? shortened(Number(argument), note) : { ...textOf(Number(argument)), choices: null }
      return indexed || isLine(column, measure)
        ? plain(`text ${mostText}`, note ?? unlimited(`${mostText}`))
        : plain(`long text ${mostLongText}`, note ?? unlimited('100,000'))
    }
    case 'boolean':
      return plain('yes/no')
    case 'date':
      return plain('date')
    case 'timestamp':
      return plain('date and time', type.includes('without') ? 'has no time zone there, and is a moment here' : null)
    case 'time':
      return plain('time', 'a time of day is kept to the minute here')
    case 'interval':
      return plain('duration', 'a length of time is kept in hours, minutes and seconds here, without days and months')
    case 'uuid':
      return plain('text 36', 'is a text here')
    case 'bytea':
      return plain('file')
    case 'jsonb':
      return indexed
        ? plain('text 500', 'is of the type jsonb there, and a text here, because it is unique')
        : plain('json', 'may be empty here, and only answers of calls and received messages write it')
    default:
      return plain(indexed ? 'text 500' : 'long text 100000', `is of the type ${type} there, and a text here`)
  }
}

/** Whether texts without a limit are lines, which lists sort and filter by: as those that are there are, and with room for longer ones. */
const isLine = (column: string, measure: Measure | null): boolean =>
  measure === null || measure.longest === null
    ? !/desc|note|remark|comment|body|content|bio|message|summary|html|markdown|address|^text$/i.test(column)
    : measure.longest * 2 <= mostText && !measure.hasLines

function shortened(length: number, note: string | null): ColumnType {
  if (length <= 500) return plain(`text ${length}`, note)
  return plain('text 500', `has up to ${length} characters there, and at most 500 here, because it is unique`)
}
