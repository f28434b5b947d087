/** Heading 6 as people feel it: who gains or loses what. Told by its effect, so that `all` and a list of all steps are the same. */

import type { Cell } from '../../document/source.ts'
import { linesOf, rolesOfLines } from '../../headings/6-permissions/lines.ts'
import type { Access, Grant, NamedRoles, Never } from '../../headings/6-permissions/model.ts'
import { bansOf, closedAfter, closes, neverFor, neverVerbs } from '../../headings/6-permissions/never.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified, type Specified, specified } from '../../headings/specified.ts'
import { meaningOf, noRenames, type Renames, wordsOf } from './meaning.ts'
import { type Aspect, changed, type Difference, type Thing } from './thing.ts'

/** A bullet of the heading that names roles. */
function keyThing(id: string, { cell, roles }: NamedRoles, what: string, tell: Aspect['tell']): Thing {
  const words = roles.length === 0 ? 'nobody' : roles.join(', ')
  return {
    id,
    cell,
    section: 6,
    comes: `${what} ${words}`,
    goes: `${what} nobody`,
    aspects: [{ name: 'roles', cell, meaning: words, words, tell }],
  }
}

/** Roles themselves; what they may do is compared by {@link accessDifferences}. */
export function roleThings(app: App, renames: Renames): readonly Thing[] {
  const keys = [
    keyThing('read log', app.readLog, 'who read what is seen by', changed('who read what, seen by')),
    keyThing('second factor', app.secondFactor, 'a second factor is needed by', changed('a second factor, needed by')),
    keyThing(
      'personal data',
      app.personalDataFor,
      'what is held about people is given out and erased by',
      changed('what is held about people, given out and erased by'),
    ),
    keyThing('act as others', app.actAs, 'another person is acted for by', changed('acting as others, by')),
  ]
  const roles = [...app.roles.values()].map((role): Thing => {
    const who: Aspect = {
      name: 'who',
      cell: role.who.cell,
      meaning: meaningOf(role.who, renames, null),
      words: wordsOf(role.who),
      tell: changed(`role ${role.name}, who has it`),
    }
    const apart = role.neverWith?.roles.toSorted().join(', ') ?? null
    const neverWith: Aspect = {
      name: 'never with',
      cell: role.neverWith?.cell ?? role.cell,
      meaning: apart ?? '',
      words: apart,
      tell: changed(`role ${role.name}, roles that nobody may hold beside it`),
    }
    return {
      id: `role ${role.key}`,
      cell: role.cell,
      section: 6,
      comes: `the role ${role.name} is new: ${wordsOf(role.who)}`,
      goes: `the role ${role.name} is gone`,
      aspects: [who, neverWith],
    }
  })
  return [...roles, ...keys]
}

/** Who gains or loses what. */
export function accessDifferences(before: App, after: App, renames: Renames): readonly Difference[] {
  const found: Difference[] = []
  const entities = new Map([...before.entities.keys()].map(key => [renames.entity(key), key]))
  for (const key of after.entities.keys()) if (!entities.has(key)) entities.set(key, key)
  const roles = [...new Set([...after.roles.keys(), ...before.roles.keys()])]
  for (const [key, oldKey] of entities) {
    const name = (after.entities.get(key) ?? before.entities.get(oldKey))!.name
    const [old, now] = [before.access.get(oldKey), after.access.get(key)]
    // Rows that follow their parent in both have nothing of their own to tell.
    if (old?.basis === 'parent' && now?.basis === 'parent') continue
    for (const role of roles) {
      for (const verb of verbsOf(old, now)) {
        const was = grantOf(before, oldKey, role, verb)
        const is = grantOf(after, key, role, verb)
        if (effectOf(was, renames, oldKey) === effectOf(is, noRenames, key)) continue
        found.push({
          section: 6,
          text: tellGrant(role, sayVerb(verb, name), was, is),
          before: was.cell,
          after: is.cell,
        })
      }
    }
    for (const role of [null, ...roles])
      found.push(
        ...neverDifferences(neverAbout(old, role), neverAbout(now, role), role, { key, oldKey, name, renames }),
      )
    found.push(...fieldDifferences(before, after, { key, oldKey, name, roles, renames }))
    found.push(...stepDifferences(before, after, { key, oldKey, name, roles, renames }))
  }
  return found
}

function sayVerb(verb: string, name: string): string {
  const words: Readonly<Record<string, string>> = {
    do: `take a step of ${name}`,
    emergency: `read ${name} in an emergency`,
    changeTo: `change ${name} beyond what Change says`,
  }
  return words[verb] ?? `${verb} ${name}`
}

/** The rows `never` about everybody, or about a role, as one. */
const neverAbout = (access: Access | undefined, role: string | null): Never | null =>
  neverFor({ nevers: (access?.nevers ?? []).filter(({ roles }) => (role === null) === (roles.length === 0)) }, [
    role ?? '',
  ])

/** What is closed to everybody, or to those who have a role, verb by verb and step by step. A row that is gone closes nothing. */
function neverDifferences(
  before: Never | null,
  after: Never | null,
  role: string | null,
  { key, oldKey, name, renames }: Omit<Place, 'roles'>,
): readonly Difference[] {
  const steps = [before, after].flatMap(never => never?.steps.flatMap(ban => ban.steps) ?? [])
  const isSaid = (verb: string) => verb !== 'changeTo' || (before?.changeTo ?? after?.changeTo) != null
  const verbs = [...neverVerbs, 'changeTo' as const].filter(isSaid).map(verb => ({
    // What Change closes is told with it.
    cells: (never: Never) => [verb === 'changeTo' ? closedAfter(never) : never[verb]],
    what: verb === 'changeTo' ? `change ${name} to one` : sayVerb(verb, name),
  }))
  const single = [...new Set(steps)].map(step => ({
    cells: (never: Never) => bansOf(never, step).map(({ when }) => when),
    what: `take ${step.replaceAll('_', ' ')} of ${name}`,
  }))
  const who = role === null ? 'nobody' : `nobody who has the role ${role}`
  return [...verbs, ...single].flatMap(({ cells, what }) => {
    const [was, is] = [before, after].map((never): readonly Decided[] =>
      never === null ? [] : cells(never).map(grant => ({ grant, cell: grant.cell })),
    ) as [readonly Decided[], readonly Decided[]]
    const effect = (all: readonly Decided[], names: Renames, entity: string) =>
      all
        .map(one => effectOf(one, names, entity))
        .filter(one => one !== 'no')
        .join(';')
    if (effect(was, renames, oldKey) === effect(is, noRenames, key)) return []
    const grant = is.find(one => one.grant !== null && closes(one.grant))?.grant ?? null
    const old = `was: ${closedWords(was[0]?.grant ?? null)}`
    const text =
      grant === null
        ? `nothing keeps ${role === null ? 'everybody' : role} any longer from: ${what} (${old})`
        : isUnspecified(grant) || grant.kind !== 'when'
          ? `${who} may ${what}${isUnspecified(grant) ? ', as it is not specified when' : ''} (${old})`
          : `${who} may ${what} when \`${grant.expression.cell.text}\` (${old})`
    return [{ section: 6, text, before: was[0]?.cell ?? null, after: is[0]?.cell ?? null }]
  })
}

function closedWords(grant: Specified<Grant> | null): string {
  if (grant === null || !closes(grant)) return 'not closed'
  if (isUnspecified(grant)) return 'not specified, so nobody'
  return grant.kind === 'when' ? `nobody when \`${grant.expression.cell.text}\`` : 'nobody'
}

/** What a role may do with records of an entity, and the line that says so. */
interface Decided {
  readonly grant: Specified<Grant> | null
  readonly cell: Cell | null
}

function grantOf(app: App, entity: string, role: string, verb: string): Decided {
  const access = app.access.get(entity)
  if (access === undefined) return { grant: null, cell: null }
  if (access.basis === 'parent') return grantOf(app, app.entities.get(entity)!.partOf!, role, verb)
  const row = access.rows.find(permission => permission.role === role)
  if (access.basis === 'assumed' && verb === 'see' && !app.entities.get(entity)!.builtIn)
    return { grant: { kind: 'yes', cell: access.cell }, cell: access.cell }
  if (row === undefined) return { grant: null, cell: access.rows.length === 0 ? null : access.cell }
  const grant = Object.entries(row).find(([name]) => name === verb)?.[1] as Specified<Grant> | undefined
  return grant === undefined ? { grant: null, cell: row.cell } : { grant, cell: grant.cell }
}

/** What a row grants beside steps: see, create, change, delete, and whatever else has a column of its own. */
function verbsOf(...all: readonly (Access | undefined)[]): readonly string[] {
  const not = new Set(['role', 'cell', 'do'])
  const rows = all.flatMap(access => access?.rows ?? [])
  const names = rows.flatMap(row => Object.keys(row)).filter(name => !not.has(name))
  return [...new Set(['see', ...names])]
}

function effectOf({ grant }: Decided, renames: Renames, entity: string): string {
  if (grant === null) return 'no'
  if (isUnspecified(grant)) return 'unspecified'
  if (grant.kind === 'yes' && grant.whole) return 'whole'
  return grant.kind === 'when' ? meaningOf(grant.expression, renames, entity) : grant.kind
}

function tellGrant(role: string, what: string, { grant: was }: Decided, { grant: is }: Decided): string {
  const old = `was: ${words(was)}`
  if (is === null || isUnspecified(is) || is.kind === 'no') {
    const could = was !== null && !isUnspecified(was) && was.kind !== 'no'
    const open = is !== null && isUnspecified(is) ? ', which is not specified' : ''
    return could ? `${role} may no longer ${what}${open} (${old})` : `${role}: ${what} is ${words(is)} (${old})`
  }
  if (is.kind === 'yes') return `${role} may now ${what}${is.whole ? ' files whole' : ''} (${old})`
  const narrower = was !== null && !isUnspecified(was) && was.kind === 'yes'
  if (was !== null && !isUnspecified(was) && was.kind === 'when') {
    const reach = reachOf(was.expression.cell.text, is.expression.cell.text)
    if (reach !== null) return `${role} may ${what} in ${reach} cases: when \`${is.expression.cell.text}\` (${old})`
  }
  const word = narrower ? 'may only' : was !== null && !isUnspecified(was) && was.kind === 'when' ? 'may' : 'may now'
  return `${role} ${word} ${what} when \`${is.expression.cell.text}\` (${old})`
}

/** Whether a condition that was added to, or taken from, lets more or fewer records through. Null: neither can be told from its words. */
function reachOf(was: string, is: string): 'more' | 'fewer' | null {
  const adds = (longer: string, shorter: string, word: 'or' | 'and'): boolean => {
    const added = longer.startsWith(`${shorter} ${word} `)
      ? longer.slice(shorter.length + word.length + 2)
      : longer.endsWith(` ${word} ${shorter}`)
        ? longer.slice(0, -shorter.length - word.length - 2)
        : null
    if (added === null || /\bif\b/.test(longer)) return false
    return word === 'or' || !/\bor\b/.test(longer)
  }
  if (adds(is, was, 'or') || adds(was, is, 'and')) return 'more'
  return adds(was, is, 'or') || adds(is, was, 'and') ? 'fewer' : null
}

function words(grant: Specified<Grant> | null): string {
  if (grant === null) return 'no'
  if (isUnspecified(grant)) return 'not specified, so no'
  return grant.kind === 'when' ? `when \`${grant.expression.cell.text}\`` : grant.kind
}

interface Place {
  readonly key: string
  readonly oldKey: string
  readonly name: string
  readonly roles: readonly string[]
  readonly renames: Renames
}

/** Roles that may see or change single fields. A field without a line follows the record. */
function fieldDifferences(
  before: App,
  after: App,
  { key, oldKey, name, roles, renames }: Place,
): readonly Difference[] {
  const found: Difference[] = []
  const fields = after.entities.get(key)?.fields ?? []
  for (const { key: field } of fields) {
    const old = before.entities.get(oldKey)?.fields.find(one => renames.field(oldKey, one.key) === field)
    if (old === undefined) continue
    found.push(...fieldWhenDifference(before, after, { key, oldKey, name, renames }, { old: old.key, field }))
    for (const verb of ['see', 'change'] as const) {
      const was = fieldRoles(before.access.get(oldKey), old.key, verb)
      const is = fieldRoles(after.access.get(key), field, verb)
      for (const role of roles) {
        const [could, can] = [mayField(was, role), mayField(is, role)]
        if (could === can || !before.roles.has(role) || !after.roles.has(role)) continue
        const text = can
          ? `${role} may now ${verb} ${field} of ${name}`
          : `${role} may no longer ${verb} ${field} of ${name}`
        const record = can ? ', where it may the record' : ''
        found.push({ section: 6, text: `${text}${record}`, before: was.cell, after: is.cell })
      }
    }
  }
  return found
}

/** On which records the roles that a field's line names may see and change it. */
function fieldWhenDifference(
  before: App,
  after: App,
  { key, oldKey, name, renames }: Omit<Place, 'roles'>,
  { old, field }: { readonly old: string; readonly field: string },
): readonly Difference[] {
  const of = (app: App, entity: string, one: string) => linesOf(app.access.get(entity), one).map(({ when }) => when)
  const [was, is] = [of(before, oldKey, old), of(after, key, field)]
  const meaning = (whens: typeof was, names: Renames, entity: string) =>
    whens.map(when => meaningOf(when, names, entity)).join('\n')
  const isOpen = (whens: typeof was) => whens.length === 0 || whens.includes(null)
  if ((isOpen(was) && isOpen(is)) || meaning(was, renames, oldKey) === meaning(is, noRenames, key)) return []
  const words = (whens: typeof was) =>
    isOpen(whens) ? 'on every record' : `where ${whens.map(when => `\`${when!.cell.text}\``).join(', or ')}`
  const text = `${field} of ${name} may be seen and changed ${isOpen(is) ? '' : 'only '}${words(is)} (was: ${words(was)})`
  return [{ section: 6, text, before: was[0]?.cell ?? null, after: is[0]?.cell ?? null }]
}

interface FieldRoles {
  /** Null: all that may see or change the record. */
  readonly roles: readonly string[] | null
  readonly cell: Cell | null
}

function fieldRoles(access: Access | undefined, field: string, verb: 'see' | 'change'): FieldRoles {
  const lines = linesOf(access, field)
  const roles = rolesOfLines(lines, verb)
  return { roles, cell: roles === null ? null : lines[0]!.cell }
}

const mayField = ({ roles }: FieldRoles, role: string): boolean => roles === null || roles.includes(role)

/** Who may take a step: heading 4 names them and heading 6 lets them. Of steps that both documents have. */
function stepDifferences(before: App, after: App, { key, oldKey, name, roles }: Place): readonly Difference[] {
  const found: Difference[] = []
  const steps = new Map(after.workflows.get(key)?.transitions.map(step => [step.key, step.name]))
  const old = new Set(before.workflows.get(oldKey)?.transitions.map(step => step.key))
  for (const [step, stepName] of steps) {
    if (!old.has(step)) continue
    let told = false
    for (const role of roles) {
      const was = mayTake(before, oldKey, step, role)
      const is = mayTake(after, key, step, role)
      if (was.may === is.may) continue
      told = true
      const text = is.may
        ? `${role} may now ${stepName} ${name} (was: no)`
        : `${role} may no longer ${stepName} ${name} (was: yes)`
      found.push({ section: 6, text, before: was.cell, after: is.cell })
    }
    const [was, is] = [whoOf(before, oldKey, step), whoOf(after, key, step)]
    if (!told && was.meaning !== is.meaning)
      found.push({
        section: 4,
        text: `${changed(`${name} ${stepName}, by`)(was.words, is.words)}: heading 6 lets nobody else`,
        before: was.cell,
        after: is.cell,
      })
  }
  return found
}

function mayTake(
  app: App,
  entity: string,
  step: string,
  role: string,
): { readonly may: boolean; readonly cell: Cell | null } {
  const branches = app.workflows.get(entity)?.transitions.filter(({ key }) => key === step) ?? []
  const named = branches.find(({ who }) => !isUnspecified(who) && (who.kind !== 'roles' || who.roles.includes(role)))
  const row = app.access.get(entity)?.rows.find(permission => permission.role === role)
  const grant = row === undefined ? null : specified(row.do)
  const lets = grant !== null && (grant.steps === 'all' || grant.steps.includes(step))
  const cell = lets && named === undefined ? (branches[0]?.cell ?? null) : (row?.cell ?? branches[0]?.cell ?? null)
  return { may: lets && named !== undefined, cell }
}

function whoOf(app: App, entity: string, step: string) {
  const branches = app.workflows.get(entity)!.transitions.filter(({ key }) => key === step)
  return {
    meaning: meaningOf(
      branches.map(({ who }) => who),
      noRenames,
      null,
    ),
    words: branches.map(({ who }) => wordsOf(who)).join('; '),
    cell: branches[0]!.cell,
  }
}
