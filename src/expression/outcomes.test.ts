/** What a condition could give, against what it gives for every record that has the known values. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'
import { couldHold, mustFail } from './outcomes.ts'
import { readExpression } from './read.ts'
import type { EntityShape, FieldShape, Wire } from './type.ts'

const field = (key: string, type: FieldShape['type']): FieldShape => ({ key, type, optional: true })
const options = ['Open', 'Done', 'Lost']
const self: EntityShape = {
  key: 'task',
  name: 'Task',
  fields: new Map([
    ['state', field('state', { kind: 'choice', of: 'Task.state', options })],
    ['hours', field('hours', { kind: 'integer' })],
    ['late', field('late', { kind: 'yes/no' })],
  ]),
}
const scope = { schema: new Map([['task', self]]), self, me: null, limits: new Map(), old: false, answer: false }

const atom = fc.constantFrom(
  'state is Open',
  'state is not Done',
  'state is empty',
  'hours > 2',
  'hours is empty',
  'hours between 1 and 2',
  'late',
  'state in (Open, Lost)',
)
const { condition } = fc.letrec(tie => ({
  condition: fc.oneof(
    { depthSize: 'small' },
    atom,
    fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `(${a} and ${b})`),
    fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `(${a} or ${b})`),
  ),
}))
const values: Readonly<Record<string, readonly Wire[]>> = {
  state: [...options, null],
  hours: ['1', '2', '3', null],
  late: [true, false, null],
}

const atMost = (all: readonly Wire[]) => fc.option(fc.constantFrom(...all), { nil: undefined })

test('whatever a record with the known values gives was possible', () => {
  const known = fc.record({ state: atMost(values.state!), hours: atMost(values.hours!), late: atMost(values.late!) })
  fc.assert(
    fc.property(condition as fc.Arbitrary<string>, known, (text, facts) => {
      const cell = { file: { path: '', text }, start: 0, end: text.length, text, gaps: [] }
      const { expression } = readExpression(cell, scope)
      const given = new Map(Object.entries(facts).filter((one): one is [string, Wire] => one[1] !== undefined))
      const rows = Object.entries(values).reduce<Record<string, Wire>[]>(
        (all, [key, some]) =>
          all.flatMap(row => (given.has(key) ? [given.get(key)!] : some).map(value => ({ ...row, [key]: value }))),
        [{}],
      )
      const now = { today: '2000-01-01', now: '2000-01-01T00:00:00.000Z' }
      const results = rows.map(row =>
        evaluate(expression!, { row, old: null, me: null, my: null, ...now, limits: {}, related: () => undefined }),
      )
      if (results.includes(true)) expect(couldHold(expression!.root, given)).toBe(true)
      if (results.some(result => result !== false)) expect(mustFail(expression!.root, given)).toBe(false)
      // Where everything is known, nothing is left to guess.
      if (given.size === 3) {
        expect(couldHold(expression!.root, given)).toBe(results[0] === true)
        expect(mustFail(expression!.root, given)).toBe(results[0] === false)
      }
    }),
  )
})
