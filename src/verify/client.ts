/** The running application as a person uses it over its API: what `verify` does, it does through this. */
import type { App } from '../headings/app.ts'
import type { SampleFile } from './files.ts'
import type { Judged } from './judged.ts'
import type { Partner } from './partner.ts'
import { reach } from './reach.ts'
import { hear, type Told } from './refused.ts'
import type { Observatory } from './world.ts'

/** Somebody who can be acted for. */
export interface Player {
  readonly id: string
  readonly name: string
  readonly roles: readonly string[]
  /** Somebody without an account, who has opened the link of a record (null: of none): the API is not theirs. Absent: somebody with one. */
  readonly link?: { readonly entity: string; readonly record: string } | null
}

/** Where the application runs, and how to act for somebody: headers that carry their session. */
export interface Site {
  readonly app: App
  readonly url: string
  readonly players: readonly Player[]
  readonly headersFor: (player: Player) => Promise<Readonly<Record<string, string>>>
  /** Its clock, which stands. When it is set, what has come due until then happens first, then; when it passes, each at its own moment. */
  readonly clock: {
    readonly now: () => Date
    readonly set: (to: Date) => Promise<void>
    readonly pass: (to: Date) => Promise<void>
    /** From now on no timer fires, whatever its record says. */
    readonly hold: () => Promise<void>
    /** From now on they do. */
    readonly release: () => void
    /** What is due happens; then no timer fires until what it gives is called. */
    readonly pause: () => Promise<() => void>
  }
  /** Where its calls go. */
  readonly partner: Partner
  /** What its database holds. */
  readonly observatory: Observatory
  /** What `ask` asks for somebody without an account: as the forms for everyone and the pages of links take it. */
  readonly outside: (player: Player, method: string, path: string, body?: unknown, confirmed?: string) => Promise<Reply>
  /** What a scenario gives people who are there, as the application itself: for fields that nobody may write. */
  readonly given: (person: string, body: unknown) => Promise<Reply>
  /** Which cells of the document it was held against so far. */
  readonly judged: Judged
  /** What it has said so far of each code of heading 8. */
  readonly told: Told
  /** Told from time to time where it is. */
  readonly at?: (where: string) => void
  /** Errors that its log told since this was asked last, a line each. */
  readonly troubles: () => readonly string[]
}

export interface Reply {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  /** Codes of all problems that the reply names. */
  readonly codes: readonly string[]
  /** Nothing was refused by what was asked itself, but by what follows from it. */
  readonly follows?: boolean
}

/** So often something is asked once more that waited too long for others. */
const busyAtMost = 5

/**
 * One request as somebody; throws where the server does not answer. What the database holds is another after what was written. That a
 * machine is slow says nothing of the document: what was not saved because of it is asked again.
 */
export async function ask(site: Site, player: Player, method: string, path: string, body?: unknown): Promise<Reply> {
  const act = async () =>
    player.link === undefined
      ? await send(site, player, method, path, body)
      : await site.outside(player, method, path, body, (await site.headersFor(player))['confirm-warnings'])
  let reply = await act()
  for (let times = 0; times < busyAtMost && reply.codes.includes('NF-BUSY'); times++) reply = await act()
  if (method !== 'GET' && isOk(reply)) site.observatory.forget()
  return reply
}

async function send(site: Site, player: Player, method: string, path: string, body: unknown): Promise<Reply> {
  const own = await site.headersFor(player)
  const language = own['accept-language'] ?? site.app.language
  const { status, text } = await reach(`${site.url}/api/v1/${path}`, {
    method,
    headers: {
      ...own,
      origin: site.url,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
  })
  const json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  // What was refused changed nothing: it is asked once more in each of the other languages.
  if (hear(site, language, status, json) && language === site.app.language)
    for (const other of site.app.product.translations.keys())
      await send(
        { ...site, headersFor: async () => ({ ...own, 'accept-language': other }) },
        player,
        method,
        path,
        body,
      )
  return replyOf(status, json)
}

/** What an answer with a JSON body says. */
export function replyOf(status: number, body: Reply['body']): Reply {
  const errors = (body.errors ?? []) as readonly { readonly code?: string; readonly of?: unknown }[]
  const codes = new Set([body.code, ...errors.map(({ code }) => code)].filter(code => typeof code === 'string'))
  const follows = errors.length > 0 && errors.every(({ of }) => of !== undefined)
  return { status, body, codes: [...codes], follows }
}

/** The same application, asked with these warnings confirmed. */
export const confirming = (site: Site, codes: readonly string[]): Site => ({
  ...site,
  headersFor: async player => ({ ...(await site.headersFor(player)), 'confirm-warnings': codes.join(', ') }),
})

/** Warnings that alone stand in the way; empty: there are none, or something refuses. */
export const confirmable = ({ body }: Reply): readonly string[] =>
  Array.isArray(body.confirm) ? body.confirm.filter(code => typeof code === 'string') : []

/** Does it; where only warnings stand in the way, once more with them confirmed. */
export async function insisting(site: Site, act: (site: Site) => Promise<Reply>): Promise<Reply> {
  const reply = await act(site)
  const codes = confirmable(reply)
  return codes.length === 0 ? reply : await act(confirming(site, codes))
}

/** Sends a file, as a person does before a record names it. Gives the value of a field, or what the application says against it. */
export async function sendFile(site: Site, player: Player, { name, content }: SampleFile): Promise<Reply> {
  const body = new FormData()
  body.append('file', new Blob([Uint8Array.from(content)]), name)
  const headers = { ...(await site.headersFor(player)), origin: site.url }
  const { status, text } = await reach(`${site.url}/api/v1/-/files`, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
  })
  return { status, body: JSON.parse(text) as Reply['body'], codes: [] }
}

export const isOk = ({ status }: Reply): boolean => status >= 200 && status < 300

/** How a reply reads in a report: `ok`, `E-DUE-2`, `403`. */
export const verdictOf = (reply: Reply): string =>
  isOk(reply) ? 'ok' : reply.codes.length > 0 ? reply.codes.join(', ') : String(reply.status)

/** The same with the words of the refusal. */
export const toldBy = (reply: Reply): string =>
  isOk(reply) || typeof reply.body.detail !== 'string' ? verdictOf(reply) : `${verdictOf(reply)} (${reply.body.detail})`

/**
 * Whether a reply is what a Result cell expects: `ok`, `denied` (by a permission, a guard, a state or its lock, and not by what follows),
 * or a code.
 */
export function fits(reply: Reply, expected: string): boolean {
  if (expected === 'ok') return isOk(reply)
  if (expected === 'denied') {
    if (isOk(reply) || reply.follows) return false
    return [401, 403, 404].includes(reply.status) || reply.codes.some(code => /^NF-(?:STEP|LOCKED|FROZEN)/.test(code))
  }
  return !isOk(reply) && reply.codes.includes(expected)
}

/** Players, those first who are more likely to succeed. */
export const playersFrom = (site: Site, first: Player | null): readonly Player[] =>
  first === null ? site.players : [first, ...site.players.filter(player => player !== first)]

/** What is asked for at once. */
const atOnce = 8

/** In their order, a few at a time. */
export async function inParallel<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<readonly R[]> {
  const done: R[] = []
  let next = 0
  const worker = async () => {
    while (next < all.length) {
      const at = next++
      done[at] = await work(all[at]!)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return done
}
