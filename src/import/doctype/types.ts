/** The types of Frappe's fields in the words of the language. */
import { amountNote, choiceOf, mostLongText, passwordNote, textOf } from '../types.ts'
import type { DocField } from './model.ts'

interface DocFieldType {
  readonly type: string
  readonly note: string | null
  /** By the words of Frappe. */
  readonly choices: ReadonlyMap<string, string> | null
}

const plain = (type: string, note: string | null = null): DocFieldType => ({ type, note, choices: null })

/** Frappe's own length of a column of `Data`. */
const usualLength = 140

/** Where fields stand on the form, and what is no value. */
export const isLayout = (type: string): boolean =>
  /^(?:Section Break|Column Break|Tab Break|Fold|Heading|HTML|Button|Image)$/.test(type)

/** Null for links, tables, and what is none of Frappe's types. */
export function docFieldType({ type, options, length, precision }: DocField): DocFieldType | null {
  switch (type) {
    case 'Data':
      return plain({ Email: 'e-mail', Phone: 'phone', URL: 'link' }[options] ?? textOf(length || usualLength).type)
    case 'Select':
      return selectOf(options)
    case 'Small Text':
      return plain('long text 1000')
    case 'Text':
    case 'Long Text':
    case 'Code':
    case 'HTML Editor':
      return plain(`long text ${mostLongText}`)
    case 'Text Editor':
      return plain('markdown', 'is HTML there, and Markdown here')
    case 'Markdown Editor':
      return plain('markdown')
    case 'Int':
      return plain('integer')
    case 'Rating':
      return plain('decimal 3.2', 'is a rating there, from 0 to 1')
    case 'Float':
      return plain(`decimal 21.${/^[1-9]$/.test(precision) ? precision : '9'}`)
    case 'Currency':
      return plain(`decimal 21.${/^[1-9]$/.test(precision) ? precision : '2'}`, amountNote)
    case 'Percent':
      return plain('percent')
    case 'Check':
      return plain('yes/no')
    case 'Date':
      return plain('date')
    case 'Datetime':
      return plain('date and time')
    case 'Time':
      return plain('time', 'a time of day is kept to the minute here')
    case 'Duration':
      return plain('duration')
    case 'Phone':
      return plain('phone')
    case 'Password':
      return plain('secret', passwordNote)
    case 'Attach':
      return plain('file')
    case 'Attach Image':
    case 'Signature':
      return plain('image')
    case 'Autocomplete':
    case 'Barcode':
    case 'Color':
    case 'Icon':
    case 'Read Only':
      return plain(`text ${usualLength}`)
    case 'Dynamic Link':
      return plain(`text ${usualLength}`, 'names a record of any kind there, and is a text here')
    case 'Geolocation':
    case 'JSON':
      return plain(`long text ${mostLongText}`, `is ${type} there, and a text here`)
    default:
      return null
  }
}

/** A line of nothing says that it may be empty. */
function selectOf(options: string): DocFieldType {
  const words = options
    .split('\n')
    .map(word => word.trim())
    .filter(word => word !== '')
  return choiceOf(words) ?? plain('text 140', 'its words cannot be choices here: any text')
}
