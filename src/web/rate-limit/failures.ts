/**
 * The rate limit of whatever can be guessed: passwords and codes. It counts failures, never successes, so that a whole office
 * signs in at nine from one address; and where they come from, so that nobody keeps out who knows the password:
 *
 * - A device that signed this account in before, and a session, have a count of their own, which nobody else can use up.
 * - Any other is counted by account and network together: wrong passwords from elsewhere hold up nobody here.
 * - Failures of one network for all accounts (one password tried on many names), and of one account from all networks (many machines on
 *   one name) are counted besides. The first waits; the second makes nobody wait, but the password alone is no longer enough on a
 *   device that is not known: whoever typed it is mailed a link (`guarded`). Where no mails are sent, that would shut them out.
 */
import { engineValue } from '../../headings/9-limits/engine.ts'
import type { Request } from '../../run/request.ts'
import type { Store } from '../../store/pool.ts'
import { type Allowance, type Counter, count, forgive, uncount } from './backoff.ts'

/** What is guessed, and by whom. */
export interface Guess {
  readonly of: 'password' | 'code' | 'case'
  /** What it would open: an address as it was typed, a person's id, a number. */
  readonly account: string
  readonly network: string
  /** A secret of a device that signed in before, or of a session; null: of nobody that is known. */
  readonly device: string | null
  /** No mail reaches anybody, so that nobody can be sent a link instead. Absent: mails do. */
  readonly withoutMails?: boolean
}

export type Guessed<T> =
  /** Not even looked at. */
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'wrong'; readonly guarded: boolean }
  /** `guarded`: so many were wrong, from everywhere, that this alone lets in no device that is not known. */
  | { readonly kind: 'right'; readonly found: T; readonly guarded: boolean }

/** Wrong ones for one account, from all networks, from which on it is guarded (NIST SP 800-63B-4: no more than 100). */
export const guardedFrom = 100

const perDevice = ({ limits }: Pick<Request, 'limits'>): Allowance => ({
  name: 'device',
  free: engineValue(limits, 'sign_in_attempts'),
  first: 2,
  longest: 60,
  forgiven: 900,
})
const perAccountAndNetwork = (request: Pick<Request, 'limits'>): Allowance => ({
  ...perDevice(request),
  name: 'account',
  longest: 300,
})
/** A whole office may share one: its honest mistakes of a quarter of an hour. */
const perNetwork: Allowance = { name: 'network', free: 100, first: 2, longest: 60, forgiven: 900 }
/** Never waits: it says how many there were. */
const fromEverywhere: Allowance = { name: 'everywhere', free: 1_000_000, first: 0, longest: 0, forgiven: 3600 }
/** Six digits must not be tried out, wherever from; whoever comes to them has the password. */
const perCode: Allowance = { name: 'code', free: 5, first: 4, longest: 300, forgiven: 3600 }
/** Codes of one record, by its number as it was typed, whether there is one or not: then it is closed to this network for a while. */
const perCase = ({ limits }: Pick<Request, 'limits'>): Allowance => {
  const pause = engineValue(limits, 'code_pause') * 60
  return { name: 'case', free: engineValue(limits, 'code_attempts'), first: pause, longest: pause, forgiven: 900 }
}

interface Counters {
  /** Set back by a success: mistakes of whoever knows it in the end. */
  readonly own: readonly Counter[]
  /** Of others too: a success is not counted, and forgives nothing. */
  readonly shared: readonly Counter[]
}

function countersOf(request: Request, { of, account, network, device, withoutMails }: Guess): Counters {
  const ofNetwork = { allowance: perNetwork, who: network }
  const whom = account.toLowerCase()
  const here = `${whom}\n${network}`
  if (of === 'case') return { own: [{ allowance: perCase(request), who: here }], shared: [ofNetwork] }
  const allowance = of === 'code' ? perCode : perDevice(request)
  if (device !== null) return { own: [{ allowance, who: `${whom}\n${device}` }], shared: [] }
  if (of === 'code') return { own: [{ allowance, who: whom }], shared: [] }
  return {
    own: [{ allowance: perAccountAndNetwork(request), who: here }],
    shared: [ofNetwork, ...(withoutMails === true ? [] : [{ allowance: fromEverywhere, who: whom }])],
  }
}

/** Runs `check`, which gives null for a wrong one, unless whoever guesses has to wait. What could not be found out is not counted. */
export async function countingFailures<T>(
  store: Store,
  request: Request,
  guess: Guess,
  check: () => Promise<T | null>,
): Promise<Guessed<T>> {
  const { own, shared } = countersOf(request, guess)
  const counted: Counter[] = []
  const undo = async (counters: readonly Counter[]) => {
    for (const counter of counters) await uncount(store, counter)
  }
  let guarded = false
  for (const counter of [...own, ...shared]) {
    const now = await count(store, counter, request.now)
    if ('wait' in now) {
      await undo(counted)
      return { kind: 'wait', seconds: now.wait }
    }
    counted.push(counter)
    if (counter.allowance === fromEverywhere) guarded = now.failures > guardedFrom
  }
  let found: T | null
  try {
    found = await check()
  } catch (error) {
    await undo(counted)
    throw error
  }
  if (found === null) return { kind: 'wrong', guarded }
  // Counted like a wrong one: whom the next wait tells apart would know what is right.
  if (guarded) return { kind: 'right', found, guarded }
  await undo(shared)
  for (const counter of own) await forgive(store, counter, request.now)
  return { kind: 'right', found, guarded }
}
