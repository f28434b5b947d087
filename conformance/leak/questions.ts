/** Everything that can be asked, as addresses: each route, filter, order, search, count, page, picker, description, and writes that must fail. */
import type { Message } from '../client.ts'
import type { Desk } from '../desk.ts'
import type { Filled } from './fill.ts'

export interface Question extends Message {
  readonly path: string
  /** Pages of this list are walked by what each answer names as the next. */
  readonly walk?: true
  /** Posted as a browser sends it. */
  readonly form?: Readonly<Record<string, string>>
}

const ask = (path: string): Question => ({ path })

/** Field → values to compare it with. Includes what is hidden, built in, nested, and what there is not. */
export function fieldsOf(desk: Desk): Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> {
  const { people, items } = desk
  const person = [people.Otto.id, people.Ben.id]
  const item = [items['CA-0001'] ?? '']
  const loan = {
    number: ['LN-2026-00003', 'LN-2026'],
    borrower: person,
    out_on: ['2026-03-02'],
    due_back: ['2026-03-09'],
    purpose: ['canary-Otto-draft!', 'canary', 'another'],
    lines: ['x'],
    total_value: ['900.00', '901.00'],
    days: ['7'],
    approved_by: [people.Cleo.id],
    handed_out_at: ['2026-03-02T09:00:00.000Z'],
    returned_at: ['2026-03-02T09:00:00.000Z'],
    register_ref: ['R-canary-LN-2026-00004', 'R-twin', 'R'],
    state: ['Draft', 'Returned'],
    id: [people.Otto.id],
    version: ['2'],
    created_by: person,
    changed_by: person,
    changed_at: ['2026-03-02T10:00:00.000Z'],
    'borrower.email': ['otto'],
    'lines.value': ['900'],
    nonsense: ['1'],
  }
  return {
    loan,
    item: {
      tag: ['PR-0003'],
      name: ['Old', 'Twin'],
      category: item,
      value: ['300', '301'],
      retired_on: ['2025-11-30'],
      archived_at: ['2026-03-01T09:00:00.000Z'],
    },
    category: { name: ['Cameras'], keeper: person },
    person: { name: ['Otto'], email: ['otto@example.com', 'twin-otto@example.com', 'otto'], id: person },
    loan_line: { item, value: ['900'], damaged: ['yes'] },
  }
}

export const endings = [
  '',
  '.is-not',
  '.contains',
  '.starts-with',
  '.before',
  '.after',
  '.at-least',
  '.at-most',
  '.is-empty',
  '.any-of',
]

/** Lists as pages and as JSON, by entity. */
const lists: Readonly<Record<string, readonly string[]>> = {
  loan: ['/loans', '/all', '/api/v1/loan'],
  item: ['/items', '/api/v1/item'],
  category: ['/api/v1/category'],
  person: ['/api/v1/person'],
  loan_line: ['/api/v1/loan_line'],
}

export function questions(desk: Desk, { loans }: Filled): readonly Question[] {
  const fields = fieldsOf(desk)
  const few = Object.entries(loans).filter(([name]) => /draft|approved|out|returned/.test(name))
  const numbers = [...few.map(([, { number }]) => number), 'LN-2026-00505', 'LN-2026-99999']
  const ids = [...Object.values(loans).map(({ id }) => id), desk.people.Otto.id]
  const asked: Question[] = [
    ...['/', '/loans', '/all', '/items', '/desk', '/desk?state=Out', '/reports', '/loans/new', '/nowhere'].map(ask),
    ...['account', 'people', 'limits', 'mailbox', 'document', 'clock', 'sign-in', 'errors/E-DUE-1'].map(page =>
      ask(`/-/${page}`),
    ),
    ...['/api/v1/openapi.json', '/api/v1', '/api/v1/nowhere', '/livez', '/readyz'].map(ask),
  ]
  // Everywhere at once, as it stands there and a letter off.
  for (const q of ['canary', 'Otto', 'Old', 'canayr', 'projetcor', 'Leiac', 'Twni'])
    asked.push(ask(`/-/search?q=${q}`), ask(`/-/search.json?q=${q}`))
  for (const number of numbers)
    for (const below of ['', '/print', '/edit', '/delete', '/do/submit', '/do/approve', '/do/take_back', '/do/nothing'])
      asked.push(ask(`/loans/${number}${below}`))
  for (const entity of ['loan', 'item', 'person'])
    for (const id of ids)
      asked.push(ask(`/-/why?entity=${entity}&id=${id}`), ask(`/api/v1/${entity}/${id}`), {
        path: `/api/v1/${entity}/${id}`,
        method: 'HEAD',
      })
  for (const [entity, field] of [
    ['loan_line', 'item'],
    ['loan', 'borrower'],
    ['loan', 'approved_by'],
    ['item', 'category'],
    ['category', 'keeper'],
  ])
    for (const q of ['', 'o', 'Old', 'Twin', 'PR', 'otto@example.com', 'twin'])
      asked.push(ask(`/-/options?entity=${entity}&field=${field}&q=${q}`))
  for (const [entity, own] of Object.entries(fields))
    for (const list of lists[entity] ?? []) {
      const page = (query: string): Question => ask(`${list}?${query}`)
      for (const [field, values] of Object.entries(own)) {
        const isApi = list.startsWith('/api/')
        values.forEach((value, index) => {
          for (const ending of index > 0 ? [''] : isApi ? endings : ['', '.contains', '.is-empty'])
            asked.push(
              page(`${field}${ending}=${ending === '.is-empty' ? 'yes' : encodeURIComponent(value)}&count=yes`),
            )
        })
        if (values.length > 1) asked.push(page(values.map(value => `${field}=${encodeURIComponent(value)}`).join('&')))
        for (const sort of isApi ? [field, `-${field}`] : [field])
          asked.push({ path: `${list}?sort=${sort}${isApi ? '&limit=5' : ''}`, walk: true })
      }
      for (const word of [
        'canary',
        'canayr-Otot',
        'Twni',
        'canary-Otto',
        'another',
        'R-',
        'Old',
        'Twin',
        'otto@example.com',
        'LN-2026-00003',
      ])
        asked.push(page(`q=${encodeURIComponent(word)}&count=yes`))
      for (const clever of [
        'fields=register_ref',
        'expand=borrower',
        'include=lines',
        'populate=*',
        'select=*',
        'aggregate[max]=total_value',
        'alias[x]=register_ref',
        'filter[register_ref][_starts_with]=R',
        'total_value[$gt]=5',
        'group=total_value',
        'sort=borrower.email',
        'sort=number,total_value',
        'sort=-total_value,-register_ref,number',
        'archived=only',
        'archived=yes',
        'archived=only&q=Twin',
      ])
        asked.push(page(clever))
    }
  return asked
}

/** Writes to what the asking person does not see, and what refers to it: refused, and in the same words whatever is there. */
export function attempts(desk: Desk, ids: readonly string[], items: readonly string[]): readonly Question[] {
  const json = { 'content-type': 'application/json' }
  const tried: Question[] = []
  for (const id of ids) {
    const path = `/api/v1/loan/${id}`
    for (const body of [{ purpose: 'mine' }, { total_value: '1' }, { register_ref: 'R' }, { version: 1, lines: [] }])
      tried.push({ path, method: 'PATCH', headers: json, body: JSON.stringify(body) })
    tried.push({ path, method: 'DELETE' }, { path, method: 'DELETE', headers: { 'if-match': '"7"' } })
    for (const step of ['submit', 'approve', 'decline', 'hand_out', 'take_back', 'nothing'])
      tried.push({ path: `${path}/${step}`, method: 'POST' })
  }
  for (const item of items)
    tried.push({
      path: '/api/v1/loan',
      method: 'POST',
      headers: json,
      body: JSON.stringify({ due_back: '2026-03-05', lines: [{ item }] }),
    })
  const own = { due_back: '2026-03-05', lines: [{ item: desk.items['LA-0007'] }] }
  for (const more of [{ register_ref: 'R' }, { number: 'LN-2026-00003' }, { state: 'Returned' }, { id: ids[0] }])
    tried.push({ path: '/api/v1/loan', method: 'POST', headers: json, body: JSON.stringify({ ...own, ...more }) })
  return tried
}
