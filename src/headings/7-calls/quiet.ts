/** When mails wait so that they wake nobody: `- **Quiet hours:** 21:00 to 07:00` under heading 7, and what waits or does not. */
import { splitAt } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { type Context, saysNothing } from '../context.ts'
import { callCodes } from './codes.ts'
import type { QuietHours } from './model.ts'
import { callKeys } from './send-again.ts'

const section = 7

/** Null: none are said, or what is said is wrong and reported. */
export function readQuietHours(context: Context, title: Cell): QuietHours | null {
  const cell = callKeys(context, title).cell('Quiet hours')
  if (cell === null || saysNothing(cell)) return null
  const wrong = (why: string) => {
    reporter(callCodes, section, context.found).report('N1731', cell, { text: cell.text, why })
    return null
  }
  const ends = splitAt(cell, 'to')
  if (ends === null) return wrong('it has no `to`')
  const [from, to] = [minuteOf(ends.before), minuteOf(ends.after)]
  if (from === null || to === null) return wrong('times reach from 00:00 to 23:59')
  return from === to ? wrong('it never ends') : { cell, from, to }
}

function minuteOf({ text }: Cell): number | null {
  const [, hour, minute] = /^(\d{1,2}):(\d\d)$/.exec(text) ?? []
  return hour === undefined || Number(hour) > 23 || Number(minute) > 59 ? null : Number(hour) * 60 + Number(minute)
}

/** `yes` or `no` under Urgent and Optional of a mail, or behind the key of a call. */
export function readYes(context: Context, cell: Cell | null, column: string): boolean {
  if (cell === null || nothing(cell) !== null) return false
  if (/^yes$/i.test(cell.text)) return true
  reporter(callCodes, section, context.found).report('N1747', cell, { text: cell.text, column })
  return false
}
