/** What is kept beside records: files, comments and notices, views, decisions, drafts, readings, and what was erased. */
import type { SystemStep } from '../system.ts'

export const records: readonly SystemStep[] = [
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
    number: 28,
    what: 'which warnings were confirmed with a change',
    when: 'before',
    sql: `
-- Codes of the catalogue, confirmed by whoever acted; null: none.
alter table ninefold.history add column confirmed text[];`,
  },
  {
    number: 34,
    what: 'what keeps records as they are that are only ever added',
    when: 'before',
    sql: `
-- Whoever erases what is personal, or changes the tables, switches it off for their own transaction: set local ninefold.append_only = 'off'.
create function ninefold.append_only() returns trigger language plpgsql as $$ begin
  if current_setting('ninefold.append_only', true) = 'off' or (tg_op = 'UPDATE' and new is not distinct from old) then return coalesce(new, old); end if; raise exception 'records of % are added, and never changed or deleted', tg_table_name using errcode = 'check_violation', constraint = tg_name, table = tg_table_name, schema = tg_table_schema; end $$;`,
  },
  {
    number: 42,
    what: 'what keeps records of a tree from being above themselves',
    when: 'before',
    sql: `
-- Given the column that names the record above, and what whoever moves one locks. Each command sees what was committed before it began;
-- where a whole transaction sees one moment only, sharing the locks of all above finds out who moved one of them meanwhile.
create function ninefold.no_circle() returns trigger language plpgsql as $$ declare above uuid[]; begin
  if tg_op = 'UPDATE' and to_jsonb(new) -> tg_argv[0] = to_jsonb(old) -> tg_argv[0] then return null; end if; perform pg_advisory_xact_lock(hashtextextended(tg_argv[1], 0)); execute format(
    'with recursive climb(id) as (select t.%1$I from %2$I.%3$I as t where t.id = $1 union select t.%1$I from climb join %2$I.%3$I as t on t.id = climb.id) select array_agg(id) from climb',
    tg_argv[0], tg_table_schema, tg_table_name) into above using new.id; if current_setting('transaction_isolation') = 'repeatable read' then execute format('select from %I.%I where id = any($1) for share', tg_table_schema, tg_table_name) using above; end if; if new.id = any(above) then
    raise exception 'a record of % would be above itself', tg_table_name using errcode = 'check_violation', constraint = tg_name, table = tg_table_name, schema = tg_table_schema, column = tg_argv[0]; end if; return null; end $$;`,
  },
  {
    number: 47,
    what: 'an order of words in which numbers count',
    when: 'before',
    sql: `
create collation ninefold.counting (provider = icu, locale = 'und-u-kn-true');`,
  },
  {
    number: 49,
    what: 'a search that knows no difference between kinds of apostrophes, and none by hyphens and by what cannot be seen',
    when: 'before',
    sql: `
-- "O’Brien" is found by "o'brien", "AB-1234" by "ab1234", and a word by itself whatever invisible marks were copied along with it.
create or replace function ninefold.fold(value text) returns text language sql immutable strict parallel safe
return translate(
  replace(replace(replace(
    regexp_replace(
      lower(normalize(translate(value, '’‘ʼʹ′\`´＇', ''''''''''''''''''), NFKD) collate ninefold.words),
      '[\u0300-\u036f\u00ad\u061c\u180e\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2060-\u206f\u2212\ufe00-\ufe0f\ufeff-]', '', 'g'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
  'øłđðþıħŧ', 'olddtiht');
do $$ declare index regclass; begin
  for index in select indexrelid from pg_index where pg_get_indexdef(indexrelid) like '%ninefold.fold(%' loop execute format('reindex index %s', index); end loop; end $$;`,
  },
  {
    number: 54,
    what: 'a search that knows no difference between kinds of quotation marks',
    when: 'before',
    sql: `
-- “Don’t” is found by "don't", whichever keyboard wrote it: what stands like one apostrophe is one, and what stands like two is one mark.
create or replace function ninefold.fold(value text) returns text language sql immutable strict parallel safe
return translate(
  replace(replace(replace(
    regexp_replace(
      lower(normalize(translate(value, '’‘‚‛‹›ʹʻʼʽˈˊˋ՚׳′‵ꞌ❛❜＇\`´“”„‟«»ʺ˝״″‶❝❞⹂〝〞〟＂', '''''''''''''''''''''''''''''''''''''''''''''''""""""""""""""""""'), NFKD) collate ninefold.words),
      '[\u0300-\u036f\u00ad\u061c\u180e\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2060-\u206f\u2212\ufe00-\ufe0f\ufeff-]', '', 'g'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
  'øłđðþıħŧ', 'olddtiht');
do $$ declare index regclass; begin
  for index in select indexrelid from pg_index where pg_get_indexdef(indexrelid) like '%ninefold.fold(%' loop execute format('reindex index %s', index); end loop; end $$;`,
  },
  {
    number: 55,
    what: 'which decisions a step was taken with',
    when: 'after',
    sql: `
-- Where they made the step happen: the states from which it leads. They are told of until the record is in one of these again.
alter table ninefold.decision add column taken_from text[];`,
  },
  {
    number: 56,
    what: 'what tells of things by their new names while a version before calls them by the old ones',
    when: 'before',
    sql: `
-- Triggers while tables change: a column of what is written gets another value; a field is named otherwise in what the history tells.
create function ninefold.renamed() returns trigger language plpgsql as $$ begin
  return jsonb_populate_record(new, jsonb_build_object(tg_argv[0], tg_argv[1])); end $$;
create function ninefold.renamed_field() returns trigger language plpgsql as $$ begin
  new.changes := (new.changes - tg_argv[0]) || jsonb_build_object(tg_argv[1], new.changes -> tg_argv[0]); return new; end $$;`,
  },
  {
    number: 62,
    what: 'a table of attempts that were refused',
    when: 'before',
    sql: `
-- The newest of each record, where the document says so. Never what was given.
create table ninefold.refused_attempt (
  -- UUIDv7: in the order of time.
  id uuid primary key,
  at timestamptz(3) not null,
  entity text not null,
  record uuid not null,
  -- \`change\`, \`delete\`, or the key of the step.
  what text not null,
  -- Of the problems.
  codes text[] not null,
  -- Null: somebody who is not signed in.
  person uuid,
  -- Who did it as that person; null: they themselves.
  acted_by uuid,
  api_key text,
  by_link boolean not null,
  document text not null
);
create index refused_attempt_record on ninefold.refused_attempt (entity, record, id desc);`,
  },
  {
    number: 64,
    what: 'notices of work, and how people want to be told of what',
    when: 'after',
    sql: `
-- Entries of the history of which somebody may have to be told; each goes when that is done.
create table ninefold.untold (entry uuid primary key);

-- A notice is of a comment, or of an entry of the history.
alter table ninefold.notice alter column comment drop not null;
alter table ninefold.notice add column entry uuid;
-- The field in which somebody was named.
alter table ninefold.notice add column field text;
-- So many of its kind were not read either, and went up in it.
alter table ninefold.notice add column more integer not null default 0;
alter table ninefold.notice drop constraint notice_kind_check;
alter table ninefold.notice add constraint notice_kind_check check (kind in ('mention', 'comment', 'owner', 'decide', 'moved'));
create unique index notice_folded on ninefold.notice (person, entity, record, kind) where read_at is null and entry is not null;
create index notice_record on ninefold.notice (entity, record);

-- By the kind of notice, or the mail of the document; what is not there is told as for everybody.
alter table ninefold.preference add column told jsonb not null default '{}';
update ninefold.preference set told = jsonb_strip_nulls(jsonb_build_object(
  'mention', case when notify = 'none' then 'none' else notify_by end,
  'comment', case when notify is not null then 'none' else notify_by end));`,
  },
  {
    number: 66,
    what: 'nobody is told of a step while it can be taken back',
    when: 'after',
    sql: `
-- Null: at once.
alter table ninefold.untold add column due_at timestamptz(3);`,
  },
  {
    number: 67,
    what: 'what authors of comments change and take back can be undone',
    when: 'after',
    sql: `
-- What it was before its author changed it or took it back, while that can be undone: text, mentions, changed_at. Only its author gets it back.
alter table ninefold.comment add column before jsonb;
create index comment_before on ninefold.comment (changed_at) where before is not null;`,
  },
  {
    number: 68,
    what: 'comments that reply to others',
    when: 'after',
    sql: `
-- The comment that begins the thread; no reply begins one.
alter table ninefold.comment add column reply_to uuid references ninefold.comment (id) on delete cascade;
create index comment_thread on ninefold.comment (reply_to) where reply_to is not null;
alter table ninefold.notice drop constraint notice_kind_check;
alter table ninefold.notice add constraint notice_kind_check check (kind in ('mention', 'reply', 'comment', 'owner', 'decide', 'moved'));`,
  },
  {
    number: 69,
    what: 'files in comments',
    when: 'after',
    sql: `
-- As fields of records name them.
alter table ninefold.comment add column files text[] not null default '{}';`,
  },
]
