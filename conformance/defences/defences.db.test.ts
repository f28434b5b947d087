/** Defences that the loan desk does not need: each holds, and without it what it keeps from happening happens. */
import { expect, inject, test } from 'vitest'
import { startNode } from '../desk.ts'

/** What happens of all that must not, in a build with those rows of faults.ts. */
async function possible(faults: readonly string[]): Promise<readonly string[]> {
  const started = startNode(['conformance/defences/probes.ts'], { DATABASE_URL: inject('databaseUrl') }, faults)
  return JSON.parse(await started.find(/^(\[.*\])$/m))
}

test('nothing of it is possible', async () => {
  expect(await possible([])).toEqual([])
})

/** In one build are faults that have nothing to do with each other: what happens then is the sum of what each lets happen. */
const builds: readonly Readonly<Record<string, readonly string[]>>[] = [
  {
    'a link is of every record': ['a link shows another record'],
    'what is append only is like anything else': ['what is append only is changed', 'what is append only is deleted'],
    'sums do not follow changes of rows': ['a sum is not that of its rows'],
    'a percentage is a number': ['a percentage is kept as it is typed'],
    'rules of fields search nothing': ['a bound that searches other records is passed'],
    'sessions outlast the right to sign in': ['who is kept out goes on'],
    'rules speak before the permission': ['a refused record tells what a closed field holds'],
    'a repeat is told of the record as it is': ['a repeat is told of what has become of it'],
    'references tell which record they name': ['a reference tells which record it names'],
  },
  {
    'links never end': ['a link opens after its end'],
    'sums are worked out side by side': ['a sum loses what is added at the same moment'],
    'the database holds any percentage': ['a percentage has more decimals than are shown'],
    'rows are chosen once': ['a row keeps what its record does not offer any more'],
    'anybody with an account may sign in': ['who is kept out signs in'],
    'the record as it would be is not asked about': ['a change leads out of what may be changed'],
    'a tag is of the version alone': ['the tag stays where the answer is another one'],
    'what is not seen is known when it is sent': ['the id of what is not seen is known by what becomes of a change'],
    'a signed message is good for any key': ['a signed message is taken twice'],
  },
]

test.each(builds.map(build => [Object.keys(build).join('; '), build] as const))('found: %s', async (_, build) => {
  expect([...(await possible(Object.keys(build)))].sort()).toEqual(Object.values(build).flat().sort())
})
