/** What all writes over HTTP share: the key that makes a repeat harmless, the version that was seen, the words afterwards. */
import { sql } from '../expression/sql.ts'
import type { Only } from '../headings/2-screens/public-forms.ts'
import type { Decoded } from '../kinds/fields/input.ts'
import type { Input, Problem } from '../run/outcome.ts'
import type { Companion } from '../run/write/accompanied.ts'
import { inputOf as decodedInput } from '../run/write/decoded.ts'
import { type IdempotencyKey, idempotency } from './idempotency.ts'
import type { RequestContext } from './request-context.ts'
import type { Site } from './site.ts'

const isOnce = (key: string): boolean => /^[\w-]{10,64}$/.test(key)

/** `_once` of a form of this entity; null where it has none. A page's token serves all its forms: the address tells them apart. */
export function formKey(context: RequestContext, form: URLSearchParams, entity: string | null): IdempotencyKey | null {
  const key = form.get('_once')
  if (key === null || !isOnce(key)) return null
  const sent = [...form].filter(([name]) => name !== '_csrf')
  return {
    scope: context.request.actor.id ?? '',
    key: `${key} ${context.path}`.slice(0, 300),
    request: JSON.stringify([context.method, context.path, sent]),
    entity,
  }
}

/** A form that is sent twice is written once. */
export const idempotentForm = (
  context: RequestContext,
  form: URLSearchParams,
  entity: string | null,
): Companion | null => idempotency(context.runtime.app, formKey(context, form, entity), context.request.now)

/** The address of the form that was saved under this key of whoever asks, or of a visitor; null: nothing was. */
export async function pathDoneWith({ runtime, request }: RequestContext, once: string | null): Promise<string | null> {
  if (once === null || !isOnce(once)) return null
  const [row] = await runtime.store.query<{ path: string }>(sql`
    select substr(key, length(${once}) + 2) as path from ninefold.idempotency
    where scope = any(${[request.actor.id ?? '', '']}::text[]) and starts_with(key, ${once} || ' ') and status = 200 limit 1`)
  return row?.path ?? null
}

/** The version that the form was made from; null where it says none (then nothing is compared). */
export function formVersion(form: URLSearchParams): number | null {
  const text = form.get('_version')
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** What was decoded, as `run` takes it, and which files were refused. */
export function inputOf(
  { site, refused }: { readonly site: Pick<Site, 'app'>; readonly refused: RequestContext['refused'] },
  decoded: Decoded,
): Input {
  const input = decodedInput(site.app, decoded)
  const files = refused.map(problem => ({ ...problem, field: pathOf(problem.field ?? '', decoded.children) }))
  return { ...input, invalidValues: [...input.invalidValues, ...files] }
}

/** The status of an answer with several problems: that of the first, which stands on top. */
export const statusOf = (problems: readonly Problem[]): number => problems[0]?.status ?? 422

/** `lines.3.photo`, as the control is named → `lines.0.photo`: paths count the rows that are there. */
function pathOf(name: string, children: Decoded['children']): string {
  const [list = '', number, ...rest] = name.split('.')
  if (rest.length === 0) return name
  const rows = children[list] ?? []
  const index = rows.findIndex(({ written }) => written === Number(number))
  return index === -1 ? list : `${list}.${index}.${pathOf(rest.join('.'), rows[index]!.children)}`
}

/** What a form for everyone does not list is as if it had not been sent. */
export function listed(decoded: Decoded, only: Only): Decoded {
  const within = ([key]: readonly [string, unknown]) => only.has(key)
  const inRow = (list: string, key: string) => only.get(list)?.has(key) !== false
  const rows = Object.entries(decoded.children)
    .filter(within)
    .map(([list, all]) => {
      const isListed = ([key]: readonly [string, unknown]) => inRow(list, key)
      const kept = all.map(row => ({
        ...row,
        values: Object.fromEntries(Object.entries(row.values).filter(isListed)),
        children: Object.fromEntries(Object.entries(row.children).filter(isListed)),
      }))
      return [list, kept]
    })
  return {
    values: Object.fromEntries(Object.entries(decoded.values).filter(within)),
    children: Object.fromEntries(rows),
    invalidValues: decoded.invalidValues.filter(({ path }) => {
      const [first = '', , key] = path.split('.')
      return only.has(first) && (key === undefined || inRow(first, key))
    }),
  }
}
