/** Defences that the loan desk does not need: each holds, and without it what it keeps from happening happens. */
import { expect, inject, test } from 'vitest'
import { startNode } from '../desk.ts'

/** What happens of all that must not; in a build with that row of faults.ts, where only this is tried. */
async function possible(fault?: string, attempt?: string): Promise<readonly string[]> {
  const only = attempt === undefined ? {} : { CONFORMANCE_ATTEMPT: attempt }
  const variables = { DATABASE_URL: inject('databaseUrl'), ...only }
  const started = startNode(['conformance/defences/probes.ts'], variables, fault)
  return JSON.parse(await started.find(/^(\[.*\])$/m))
}

test('nothing of it is possible', async () => {
  expect(await possible()).toEqual([])
})

test.each([
  ['a link is of every record', 'a link shows another record'],
  ['links never end', 'a link opens after its end'],
  ['what is append only is like anything else', 'what is append only is changed'],
  ['what is append only is like anything else', 'what is append only is deleted'],
  ['sums do not follow changes of rows', 'a sum is not that of its rows'],
  ['sums are worked out side by side', 'a sum loses what is added at the same moment'],
  ['a percentage is a number', 'a percentage is kept as it is typed'],
  ['the database holds any percentage', 'a percentage has more decimals than are shown'],
  ['rules of fields search nothing', 'a bound that searches other records is passed'],
  ['rows are chosen once', 'a row keeps what its record does not offer any more'],
  ['sessions outlast the right to sign in', 'who is kept out goes on'],
  ['anybody with an account may sign in', 'who is kept out signs in'],
] as const)('found: %s, because %s', async (fault, what) => {
  expect(await possible(fault, what)).toEqual([what])
})
