/** What the rate limit allows: how often, and how long the wait is after that. What guards passwords and codes is in `failures.ts`. */
import { engineValue } from '../../headings/9-limits/engine.ts'
import type { Request } from '../../run/request.ts'
import type { Allowance } from './backoff.ts'

/** Links sent to one account: its mailbox is not a stranger's to fill. */
export const linksPerAccount: Allowance = { name: 'links', free: 3, first: 30, longest: 600, forgiven: 3600 }

/** Links that one network asks for: whoever waits for a password goes this way, so it has a count of its own. */
export const linksPerNetwork: Allowance = { name: 'asked', free: 100, first: 2, longest: 60, forgiven: 900 }

/** Ways to a provider, and challenges for passkeys, that one network begins: each is a row until it is answered. */
export const begunPerNetwork: Allowance = { name: 'begun', free: 200, first: 2, longest: 30, forgiven: 900 }

/** Programs that one network registers as assistants: each is a row for a day. */
export const registeredPerNetwork: Allowance = { name: 'registered', free: 20, first: 30, longest: 600, forgiven: 3600 }

/** Forms that whoever comes may send, by network address. */
export const formsPerAddress = ({ limits }: Pick<Request, 'limits'>): Allowance => ({
  name: 'form',
  free: engineValue(limits, 'visitor_forms'),
  first: 30,
  longest: 600,
  forgiven: 3600,
})

/** Files that come with them: what is sent is kept for a day, whether the form is taken or not. */
export const filesPerAddress = ({ limits }: Pick<Request, 'limits'>): Allowance => ({
  name: 'file',
  free: engineValue(limits, 'visitor_files'),
  first: 30,
  longest: 600,
  forgiven: 3600,
})

/** What somebody sends without a session and is kept for them: a stranger must not push out what others typed. */
export const keptPerAddress: Allowance = { name: 'kept', free: 60, first: 2, longest: 60, forgiven: 900 }
