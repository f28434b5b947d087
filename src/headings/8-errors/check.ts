/** Checks of heading 8 on the finished model. */
import { reporter } from '../../document/diagnostic.ts'
import type { Context } from '../context.ts'
import { builtIn } from './built-in.ts'
import { errorCodes } from './codes.ts'

/** Codes that nothing raises. */
export function lintErrors(context: Context): void {
  const { report } = reporter(errorCodes, 8, context.found)
  for (const { code, cell } of context.errors.all.values())
    if (!context.raised.has(code) && !(code in builtIn)) report('N1804', cell, { code })
}
