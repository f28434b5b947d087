/**
 * The tables that every application has, in the schema `ninefold`: who may sign in, what happened, what is still to happen.
 * They change by numbered steps. A step that was released is never edited; what it got wrong, a later one puts right.
 * Times are `timestamptz(3)` and always given by the caller, never `now()`: tests move the clock.
 */

export interface SystemStep {
  readonly number: number
  /** In words, for the plan. */
  readonly what: string
  /** `after`: needs the application's own tables (`person`). */
  readonly when: 'before' | 'after'
  readonly sql: string
}

/** Sorting for people, the same on every server: by the root rules of the Unicode Collation Algorithm. */
export const collation = 'ninefold.words'

/** A row of `ninefold.timer` that stands for all records of an entity: its timers are to be armed anew. No key begins with a space. */
export const rearmMark = ' rearm'
/** The record of rows that stand for all records of an entity. */
export const nobody = '00000000-0000-0000-0000-000000000000'

export const systemSteps: readonly SystemStep[] = [
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
  {
    number: 2,
    what: 'accounts, sessions and roles go with their person',
    when: 'after',
    sql: `
alter table ninefold.account add constraint account_person_fkey
  foreign key (person) references public.person (id) on delete cascade;
alter table ninefold.session add constraint session_person_fkey
  foreign key (person) references public.person (id) on delete cascade;
alter table ninefold.link add constraint link_person_fkey
  foreign key (person) references public.person (id) on delete cascade;
alter table ninefold.appointment add constraint appointment_person_fkey
  foreign key (person) references public.person (id) on delete cascade;`,
  },
  {
    number: 3,
    what: 'what people choose for themselves: language, time zone, density, theme',
    when: 'after',
    sql: `
-- Null: as the application, or the browser, has it.
create table ninefold.preference (
  person uuid primary key references public.person (id) on delete cascade,
  language text,
  time_zone text,
  density text check (density in ('compact')),
  theme text check (theme in ('light', 'dark')),
  changed_at timestamptz(3) not null
);`,
  },
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
    number: 7,
    what: 'a table of the files that people sent',
    when: 'before',
    sql: `
-- Who sent which file. It stays as long as its content does: a row without content never is, content without a row neither.
create table ninefold.file (
  person uuid not null,
  -- SHA-256 of the content, hexadecimal: its name in the store of files.
  digest text not null,
  type text not null,
  name text not null,
  size bigint not null,
  at timestamptz(3) not null,
  primary key (person, digest, type, name)
);
create index file_digest on ninefold.file (digest);
create index file_at on ninefold.file (at);`,
  },
  {
    number: 8,
    what: 'keys with which programs act for their person',
    when: 'after',
    sql: `
-- A key acts as its person, in one of their roles, as long as they have it.
create table ninefold.api_key (
  -- UUIDv7: in the order of time.
  id uuid primary key,
  -- SHA-256 of the key; the key itself is shown once and kept nowhere.
  token_hash bytea not null unique,
  person uuid not null references public.person (id) on delete cascade,
  name text not null,
  role text not null,
  created_at timestamptz(3) not null,
  seen_at timestamptz(3),
  ends_at timestamptz(3) not null,
  unique (person, name)
);
-- Name of the key that did it; null: the person themselves.
alter table ninefold.history add column api_key text;`,
  },
  {
    number: 9,
    what: 'what texts are searched by: without case and accents',
    when: 'before',
    sql: `
-- "Müller" and "MULLER" are found by the same letters; what a letter is made of goes, and letters that cannot be taken apart become plain ones.
create function ninefold.fold(value text) returns text language sql immutable strict parallel safe
return translate(
  replace(replace(replace(
    regexp_replace(lower(normalize(value, NFKD) collate ninefold.words), '[\u0300-\u036f]', '', 'g'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
  'øłđðþıħŧ', 'olddtiht');`,
  },
  {
    number: 10,
    what: 'what people say about records, and who follows them',
    when: 'after',
    sql: `
create table ninefold.comment (
  -- UUIDv7: in the order of time.
  id uuid primary key,
  entity text not null,
  record uuid not null,
  person uuid not null,
  at timestamptz(3) not null,
  -- Null: taken back.
  text text,
  -- People that it names, who saw the record then.
  mentions uuid[] not null default '{}',
  -- When it was changed or taken back.
  changed_at timestamptz(3)
);
create index comment_record on ninefold.comment (entity, record, id desc);

-- What people chose, or what came of a comment; without a row, following comes from the record itself.
create table ninefold.follower (
  entity text not null,
  record uuid not null,
  person uuid not null references public.person (id) on delete cascade,
  follows boolean not null,
  primary key (entity, record, person)
);
create index follower_person on ninefold.follower (person);`,
  },
  {
    number: 11,
    what: 'views of lists that people save',
    when: 'after',
    sql: `
create table ninefold.view (
  -- UUIDv7: in the order of time.
  id uuid primary key,
  -- Key of the screen.
  screen text not null,
  person uuid not null references public.person (id) on delete cascade,
  name text not null,
  -- Filters, order and columns, as in the address.
  query text not null,
  -- Everybody with this role has it; null: only the person.
  role text,
  made_at timestamptz(3) not null,
  unique (screen, person, name)
);

-- What a list opens with: the key of a view of the document, or the id of one that was saved.
create table ninefold.view_first (
  person uuid not null references public.person (id) on delete cascade,
  screen text not null,
  view text not null,
  primary key (person, screen)
);`,
  },
  {
    number: 12,
    what: 'who is told of comments, and how they want to be told',
    when: 'after',
    sql: `
create table ninefold.notice (
  -- UUIDv7: in the order of time.
  id uuid primary key,
  person uuid not null references public.person (id) on delete cascade,
  entity text not null,
  record uuid not null,
  comment uuid not null references ninefold.comment (id) on delete cascade,
  kind text not null check (kind in ('mention', 'comment')),
  read_at timestamptz(3),
  unique (comment, person)
);
create index notice_person on ninefold.notice (person, id desc);
create index notice_unread on ninefold.notice (person) where read_at is null;

-- Null: of everything that one follows.
alter table ninefold.preference add column notify text check (notify in ('mentions', 'none'));
-- Null: by mail too.
alter table ninefold.preference add column notify_by text check (notify_by in ('page'));`,
  },
  {
    number: 13,
    what: 'tables of what people decided about steps, and of whom they name to decide for them',
    when: 'after',
    sql: `
-- What counts of it is what was decided on the version that the record has.
create table ninefold.decision (
  -- Its entry in the history has the same.
  id uuid primary key,
  at timestamptz(3) not null,
  entity text not null,
  record uuid not null,
  version integer not null,
  step text not null,
  -- Key of the approval that it counts for.
  approval text not null,
  person uuid not null,
  -- Whom the person stands in for; null: nobody.
  represents uuid,
  reason text,
  document text not null,
  unique (entity, record, step, version, person)
);
-- A person counts once, whether they decide themselves or somebody does for them.
create unique index decision_counts on ninefold.decision (entity, record, step, version, (coalesce(represents, person)));
create index decision_person on ninefold.decision (person, id desc);

create table ninefold.deputy (
  id uuid primary key,
  person uuid not null references public.person (id) on delete cascade,
  deputy uuid not null references public.person (id) on delete cascade,
  from_on date not null,
  -- The last day.
  until_on date not null,
  at timestamptz(3) not null,
  check (person <> deputy),
  check (from_on <= until_on)
);
create index deputy_person on ninefold.deputy (person, until_on);
create index deputy_deputy on ninefold.deputy (deputy, until_on);

alter table ninefold.history drop constraint history_kind_check;
alter table ninefold.history add constraint history_kind_check
  check (kind in ('create', 'change', 'delete', 'step', 'timer', 'call', 'constant', 'appointment', 'decision'));`,
  },
  {
    number: 14,
    what: 'links sent by e-mail say what they are for',
    when: 'before',
    sql: `
alter table ninefold.link add column purpose text not null default 'sign_in'
  check (purpose in ('sign_in', 'password', 'invitation'));`,
  },
  {
    number: 15,
    what: 'second factors: authenticators and recovery codes',
    when: 'after',
    sql: `
create table ninefold.second_factor (
  person uuid primary key references public.person (id) on delete cascade,
  -- Base32 of what the authenticator counts with.
  secret text not null,
  -- Null: no code has shown yet that it works, and none is asked for.
  confirmed_at timestamptz(3),
  -- The step of time of the last code: this one and those before are used up.
  last_counter bigint not null default 0
);
create table ninefold.recovery_code (
  person uuid not null references public.person (id) on delete cascade,
  code_hash bytea not null,
  primary key (person, code_hash)
);
alter table ninefold.link drop constraint link_purpose_check;
alter table ninefold.link add constraint link_purpose_check
  check (purpose in ('sign_in', 'password', 'invitation', 'second_factor'));`,
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
    number: 17,
    what: 'drafts: what somebody typed into a form and has not saved',
    when: 'after',
    sql: `
create table ninefold.draft (
  person uuid not null references public.person (id) on delete cascade,
  -- Address of the form.
  form text not null,
  -- [[name, text], …], as the form sends it. It was never judged, and is no record.
  pairs jsonb not null,
  -- Digests of the files that it names.
  files text[] not null,
  -- The step of a wizard that it is at.
  step integer not null,
  kept_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  primary key (person, form)
);
create index draft_ends_at on ninefold.draft (ends_at);`,
  },
  {
    number: 18,
    what: 'who somebody is elsewhere, for signing in there',
    when: 'after',
    sql: `
-- A person is known to an issuer under one subject, and a subject is one person.
create table ninefold.identity (
  issuer text not null,
  subject text not null,
  person uuid not null references public.person (id) on delete cascade,
  made_at timestamptz(3) not null,
  primary key (issuer, subject),
  unique (issuer, person)
);

-- Ways to another place and back that have begun. Each is taken once, by the browser that began it.
create table ninefold.sign_on (
  -- SHA-256 of \`state\`.
  state_hash bytea primary key,
  -- SHA-256 of the browser's visit cookie.
  visit_hash bytea not null,
  nonce text not null,
  verifier text not null,
  next text not null,
  -- Of an invitation that is answered so; null: there is none.
  invitation_hash bytea,
  ends_at timestamptz(3) not null
);
create index sign_on_ends_at on ninefold.sign_on (ends_at);

-- How the session came about: \`password\`, \`link\`, \`single sign-on\` …
alter table ninefold.session add column way text;`,
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
    number: 20,
    what: 'a table of who read which record, and why',
    when: 'before',
    sql: `
-- Never changed: who asked for a record in an emergency, and who was shown which record where that is written down.
create table ninefold.read_log (
  -- UUIDv7: in the order of time.
  id uuid primary key,
  at timestamptz(3) not null,
  -- Null: somebody who is not signed in.
  person uuid,
  -- Name of the API key; null: in person.
  api_key text,
  entity text not null,
  record uuid not null,
  -- \`emergency\`: it was opened, with a reason, until \`ends_at\`. Else how it was shown.
  way text not null check (way in ('emergency', 'page', 'form', 'list', 'file', 'export', 'api')),
  -- The opening that let them; null: their role sees it anyway.
  through uuid,
  reason text,
  ends_at timestamptz(3),
  request text not null,
  document text not null,
  -- The line that let them ask: 'ward.md:120'.
  because text
);
create index read_log_record on ninefold.read_log (entity, record, id desc);
create index read_log_person on ninefold.read_log (person, id desc);
create index read_log_open on ninefold.read_log (person, entity, record, ends_at) where way = 'emergency';
create index read_log_through on ninefold.read_log (through) where through is not null;`,
  },
  {
    number: 21,
    what: 'passkeys, and what a device is asked to prove one',
    when: 'after',
    sql: `
create table ninefold.passkey (
  -- Of the credential, base64url.
  id text primary key,
  person uuid not null references public.person (id) on delete cascade,
  -- COSE.
  public_key bytea not null,
  counter bigint not null,
  name text not null,
  made_at timestamptz(3) not null,
  used_at timestamptz(3),
  unique (person, name)
);

-- Each is answered once. \`purpose_hash\`: SHA-256 of what it is for, and of what the browser has that asked.
create table ninefold.challenge (
  challenge_hash bytea primary key,
  purpose_hash bytea not null,
  ends_at timestamptz(3) not null
);
create index challenge_ends_at on ninefold.challenge (ends_at);`,
  },
  {
    number: 22,
    what: 'which sessions have shown a second factor',
    when: 'after',
    sql: `
alter table ninefold.session add column strong boolean not null default false;
-- Whoever has an authenticator was asked for its code.
update ninefold.session as s set strong = true
  where exists (select from ninefold.second_factor as f where f.person = s.person and f.confirmed_at is not null);`,
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
    number: 24,
    what: 'tables of what is personal and was erased',
    when: 'after',
    sql: `
-- When what is personal in a record was erased last.
create table ninefold.erased (
  entity text not null,
  record uuid not null,
  at timestamptz(3) not null,
  primary key (entity, record)
);
-- People who were to be erased. What had to be kept goes when it need not be kept any more, and only then it is done.
create table ninefold.erasure (
  person uuid primary key,
  asked_at timestamptz(3) not null,
  asked_by uuid,
  done_at timestamptz(3)
);
alter table ninefold.history drop constraint history_kind_check;
alter table ninefold.history add constraint history_kind_check
  check (kind in ('create', 'change', 'delete', 'step', 'timer', 'call', 'constant', 'appointment', 'decision', 'erase', 'give out'));`,
  },
  {
    number: 25,
    what: 'a table of who acted as whom, and why',
    when: 'after',
    sql: `
-- Never taken away but with the person as whom somebody acted.
create table ninefold.acting (
  -- UUIDv7: in the order of time.
  id uuid primary key,
  by uuid not null,
  -- Null: nobody else; the application was looked at as a role.
  person uuid references public.person (id) on delete cascade,
  role text,
  reason text not null,
  at timestamptz(3) not null,
  until_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
create index acting_by on ninefold.acting (by, id desc);
create index acting_person on ninefold.acting (person, id desc);

alter table ninefold.session add column acting uuid;
alter table ninefold.session add column acting_as uuid references public.person (id) on delete set null;
alter table ninefold.session add column preview_role text;
alter table ninefold.session add column acting_until timestamptz(3);
-- Who really did it, as the actor; null: the actor.
alter table ninefold.history add column acted_by uuid;`,
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
    number: 28,
    what: 'which warnings were confirmed with a change',
    when: 'before',
    sql: `
-- Codes of the catalogue, confirmed by whoever acted; null: none.
alter table ninefold.history add column confirmed text[];`,
  },
  {
    number: 29,
    what: 'notices that come by mail once a day',
    when: 'after',
    sql: `
alter table ninefold.preference drop constraint preference_notify_by_check;
alter table ninefold.preference add constraint preference_notify_by_check check (notify_by in ('daily', 'page'));`,
  },
]
