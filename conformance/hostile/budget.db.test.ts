/** Nothing that somebody sends costs more than its share: processor time grows with the length, not faster. */
import { expect, inject, test } from 'vitest'
import { someOf } from '../../scripts/limits.ts'
import { startNode } from '../desk.ts'

/** Of the inputs of these names; none: of all. */
async function measured(faults: readonly string[], names: readonly string[] = []) {
  const started = startNode(
    ['conformance/hostile/measure.ts', ...names],
    { DATABASE_URL: inject('databaseUrl') },
    faults,
  )
  const answers: Readonly<Record<string, number>> = JSON.parse(await started.find(/^answers (\{.*\})$/m))
  const dear: readonly string[] = JSON.parse(await started.find(/^dear (\[.*\])$/m))
  const growing: readonly string[] = JSON.parse(await started.find(/^growing (\[.*\])$/m))
  return { answers, dear, growing }
}

const marks = `shown ${JSON.stringify('\u0315\u0300')}`

/** Forms of Ninefold itself that are about something which `measure.ts` has made. */
const ofRecords =
  /^form of \/-\/(?:account\/(?:deputies|keys|passkeys|second-factor|sessions)|act|bulk|cell|comments|emergency|held|import|job|limits|notices|people|people\/(?:invite|role|sign-in)|person-data|print|sign-up|unsent|view)$/

/** What is meant to be taken was taken; the rest is refused for what it is, not for how often something was sent. */
function meant(name: string, status: number): number {
  const among = (...meant: readonly number[]) => (meant.includes(status) ? status : meant[0]!)
  if (/ in (?:heads|addresses)$/.test(name)) return 200
  if (/ of imports$/.test(name)) return 303
  if (/^set /.test(name)) return 200
  if (name === 'empty parts of forms') return 413
  // What they name is there.
  if (ofRecords.test(name)) return among(200, 303, 422)
  if (/^(?:head|cookie|query|form) /.test(name)) return status < 500 ? status : 200
  if (/^shown | in comments$/.test(name) && name !== marks) return 201
  return among(422, 201, 303, 400, 404)
}

test('what is sent, and what is shown of it, takes time in proportion to its length', async () => {
  const { answers, growing } = await measured([])
  for (const [name, status] of Object.entries(answers)) expect([name, status]).toEqual([name, meant(name, status)])
  expect(growing).toEqual([])
})

test('nor does a value cost more for being the first or the last that there is', async () => {
  const { dear } = await measured([], ['sizes'])
  expect(dear).toEqual([])
})

test('found: each reader that takes the square of the length, by what it reads', async () => {
  const readers = {
    'long numbers in JSON': 'numbers of JSON are read to their end',
    'parts of forms': 'a form is looked through for every part',
    [`sent ${JSON.stringify('\u0315\u0300')}`]: 'marks are put into order however many they are',
    'shown " a"': 'Markdown is read from its beginning for every letter',
  }
  const tried = someOf(Object.entries(readers), 2)
  const names = tried.map(([name]) => name)
  const { growing } = await measured(
    tried.map(([, fault]) => fault),
    names,
  )
  expect(growing.toSorted()).toEqual(names.toSorted())
})
