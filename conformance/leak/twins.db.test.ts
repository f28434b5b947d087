/** Nothing leaks of any example, nor of documents that are generated: each person's answers, and the statements they take, are the same of a twin in which all that they may not see is another one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { someOf, whole } from '../../scripts/limits.ts'
import { home, startServers } from '../desk.ts'
import { compare } from './compare.ts'
import { generatedDocuments } from './generated.ts'
import type { Question } from './questions.ts'
import { openTwins } from './twinned.ts'
import type { Altered } from './twins.ts'

/** What is the same in a twin: since somebody sees what is worked out with it, or since a constraint holds it (what is unique, or overlaps nothing). */
const examples: readonly (readonly [name: string, left: readonly string[], refused: readonly string[]])[] = [
  [
    'absence-desk',
    [],
    [
      'entitlement.employee',
      'entitlement.year',
      ...['employee', 'kind', 'first_day', 'last_day', 'half_day', 'deputy'].map(field => `absence.${field}`),
    ],
  ],
  // Who may borrow a thing goes by its class, and so does what a student sees of models; of their fines they see what was paid.
  [
    'equipment-desk',
    ['model.class', 'payment.fine'],
    ['certificate.person', 'certificate.training', 'booking.piece', 'booking.returned_condition'],
  ],
  ['loan-desk', [], ['loan_line.item']],
  ['purchasing', [], ['budget.cost_centre', 'budget.year']],
  ['requests', [], []],
  // How many cases a street has, and reports a case, is everybody's; whose company it is decides who sees it.
  ['street-defects', ['report.case', 'case.street', 'work_order.company'], ['work_line.material']],
]

/** Everybody is asked a quarter, each another one, unless the whole is asked for. */
const shareOf = (asked: readonly Question[], turn: number): readonly Question[] =>
  asked.filter((_, index) => whole || index % 4 === turn % 4)

test.each(someOf(examples, 2))('%s', async (name, left, refused) => {
  const altered = await compareTwins(join(home, 'examples', name, `${name}.md`), whole)
  expect(altered.flatMap(one => one.left).filter(field => !left.includes(field))).toEqual([])
  expect(altered.flatMap(one => one.refused).filter(field => !refused.includes(field))).toEqual([])
})

const generated = generatedDocuments(4, 20_261_128).map((text, index) => [index + 1, text] as const)

test.each(someOf(generated, 2))('generated document %i', async (_, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-twins-'))
  try {
    const document = join(folder, 'generated.md')
    writeFileSync(document, text)
    const altered = await compareTwins(document, true)
    expect(altered.flatMap(({ targets }) => targets)).not.toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/**
 * Asks one person of each set of roles the same of two databases, of which one is their twin; `byValues`: also by all that they do not see. Gives
 * what the twins have otherwise.
 */
async function compareTwins(document: string, byValues: boolean): Promise<readonly Altered[]> {
  const { twins, drop } = await openTwins(inject('databaseUrl'), document)
  try {
    expect(twins.length).toBeGreaterThan(0)
    const servers = await startServers(twins.flatMap(({ pair }) => pair.map(url => ({ url, document }))))
    try {
      for (const [turn, { person, asked, askedBy }] of twins.entries()) {
        const [here, there] = servers.slice(2 * turn)
        const statements = async () => (await here!.statements()).slice(2 * turn)
        await statements()
        const questions = shareOf(byValues ? [...asked, ...askedBy] : asked, turn)
        const { differences, answered } = await compare(here!.as(person), there!.as(person), questions, {
          statements,
        })
        expect([person.name, differences]).toEqual([person.name, []])
        expect(answered).toBeGreaterThan(5)
      }
    } finally {
      await servers[0]!.stop()
    }
    return twins.map(({ altered }) => altered)
  } finally {
    await drop()
  }
}
