/** What people cannot change while a record is in a state (heading 4, column Locks). */
import type { Cell } from '../../document/source.ts'
import type { App } from '../../headings/app.ts'

export interface LockNow {
  /** Null: not for whoever asks. */
  readonly state: string | null
  readonly cell: Cell
  readonly locks: (field: string) => boolean
  /** Nothing is left to change. */
  readonly whole: boolean
  /** What is locked altogether, with or without exceptions, cannot go either. */
  readonly keeps: boolean
}

/** Null: nothing is locked in this state. `told`: whoever asks sees the state. */
export function lockAt(app: App, entity: string, state: unknown, told = true): LockNow | null {
  const found = app.workflows.get(entity)?.states.find(({ name }) => name === state)
  const lock = found?.locks ?? null
  if (found === undefined || lock === null) return null
  const { cell } = lock
  const name = told ? found.name : null
  if (lock.kind === 'fields')
    return { state: name, cell, locks: key => lock.fields.includes(key), whole: false, keeps: false }
  const { except } = lock
  return { state: name, cell, locks: key => !except.includes(key), whole: except.length === 0, keeps: true }
}
