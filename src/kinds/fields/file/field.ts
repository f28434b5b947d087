import { sql } from '../../../expression/sql.ts'
import { noArgument } from '../arguments.ts'
import { all, literal, matches, whiteSpace } from '../checks.ts'
import type { FieldKind, Parsed } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { composed, jsonKind } from '../texts.ts'
import { fileText, heldFile } from './held.ts'

const never = '/\\\\\\u0001-\\u001f\\u007f-\\u009f'
const blank = Array.from(whiteSpace, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
const shape = `^[0-9a-f]{64} [1-9][0-9]{0,14} [a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,100} [^${never}${blank}][^${never}]{0,199}$`

const digest = '3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea'

/** A file: its content lies in the store of files, under its digest; the value names it and says what it is. */
export const file: FieldKind = {
  name: 'file',
  written: 'file',
  meaning: 'A file that is kept with the record. The rules `types` and `at most` say which.',
  read: argument => noArgument('file', argument, '; kinds and sizes are rules, like `types JPEG, PNG; at most 5 MB`'),
  type: () => ({ kind: 'file' }),
  column: () => 'text',
  check: (_, column) =>
    all([matches(column, shape), sql`char_length(btrim(${column}, ${literal(whiteSpace)})) = char_length(${column})`]),
  parse: text => read(text.trim()),
  fromJson(json) {
    if (typeof json === 'string') return read(json)
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      return invalidValue('NF-JSON', { expected: 'what the upload answered', found: jsonKind(json) })
    const { digest, size, type, name } = json as Readonly<Record<string, unknown>>
    return read(`${digest} ${size} ${type} ${name}`)
  },
  toJson: wire => heldFile(wire),
  schema: () => ({
    type: 'object',
    description: 'Send the file to /api/v1/-/files first, and put what that answers here.',
    required: ['digest', 'size', 'type', 'name'],
    properties: {
      digest: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the content.' },
      size: { type: 'integer', minimum: 1, description: 'Bytes.' },
      type: { type: 'string', description: 'Found from the content.' },
      name: { type: 'string', minLength: 1, maxLength: 200 },
    },
  }),
  input: wire => (wire === null ? '' : String(wire)),
  sample: () => null,
  filters: ['is empty'],
  sortable: false,
  entered: true,
  examples: [
    {
      type: 'file',
      good: [
        { text: `${digest} 5 text/plain notes.txt`, wire: `${digest} 5 text/plain notes.txt` },
        { text: `${digest} 1048576 image/png Fotó 1.png`, wire: `${digest} 1048576 image/png Fotó 1.png` },
      ],
      bad: [
        'contract.pdf',
        `${digest} 0 text/plain notes.txt`,
        `${digest} 5 text/plain ../notes.txt`,
        `${digest} 5 text/plain`,
      ],
    },
  ],
}

function read(text: string): Parsed {
  const held = heldFile(composed(text))
  return held === null ? invalidValue('NF-FILE', {}) : { value: fileText(held) }
}
