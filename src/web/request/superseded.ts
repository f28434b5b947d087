/** A version of the application whose tables are those of another document by now: what it cannot find any more is no fault of its own. */
import { codeOf } from '../../store/failures.ts'
import { versionOfTables } from '../../store/migrate.ts'
import { Unavailable } from '../../store/unavailable.ts'
import type { Web } from '../request-context.ts'

/** Codes of PostgreSQL: a column, table or function that is not there, a value or comparison of another type. */
const lacking = new Set(['42703', '42P01', '42883', '42804', '22P02', '0A000'])

export class Superseded extends Unavailable {}

/** The failure as it is, or as that of an application that was superseded meanwhile. */
export async function orSuperseded({ served }: Web, error: unknown): Promise<unknown> {
  if (!lacking.has(codeOf(error))) return error
  const { app, store } = served().runtime
  const [tables] = await store.query<{ version: string }>(versionOfTables).catch(() => [])
  return tables === undefined || tables.version === app.version
    ? error
    : new Superseded(
        `The document ${tables.version} is applied, and this process serves ${app.version}: ${(error as Error).message}`,
        'End it, and start the new version.',
        error,
      )
}
