/** Why a step is closed, as a refusal: the state, who asks, or the cell that decides, in the words of the catalogue or the built-in ones. */

import { slot, sql } from '../../expression/sql.ts'
import type { Transition } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { wordFor } from '../../headings/translate.ts'
import type { StepVerdict } from '../../kinds/screens/read-data.ts'
import { allOf } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
import { readerOf, refusalAt } from '../access/reading.ts'
import { mayOf } from '../access/verdict.ts'
import { fromSql, labelOf } from '../names.ts'
import type { Outcome, Problem } from '../outcome.ts'
import { raise, raiseEntry } from '../problems/raise.ts'
import { wordsIn } from '../problems/words.ts'
import { type Raw, selectList } from '../read/select.ts'
import type { Request } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { relatedRecords } from './environment.ts'
import { holdsNow, type Locked } from './record.ts'
import type { Scope } from './scope.ts'
import { refused } from './write.ts'

/** Why the step is closed: names the state, who asks, and the cell that decides. */
export async function closed(
  { tx, app, request, policy }: Scope,
  entity: string,
  locked: Locked,
  step: string,
): Promise<Outcome> {
  const { verdicts, query } = cachedStatement(app, ['why', policy.key, entity], () => {
    const may = mayOf(app, policy, entity, 't')
    return {
      verdicts: may,
      query: built(sql`select ${selectList(may.parts)} from ${fromSql(entity, 't')} where t.id = ${slot('id')}::uuid`),
    }
  })
  const [raw] = await tx.run<Raw>(query, bindingsOf(request, { id: locked.record.id }))
  const verdict = verdicts.read(raw!, request).steps.find(one => one.step === step)!
  const reader = readerOf(request)
  const told = policyFor(app, reader)
  const isTold = allOf([told.rows(entity, 'see', 't'), told.visible(entity, 'state', 't')])
  const seesState =
    reader === request.actor
      ? locked.seesField('state')
      : (await holdsNow(tx, request, entity, locked.record.id, [isTold]))[0]
  const state = seesState === true ? (locked.record.state as string) : null
  const problem = closedProblem(app, request, entity, verdict, state)
  const error = errorOf(app, entity, verdict, state)
  if (error === null) return refused([problem])
  const words = app.errors.get(error)?.templates.get(entity)
  const texts = words === undefined ? [] : [words.message, words.whatToDo].filter(text => text !== null)
  const of = { entity, record: locked.record }
  const reading = await refusalAt(tx, app, request, relatedRecords(tx, app), of, texts)
  return refused([raiseEntry(app, error, entity, reading, { field: null, because: verdict.because })])
}

/**
 * The catalogue's code of the branch whose When is what closes it, or its Who where the code is one of rights (403) or there is no When, or the one for this state; for every other
 * reason the built-in words say it. `state` null: they do not see it, and are not told of it.
 */
export function errorOf(
  app: App,
  entity: string,
  { step, reason, because }: Pick<StepVerdict, 'step' | 'reason' | 'because'>,
  state: string | null,
): string | null {
  const branches = app.workflows.get(entity)!.transitions.filter(({ key }) => key === step)
  if (reason === 'state') {
    const elsewhere = state === null ? [] : branches.flatMap(branch => branch.elsewhere)
    const named = elsewhere.find(({ states }) => states?.includes(state!))
    return (named ?? elsewhere.find(({ states }) => states === null))?.error ?? null
  }
  const isOfWho = ({ when, error }: Transition) =>
    when === null || (typeof error === 'string' && app.errors.get(error)?.status === 403)
  const decides = branches.find(branch =>
    reason === 'when'
      ? branch.when?.cell === because
      : reason === 'who' && branch.who.cell === because && isOfWho(branch),
  )
  const error = decides?.error ?? null
  return error === null || isUnspecified(error) ? null : error
}

export const actorIn = (app: App, { actor }: Request): string =>
  actor.name ?? wordsIn(app.language)[actor.system === null ? 'visitor' : 'application']

/** Why a step is closed, in the built-in words. `state` null: they do not see it, and are not told of it. */
function closedProblem(
  app: App,
  request: Request,
  entity: string,
  verdict: StepVerdict,
  state: string | null,
): Problem {
  const about = { step: verdict.name, actor: actorIn(app, request), entity: app.entities.get(entity)!.name }
  const place = { because: verdict.because }
  if (state === null) return raise(app, 'NF-STEP-DENIED', about, place)
  const named = { ...about, state: wordFor(app, state) }
  switch (verdict.reason) {
    case 'state': {
      const from = verdict.starts.filter(one => one !== state).map(one => wordFor(app, one))
      return raise(app, 'NF-STEP-STATE', { ...named, from: from.join(', ') }, place)
    }
    case 'when':
      return verdict.missing === null
        ? raise(app, 'NF-STEP-WHEN', named, place)
        : raise(app, 'NF-STEP-UNKNOWN', { ...named, missing: missingLabel(app, entity, verdict.missing) }, place)
    case 'decided':
      return raise(app, 'NF-STEP-DECIDED', named, place)
    case 'unspecified':
      return raise(app, 'NF-STEP-UNSPECIFIED', named, place)
    default:
      return raise(app, 'NF-STEP-DENIED', named, place)
  }
}

const missingLabel = (app: App, entity: string, path: string): string =>
  path.includes('.') ? path : labelOf(app, entity, path)
