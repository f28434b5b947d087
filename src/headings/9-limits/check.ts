/** Checks of heading 9 on the finished model. */
import { reporter } from '../../document/diagnostic.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { limitCodes } from './codes.ts'
import { engineLimit } from './engine.ts'

/** Constants that nothing reads. */
export function lintLimits(context: Context, { limits }: App): void {
  const { report } = reporter(limitCodes, 9, context.found)
  const read = new Set(context.expressions.flatMap(({ expression }) => expression.reads))
  for (const { key, cell } of limits.values())
    if (!read.has(`limits.${key}`) && engineLimit(key) === undefined) report('N1906', cell, { name: key })
}
