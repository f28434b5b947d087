/**
 * `node scripts/run.mjs scripts/alarms.ts 200 7`: `ninefold verify` on so many generated documents (of this seed), and what it says against an application that
 * does what they say: nothing, or there is a mistake in one or the other. A test tries a few (`conformance/mutants/mutants.db.test.ts`).
 */
import { generatedDocuments } from '../conformance/leak/generated.ts'
import { startTestServer } from '../src/store/testing.ts'

// React's development form is several times slower, and refused.
process.env.NODE_ENV = 'production'
const { alarmsOf } = await import('../conformance/mutants/sound.ts')

const [count = 200, seed = 1] = process.argv.slice(2).map(Number)
const given = process.env.NINEFOLD_TEST_DATABASE_URL
const server = given === undefined ? await startTestServer({ fsync: 'off' }) : null
let wrong = 0
try {
  for (const [index, text] of generatedDocuments(count, seed).entries()) {
    const alarms = await alarmsOf(given ?? server!.url, text)
    if (alarms.length > 0) wrong++
    for (const alarm of alarms) console.log(`${index + 1} of ${count}: ${alarm}`)
    if ((index + 1) % 20 === 0) console.log(`${index + 1} of ${count}, ${wrong} with something against them`)
  }
} finally {
  await server?.stop()
}
console.log(`${wrong} of ${count} documents have something against them`)
process.exitCode = wrong === 0 ? 0 : 1
