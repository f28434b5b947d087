/** Reading of a whole type cell, over any set of kinds. */
import { within } from '../../document/cell.ts'
import { nearest } from '../../document/nearest.ts'
import type { Cell, Span } from '../../document/source.ts'
import type { FieldKind, ReadType } from './field-kind.ts'

/** What is wrong with a type cell. `suggestion` is what to write in place of `span` (absent: of the whole cell). */
interface WrongTypeCell {
  readonly wrong: string
  readonly span?: Span
  readonly suggestion?: string
}

type TypeReading = ReadType | WrongTypeCell

/** Names that people bring along from databases and programming, and what they are called here. */
const elsewhere: Readonly<Record<string, string>> = {
  string: 'text',
  varchar: 'text',
  char: 'text',
  textarea: 'long text',
  richtext: 'markdown',
  'rich text': 'markdown',
  html: 'markdown',
  int: 'integer',
  bigint: 'integer',
  number: 'decimal',
  numeric: 'decimal',
  float: 'decimal',
  double: 'decimal',
  percentage: 'percent',
  '%': 'percent',
  currency: 'money EUR',
  bool: 'yes/no',
  boolean: 'yes/no',
  checkbox: 'yes/no',
  'yes-no': 'yes/no',
  datetime: 'date and time',
  timestamp: 'date and time',
  email: 'e-mail',
  url: 'link',
  enum: 'choice: One, Other',
  select: 'choice: One, Other',
  autonumber: 'auto number {00000}',
  serial: 'auto number {00000}',
  user: 'Person',
  picture: 'image',
  attachment: 'file',
  jsonb: 'json',
  hours: 'duration',
  eur: 'money EUR',
  euro: 'money EUR',
  usd: 'money USD',
  zahl: 'decimal',
  dezimalzahl: 'decimal',
  ganzzahl: 'integer',
  prozent: 'percent',
  betrag: 'money EUR',
  geld: 'money EUR',
  'ja/nein': 'yes/no',
  datum: 'date',
  uhrzeit: 'time',
  zeitpunkt: 'date and time',
  dauer: 'duration',
  freitext: 'long text',
  auswahl: 'choice: One, Other',
  dropdown: 'choice: One, Other',
  datei: 'file',
  anhang: 'file',
  bild: 'image',
  foto: 'image',
  telefon: 'phone',
  benutzer: 'Person',
  nutzer: 'Person',
}

const withThem = new WeakMap<ReadonlyMap<string, string>, ReadonlyMap<string, string>>()

/** `Person` is there whether it is written or not. Made once for all cells of a document. */
function withPerson(entities: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (entities.has('Person')) return entities
  const known = withThem.get(entities)
  if (known?.size === entities.size + 1) return known
  const made = new Map([...entities, ['Person', 'person'] as const])
  withThem.set(entities, made)
  return made
}

const referring =
  /^(?:(?:reference|ref|link|relation|lookup|foreign key|fk|many[- ]to[- ]one|verweis auf|verknüpfung)(?: (?:to|auf|zu))?) /i
const several =
  /^(?:list|array|set|many|multiple|several|one[- ]to[- ]many|liste)(?: (?:of|von))? (.+)$|^(.+?)(?:\[\]| list|-Liste)$/i

/**
 * Makes the reader of type cells. It takes the names of the document's entities as they are written → their keys
 * (`Person` may be absent, it is always there) and the owner of a list of choices for messages (`Item.condition`).
 */
export function typeReader(kinds: readonly FieldKind[]) {
  const named = [...kinds].filter(kind => kind.name !== 'reference').sort((a, b) => b.name.length - a.name.length)
  const reference = kinds.find(kind => kind.name === 'reference')!
  const patterns = named.map(kind => {
    const words = kind.name.replaceAll(' ', '\\s+')
    return { kind, pattern: new RegExp(`^${words}(?:\\s*:\\s*|\\s+|$)`, 'i') }
  })

  return (cell: Cell, entities: ReadonlyMap<string, string>, owner = ''): TypeReading => {
    const all = withPerson(entities)
    const text = cell.text
    if (all.has(text)) return finished(reference, text, 0)
    const meant = described(text, all.keys())
    if (meant !== null && meant !== text && !/^(?:list of|several) /i.test(text))
      return { wrong: `this type is written \`${meant}\``, ...at(0, text.length), suggestion: meant }
    for (const { kind, pattern } of patterns) {
      const begin = pattern.exec(text)?.[0]
      if (begin === undefined) continue
      const name = begin.replace(/[\s:]+$/, '')
      if (name !== name.toLowerCase())
        return { wrong: `\`${name}\` is written in small letters`, ...at(0, name.length), suggestion: kind.name }
      const colon = begin.includes(':')
      const wanted = kind.written.startsWith(`${kind.name}:`)
      if (colon !== wanted)
        return {
          wrong: `this type is written \`${kind.written}\``,
          ...at(0, text.length),
          suggestion: `${kind.name}${wanted ? ':' : ''} ${text.slice(begin.length)}`.trim(),
        }
      return finished(kind, text.slice(begin.length), begin.length)
    }
    return unknown(text)

    function at(from: number, to: number): { readonly span: Span } {
      return { span: within(cell, from, to) }
    }

    function finished(kind: FieldKind, argument: string, offset: number): TypeReading {
      const read = kind.read(argument, all)
      if ('wrong' in read) {
        const place = read.at === undefined ? {} : at(offset + read.at[0], offset + read.at[1])
        return {
          wrong: read.wrong,
          ...place,
          ...(read.suggestion === undefined ? {} : { suggestion: read.suggestion }),
        }
      }
      return { kind, parameters: read, type: kind.type(read, owner), cell }
    }

    function unknown(text: string): WrongTypeCell {
      if (text === '') return { wrong: 'a type is missing' }
      const none = `there is no type or entity named \`${text}\``
      const brought = broughtAlong(text)
      if (brought !== null) return { wrong: none, ...at(0, text.length), suggestion: brought }
      const names = [...named.map(kind => kind.name), ...all.keys()]
      const near = nearest(text, names)
      if (near !== null) return { wrong: none, ...at(0, text.length), suggestion: near }
      // `long txt 500`: a length belongs to the type before it.
      const [, words = ''] = /^(.*\S)\s+\d+$/s.exec(text) ?? []
      const [first = ''] = text.split(/\s/, 1)
      for (const [part, known] of [
        [words, ['text', 'long text']],
        [first, names],
      ] as const) {
        const suggestion = nearest(part, known)
        if (suggestion !== null)
          return { wrong: `there is no type named \`${part}\``, ...at(0, part.length), suggestion }
      }
      return { wrong: none, ...at(0, text.length) }
    }
  }
}

/** What is meant by a type as it is written elsewhere: `varchar(40)`, `Select: New, Old`, `datum`; null: nothing known. */
function broughtAlong(text: string): string | null {
  const listed = /^(?:enum|select|auswahl|dropdown|picklist)\b[\s:(]*(\p{L}.*?)\)?$/iu.exec(text)?.[1]
  if (listed !== undefined) return `choice: ${listed}`
  if (/^\p{Lu}[\p{L}\p{N} -]*(?:, *\p{Lu}[\p{L}\p{N} -]*)+$/u.test(text)) return `choice: ${text}`
  const [, sized = '', size = ''] = /^(\w+)\s*\((\d+(?:\s*,\s*\d+)?)\)$/.exec(text.toLowerCase()) ?? []
  const measured = elsewhere[sized] ?? sized
  if (measured === 'text' || measured === 'decimal') return `${measured} ${size.replace(/\s*,\s*/, '.')}`
  if (text.toLowerCase() === 'datum und uhrzeit') return 'date and time'
  const [first = '', rest = ''] = /^(\S+)(.*)$/s.exec(text)?.slice(1) ?? []
  const known = elsewhere[first.replace(/[:(].*$/s, '').toLowerCase()]
  return known === undefined ? null : withRest(known, rest)
}

/** `link to Category` → `Category`, `Loan line[]` → `list of Loan line`; null where no entity is meant so. */
function described(text: string, entities: Iterable<string>): string | null {
  const begin = referring.exec(text)?.[0]
  if (begin !== undefined) return nearest(text.slice(begin.length), entities)
  const [, behind, before] = several.exec(text) ?? []
  const said = behind ?? before
  const rows = said === undefined ? null : nearest(said, entities)
  return rows === null ? null : `list of ${rows}`
}

/** `varchar 40` → `text 40`. */
function withRest(suggestion: string, rest: string): string {
  return suggestion === 'text' && /^ \d+$/.test(rest) ? suggestion + rest : suggestion
}
