/** People and their ways in: accounts, sessions, keys, second factors, passkeys, what they choose, and who acts as whom. */
import type { SystemStep } from '../system.ts'

export const people: readonly SystemStep[] = [
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
    number: 29,
    what: 'notices that come by mail once a day',
    when: 'after',
    sql: `
alter table ninefold.preference drop constraint preference_notify_by_check;
alter table ninefold.preference add constraint preference_notify_by_check check (notify_by in ('daily', 'page'));`,
  },
  {
    number: 30,
    what: 'a table of what people sent after their session had ended',
    when: 'after',
    sql: `
create table ninefold.kept_post (
  -- SHA-256, as of sessions.
  id bytea primary key,
  -- SHA-256 of the browser's visit.
  visit bytea not null,
  path text not null,
  form text not null,
  ends_at timestamptz(3) not null
);
create index kept_post_ends on ninefold.kept_post (ends_at);`,
  },
  {
    number: 31,
    what: 'a table of what visitors sent and have not confirmed yet',
    when: 'after',
    sql: `
create table ninefold.unconfirmed (
  -- SHA-256 of the token in the link.
  token_hash bytea primary key,
  -- SHA-256 of the address that it was mailed to.
  mailbox bytea not null,
  -- Address of the form.
  path text not null,
  -- Names and texts, as the form sent them.
  form text not null,
  -- Digests of the files that it names, and who sent them.
  files text[] not null,
  sender uuid not null,
  language text not null,
  ends_at timestamptz(3) not null
);
create index unconfirmed_mailbox on ninefold.unconfirmed (mailbox);
create index unconfirmed_ends on ninefold.unconfirmed (ends_at);`,
  },
  {
    number: 36,
    what: 'ways in to one record for people without an account',
    when: 'before',
    sql: `
create table ninefold.case_link (
  -- SHA-256: of a token, or of a code with its record.
  token_hash bytea primary key,
  entity text not null,
  record uuid not null,
  -- \`link\`: in a mail, or shown once; \`code\`: typed beside the number; \`session\`: what either has led to.
  way text not null check (way in ('link', 'code', 'session')),
  created_at timestamptz(3) not null,
  ends_at timestamptz(3) not null
);
create index case_link_record on ninefold.case_link (entity, record);
create index case_link_ends_at on ninefold.case_link (ends_at);`,
  },
  {
    number: 40,
    what: 'keys that act without another one can be turned off',
    when: 'after',
    sql: `
-- Null: they act.
alter table ninefold.preference add column shortcuts text check (shortcuts in ('off'));`,
  },
  {
    number: 44,
    what: 'links end with the address that they were for',
    when: 'after',
    sql: `
-- The address that the person had. Null: opened before there was this column.
alter table ninefold.link add column email text;`,
  },
  {
    number: 46,
    what: 'whose a form is that is kept after a session had ended',
    when: 'after',
    sql: `
-- Null: nobody knows, or somebody without an account.
alter table ninefold.kept_post add column person uuid;`,
  },
  {
    number: 48,
    what: 'devices that somebody signed in from before',
    when: 'after',
    sql: `
create table ninefold.device (
  -- SHA-256 of the browser's device cookie.
  token_hash bytea not null,
  person uuid not null references public.person (id) on delete cascade,
  ends_at timestamptz(3) not null,
  primary key (token_hash, person)
);
create index device_person on ninefold.device (person);
create index device_ends_at on ninefold.device (ends_at);`,
  },
  {
    number: 51,
    what: 'when somebody showed anew who they are, keys that may change how people sign in, and what became of that in the history',
    when: 'after',
    sql: `
-- When the person last confirmed that it is them; null: when they signed in.
alter table ninefold.session add column confirmed_at timestamptz(3);
alter table ninefold.api_key add column sign_in boolean not null default false;
alter table ninefold.history drop constraint history_kind_check;
alter table ninefold.history add constraint history_kind_check
  check (kind in ('create', 'change', 'delete', 'step', 'timer', 'call', 'constant', 'appointment', 'decision', 'erase', 'give out', 'sign-in'));`,
  },
  {
    number: 52,
    what: 'sessions go on under another token when their person shows anew who they are',
    when: 'after',
    sql: `
-- What forms of the session are bound to; null: its token, which is the first.
alter table ninefold.session add column forms text;`,
  },
  {
    number: 53,
    what: 'forms for everyone that were held back',
    when: 'after',
    sql: `
create table ninefold.held_form (
  id uuid primary key,
  -- SHA-256 of a token in the form that came back: what is sent again from there is held once.
  key bytea not null unique,
  entity text not null,
  -- Address of the form.
  path text not null,
  -- Names and texts, as the form sent them.
  form text not null,
  -- Digests of the files that it names, and who sent them.
  files text[] not null,
  sender uuid not null,
  language text not null,
  at timestamptz(3) not null,
  ends_at timestamptz(3) not null
);
create index held_form_entity on ninefold.held_form (entity, at);
create index held_form_ends_at on ninefold.held_form (ends_at);`,
  },
  {
    number: 58,
    what: 'assistants that people let in by OAuth',
    when: 'after',
    sql: `
-- A key that nobody was shown has no token: an assistant that was let in with it has tokens of its own.
alter table ninefold.api_key alter column token_hash drop not null;
-- What OAuth keeps: registered programs, requests under way, codes, tokens, consents.
create table ninefold.oauth (
  kind text not null,
  -- SHA-256 of what names it: the token, the code, the id of the program.
  hash bytea not null,
  payload jsonb not null,
  -- The key as which it acts, and with which it ends; null: nobody has been asked yet.
  api_key uuid references ninefold.api_key (id) on delete cascade,
  ends_at timestamptz(3) not null,
  primary key (kind, hash)
);
create index oauth_api_key on ninefold.oauth (api_key);
create index oauth_ends_at on ninefold.oauth (ends_at);`,
  },
  {
    number: 59,
    what: 'roles for a time',
    when: 'before',
    sql: `
-- The first and the last day on which it is held; null: from the beginning, and for good.
alter table ninefold.appointment add column from_on date, add column until_on date;`,
  },
  {
    number: 60,
    what: 'what sessions and keys wrote last, for reading from a standby',
    when: 'after',
    sql: `
alter table ninefold.session add column written pg_lsn;
alter table ninefold.api_key add column written pg_lsn;`,
  },
  {
    number: 65,
    what: 'records that are shared, one by one, and what became of that in the history',
    when: 'after',
    sql: `
create table ninefold.share (
  id uuid primary key,
  role text not null,
  entity text not null,
  record uuid not null,
  -- A person, or a record that names several.
  with_record uuid not null,
  -- The last day on which it holds; null: until somebody ends it.
  until_on date,
  by uuid,
  at timestamptz(3) not null,
  unique (entity, record, role, with_record)
);
create index share_with on ninefold.share (with_record, role);
create index share_role on ninefold.share (role, record);
alter table ninefold.history drop constraint history_kind_check;
alter table ninefold.history add constraint history_kind_check
  check (kind in ('create', 'change', 'delete', 'step', 'timer', 'call', 'constant', 'appointment', 'decision', 'erase', 'give out', 'sign-in', 'share'));`,
  },
]
