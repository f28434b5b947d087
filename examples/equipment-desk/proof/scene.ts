/** What happens again and again at the desk, by the API as a person would call it. */
import type { Page } from '../../../src/web/testing.ts'
import { type Desk, json, type Name, type Record } from './desk.ts'

export interface ModelOf {
  readonly name?: string
  readonly class?: 'Standard' | 'High-demand' | 'Staff-only'
  readonly training?: string
}

let made = 0

export const model = (desk: Desk, of: ModelOf = {}): Promise<string> =>
  desk.put('model', { name: `Model ${++made}`, class: 'Standard', ...of })

export interface PieceOf {
  readonly model: string
  readonly barcode?: string
  readonly value?: string
}

export const piece = (desk: Desk, of: PieceOf): Promise<string> =>
  desk.put('piece', { barcode: `EM-${String(100_000 + ++made)}`, value: '100.00', condition: 'Good', ...of })

/** A model with one piece. */
export async function kit(
  desk: Desk,
  of: ModelOf & Omit<PieceOf, 'model'> = {},
): Promise<{ model: string; piece: string; barcode: string }> {
  const { barcode = `EM-${String(100_000 + ++made)}`, value, ...rest } = of
  const id = await model(desk, rest)
  const one = await piece(desk, { model: id, barcode, ...(value === undefined ? {} : { value }) })
  return { model: id, piece: one, barcode }
}

export interface Wanted {
  readonly model: string
  readonly collect_at: string
  readonly return_at: string
}

export const book = (desk: Desk, who: Name, wanted: Wanted): Promise<Page> =>
  desk.as(who).json('POST', '/api/v1/booking', { ...wanted })

/** A booking that must succeed. */
export async function booked(desk: Desk, who: Name, wanted: Wanted): Promise<Record> {
  const page = await book(desk, who, wanted)
  if (page.status !== 201) throw new Error(`${page.status} ${page.text}`)
  return json(page)
}

export const step = (
  desk: Desk,
  who: Name,
  entity: string,
  id: string,
  key: string,
  body?: { readonly [field: string]: unknown },
): Promise<Page> => desk.as(who).json('POST', `/api/v1/${entity}/${id}/${key}`, body)

export async function did(...of: Parameters<typeof step>): Promise<void> {
  const page = await step(...of)
  if (page.status >= 300) throw new Error(`${page.status} ${page.text}`)
}

export const scan = (desk: Desk, who: Name, barcode: string): Promise<Page> =>
  desk.as(who).json('POST', '/api/v1/collection', { barcode })

export async function stored(desk: Desk, entity: string, id: string): Promise<Record> {
  const [row] = await desk.query<Record>(`select * from public."${entity}" where id = '${id}'`)
  if (row === undefined) throw new Error(`There is no ${entity} ${id}.`)
  return row
}

/** A booking that was handed over when it was to be collected. The clock stands there afterwards. */
export async function lent(desk: Desk, who: Name, wanted: Wanted): Promise<Record> {
  const booking = await booked(desk, who, wanted)
  await desk.until(wanted.collect_at)
  await did(desk, 'Alma', 'booking', booking.id, 'hand_over')
  return booking
}

/** An open fine of this much, as a late return would leave it. */
export async function fined(desk: Desk, who: Name, amount: string): Promise<string> {
  const { model: of, piece: one } = await kit(desk)
  const at = desk.now().toISOString()
  const booking = await desk.put('booking', {
    number: `BK-2026-9${String(++made).padStart(4, '0')}`,
    borrower: desk.id(who),
    model: of,
    piece: one,
    collect_at: '2026-02-02T10:00:00Z',
    return_at: '2026-02-03T10:00:00Z',
    state: 'Returned',
    state_since: at,
    needs_attention: false,
  })
  return desk.put('fine', {
    number: `FN-9${String(++made).padStart(4, '0')}`,
    booking,
    borrower: desk.id(who),
    kind: 'Late',
    amount,
    waived: '0',
    state: 'Open',
    state_since: at,
  })
}

export const pay = (desk: Desk, who: Name, fine: string, amount: string): Promise<Page> =>
  desk.as(who).json('POST', '/api/v1/payment', { fine, amount })

export const tuesday = (time: string): string => `2026-03-03T${time}:00.000Z`
export const friday = (time: string): string => `2026-03-06T${time}:00.000Z`
