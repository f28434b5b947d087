/** One request as handlers see it, and what they share. Handlers take a `RequestContext` and give an `HttpResponse`; they never touch a socket. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Diagnostic } from '../document/diagnostic.ts'
import type { SourceFile } from '../document/source.ts'
import type { Problem } from '../run/outcome.ts'
import type { Passwords } from '../run/people/password.ts'
import type { ActingEnd, KeptDraft, Preferences, SavedView } from '../run/people/people.ts'
import type { Request, Runtime } from '../run/request.ts'
import { atOnce } from '../store/at-once.ts'
import type { FileStore } from '../store/files.ts'
import type { Reader } from '../store/pool.ts'
import type { Replica } from '../store/replica.ts'
import type { Assets } from './client.ts'
import type { Editing } from './editing.ts'
import type { Gate } from './gate.ts'
import type { Live } from './live.ts'
import { livePath, lookHeader } from './paths.ts'
import type { Random } from './random.ts'
import type { HttpResponse } from './response.ts'
import type { CookieJar } from './sign-in/cookies.ts'
import type { Provider } from './sign-in/provider.ts'
import type { Seal } from './sign-in/seal.ts'
import type { Site } from './site.ts'
import type { UnderWay } from './under-way.ts'

/** What is written down. `cli` gives the sink (pino); nothing here decides where it goes. */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error'
  readonly event:
    | 'request'
    | 'failure'
    | 'refused'
    | 'sign-in'
    | 'sign-out'
    | 'key'
    | 'unavailable'
    | 'export'
    | 'code failed'
    | 'second-factor'
    | 'passkey'
    | 'acting'
    | 'people'
    | 'file'
    | 'form held back'
    | 'not delivered'
    | 'timer failed'
    | 'time zone'
    | 'replica'
  /** Support id of the request; empty where there is none. */
  readonly request: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** Somebody that `dev` signs in with one click. */
export interface DemoPerson {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly roles: readonly string[]
}

/** What is served: the application, or (in dev, while there has not been a good document yet) only what is wrong with it. */
export interface Served {
  readonly runtime: Runtime
  /** Dev: what was found in the newest text of the document, which may be newer than the application. */
  readonly found: readonly Diagnostic[]
  readonly files: readonly SourceFile[]
  /** The newest text has errors, and `runtime` is the application before them. */
  readonly outdated: boolean
  readonly people: readonly DemoPerson[]
}

/** For counting: `route` is the pattern that matched, not the address. */
export interface Answered {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly seconds: number
  /** W3C Trace Context, as whoever asked said it. */
  readonly traceparent?: string
}

export interface WebOptions {
  readonly served: Served
  readonly mode: 'dev' | 'serve'
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Another process listens there, and hands over what it accepts (`RunningWeb.take`). */
  readonly handedOver?: boolean
  /** How people reach it (`https://desk.example.org`): cookies, links in mails. Null: `http://localhost:port`. */
  readonly publicUrl: string | null
  /** Proxies in front whose `X-Forwarded-For` is believed. Default 0. */
  readonly trustedProxies?: number
  readonly clock: () => Date
  /** UUIDv7. */
  readonly newId: () => string
  readonly random: Random
  readonly log: (entry: LogEntry) => void
  /** Told of every request that was answered. */
  readonly onAnswered?: (request: Answered) => void
  readonly assets: Assets
  /** Where the contents of files lie. */
  readonly files: FileStore
  /** What keeps secrets of people; absent: they are kept as they are. */
  readonly seal?: Seal
  /** A standby to read from; absent: all is read from where it is written. */
  readonly replica?: Replica
  /** False: nobody is sent a mail. */
  readonly mails?: boolean
  /** Values of the environment: what senders of messages must know. Default: none. */
  readonly variable?: (name: string) => string | undefined
  /** Told after something was put into the outbox, so that it is delivered at once. */
  readonly wake?: () => void
  /** Dev: the document's files, for the editor. */
  readonly editing?: Editing
  /** Dev: moves the application's clock. */
  readonly moveClock?: (to: Date) => void
}

/** What all requests share. */
export interface Web {
  readonly options: WebOptions
  /** `https://desk.example.org`, no slash at the end. */
  readonly origin: string
  /** `desk.example.org`, as a request names it. */
  readonly host: string
  readonly jar: CookieJar
  /** What every response has. */
  readonly headers: Readonly<Record<string, string>>
  readonly seal: Seal
  readonly passwords: Passwords
  readonly live: Live
  /** Where people sign on; null: the environment names nothing, or not rightly. */
  readonly provider: Provider | null
  readonly served: () => Served
  readonly site: () => Site
  /** Whether the database answered when it was last asked, and when that was. */
  ready: { readonly at: number; readonly ok: boolean }
  /** It is going to end, and others take what comes. */
  leaving: boolean
  readonly underWay: UnderWay
  readonly gate: Gate
}

export interface RequestContext {
  readonly web: Web
  readonly site: Site
  readonly runtime: Runtime
  /** Who, when, under which constants. */
  readonly request: Request
  readonly method: string
  /** As it came, percent-encoded. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Network address of whoever asks. */
  readonly address: string
  /** What strangers are counted by: the address, and of IPv6 the network that one of them has for themselves. */
  readonly network: string
  readonly cookies: ReadonlyMap<string, string>
  /** What this person chose; null: nothing. */
  readonly preferences: Preferences | null
  /** Views that were saved for the list that is asked for; the one that it opens with. */
  readonly views: readonly SavedView[]
  readonly firstView: string | null
  /** They were told of something that they have not read, whether or not they still see it; or work on many records ended that they have not looked at. */
  readonly hasUnread: boolean
  /** Forms that this person has a draft of, the latest first. */
  readonly drafts: readonly KeptDraft[]
  readonly body: Buffer
  /** A body with files that has not been read yet. */
  readonly stream: Readable | null
  /** Files of the body that were not taken, by the names of their controls. */
  readonly refused: readonly Problem[]
  /** The file of an import; null: there is none, or it is empty. */
  readonly table: { readonly name: string; readonly bytes: Buffer } | null
  /** Token of the session; null where nobody is signed in. */
  readonly session: string | null
  /** How far the log of the database was when somebody last wrote in this session, or with this key; null: nobody did. */
  readonly written: string | null
  /** What tokens of forms are bound to: the session, whichever tokens it goes through, or the visit. */
  readonly formSecret: string
  /** Set by what has just shown anew who somebody is: their session then goes on under another token. */
  readonly shown: { anew: 'password' | 'code' | null }
  /** Somebody acted as another, or looked through a role, in this session, and does so no more since this very request. Null: not so. */
  readonly oneself: {
    readonly token: string
    readonly ends: ActingEnd
    readonly person: string | null
    readonly role: string | null
  } | null
  /** A second factor was shown in the session. */
  readonly strong: boolean
  /** The API key that asks; `refused`: something that is none, or has ended; null: a browser asks. */
  readonly key: { readonly id: string; readonly role: string } | 'refused' | null
  /** The form stands in a frame on a page of another site: nobody is signed in there, and it has no cookies. */
  readonly embedded: boolean
  /** Token of this browser, signed in or not; of a frame, or of a browser without cookies, of this one filling in. */
  readonly visit: string
  /** It has no cookie, and so stands in the addresses of its forms: in a frame, and where a form for everyone came without any. */
  readonly visitInAddress: boolean
}

export type Handler = (context: RequestContext) => Promise<HttpResponse> | HttpResponse

export const isSignedIn = (context: RequestContext): boolean => context.request.actor.id !== null

/** The same, for reading what its page shows: what is asked at the same moment is one statement. */
export const readingAtOnce = (context: RequestContext): RequestContext => ({
  ...context,
  runtime: { ...context.runtime, store: atOnce(context.runtime.store, readerOf(context)) },
})

/** The same, for reading what is asked for. */
export const reading = (context: RequestContext): RequestContext => ({
  ...context,
  runtime: { ...context.runtime, store: { ...context.runtime.store, ...readerOf(context) } },
})

/** Where what is shown is read: from a standby that has what this session wrote. Not for visitors, of whom nobody knows what they wrote, nor for what looks for news. */
function readerOf({ web, runtime, request, written, method, path, headers }: RequestContext): Reader {
  const isShown = method === 'GET' || method === 'HEAD'
  const isOld = isShown && request.actor.id !== null && path !== livePath && !(lookHeader in headers)
  return (isOld ? web.options.replica?.readerFor(written) : null) ?? runtime.store
}
