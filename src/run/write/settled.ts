/** A draft between what was given and what is written, alike for new records and stored ones. */
import type { Tx } from '../../store/pool.ts'
import type { Allow } from '../access/allow.ts'
import type { Problem } from '../outcome.ts'
import type { Request, Runtime } from '../request.ts'
import { settleAbsent } from './absent.ts'
import { assignAll } from './assign.ts'
import { type Checked, check, inFormOrder, type Writing } from './check.ts'
import { withdrawUnseen } from './check-named.ts'
import { doubtOf } from './doubt.ts'
import { belong, copyAssigned, fillIn } from './fill.ts'
import type { take } from './input.ts'
import type { Related } from './record.ts'
import { renew } from './renew.ts'

/** Fills in, beside what was given, everything that the document does, and checks the whole; the problems are in the order of the form. */
export async function settled(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  allow: Allow,
  related: Related,
  taken: ReturnType<typeof take>,
  writing: Pick<Writing, 'entity' | 'record' | 'old' | 'on' | 'touched'>,
): Promise<{ readonly checked: Checked; readonly problems: readonly Problem[] }> {
  const { app } = runtime
  const { entity, record, old } = writing
  belong(app, request, entity, record, old)
  const unseen = await withdrawUnseen(tx, app, request, allow, related, { entity, record, old })
  const doubt = doubtOf(app, entity, record, old, pathsOf(taken.settled, unseen.problems))
  await fillIn(app, request, related, entity, record, old, taken.given)
  const absent = await settleAbsent(app, request, related, writing, taken.given, doubt)
  const assigned = await assignAll(tx, app, request, related, writing, doubt)
  await copyAssigned(app, request, related, entity, record, old)
  renew(app, request, related, writing)
  const checked = await check(tx, runtime, request, allow, related, {
    ...writing,
    settled: pathsOf(doubt.paths, [...absent.problems, ...assigned]),
    named: unseen.named,
  })
  const found = [...taken.problems, ...unseen.problems, ...absent.problems, ...assigned, ...checked.problems]
  return { checked, problems: inFormOrder(app, entity, found) }
}

/** Paths of which something is said already. */
const pathsOf = (settled: ReadonlySet<string>, problems: readonly Problem[]): ReadonlySet<string> =>
  new Set([...settled, ...problems.flatMap(({ field }) => field ?? [])])
