/** Messages of others that were refused: kept for a while, without what they said, and read by those who look after what is not delivered. */
import { slot, sql } from '../../expression/sql.ts'
import type { Receive } from '../../headings/7-calls/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import type { Tx } from '../../store/pool.ts'
import type { Problem } from '../outcome.ts'
import type { Actor, Request, Runtime } from '../request.ts'
import { bindingsOf, built } from '../statements.ts'
import { maySendAgain } from './send-again.ts'

/** Of one name: those that were let in, and as many of those that were not, so that strangers displace no sender. */
const mostKept = 100
const keptDays = 30
/** Characters of what was wrong. */
const mostWords = 500

/** What was wrong with a message. No codes: it was the request as such. */
export interface Wrong {
  readonly codes: readonly string[]
  readonly words: string
}

export interface Refused extends Wrong {
  readonly at: string
  /** Key of the `Receives`. */
  readonly name: string
  readonly status: string
  /** Support id. */
  readonly request: string
}

/** Words of the document's own errors are told without their values, which may be closed to those who read them here. */
export const wrongOf = ({ errors }: App, problems: readonly Problem[]): Wrong => ({
  codes: [...new Set(problems.map(({ code }) => code))],
  words: problems
    .map(({ code, message }) => {
      const written = errors.get(code)?.message
      return written === undefined || isUnspecified(written) ? message : written.text.replaceAll(/\{[^}]*\}/g, '…')
    })
    .join(' '),
})

export const keepRefused = (
  { store }: Runtime,
  request: Request,
  { key }: Receive,
  status: number,
  { codes, words }: Wrong,
): Promise<void> =>
  store.inTransaction(async tx => {
    const isStranger = status === 401
    await tx.write(sql`insert into ninefold.refused (id, at, name, stranger, status, codes, words, request)
      values (${request.newId()}::uuid, ${request.now}, ${key}, ${isStranger}, ${status}, ${codes}::text[], ${[...words].slice(0, mostWords).join('')}, ${request.id})`)
    await tx.write(sql`delete from ninefold.refused where id in (
      select id from ninefold.refused where name = ${key} and stranger = ${isStranger} order by at desc, id desc offset ${mostKept})`)
  })

/** Takes away those whose time is over. */
export const tidyRefused = (tx: Tx, now: Date): Promise<number> =>
  tx.write(sql`delete from ninefold.refused where at < ${new Date(now.getTime() - keptDays * 86_400_000)}`)

/** The latest first, at most `limit`; none for whom it is not. */
export async function readRefused(
  { app, store }: Runtime,
  request: Request,
  limit: number,
): Promise<readonly Refused[]> {
  if (!maySendAgain(app, request.actor)) return []
  const names = [...app.receives.values()].flatMap(one => (isFor(app, request.actor, one) ? [one.key] : []))
  if (names.length === 0) return []
  return store.run<Refused>(latest, bindingsOf(request, { names, limit }))
}

/** What is about records of tenants is for nobody of a tenant: whose it would have been is not known. */
const isFor = ({ schema }: App, { tenant }: Actor, { entity }: Receive): boolean =>
  tenant == null || schema.get(entity)!.tenant === undefined

const latest = built(sql`
  select r.at, r.name, r.status, r.codes, r.words, r.request from ninefold.refused as r
  where r.name = any(${slot('names')}::text[]) order by r.at desc, r.id desc limit ${slot('limit')}::bigint`)
