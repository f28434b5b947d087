/** Fields that somebody may write on a record as it stands, each sent with another value: nothing but a rule may be against it. */
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Field } from '../headings/3-entities/model.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { said } from './answers.ts'
import { cameOf, lookBefore } from './came.ts'
import { ask, isOk, type Player, toldBy } from './client.ts'
import * as oracle from './oracle/rights.ts'
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

/** A row of each list with another value, the others as they are. */
export async function tryRows(trial: Trial, subject: Subject, player: Player, written: Set<string>): Promise<void> {
  const { site, entity } = trial
  for (const list of entity.fields) {
    const child = list.type.kind === 'list' ? site.app.entities.get(list.type.entity)! : null
    const known = await caseOf(trial, subject, player)
    const rows = known?.record[list.key]
    if (known === null || child?.partOf !== entity.key || !Array.isArray(rows) || rows.length === 0) continue
    if (site.app.access.get(child.key)!.basis !== 'parent' || written.has(`rows ${list.key}`)) continue
    if (!oracle.changes(known) || !oracle.setsRows(known, list)) continue
    const [first, ...others] = rows as readonly RecordValue[]
    const row = { ...known, entity: child.key, record: first! }
    const field = plainOf(child).find(
      one =>
        one.unique === null &&
        one.onlyWhen === null &&
        oracle.setsField(row, one) &&
        otherValue(row, one) !== undefined,
    )
    if (field === undefined) continue
    written.add(`rows ${list.key}`)
    const value = otherValue(row, field)
    const sent = [{ id: first!.id, [field.key]: value }, ...others.map(({ id }) => ({ id }))]
    const reply = await ask(site, player, 'PATCH', `${entity.key}/${subject.id}`, { [list.key]: sent })
    const tally = tallyOf(
      trial,
      `rows ${list.key}`,
      list.cell,
      `${entity.name}, ${list.key}: a row takes another value`,
    )
    tally.tried++
    if (!isOk(reply)) continue
    tally.through++
    const after = (await caseOf(trial, subject, player))?.record[list.key] as readonly RecordValue[] | undefined
    const is = after?.find(({ id }) => id === first!.id)?.[field.key] ?? null
    if (!isSame(field, is, (rowOf(site, child, { [field.key]: value })[field.key] ?? null) as Wire))
      tally.wrong.push(`${player.name}, ${subject.by}: ${field.key} of its first row is ${said(is)} then`)
    const back = [{ id: first!.id, [field.key]: jsonOf(field, first![field.key]) }, ...others.map(({ id }) => ({ id }))]
    await ask(site, player, 'PATCH', `${entity.key}/${subject.id}`, { [list.key]: back })
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
