/** What happened without anybody asking and went wrong, as entries of the log: nobody sees a page that says so. */
import type { Observation } from '../run/observe.ts'
import type { LogEntry } from '../web/request-context.ts'

/** Null: there is nothing to look at. */
export function entryOf(observation: Observation): LogEntry | null {
  if (observation.kind === 'standby') return standbyEntry(observation.error)
  if (observation.kind === 'wrote' || observation.error === null) return null
  const { kind, error: why, ...detail } = observation
  return kind === 'timer'
    ? { level: 'warn', event: 'timer failed', request: '', detail: { ...detail, why } }
    : { level: 'warn', event: 'not delivered', request: '', detail: { ...detail, why } }
}

const standbyEntry = (why: string | null): LogEntry => ({
  level: why === null ? 'info' : 'warn',
  event: 'replica',
  request: '',
  detail: why === null ? { read: true } : { read: false, why },
})
