/** Checks of heading 9 on the finished model. */
import { reporter } from '../../document/diagnostic.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { limitCodes } from './codes.ts'
import { countsRequests, engineLimit, requestsUnit } from './engine.ts'

/** Constants that nothing reads, and those that count requests in another way than in whole numbers of them. */
export function lintLimits(context: Context, { limits, receives, roles }: App): void {
  const { report } = reporter(limitCodes, 9, context.found)
  const read = new Set(context.expressions.flatMap(({ expression }) => expression.reads))
  for (const { most } of receives.values())
    if (most !== null && typeof most.value !== 'number') read.add(`limits.${most.value.limit}`)
  const counting = countsRequests(roles.keys())
  for (const { key, cell, type, unit, value } of limits.values()) {
    const isEngine = engineLimit(key) !== undefined
    if (counting.has(key) && !isEngine) {
      const isCounted = type.kind === 'integer' && !('wire' in value && Number(value.wire) < 1)
      if (!isCounted || unit?.text !== requestsUnit)
        report('N1911', cell, { name: key, unit: requestsUnit, bounds: 'from 1 on' })
    } else if (!read.has(`limits.${key}`) && !isEngine) report('N1906', cell, { name: key })
  }
}
