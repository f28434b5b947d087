/** The functions of expressions. Unknown is given for unknown, except by `coalesce`. */
import * as clock from './clock.ts'
import type { About } from './names.ts'
import * as values from './values.ts'
import { inside, isA, NotJudged, one, order, type Value } from './values.ts'

type Work = (given: readonly Value[], about: About) => Value
type Known = Exclude<Value, null | boolean>

const known =
  (work: (about: About, ...given: readonly Known[]) => Value): Work =>
  (given, about) => {
    if (given.includes(null)) return null
    if (given.some(one => typeof one === 'boolean')) throw new NotJudged('yes/no')
    return work(about, ...(given as readonly Known[]))
  }

const figureOf = (value: Known | undefined): bigint => inside(value, 'number')
const wholeOf = (value: Known | undefined): number => Number(figureOf(value) / one)
const lettersOf = (value: Known | undefined): string => inside(value, 'text')
const momentOf = (value: Known | undefined): number => inside(value, 'moment')
const dayOf = ({ told }: About, value: Known | undefined): number =>
  isA(value, 'date') ? value.of : told.dayAt(momentOf(value))
/** `way`: to the nearest, up or down. */
const roundedTo = (way: 0 | 1 | -1) =>
  known((_, value, places) => {
    const step = 10n ** BigInt(30 - (places === undefined ? 0 : wholeOf(places)))
    const of = figureOf(value)
    if (way === 0) return values.number(values.rounded(of, step))
    const over = ((of % step) + step) % step
    return values.number(over === 0n ? of : way > 0 ? of - over + step : of - over)
  })
const furthest =
  (sign: 1 | -1): Work =>
  given =>
    given.includes(null) ? null : given.reduce((most, value) => (order(value, most)! * sign > 0 ? value : most))
const piece = (pick: (letters: readonly string[], ...counts: readonly number[]) => readonly string[]) =>
  known((_, value, ...counts) => values.text(pick([...lettersOf(value)], ...counts.map(wholeOf)).join('')))
const started = (ms: number) =>
  known((_, from, to) => values.whole(Math.max(0, Math.ceil((momentOf(to) - momentOf(from)) / ms))))
const partOfDay = (at: 0 | 1 | 2) =>
  known((about, value) => values.whole(Number(values.wireDay(dayOf(about, value)).split('-')[at])))
/** Letters that have exactly one of the other size, of the scripts that are turned. */
const sized = (turn: (letter: string) => string) =>
  known((_, value) =>
    values.text(
      [...lettersOf(value)]
        .map(one =>
          /\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}/u.test(one) && [...turn(one)].length === 1
            ? turn(one)
            : one,
        )
        .join(''),
    ),
  )
/** Small letters without what stands on them; `ø` and its like as the letter that they look like. */
const plainLetters = (text: string): string => {
  const bare = text
    .replace(/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/gu, letter => {
      const turned = letter.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
      return turned.length === 1 ? turned : letter
    })
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[øłđðþıħŧς]/g, letter => 'olddtihtσ'['øłđðþıħŧς'.indexOf(letter)]!)
  return bare.replaceAll('ß', 'ss').replaceAll('æ', 'ae').replaceAll('œ', 'oe') || text
}
const alone = (site: Known | undefined): void => {
  if (site !== undefined) throw new NotJudged('days of a site')
}

export const functions: Readonly<Record<string, Work>> = {
  length: known((_, value) => values.whole([...lettersOf(value)].length)),
  left: piece((letters, count) => letters.slice(0, Math.max(0, count!))),
  right: piece((letters, count) => (count! <= 0 ? [] : letters.slice(-count!))),
  part: piece((letters, from, count) =>
    from! < 1 ? letters.slice(0, Math.max(0, count!)) : letters.slice(from! - 1, from! - 1 + Math.max(0, count!)),
  ),
  replace: known((_, value, what, by) => values.text(lettersOf(value).replaceAll(lettersOf(what), lettersOf(by)))),
  without: known((_, value, what) => values.text(lettersOf(value).replaceAll(lettersOf(what), ''))),
  upper: sized(letter => letter.toUpperCase()),
  lower: sized(letter => letter.toLowerCase()),
  plain: known((_, value) => values.text(plainLetters(lettersOf(value)))),
  number: known((_, value) => {
    const written = lettersOf(value).trim()
    return /^-?\d{1,15}(?:\.\d{1,10})?$/.test(written) ? values.number(values.figure(written)!) : null
  }),
  round: roundedTo(0),
  round_up: roundedTo(1),
  round_down: roundedTo(-1),
  min: furthest(-1),
  max: furthest(1),
  coalesce: given => given.find(value => value !== null) ?? null,
  year: partOfDay(0),
  month: partOfDay(1),
  day: partOfDay(2),
  days_between: known((about, from, to) => values.whole(dayOf(about, to) - dayOf(about, from))),
  date: known((about, at) => values.date(about.told.dayAt(momentOf(at)))),
  time: known(({ told }, at) => ({ is: 'time', of: clock.shown(told.zone, momentOf(at)).minutes })),
  weekday: known((about, value) => values.whole(clock.weekday(dayOf(about, value)))),
  at: known((about, day, time) =>
    time?.is === 'time' ? clock.momentAt(about.told.zone, dayOf(about, day), time.of) : null,
  ),
  hours_between: known((_, from, to) =>
    values.number(values.quotient(BigInt(momentOf(to) - momentOf(from)) * one, 3_600_000n * one)!),
  ),
  started_hours: started(3_600_000),
  started_days: started(86_400_000),
  working_days: known((about, from, to, site) => {
    alone(site)
    return values.whole(clock.workingDays(about.told, about.closed, dayOf(about, from), dayOf(about, to)))
  }),
  working_days_after: known((about, from, by, site) => {
    alone(site)
    return clock.workingDaysAfter(about.told, about.closed, dayOf(about, from), wholeOf(by))
  }),
  working_hours: known((about, from, to, site) => {
    alone(site)
    const worked = clock.worked(about.told, about.closed, momentOf(from), momentOf(to))
    return values.number(values.quotient(BigInt(worked) * one, 3_600_000n * one)!)
  }),
  is_open: known((about, at, site) => {
    alone(site)
    return clock.isOpen(about.told, about.closed, momentOf(at))
  }),
}
