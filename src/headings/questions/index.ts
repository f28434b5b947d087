/**
 * What `ninefold check --ways` asks: steps that get round something, states that a record comes back to with marks of an earlier life,
 * records that left in part. Told only where the document itself shows how it happens; nothing of it need be a mistake.
 */
import type { Diagnostic } from '../../document/diagnostic.ts'
import type { Workflow } from '../4-states/model.ts'
import type { App } from '../app.ts'
import { askInto } from './asking.ts'
import { askLater } from './later.ts'
import { askMarks } from './marks.ts'
import { askNobody } from './nobody.ts'
import { askParts } from './parts.ts'
import { askRound } from './round.ts'
import { askSelf } from './self.ts'

/** In the order of the workflows, and for each by kind. */
export const questionsOf = (app: App): readonly Diagnostic[] =>
  [...app.workflows.values()].flatMap(workflow => questionsAbout(app, workflow))

export function questionsAbout(app: App, workflow: Workflow): readonly Diagnostic[] {
  const found: Diagnostic[] = []
  const ask = askInto(found)
  for (const question of [askLater, askRound, askSelf, askMarks, askParts, askNobody]) question(ask, app, workflow)
  return found
}
