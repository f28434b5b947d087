import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampled } from '../../../scripts/limits.ts'
import { readImported } from '../testing.ts'
import { importPrisma } from './import.ts'

function imported(text: string) {
  const result = importPrisma(text, 'schema.prisma')
  if ('mistake' in result) throw new Error(result.mistake)
  return { ...result, ...readImported(result.document) }
}

const rowsOf = (document: string, entity: string) =>
  document
    .split(`### ${entity}\n`)[1]!
    .split('\n##')[0]!
    .split('\n')
    .filter(line => /^\| [a-z]/.test(line))

const blog = `
generator client { // the client
  provider = "prisma-client-js"
}
datasource db {
  provider = "postgresql"
  url      = env("DATABASE_URL") // "not // a comment"
}

/// Who writes.
model User {
  id        Int      @id @default(autoincrement())
  email     String   @unique @db.VarChar(120)
  name      String?
  role      Role     @default(USER)
  posts     Post[]   @relation("Written")
  liked     Post[]   @relation("Liked")
  profile   Profile?
  createdAt DateTime @default(now())
  updatedAt DateTime @updatedAt

  @@map("users")
}

model Post {
  id        String   @id @default(uuid())
  slug      String
  /// As lists show it
  title     String   @db.VarChar(80)
  body      String?  @db.Text
  rating    Decimal  @default(0) @db.Decimal(4, 2)
  published Boolean  @default(false)
  day       DateTime @default(now()) @db.Date
  author    User     @relation("Written", fields: [authorId], references: [id], onDelete: Cascade)
  authorId  Int
  likes     User[]   @relation("Liked")
  kinds     Role[]
  tags      String[]
  extra     Json?

  @@unique([authorId, slug])
  @@index([title])
}

model Profile {
  userId Int    @id
  user   User   @relation(fields: [userId], references: [id])
  bio    String @default("None yet (sorry)")
}

enum Role {
  USER
  ADMIN @map("admin")
}
`

test('models, enums, relations, keys and defaults are said in the words of the language', () => {
  const { document, notes, wrong } = imported(blog)
  expect(wrong).toEqual([])
  expect(rowsOf(document, 'User')).toEqual([
    '| email | text 120 | required; unique |',
    '| name | text 500 | |',
    '| role | choice: USER, ADMIN | required; default USER |',
    '| liked | list of User liked | |',
  ])
  expect(rowsOf(document, 'Post')).toEqual([
    '| slug | text 500 | required; unique within author | |',
    '| title | text 80 | required | As lists show it |',
    '| body | long text 100000 | | |',
    '| rating | decimal 4.2 | required; default 0 | |',
    '| published | yes/no | required; default no | |',
    '| day | date | required; default today | |',
    '| author | User | required | |',
    '| kinds | several of: USER, ADMIN | | |',
    '| tags | text 500 | | |',
    '| extra | json | | |',
  ])
  expect(rowsOf(document, 'User liked (part of User)')).toEqual(['| post | Post | required; unique within User |'])
  expect(rowsOf(document, 'Profile')).toEqual([
    '| user | User | required; unique |',
    '| bio | text 500 | required; default "None yet (sorry)" |',
  ])
  expect(document).toContain('### User\n\nWho writes.\n')
  for (const note of [
    'Post.tags: is a list there, and a text here',
    'User.posts: is the other side of what Post refers by, and no field of its own',
  ])
    expect(notes).toContain(note)
})

test.each([
  ['model A {\n  id Int', 'schema.prisma', 1, 'the block A is not closed'],
  ['model A {\n  id\n}', '', 2, 'a field (`title String`) is expected, and not `id`'],
  ['modell A {\n}', '', 1, 'a block (`model Book {`) is expected, and not `modell A {`'],
  ['model A {\n  id Int @default(now(\n}', '', 2, 'a bracket is not closed'],
])('what is no schema is refused with its line: %s', (text, _, line, mistake) => {
  expect(importPrisma(text, 'schema.prisma')).toEqual({ mistake, place: { line, column: 1 } })
})

const name = fc.constantFrom('id', 'a', 'order', 'where', 'name', 'title', 'state', 'createdAt', 'list', 'Bid')
const model = fc.constantFrom('Book', 'Person', 'User', 'List', 'None')
const attributes = fc.subarray([
  '@id',
  '@unique',
  '@default(now())',
  '@default(1)',
  '@default("a|b")',
  '@default(A)',
  '@db.VarChar(20)',
  '@db.Text',
  '@updatedAt',
  '@ignore',
])
const field = fc
  .tuple(
    name,
    fc.constantFrom(
      'String',
      'Int',
      'Float',
      'Boolean',
      'DateTime',
      'Json',
      'Bytes',
      'Kind',
      'Book',
      'User',
      'Unsupported("x")',
    ),
    fc.constantFrom('', '?', '[]'),
    attributes,
  )
  .map(([name, type, sign, all]) => `  ${name} ${type}${sign} ${all.join(' ')}`)
const block = fc.tuple(
  model,
  fc.array(field, { maxLength: 6 }),
  fc.subarray(['  @@unique([a, name])', '  @@id([order, state])', '  @@ignore']),
)

test('whatever a schema says, the document is understood', () => {
  fc.assert(
    fc.property(fc.uniqueArray(block, { selector: ([name]) => name, maxLength: 4 }), blocks => {
      const models = blocks.map(([name, fields, more]) => `model ${name} {\n${[...fields, ...more].join('\n')}\n}`)
      expect(imported([...models, 'enum Kind {\n  A\n  b\n}'].join('\n')).wrong).toEqual([])
    }),
    { numRuns: sampled(300) },
  )
})
