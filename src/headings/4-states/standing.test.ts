/** Which clocks of timers may stand, and in which states. */
import { expect, test } from 'vitest'
import { readApp } from '../index.ts'

const read = (during: string, at = '2 hours after entering') =>
  readApp(
    'tickets.md',
    () => `# Tickets

## 3 Entities and their fields

### Ticket

| Field | Type | Rules |
| --- | --- | --- |
| late | yes/no | default no |

## 4 States and transitions

### Ticket

| State | Kind |
| --- | --- |
| Open | start |
| Waiting | |
| Done | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| ask | Open | Waiting | none |
| go on | Waiting | Open | none |
| finish | Open | Done | none |

| Timer | While | At | Then |
| --- | --- | --- | --- |
| miss | ${during} | ${at} | set late = yes |
`,
  )
const codes = (...given: Parameters<typeof read>) =>
  read(...given).found.flatMap(({ code, severity, span }) =>
    severity === 'error' ? [`${code} ${span.file.text.slice(span.start, span.end)}`] : [],
  )

test('behind the states in which it runs stand those in which it stands', () => {
  expect(codes('Open; stands in Waiting, Done')).toEqual([])
  expect(read('Open; stands in Waiting').app!.timers).toMatchObject([{ while: ['Open'], stands: ['Waiting'] }])
  expect(read('Open').app!.timers).toMatchObject([{ while: ['Open'], stands: null }])
})

test.each([
  ['Open; stands in Wating', undefined, ['N1401 Wating']],
  ['Open; stnds in Waiting', undefined, ['N1474 stnds in Waiting']],
  ['Open; stands in', undefined, ['N1474 stands in']],
  ['Open, Waiting; stands in Waiting', undefined, ['N1474 stands in Waiting']],
  ['Open; stands in Waiting; stands in Done', undefined, ['N1474 stands in Waiting']],
  ['Open; stands in Waiting', 'every 2 hours', ['N1474 stands in Waiting']],
])('%s %s is told', (during, at, told) => expect(codes(during, at)).toEqual(told))
