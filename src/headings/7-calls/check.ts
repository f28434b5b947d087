/** Checks of heading 7 on the finished model. */
import { reporter } from '../../document/diagnostic.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { callCodes } from './codes.ts'

/** Calls and mails that nothing starts, and calls that do not say what happens when they fail. */
export function lintCalls(context: Context, { calls, mails }: App): void {
  const { report } = reporter(callCodes, 7, context.found)
  for (const { key, cell, trigger, answers } of calls.values()) {
    const uses = context.calls.all.get(key)!.usedBy
    if (trigger === null && uses.size === 0) report('N1710', cell, { call: key })
    else if (!answers.some(({ timeout, statuses }) => timeout || statuses.some(status => /^[45]/.test(status))))
      report('N1714', cell, { call: key })
  }
  for (const { key, cell } of mails.values())
    if (context.mails.all.get(key)!.usedBy.size === 0) report('N1711', cell, { mail: key })
}
