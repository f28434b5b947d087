/** `ninefold diff`: what two documents say differently, in business words. */
import { join } from 'node:path'
import { placeOf, placeText } from '../document/print.ts'
import type { Cell } from '../document/source.ts'
import { dateIn } from '../run/clock.ts'
import { type Difference, diffApps } from '../trace/diff.ts'
import { CannotRead, type Command } from './command.ts'
import { loadApp } from './load.ts'
import { refuse } from './output.ts'

export const diff: Command = {
  name: 'diff',
  options: {},
  async run([before, after, ...more], _, output) {
    if (before === undefined || after === undefined || more.length > 0)
      throw new CannotRead("'ninefold diff' takes two files, e.g. ninefold diff old/app.md app.md")
    const [old, now] = [loadApp(before), loadApp(after)]
    const errors = [old, now].flatMap(({ found }) => found.filter(({ severity }) => severity === 'error'))
    // Of what cannot be understood nothing can be said.
    if (old.app === null || now.app === null || errors.length > 0) {
      refuse(output, errors)
      return 2
    }
    const found = diffApps(old.app, now.app, dateIn(new Date(), now.app.product.timeZone.name))
    output.result({
      differences: found.map(({ section, text, before, after }) => ({
        section,
        text,
        before: before && placeOf(before),
        after: after && placeOf(after),
      })),
    })
    for (const difference of found) output.say(lineOf(difference, old.folder, now.folder))
    if (found.length === 0) output.say('No differences.')
    return found.length === 0 ? 0 : 1
  },
}

function lineOf({ text, before, after }: Difference, old: string, now: string): string {
  const places = [place(before, old), place(after, now)].filter(text => text !== null)
  return places.length === 0 ? text : `${text}  [${places.join(' → ')}]`
}

const place = (cell: Cell | null, folder: string): string | null =>
  cell === null ? null : join(folder, placeText(cell))
