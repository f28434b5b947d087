/**
 * Checks on the finished model, heading by heading. What cannot be served is an error; the rest is a warning, and is looked for
 * only in a document without errors, so that one mistake gives one message and not also its consequences.
 */
import { checkSignUp } from './1-product/sign-up.ts'
import { lintTranslations } from './1-product/untranslated.ts'
import { checkHomes, checkPublicForms, checkRoutes, checkWizards, lintScreens } from './2-screens/check.ts'
import { checkOnlyPublic } from './2-screens/public-forms.ts'
import { checkEntities, lintEntities } from './3-entities/check.ts'
import { checkSamplePeople } from './3-entities/samples.ts'
import { checkEffects, checkStates, lintStates } from './4-states/check.ts'
import { checkApprovals } from './4-states/check-approvals.ts'
import { checkStored } from './4-states/stored.ts'
import { checkUndone } from './4-states/undone.ts'
import { lintUnfilled } from './4-states/unfilled.ts'
import { lintLengths, lintRules } from './5-validation/check.ts'
import { lintExclusive } from './5-validation/exclusive.ts'
import { checkApart } from './6-permissions/apart.ts'
import { lintPermissions } from './6-permissions/check.ts'
import { heldRoles } from './6-permissions/held.ts'
import { checkBound } from './6-permissions/links.ts'
import { checkShares } from './6-permissions/shares.ts'
import { checkOrders, checkPulled, checkReceives, lintCalls, lintReceives } from './7-calls/check.ts'
import { lintErrors } from './8-errors/check.ts'
import { lintUntold } from './8-errors/tells.ts'
import { lintLimits } from './9-limits/check.ts'
import type { App } from './app.ts'
import type { Context } from './context.ts'

/** Runs every check; adds to what was found. */
export function checkApp(context: Context, app: App): void {
  checkSignUp(context, app)
  checkRoutes(context, app)
  checkHomes(context, app)
  checkPublicForms(context, app)
  checkOnlyPublic(context, app)
  checkWizards(context, app)
  checkEntities(context, app)
  checkApart(context, app)
  checkSamplePeople(context, app)
  checkStates(context, app)
  checkApprovals(context, app)
  checkStored(context, app)
  checkUndone(context, app)
  checkEffects(context, app)
  checkBound(context, app)
  checkShares(context, app)
  checkOrders(context, app)
  checkReceives(context, app)
  checkPulled(context, app)
  if (context.found.some(({ severity }) => severity === 'error')) return
  const held = heldRoles(app.roles)
  lintTranslations(context, app)
  lintScreens(context, app, held)
  lintEntities(context, app)
  lintStates(context, app, held)
  lintUnfilled(context, app, held)
  lintRules(context, app, held)
  lintLengths(context, app)
  lintExclusive(context, app)
  lintPermissions(context, app, held)
  lintCalls(context, app, held)
  lintReceives(context, app)
  lintErrors(context)
  lintUntold(context, app, held)
  lintLimits(context, app)
}
