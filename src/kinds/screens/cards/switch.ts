/** The switch over a page of figures: which days it is about, and what they are compared with. Its place is its address. */
import { dateOf, dayNumber } from '../../../expression/dates.ts'
import { periodAfter } from '../periods.ts'
import type { Presenter } from '../presenter.ts'
import { comparisons, inAddress, type Period, periodNames } from './period.ts'
import { daysText, sentences } from './texts.ts'
import type { SwitchView } from './view-model.ts'

/** What says which days; what they are compared with stays. */
const asks: readonly string[] = inAddress.filter(name => name !== 'against')

export function switchView({ address, path, reader }: Presenter, { name, days, against }: Period): SwitchView {
  const said = sentences.in(reader.locale)
  const href = (set: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams(address.query)
    for (const one of asks) query.delete(one)
    for (const [key, value] of Object.entries(set)) query.set(key, value)
    return `${path}?${query}`
  }
  const turned = (by: 1 | -1) => {
    if (days === null || name === 'all' || name === 'dates') return null
    const on = periodAfter(name, days.whole.from, by)
    return on === null || on > address.today ? null : href({ period: name, on })
  }
  const stays = name === 'dates' ? { from: days!.whole.from, to: dateOf(dayNumber(days!.whole.to)! - 1)! } : null
  const same = { ...(stays ?? { period: name }), ...(address.query.has('on') && { on: address.query.get('on')! }) }
  return {
    label: said('period'),
    periods: periodNames.map(one => ({ label: said(one), href: href({ period: one }), current: one === name })),
    days:
      days === null
        ? null
        : (text => (days.running ? said('soFar', { days: text }) : text))(daysText(reader, days.now)),
    previous: { label: said('previous'), href: turned(-1) },
    next: { label: said('next'), href: turned(1) },
    dates: {
      label: said('dates'),
      action: path,
      kept: [...address.query].flatMap(([key, value]) => (asks.includes(key) ? [] : [{ name: key, value }])),
      from: { label: said('from'), value: days?.whole.from ?? '' },
      to: { label: said('to'), value: days === null ? '' : dateOf(dayNumber(days.whole.to)! - 1)! },
      show: said('show'),
      current: name === 'dates',
    },
    against:
      days === null
        ? null
        : {
            label: said(against === 'before' ? 'before' : against === 'year' ? 'yearBefore' : 'none'),
            choices: comparisons.map(one => ({
              label: said(one === 'year' ? 'yearBefore' : one),
              href: href({ ...same, against: one }),
              current: one === against,
            })),
          },
  }
}
