import { expect, test } from 'vitest'
import { readApp } from '../../../headings/index.ts'
import { inbox } from './screen.ts'

const workflow = (entity: string, steps: readonly string[]) =>
  `### ${entity}\n\n| State | Kind |\n| --- | --- |\n| Open | start |\n| Done | end |\n\n| Transition | From | To | Who |\n| --- | --- | --- | --- |\n${steps
    .map(step => `| ${step} | Open | Done | Clerk |\n`)
    .join('')}\n`

const written = (steps: string) => `# Desk

## 2 Screens and routes

| Screen | Route | For | Shows |
| --- | --- | --- | --- |
| Waiting | /waiting | Clerk | inbox |

### Waiting
${steps === '' ? '' : `\n- **Steps:** ${steps}\n`}
## 3 Entities and their fields

### Order

| Field | Type | Rules |
| --- | --- | --- |
| lines | list of Line | |

### Line (part of Order)

| Field | Type | Rules |
| --- | --- | --- |
| what | text | required |

## 4 States and transitions

${workflow('Order', ['check', 'send'])}${workflow('Line', ['check', 'take out of store'])}
## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |
`

function waitsFor(steps: string) {
  const { app, found } = readApp('one.md', path => (path === 'one.md' ? written(steps) : null))
  const [screen] = app!.screens
  const errors = found.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code} ${message}`)
  return { errors, steps: inbox.awaits(screen!, app!).map(({ entity, step }) => `${entity} ${step}`) }
}

test('an inbox waits for all steps, for those of a name, or for that of one entity alone', () => {
  const all = ['order check', 'order send', 'line check', 'line take_out_of_store']
  expect(waitsFor('')).toEqual({ errors: [], steps: all })
  expect(waitsFor('check')).toEqual({ errors: [], steps: ['order check', 'line check'] })
  expect(waitsFor('check of Order, send')).toEqual({ errors: [], steps: ['order check', 'order send'] })
  expect(waitsFor('take out of store of Line')).toEqual({ errors: [], steps: ['line take_out_of_store'] })
})

test('a step that its entity has not, and an entity that there is not, are named', () => {
  expect(waitsFor('send of Line').errors).toEqual(['N1403 Line has no step `send`'])
  expect(waitsFor('check of Ordr').errors).toEqual(['N1301 there is no entity `Ordr`; did you mean `Order`?'])
  expect(waitsFor('chek').errors).toEqual(['N1227 nothing has a step `chek`; did you mean `check`?'])
})
