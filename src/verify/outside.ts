/**
 * What somebody without an account sends, in a scenario: records as the form for everyone takes them, and what the link of a record
 * lets its holder do. The API answers nobody who is not signed in, so it goes the way of the forms from where these are read.
 */
import { isPublicForm, onlyOf } from '../headings/2-screens/public-forms.ts'
import { specified } from '../headings/specified.ts'
import { decodeJson } from '../kinds/fields/input.ts'
import type { Outcome, Problem } from '../run/outcome.ts'
import { holding } from '../run/people/case-links.ts'
import { momentOf, personOf, readPersonRow, requestOf, systemRequest } from '../run/people/people.ts'
import { read } from '../run/read/read.ts'
import type { Request, Runtime } from '../run/request.ts'
import { change, create, remove, takeStep } from '../run/write/writes.ts'
import { recordJson } from '../web/api/json.ts'
import { newId } from '../web/random.ts'
import { knownTo } from '../web/seen.ts'
import { confirmable, confirming } from '../web/warnings.ts'
import { inputOf, listed, statusOf } from '../web/write.ts'
import type { Player, Reply, Site } from './client.ts'

/** `senders`: whose files may be named. */
export function outsideOf(runtime: Runtime, now: () => Date, senders: readonly string[]): Site['outside'] {
  const { app, store } = runtime
  return async (player, method, path, body = {}, confirmed) => {
    const request = confirming(await requestAs(player), confirmed)
    const [key = '', id, step] = path.split('/')
    const entity = app.entities.get(key)
    if (entity === undefined) return closed
    const also = step === undefined ? null : { of: key, fields: entity.fields.map(one => one.key) }
    const known = knownTo({ site: { app }, request }, also)
    const decoded = decodeJson(known.entity(entity), known, body, id ?? null)
    const input = inputOf({ site: { app }, refused: [] }, decoded)
    if (id === undefined) {
      const form = app.screens.find(screen => isPublicForm(screen) && specified(screen.shows)?.entity === key)
      if (method !== 'POST' || (form === undefined && request.actor.link === undefined)) return closed
      const only = form === undefined ? decoded : listed(decoded, onlyOf(form))
      return replyOf(await create(runtime, request, key, inputOf({ site: { app }, refused: [] }, only)))
    }
    if (method === 'GET') {
      const data = await read(runtime, request, {
        kind: 'one',
        entity: key,
        by: { field: 'id', value: id },
        history: 0,
      })
      return data === null ? absent : { status: 200, body: recordJson(app, key, data), codes: [] }
    }
    if (method === 'PATCH') return replyOf(await change(runtime, request, key, id, null, input))
    if (method === 'DELETE') return replyOf(await remove(runtime, request, key, id, null))
    return replyOf(await takeStep(runtime, request, key, id, step ?? '', null, { ...input, reason: null }))
  }

  async function requestAs({ link }: Player): Promise<Request> {
    const at = now()
    const bindings = { token_hash: null, screen: null, ...momentOf(app, at) }
    const row = await readPersonRow(store, personOf(app, { api: true }), bindings)
    const request = requestOf(app, row, { now: at, id: 'verify', locale: 'en', newId })
    return { ...request, senders, actor: link == null ? request.actor : holding(app, request.actor, link) }
  }
}

/** Of people, what the rows `Given` say. */
export const givenBy =
  (runtime: Runtime, now: () => Date): Site['given'] =>
  async (person, body) => {
    const { app } = runtime
    const request = await systemRequest(runtime, 'seed', { now: now(), id: 'verify', locale: 'en', newId })
    const input = inputOf({ site: { app }, refused: [] }, decodeJson(app.entities.get('person')!, app, body, person))
    return replyOf(await change(runtime, request, 'person', person, null, input))
  }

const closed: Reply = { status: 403, body: {}, codes: [] }
const absent: Reply = { status: 404, body: {}, codes: [] }

function replyOf(outcome: Outcome): Reply {
  if (outcome.kind === 'done') return { status: 200, body: { id: outcome.id }, codes: [] }
  if (outcome.kind === 'not found') return absent
  const problems: readonly Problem[] = outcome.kind === 'refused' ? outcome.problems : []
  const errors = problems.map(({ code, field }) => ({ code, pointer: field === null ? '' : `/${field}` }))
  const confirm = confirmable(problems)
  const codes = [...new Set(problems.map(({ code }) => code))]
  return { status: statusOf(problems), body: { errors, ...(confirm === null ? {} : { confirm }) }, codes }
}
