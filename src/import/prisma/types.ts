/** The types of Prisma in the words of the language. */
import { amountNote, decimalOf, mostLongText, mostText, textOf } from '../types.ts'
import type { PrismaField } from './parse.ts'

interface PrismaType {
  readonly type: string
  readonly note: string | null
}

const plain = (type: string, note: string | null = null): PrismaType => ({ type, note })

/** Null for what is none of Prisma's own types. */
export function prismaType({ type, attributes }: PrismaField, isUnique: boolean): PrismaType | null {
  const native = attributes.find(({ name }) => name.startsWith('db.'))
  const length = native?.argument ?? ''
  const stored = native?.name.slice('db.'.length) ?? ''
  switch (type) {
    case 'String':
      if (stored === 'Uuid') return plain('text 36')
      if (/text/i.test(stored) && !isUnique) return plain(`long text ${mostLongText}`)
      if (/^\d+$/.test(length)) return shortened(Number(length), isUnique)
      return plain(`text ${mostText}`, textNote(stored))
    case 'Int':
    case 'BigInt':
      return plain('integer')
    case 'Float':
      return plain(
        'decimal',
        'there is no floating point here: an exact decimal, with at most 10 digits after the point',
      )
    case 'Decimal':
      return stored === 'Money' ? plain('decimal 19.2', amountNote) : decimalOf(native?.argument || undefined)
    case 'Boolean':
      return plain('yes/no')
    case 'DateTime':
      if (stored === 'Date') return plain('date')
      return /^Time(?:tz)?$/.test(stored)
        ? plain('time', 'a time of day is kept to the minute here')
        : plain('date and time')
    case 'Json':
      return plain('json', 'may be empty here, and only answers of calls and received messages write it')
    case 'Bytes':
      return plain('file')
    default:
      return null
  }
}

/** What a text loses whose column has a type of its own. */
function textNote(stored: string): string | null {
  if (stored === '' || /^(?:Uuid|(?:Var)?Char|.*Text)$/.test(stored)) return null
  return stored === 'Citext' ? 'capitals count here' : `is of the type ${stored.toLowerCase()} there, and a text here`
}

const shortened = (length: number, isUnique: boolean): PrismaType =>
  isUnique ? plain(`text ${Math.min(length, mostText)}`) : textOf(length)
