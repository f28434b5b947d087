/** What roles may set of what decides whether they may: said once for an entity, and not where the document says what is meant. */
import { expect, test } from 'vitest'
import { readApp } from '../index.ts'

const said = (header: string, ...rows: readonly string[]) => {
  const page = `# Tasks

## 3 Entities and their fields

### Task

| Field | Type | Rules |
| --- | --- | --- |
| title | text 20 | required |
| owner | Person | default me |
| helper | Person | |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |
| Aide | appointed by Chief |
| Chief | appointed by Chief |

### Task

| Role | See | Create | ${header} |
| --- | --- | --- |${' --- |'.repeat(header.split('|').length)}
${rows.map(row => `| ${row.replace(' | ', ' | yes | yes | ')} |`).join('\n')}
`
  const { found } = readApp('app.md', path => (path === 'app.md' ? page : null))
  return found.flatMap(({ code, message, related }) => (code === 'N1628' ? [[message, related?.length ?? 0]] : []))
}

test('one message names all roles and fields of an entity', () => {
  expect(said('Change', 'Member | `owner = me`', 'Aide | `helper = me`')).toEqual([
    ['Member, Aide may change `owner`, `helper` of Task, but only so that their own Change still holds', 3],
  ])
})

test.each(['no', 'yes', '`owner is not empty`'])('`Change to` %s says what is meant', to => {
  expect(said('Change | Change to', `Member | \`owner = me\` | ${to}`)).toEqual([])
  expect(said('Change | Change to', `Member | \`owner = me\` | ${to}`, 'Aide | `helper = me` | ')).toHaveLength(1)
})
