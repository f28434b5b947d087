import { expect, test } from 'vitest'
import type { RecordValue } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { listGaps } from '../../headings/gaps/list.ts'
import { readApp } from '../../headings/index.ts'
import { type CodeFailure, functionsOf, listenToCode } from './code.ts'

const document = `# Orders

## 3 Entities and their fields

### Order

| Field | Type | Rules |
| --- | --- | --- |
| name | text 20 | required |
| lines | list of Line | |
| fee | money EUR | set by steps only |

### Line (part of Order)

| Field | Type |
| --- | --- |
| quantity | integer |
| price | money EUR |
| day | date |
| rush | yes/no |

| Function | Takes | Gives | Code |
| --- | --- | --- | --- |
| fee | lines: list of Line, days: integer | money EUR | [fees.ts](code/fees.ts) |
| named | order: Order | text 40 | [fees.ts](code/fees.ts) |
| chance | none | decimal | [fees.ts](code/fees.ts) |
| today_there | none | text | [fees.ts](code/fees.ts) |
| endless | none | integer | [fees.ts](code/fees.ts) |
| outside | none | text | [fees.ts](code/fees.ts) |
| wrong | none | integer | [fees.ts](code/fees.ts) |
| promised | none | text | [fees.ts](code/fees.ts) |
| nothing | none | text | [fees.ts](code/fees.ts) |
| counted | none | integer | [fees.ts](code/fees.ts) |
| today_behind | none | text | [fees.ts](code/fees.ts) |
| today_written | none | text | [fees.ts](code/fees.ts) |
| today_in_parts | none | text | [fees.ts](code/fees.ts) |
| days | none | text | [fees.ts](code/fees.ts) |
| made_up | none | text | [fees.ts](code/fees.ts) |
| open | none | text | TBD (Fee, not written) |

## 5 Validation rules

| Rule | Applies to | Must hold | Error |
| --- | --- | --- | --- |
| V-1 | Order | \`fee(lines, 2) < 100.00\` | TBD |
`

const code = `
interface Line { quantity: number | null; price: string | null; day: string | null; rush: boolean | null }
let calls = 0
export function fee(lines: Line[], days: number): string {
  let cents = 0n
  for (const { quantity, price } of lines) cents += BigInt(quantity ?? 0) * BigInt((price ?? '0.00').replace('.', ''))
  return (Number(cents * BigInt(days)) / 100).toFixed(2)
}
export const named = (order: { name: string; lines: Line[] }) => [order.name, order.lines.length, order.lines[0]?.rush, order.lines[0]?.day].join(' ')
export function chance() { return String(Math.random()) }
export function today_there() { return new Date().toISOString() }
export function today_behind() { return String(Reflect.construct(Object.getPrototypeOf(Date), [])) }
export function today_written() { return new Date(0).constructor() }
export function today_in_parts() { return JSON.stringify(new Intl.DateTimeFormat('en').formatToParts()) + new Intl.DateTimeFormat('en').format() }
export function days() {
  class Day extends Date {}
  const words = new Intl.DateTimeFormat('en', { timeZone: 'UTC' })
  const day = new Day(Date.UTC(2026, 2, 2))
  return [day.toISOString(), day instanceof Date, words.format(day), words.formatToParts(day).length, Date.parse('2026-03-02')].join(' ')
}
export function endless() { for (;;) ; }
export function outside() { return typeof process + typeof require + typeof fetch + typeof setTimeout + typeof globalThis.process }
export function wrong() { return 1.5 }
export function promised() { return Promise.resolve('later') }
export function nothing() { return null }
export function counted() { return ++calls }
export function made_up() { return Function('return 1')() }
`

const { app: read, found } = readApp('orders.md', path =>
  path === 'orders.md' ? document : path === 'code/fees.ts' ? code : null,
)
const app = read as App
const functions = functionsOf(app)
const failures: CodeFailure[] = []
listenToCode(app, failure => failures.push(failure))
const ask = (name: string, ...values: readonly (string | boolean | RecordValue | readonly RecordValue[])[]) => {
  failures.length = 0
  return functions[name]!(...values)
}

test('the document is sound', () => {
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
})

test('values go in as the API has them, and a value of the type comes out', () => {
  const lines = [
    { id: 'a', quantity: '2', price: '1.50', day: '2026-03-02', rush: true },
    { id: 'b', quantity: '1', price: '0.25', day: null, rush: null },
  ]
  expect(ask('fee', lines, '3')).toBe('9.75')
  expect(ask('named', { id: 'o', name: 'Anna', lines })).toBe('Anna 2 true 2026-03-02')
  expect(failures).toEqual([])
})

test.each([
  ['chance', /no chance/],
  ['today_there', /no clock/],
  ['today_behind', /not a constructor/],
  ['today_written', /no clock/],
  ['today_in_parts', /no clock/],
  ['endless', /timed out/],
  ['wrong', /1\.5, which is not of type integer/],
  ['made_up', /Code generation from strings/],
])('%s is unknown, and told', (name, why) => {
  expect(ask(name)).toBe(null)
  expect(failures.map(failure => failure.of.name)).toEqual([name])
  expect(failures[0]!.why).toMatch(why)
})

test('a promise is no value', () => {
  expect(ask('promised')).not.toBe('later')
})

test('nothing of the outside is there, and days that are given are as everywhere', () => {
  expect(ask('outside')).toBe('undefined'.repeat(5))
  expect(ask('days')).toBe('2026-03-02T00:00:00.000Z true 3/2/2026 5 1772409600000')
})

test('nothing stays from one call to the next', () => {
  expect([ask('counted'), ask('counted')]).toEqual(['1', '1'])
})

test('a record that lacks what its type promises is not given, one with a number beyond those of JavaScript neither', () => {
  expect(ask('named', { id: 'o', name: null, lines: [] })).toBe(null)
  expect(failures).toEqual([])
  expect(ask('fee', [{ id: 'a', quantity: '9007199254740993', price: '1.00' }], '1')).toBe(null)
  expect(failures[0]!.why).toMatch(/too large/)
})

test('nothing is unknown, and so is what is left open; neither is a failure', () => {
  expect([ask('nothing'), ask('open')]).toEqual([null, null])
  expect(failures).toEqual([])
})

test('what code decides is counted, with its place', () => {
  const lines = listGaps(app)
  expect(lines).toContain('1 place decided in code')
  expect(lines.at(-1)).toMatch(/^ {2}orders\.md:45:\d+ +`fee\(lines, 2\) < 100\.00` asks fee$/)
  expect(lines.join('\n')).toContain('the code of open: what it gives is unknown (Fee, not written)')
})
