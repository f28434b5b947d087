/**
 * What a document gives and no record lets anybody do. Proved by going through all values of what decides it, for everybody there is: where
 * these are too many, or more than the record decides, nothing is proved.
 */
import type { Wire } from '../expression/type.ts'
import type { Field } from '../headings/3-entities/model.ts'
import type { Row } from './oracle/cells.ts'
import * as oracle from './oracle/rights.ts'
import type { Case, Trial } from './trial.ts'
import { visitor, type World } from './world.ts'

/** So many records are gone through at most, for each person. */
const mostRecords = 2000

/** What more than the record decides: the day, constants, other records, functions. */
const isOfMore = /\b(?:limits|today|now|my|old|this)\b|\w\.\w|\w\(/

const verbs = {
  create: { verb: 'Create', may: oracle.mayHaveCreated },
  change: { verb: 'Change', may: oracle.changes },
  delete: { verb: 'Delete', may: oracle.deletes },
} as const

/** Verbs that heading 6 gives to somebody who is there, and that nobody was let through to. */
export async function tryGranted(trial: Trial): Promise<void> {
  const { site, entity, tallies } = trial
  for (const [does, { verb, may }] of Object.entries(verbs)) {
    const tally = tallies.get(does)
    if (tally === undefined || tally.tried === 0 || tally.through > 0 || tally.wrong.length > 0) continue
    const worlds = await Promise.all([...site.players, visitor].map(player => site.observatory.world(player)))
    const rows = worlds.flatMap(world => oracle.rowsOf({ world, entity: entity.key }))
    const roles = new Set(rows.filter(row => oracle.gives(row, verb)).map(row => row('Role')!.text))
    if (roles.size > 0 && isImpossible(trial, worlds, ['See', verb], [], may))
      tally.wrong.push(`heading 6 lets ${[...roles].join(', ')} ${does} it, and no record lets anybody`)
  }
}

/** Whether nobody who is there could take the step of any record, though somebody has a role that it is given to. */
export async function isUntakeable(trial: Trial, step: string): Promise<boolean> {
  const { site, entity } = trial
  const worlds = await Promise.all(site.players.map(player => site.observatory.world(player)))
  const told = worlds[0]?.told.entity(entity.key)
  const isHeld = worlds.some(world => oracle.rowsOf({ world, entity: entity.key }).some(row => oracle.lets(row, step)))
  if (told === undefined || !isHeld || told.approvals.has(step)) return false
  const branches = told.steps.filter(({ key }) => key === step)
  const texts = branches.flatMap(({ who, when }) => [who, when?.text ?? ''])
  return isImpossible(trial, worlds, ['See', 'Do'], texts, one => oracle.takes(one, step) !== false)
}

function isImpossible(
  { site, entity }: Trial,
  worlds: readonly World[],
  columns: readonly string[],
  further: readonly string[],
  may: (one: Case) => boolean,
): boolean {
  const told = worlds[0]!.told.entity(entity.key)
  const { tenant } = worlds[0]!.told
  // Who belongs to which tenant decides, too.
  if (tenant !== null && (entity.key === tenant || told.fields.has(tenant))) return false
  const cells = (rows: readonly Row[]) => rows.flatMap(row => columns.map(column => row(column)?.text ?? ''))
  const texts = [...cells(told.permissions ?? []), ...cells(told.nevers), ...further]
  if (texts.some(text => isOfMore.test(text.replace(/"[^"]*"/g, '')))) return false
  const whose = { world: worlds[0]!, entity: entity.key }
  const keys = new Set(texts.flatMap(text => [...oracle.readsOf(whose, text)]))
  const people = [...site.players.map(({ id }) => id), null]
  const choices: (readonly [string, readonly Wire[]])[] = []
  for (const key of keys) {
    const values = valuesOf(
      entity.fields.find(one => one.key === key),
      people,
    )
    if (values === null) return false
    choices.push([key, values])
  }
  const states = site.app.workflows.get(entity.key)?.states.map(({ name }) => name)
  if (states !== undefined) choices.push(['state', states])
  if (choices.reduce((product, [, { length }]) => product * length, 1) > mostRecords) return false
  const records = choices.reduce<readonly Readonly<Record<string, Wire>>[]>(
    (all, [key, values]) => all.flatMap(record => values.map(value => ({ ...record, [key]: value }))),
    [{ id: 'any' }],
  )
  return !worlds.some(world => records.some(record => may({ app: site.app, world, entity: entity.key, record })))
}

/** All that a field may say; null: too many. */
function valuesOf(field: Field | undefined, people: readonly Wire[]): readonly Wire[] | null {
  if (field === undefined || field.computed !== null) return null
  if (field.type.kind === 'yes/no') return [true, false, null]
  if (field.type.kind === 'choice') return [...(field.parameters.choices ?? []), null]
  return field.type.kind === 'reference' && field.type.entity === 'person' ? people : null
}
