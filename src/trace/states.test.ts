import { expect, test } from 'vitest'
import { readApp } from '../headings/index.ts'
import { loanDeskAlone as loanDesk } from '../headings/testing.ts'
import { statesOf } from './states.ts'

test('the states of each entity as a diagram, with steps, timers, beginning and ends', () => {
  const { app } = readApp('loan-desk.md', () => loanDesk)
  expect(statesOf(app!)).toBe(`## Loan

\`\`\`mermaid
stateDiagram-v2
  [*] --> Draft
  Draft --> Requested: submit
  Requested --> Approved: approve
  Requested --> Declined: decline
  Approved --> Out: hand out
  Out --> Returned: take back
  Overdue --> Returned: take back
  Out --> Overdue: overdue
  Returned --> [*]
  Declined --> [*]
\`\`\`
`)
})

test('names that the notation does not know stand beside it', () => {
  const { app } = readApp('app.md', () =>
    loanDesk.replaceAll(/\bOverdue\b/g, 'In delay').replaceAll('| hand out |', '| hand; "out" |'),
  )
  const diagram = statesOf(app!)
  expect(diagram).toContain('state "In delay" as s5')
  expect(diagram).toContain('s5 --> Returned: take back')
})
