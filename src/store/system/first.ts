/** What every application began with: sign-in, history, constants, and what waits to be sent. */
import type { SystemStep } from '../system.ts'

export const first: readonly SystemStep[] = [
  {
    number: 1,
    what: 'tables for sign-in, history, constants, and what waits to be sent',
    when: 'before',
    sql: `
create schema ninefold;

-- Which of these steps were applied.
create table ninefold.system (
  number integer primary key,
  applied_at timestamptz(3) not null
);

create collation ninefold.words (provider = icu, locale = 'und');

-- Documents that were applied, newest last. \`files\`: [{"path", "text"}], root first.
create table ninefold.document (
  number bigint generated always as identity primary key,
  version text not null,
  files jsonb not null,
  applied_at timestamptz(3) not null
);
create index document_version on ninefold.document (version);

-- How a person signs in. The person itself is a record of the application.
create table ninefold.account (
  person uuid primary key,
  -- PHC string of argon2id; null: no password (a link by e-mail).
  password text,
  disabled_at timestamptz(3),
  changed_at timestamptz(3) not null
);

create table ninefold.session (
  -- SHA-256 of the token; the token itself is only in the cookie.
  token_hash bytea primary key,
  person uuid not null,
  created_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  agent text
);
create index session_person on ninefold.session (person);
create index session_ends_at on ninefold.session (ends_at);

-- Links sent by e-mail: each signs in once.
create table ninefold.link (
  token_hash bytea primary key,
  person uuid not null,
  created_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index link_person on ninefold.link (person);

-- Failed sign-ins, by account or address, for growing delays.
create table ninefold.attempt (
  key text primary key,
  failures integer not null,
  last_at timestamptz(3) not null,
  blocked_until timestamptz(3)
);

-- Roles given to people; the role's name as the document has it.
create table ninefold.appointment (
  person uuid not null,
  role text not null,
  by uuid,
  at timestamptz(3) not null,
  primary key (person, role)
);
create index appointment_role on ninefold.appointment (role);
create index appointment_by on ninefold.appointment (by);

-- Constants of heading 9 that were changed in the running application. Null: made unspecified.
create table ninefold.constant (
  key text primary key,
  value text,
  changed_by uuid,
  changed_at timestamptz(3) not null
);

-- Every change of every record, written in the transaction of the change; never changed itself.
create table ninefold.history (
  -- UUIDv7: in the order of time.
  id uuid primary key,
  at timestamptz(3) not null,
  entity text not null,
  record uuid not null,
  -- The record's version after it.
  version integer not null,
  -- \`create\`, \`change\`, \`delete\`, or the step's or timer's key.
  what text not null,
  kind text not null check (kind in ('create', 'change', 'delete', 'step', 'timer', 'call', 'constant', 'appointment')),
  from_state text,
  to_state text,
  -- By field key: [before, after], wire values; child rows under their list's key.
  changes jsonb not null default '{}',
  -- The person; null where the application itself acted (\`system\` says as what).
  actor uuid,
  system text,
  request text not null,
  -- Version of the document that was in force.
  document text not null,
  -- The line that decided: 'loan-desk.md:120'.
  because text
);
create index history_record on ninefold.history (entity, record, id desc);
create index history_actor on ninefold.history (actor, id desc);

-- What leaves the application, written in the transaction that causes it, delivered at least once.
create table ninefold.outbox (
  id uuid primary key,
  kind text not null check (kind in ('mail', 'call', 'report')),
  -- Key of the mail or call.
  name text not null,
  entity text not null,
  record uuid,
  -- Frozen at the time of the step: what is sent, and what the answer needs.
  payload jsonb not null,
  -- Sent with every attempt, so that the other side can tell repeats.
  repeat_key text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  due_at timestamptz(3) not null,
  -- Until then a worker has it; null: nobody.
  claimed_until timestamptz(3),
  claimed_by text,
  attempts integer not null default 0,
  first_at timestamptz(3),
  last_at timestamptz(3),
  last_status integer,
  last_error text,
  -- Code of the error catalogue that was reported.
  reported text,
  finished_at timestamptz(3),
  created_at timestamptz(3) not null,
  created_by uuid,
  request text not null,
  document text not null,
  because text
);
create index outbox_due on ninefold.outbox (due_at) where state = 'waiting';
create index outbox_record on ninefold.outbox (entity, record, id desc);
create index outbox_failed on ninefold.outbox (finished_at) where state = 'failed';

-- When timers of records are due. One row per record and timer; it stays when it has fired, so that it fires once per due time.
create table ninefold.timer (
  entity text not null,
  record uuid not null,
  timer text not null,
  due_at timestamptz(3) not null,
  claimed_until timestamptz(3),
  claimed_by text,
  attempts integer not null default 0,
  last_error text,
  fired_at timestamptz(3),
  primary key (entity, record, timer)
);
create index timer_due on ninefold.timer (due_at) where fired_at is null;

-- The last number given, per picture and period ('2026'; '' where the picture has none).
create table ninefold.counter (
  entity text not null,
  field text not null,
  period text not null,
  value bigint not null,
  primary key (entity, field, period)
);

-- Answers to requests that carried a key: a repeat gets the same answer instead of a second record.
create table ninefold.idempotency (
  -- Whose key: the person's id.
  scope text not null,
  key text not null,
  -- SHA-256 of method, path and body: the same key with another request is refused.
  request_hash bytea not null,
  status integer,
  answer jsonb,
  created_at timestamptz(3) not null,
  primary key (scope, key)
);
create index idempotency_created_at on ninefold.idempotency (created_at);

-- Mails as \`dev\` shows them instead of sending.
create table ninefold.mailbox (
  id uuid primary key,
  at timestamptz(3) not null,
  sender text not null,
  recipients text[] not null,
  subject text not null,
  body text not null,
  html text,
  mail text,
  entity text,
  record uuid
);
create index mailbox_at on ninefold.mailbox (at desc);`,
  },
]
