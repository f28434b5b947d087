/** Constants of which a new document says that they were otherwise on days that are past. */
import type { Wire } from '../../expression/type.ts'
import type { Constant } from '../../headings/9-limits/model.ts'
import type { App } from '../../headings/app.ts'
import { specified } from '../../headings/specified.ts'
import type { Difference } from './thing.ts'

const ever = '0001-01-01'

/** `today`: `YYYY-MM-DD`. What is computed on a day, or asked `on` one, goes by another value than it did. */
export function backwardDifferences(before: App, after: App, today: string): readonly Difference[] {
  return [...after.limits.values()].flatMap(is => {
    const was = before.limits.get(is.key)
    // Without days only the value of today counts, and a change of that is told anyway.
    if (was === undefined || ![was, is].some(({ later, onDays }) => later.length > 0 || onDays)) return []
    const days = [ever, ...[...was.later, ...is.later].map(({ since }) => since)].sort()
    const since = days.find(day => day < today && valueOn(was, day) !== valueOn(is, day))
    if (since === undefined) return []
    const unit = is.unit === null ? '' : ` ${is.unit.text}`
    const words = (value: Wire) => (value === null ? 'not specified' : `${value}${unit}`)
    const when = since === ever ? 'on days that are past' : `from ${since} on, which is past,`
    const text = `limits.${is.key} acts backwards: ${when} it was ${words(valueOn(was, since))} and is ${words(valueOn(is, since))} now`
    return [{ section: 9, text, before: was.cell, after: is.later.find(one => one.since === since)?.cell ?? is.cell }]
  })
}

const valueOn = ({ value, later }: Constant, day: string): Wire =>
  later.findLast(({ since }) => since <= day)?.wire ?? specified(value)?.wire ?? null
