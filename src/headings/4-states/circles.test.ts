/** Effects that cause each other: told where they may go on, and not where the state that a step leads to ends them. */
import { expect, test } from 'vitest'
import { readApp } from '../index.ts'

const circles = (when: string) => {
  const text = `# Papers

## 3 Entities and their fields

### Paper

| Field | Type | Rules |
| --- | --- | --- |
| votes | integer | default 0 |

## 4 States and transitions

### Paper

| State | Kind |
| --- | --- |
| Open | start |
| Done | end |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
| finish | Open | Done | none | none |

| On | Of | When | Then |
| --- | --- | --- | --- |
| changed | Paper | \`${when}\` | do finish on this |
`
  const { found } = readApp('papers.md', name => (name === 'papers.md' ? text : null))
  return found.filter(({ code }) => code === 'N1431').length
}

test('a state that the When excludes ends it', () => {
  expect(circles('state = Open')).toBe(0)
  expect(circles('state in (Open, Done)')).toBe(1)
  expect(circles('state != Open')).toBe(1)
  expect(circles('old.state = Open')).toBe(1)
})
