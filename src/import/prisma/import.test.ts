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

test('a key of several columns is one reference, and unique with all of them', () => {
  const { document, notes, wrong } = imported(`
    model Tenant {
      id String @id @default(cuid())
      projects Project[]
    }
    model Project {
      tenantId String
      nr Int
      tenant Tenant @relation(fields: [tenantId], references: [id])
      tasks Task[]
      plan Plan?
      @@id([tenantId, nr])
    }
    model Task {
      id Int @id @default(autoincrement())
      tenantId String
      projectNo Int
      code String
      project Project @relation(fields: [tenantId, projectNo], references: [tenantId, nr])
      @@unique([tenantId, projectNo, code])
      @@unique([tenantId, code])
    }
    model Plan {
      tenantId String
      nr Int
      at DateTime @db.Time(0)
      project Project @relation(fields: [tenantId, nr], references: [tenantId, nr])
      @@id([tenantId, nr])
    }`)
  expect(wrong).toEqual([])
  expect(rowsOf(document, 'Project')).toEqual([
    '| nr | integer | required; unique within tenant |',
    '| tenant | Tenant | required |',
  ])
  expect(rowsOf(document, 'Task')).toEqual([
    '| code | text 500 | required; unique within project |',
    '| project | Project | required |',
  ])
  expect(rowsOf(document, 'Plan')).toEqual(['| at | time | required |', '| project | Project | required; unique |'])
  expect(notes).toContain('Task: @@unique([tenantId, code]) is not carried over')
})

test('columns whose type says more than the field are noted', () => {
  const { document, wrong, notes } = imported(`
    model Item {
      id Int @id @default(autoincrement())
      price Decimal @db.Money
      weight Decimal
      share Decimal @db.Decimal(60, 30)
      count Decimal @db.Decimal(8)
      address String @db.Inet
      mail String @unique @db.Citext
      code String @db.Char(4)
    }`)
  expect(wrong).toEqual([])
  expect(rowsOf(document, 'Item')).toEqual([
    '| price | decimal 19.2 | required |',
    '| weight | decimal | required |',
    '| share | decimal | required |',
    '| count | decimal 8.0 | required |',
    '| address | text 500 | required |',
    '| mail | text 500 | required; unique |',
    '| code | text 4 | required |',
  ])
  const most = 'has at most 18 digits before the point and 10 after it here'
  expect(notes.filter(note => note.startsWith('Item.')).slice(1)).toEqual([
    'Item.price: an amount names its currency here: write `money EUR`, say',
    `Item.weight: ${most}`,
    `Item.share: is numeric(60, 30) there, and ${most}`,
    'Item.address: is of the type inet there, and a text here',
    'Item.mail: capitals count here',
  ])
})

test('what the source gives by itself is asked of nobody', () => {
  const { document, wrong } = imported(`
    model Link {
      id Int @id @default(autoincrement())
      token String @unique @default(cuid())
      key String @default(dbgenerated("gen_random_uuid()")) @db.Uuid
      note String @default("")
      to String
    }`)
  expect(wrong).toEqual([])
  expect(rowsOf(document, 'Link')).toEqual([
    '| token | text 500 | unique |',
    '| key | text 36 | |',
    '| note | text 500 | |',
    '| to | text 500 | required |',
  ])
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

test('what deletion does, passwords, and what else is said of a field are taken or told', () => {
  const { document, notes, wrong } = imported(`
    model Account {
      id Int @id @default(autoincrement())
      passwordHash String @unique @default("none") @encrypted(key: "a")
      team Team @relation(fields: [teamId], references: [id], onDelete: Cascade, onUpdate: Restrict)
      teamId Int
      lead Team? @relation("lead", fields: [leadId], references: [id])
      leadId Int?
      home Team @relation("home", fields: [homeId], references: [id], onDelete: NoAction)
      homeId Int
      kind Kind
    }
    model Team {
      id Int @id @default(autoincrement())
      accounts Account[]
      led Account[] @relation("lead")
      at Account[] @relation("home")
    }
    /// Of accounts
    enum Kind {
      A /// sees all
      B
    }`)
  expect(wrong).toEqual([])
  expect(rowsOf(document, 'Account')[0]).toBe('| password_hash | secret | |')
  expect(notes.filter(note => !note.includes('is the other side'))).toEqual([
    'Account.id, Team.id: is replaced by the key that every record has',
    expect.stringMatching(/^Account\.passwordHash: is a secret here: written and never read/),
    'Account.passwordHash: values of the type secret cannot be unique here',
    'Account.passwordHash: @encrypted(key: "a") is not carried over',
    'Account.passwordHash: what it begins with is not carried over: "none"',
    expect.stringMatching(
      /^Account\.team: onDelete: Cascade is not carried over: what is referred to cannot be deleted/,
    ),
    'Account.team: onUpdate: Restrict is not carried over: the key of a record never changes here',
    'Account.lead: onDelete: SetNull is not carried over: what is referred to cannot be deleted here',
    'enum Kind: what it says of its values is not carried over: Of accounts; A: sees all',
  ])
})

test('whatever a schema says, the document is understood', () => {
  fc.assert(
    fc.property(fc.uniqueArray(block, { selector: ([name]) => name, maxLength: 4 }), blocks => {
      const models = blocks.map(([name, fields, more]) => `model ${name} {\n${[...fields, ...more].join('\n')}\n}`)
      expect(imported([...models, 'enum Kind {\n  A\n  b\n}'].join('\n')).wrong).toEqual([])
    }),
    { numRuns: sampled(300) },
  )
})
