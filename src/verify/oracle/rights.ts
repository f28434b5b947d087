/** What heading 6 and heading 4 say that one person may do with one record. */
import type { Cell } from '../../document/source.ts'
import { type Deciding, type Decision, decides, every, happens, isTurn, type Made } from './approvals.ts'
import { bare, isNone, isOpen, keyOf, pieces, type Row, stepKeyOf } from './cells.ts'
import type { EntityTold, FieldTold, StepTold, Told } from './told.ts'
import type { Stored } from './values.ts'

/** Something that a cell, or a piece of one, says. */
export interface Said {
  readonly text: string
}

/** Somebody, as heading 6 knows them, and everything that conditions look at. */
export interface Judge {
  readonly told: Told
  readonly actor: {
    /** Null: nobody is signed in. */
    readonly id: string | null
    readonly roles: readonly string[]
    readonly tenant: string | null
    /** Those of them that the link of the record gives. */
    readonly linked?: readonly string[]
  }
  /** Those for whom they decide today. */
  readonly represented: readonly { readonly id: string; readonly roles: readonly string[] }[]
  /** What was decided about a record, as it is. */
  readonly decisions: (entity: string, record: Stored) => readonly Decision[]
  /** What a condition, or a path, gives of a record. */
  readonly worth: (said: Said, entity: string, record: Stored) => unknown
}

export interface Whose {
  readonly world: Judge
  readonly entity: string
}

export interface Case extends Whose {
  readonly record: Stored
}

type Verb = 'See' | 'Create' | 'Change' | 'Change to' | 'Delete' | 'Do' | 'Export' | 'Import'
type Key = Pick<FieldTold, 'key'>

export const toldOf = ({ world, entity }: Whose): EntityTold => world.told.entity(entity)

/** The cells that decide whether a person may: of their roles, and of those. */
export const decidedBy = (one: Whose, ...verbs: readonly Verb[]): readonly Cell[] => [
  ...rowsOf(one).flatMap(row => [
    ...verbs.flatMap(verb => row(verb) ?? []),
    ...[one.world.told.roles.get(row('Role')!.text)].filter(who => who !== undefined),
  ]),
  ...neversOf(one).flatMap(row => verbs.flatMap(verb => row(verb) ?? [])),
]

/** Cells of the rows that restrict a field. */
export const linesOf = (one: Whose, key: string, ...columns: readonly string[]): readonly Cell[] =>
  (toldOf(one).lines.get(key) ?? []).flatMap(line => columns.flatMap(column => line(column) ?? []))

/** Entities of which the document says itself who may do what. Child rows follow their parents, assumptions are nobody's word. */
export function isTold({ entities }: Told, entity: string): boolean {
  const told = entities.get(entity)
  return told !== undefined && told.permissions !== null && told.partOf === null
}

/** A role opens it, and no row `never` closes it. */
const isOpened = (one: Case, verb: Verb): boolean =>
  rowsOf(one).some(row => grants(one, row, verb)) && isSpared(one, verb)

export const sees = (one: Case): boolean => isOpened(one, 'See')

/** A row of a record that they see: it follows the record, unless the document says itself who sees such rows. */
export const seesRow = (one: Case): boolean =>
  (toldOf(one).permissions ?? []).length === 0 ? isSpared(one, 'See') : sees(one)

export const changes = (one: Case): boolean => sees(one) && isOpened(one, 'Change') && !/^all$/i.test(lockOf(one))

/** A record that somebody has changed is one that they may still change, or that a role by which they changed it may lead to. */
export const mayHaveBecome = (before: Case, after: Case): boolean =>
  (rowsOf(after).some(row => grants(after, row, 'Change')) ||
    rowsOf(before).some(row => grants(before, row, 'Change') && grants(after, row, 'Change to'))) &&
  neversOf(after).every(row => spares(after, row((row('Change to')?.text ?? '') === '' ? 'Change' : 'Change to')))

/** Fields that decide whether somebody may change, or create, a record. */
export const readBy = (one: Whose, verb: 'Change' | 'Create'): ReadonlySet<string> =>
  new Set(rowsOf(one).flatMap(row => [...readsOf(one, row(verb)?.text ?? '')]))

/** Stored fields of the record that a condition may read. */
export function readsOf(one: Whose, text: string, known: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  const { fields } = toldOf(one)
  const found = new Set<string>()
  for (const [name] of text.replace(/"[^"]*"/g, '').matchAll(/[a-z_]\w*/g)) {
    const field = fields.get(name)
    if (field === undefined || known.has(name)) continue
    found.add(name)
    if (field.computed !== null)
      for (const inner of readsOf(one, field.computed, new Set([...known, name]))) found.add(inner)
  }
  return found
}

export const deletes = (one: Case): boolean => restores(one) && !/^all\b/i.test(lockOf(one)) && frozenBut(one) === null

/** Whoever may delete brings back what was archived, whatever its state locks. */
export const restores = (one: Case): boolean => sees(one) && isOpened(one, 'Delete')

/** No role of this person may create such a record, whatever stands in it. */
export const neverCreates = (one: Whose): boolean => !mayAtAll(one, 'Create')

/** Whether a role of this person takes records out as a file, or brings them in, whichever these are. */
export function mayAtAll(one: Whose, verb: 'Create' | 'Export' | 'Import'): boolean {
  const closed = neversOf(one).map(row => row(verb)?.text ?? '')
  const isOpened = rowsOf(one).some(row => gives(row, verb))
  return isOpened && !closed.some(text => /^(?:yes|all)$/i.test(text) || isOpen(text))
}

/** It opens something. */
export const gives = (row: Row, verb: Verb): boolean => {
  const text = row(verb)?.text ?? ''
  return !isNone(text) && !isOpen(text)
}

/** A record that was created is one that a role may create. */
export const mayHaveCreated = (one: Case): boolean => isOpened(one, 'Create')

/** Whether they take a step, or decide about one that waits for several people. Null: it cannot be told. */
export function takes(one: Case, step: string): boolean | null {
  const rows = toldOf(one).approvals.get(step)
  const of = decidingOf(one, step, rows !== undefined)
  return rows === undefined ? of.takes : decides(rows, of)
}

/** Whether the step happens at once when they take it, or decide about it. Null: it cannot be told. */
export const happensBy = (one: Case, step: string): boolean | null =>
  happens(toldOf(one).approvals.get(step) ?? [], decidingOf(one, step, true))

/** Whether a record waits for an approval: its step can be taken, and it is its turn. Null: it cannot be told. */
export function waitsFor(one: Case, approval: string): boolean | null {
  const waiting = waitingOf(one, approval)
  if (waiting === null || !waiting.branches.some(branch => isFrom(one, branch))) return false
  const { row, rows, made } = waiting
  return made.isNeeded(row) ? isTurn(row, rows, made) : false
}

/** Whether a record needs an approval, once it is asked for. */
export function needs(one: Case, approval: string): boolean {
  const waiting = waitingOf(one, approval)
  return waiting === null ? false : waiting.made.isNeeded(waiting.row)
}

/** Whether it waits for this person, or for one for whom they stand in. Null: it cannot be told. */
export function waitsForThem(one: Case, approval: string): boolean | null {
  const waiting = waitingOf(one, approval)
  if (waiting === null) return false
  const { row, branches, made } = waiting
  const { id } = one.world.actor
  const isOut =
    isAmong(one, row('Except')?.text ?? '') ||
    branches.some(branch => isExcepted(one, branch)) ||
    made.decisions.some(({ person, represents }) => person === id || represents === id)
  const asked = [isOut ? false : isOneOf(one, row, one.world.actor), isDeputy(one, row)]
  return every([waitsFor(one, approval), asked.includes(true) ? true : asked.includes(null) ? null : false])
}

/** The row of an approval, those of its step, and what was decided. */
function waitingOf(one: Case, approval: string) {
  const { approvals, steps } = toldOf(one)
  for (const [step, rows] of approvals) {
    const row = rows.find(each => keyOf(each('Approval')!.text) === approval)
    if (row !== undefined)
      return { row, rows, branches: steps.filter(({ key }) => key === step), made: madeFor(one, step) }
  }
  return null
}

const madeFor = (one: Case, step: string): Made => ({
  decisions: one.world.decisions(one.entity, one.record).filter(made => made.step === step),
  isNeeded: row => isNone(row('When')?.text) || worthOf(one, row('When')!) !== false,
})

function decidingOf(one: Case, step: string, isAwaited: boolean): Deciding {
  const branches = toldOf(one).steps.filter(({ key }) => key === step)
  const taken = branches.some(branch => takesBranch(one, branch))
  const isAble = branches.some(branch => isFrom(one, branch) && branch.to !== null && !isExcepted(one, branch))
  const standsIn =
    isAwaited &&
    isAble &&
    isStepSpared(one, step) &&
    isOwn(one) &&
    one.world.actor.id !== null &&
    rowsOf(one).some(row => lets(row, step))
  return {
    ...madeFor(one, step),
    me: one.world.actor.id,
    isAsked(row) {
      if (isAmong(one, row('Except')?.text ?? '')) return false
      const own = taken ? isOneOf(one, row, one.world.actor) : false
      if (own === true || !standsIn) return own
      const deputy = isDeputy(one, row)
      return deputy === false ? own : deputy
    },
    takes: taken,
  }
}

/** What says whether a record waits for somebody: of each approval that a decision about it was told by. */
export const approvalCells = (one: Case, step: string): readonly Cell[] =>
  (toldOf(one).approvals.get(step) ?? []).flatMap(row =>
    takes(one, step) === null ? [] : ['From', 'Except', 'When', 'Needs', 'After'].flatMap(column => row(column) ?? []),
  )

interface Somebody {
  readonly id: string | null
  readonly roles: readonly string[]
}

/** `Clerk, keeper, track.committee`; null: a condition says who they are. */
function isOneOf(one: Case, row: Row, { id, roles }: Somebody): boolean | null {
  const from = pieces(row('From')!.text, ',')
  if (from.some(piece => roles.includes(piece) || nameIn(one, piece).includes(id))) return true
  return from.some(piece => / where /i.test(piece)) ? null : false
}

/** They stand in for one of its people, whom they named themselves or a field names. */
function isDeputy(one: Case, row: Row): boolean | null {
  const deputies = pieces(row('Deputy')?.text ?? '', ',')
  const excepted = nameIn(one, row('Except')?.text ?? '')
  const decided = one.world.decisions(one.entity, one.record)
  const awaited = one.world.represented.filter(
    ({ id }) => !excepted.includes(id) && decided.every(({ person, represents }) => person !== id && represents !== id),
  )
  if (deputies.includes('named') && awaited.some(person => isOneOf(one, row, person) === true)) return true
  return deputies.some(piece => piece !== 'named' && isAmong(one, piece)) ? null : false
}

/** The row of the step that is taken: the first that is open; null: none is, or several people decide together. */
export function branchOf(one: Case, step: string): StepTold | null {
  const { steps, approvals } = toldOf(one)
  if (approvals.has(step)) return null
  return steps.find(branch => branch.key === step && takesBranch(one, branch)) ?? null
}

/** May the field be seen, on a record that is? */
export const seesField = (one: Case, { key }: Key): boolean =>
  toldOf(one).fields.get(key)?.type !== 'secret' && knowsField(one, key)

/** That it is there. */
function knowsField(one: Case, key: string): boolean {
  if (says(one, key, /^hidden\b/) || keepsFrozen(one, key)) return false
  const lines = toldOf(one).lines.get(key) ?? []
  return lines.length === 0 || lines.some(line => shows(one, line))
}

const shows = (one: Case, line: Row): boolean =>
  opens(one, line) && rowsOf(one).some(row => names(line('See'), row) && grants(one, row, 'See'))

/** A cell of a field names the role of this row. */
export function names(said: Said | null, row: Row): boolean {
  const text = said?.text ?? ''
  return /^(?:all|yes)$/i.test(text) || pieces(text, ',').includes(row('Role')!.text)
}

/** The line of a field speaks of this record. */
function opens(one: Case, line: Row): boolean {
  const when = line('When')
  return isNone(when?.text) || (!isOpen(when!.text) && holds(one, when!))
}

/** May it be changed by hand, on a record that may? What people never write is written by nobody. */
export function setsField(one: Case, { key }: Key): boolean {
  if (isWritten(one, key) || !knowsField(one, key) || isLocked(one, key)) return false
  const lines = toldOf(one).lines.get(key) ?? []
  const lets = (line: Row) => {
    if (!opens(one, line) || !rowsOf(one).some(row => names(line('See'), row))) return false
    const change = line('Change')
    if (change === null || change.text === '') return true
    return rowsOf(one).some(row => names(change, row) && grants(one, row, 'Change'))
  }
  return lines.length === 0 || lines.some(lets)
}

/** By its state, or by a step that froze it. */
function isLocked(one: Case, key: string): boolean {
  const mark = toldOf(one).fields.get(key)?.frozen ?? null
  const isFrozen = (mark !== null && one.record[mark] != null) || frozenBut(one)?.includes(key) === false
  return isFrozen || locks(lockOf(one), key)
}

/** A field that nobody wrote down: it keeps what is frozen. */
function keepsFrozen(one: Case, key: string): boolean {
  const { fields, frozen } = toldOf(one)
  return (
    !fields.has(key) &&
    [...fields.values(), { key: '', frozen: frozen?.mark ?? null }].some(
      of => of.frozen !== null && (of.frozen === key || `${of.key}_frozen` === key),
    )
  )
}

/** What a record that is frozen as a whole leaves open; null: it is not. */
function frozenBut(one: Case): readonly string[] | null {
  const { frozen } = toldOf(one)
  return frozen !== null && one.record[frozen.mark] != null ? frozen.except : null
}

/** `all except remarks`, or the names of fields. */
function locks(lock: string, key: string): boolean {
  if (isNone(lock)) return false
  const [, except] = /^all\b(?:\s+except\s+(.*))?$/i.exec(lock) ?? []
  return /^all\b/i.test(lock) ? !pieces(except ?? '', ',').includes(key) : pieces(lock, ',').includes(key)
}

/** Rows are written with the record that they are part of. */
export const setsRows = (one: Case, { key }: Key): boolean =>
  knowsField(one, key) && !says(one, key, /^read-only(?! when)/) && isNone(lockOf(one)) && !isLocked(one, key)

/** The application writes it, or nobody does. */
export const isWritten = (one: Whose, key: string): boolean =>
  /^(?:auto number|json)\b/i.test(toldOf(one).fields.get(key)?.type ?? '') ||
  says(one, key, /^(?:=|follows |copied from |set by |read-only(?! when)|assigned from |hidden\b)/)

const says = (one: Whose, key: string, rule: RegExp): boolean =>
  toldOf(one)
    .fields.get(key)
    ?.rules.some(written => rule.test(written)) === true

/** The rows of heading 6 of this person's roles. */
export const rowsOf = (one: Whose): readonly Row[] =>
  (toldOf(one).permissions ?? []).filter(row => one.world.actor.roles.includes(row('Role')!.text))

function grants(one: Case, row: Row, verb: Verb): boolean {
  const said = row(verb)
  return gives(row, verb) && isOwn(one) && (/^(?:yes|whole)$/i.test(said!.text) || holds(one, said!))
}

/** A record that a role of this person takes out with others, as a file. */
export const takesOut = (one: Case): boolean => sees(one) && isOpened(one, 'Export')

/** `never`, and `never Trainee` for whoever has the role. */
const neversOf = (one: Whose): readonly Row[] =>
  toldOf(one).nevers.filter(row => {
    const named = row('Role')!.text.replace(/^never\s*/i, '')
    return named === '' || pieces(named, ',').some(role => one.world.actor.roles.includes(role))
  })

/** The rows `never` say that they do not hold of this record: unknown is not enough. */
const isSpared = (one: Case, verb: Verb): boolean => neversOf(one).every(row => spares(one, row(verb)))

function spares(one: Case, said: Said | null): boolean {
  if (isNone(said?.text)) return true
  return !/^(?:yes|all)$/i.test(said!.text) && !isOpen(said!.text) && worthOf(one, said!) === false
}

/** Of a step: `Do` closes all of them, or names those that it closes, each with its condition: `pay, release when legal_hold; cancel`. */
const isStepSpared = (one: Case, step: string): boolean =>
  neversOf(one).every(row => {
    const said = row('Do')
    const steps = new Set(toldOf(one).steps.map(({ key }) => key))
    const parts = pieces(said?.text ?? '', ';').map(text => /^(.*?)(?:\s+when\s+(.*))?$/i.exec(text)!)
    const named = parts.filter(([, names = '']) => pieces(names, ',').every(name => steps.has(stepKeyOf(name))))
    if (named.length === 0) return spares(one, said)
    const about = named.filter(([, names = '']) => pieces(names, ',').some(name => stepKeyOf(name) === step))
    return about.every(([, , when]) => when !== undefined && spares(one, { text: bare(when) }))
  })

/** Of the person's own tenant, where the document keeps tenants apart. */
function isOwn({ world, entity, record }: Case): boolean {
  const { tenant } = world.told
  // The tenant itself: nobody makes another one.
  if (entity === tenant) return world.actor.tenant !== null && record.id === world.actor.tenant
  return (
    tenant === null || !(tenant in record) || (world.actor.tenant !== null && record[tenant] === world.actor.tenant)
  )
}

const takesBranch = (one: Case, branch: StepTold): boolean =>
  isFrom(one, branch) &&
  branch.to !== null &&
  isSpared(one, 'See') &&
  isStepSpared(one, branch.key) &&
  rowsOf(one).some(
    row => lets(row, branch.key) && grants(one, row, 'See') && isNamed(one, branch, row('Role')!.text),
  ) &&
  (branch.when === null || (!isOpen(branch.when.text) && holds(one, branch.when)))

/** Whether heading 4 and heading 6 give a step to anybody at all, whatever its record says. */
export const isGiven = ({ steps, permissions }: EntityTold, step: string): boolean =>
  steps.some(({ key, who, to }) => key === step && to !== null && !isNone(who) && !isOpen(who)) &&
  (permissions ?? []).some(row => lets(row, step))

const isFrom = ({ record }: Case, { from }: StepTold): boolean => from.includes(String(record.state))

/** A row of a role gives a step. */
export const lets = (row: Row, step: string): boolean => {
  const text = row('Do')?.text ?? ''
  if (/^(?:all|yes)$/i.test(text)) return true
  return gives(row, 'Do') && pieces(text, ',').some(name => stepKeyOf(name) === step)
}

/** `Clerk, approver except requested_by`. */
function isNamed(one: Case, { who }: StepTold, role: string): boolean {
  const { id, linked = [] } = one.world.actor
  if (isNone(who) || isOpen(who) || isExcepted(one, { who })) return false
  const named = who.replace(/\s+except\s+.*$/i, '')
  if (id === null) return linked.includes(role) && pieces(named, ',').includes(role)
  if (/^everyone signed[ -]in$/i.test(named)) return true
  const roles = one.world.told.roles
  return pieces(named, ',').some(piece => (roles.has(piece) ? piece === role : isAmong(one, piece)))
}

const isExcepted = (one: Case, { who }: Pick<StepTold, 'who'>): boolean =>
  isAmong(one, /\s+except\s+(.*)$/i.exec(who)?.[1] ?? '')

/** `requested_by, deputy`: one of these fields names this person. */
const isAmong = (one: Case, fields: string): boolean =>
  one.world.actor.id !== null && nameIn(one, fields).includes(one.world.actor.id)

const nameIn = (one: Case, fields: string): readonly unknown[] =>
  pieces(fields, ',').flatMap(text => (one.world.told.roles.has(text) ? [] : [worthOf(one, { text })].flat()))

const lockOf = (one: Case): string => toldOf(one).locks.get(String(one.record.state)) ?? ''

const worthOf = ({ world, entity, record }: Case, said: Said) => world.worth(said, entity, record)

/** Unknown is no. */
const holds = (one: Case, condition: Said): boolean => worthOf(one, condition) === true

/** The roles of somebody, `given` those to which they were appointed. */
export function rolesOf(
  world: Pick<Judge, 'told' | 'worth'>,
  id: string | null,
  given: readonly string[],
  person: Stored | null,
) {
  const has = (name: string, who: string): boolean => {
    if (isOpen(who) || /^(?:link of|shared) /i.test(who)) return false
    if (/^appointed by /i.test(who)) return given.includes(name)
    const [, everyone, except = ''] = /^(everyone(?: signed[ -]in)?)(?:\s+except\s+(.*))?$/i.exec(who) ?? []
    if (everyone === undefined) return person !== null && world.worth({ text: who }, 'person', person) === true
    if (/signed/i.test(everyone) && id === null) return false
    return pieces(except, ',').every(other => !has(other, world.told.roles.get(other)?.text ?? 'TBD'))
  }
  return [...world.told.roles].flatMap(([name, { text }]) => (has(name, text) ? [name] : []))
}
