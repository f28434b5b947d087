/** What is still to happen and under which limits: jobs, outbox, timers, constants, counts. */
import { nobody, type SystemStep } from '../system.ts'

export const work: readonly SystemStep[] = [
  {
    number: 4,
    what: 'tables for what is done with many records at once: imports, steps and edits of a selection',
    when: 'after',
    sql: `
-- One import, or one step or edit for many records; \`person\` started it, and acts in it with the roles of the moment.
create table ninefold.job (
  -- UUIDv7: in the order of time.
  id uuid primary key,
  kind text not null check (kind in ('import', 'step', 'edit')),
  entity text not null,
  person uuid not null references public.person (id) on delete cascade,
  what jsonb not null,
  -- Nobody works on a draft, or on what was checked and waits for somebody's word.
  state text not null check (state in ('draft', 'checking', 'checked', 'applying', 'done', 'stopped')),
  locale text not null,
  made_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- Until then a worker has it; null: nobody.
  claimed_until timestamptz(3),
  claimed_by text
);
create index job_person on ninefold.job (person, id desc);
create index job_open on ninefold.job (id) where state in ('checking', 'applying');

-- Its rows: each is written at most once, in one transaction with its own outcome here.
create table ninefold.job_row (
  job uuid not null references ninefold.job (id) on delete cascade,
  number integer not null,
  -- Import: the cells as they stood in the file; null once the row is done.
  cells jsonb,
  -- Import: the text that tells which record it is; two rows with the same one are a mistake.
  key text,
  record uuid,
  title text,
  state text not null check (state in ('new', 'right', 'same', 'wrong', 'done', 'refused')),
  -- \`create\`, \`change\`, the step's key: what it came, or would come, to.
  did text,
  -- [{field, code, message, whatToDo}]
  problems jsonb not null default '[]',
  primary key (job, number)
);
create index job_row_state on ninefold.job_row (job, state, number);
create index job_row_key on ninefold.job_row (job, key) where key is not null;`,
  },
  {
    number: 5,
    what: 'what was not delivered can be sent again, and calls that keep failing pause',
    when: 'before',
    sql: `
-- What the other side said last, without secrets.
alter table ninefold.outbox add column last_answer text;
alter table ninefold.outbox add column again_at timestamptz(3);
alter table ninefold.outbox add column again_by uuid;

-- Calls that fail one time after the other. Open until \`open_until\`; then one attempt shows whether they work again.
create table ninefold.breaker (
  call text primary key,
  failures integer not null,
  -- Times that it opened since the last success.
  opened integer not null,
  open_until timestamptz(3),
  failed_at timestamptz(3) not null
);`,
  },
  {
    number: 6,
    what: 'since when timers are armed',
    when: 'after',
    sql: `
-- When the record came into the states of the timer.
alter table ninefold.timer add column armed_at timestamptz(3);`,
  },
  {
    number: 16,
    what: 'how far a timer has gone through its records',
    when: 'before',
    sql: `
-- Of a row that stands for all records of an entity: the last one that was found. Null: it begins with the first.
alter table ninefold.timer add column reached uuid;`,
  },
  {
    number: 19,
    what: 'calls wait for those before them',
    when: 'before',
    sql: `
-- Calls of one name and queue leave one after the other, by turn. Null: mails and reports.
alter table ninefold.outbox add column queue text;
alter table ninefold.outbox add column turn bigint generated always as identity;
update ninefold.outbox set queue = record::text where kind = 'call';
create index outbox_queue on ninefold.outbox (name, queue, turn) where state = 'waiting' and kind = 'call';`,
  },
  {
    number: 23,
    what: 'constants that change on a day, and those of a tenant',
    when: 'before',
    sql: `
-- Whose: all zeros where it is everybody's. Null as a value: made unspecified; of a tenant: as everybody's from then on.
alter table ninefold.constant add column tenant uuid not null default '${nobody}';
-- The first day of its value. What was changed before days counted holds from ever.
alter table ninefold.constant add column since date not null default '0001-01-01';
alter table ninefold.constant drop constraint constant_pkey;
alter table ninefold.constant add primary key (tenant, key, since);`,
  },
  {
    number: 26,
    what: 'what waits for the end of quiet hours',
    when: 'before',
    sql: `
alter table ninefold.outbox add column quiet boolean not null default false;`,
  },
  {
    number: 27,
    what: 'a table of what is counted by the minute',
    when: 'before',
    sql: `
-- Requests of keys, messages of others. Not logged: after a crash the minute begins anew, and no request waits for the disk.
create unlogged table ninefold.minute (
  key text primary key,
  -- Minutes since 1970.
  minute bigint not null,
  count bigint not null
);`,
  },
  {
    number: 32,
    what: 'what rows of a file alone may have',
    when: 'after',
    sql: `
-- [{value, problem}]: unique values of a row that was tried, and what a later one with the same is told; null once all are tried.
alter table ninefold.job_row add column held jsonb;`,
  },
  {
    number: 33,
    what: 'when what comes back happened last',
    when: 'after',
    sql: `
-- Of a timer that comes back: a moment of the last day on which it fired. It does not fire again on that day, whatever its time is by then.
alter table ninefold.timer add column last_at timestamptz(3);`,
  },
  {
    number: 35,
    what: 'which time of a timer was skipped',
    when: 'before',
    sql: `
-- When it was due last and too late to be done.
alter table ninefold.timer add column skipped_at timestamptz(3);`,
  },
  {
    number: 37,
    what: 'which ends of work on many records nobody has looked at',
    when: 'after',
    sql: `
-- Since when \`person\` could look at how it ended, and has not; null: they have, or it has not ended without them.
alter table ninefold.job add column unseen_since timestamptz(3);
create index job_unseen on ninefold.job (person) where unseen_since is not null;`,
  },
  {
    number: 38,
    what: 'messages of others that were refused',
    when: 'before',
    sql: `
create table ninefold.refused (
  id uuid primary key,
  at timestamptz(3) not null,
  -- Key of the Receives.
  name text not null,
  -- It was not provably from its sender.
  stranger boolean not null,
  status integer not null,
  codes text[] not null,
  words text not null,
  request text not null
);
create index refused_latest on ninefold.refused (name, stranger, at desc);`,
  },
  {
    number: 39,
    what: 'mails that had nobody to go to',
    when: 'before',
    sql: `
-- A mail for nobody is never sent: it is there to be looked at.
alter table ninefold.outbox drop constraint outbox_state_check;
alter table ninefold.outbox add constraint outbox_state_check check (state in ('waiting', 'delivered', 'failed', 'unaddressed')) not valid;
create index outbox_unaddressed on ninefold.outbox (finished_at) where state = 'unaddressed';`,
  },
  {
    number: 41,
    what: 'calls that were withdrawn',
    when: 'before',
    sql: `
-- What was withdrawn before anybody tried to send it is there to be looked at, without what it would have sent.
alter table ninefold.outbox drop constraint outbox_state_check;
alter table ninefold.outbox add constraint outbox_state_check check (state in ('waiting', 'delivered', 'failed', 'unaddressed', 'withdrawn')) not valid;`,
  },
  {
    number: 43,
    what: 'calls that dev received itself',
    when: 'before',
    sql: `
create table ninefold.received_call (
  id uuid primary key,
  at timestamptz(3) not null,
  -- The row of the outbox.
  entry uuid not null,
  -- Key of the call.
  name text not null,
  method text not null,
  -- Settings stand in it by their names.
  address text not null,
  headers jsonb not null,
  body text not null,
  -- Null: nothing was answered.
  answered integer
);
create index received_call_at on ninefold.received_call (at desc);
-- By the key of the call: what it is answered from now on; without a status nothing.
create table ninefold.chosen_answer (
  name text primary key,
  status integer,
  body text not null
);`,
  },
  {
    number: 45,
    what: 'how often work on many records was begun and not ended',
    when: 'after',
    sql: `
-- Rounds that were begun since one came to its end. What takes a process with it each time is stopped.
alter table ninefold.job add column attempts integer not null default 0;`,
  },
  {
    number: 50,
    what: 'the file of an import',
    when: 'after',
    sql: `
-- As it was sent, until something is written of it: another of its sheets may be meant.
alter table ninefold.job add column file bytea;`,
  },
  {
    number: 57,
    what: 'whose failures let a call pause',
    when: 'before',
    sql: `
-- The row of the outbox, as long as all failures since the last success are of one; null: of several.
alter table ninefold.breaker add column failed_by uuid;`,
  },
  {
    number: 61,
    what: 'when the clock of a timer stood',
    when: 'before',
    sql: `
-- Pairs of moments, the second null while it still stands; null: it never did. A timer that stands is due at the end of all time.
alter table ninefold.timer add column stood jsonb;`,
  },
  {
    number: 63,
    what: 'work on many records is taken back',
    when: 'after',
    sql: `
-- The version of the record by which it is taken back; null: it cannot be.
alter table ninefold.job_row add column version integer;
alter table ninefold.job drop constraint job_kind_check;
alter table ninefold.job add constraint job_kind_check check (kind in ('import', 'step', 'edit', 'undo'));`,
  },
]
