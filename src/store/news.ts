/**
 * What was written, told to every process that serves the same database. It goes beside the transactions, a moment after their commit:
 * commits that notify wait for each other. What is lost with a process that dies in between, pages find when they look again.
 */
import { Client, type ClientConfig } from 'pg'

/** Fields that are another now. Null: anything may be, as of a record that is new or gone. */
export type ChangedFields = ReadonlySet<string> | null

/** In the place of an entity, with the ids of people: what they were told of, or have read, is another. No entity has this name. */
export const peopleTold = '@'

/** What was written, by entity and id. */
export type Written = ReadonlyMap<string, ReadonlyMap<string, ChangedFields>>

/** Adds what was written to what is known already. */
export function addWritten(
  all: Map<string, Map<string, ChangedFields>>,
  entity: string,
  id: string,
  fields: ChangedFields,
) {
  const known = all.get(entity) ?? new Map<string, ChangedFields>()
  const before = known.get(id)
  all.set(entity, known.set(id, fields === null || before === null ? null : new Set([...(before ?? []), ...fields])))
}

/** Null: something may have been missed. */
export type Listener = (written: Written | null) => void

export interface News {
  readonly tell: (entity: string, id: string, fields: ChangedFields) => void
  /** Gives the way to end it. The first one opens a connection of its own, the last one closes it. */
  readonly listen: (listener: Listener) => () => void
  /** Tells what is left to tell. */
  readonly close: () => Promise<void>
}

const channel = 'ninefold_written'
/** Milliseconds in which what happens is told together. */
const gathered = 100
/** A message may have less than 8,000 bytes; an id has 39 in it. */
const mostIds = 100
const mostOfFields = 3_000
const firstPause = 1000
const longestPause = 10_000

/** `notify` sends one message by a statement. */
export function newsOf(config: ClientConfig, notify: (channel: string, message: string) => Promise<unknown>): News {
  let pending = new Map<string, Map<string, ChangedFields>>()
  let timer: ReturnType<typeof setTimeout> | null = null
  const listeners = new Set<Listener>()
  let ear: Client | null = null
  let opened: Client | null = null
  let pause = firstPause
  let isClosed = false

  const send = async () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const written = pending
    pending = new Map()
    // Whoever misses it looks again in time: nobody's write fails for it.
    for (const message of messagesOf(written)) await notify(channel, message).catch(() => {})
  }
  const lost = (from: Client) => {
    if (ear !== from) return
    ear = null
    if (isClosed || listeners.size === 0) return
    setTimeout(() => void attend(true), pause).unref()
    pause = Math.min(pause * 2, longestPause)
  }
  const stop = async () => {
    const client = ear
    ear = null
    if (client !== null && client === opened) await client.end().catch(() => {})
  }
  const attend = async (again: boolean) => {
    if (ear !== null || isClosed || listeners.size === 0) return
    const client = new Client({ ...config, application_name: `${config.application_name} news` })
    ear = client
    client.on('error', () => lost(client))
    client.on('end', () => lost(client))
    client.on('notification', ({ payload = '' }) => {
      const written = writtenIn(payload)
      for (const listener of listeners) listener(written)
    })
    try {
      await client.connect()
      opened = client
      await client.query(`listen ${channel}`)
      pause = firstPause
      // Nobody listens any more: whoever stopped could not end what was not open yet.
      if (ear !== client) return void (await client.end())
      if (again) for (const listener of listeners) listener(null)
    } catch {
      lost(client)
      await client.end().catch(() => {})
    }
  }

  return {
    tell(entity, id, fields) {
      addWritten(pending, entity, id, fields)
      timer ??= setTimeout(() => void send(), gathered).unref()
    },
    listen(listener) {
      listeners.add(listener)
      void attend(false)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) void stop()
      }
    },
    async close() {
      if (timer !== null) await send()
      isClosed = true
      await stop()
    },
  }
}

const anything = '*'

/** The entity, the fields, and ids of its records, separated by spaces: none has one. */
function* messagesOf(written: Written): Generator<string> {
  for (const [entity, records] of written)
    for (const [fields, group] of Map.groupBy(records, ([, fields]) => fieldsText(fields))) {
      const ids = group.map(([id]) => id)
      for (let at = 0; at < ids.length; at += mostIds) yield [entity, fields, ...ids.slice(at, at + mostIds)].join(' ')
    }
}

function fieldsText(fields: ChangedFields): string {
  const text = fields === null ? anything : [...fields].sort().join(',')
  return Buffer.byteLength(text) > mostOfFields ? anything : text
}

function writtenIn(message: string): Written {
  const [entity = '', text = anything, ...ids] = message.split(' ')
  const fields = text === anything ? null : new Set(text.split(',').filter(Boolean))
  return new Map([[entity, new Map(ids.map(id => [id, fields]))]])
}
