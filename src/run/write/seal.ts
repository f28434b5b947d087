/** What is written and never read is hashed as it is stored: nothing behind this has the text. */
import { createHash } from 'node:crypto'
import type { App } from '../../headings/app.ts'
import { isSealed } from '../names.ts'
import { passwords } from '../people/password.ts'
import type { Request } from '../request.ts'
import type { Draft } from './draft-record.ts'

/** Hashes the sealed ones among the fields that somebody gave a value. */
export async function seal(
  app: App,
  request: Request,
  entity: string,
  record: Draft,
  given: ReadonlySet<string> | undefined,
): Promise<void> {
  for (const key of given ?? []) {
    const value = record[key]
    if (typeof value === 'string' && isSealed(app, entity, key)) record[key] = await sealed(request, value)
  }
}

/** A salt has to be unlike all others, which identifiers are. No queue is shared: writers wait for a connection, which are few. */
const sealed = (request: Request, text: string): Promise<string> =>
  passwords(bytes =>
    createHash('sha512').update(request.newId()).update(request.newId()).digest().subarray(0, bytes),
  ).hash(text)
