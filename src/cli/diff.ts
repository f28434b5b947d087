/** `ninefold diff`: what two documents say differently, in business words. */
import { join } from 'node:path'
import { placeText, printFrames } from '../document/print.ts'
import type { Cell } from '../document/source.ts'
import type { App } from '../headings/app.ts'
import { dateIn } from '../run/clock.ts'
import { type Difference, diffApps } from '../trace/diff.ts'
import { CannotRead, type Command } from './command.ts'
import { loadApp } from './load.ts'

export const diff: Command = {
  name: 'diff',
  options: {},
  async run([before, after, ...more]) {
    if (before === undefined || after === undefined || more.length > 0)
      throw new CannotRead("'ninefold diff' takes two files, e.g. ninefold diff old/app.md app.md")
    const [old, now] = [loadWhole(before), loadWhole(after)]
    if (old === null || now === null) return 2
    const found = diffApps(old.app, now.app, dateIn(new Date(), now.app.product.timeZone.name))
    for (const difference of found) console.log(lineOf(difference, old.folder, now.folder))
    if (found.length === 0) console.log('No differences.')
    return found.length === 0 ? 0 : 1
  },
}

/** Null where the document has errors, which are printed: of what cannot be understood nothing can be said. */
function loadWhole(file: string): { readonly app: App; readonly folder: string } | null {
  const { app, found, folder } = loadApp(file)
  const errors = found.filter(({ severity }) => severity === 'error')
  if (app !== null && errors.length === 0) return { app, folder }
  process.stdout.write(printFrames(errors))
  return null
}

function lineOf({ text, before, after }: Difference, old: string, now: string): string {
  const places = [place(before, old), place(after, now)].filter(text => text !== null)
  return places.length === 0 ? text : `${text}  [${places.join(' → ')}]`
}

const place = (cell: Cell | null, folder: string): string | null =>
  cell === null ? null : join(folder, placeText(cell))
