/** Actions of a view as the parts of `ui` take them. */
import type { ClosedStep, Step } from '../../ui/record.tsx'
import { unknownRing } from '../../ui/states.ts'
import type { ActionView } from './view-model.ts'

/** Open actions: what can be pressed. `object` names the record. */
export const openSteps = (actions: readonly ActionView[], object: string): readonly Step[] =>
  actions
    .filter(({ open }) => open)
    .map(({ label, letter = null, action, hidden, to, danger, why, mark, asks, confirm }) => ({
      label,
      object,
      letter,
      action,
      hidden,
      ring: to?.ring ?? unknownRing,
      ...(danger
        ? { tone: 'bad' as const, ask: { title: `${label} ${object}?`, consequence: why, confirm: label } }
        : {}),
      page: asks ? confirm : null,
      note: why,
      line: mark,
    }))

/** Closed ones, with their reasons. */
export const closedSteps = (actions: readonly ActionView[]): readonly ClosedStep[] =>
  actions
    .filter(({ open }) => !open)
    .map(({ label, why, elsewhere, mark }) => ({ label, reason: why, elsewhere: elsewhere === true, line: mark }))
