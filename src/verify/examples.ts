/** `#### Examples: V-2`: each row is a draft that must be accepted, or refused with the code it names; none of them stays for the next. */
import type { Entity } from '../headings/3-entities/model.ts'
import type { Example, Rule } from '../headings/5-validation/model.ts'
import { bringTo } from './arrange.ts'
import { ask, fits, isOk, type Player, playersFrom, type Reply, type Site, verdictOf } from './client.ts'
import { CannotArrange, completed, type Values, writtenOf } from './drafts.ts'
import type { Line } from './verify.ts'

/** Tries one row: passed, or what the application says instead. */
export async function tryExample(site: Site, rule: Rule, example: Example): Promise<Line> {
  const shown = example.values.map(({ field, cell }) => `${field} ${cell.text}`).join(', ')
  const title = `${rule.name}: ${shown} → ${example.result.text}`
  try {
    const reply = await attempt(site, rule, example)
    const passed = fits(reply, example.result.text)
    if (example.result.text !== 'ok') site.judged.in(rule.cell, 'Applies to', 'Must hold', 'Error')
    return { cell: example.cell, title, passed, detail: passed ? null : `the application says ${verdictOf(reply)}` }
  } catch (error) {
    if (!(error instanceof CannotArrange)) throw error
    return { cell: example.cell, title, passed: false, detail: error.message }
  }
}

/** Not for this person: nothing of the entity, or not this. */
const isKept = ({ status }: Reply): boolean => status === 403 || status === 404

async function attempt(site: Site, rule: Rule, example: Example): Promise<Reply> {
  const entity = site.app.entities.get(rule.entity)!
  const subject = entity.partOf === null ? entity : site.app.entities.get(entity.partOf)!
  const [step] = (rule.on ?? []).filter(on => !['create', 'change', 'delete'].includes(on))
  let reply: Reply | null = null
  let maker: Player | null = null
  let unseen: CannotArrange | null = null
  for (const player of site.players) {
    try {
      reply = await ask(site, player, 'POST', subject.key, await draft(site, player, entity, subject, example))
    } catch (error) {
      // Somebody else may see what the row names.
      if (!(error instanceof CannotArrange)) throw error
      unseen ??= error
      continue
    }
    maker = player
    if (!isKept(reply)) break
  }
  if (unseen !== null && (reply === null || isKept(reply))) throw unseen
  if (reply === null || maker === null)
    throw new CannotArrange('there is nobody to act for: no role of the document can be given to anybody')
  if (isKept(reply))
    throw new CannotArrange(
      `no role may create ${subject.name}, so there is nobody to try it as: write a scenario instead`,
    )
  if (!isOk(reply)) return reply
  const id = String(reply.body.id)
  try {
    return step === undefined ? reply : await stepTaken(site, subject.key, id, step, maker)
  } finally {
    await site.observatory.remove(subject.key, id)
  }
}

async function stepTaken(site: Site, entity: string, id: string, step: string, maker: Player): Promise<Reply> {
  const [from] = fromOf(site, entity, step)
  if (from !== undefined) await bringTo(site, entity, id, from, maker)
  let reply: Reply | null = null
  for (const player of playersFrom(site, maker)) {
    reply = await ask(site, player, 'POST', `${entity}/${id}/${step}`)
    if (!isKept(reply)) break
  }
  return reply!
}

async function draft(site: Site, player: Player, entity: Entity, subject: Entity, example: Example): Promise<Values> {
  const values = await writtenOf(site, player, entity, example)
  if (entity === subject) return await completed(site, player, entity, values)
  const list = subject.fields.find(({ type }) => type.kind === 'list' && type.entity === entity.key)!
  return await completed(site, player, subject, {
    [list.key]: [await completed(site, player, entity, values, subject.key)],
  })
}

const fromOf = (site: Site, entity: string, step: string): readonly string[] =>
  (site.app.workflows.get(entity)?.transitions ?? []).flatMap(({ key, from }) =>
    key === step && Array.isArray(from) ? from : [],
  )
