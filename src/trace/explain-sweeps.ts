/** What `explain` says of timers that look for their records. */
import type { Sweep } from '../headings/4-states/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified } from '../headings/said.ts'

export function sweepLines({ product }: App, { at, while: states, when }: Sweep): string[] {
  return [
    `  ${at.cell.text.replaceAll('`', '').replace(/^every/i, 'Every')}, in ${product.timeZone.name}.`,
    ...(states === null ? [] : [`  Only those that are ${states.join(', ')}.`]),
    ...(when === null
      ? []
      : [
          `  When ${isUnspecified(when) ? 'not specified, so nothing happens' : `\`${when.cell.text}\``}, asked of each.`,
        ]),
    '  It looks for them at that time, and asks each again before it acts; what does not match any more is left alone.',
    '  Each is written in a transaction of its own, once for each time, whoever works beside or dies meanwhile. What was missed happens once.',
  ]
}
