/** The two ways in, the forms of the pages and the API, behind the same few words. */
import type { Client, Response } from '../client.ts'
import type { Answer } from './oracle.ts'
import { loan } from './situations.ts'

export interface Door {
  readonly name: 'form' | 'API'
  readonly show: (client: Client) => Promise<Response>
  readonly change: (client: Client, field: string, value: unknown) => Promise<Response>
  readonly create: (client: Client, base: Readonly<Record<string, unknown>>) => Promise<Response>
  readonly remove: (client: Client) => Promise<Response>
  readonly step: (client: Client, step: string) => Promise<Response>
}

/** `lines.damaged` is tried by writing `lines`. */
const listOf = (field: string): string => field.split('.')[0]!

export const api: Door = {
  name: 'API',
  show: client => client.api('GET', `/loan/${loan.id}`),
  change: (client, field, value) => client.api('PATCH', `/loan/${loan.id}`, { [listOf(field)]: value }),
  create: (client, values) => client.api('POST', '/loan', values),
  remove: client => client.api('DELETE', `/loan/${loan.id}`),
  step: (client, step) => client.api('POST', `/loan/${loan.id}/${step}`),
}

const page = `/loans/${loan.number}`

export const form: Door = {
  name: 'form',
  show: client => client.get(page),
  change: (client, field, value) => client.post(`${page}/edit`, pairsOf({ [listOf(field)]: value })),
  create: (client, values) => client.post('/loans/new', pairsOf(values)),
  remove: client => client.post(`${page}/delete`, {}),
  step: (client, step) => client.post(`${page}/do/${step}`, {}),
}

/** `{ lines: [{ item: 'x' }] }` → `lines.0.item=x`. */
function pairsOf(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const pairs: Record<string, string> = {}
  for (const [key, value] of Object.entries(values)) {
    if (!Array.isArray(value)) {
      pairs[key] = String(value)
      continue
    }
    value.forEach((row: Readonly<Record<string, unknown>>, index) => {
      for (const [name, text] of Object.entries(row))
        pairs[`${key}.${index}.${name}`] = text === true ? 'yes' : String(text)
    })
  }
  return pairs
}

/** What an answer says happened. Everything else than these is a disagreement by itself. */
export function answerOf({ status, headers }: Response): Answer | string {
  if (status === 401 || status === 404) return 'absent'
  if (status === 303) return headers.location?.startsWith('/-/sign-in') === true ? 'absent' : 'done'
  if (status === 200 || status === 201 || status === 204) return 'done'
  return [403, 409, 422].includes(status) ? 'refused' : `status ${status}`
}
