/** One try: what the application says, what came of it, and the record put back for whoever comes next. */
import { isArchived } from '../run/access/archived.ts'
import { otherValues } from './answers.ts'
import { bringTo } from './arrange.ts'
import { cameOf, lookBefore } from './came.ts'
import { ask, isOk, type Player, type Reply, toldBy, verdictOf } from './client.ts'
import { CannotArrange } from './drafts.ts'
import * as oracle from './oracle/rights.ts'
import { type Case, cellOf, type Subject, stepTally, type Trial, tallyOf } from './trial.ts'
import type { Try } from './tries.ts'
import { visitor } from './world.ts'

/** `known`: as it stands before. */
export async function attempt(
  trial: Trial,
  subject: Subject,
  state: string | null,
  one: Try,
  known: Case | null = null,
): Promise<void> {
  const { tally, expected, deed } = one
  tally.tried++
  const before =
    deed === undefined || known === null || expected !== true ? null : await lookBefore(trial, known, one.player)
  const others = before === null ? [] : await speakAside(trial, one.player)
  const reply = await one.ask()
  const isThrough = isLetThrough(reply, one)
  trial.site.judged.add(...one.cells)
  if (isThrough) tally.through++
  if (isThrough !== expected)
    tally.wrong.push(
      `${one.what}: the application says ${toldBy(reply)}, the document ${expected ? 'allows' : 'refuses'} it${await foundIn(trial, subject, state)}`,
    )
  else if (before !== null && isOk(reply))
    for (const wrong of await cameOf(trial, deed!, before)) tally.wrong.push(`${one.what}: ${wrong}`)
  if (others.length > 0) await trial.site.observatory.speak(others, null)
  if (isOk(reply)) await putBack(trial, subject, state)
}

/** Everybody else chooses another language of the document, where there is one and a mail to be told in it. Gives who did. */
async function speakAside({ site }: Trial, player: Player): Promise<readonly string[]> {
  const [language] = site.app.product.translations.keys()
  if (language === undefined || site.app.mails.size === 0) return []
  const others = site.players.filter(one => one !== player).map(({ id }) => id)
  await site.observatory.speak(others, language)
  return others
}

/** In which state the record was found, where that is not the one in which it was to be tried. */
async function foundIn({ site, entity }: Trial, { id }: Subject, state: string | null): Promise<string> {
  site.observatory.forget()
  const record = (await site.observatory.world(visitor)).record(entity.key, id)
  if (record === undefined) return '; the record is gone'
  return state === null || record.state === state ? '' : `; the record is in ${String(record.state)} by then`
}

/** The record as it was to be tried, for whoever comes next. */
async function putBack(trial: Trial, subject: Subject, state: string | null): Promise<void> {
  const { site, entity } = trial
  const { world, aside } = site.observatory
  const record = (await world(visitor)).record(entity.key, subject.id)
  if (record !== undefined && isArchived(record)) await aside(entity.key, subject.id, false)
  if (record === undefined) subject.id = (await subject.again?.()) ?? subject.id
  if (state !== null) await bring(trial, subject, state)
}

/** Past all steps where the database lets it be there as it is, else as a new one by the steps that lead there. */
export async function bring({ site, entity }: Trial, subject: Subject, state: string): Promise<boolean> {
  if (await site.observatory.put(entity.key, subject.id, state)) return true
  const id = await subject.again?.()
  if (id == null) return false
  subject.id = id
  try {
    await bringTo(site, entity.key, id, state, null)
    return true
  } catch (error) {
    if (error instanceof CannotArrange) return false
    throw error
  }
}

/** What a rule says against the values afterwards is no matter of permission, and neither is what refuses further on. */
function isLetThrough(reply: Reply, { codes = [] }: Pick<Try, 'codes'>): boolean {
  if (reply.follows) return true
  if ([401, 403, 404].includes(reply.status)) return false
  return !reply.codes.some(code => /^NF-(?:STEP|LOCKED|FROZEN|APPEND-ONLY)/.test(code) || codes.includes(code))
}

/** Seeing: the record, its fields, and the steps that the answer offers. */
export async function tryLooking(trial: Trial, known: Case, subject: Subject, player: Player, where: string) {
  const { site, entity } = trial
  const expected = oracle.sees(known) && player !== visitor
  const tally = tallyOf(trial, 'see', cellOf(known), `${entity.name}: who may see it, field by field`)
  const reply = await ask(site, player, 'GET', `${entity.key}/${subject.id}`)
  tally.tried++
  if (isOk(reply)) tally.through++
  site.judged.add(...oracle.decidedBy(known, 'See'))
  if (isOk(reply) !== expected)
    tally.wrong.push(
      `${where}: the application says ${verdictOf(reply)}, the document ${expected ? 'shows' : 'hides'} it`,
    )
  if (!isOk(reply) || !expected) return
  // A reference to a record that this person may not see is told by its name alone.
  const unseen = new Set((reply.body.unseen ?? []) as readonly string[])
  for (const field of entity.fields) {
    const isThere = field.key in reply.body || unseen.has(field.key)
    site.judged.add(field.hidden, ...oracle.linesOf(known, field.key, 'See', 'When'))
    if (isThere !== oracle.seesField(known, field))
      tally.wrong.push(`${where}: ${field.key} is ${isThere ? '' : 'not '}there, against the document`)
  }
  for (const wrong of otherValues(site, known, reply.body)) tally.wrong.push(`${where}: ${wrong}`)
  const offered = new Set((reply.body.steps ?? []) as readonly string[])
  for (const { key, name } of site.app.workflows.get(entity.key)?.transitions ?? []) {
    const takes = oracle.takes(known, key)
    const steps = stepTally(trial, key)
    if (takes !== null && offered.has(key) !== takes)
      steps.wrong.push(`${where}: ${name} is ${takes ? 'not ' : ''}offered, against the document`)
  }
}
