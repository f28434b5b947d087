/** Loans in every state, with their history, for a twin to differ in. */
import type { Client, Response } from '../client.ts'
import { type Desk, type Person, startServer } from '../desk.ts'

export interface Filled {
  /** Ids and numbers of all loans, by what was written as their purpose. */
  readonly loans: Readonly<Record<string, { readonly id: string; readonly number: string }>>
}

const steps = ['submit', 'approve', 'hand_out', 'take_back'] as const
/** How far each of somebody's loans goes. */
const lives = { draft: 0, requested: 1, approved: 2, out: 3, overdue: 3, returned: 4, declined: 1 } as const

/** Through the API, as people do it; then by hand what only the clock or a call does. */
export async function fill(desk: Desk): Promise<Filled> {
  const { sql, people } = desk
  await sql.query(
    `insert into public.item (id, version, created_at, changed_at, tag, name, category, value, retired_on)
     select gen_random_uuid(), 1, i.created_at, i.created_at, n.tag, n.name, i.category, n.value, n.retired::date
     from public.item as i, (values ('PR-0003', 'Old projector', 300, '2025-11-30'), ('PR-0004', 'Projector', 900, null),
       ('CA-0005', 'Leica', 4100, null)) as n (tag, name, value, retired)
     where i.tag = 'CA-0001'`,
  )
  const items = await sql.query<{ id: string; tag: string }>('select id, tag from public.item')
  const item = (tag: string) => items.rows.find(row => row.tag === tag)?.id
  const server = await startServer(desk, { series: '01910000' })
  const loans: Record<string, { id: string; number: string }> = {}
  const made = async (who: Person, life: keyof typeof lives) => {
    const client = server.as(who)
    const clerk = server.as(who === people.Cleo ? people.Dan : people.Cleo)
    const purpose = `canary-${who.name}-${life}`
    const tags = life === 'out' ? ['CA-0001', 'CA-0005'] : [life === 'draft' ? 'LA-0007' : 'PR-0004']
    const lines = tags.map(tag => ({ item: item(tag) }))
    const draft = { out_on: '2026-03-02', due_back: '2026-03-06', purpose, lines }
    const loan = JSON.parse((await well(client.api('POST', '/loan', draft), 201)).text) as Filled['loans'][string]
    await well(client.api('PATCH', `/loan/${loan.id}`, { due_back: '2026-03-09', purpose: `${purpose}!` }), 200)
    for (const step of steps.slice(0, lives[life])) await takeStep(step === 'submit' ? client : clerk, loan.id, step)
    if (life === 'declined') await takeStep(server.as(people.Mia), loan.id, 'decline')
    loans[`${who.name} ${life}`] = { id: loan.id, number: loan.number }
  }
  for (const life of Object.keys(lives) as (keyof typeof lives)[])
    for (const who of [people.Ben, people.Otto, people.Cleo]) await made(who, life)
  await made(people.Anna, 'approved')
  await server.stop()

  await sql.query(`update public.loan set state = 'Overdue' where purpose like '%-overdue!'`)
  await sql.query(`update public.loan set register_ref = 'R-canary-' || number where state = 'Returned'`)
  await sql.query(
    `insert into ninefold.history (id, at, entity, record, version, what, kind, changes, system, request, document)
     select gen_random_uuid(), changed_at, 'loan', id, version, 'C-2', 'call', jsonb_build_object('register_ref', jsonb_build_array(null, register_ref)),
       'call', 'call', 'x' from public.loan where register_ref is not null`,
  )
  // Somebody corrected what a thing was worth.
  await sql.query(
    `insert into ninefold.history (id, at, entity, record, version, what, kind, changes, system, request, document)
     select gen_random_uuid(), l.changed_at, 'loan', l.loan, 2, 'change', 'change', jsonb_build_object('lines', jsonb_build_object(
       'added', '[]'::jsonb, 'removed', '[]'::jsonb, 'changed', jsonb_build_array(jsonb_build_object(
         'id', l.id, 'fields', jsonb_build_object('value', jsonb_build_array('800.00', '900.00')))))), 'seed', 'x', 'x'
     from public.loan_line as l`,
  )
  // Whether there are passwords at all is no secret: the sign-in page asks for one or not.
  await sql.query(`insert into ninefold.account (person, password, changed_at) values ($1, 'x', now())`, [
    people.Dan.id,
  ])
  // A camera that went out and was retired afterwards: from then on not everybody sees it.
  await sql.query(`update public.item set retired_on = '2026-03-01' where tag = 'CA-0005'`)
  return { loans }
}

const takeStep = (client: Client, id: string, step: string) => well(client.api('POST', `/loan/${id}/${step}`), 200)

export async function well(response: Promise<Response>, status: number): Promise<Response> {
  const found = await response
  if (found.status !== status) throw new Error(`${found.status} instead of ${status}: ${found.text.slice(0, 500)}`)
  return found
}
