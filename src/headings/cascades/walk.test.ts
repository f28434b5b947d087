import { expect, test } from 'vitest'
import type { Diagnostic, Fact } from '../../document/diagnostic.ts'
import { facts } from './facts.ts'
import { type Ties, withoutFollowing } from './walk.ts'

/** The codes that are left of findings with these ties: `denies < rests`, facts as letters. */
function left(...written: readonly string[]): readonly string[] {
  const factsOf = (letters: string): readonly Fact[] => [...letters].map(letter => facts.spelt(letter))
  const ties = new Map<Diagnostic, Ties>()
  written.forEach((line, index) => {
    const [denies = '', rests = ''] = line.split('<')
    const one = { code: String(index) } as Diagnostic
    ties.set(one, { denies: factsOf(denies.trim()), rests: factsOf(rests.trim()) })
  })
  return withoutFollowing([...ties.keys()], one => ties.get(one)!).map(({ code }) => code)
}

test('what rests on nothing that is denied stays', () => {
  expect(left('a <', '< b', '< c', 'd < c')).toEqual(['0', '1', '2', '3'])
})

test('what follows goes, directly and through others, wherever it stands', () => {
  expect(left('< c', 'c < b', 'b < a', 'a <')).toEqual(['3'])
})

test('of those that follow only from each other the first stays', () => {
  expect(left('a < b', 'b < a')).toEqual(['0'])
  expect(left('a < b', 'b < c', 'c < a', '< a')).toEqual(['0'])
  expect(left('a < b', 'b < ax', 'x <')).toEqual(['2'])
})

test('nothing follows from itself, but from another one that denies the same', () => {
  expect(left('a < a')).toEqual(['0'])
  expect(left('a < a', 'a < a', 'a < a')).toEqual(['0'])
  expect(left('a < a', 'a <')).toEqual(['1'])
})

test('many that deny one fact on which many rest are looked at once each', () => {
  const many = 20_000
  let asked = 0
  const whole = facts.whole(3)
  const tie = (name: 'denies' | 'rests') => ({
    denies: [],
    rests: [],
    get [name]() {
      asked++
      return [whole]
    },
  })
  const found = Array.from(
    { length: 2 * many },
    (_, index) => ({ code: index < many ? 'denies' : 'rests' }) as Diagnostic,
  )
  const ties = new Map(found.map(one => [one, tie(one.code as keyof Ties)]))
  expect(withoutFollowing(found, one => ties.get(one)!)).toHaveLength(many)
  expect(asked).toBeLessThan(10 * many)
})
