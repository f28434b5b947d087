import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampled } from '../../../scripts/limits.ts'
import { schemaOf } from '../../store/schema.ts'
import { readImported } from '../testing.ts'
import { importJdl } from './import.ts'
import { validationNames } from './model.ts'

function imported(text: string) {
  const result = importJdl(text, 'shop.jdl')
  if ('mistake' in result) throw new Error(result.mistake)
  const { app, wrong } = readImported(result.document)
  return { ...result, app, wrong }
}

/** The rows of the fields table below a heading 3. */
const rowsOf = (document: string, entity: string) =>
  (document.split(`### ${entity}\n`)[1] ?? '')
    .split('\n### ')[0]!
    .split('\n')
    .filter(line => /^\| [a-z]/.test(line))

test('a text that is no JDL is refused, with the place', () => {
  expect(importJdl('entity Book {', 'x.jdl')).toEqual({
    mistake: 'the file ends where the name of a field, or `}` is expected',
    place: { line: 1, column: 14 },
  })
})

test('passwords are secrets, and what goes with texts alone is told', () => {
  const { document, notes, wrong } = imported('entity Login { passwordHash String required maxlength(60) }')
  expect(wrong).toEqual([])
  expect(rowsOf(document, 'Login')).toEqual(['| password_hash | secret | required |'])
  expect(notes).toEqual([
    expect.stringMatching(/^Login\.passwordHash: is a secret here: written and never read/),
    'Login.passwordHash: `maxlength(60)` is not carried over: it does not go with secret',
  ])
})

test('names that every record has, or that mean something in expressions, are given others, and it is said', () => {
  const { document, notes, wrong } = imported(`
    entity Person { id Long, name String required, version Integer, where String, createdAt Instant required }
    entity Book { a String, A String, order Integer }
    entity book { x Integer }
    entity None { y Integer }`)
  expect(wrong).toEqual([])
  expect(rowsOf(document, 'Person record')).toEqual([
    '| name | text 255 | required |',
    '| own_version | integer | |',
    '| own_where | text 255 | |',
  ])
  expect(rowsOf(document, 'Book')).toEqual(['| a | text 255 | |', '| a_2 | text 255 | |', '| order | integer | |'])
  expect(rowsOf(document, 'Book 2')).toEqual(['| x | integer | |'])
  expect(notes).toContain('Person: is named Person record here')
  expect(notes).toContain('Person.id: is replaced by the key that every record has')
  expect(notes).toContain('Person.where: is named `own_where` here')
  expect(notes).toContain('Person.createdAt: every record remembers when it was created, in `created_at`')
})

test('what the language cannot say is noted beside the entity and for the terminal', () => {
  const { document, notes, wrong } = imported(`
    @readOnly entity Book (t_book) {
      weight Double max(1.5)
      cover ImageBlob minbytes(10)
      text TextBlob unique
      kind Kind
      mood Mood
      code String pattern(/(?i)a/) min(3) maxlength(MISSING)
      at LocalTime
    }
    enum Mood { good(Good), BAD }
    relationship OneToMany { Shop{book} to Book{shop} }
    search Book with elasticsearch`)
  expect(wrong).toEqual([])
  for (const note of [
    'Book: its table is named after the entity here, not t_book',
    'Book: `@readOnly` is not carried over',
    'Book.weight: there is no floating point here: an exact decimal, with at most 10 digits after the point',
    'Book.text: values of the type long text 100000 cannot be unique here',
    'Book.kind: there is no type Kind: any text',
    'Book.mood: choices begin with a capital letter here',
    'Book.code: the pattern /(?i)a/ is not carried over: it has no portable form',
    'Book.code: `min(3)` is not carried over: it does not go with text 255',
    'Book.code: `maxlength(MISSING)` is not carried over: there is no constant MISSING',
    'OneToMany Shop{book} to Book{shop}: is not carried over: there is no entity Shop',
    'search Book with elasticsearch: lists are searched in fields with the rule `searchable`',
  ])
    expect(notes).toContain(note)
  expect(document).toContain('> - `Book.kind`: there is no type Kind: any text')
  expect(rowsOf(document, 'Book')).toContain('| mood | choice: Good, BAD | | Good: Good |')
})

test('the example of the documentation is what comes out', () => {
  const page = readFileSync(new URL('../../../docs/import.md', import.meta.url), 'utf8')
  const [source, shown] = ['jdl', 'md ninefold'].map(kind => page.split(`\`\`\`${kind}\n`)[1]!.split('\n```')[0]!)
  const { document, wrong } = imported(source!)
  expect(wrong).toEqual([])
  expect(document.split('## 3 Entities and their fields\n\n')[1]!.split('\n\n## 4')[0]).toBe(shown)
})

test('many to many becomes rows with one reference each, also between records of one entity', () => {
  const { document, app, wrong } = imported(`
    entity Post { title String }
    entity Tag { name String }
    relationship ManyToMany {
      Post{tag required} to Tag{post}
      Post to Post
    }`)
  expect(wrong).toEqual([])
  expect(rowsOf(document, 'Post')).toEqual([
    '| title | text 255 | |',
    '| tag | list of Post tag | min 1 |',
    '| post | list of Post post | |',
  ])
  expect(rowsOf(document, 'Post tag (part of Post)')).toEqual(['| tag | Tag | required; unique within Post |'])
  expect(rowsOf(document, 'Post post (part of Post)')).toEqual(['| other_post | Post | required; unique within Post |'])
  expect([...schemaOf(app).tables.keys()]).toEqual(['post', 'post_tag', 'post_post', 'tag', 'person'])
})

test('users of JHipster are the people of Ninefold, also where fields are added to them', () => {
  const { document, wrong } = imported(`
    entity Blog { name String required }
    relationship ManyToOne { Blog{user(login)} to User }
    relationship OneToMany { Blog{reader} to User{favourite} }`)
  expect(wrong).toEqual([])
  expect(rowsOf(document, 'Blog')).toEqual(['| name | text 255 | required |', '| user | Person | |'])
  expect(rowsOf(document, 'Person')).toEqual(['| favourite | Blog | |'])
})

test('every entity has its screens and opens to the administrator alone, rows on the pages of their parents', () => {
  const { app, document } = imported(`
    entity News { title String required }
    entity URLPath { path String required }
    entity Api { name String }
    entity Tag { name String }
    relationship ManyToMany { News{tag} to Tag }`)
  expect(app.screens.map(({ name, for: who }) => [name.text, who])).toMatchObject(
    [
      ['News', 'One news'],
      ['URL paths', 'URL path'],
      ['Apis', 'Api'],
      ['Tags', 'Tag'],
    ].flatMap(([list, page]) =>
      [list, `New`, page, `Change`].map(name => [
        expect.stringContaining(name!),
        { kind: 'roles', roles: ['Administrator'] },
      ]),
    ),
  )
  expect(document.match(/^\| \/\S+ \| /gm)?.slice(0, 5)).toEqual([
    '| /news | ',
    '| /news/new | ',
    '| /news/{id} | ',
    '| /news/{id}/edit | ',
    '| /url-paths | ',
  ])
  expect([...app.access].map(([key, { rows }]) => [key, rows.map(({ role }) => role)])).toEqual(
    ['news', 'news_tag', 'url_path', 'api', 'tag', 'person'].map(key => [
      key,
      /_tag|person/.test(key) ? [] : ['Administrator'],
    ]),
  )
})

test('what JDL shows of a record names it', () => {
  const { document, app, notes, wrong } = imported(`
    entity Doctor { name String required, badge String }
    entity Visit { room Integer }
    relationship ManyToOne { Visit{doctor(badge)} to Doctor, Visit{again(name)} to Doctor }`)
  expect(wrong).toEqual([])
  expect(rowsOf(document, 'Doctor')).toEqual(['| name | text 255 | required |', '| badge | text 255 | display |'])
  expect(app.entities.get('doctor')?.title).toEqual(['badge'])
  expect(notes).toEqual(['Visit.again: people see the `badge` of Doctor, not its `name`'])
})

const word = fc.constantFrom(
  'a',
  'Book',
  'order',
  'where',
  'name',
  'URLPath',
  'id',
  'Text',
  'list',
  'No',
  'user',
  'x2y',
  'state',
  'position',
)
const prose = fc.constantFrom('', '/** a | b \\| c */', '/** - **Rule:** must */', '/** <b> # `x */', '/** TBD */')
const validation = fc.constantFrom(
  ...validationNames.map(name =>
    name === 'pattern' ? 'pattern(/a\\|[|`"]+;.\\s/)' : name === 'required' || name === 'unique' ? name : `${name}(3)`,
  ),
)
const field = fc
  .tuple(
    prose,
    word,
    fc.constantFrom(
      'String',
      'Long',
      'Double',
      'Boolean',
      'Duration',
      'UUID',
      'Blob',
      'TextBlob',
      'Kind',
      'Other',
      'LocalDate',
    ),
    fc.array(validation, { maxLength: 4 }),
  )
  .map(([comment, name, type, validations]) => `${comment} ${name} ${type} ${[...new Set(validations)].join(' ')}`)
const entityName = fc.constantFrom('Book', 'BOOK', 'Person', 'User', 'Text', 'Date', 'None', 'Not', 'BookTag', 'Tag')
const side = fc
  .tuple(entityName, fc.option(word), fc.boolean())
  .map(([entity, name, required]) =>
    name === null ? entity : `${entity}{${name}(name)${required ? ' required' : ''}}`,
  )
const model = fc.tuple(
  fc.uniqueArray(fc.tuple(prose, entityName, fc.array(field, { maxLength: 6 })), {
    selector: ([, name]) => name,
    maxLength: 5,
  }),
  fc.array(fc.tuple(fc.constantFrom('OneToOne', 'OneToMany', 'ManyToOne', 'ManyToMany'), side, side), { maxLength: 6 }),
)

test('whatever the names and rules are, the document is understood', () => {
  fc.assert(
    fc.property(model, ([entities, relationships]) => {
      const text = [
        'enum Kind { A("x | y"), b, TBD }',
        ...entities.map(([comment, name, fields]) => `${comment}\nentity ${name} {\n${fields.join('\n')}\n}`),
        ...relationships.map(([kind, from, to]) => `relationship ${kind} { ${from} to ${to} }`),
      ].join('\n')
      expect(imported(text).wrong).toEqual([])
    }),
    { numRuns: sampled(300) },
  )
})
