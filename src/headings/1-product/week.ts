/** On which day of the week the weeks of an application begin. */
import { reporter } from '../../document/diagnostic.ts'
import { didYouMean } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import { weekdays } from '../9-limits/working-time.ts'
import type { Context } from '../context.ts'
import { writeNearest } from '../names.ts'
import { productCodes } from './codes.ts'
import type { Product } from './model.ts'

/** As the document says; else as people who speak its first language do (CLDR). */
export function readWeek(context: Context, cell: Cell | null, language: string): Product['weekBegins'] {
  const usual = firstDayOf(language)
  if (cell === null) return { day: usual, cell }
  const day = weekdays.findIndex(name => name.toLowerCase() === cell.text.toLowerCase())
  if (day >= 0) return { day, cell }
  const parameters = { day: cell.text, meant: didYouMean(cell.text, weekdays) }
  reporter(productCodes, 1, context.found).report('N1133', cell, parameters, { fixes: writeNearest(cell, weekdays) })
  return { day: usual, cell }
}

/** 0 for Monday to 6 for Sunday. English of no region is that of Great Britain. */
export function firstDayOf(language: string): number {
  const locale = new Intl.Locale(language === 'en' ? 'en-GB' : language) as WithWeek
  const { firstDay } = locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }
  return firstDay - 1
}

/** Node has the one or the other, and TypeScript neither. */
type WithWeek = Intl.Locale & {
  readonly getWeekInfo?: () => WeekInfo
  readonly weekInfo?: WeekInfo
}

interface WeekInfo {
  readonly firstDay: number
}
