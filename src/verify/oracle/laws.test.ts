import { expect, test } from 'vitest'
import { readDocument } from '../../document/markdown.ts'
import { boxes, closed, laws, lines, me, now, old, parcel, people, things } from '../../expression/laws/corpus.ts'
import type { About } from './names.ts'
import { partOf } from './read.ts'
import { read } from './told.ts'
import { dayOf, NotJudged, type Stored, wireOf } from './values.ts'

const field = (name: string, type: string, rules = '') => `| ${name} | ${type} | ${rules} |`
const entity = (title: string, ...fields: readonly string[]) =>
  `### ${title}\n\n| Field | Type | Rules |\n| --- | --- | --- |\n${fields.join('\n')}\n`

const text = `# Laws\n\n## 1 The product\n\n- **Time zone:** Europe/Berlin\n\n## 3 Entities and their fields\n
${entity('Person', field('boss', 'Person'))}
${entity(
  'Parcel',
  ...['n', 'zero', 'huge', 'e'].map(name => field(name, 'integer')),
  field('d', 'decimal'),
  field('p', 'percent'),
  ...['answer', 't', 'smile', 'wild', 'te'].map(name => field(name, 'text')),
  field('m', 'money EUR'),
  ...['on', 'off', 'be'].map(name => field(name, 'yes/no')),
  ...['day', 'leap', 'last', 'de'].map(name => field(name, 'date')),
  ...['at', 'ae'].map(name => field(name, 'date and time')),
  field('tm', 'time'),
  field('dur', 'duration'),
  field('mood', 'choice: In, Out'),
  ...['moods', 'none'].map(name => field(name, 'several of: In, Up, Out')),
  ...['to', 'via'].map(name => field(name, 'Person')),
  field('lines', 'list of Line'),
  field('spare', 'list of Crumb'),
  field('twice', 'integer', '= n * 2'),
  field('lost', 'integer', '= n / e'),
)}
${entity('Line (part of Parcel)', field('value', 'integer'), field('ok', 'yes/no'), field('ok2', 'yes/no'))}
${entity('Crumb (part of Parcel)', field('value', 'integer'), field('ok', 'yes/no'))}
${entity('Box', field('size', 'integer'))}
${entity('Thing (part of Box)', field('value', 'integer'))}
## 9 Business constants and limits

| Name | Value | Since |
| --- | --- | --- |
| most | 4 | |
| most | 5 | 2026-03-01 |
| most | TBD | 2027-01-01 |
| open | TBD | |

### Working time

- **Days:** Monday to Friday
- **Hours:** 09:00 to 17:00
- **Closed on:** Box.day
`
const told = read(readDocument('laws.md', () => text).document)

const all: Readonly<Record<string, readonly Stored[]>> = {
  person: people as readonly Stored[],
  parcel: [parcel as Stored],
  line: lines as readonly Stored[],
  box: boxes as readonly Stored[],
  thing: things as readonly Stored[],
}
const row = { entity: 'parcel', record: parcel as Stored, up: null }
const about: About = {
  told,
  read: partOf,
  row,
  self: row,
  old: old as Stored,
  me,
  now: Date.parse(now),
  closed: new Set(closed.map(dayOf)),
  changed: new Map(),
  record: (of, id) => all[of]?.find(record => record.id === id),
  records: of => all[of] ?? [],
}

/** Not judged: what reads like the words of the application, and the end of working hours. */
const left = /\b(?:list|text|weekday_name|working_hours_after)\(|\((?!.*order by).* by /

const rows = laws.flatMap(({ rows: each }) => each)
const plain = (value: unknown) =>
  typeof value === 'string' ? value.replace(/^(-?\d+\.\d*?)0+$/, '$1').replace(/\.$/, '') : value

test.each(rows.filter(({ text }) => !left.test(text)))('$says: $text', ({ text, gives }) => {
  expect(plain(wireOf(partOf(text)(about)))).toEqual(gives)
})

test.each(rows.filter(({ text }) => left.test(text)))('not judged: $text', ({ text }) => {
  expect(() => partOf(text)(about)).toThrow(NotJudged)
})
