import { sql } from '../../../expression/sql.ts'
import { noArgument } from '../arguments.ts'
import { all, matches } from '../checks.ts'
import type { FieldKind, Parsed } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { asSeen, jsonText } from '../texts.ts'

const most = 2000
const byte = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
const label = '[^][/?#@:.[:space:][:cntrl:]]'
// What ends in figures is an address of four bytes, and nothing else.
const named = `(${label}+[.])*(${label}*[^][0-9/?#@:.[:space:][:cntrl:]]${label}*)[.]?`
const shape = `^https?://(${named}|(${byte}[.]){3}${byte}|[[][0-9a-f:.]+[]])(:[0-9]{1,5})?[/?#][!-~]*$`

/** A web address: `http` or `https`, nothing that could run as a script, no name or password in it. */
export const link: FieldKind = {
  name: 'link',
  written: 'link',
  meaning: 'A web address that begins with https:// or http://.',
  read: argument => noArgument('link', argument),
  type: () => ({ kind: 'text' }),
  column: () => 'text',
  check: (_, column) => all([sql`char_length(${column}) <= 2000`, matches(column, shape)]),
  parse: text => read(text),
  fromJson: json => jsonText(json, 'a web address as a text', read),
  toJson: wire => wire,
  schema: () => ({ type: 'string', format: 'uri', maxLength: most }),
  input: wire => (wire === null ? '' : String(wire)),
  sample: n => `https://example.org/x${n}`,
  filters: ['contains', 'starts with', 'is', 'is empty'],
  sortable: false,
  entered: true,
  examples: [
    {
      type: 'link',
      good: [
        { text: 'HTTPS://Example.org', wire: 'https://example.org/' },
        { text: 'http://[::1]:8080/a?b=c#d', wire: 'http://[::1]:8080/a?b=c#d' },
        { text: 'https://example.org/ö b', wire: 'https://example.org/%C3%B6%20b' },
      ],
      bad: [
        'example.org',
        'javascript:alert(1)',
        'ftp://example.org/',
        'https://',
        'https://me:secret@example.org/',
        'data:text/html,x',
        'http://999.999.999.999/',
        'http://087.10.0.1/',
        'http://example.org:abc/',
        'http://[example.org]/',
        `https://example.org/${'x'.repeat(2000)}`,
      ],
    },
  ],
}

function read(text: string): Parsed {
  const refused = invalidValue('NF-LINK', {})
  const trimmed = asSeen(text)
  // `URL` also repairs `https:example.org` and back slashes; what is not written plainly is refused.
  if (trimmed.length > most || !/^https?:\/\/[^\\]/i.test(trimmed) || !trimmed.isWellFormed()) return refused
  const url = URL.parse(trimmed)
  if (url === null || url.username !== '' || url.password !== '' || url.href.length > most) return refused
  return { value: url.href }
}
