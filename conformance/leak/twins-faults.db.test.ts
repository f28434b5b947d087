/** The twins of a generated document find the leaks that are built in on purpose, wherever they apply to it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { someOf } from '../../scripts/limits.ts'
import { startServers } from '../desk.ts'
import { compare } from './compare.ts'
import { generatedDocuments } from './generated.ts'
import { openTwins, type Twins } from './twinned.ts'

/**
 * `door`: where it is looked for. Not here, but in `faults.db.test.ts` and tests of their own, since these documents have nothing that they
 * would tell: what nobody may (no `never`), prints, archived records, histories of rows; and what only writes, or a record that is named and
 * not seen itself, would show.
 */
const leaks: readonly (readonly [fault: string, door: RegExp])[] = [
  ['rows are shown to everybody', /^\/api\/v1\/job\/[\w-]+$/],
  ['hidden fields are shown', /^\/api\/v1\/job\/[\w-]+$/],
  ['fields are shown to everybody', /^\/api\/v1\/job\/[\w-]+$/],
  ['versions count what is closed', /^\/api\/v1\/\w+\/[\w-]+$/],
  ['when it was changed is told of what is closed', /^\/api\/v1\/\w+\/[\w-]+$/],
  ['a field seen on some rows is shown on all', /^\/api\/v1\/job\/[\w-]+$/],
  ['filters ask no permission', /^\/api\/v1\/\w+\?(?!q=|sort=).*=.*&count=yes/],
  ['sorting asks no permission', /\?sort=/],
  ['search asks no permission', /[?&]q=/],
  ['counts are of all rows', /&count=yes/],
  ['labels name what may not be seen', /^\/jobs/],
  ['the history names what may not be seen', /^\/jobs\//],
  ['the history has every field', /^\/jobs\//],
  ['pickers offer everything', /^\/-\/options/],
]

const folder = mkdtempSync(join(tmpdir(), 'ninefold-twins-'))
const document = join(folder, 'generated.md')
let twins: Twins

beforeAll(async () => {
  writeFileSync(document, generatedDocuments(1, 20_261_128)[0]!)
  twins = await openTwins(inject('databaseUrl'), document)
})
afterAll(async () => {
  await twins?.drop()
  rmSync(folder, { recursive: true, force: true })
})

test.each(someOf(leaks, 3))('found: %s', async (fault, door) => {
  const pairs = twins.twins.flatMap(({ pair }) => pair)
  const servers = await startServers(
    pairs.map(url => ({ url, document })),
    { faults: [fault] },
  )
  try {
    let found = 0
    for (const [turn, { person, asked, askedBy }] of twins.twins.entries()) {
      const [here, there] = servers.slice(2 * turn)
      const first = [...asked, ...askedBy].filter(({ path }) => door.test(path))
      const { differences } = await compare(here!.as(person), there!.as(person), first, { upTo: 1 })
      found = differences.length
      if (found > 0) break
    }
    expect(found).toBe(1)
  } finally {
    await servers[0]!.stop()
  }
})
