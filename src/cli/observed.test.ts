import { expect, test } from 'vitest'
import { entryOf } from './observed.ts'

test('what does not leave, and a timer that cannot fire, stands in the log with its reason; what goes well does not', () => {
  const sent = {
    kind: 'delivery',
    of: 'mail',
    name: 'due_soon',
    id: 'm1',
    attempt: 2,
    status: null,
    seconds: 0.5,
  } as const
  expect(entryOf({ ...sent, state: 'waiting', error: 'connect ECONNREFUSED' })).toEqual({
    level: 'warn',
    event: 'not delivered',
    request: '',
    detail: {
      of: 'mail',
      name: 'due_soon',
      id: 'm1',
      attempt: 2,
      status: null,
      seconds: 0.5,
      state: 'waiting',
      why: 'connect ECONNREFUSED',
    },
  })
  expect(entryOf({ ...sent, state: 'delivered', error: null })).toBe(null)
  const timer = { kind: 'timer', entity: 'loan', record: 'r1', timer: 'overdue' } as const
  expect(entryOf({ ...timer, error: 'It is locked.' })).toMatchObject({
    event: 'timer failed',
    detail: { timer: 'overdue', why: 'It is locked.' },
  })
  expect(entryOf({ ...timer, error: null })).toBe(null)
})
