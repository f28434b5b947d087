/**
 * Constants of heading 9, on their own page: whoever may change one can, and nobody else; its range ends where the document says, and a
 * change holds. Each has its value again afterwards.
 */
import { isFixed } from '../expression/currency.ts'
import { add, formatDecimal, negate, parseDecimal, whole } from '../expression/decimal.ts'
import { isPercent } from '../expression/fit.ts'
import type { Wire } from '../expression/type.ts'
import { engineLimit } from '../headings/9-limits/engine.ts'
import type { Constant } from '../headings/9-limits/model.ts'
import { isUnspecified } from '../headings/specified.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import type { Player, Site } from './client.ts'
import { openPage, plainText } from './page.ts'
import { reach } from './reach.ts'
import { kindsOfPeople } from './screens.ts'
import type { Line } from './verify.ts'
import { visitor } from './world.ts'

const page = '/-/limits'
/** Every page of somebody who has signed in has the token of their forms. */
const anyPage = '/-/account'
/** Stored, and the page again. */
export const stored = 303
export const refused: ReadonlySet<number> = new Set([403, 404])

export async function tryConstants(site: Site, tell: (line: Line) => void): Promise<readonly Line[]> {
  const lines: Line[] = []
  const people = (await kindsOfPeople(site)).filter(player => player !== visitor)
  for (const constant of site.app.limits.values()) {
    site.at?.(`the constant ${constant.key}`)
    for (const line of await tryConstant(site, constant, people)) {
      lines.push(line)
      tell(line)
    }
  }
  return lines
}

async function tryConstant(site: Site, constant: Constant, people: readonly Player[]): Promise<readonly Line[]> {
  const { key, cell, change, range } = constant
  const may: Player[] = []
  for (const player of people) {
    const { roles } = (await site.observatory.world(player)).actor
    if (change !== 'fixed' && !isUnspecified(change) && change.roles.some(role => roles.includes(role)))
      may.push(player)
  }
  const wrong: string[] = []
  for (const player of people) {
    const status = await set(site, player, key, (await typedIn(site, player, key)) ?? '1')
    const isLet = !refused.has(status)
    if (isLet !== may.includes(player))
      wrong.push(`${player.name}: the application says ${status}, the document ${isLet ? 'refuses' : 'lets'} it`)
  }
  site.judged.in(cell, 'Who may change')
  const title = `${key}: who may change it: ${people.length} people, ${may.length} may`
  const lines = [lineOf(change === 'fixed' ? cell : change.cell, title, wrong)]
  const [first] = may
  const now = first === undefined ? null : await typedIn(site, first, key)
  lines.push(...(await tryValue(site, constant, first === undefined ? people : [first], now)))
  // What limits the trial itself stays as it is.
  if (first !== undefined && now !== null && now !== '' && engineLimit(key) === undefined && isFigure(constant))
    lines.push(
      lineOf(
        range?.cell ?? cell,
        `${key}: its range, and that a change holds`,
        await otherValues(site, first, constant, now),
      ),
    )
  return lines
}

/** Its value and its unit, as they are read and typed before anybody has changed it. `now`: what is typed; null: nobody may. */
async function tryValue(
  site: Site,
  constant: Constant,
  readers: readonly Player[],
  now: string | null,
): Promise<readonly Line[]> {
  const { key, cell, type, unit, value } = constant
  let row = ''
  for (const reader of readers) row ||= await rowOf(site, reader, key)
  const sign = isFixed(type) ? signOf(site, type.currency) : null
  if (unit !== null && (row.includes(unit.text) || (sign !== null && row.includes(sign)))) site.judged.add(unit)
  const isTime = type.kind === 'time'
  if (isUnspecified(value) || !(isTime || isFigure(constant)) || row === '') return []
  const text = isTime ? String(value.wire).slice(0, 5) : inputOf(site, constant, value.wire)
  const isSame = (typed: string) => (isTime ? typed.startsWith(text) : figureIn(typed) === figureIn(text))
  const isThere = now === null ? digitsIn(row).includes(digitsIn(text)) : isSame(now)
  site.judged.in(cell, 'Value')
  return isThere ? [] : [lineOf(cell, `${key}: its value`, [`it is ${now ?? row}, and not ${text}`])]
}

const signOf = ({ app }: Site, currency: string): string | null =>
  new Intl.NumberFormat(app.language, { style: 'currency', currency })
    .formatToParts(1)
    .find(part => part.type === 'currency')?.value ?? null

const digitsIn = (text: string): string => text.replace(/\D/g, '')

const lineOf = (cell: Line['cell'], title: string, wrong: readonly string[]): Line => ({
  cell,
  title,
  passed: wrong.length === 0,
  detail: wrong.length === 0 ? null : wrong.join('\n       '),
})

const isFigure = ({ type, value }: Constant): boolean =>
  !isUnspecified(value) && ['integer', 'decimal', 'money'].includes(type.kind)

/** Its ends are taken and hold, what is beyond is refused and leaves it; without a range, one more than now is taken. */
async function otherValues(site: Site, player: Player, constant: Constant, now: string): Promise<readonly string[]> {
  const { key, range, value } = constant
  const tries =
    range === null
      ? [{ wire: beside(isUnspecified(value) ? null : value.wire, 1), isTaken: true }]
      : [
          { wire: range.min, isTaken: true },
          { wire: beside(range.min, -1), isTaken: false },
          { wire: range.max, isTaken: true },
          { wire: beside(range.max, 1), isTaken: false },
        ]
  const wrong: string[] = []
  let held = now
  for (const { wire, isTaken } of tries) {
    const text = inputOf(site, constant, wire)
    const status = await set(site, player, key, text)
    site.judged.add(range?.cell)
    if ((status === stored) !== isTaken)
      wrong.push(`set to ${text}, the application says ${status}, the document ${isTaken ? 'takes' : 'refuses'} it`)
    if (status === stored) held = text
    const is = await typedIn(site, player, key)
    if (figureIn(is) !== figureIn(held)) wrong.push(`set to ${held}, it is ${is} then`)
  }
  const status = await set(site, player, key, now)
  if (status !== stored) wrong.push(`set to ${now}, which it was, the application says ${status}`)
  return wrong
}

/** As it is typed. */
const inputOf = ({ app }: Site, { type }: Constant, wire: Wire): string =>
  fieldKind(isPercent(type) ? 'percent' : 'decimal').input(wire, {}, app.language)

const beside = (wire: unknown, by: number): string => {
  const value = add(parseDecimal(String(wire)) ?? whole(0), by < 0 ? negate(whole(-by)) : whole(by))
  return formatDecimal(value, value.scale)
}

const figureIn = (text: string | null): number => Number(text?.replace(',', '.'))

/** What stands in the form of a constant: its value as it holds for this person. Null: they have no such form. */
export async function typedIn(site: Site, player: Player, key: string): Promise<string | null> {
  const shown = await openPage(site, player, page)
  if (shown.kind !== 'shown') return null
  const [, form] = shown.html.split(`id="set-${key}"`)
  const control = form?.split('</form>')[0] ?? ''
  const text =
    /<option[^>]* value="([^"]*)" selected/.exec(control) ?? /name="value"[^>]* value="([^"]*)"/.exec(control)
  return text === null ? null : plainText(text[1]!)
}

/** What is read in the row of a constant. */
async function rowOf(site: Site, player: Player, key: string): Promise<string> {
  const shown = await openPage(site, player, page)
  const [, body = ''] = shown.kind === 'shown' ? shown.html.split('<tbody') : []
  const rows = [...body.split('</tbody>')[0]!.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row]) => plainText(row!))
  return rows[[...site.app.limits.keys()].indexOf(key)] ?? ''
}

/** Gives a constant a value as the form on its page does, whether this person is shown one or not; what the application answers. */
export async function set(site: Site, player: Player, key: string, value: string): Promise<number> {
  const shown = await openPage(site, player, anyPage)
  const token = shown.kind === 'shown' ? /name="_csrf" value="([^"]*)"/.exec(shown.html)?.[1] : undefined
  const { status } = await reach(new URL(page, site.url), {
    method: 'POST',
    headers: { ...(await site.headersFor(player)), origin: site.url },
    body: new URLSearchParams({ _csrf: token ?? '', key, value }),
    redirect: 'manual',
  })
  if (status === stored) site.observatory.forget()
  return status
}
