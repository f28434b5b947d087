import { expect, test } from 'vitest'
import { completions } from '../complete.ts'
import { readApp } from '../index.ts'
import { recordFace } from './face.ts'
import { titleFields } from './titles.ts'

const rows = (...fields: readonly string[]) =>
  `| Field | Type | Rules |\n| --- | --- | --- |\n${fields.map(field => `| ${field} |\n`).join('')}`

const supplier = `### Supplier\n\n${rows('name | text 40 | required')}\n`
const line = `### Line (part of Request)\n\n${rows('what | text 40 | required')}\n`

const fields = [
  'number | auto number R-{000} | ',
  'subject | text 80 | required',
  'buyer | Person | ',
  'deputy | Person | ',
  'paid | money EUR | ',
  'net | money EUR | = paid * 2',
  'from | Supplier | ',
  'kind | choice: Small, Large | ',
  'sent_on | date | ',
  'needed_on | date | ',
  'paper | file | types PDF',
  'photo | image | ',
  'lines | list of Line | ',
]

const states = `## 4 States and transitions\n\n### Request\n\n| State | Kind |\n| --- | --- |\n| Draft | start |\n| Done | end |\n\n| Transition | From | To | Who |\n| --- | --- | --- | --- |\n| finish | Draft | Done | everyone signed in |\n`

function faceOf({ said = '', marks = '', own = fields, life = states } = {}) {
  const text = `# Desk\n\n## 3 Entities and their fields\n\n${supplier}${line}### Request\n\n${said}${marks}${rows(...own)}\n${life}`
  const { app, found } = readApp('desk.md', () => text, { version: () => 'one' })
  expect(found.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([])
  return { called: titleFields(app!.entities.get('request')!), ...recordFace(app!, 'request') }
}

test('what nobody says is derived: the first of each kind that tells something', () => {
  expect(faceOf()).toEqual({
    called: ['subject', 'number'],
    facts: ['net', 'from', 'kind'],
    person: 'buyer',
    date: { field: 'needed_on', due: true },
    picture: 'photo',
  })
})

test('what is said counts, part by part, and none leaves a part out', () => {
  const said = '- **Face:** title lines; facts kind, paid; person none; date sent_on; picture none\n\n'
  expect(faceOf({ said })).toEqual({
    called: ['lines', 'number'],
    facts: ['kind', 'paid'],
    person: null,
    date: { field: 'sent_on', due: false },
    picture: null,
  })
  expect(faceOf({ said: '- **Face:** title buyer, kind; reference none\n\n' })).toMatchObject({
    called: ['buyer', 'kind'],
    // It is about a person already.
    person: null,
    facts: ['net', 'from'],
  })
})

test('who made or changed a record and when is shown of it where the document says so, and names it never', () => {
  const said = (face: string) => faceOf({ said: `- **Face:** ${face}\n\n` })
  expect(said('facts created_at, created_by; person changed_by; date changed_at')).toMatchObject({
    facts: ['created_at', 'created_by'],
    person: 'changed_by',
    date: { field: 'changed_at', due: false },
  })
  for (const face of ['title created_at', 'reference created_by', 'facts version', 'facts state', 'person created_at'])
    expect(() => said(face)).toThrow('to deeply equal')
})

test('a date is late by its name alone: not what has no states, and not where a mark says it', () => {
  expect(faceOf({ life: '' }).date).toEqual({ field: 'needed_on', due: false })
  expect(faceOf({ marks: '- **Mark:** Late where needed_on < today\n\n' }).date).toMatchObject({ due: false })
  expect(faceOf({ marks: '- **Mark:** Old where sent_on < today\n\n' }).date).toEqual({ field: 'sent_on', due: false })
  const span = [
    'subject | text 80 | required',
    'from | Supplier | required; no overlap of sent_on to until',
    'sent_on | date | required',
    'until | date | required',
    'lines | list of Line | ',
  ]
  expect(faceOf({ own: span }).date).toEqual({ field: 'until', due: false })
})

test('an editor is told the parts, and the fields of the entity', () => {
  const text = `# Desk\n\n## 3 Entities and their fields\n\n${supplier}${line}### Request\n\n- **Face:** \n\n${rows(...fields)}`
  const { app } = readApp('desk.md', () => text, { version: () => 'one' })
  const { options } = completions(app!, text, text.indexOf('**Face:** ') + '**Face:** '.length)
  expect(options.map(({ label }) => label)).toEqual(expect.arrayContaining(['title', 'date', 'subject', 'photo']))
})
