/** Every situation that is tried: put into the database by hand, and taken out again. */
import type { Desk } from '../desk.ts'
import { type Situation, states, whos } from './oracle.ts'

export const loan = { id: '0a000000-0000-4000-8000-000000000001', number: 'LN-2026-09001' }
export const line = '0a000000-0000-4000-8000-000000000002'

const plain = { future: false, damaged: false, dear: false }

/** Everybody, their own loan and another's, in every state; and the conditions that guards and rules ask for. */
export function situations(): readonly Situation[] {
  const all: Situation[] = []
  for (const who of whos)
    for (const own of who === 'visitor' ? [false] : [true, false]) {
      for (const state of states) all.push({ who, own, state, ...plain })
      all.push({ who, own, state: 'Draft', ...plain, dear: true })
      all.push({ who, own, state: 'Approved', ...plain, future: true })
      for (const state of ['Out', 'Overdue'] as const) all.push({ who, own, state, ...plain, damaged: true })
    }
  return all
}

/** The one loan of the database, as the situation says. */
export async function arrange({ sql, people, items }: Desk, situation: Situation): Promise<void> {
  const { who, own, state, future, damaged, dear } = situation
  const borrower = own && who !== 'visitor' ? people[who] : people.Otto
  for (const table of ['public.loan_line', 'public.loan', 'ninefold.history', 'ninefold.outbox', 'ninefold.timer'])
    await sql.query(`delete from ${table}`)
  await sql.query(
    `insert into public.loan (id, version, created_at, created_by, changed_at, state, state_since, number, borrower, out_on, due_back, purpose)
     values ($1, 1, now(), $2, now(), $3, now(), $4, $2, $5, $6, $7)`,
    [
      loan.id,
      borrower.id,
      state,
      loan.number,
      future ? '2026-03-04' : '2026-03-02',
      '2026-03-06',
      dear ? null : 'for work',
    ],
  )
  await sql.query(
    `insert into public.loan_line (id, version, created_at, changed_at, loan, position, item, value, damaged)
     values ($1, 1, now(), now(), $2, 1, $3, $4, $5)`,
    [line, loan.id, items['CA-0001'], dear ? 6000 : 2400, damaged],
  )
}

/** A new value for every field, and how one sees in the database that it was taken. `value` is JSON; in a form the same as text. */
export interface FieldTry {
  readonly field: string
  readonly value: unknown
  readonly taken: string
}

export function fieldTries({ people, items }: Desk): readonly FieldTry[] {
  const other = items['LA-0007']
  const isLine = (condition: string) => `exists (select from public.loan_line where loan = l.id and ${condition})`
  const to = (field: string, value: string): FieldTry => ({
    field,
    value,
    taken: `to_jsonb(l) ->> '${field}' = '${value}'`,
  })
  return [
    to('number', 'LN-2026-00099'),
    to('borrower', people.Anna.id),
    to('out_on', '2026-03-01'),
    to('due_back', '2026-03-07'),
    to('purpose', 'something else'),
    { field: 'lines', value: [{ item: other }], taken: isLine(`item = '${other}'`) },
    { field: 'lines.item', value: [{ id: line, item: other }], taken: isLine(`id = '${line}' and item = '${other}'`) },
    { field: 'lines.damaged', value: [{ id: line, damaged: true }], taken: isLine(`id = '${line}' and damaged`) },
    { field: 'lines.value', value: [{ id: line, value: '1.00' }], taken: isLine('value = 1') },
    { field: 'lines.loan', value: [{ id: line, loan: people.Anna.id }], taken: 'false' },
    to('total_value', '1.00'),
    to('days', '1'),
    to('approved_by', people.Cleo.id),
    to('handed_out_at', '2026-01-01T00:00:00.000Z'),
    to('returned_at', '2026-01-01T00:00:00.000Z'),
    to('register_ref', 'R-1'),
    to('state', 'Returned'),
    to('created_by', people.Anna.id),
    { field: 'nonsense', value: '1', taken: 'false' },
    { field: 'constructor', value: '1', taken: 'false' },
  ]
}
