/** What is made different in a twin: only ever what the named person must not see. Plain SQL, written from the document's text. */
import type { Client as Database } from 'pg'
import type { Person } from '../desk.ts'

/**
 * What nobody sees: the hidden field and its history, what waits to be sent, other people's accounts and sessions. `appoints`: whoever gives
 * roles is offered nobody whose account is closed, and so is told of that.
 */
export async function alterUnseen(sql: Database, me: Person | null, appoints = false): Promise<void> {
  await sql.query(`update public.loan set register_ref = 'R-twin' where state in ('Returned', 'Declined')`)
  await sql.query(
    `update ninefold.history set changes = jsonb_set(changes, '{register_ref}', '["R-before", "R-after"]')
     where changes ? 'register_ref'`,
  )
  await sql.query(`update ninefold.outbox set payload = '{"other": "secret"}', repeat_key = 'twin-' || repeat_key`)
  await sql.query(
    `insert into ninefold.mailbox (id, at, sender, recipients, subject, body)
     values (gen_random_uuid(), now(), 'a', '{b}', 'secret', 'secret')`,
  )
  await sql.query(
    `insert into ninefold.account (person, password, changed_at) select id, 'secret', now() from public.person
     where id is distinct from $1 on conflict (person) do update set ${appoints ? "password = 'secret'" : 'disabled_at = now()'}`,
    [me?.id ?? null],
  )
  await sql.query('delete from ninefold.session where person is distinct from $1', [me?.id ?? null])
  await sql.query(
    `insert into ninefold.idempotency (scope, key, request_hash, created_at) values ('x', 'y', '', now())`,
  )
}

/** To everybody but the manager, who adds people, others are their names. */
export async function alterAddresses(sql: Database, me: Person | null): Promise<void> {
  await sql.query(`update public.person set email = 'twin-' || email where id is distinct from $1`, [me?.id ?? null])
}

/** Loans that the condition names (over `loan`): some gone, the others different, and more of them. */
export async function alterLoans(sql: Database, condition: string): Promise<void> {
  const gone = `select id from public.loan where ${condition} and number ~ '[238]$'`
  await sql.query(`delete from public.loan_line where loan in (${gone})`)
  await sql.query(`delete from ninefold.history where record in (${gone})`)
  await sql.query(`delete from ninefold.outbox where record in (${gone})`)
  await sql.query(`delete from ninefold.timer where record in (${gone})`)
  await sql.query(`delete from public.loan where ${condition} and number ~ '[238]$'`)
  await sql.query(
    `update ninefold.history set changes = '{"purpose": [null, "another"]}', at = at + interval '1 hour', actor = null
     where record in (select id from public.loan where ${condition})`,
  )
  await sql.query(
    `update public.loan set purpose = 'another', out_on = out_on - 1, due_back = due_back + 2, version = version + 3,
       changed_at = changed_at + interval '1 hour', returned_at = changed_at
     where ${condition}`,
  )
  await sql.query(
    `update public.loan_line set damaged = not damaged, value = value + 1
     where loan in (select id from public.loan where ${condition})`,
  )
  await sql.query(
    `insert into public.loan (id, version, created_at, changed_at, state, state_since, number, borrower, out_on, due_back, purpose)
     select gen_random_uuid(), 1, created_at, changed_at, state, state_since,
       'LN-2026-' || lpad((right(number, 5)::integer + 500)::text, 5, '0'), borrower, out_on, due_back, 'more'
     from public.loan where ${condition}`,
  )
}

/** The value of purposes where the condition holds, in the record and in its history. */
export async function alterPurposes(sql: Database, condition: string): Promise<void> {
  await sql.query(
    `update ninefold.history set changes = jsonb_set(changes, '{purpose}', '["before", "after"]')
     where changes ? 'purpose' and record in (select id from public.loan where ${condition})`,
  )
  await sql.query(`update public.loan set purpose = 'another', version = version + 2,
    changed_at = changed_at + interval '1 hour', changed_by = null where ${condition}`)
}

/** What things are worth: of items, of lines, of loans, and in the history of each; and that all were changed, when, and by whom. */
export async function alterValues(sql: Database): Promise<void> {
  const changed = `version = version + 2, changed_at = changed_at + interval '1 hour', changed_by = null`
  await sql.query(`update public.item set value = value + 1, ${changed}`)
  await sql.query('update public.loan_line set value = value + 1')
  await sql.query(`update public.loan set total_value = total_value + 1, ${changed}`)
  await sql.query(
    `update ninefold.history set changes = replace(changes::text, '.00"', '.77"')::jsonb where changes::text like '%.00"%'`,
  )
}

/** Archived items that nothing names: some were retired, others anybody could see while they were there. */
export async function alterArchived(sql: Database): Promise<void> {
  await sql.query(
    `insert into public.item (id, version, created_at, changed_at, tag, name, category, value, retired_on, archived_at)
     select gen_random_uuid(), 1, created_at, changed_at, n.tag, 'Twin ' || n.tag, category, 900, n.retired::date, created_at
     from public.item, (values ('XX-0002', null), ('XX-0003', null), ('XX-0004', '2025-11-30')) as n (tag, retired)
     where public.item.tag = 'CA-0001'`,
  )
}

/** Items that were retired: other names and tags, and more of them. */
export async function alterRetired(sql: Database): Promise<void> {
  await sql.query(
    `insert into public.item (id, version, created_at, changed_at, tag, name, category, value, retired_on)
     select gen_random_uuid(), 1, created_at, changed_at, 'XX-0001', 'More', category, 1, retired_on
     from public.item where tag = 'PR-0003'`,
  )
  await sql.query(`update public.item set name = 'Twin', tag = 'Y' || substr(tag, 2) where retired_on is not null`)
}
