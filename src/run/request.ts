/** Who asks, when, and under which constants: the first argument of everything in `run`. There are no globals. */
import type { Environment } from '../expression/evaluate.ts'
import type { Wire } from '../expression/type.ts'
import type { App } from '../headings/app.ts'
import type { Store } from '../store/pool.ts'
import type { Observation } from './observe.ts'

/** Who acts. Timers and answers of calls act as the application itself: `id` null, `system` set. */
export interface Actor {
  /** The person's id; null for visitors who are not signed in and for the application itself. */
  readonly id: string | null
  readonly name: string | null
  /** Names of the roles that this person has now: those of everyone (signed in) and those appointed. */
  readonly roles: readonly string[]
  /** Whose records this person sees, where the document keeps tenants apart; null or absent: of none. */
  readonly tenant?: string | null
  /**
   * Set while one record is read in an emergency: `open` where it was opened with a reason, `asked` to find out whether it may be. Then
   * nothing else than reading is allowed.
   */
  readonly emergency?: 'asked' | 'open'
  /** Set while archived records of this entity are asked for: they are read like others, and nothing but bringing them back is allowed. */
  readonly archived?: string
  /** The record whose link somebody without an account has opened, and the roles that this gives: of that record alone. */
  readonly link?: { readonly entity: string; readonly id: string; readonly roles: readonly string[] }
  /**
   * Set where the application itself acts; permissions are then not asked, everything else holds. With `effect` the person stays who
   * caused it.
   */
  readonly system: 'timer' | 'call' | 'seed' | 'effect' | `receive ${string}` | null
}

/** What stays when everything else of a person's ends. */
export interface Here {
  readonly session: Buffer | null
  readonly device: Buffer | null
}

export interface Request {
  readonly actor: Actor
  /** One `now` for the whole request and its transaction. */
  readonly now: Date
  /** Who really asks, where somebody acts as another person: the actor is the other. */
  readonly by?: { readonly id: string; readonly name: string; readonly until: string }
  /** Browsers that it comes from, as ids: files that were sent by them may be named. Absent: none. */
  readonly senders?: readonly string[]
  /** The role that somebody looks through: the actor has no other, and writes nothing. */
  readonly preview?: { readonly role: string; readonly until: string }
  /** Name of the API key by which the person acts; absent: in person. */
  readonly key?: string
  /**
   * The person is there: they have signed in lately, or shown anew who they are; or their key was made for it. What decides how anybody
   * signs in can be changed only then (`people/credentials.ts`).
   */
  readonly present?: boolean
  /** Hashes of the tokens by which the person is here; absent: by none. */
  readonly here?: Here
  /** Codes of warnings that whoever asks was shown and confirms. */
  readonly confirmed?: ReadonlySet<string>
  /** Its date in the application's time zone, `YYYY-MM-DD`. */
  readonly today: string
  /** Support id: in logs, history and on error pages. */
  readonly id: string
  /** Trace id and flags of W3C Trace Context, where whoever asks is traced: calls carry it on. */
  readonly trace?: string
  /** Constants as they hold now, by key. An unspecified one is null. */
  readonly limits: Readonly<Record<string, Wire>>
  /** Where the application itself acts: the constants of tenants that have some of their own. */
  readonly tenants?: ReadonlyMap<string, Request['limits']>
  /** Dates on which nobody works although it is a working day, in order; none where the document names none. */
  readonly closed: readonly string[]
  /** BCP 47. */
  readonly locale: string
  /** IANA name of the time zone in which this person writes and reads moments; what rules mean by days is the application's. */
  readonly zone: string
  /** Functions of the document, written in TypeScript. */
  readonly functions: NonNullable<Environment['functions']>
  /** What functions said of the guards of a record (`guards.ts`), by its id and their places; absent: they were not asked. */
  readonly guards?: Readonly<Record<string, Readonly<Record<string, boolean | null>>>>
  /** New identifiers (UUIDv7) come in through the door. */
  readonly newId: () => string
}

/** What serves a document: the application as read, and its database. */
export interface Runtime {
  readonly app: App
  readonly store: Store
  /** Told of everything worth telling; it must not throw. */
  readonly observe?: (observation: Observation) => void
  /** Called after a commit that left something to be sent, so that the worker need not wait for its next look. */
  readonly wake?: () => void
}
