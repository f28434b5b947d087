/** No field hides what the API says of a record, and none is refused where the API says nothing. */
import { expect, test } from 'vitest'
import { readApp } from '../index.ts'
import { saidByApi } from './built-in-names.ts'

const states = `
## 4 States and transitions

### Request

| State | Kind |
| --- | --- |
| Asked | start |
| Granted | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| grant | Asked | Granted | Clerk |
`

const approvals = `
| Approval | Of | Needs | From |
| --- | --- | --- | --- |
| Second pair of eyes | grant | 1 | Clerk |
`

/** Names of fields that are refused as built in, where the entity has all of them. */
function refused(workflow: string): readonly string[] {
  const rows = Object.keys(saidByApi).map(name => `| ${name} | text 20 | |\n`)
  const text = `# Desk

## 3 Entities and their fields

### Request

| Field | Type | Rules |
| --- | --- | --- |
| title | text 20 | required |
${rows.join('')}${workflow}`
  const { found } = readApp('desk.md', name => (name === 'desk.md' ? text : null))
  return found.flatMap(({ code, params }) => (code === 'N1317' ? [String(params.name)] : []))
}

test('each name that the API uses is reserved where it uses it', () => {
  expect(refused('')).toEqual(['unseen'])
  expect(refused(states)).toEqual(['unseen', 'steps'])
  expect(refused(states + approvals)).toEqual(['unseen', 'steps', 'approvals'])
})
