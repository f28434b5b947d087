/** All call kinds, by the name that a row of the outbox carries. */
import { http } from './http/call.ts'
import { mail } from './mail/call.ts'

export const callKinds = { http, mail } as const
