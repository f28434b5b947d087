/** Fields that somebody may write on a record as it stands, each sent with another value: nothing but a rule may be against it. */
import type { Wire } from '../expression/type.ts'
import type { Field } from '../headings/3-entities/model.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { said } from './answers.ts'
import { cameOf, lookBefore } from './came.ts'
import { ask, isOk, type Player, toldBy } from './client.ts'
import * as oracle from './oracle/rights.ts'
import { firstRows } from './rows.ts'
import { isSame, rowOf } from './stage.ts'
import { type Case, caseOf, type Subject, type Trial, tallyOf, whereOf } from './trial.ts'
import { otherValue, plainOf } from './tries.ts'
import { visitor } from './world.ts'

/** However it is said that a field is nothing to write for whoever asks. */
const denied = /^NF-(?:FIELD-DENIED|FIXED|LOCKED|FROZEN|NO-FIELD|CHANGE-DENIED)/

/** `written`: what was tried already, by anybody. */
export async function tryOpen(
  trial: Trial,
  subject: Subject,
  state: string | null,
  player: Player,
  written: Set<string>,
): Promise<void> {
  const { site, entity } = trial
  for (const field of plainOf(entity)) {
    const known = await caseOf(trial, subject, player)
    if (known === null || !oracle.sees(known)) return
    const name = `${state} ${field.key}`
    const value = written.has(name) || !mayWrite(known, field) ? undefined : otherValue(known, field)
    if (value === undefined || !staysTheirs(trial, known, field, value)) continue
    written.add(name)
    const tally = tallyOf(
      trial,
      `open ${field.key}`,
      field.cell,
      `${entity.name}, ${field.key}: whoever may write it can`,
    )
    const sent = { [field.key]: value }
    const before = await lookBefore(trial, known, player)
    const reply = await ask(site, player, 'PATCH', `${entity.key}/${subject.id}`, sent)
    tally.tried++
    site.judged.add(...oracle.linesOf(known, field.key, 'Change'))
    const what = `${whereOf(player, subject, state)}: write ${field.key}`
    if ([401, 403, 404].includes(reply.status) || reply.codes.some(code => denied.test(code)))
      tally.wrong.push(`${what}: the application says ${toldBy(reply)}, the document allows it`)
    if (!isOk(reply)) continue
    tally.through++
    for (const wrong of await cameOf(trial, { kind: 'change', sent }, before)) tally.wrong.push(`${what}: ${wrong}`)
    await putBack(trial, known, subject)
  }
}

/** A row of each list, at whatever depth, with another value, the others as they are. */
export async function tryRows(trial: Trial, subject: Subject, player: Player, written: Set<string>): Promise<void> {
  const { site, entity } = trial
  const begun = await caseOf(trial, subject, player)
  const lists = begun === null ? [] : firstRows(site.app, entity, begun.record).map(({ path }) => path.join('.'))
  for (const path of lists) {
    const known = await caseOf(trial, subject, player)
    const found = known === null ? [] : firstRows(site.app, entity, known.record)
    const at = found.find(one => one.path.join('.') === path)
    if (known === null || at === undefined || written.has(`rows ${path}`)) continue
    const { list, entity: child, outermost, row: first, put } = at
    const isParents = (one: string) => site.app.access.get(one)!.basis === 'parent'
    if (!found.every(one => !path.startsWith(one.path.join('.')) || isParents(one.entity.key))) continue
    if (!oracle.changes(known) || !oracle.setsRows(known, outermost)) continue
    const row = { ...known, entity: child.key, record: first }
    const field = plainOf(child).find(
      one =>
        one.unique === null &&
        one.onlyWhen === null &&
        oracle.setsField(row, one) &&
        otherValue(row, one) !== undefined,
    )
    if (field === undefined) continue
    written.add(`rows ${path}`)
    const value = otherValue(row, field)
    const sending = (said: unknown) =>
      put({ id: first.id, [field.key]: said as Wire }, ({ id }) => ({ id }))[outermost.key]
    const address = `${entity.key}/${subject.id}`
    const reply = await ask(site, player, 'PATCH', address, { [outermost.key]: sending(value) })
    const tally = tallyOf(
      trial,
      `rows ${path}`,
      list.cell,
      `${entity.name}, ${path.replaceAll('.0', '')}: a row takes another value`,
    )
    tally.tried++
    if (!isOk(reply)) continue
    tally.through++
    const after = (await site.observatory.world(player)).record(child.key, String(first.id))
    const is = after?.[field.key] ?? null
    if (!isSame(field, is, (rowOf(site, child, { [field.key]: value })[field.key] ?? null) as Wire))
      tally.wrong.push(`${player.name}, ${subject.by}: ${field.key} of its first row is ${said(is)} then`)
    await ask(site, player, 'PATCH', address, { [outermost.key]: sending(jsonOf(field, first[field.key])) })
  }
}

const jsonOf = (field: Field, value: unknown): unknown =>
  fieldKind(field.kind).toJson((value ?? null) as Wire, field.parameters)

const mayWrite = (known: Case, field: Field): boolean => oracle.changes(known) && oracle.setsField(known, field)

/** With this value it is one that they may change still, in this field too. */
function staysTheirs({ site, entity }: Trial, known: Case, field: Field, value: unknown): boolean {
  const sent = rowOf(site, entity, { [field.key]: value })
  const after = { ...known, record: { ...known.record, [field.key]: sent[field.key] ?? null } }
  return oracle.mayHaveBecome(known, after) && oracle.setsField(after, field)
}

/** What it said before, past everybody. */
async function putBack({ site, entity }: Trial, { record }: Case, { id }: Subject): Promise<void> {
  const now = (await site.observatory.world(visitor)).record(entity.key, id)
  const other = plainOf(entity).filter(
    field =>
      field.computed === null &&
      !isSame(field, (now?.[field.key] ?? null) as Wire, (record[field.key] ?? null) as Wire),
  )
  const values = Object.fromEntries(other.map(({ key }) => [key, (record[key] ?? null) as Wire]))
  if (other.length > 0) await site.observatory.set(entity.key, id, values)
}
