/** `import … from 'ninefold/testing'`: an application for tests of your own, as `ninefold verify` plays on it. */
import { serving } from './serving.ts'
import { soundApp } from './sound.ts'

export { DocumentError } from './document-error.ts'

export interface DemoPerson {
  readonly id: string
  readonly name: string
  readonly roles: readonly string[]
}

/** A mail or a call that something in the application caused, whether it has left or not: its name, and of a mail to whom. */
export interface Sent {
  readonly kind: 'mail' | 'call'
  readonly name: string
  readonly to: string | null
}

export interface TestApplication {
  readonly url: string
  /** Those that `ninefold dev` offers. */
  readonly people: readonly DemoPerson[]
  /** Asks for an address of the application (`/loans`, `/api/v1/loan`) as one of the people, by name; null: as somebody who has not signed in. */
  readonly fetch: (path: string, as: string | null, init?: RequestInit) => Promise<Response>
  /** It stands until it is moved. Moved by `set`, all that has come due happens then; by `pass`, each at its own moment. */
  readonly clock: {
    readonly now: () => Date
    readonly set: (to: Date) => Promise<void>
    readonly pass: (to: Date) => Promise<void>
  }
  /** All that was caused until now. Nothing leaves. */
  readonly sent: () => Promise<readonly Sent[]>
  /** Errors that its log has told since this was asked last. */
  readonly troubles: () => readonly string[]
  readonly close: () => Promise<void>
}

/**
 * Serves a document on an empty database of its own, on the server that DATABASE_URL names or on one that comes along. Rejects with
 * `DocumentError` for a document with errors.
 */
export async function startApplication(file: string): Promise<TestApplication> {
  const { app } = soundApp(file)
  const { emptyDatabase, rehearse } = await serving()
  const database = await emptyDatabase()
  try {
    const { site, close } = await rehearse(app, database.store)
    const { now, set, pass } = site.clock
    const named = (name: string): DemoPerson => {
      const person = site.players.find(one => one.name === name)
      if (person !== undefined) return person
      throw new Error(`Nobody is named '${name}'. There are: ${site.players.map(one => one.name).join(', ')}.`)
    }
    return {
      url: site.url,
      people: site.players,
      async fetch(path, as, init = {}) {
        const headers = new Headers(init.headers)
        const own = as === null ? {} : await site.headersFor(named(as))
        for (const [name, value] of Object.entries({ ...own, origin: site.url }))
          if (!headers.has(name)) headers.set(name, value)
        return fetch(new URL(path, site.url), { redirect: 'manual', ...init, headers })
      },
      clock: { now, set, pass },
      sent: async () => (await site.observatory.caused()).map(({ kind, name, to }) => ({ kind, name, to })),
      troubles: site.troubles,
      close: () => close().finally(database.drop),
    }
  } catch (error) {
    await database.drop()
    throw error
  }
}
