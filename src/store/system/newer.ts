/** A database that a newer Ninefold has set up, and what this one says to it. */
import { filled } from '../../document/diagnostic.ts'
import { sql } from '../../expression/sql.ts'
import { migrationCodes } from '../plan/codes.ts'
import type { Reader } from '../pool.ts'
import { Unavailable } from '../unavailable.ts'
import { systemSteps } from './steps.ts'

/**
 * Throws `Unavailable` (N0923) where the tables of Ninefold itself have steps that this program does not know: it would read and write them as
 * they were before. Asked before anything else is read; of the database it needs no more than the first step made.
 */
export async function refuseNewer(reader: Reader): Promise<void> {
  const [row] = await reader.query<{ there: boolean }>(sql`select to_regclass('ninefold.system') is not null as there`)
  if (!row!.there) return
  const known = systemSteps.map(({ number }) => number)
  const beyond = await reader.query<{ number: string; applied_at: string }>(
    sql`select number, applied_at from ninefold.system where number <> all (${known}::int[]) order by number`,
  )
  if (beyond.length === 0) return
  const { message, help } = migrationCodes.N0923
  const params = {
    steps: beyond.map(({ number }) => number).join(', '),
    day: beyond[0]!.applied_at.slice(0, 10),
    last: known.at(-1)!,
  }
  throw new Unavailable(filled(message, params), filled(help, params), undefined, 'N0923')
}
