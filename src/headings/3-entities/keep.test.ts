import { expect, test } from 'vitest'
import { readApp } from '../index.ts'

const text = (keep: string) => `# Desk

## 3 Entities and their fields

### Loan

- **Keep:** ${keep}

| Field | Type | Rules |
| --- | --- | --- |
| phone | phone | personal |
| back_on | date | |

## 4 States and transitions

### Loan

| State | Kind |
| --- | --- |
| Out | start |
| Back or gone | end |
| Lost | bad end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| take back | Out | "Back or gone" | everyone signed in |
| lose | Out | Lost | everyone signed in |
`

test.each([
  ['5 years after Lost', { states: ['Lost'] }],
  ['5 years after "Back or gone" or Lost', null],
  ['5 years after Back or gone', { states: ['Back or gone'] }],
  ['5 years after Lost or Out, then delete', { states: ['Lost', 'Out'] }],
  ['5 years after Lost, Out; then delete', { states: ['Lost', 'Out'] }],
  ['5 years after back_on', { field: 'back_on' }],
  ['5 years after created_at', { field: 'created_at' }],
])('%s', (keep, after) => {
  const read = readApp('desk.md', () => text(keep)).app?.entities.get('loan')?.keep
  if (after !== null) expect(read).toMatchObject({ after })
  else expect(read).toMatchObject({ after: { states: ['Back or gone', 'Lost'] } })
})

test.each([
  ['5 years after Lost or back_on', '`back_on` is no state: of several, each is one'],
  ['5 years after Lost or Losst', 'Loan has no state and no date `Losst`; did you mean `Lost`?'],
  ['5 years after phone', '`phone` is no date and no moment'],
])('%s is refused', (keep, why) => {
  const { found } = readApp('desk.md', () => text(keep))
  expect(found.flatMap(({ code, params }) => (code === 'N1341' ? [params.wrong] : []))).toEqual([why])
})
