import { sql } from '../../../expression/sql.ts'
import { noArgument } from '../arguments.ts'
import { all, matches } from '../checks.ts'
import type { FieldKind, Parsed } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { asSeen, jsonText } from '../texts.ts'

const most = 254
const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
/** The form that HTML's own e-mail control takes, in lower case, without dots at the ends of the first part or side by side. */
const shape = `^${atom}(\\.${atom})*@${label}(\\.${label})*$`
const regexp = new RegExp(shape, 'u')

/** An e-mail address, in lower case: two spellings of one address are one address. */
export const eMail: FieldKind = {
  name: 'e-mail',
  written: 'e-mail',
  meaning:
    'An e-mail address. It is kept in lower case, a domain with other letters than a to z as mail servers know it (`xn--…`); one of a single word, as networks of their own have it (`desk@localhost`), is one too.',
  read: argument => noArgument('e-mail', argument),
  type: () => ({ kind: 'text' }),
  column: () => 'text',
  check: (_, column) => all([sql`char_length(${column}) <= 254`, matches(column, shape)]),
  parse: text => read(text),
  fromJson: json => jsonText(json, 'an e-mail address as a text', read),
  toJson: wire => wire,
  schema: () => ({ type: 'string', format: 'email', maxLength: most }),
  input: wire => (wire === null ? '' : String(wire)),
  sample: n => `x${n}@example.org`,
  filters: ['contains', 'starts with', 'is', 'any of', 'is empty'],
  sortable: true,
  entered: true,
  examples: [
    {
      type: 'e-mail',
      good: [
        { text: 'ada.l+desk@sub.example.org', wire: 'ada.l+desk@sub.example.org' },
        { text: ' Cleo@Example.ORG ', wire: 'cleo@example.org' },
        { text: 'desk@localhost', wire: 'desk@localhost' },
        { text: 'ida@müller.de', wire: 'ida@xn--mller-kva.de' },
        { text: "o'hara@localhost", wire: "o'hara@localhost" },
      ],
      bad: [
        'cleo',
        '@example.org',
        'a..b@example.org',
        '.a@example.org',
        'a b@example.org',
        'a@-example.org',
        'a@example..org',
        'a@b\u0000.org',
        `${'x'.repeat(250)}@a.org`,
        'kelvin@\u212a.org',
        'wide@\uff41.org',
        'müller@example.org',
        'Cleo <cleo@example.org>',
      ],
    },
  ],
}

function read(text: string): Parsed {
  // Only A to Z are folded: what `toLowerCase` makes of other letters differs between JavaScript and the database.
  const plain = asSeen(text).replace(/[A-Z]/g, letter => letter.toLowerCase())
  const at = plain.lastIndexOf('@') + 1
  const value = plain.slice(0, at) + asciiDomain(plain.slice(at))
  return value.length <= most && regexp.test(value)
    ? { value }
    : invalidValue('NF-EMAIL', { example: 'name@example.org' })
}

/** A domain in the letters of the domain name system (IDNA). Letters that are another one's other form (K of kelvin) stay, and are refused. */
function asciiDomain(domain: string): string {
  if (/^[\p{ASCII}]*$/u.test(domain) || domain !== domain.normalize('NFKC')) return domain
  return URL.parse(`http://${domain}`)?.hostname ?? domain
}
