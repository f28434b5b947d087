/** Who signs up is somebody whom nobody has looked at: what they must not have, and what they cannot be asked for, is no document. */
import { describe, expect, test } from 'vitest'
import { readApp } from '../index.ts'

interface Parts {
  readonly signIn?: string
  readonly as?: string
  /** Rows of Person. */
  readonly person?: string
  readonly roles?: string
  readonly more?: string
  /** Bullets of heading 1 and 6. */
  readonly product?: string
  readonly duties?: string
}

const document = ({
  signIn = 'password',
  as = '',
  person = '',
  roles = '',
  more = '',
  product = '',
  duties = '',
}: Parts) => `# Club

- **Ninefold:** 1

## 1 What the product does and for whom

A club.

- **Sign-in:** ${signIn}
- **Sign-up:** example.org${as}
${product}

## 3 Entities and their fields

### Club house

| Field | Type |
| --- | --- |
| name | text 40 |

### Person

| Field | Type | Rules |
| --- | --- | --- |
| nick | text 20 | |
${person}

## 6 Roles and permissions

${duties}

| Role | Who |
| --- | --- |
| Member | everyone signed in |
| Player | appointed by Trainer |
| Trainer | appointed by Trainer |
${roles}

${more}
`

function found(parts: Parts): readonly string[] {
  const { found } = readApp('club.md', path => (path === 'club.md' ? document(parts) : null))
  return found.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code} ${message}`)
}

const has = (role: string, why: string) => `N1112 whoever signs up cannot have the role ${role}: ${why}`

test.each<[string, Parts]>([
  ['the roles of everybody', {}],
  ['a role that is appointed', { as: ' as Player' }],
  ['none by name', { as: ' as none' }],
  ['what is left open', { as: ' as TBD (Board)' }],
  ['by single sign-on alone', { signIn: 'single sign-on', as: ' as Player' }],
  ['a required field that is asked for', { person: '| shirt | choice: S, M | required |' }],
  [
    'another by default',
    { signIn: 'password, single sign-on', person: '| shirt | choice: S, M | required; default M |' },
  ],
  [
    'a role by a field that somebody else fills in',
    {
      person: '| kind | choice: Guest, Coach | required; default Guest |',
      roles: '| Coach | `my.kind = Coach` |\n| Scorer | appointed by Coach |',
    },
  ],
  [
    'changing oneself',
    {
      more: '### Person\n\n| Role | See | Change |\n| --- | --- | --- |\n| Member | yes | `this = me and nick is empty` |',
    },
  ],
])('%s: sound', (_, parts) => {
  expect(found(parts)).toEqual([])
})

describe('a role that is too much', () => {
  test.each<[Parts, readonly string[]]>([
    [{ as: ' as Trainer' }, [has('Trainer', 'it appoints Player')]],
    [{ as: ' as Player, Trainer' }, [has('Trainer', 'it appoints Player')]],
    [{ as: ' as Member' }, [has('Member', 'everybody has it, so it need not be named')]],
    [{ roles: '| Scorer | appointed by Member |' }, [has('Member', 'it appoints Scorer')]],
    [{ as: ' as Player', duties: '- **Act as others:** Player' }, [has('Player', 'it may act as others')]],
    [
      { as: ' as Player', duties: '- **Personal data for:** Player' },
      [has('Player', 'it gives out and erases what is held about people')],
    ],
    ...(['Create', 'Change', 'Delete', 'Import'] as const).map((verb): [Parts, readonly string[]] => [
      { as: ' as Player', more: `### Person\n\n| Role | See | ${verb} |\n| --- | --- | --- |\n| Player | yes | yes |` },
      [has('Player', `it may ${verb.toLowerCase()} people`)],
    ]),
    [
      {
        more: '### Person\n\n| Role | See | Change |\n| --- | --- | --- |\n| Member | yes | `this = me or nick is empty` |',
      },
      [has('Member', 'it may change people')],
    ],
    [
      { person: '| kind | choice: Guest, Coach | required |', roles: '| Coach | `my.kind = Coach` |' },
      [has('Coach', 'it goes by `kind`, which they fill in themselves')],
    ],
    [
      {
        person: '| kind | choice: Guest, Coach | required; default Coach |',
        roles: '| Coach | `my.kind = Coach` |\n| Scorer | appointed by Coach |',
      },
      [has('Coach', 'it appoints Scorer')],
    ],
    [{ roles: '| Anna | `my.name = "Anna"` |' }, [has('Anna', 'it goes by `name`, which they fill in themselves')]],
    [{ as: ' as Anna', roles: '| Anna | `my.email = "a@example.org"` |' }, [has('Anna', 'nobody is appointed to it')]],
  ])('%j', (parts, told) => {
    expect(found(parts)).toEqual(told)
  })
})

test('there is no such role, or nobody could do it', () => {
  expect(found({ as: ' as Playr' })).toEqual([expect.stringContaining('N1601 there is no role `Playr`')])
  const nobody = (why: string) => [`N1110 nobody can sign up: ${why}`]
  expect(found({ product: '- **Tenant:** Club house' })).toEqual(
    nobody('it would stay open which club_house they belong to'),
  )
  for (const type of ['Club house', 'several Club house', 'file', 'image', 'secret'])
    expect([type, found({ person: `| thing | ${type} | required |` })]).toEqual([
      type,
      nobody('`thing` of Person is required and has no default, and a stranger cannot be asked for it'),
    ])
  expect(found({ signIn: 'e-mail link, single sign-on', person: '| shirt | text 5 | required |' })).toEqual(
    nobody('`shirt` of Person is required and has no default, and single sign-on tells only name and address'),
  )
})
