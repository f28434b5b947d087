/** What people cannot change in a record: what its state locks (heading 4, column Locks), and what is frozen (heading 3). */
import type { Cell } from '../../document/source.ts'
import { sql } from '../../expression/sql.ts'
import type { Frozen } from '../../headings/3-entities/model.ts'
import type { Lock } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { columnSql } from '../names.ts'
import type { Part, Raw } from '../read/select.ts'
import { ofEntity } from '../statements.ts'

export interface LockNow {
  /** The state that locks it, or the step that froze it. Null: not for whoever asks. */
  readonly by: { readonly state: string } | { readonly step: string } | null
  readonly cell: Cell
  readonly locks: (field: string) => boolean
  /** Nothing is left to change. */
  readonly whole: boolean
  /** What is locked altogether, with or without exceptions, cannot go either. */
  readonly keeps: boolean
}

/** What is frozen by each mark. */
const frozenIn = ofEntity((app, entity) => {
  const { frozen, fields } = app.entities.get(entity)!
  const whole = frozen === null ? [] : [{ frozen, lock: { kind: 'all', cell: frozen.cell, except: frozen.except } }]
  const own = fields.flatMap(({ key, frozen: of }) =>
    of === null ? [] : [{ frozen: of, lock: { kind: 'fields', cell: of.cell, fields: [key] } }],
  )
  return [...whole, ...own] as readonly { readonly frozen: Frozen; readonly lock: Lock }[]
})

/** What locks go by, of a row of `alias`. */
export const lockParts = (app: App, entity: string, alias: string): readonly Part[] => [
  ...(app.workflows.has(entity)
    ? [{ name: 'state_now', sql: columnSql(alias, 'state'), type: 'choice' } as const]
    : []),
  ...[...new Set(frozenIn(app, entity).map(({ frozen }) => frozen.mark))].map(
    mark => ({ name: `now ${mark}`, sql: sql`${columnSql(alias, mark)} is not null`, type: 'yes/no' }) as const,
  ),
]

/** What the parts have found. `told`: whoever asks sees the state. */
export const locksIn = (app: App, entity: string, raw: Raw, told = true): readonly LockNow[] =>
  locksBy(app, entity, raw.state_now, mark => raw[`now ${mark}`] === true, told)

/** The same of a record that is at hand. */
export const locksOf = (
  app: App,
  entity: string,
  record: { readonly [field: string]: unknown },
  told = true,
): readonly LockNow[] => locksBy(app, entity, record.state, mark => (record[mark] ?? null) !== null, told)

function locksBy(
  app: App,
  entity: string,
  state: unknown,
  isFrozen: (mark: string) => boolean,
  told: boolean,
): readonly LockNow[] {
  const workflow = app.workflows.get(entity)
  const found = workflow?.states.find(({ name }) => name === state)
  const ofState = found?.locks == null ? [] : [lockNow(found.locks, told ? { state: found.name } : null)]
  const frozen = frozenIn(app, entity).filter(one => isFrozen(one.frozen.mark))
  return [...ofState, ...frozen.map(one => lockNow(one.lock, { step: stepOf(app, one.frozen) }))]
}

/** The step as people know it. */
const stepOf = (app: App, { of, steps }: Frozen): string =>
  app.workflows.get(of)!.transitions.find(({ key }) => key === steps[0])!.name

function lockNow(lock: Lock, by: LockNow['by']): LockNow {
  const { cell } = lock
  if (lock.kind === 'fields') return { by, cell, locks: key => lock.fields.includes(key), whole: false, keeps: false }
  const { except } = lock
  return { by, cell, locks: key => !except.includes(key), whole: except.length === 0, keeps: true }
}
