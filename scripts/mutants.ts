/**
 * `npm run mutants`: `ninefold verify` against builds that do not do what their document says, each on the quickest example that says
 * something of it; what was seen, and what was not, kind by kind. `npm run mutants -- timers 'mails have no text'` tries those kinds and
 * mutants alone; `--told` says by which lines each was seen, and ends none before. One after the other, with some seconds for each.
 */
import { type Judged, judged } from '../conformance/mutants/judged.ts'
import { mutants } from '../conformance/mutants/mutants.ts'
import { startTestServer } from '../src/store/testing.ts'

const args = process.argv.slice(2)
const isTold = args.includes('--told')
const wanted = args.filter(arg => arg !== '--told')
const names = Object.keys(mutants).filter(
  name => wanted.length === 0 || wanted.includes(name) || wanted.includes(mutants[name]!.kind),
)
if (names.length === 0) {
  console.error(`There is no mutant and no kind that is called so: ${wanted.join(', ')}.`)
  process.exit(1)
}

const given = process.env.NINEFOLD_TEST_DATABASE_URL
const server = given === undefined ? await startTestServer({ fsync: 'off' }) : null
const found: Judged[] = []
try {
  for (const [index, name] of names.entries()) {
    const one = await judged(given ?? server!.url, name, isTold)
    found.push(one)
    console.log(
      `${String(index + 1).padStart(3)} of ${names.length}  ${one.verdict.padEnd(6)}  ${name} (${one.document})`,
    )
    if (isTold) for (const line of one.told) console.log(`             ${line}`)
  }
} finally {
  await server?.stop()
}

const isSeen = ({ verdict }: Judged) => verdict === 'seen'
console.log('\n| kind | seen | of | not seen |\n| --- | --- | --- | --- |')
for (const [kind, all] of Map.groupBy(found, ({ name }) => mutants[name]!.kind)) {
  const unseen = all.filter(one => !isSeen(one)).map(({ name }) => name)
  console.log(`| ${kind} | ${all.filter(isSeen).length} | ${all.length} | ${unseen.join('; ')} |`)
}
const seen = found.filter(isSeen).length
console.log(`\n${seen} of ${found.length} seen (${Math.floor((100 * seen) / found.length)} %)`)
