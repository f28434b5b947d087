import { expect, test } from 'vitest'
import { readApp } from './index.ts'

const root = (more = '') => `# Town

- **Part:** [Fees](fees.md)

## 3 Entities and their fields

### Case

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
${more}
## 4 States and transitions

### Case

| State | Kind |
| --- | --- |
| Open | start |
| Closed | end |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | everyone signed in |

### Case

| Role | See | Create | Do |
| --- | --- | --- | --- |
| Clerk | yes | yes | all |
`
const fees = (field = 'fee') => `# Fees

## 3 Entities and their fields

### Case

- **Order:** ${field} down

| Field | Type |
| --- | --- |
| ${field} | integer |

## 4 States and transitions

### Case

| Transition | From | To | Who |
| --- | --- | --- | --- |
| pay | Open | Closed | Clerk |
`

const read = (files: Readonly<Record<string, string>>) => {
  const { app, found } = readApp('town.md', path => files[path] ?? null)
  return { app: app!, errors: found.filter(({ severity }) => severity === 'error').map(({ code }) => code) }
}

test('what several files say of an entity is one entity', () => {
  const { app, errors } = read({ 'town.md': root(), 'fees.md': fees() })
  expect(errors).toEqual([])
  const { fields } = app.entities.get('case')!
  expect(fields.map(({ key, cell }) => [key, cell.file.path])).toEqual([
    ['name', 'town.md'],
    ['fee', 'fees.md'],
  ])
  expect(app.workflows.get('case')!.transitions.map(({ key }) => key)).toEqual(['pay'])
})

test('the same field, or the same entity in one file, stands there twice', () => {
  expect(read({ 'town.md': root(), 'fees.md': fees('name') }).errors).toEqual(['N1303'])
  const again = '\n### Case\n\n| Field | Type |\n| --- | --- |\n| other | integer |\n'
  expect(read({ 'town.md': root(again), 'fees.md': fees() }).errors).toEqual(['N1302'])
})
