/** What people cannot change while a record is in a state (heading 4, column Locks). */
import type { Cell } from '../document/source.ts'
import type { App } from '../headings/app.ts'

export interface LockNow {
  readonly state: string
  readonly cell: Cell
  readonly locks: (field: string) => boolean
  /** Nothing is left to change. */
  readonly whole: boolean
  /** What is locked altogether, with or without exceptions, cannot go either. */
  readonly keeps: boolean
}

/** Null: nothing is locked in this state. */
export function lockAt(app: App, entity: string, state: unknown): LockNow | null {
  const found = app.workflows.get(entity)?.states.find(({ name }) => name === state)
  const lock = found?.locks ?? null
  if (found === undefined || lock === null) return null
  const { cell } = lock
  if (lock.kind === 'fields')
    return { state: found.name, cell, locks: key => lock.fields.includes(key), whole: false, keeps: false }
  const { except } = lock
  return { state: found.name, cell, locks: key => !except.includes(key), whole: except.length === 0, keeps: true }
}
