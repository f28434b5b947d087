/** `/-/record?entity=loan&id=…`: to the page of a record, for whoever may see it. Mails link to it, because they do not know their reader's screens. */
import { read } from '../../run/read/read.ts'
import { type Answer, seeOther } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { notFound } from '../pages.tsx'
import { building, openHref } from '../screens/common.ts'

export const recordAddress = (entity: string, id: string): string => `/-/record?${new URLSearchParams({ entity, id })}`

export async function toRecord(exchange: Exchange): Promise<Answer> {
  const { runtime, request, query } = exchange
  const entity = query.get('entity') ?? ''
  const id = query.get('id') ?? ''
  const data = await read(runtime, request, { kind: 'one', entity, by: { field: 'id', value: id }, history: 0 })
  const href = data === null ? null : openHref(building(exchange), entity, data.row)
  return href === null ? notFound(exchange) : seeOther(href)
}
