/** What stands in the database while the application is tried, whoever may see it: what the document is asked about by itself. */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { archivedAt } from '../expression/archived.ts'
import { keptColumn } from '../expression/kept-columns.ts'
import { identifier, join, type Sql, sql } from '../expression/sql.ts'
import { castOf } from '../expression/sql-values.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import type { App } from '../headings/app.ts'
import { columnSql, tableSql } from '../run/names.ts'
import { openWay } from '../run/people/case-links.ts'
import { systemRequest } from '../run/people/people.ts'
import type { Runtime } from '../run/request.ts'
import { functionsOf } from '../run/write/code.ts'
import { deepLists } from '../run/write/draft-record.ts'
import { everyRecord } from '../run/write/record.ts'
import { removeForGood } from '../run/write/writes.ts'
import { codeOf } from '../store/failures.ts'
import { rearmMark } from '../store/system.ts'
import { randomBytes } from '../web/random.ts'
import { hashOf, newToken } from '../web/sign-in/session.ts'
import type { Player } from './client.ts'
import { type Deciding, readDeciding } from './deciding.ts'
import { type Asked, closedDays, limitsOf, toldOf, worth } from './judge.ts'
import { readNoticed } from './noticed.ts'
import { type Judge, rolesOf } from './oracle/rights.ts'
import { dayOf, type Stored, wireDay } from './oracle/values.ts'
import { lookEvery, looksAtMost } from './partner.ts'

/** The id of nobody: a visitor who has not signed in. */
export const visitor: Player = { id: '00000000-0000-0000-0000-000000000000', name: 'a visitor', roles: [] }

export interface World extends Judge {
  /** All records of an entity as they are stored now, child rows included. */
  readonly records: (entity: string) => readonly RecordValue[]
  readonly record: (entity: string, id: string) => RecordValue | undefined
  /** What a condition about a record of this entity is asked against, for this person. */
  readonly environment: (entity: string, row: RecordValue) => Asked
  /** `YYYY-MM-DD`. */
  readonly today: string
  /** What values are made up by. */
  readonly seed: number
  /** The same, as somebody else meets it. */
  readonly as: (player: Player) => World
  /** The same, if a record said something else. */
  readonly supposing: (entity: string, id: string, values: RecordValue) => World
  /** The same without a record. */
  readonly without: (entity: string, id: string) => World
  /** The same, with the records of these entities as they are there. */
  readonly besides: (other: World, entities: ReadonlySet<string>) => World
}

export interface Caused {
  readonly id: string
  readonly kind: 'mail' | 'call'
  readonly name: string
  readonly to: string | null
  /** Of a mail: its subject and its text. */
  readonly words: string | null
  readonly body: Readonly<Record<string, unknown>> | null
}

/** What is to leave about a record: a mail for each of its receivers (`person`; null: no account is theirs), or a call. */
export interface Left {
  readonly id: string
  readonly kind: 'mail' | 'call' | 'report'
  readonly name: string
  readonly person: string | null
  readonly address: string | null
  readonly subject: string | null
  readonly text: string | null
  readonly body: Readonly<Record<string, unknown>> | null
  /** Nothing of it leaves before. */
  readonly due: Date
  /** Of a call: the pieces of its address; a setting by its name. */
  readonly url: readonly (string | { readonly setting: string } | { readonly value: string })[] | null
}

/** A call that something caused, whatever became of it. */
export interface CallRow {
  readonly id: string
  readonly name: string
  readonly entity: string
  readonly record: string | null
  readonly body: Readonly<Record<string, unknown>> | null
  /** What tells its repetitions. */
  readonly key: string
  /** Its place among all that was caused. */
  readonly turn: number
  readonly state: string
  readonly due: Date
  /** Since it was sent again, an attempt has ended. */
  readonly isTried: boolean
  readonly error: string | null
  /** The code that was reported. */
  readonly reported: string | null
}

/** What the history says of a record. */
export interface Told {
  /** Milliseconds. */
  readonly at: number
  readonly kind: string
  readonly what: string
  readonly from: string | null
  readonly to: string | null
  readonly actor: string | null
  /** Of the record, since then. */
  readonly version: number
  readonly changes: Readonly<Record<string, unknown>>
}

/** What became of a row of a job. */
export interface JobLine {
  readonly state: string
  /** `create`, `change`, `same` or a step; null: nothing yet. */
  readonly did: string | null
  readonly codes: readonly string[]
}

/** Reads it anew after every change; `world` gives it as one person meets it. */
export interface Observatory {
  readonly world: (player: Player) => Promise<World>
  /** What was read is stale: something was written. */
  readonly forget: () => void
  /** A timer is due that has not fired. */
  readonly isDue: () => Promise<boolean>
  /** When the next timer is due, at this moment at the latest; null: none is. */
  readonly nextDue: (until: Date) => Promise<Date | null>
  /** Mails and calls that were caused until now, whether they have left or not: name, and of mails to whom. */
  readonly caused: () => Promise<readonly Caused[]>
  /** Mails and calls about one record, whether they have left or not. */
  readonly left: (entity: string, id: string) => Promise<readonly Left[]>
  /** All calls, the last one first. */
  readonly calls: () => Promise<readonly CallRow[]>
  /** Lets calls leave once more, each at its time, and no other until what it gives is called, as if so many attempts had been made. */
  readonly sendAgain: (due: ReadonlyMap<string, Date>, attempts: number) => Promise<() => Promise<void>>
  /** What its history says of one record, in the order of time. */
  readonly history: (entity: string, id: string) => Promise<readonly Told[]>
  /** How many refused attempts are kept of one record. */
  readonly refusals: (entity: string, id: string) => Promise<number>
  /** Who was told what of one record (`owner`, `decide`, `moved`, by person and kind), once everybody was who is to be. */
  readonly noticed: (entity: string, id: string) => Promise<ReadonlySet<string>>
  /** The rows of a job, in their order. */
  readonly job: (id: string) => Promise<readonly JobLine[]>
  /** When each timer of a record that is armed is due, by its key. */
  readonly armed: (entity: string, id: string) => Promise<ReadonlyMap<string, Date>>
  /** Takes away all timers, and lets those of this record be armed as it is now. */
  readonly rearm: (entity: string, id: string) => Promise<void>
  /** Takes away all timers but this one of this record. */
  readonly waitOnly: (entity: string, id: string, timer: string) => Promise<void>
  /** By id: what the database keeps of a computed field. */
  readonly kept: (entity: string, field: string) => Promise<ReadonlyMap<string, Wire>>
  /** Puts a record into a state past every step; false where the database refuses it there. */
  readonly put: (entity: string, id: string, state: string) => Promise<boolean>
  /** Gives fields of a record values past everybody; false where the database refuses them. */
  readonly set: (entity: string, id: string, values: Readonly<Record<string, Wire>>) => Promise<boolean>
  /** How PostgreSQL refuses a record these values (SQLSTATE), past everybody; null: it takes them. Nothing of it stays. */
  readonly refusal: (entity: string, id: string, values: Readonly<Record<string, Wire>>) => Promise<string | null>
  /** A token of a link that opens a record to whoever holds it. */
  readonly link: (entity: string, id: string) => Promise<string>
  /** Archives a record past everybody, or brings it back. */
  readonly aside: (entity: string, id: string, archived: boolean) => Promise<void>
  /** Which of two statements the database lets through that change and delete a record past everybody; nothing of it stays. */
  readonly yields: (entity: string, id: string) => Promise<readonly ('change' | 'delete')[]>
  /** Takes away all records but people and what these refer to, past everybody. */
  readonly clear: () => Promise<void>
  /** These people choose a language, by its tag; null: none. */
  readonly speak: (people: readonly string[], language: string | null) => Promise<void>
  /** The language that somebody chose; null: none. */
  readonly spokenBy: (person: string) => string | null
  /** Deletes a record past everybody, where no rule and no other record keeps it there. */
  readonly remove: (entity: string, id: string) => Promise<void>
}

/** A text for each entity that is another one once any of its records was written, made or deleted. */
const marked = (app: App) =>
  join(
    [...app.entities.keys()].map(
      key =>
        sql`select ${key}::text as entity, concat_ws(' ', count(*), sum(t.xmin::text::bigint)) as mark from ${tableSql(key)} as t`,
    ),
    ' union all ',
  )

/** The database does not take such a value, or such a record: classes 22 and 23 of PostgreSQL. */
const isKeptOut = (error: unknown): boolean => /^2[23]/.test(codeOf(error))

/** `people`: those who can be acted for. */
export function observatoryOf(
  runtime: Runtime,
  clock: () => Date,
  seed: number,
  people: readonly Player[],
): Observatory {
  const { app, store } = runtime
  /** Of each entity the mark that its records had when they were read. */
  const known = new Map<string, { readonly mark: string; readonly rows: ReadonlyMap<string, RecordValue> }>()
  let reading: Promise<ReadonlyMap<string, ReadonlyMap<string, RecordValue>>> | null = null
  let deciding: Deciding = { decided: [], standIns: [] }
  const told = toldOf(app)
  const spoken = new Map<string, string | null>()
  /** The fields that expressions of a world read of a person. */
  const worldFor = (player: Player, now: ReadonlyMap<string, ReadonlyMap<string, RecordValue>>): World => {
    const records: World['records'] = entity => [...(now.get(entity)?.values() ?? [])]
    const record: World['record'] = (entity, id) => now.get(entity)?.get(id)
    const me = player.id === visitor.id ? null : player.id
    const my = record('person', player.id) ?? null
    const closed = closedDays(told, records)
    const about: Asked['about'] = {
      me,
      now: clock().getTime(),
      closed: new Set(closed.map(dayOf)),
      changed: new Map(),
      record: (entity, id) => record(entity, id) as Stored | undefined,
      records: entity => records(entity) as readonly Stored[],
    }
    const today = wireDay(told.dayAt(about.now))
    const environment: World['environment'] = (entity, row) => ({
      app,
      entity,
      about,
      row,
      old: null,
      me,
      my,
      today,
      now: clock().toISOString(),
      get limits() {
        return limitsOf(app, about)
      },
      closed,
      functions: functionsOf(app),
      related: record,
      all: records,
    })
    const judge: Pick<Judge, 'told' | 'worth'> = {
      told,
      worth: (said, entity, row) => worth(said, environment(entity, row as RecordValue)),
    }
    const { decided, standIns } = deciding
    const decisions: Judge['decisions'] = (entity, { id }) =>
      decided.filter(one => one.entity === entity && one.record === id)
    const represented = standIns
      .filter(one => one.deputy === me && one.from <= today && today <= one.until)
      .map(({ person: id }) => {
        const given = people.find(one => one.id === id)?.roles ?? []
        return { id, roles: rolesOf(judge, id, given, (record('person', id) ?? null) as Stored | null) }
      })
    const tenant = told.tenant === null ? null : ((my?.[told.tenant] ?? null) as string | null)
    const actor = { id: me, roles: rolesOf(judge, me, player.roles, my as Stored | null), tenant }
    const supposing: World['supposing'] = (entity, id, values) => {
      const before = now.get(entity)
      const other = new Map(before).set(id, { ...before?.get(id), ...values })
      return worldFor(player, new Map(now).set(entity, other))
    }
    const without: World['without'] = (entity, id) => {
      const left = new Map(now.get(entity))
      left.delete(id)
      return worldFor(player, new Map(now).set(entity, left))
    }
    const besides: World['besides'] = (other, entities) => {
      const both = new Map(now)
      for (const entity of entities) both.set(entity, new Map(other.records(entity).map(one => [String(one.id), one])))
      return worldFor(player, both)
    }
    const as: World['as'] = other => worldFor(other, now)
    const others = { as, supposing, without, besides }
    return { ...judge, actor, decisions, represented, today, seed, records, record, environment, ...others }
  }
  /** By person, of what was read last. */
  let worlds = new Map<string, World>()
  let of: ReadonlyMap<string, ReadonlyMap<string, RecordValue>> | null = null
  const forget = () => {
    reading = null
  }
  const readChanged = async () => {
    const marks = new Map(
      (await store.query<{ entity: string; mark: string }>(marked(app))).map(one => [one.entity, one.mark]),
    )
    for (const { key } of app.entities.values()) {
      // Rows, and theirs, are part of what is read of their record.
      const lists = deepLists(app, key).map(({ entity }) => entity)
      const mark = [key, ...lists].map(one => marks.get(one)).join(', ')
      if (known.get(key)?.mark === mark) continue
      known.set(key, { mark, rows: new Map((await everyRecord(store, app, key)).map(row => [row.id, row])) })
    }
    deciding = await readDeciding(runtime)
    return new Map([...known].map(([key, { rows }]) => [key, rows]))
  }
  const all = () => {
    reading ??= readChanged()
    return reading
  }
  const write = async (entity: string, id: string, what: Sql): Promise<boolean> => {
    try {
      await store.inTransaction(tx =>
        tx.write(sql`update ${tableSql(entity)} as t set ${what} where ${columnSql('t', 'id')} = ${id}::uuid`),
      )
      forget()
      return true
    } catch (error) {
      if (isKeptOut(error)) return false
      throw error
    }
  }
  const given = (entity: string, values: Readonly<Record<string, Wire>>): Sql => {
    const { fields } = app.schema.get(entity)!
    const each = Object.entries(values).map(
      ([key, value]) => sql`${identifier(key)} = ${value}::text::${castOf(fields.get(key)!.type)}`,
    )
    return join(each, ', ')
  }
  return {
    async world(player) {
      const now = await all()
      if (now !== of) worlds = new Map()
      of = now
      let world = worlds.get(player.id)
      if (world === undefined) {
        world = worldFor(player, now)
        worlds.set(player.id, world)
      }
      return world
    },
    forget,
    async isDue() {
      const due = sql`select from ninefold.timer where fired_at is null and due_at <= ${clock()} and last_error is null limit 1`
      return (await store.query(due)).length > 0
    },
    async nextDue(until) {
      const next = sql`select min(due_at)::text as at from ninefold.timer where fired_at is null and due_at > ${clock()} and due_at <= ${until} and last_error is null`
      const [{ at = null } = {}] = await store.query<{ at: string | null }>(next)
      return at === null ? null : new Date(at)
    },
    caused: () =>
      store.query<Caused>(
        sql`select id, kind, name, payload -> 'to' ->> 'name' as to, concat_ws(' ', payload ->> 'subject', payload ->> 'text') as words, payload -> 'body' as body from ninefold.outbox where kind <> 'report' and state not in ('unaddressed', 'withdrawn') and because is not null`,
      ),
    async left(entity, id) {
      const rows = await store.query<Omit<Left, 'due'> & { readonly due: string }>(
        sql`select id, due_at::text as due, kind, name, payload -> 'to' ->> 'person' as person, payload -> 'to' ->> 'address' as address, payload ->> 'subject' as subject, payload ->> 'text' as text, payload -> 'body' as body, payload -> 'url' as url
          from ninefold.outbox where entity = ${entity} and record = ${id}::uuid and state not in ('unaddressed', 'withdrawn')`,
      )
      return rows.map(row => ({ ...row, due: new Date(row.due) }))
    },
    async refusals(entity, id) {
      const [row] = await store.query<{ count: string }>(
        sql`select count(*) as count from ninefold.refused_attempt where entity = ${entity} and record = ${id}::uuid`,
      )
      return Number(row!.count)
    },
    async calls() {
      const rows = await store.query<Omit<CallRow, 'due'> & { readonly due: string }>(
        sql`select id, name, entity, record, payload -> 'body' as body, repeat_key as key, turn::float8 as turn, state, due_at::text as due,
            last_at is not null and claimed_by is null as "isTried", last_error as error, reported
          from ninefold.outbox where kind = 'call' order by created_at desc, id desc`,
      )
      return rows.map(row => ({ ...row, due: new Date(row.due) }))
    },
    async sendAgain(due, attempts) {
      const [ids, dues] = [[...due.keys()], [...due.values()].map(at => at.toISOString())]
      const others = await store.query<{ id: string; state: string }>(
        sql`select id, state from ninefold.outbox where kind = 'call' and id <> all(${ids}::uuid[])`,
      )
      await store.inTransaction(async tx => {
        await tx.write(sql`delete from ninefold.breaker`)
        await tx.write(
          sql`update ninefold.outbox set state = 'withdrawn' where kind = 'call' and id <> all(${ids}::uuid[])`,
        )
      })
      // An attempt that is under way had nowhere to go, and would be taken for the one that comes now: it ends first.
      const begun = new Set<string>()
      for (let looks = 0; begun.size < ids.length && looks < looksAtMost; looks++) {
        if (looks > 0) await setTimeout(lookEvery)
        const again = await store.inTransaction(tx =>
          tx.query<{ id: string }>(
            sql`update ninefold.outbox as o set state = 'waiting', due_at = w.due, attempts = ${attempts}, first_at = null, last_at = null,
                last_error = null, reported = null, finished_at = null, claimed_until = null, quiet = false
              from unnest(${ids}::uuid[], ${dues}::timestamptz[]) as w (id, due)
              where w.id = o.id and o.claimed_by is null and w.id <> all(${[...begun]}::uuid[]) returning o.id`,
          ),
        )
        for (const { id } of again) begun.add(id)
      }
      return async () => {
        const [known, states] = [others.map(({ id }) => id), others.map(({ state }) => state)]
        await store.inTransaction(tx =>
          tx.write(
            sql`update ninefold.outbox as o set state = w.state
              from unnest(${known}::uuid[], ${states}::text[]) as w (id, state) where w.id = o.id`,
          ),
        )
      }
    },
    history: (entity, id) =>
      store.query<Told>(
        sql`select extract(epoch from at)::float8 * 1000 as at, kind, what, from_state as from, to_state as to, actor, version::integer as version, changes
          from ninefold.history where entity = ${entity} and record = ${id}::uuid order by id`,
      ),
    noticed: (entity, id) => readNoticed(store, entity, id),
    job: id =>
      store.query<JobLine>(
        sql`select state, did, array(select one ->> 'code' from jsonb_array_elements(problems) as one) as codes
          from ninefold.job_row where job = ${id}::uuid order by number`,
      ),
    async armed(entity, id) {
      const rows = await store.query<{ timer: string; at: string }>(
        sql`select timer, due_at::text as at from ninefold.timer where entity = ${entity} and record = ${id}::uuid`,
      )
      return new Map(rows.map(({ timer, at }) => [timer, new Date(at)]))
    },
    async rearm(entity, id) {
      await store.inTransaction(async tx => {
        await tx.write(sql`delete from ninefold.timer`)
        await tx.write(
          sql`insert into ninefold.timer (entity, record, timer, due_at) values (${entity}, ${id}::uuid, ${rearmMark}, ${clock()})`,
        )
      })
    },
    async waitOnly(entity, id, timer) {
      await store.inTransaction(tx =>
        tx.write(
          sql`delete from ninefold.timer where not (entity = ${entity} and record = ${id}::uuid and timer = ${timer})`,
        ),
      )
    },
    async kept(entity, field) {
      const rows = await store.query<{ id: string; value: Wire }>(
        sql`select t.id, ${columnSql('t', keptColumn(field))} as value from ${tableSql(entity)} as t`,
      )
      return new Map(rows.map(({ id, value }) => [id, value]))
    },
    put: (entity, id, state) => write(entity, id, sql`${identifier('state')} = ${state}`),
    set: (entity, id, values) => write(entity, id, given(entity, values)),
    async refusal(entity, id, values) {
      try {
        await store.inTransaction(async tx => {
          await tx.write(
            sql`update ${tableSql(entity)} as t set ${given(entity, values)} where ${columnSql('t', 'id')} = ${id}::uuid`,
          )
          await tx.write(sql`set constraints all immediate`)
          tx.abandon(null)
        })
        return null
      } catch (error) {
        return codeOf(error)
      }
    },
    async yields(entity, id) {
      const which = sql`${columnSql('t', 'id')} = ${id}::uuid`
      const statements = {
        change: sql`update ${tableSql(entity)} as t set version = version + 1 where ${which}`,
        delete: sql`delete from ${tableSql(entity)} as t where ${which}`,
      }
      const through: ('change' | 'delete')[] = []
      for (const verb of ['change', 'delete'] as const)
        try {
          await store.inTransaction(async tx => tx.abandon(await tx.write(statements[verb])))
          through.push(verb)
        } catch (error) {
          if (codeOf(error) !== '23514') throw error
        }
      return through
    },
    async speak(people, language) {
      const now = clock()
      await store.inTransaction(tx =>
        tx.write(sql`insert into ninefold.preference (person, language, changed_at) select unnest(${people}::uuid[]), ${language}, ${now}
          on conflict (person) do update set language = excluded.language`),
      )
      for (const person of people) spoken.set(person, language)
    },
    spokenBy: person => spoken.get(person) ?? null,
    async remove(entity, id) {
      const request = await systemRequest(runtime, 'timer', {
        now: clock(),
        id: 'verify',
        locale: 'en',
        newId: randomUUID,
      })
      await removeForGood(runtime, request, entity, id)
      forget()
    },
    async clear() {
      // What people refer to stays with them.
      const kept = new Set(['person'])
      for (const key of kept)
        for (const { type } of app.entities.get(key)?.fields ?? []) if (type.kind === 'reference') kept.add(type.entity)
      const tables = [...app.entities.keys()].filter(key => !kept.has(key)).map(key => tableSql(key))
      if (tables.length > 0) await store.inTransaction(tx => tx.write(sql`truncate ${join(tables, ', ')} cascade`))
      forget()
    },
    async link(entity, record) {
      const [token, now] = [newToken(randomBytes), clock()]
      const ends = new Date(now.getTime() + 86_400_000)
      await store.inTransaction(tx => openWay(tx, { hash: hashOf(token), entity, record, way: 'link', now, ends }))
      return token
    },
    async aside(entity, id, archived) {
      const at = archived ? clock() : null
      await store.inTransaction(tx =>
        tx.write(
          sql`update ${tableSql(entity)} as t set ${identifier(archivedAt)} = ${at}::timestamptz where ${columnSql('t', 'id')} = ${id}::uuid`,
        ),
      )
      forget()
    },
  }
}
