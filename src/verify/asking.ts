/**
 * What a step asks for where the answer before it decides: a field that is required under a condition is left out where that holds, and
 * given; one that is there under a condition only is sent where it does not hold; files of another kind are not taken.
 */
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { Expression } from '../expression/expression.ts'
import type { Field } from '../headings/3-entities/model.ts'
import type { Transition } from '../headings/4-states/model.ts'
import { specified } from '../headings/specified.ts'
import { stepOf } from './arrange.ts'
import { bring } from './attempts.ts'
import { cameOf, lookBefore } from './came.ts'
import { ask, isOk, type Player, type Reply, sendFile, verdictOf } from './client.ts'
import { anyValue, type Values } from './drafts.ts'
import { refusedFiles } from './files.ts'
import { worth } from './judge.ts'
import * as oracle from './oracle/rights.ts'
import { rowOf } from './stage.ts'
import { type Case, caseOf, type Subject, stepTally, type Trial } from './trial.ts'

/** Each row that asks for such fields, in the first state and as the first person that it is open to. */
export async function tryAsking(trial: Trial, subject: Subject): Promise<void> {
  const { site, entity } = trial
  for (const row of site.app.workflows.get(entity.key)?.transitions ?? []) {
    const fields = row.asks.flatMap(({ field: key }) => entity.fields.find(field => field.key === key) ?? [])
    if (fields.some(isConditional)) await tryRow(trial, subject, row, fields)
  }
}

const isConditional = ({ required, onlyWhen, type }: Field): boolean =>
  required?.when != null || onlyWhen !== null || type.kind === 'file'

async function tryRow(trial: Trial, subject: Subject, row: Transition, fields: readonly Field[]): Promise<void> {
  const empty = Object.fromEntries(fields.map(({ key }) => [key, null]))
  for (const state of specified(row.from) ?? [])
    for (const player of trial.site.players) {
      const take = async (given: Values | null): Promise<Taken | null> => {
        // What was given before is not there any more.
        await trial.site.observatory.set(trial.entity.key, subject.id, empty)
        if (!(await bring(trial, subject, state))) return null
        const known = await caseOf(trial, subject, player)
        if (known === null || fields.some(({ key }) => (known.record[key] ?? null) !== null)) return null
        if (oracle.takes(known, row.key) !== true) return null
        return given === null
          ? { known, wrong: [], reply: null }
          : await taken(trial, subject, row, player, known, given)
      }
      const open = await take(null)
      if (open === null) continue
      const asking: Asking = { trial, subject, row, fields, player, known: open.known, take }
      for (const field of fields.filter(isConditional)) await tryField(asking, field)
      return
    }
}

interface Taken {
  readonly known: Case
  /** What came of it otherwise than the document says. */
  readonly wrong: readonly string[]
  /** Null: nothing was sent. */
  readonly reply: Reply | null
}

interface Asking {
  readonly trial: Trial
  readonly subject: Subject
  readonly row: Transition
  readonly fields: readonly Field[]
  readonly player: Player
  readonly known: Case
  readonly take: (given: Values) => Promise<Taken | null>
}

async function taken(
  trial: Trial,
  subject: Subject,
  row: Transition,
  player: Player,
  known: Case,
  given: Values,
): Promise<Taken> {
  const { site, entity } = trial
  const before = await lookBefore(trial, known, player)
  const reply = await stepOf(site, player, entity.key, subject.id, row.key, () => false, given)
  const wrong = isOk(reply) ? await cameOf(trial, { kind: 'step', step: row.key }, before) : []
  return { known, wrong, reply }
}

async function tryField(asking: Asking, field: Field): Promise<void> {
  const { trial, row, player } = asking
  const { judged } = trial.site
  const says = (wrong: string) => stepTally(trial, row.key).wrong.push(`${player.name}, ${row.name}, ${wrong}`)
  const whole = await givenWhere(asking, field, true)
  if (whole === null) return
  const { [field.key]: own, ...without } = whole
  stepTally(trial, row.key).tried++
  const when = field.required?.when ?? null
  const done = await asking.take(whole)
  if (done === null) return
  for (const wrong of done.wrong) says(`with ${field.key}: ${wrong}`)
  // What else is against it leaves open whether it is taken.
  const isTaken = isOk(done.reply!)
  if (isTaken) {
    judged.add(field.typeCell)
    const kept = (await caseOf(trial, asking.subject, player))?.record[field.key] ?? null
    if (kept === null) says(`${field.key} is not kept`)
  }
  if (when !== null) {
    const code = field.refusals.get('NF-REQUIRED')?.code ?? 'NF-REQUIRED'
    const reply = (await asking.take(without))?.reply
    if (reply != null) {
      judged.add(field.required!.cell, field.refusals.get('NF-REQUIRED')?.cell)
      if (!reply.codes.includes(code)) says(`without ${field.key}: the application says ${verdictOf(reply)}`)
    }
  }
  if (field.type.kind === 'file') await tryOthers(asking, field, whole, says)
  if (field.onlyWhen === null || own === undefined || !isTaken) return
  const outside = await givenWhere(asking, field, false)
  const tried = outside === null ? null : await asking.take({ ...outside, [field.key]: own })
  if (tried === null) return
  judged.add(field.onlyWhen.cell)
  if (isOk(tried.reply!) && ((await caseOf(trial, asking.subject, player))?.record[field.key] ?? null) !== null)
    says(`${field.key} is kept where it is not asked for`)
}

/** Files that are none of its kind, and one that nobody may give outside of the step. */
async function tryOthers(asking: Asking, field: Field, whole: Values, says: (wrong: string) => void) {
  const { trial, subject, player } = asking
  const { site, entity } = trial
  for (const file of refusedFiles(field.types?.names ?? null, field.most?.bytes ?? null)) {
    const sent = await sendFile(site, player, file)
    const reply = isOk(sent) ? (await asking.take({ ...whole, [field.key]: sent.body }))?.reply : sent
    site.judged.add(
      file.content.length > (field.most?.bytes ?? Number.POSITIVE_INFINITY) ? field.most?.cell : field.types?.cell,
    )
    if (reply != null && isOk(reply)) says(`it takes ${file.name} of ${file.content.length} bytes for ${field.key}`)
  }
  if (field.setBy === null) return
  const sent = await anyValue(site, player, field)
  const reply = await ask(site, player, 'PATCH', `${entity.key}/${subject.id}`, { [field.key]: sent })
  site.judged.add(field.setBy.cell)
  if (isOk(reply)) says(`${field.key} is written without the step`)
}

/** What is given with the step where a field is asked for, or is not; null: no answer before it decides that. */
async function givenWhere(asking: Asking, field: Field, isWanted: boolean): Promise<Values | null> {
  const { trial, fields, player } = asking
  const conditions = [field.onlyWhen, ...(isWanted ? [field.required?.when ?? null] : [])].filter(one => one !== null)
  const given: Record<string, unknown> = {}
  for (const one of fields) if (!isConditional(one)) given[one.key] = await anyValue(trial.site, player, one)
  const choices = fields.flatMap(({ key, parameters }) => (parameters.choices ?? []).map(choice => ({ [key]: choice })))
  const found = [{}, ...choices].find(choice =>
    conditions.every(one => holdsOf(asking, { ...given, ...choice }, one) === isWanted),
  )
  if (found === undefined) return null
  const all: Record<string, unknown> = { ...given, ...found }
  for (const one of fields) {
    if (one.key in all || (one.onlyWhen !== null && holdsOf(asking, all, one.onlyWhen) !== true)) continue
    const when = one.required?.when ?? null
    if (one === field || (when !== null && holdsOf(asking, all, when) === true))
      all[one.key] = await anyValue(trial.site, player, one)
  }
  return all
}

/** Whether a condition holds of the record with what is given; null: it is unknown, or cannot be told. */
function holdsOf({ trial, known }: Asking, given: Values, condition: Expression): boolean | null {
  const record = { ...known.record, ...rowOf(trial.site, trial.entity, given) }
  const value = worth(condition, known.world.environment(trial.entity.key, record))
  return value === NOT_LOADED || typeof value !== 'boolean' ? null : value
}
