/** Where roles are given by conditions alone, those who decide who has them never lose the last of them. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { rolesToKeep } from '../../headings/6-permissions/kept-held.ts'
import { readApp } from '../../headings/index.ts'
import { appOf } from '../../kinds/testing.ts'
import { codes, done, input, startTestRun, type TestRun } from '../testing.ts'
import { change, create, remove } from '../write/writes.ts'
import { erasePerson } from './erasure.ts'

const document = (roles: string, person: string) => `# Club

## 3 Entities and their fields

### Person

- **Sign-in when:** not gone

| Field | Type | Rules |
| --- | --- | --- |
| is_admin | yes/no | required; default no |
| gone | yes/no | required; default no |
| seat | Seat | |

#### Sample data

| name | is_admin |
| --- | --- |
| Ann | yes |

### Seat

| Field | Type | Rules |
| --- | --- | --- |
| name | text 20 | required |
| runs | yes/no | required; default no |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
${roles}
| Member | everyone signed in |

- **Personal data for:** Admin

### Person

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
${person}
| Member | yes | no | no | no |

### Seat

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Admin | yes | yes | yes | yes |
| Member | yes | no | no | no |
`
const admin = '| Admin | `my.is_admin or my.seat.runs` |'
const ofAdmin = '| Admin | yes | yes | yes | yes |'

let run: TestRun
beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), appOf(document(admin, ofAdmin)))
})
afterAll(() => run?.drop())

test('the last one stays, in whatever way the condition would no longer hold', async () => {
  const as = (name: string) => run.as(name)
  const [ann, mia] = [run.people.Ann!, run.people.Mia!]
  const set = async (who: string, person: string, values: Parameters<typeof input>[0]) =>
    change(run.runtime, await as(who), 'person', person, null, input(values))
  expect((await as('Ann')).actor.roles).toContain('Admin')
  expect(codes(await set('Ann', ann, { is_admin: false }))).toEqual(['NF-LAST-HOLDER'])
  expect(codes(await set('Ann', ann, { gone: true }))).toEqual(['NF-LAST-HOLDER'])
  expect(codes(await remove(run.runtime, await as('Ann'), 'person', ann, null))).toEqual(['NF-LAST-HOLDER'])
  expect(await erasePerson(run.runtime, await as('Ann'), ann)).toMatchObject({ problems: [{ code: 'NF-LAST-HOLDER' }] })
  // Of another record that the condition reads.
  const seat = done(await create(run.runtime, await as('Ann'), 'seat', input({ name: 'Chair', runs: true })))
  done(await set('Ann', mia, { seat }))
  done(await set('Ann', ann, { is_admin: false }))
  expect((await as('Mia')).actor.roles).toContain('Admin')
  const runs = async (value: boolean) =>
    change(run.runtime, await as('Mia'), 'seat', seat, null, input({ runs: value }))
  expect(codes(await runs(false))).toEqual(['NF-LAST-HOLDER'])
  // With another one, all of it is done.
  done(await set('Mia', ann, { is_admin: true }))
  done(await runs(false))
})

test.each([
  ['who decides by a field of people', admin, ofAdmin, ['Admin']],
  [
    'each for the other',
    '| Admin | `my.is_admin` |\n| Chair | `my.seat.runs` |',
    '| Chair | yes | yes | yes | no |',
    ['Admin', 'Chair'],
  ],
  [
    'somebody who is appointed decides, too',
    `${admin}\n| Owner | appointed by Owner |`,
    `${ofAdmin}\n| Owner | yes | yes | yes | no |`,
    ['Owner'],
  ],
  ['whom nobody in the application changes', '| Admin | `my.is_admin` |', '| Admin | yes | no | no | no |', []],
])('roles to keep: %s', (_, roles, person, kept) => {
  const { app, found } = readApp('club.md', () => document(roles, person))
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(rolesToKeep(app!)).toEqual(kept)
})
