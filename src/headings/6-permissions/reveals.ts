/** Conditions that decide what somebody may do, or is shown, by a field that they never see: what comes of it tells them of it. */

import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import type { CardContent, Figure, Screen } from '../2-screens/model.ts'
import type { Entity, Field } from '../3-entities/model.ts'
import type { Act, Effect, Sweep, Timer, Transition, Workflow } from '../4-states/model.ts'
import type { Rule } from '../5-validation/model.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified, specified } from '../specified.ts'
import { permissionCodes } from './codes.ts'
import { concerns, mayEver, mayEverSeeField } from './held.ts'
import { linesOf, rolesOfLines } from './lines.ts'
import { closedAt, isNeverSeen, mayTake, type Read, readsOf, wordsOf } from './shows.ts'

interface Telling {
  /** `the rule \`V-1\``. */
  readonly what: string
  /** `V-1`: by which it can be accepted. */
  readonly name: string
  readonly entity: string
  readonly by: Expression
  /** Where the warning stands. */
  readonly cell: Cell
  /** Those who meet it. */
  readonly roles: readonly string[]
}

/** N1627, once for each condition and each closed field that it reads. */
export function lintRevealing(context: Context, app: App, held: ReadonlySet<string>): void {
  const { report } = reporter(permissionCodes, 6, context.found)
  const all = [...held]
  const tellings = [
    ...app.rules.flatMap(rule => ofRule(app, rule, all)),
    ...[...app.workflows.values()].flatMap(workflow => [
      ...workflow.transitions.flatMap(step => ofStep(app, workflow.entity, step, all)),
      ...ofStarts(app, workflow, all),
    ]),
    ...[...app.timers, ...app.sweeps].flatMap(timer => ofTimer(app, timer, all)),
    ...app.effects.flatMap(effect => ofEffect(app, effect, all)),
    ...[...app.entities.values()].flatMap(entity => ofEntity(app, entity, all)),
    ...app.screens.flatMap(screen => ofScreen(screen, held)),
  ]
  for (const { what, name, entity, by, cell, roles } of tellings)
    for (const read of readsOf(app, by)) {
      const told = roles.filter(role => isTold(app, entity, read, role))
      if (told.length === 0) continue
      const related = [
        { span: closedAt(app, read.step), message: 'closed here' },
        { span: by.cell, message: 'told here' },
      ]
      const values = { what, name, read: wordsOf(app, entity, read.step), roles: told.join(', ') }
      report('N1627', cell, values, { related })
    }
}

/** What somebody may set themselves they know. */
const isTold = (app: App, entity: string, read: Read, role: string): boolean =>
  isNeverSeen(app, read, role) && !(read.step.entity === entity && mayEnter(app, entity, role, read.step.field))

function mayEnter(app: App, entity: string, role: string, key: string): boolean {
  const field = app.entities.get(entity)!.fields.find(one => one.key === key)
  if (
    field === undefined ||
    [field.computed, field.copiedFrom, field.assignedFrom, field.setBy].some(one => one !== null)
  )
    return false
  const setters = rolesOfLines(linesOf(app.access.get(entity), key), 'change')
  const may = (['create', 'change'] as const).some(verb => mayEver(app, entity, role, verb))
  return may && (setters === null || setters.some(one => concerns(app, one, role)))
}

function ofRule(app: App, { name, entity, on, mustHold, cell }: Rule, held: readonly string[]): readonly Telling[] {
  if (isUnspecified(mustHold)) return []
  const meets = (role: string) =>
    on === null ? writes(app, entity, role) : on.some(occasion => causes(app, entity, role, occasion))
  return [{ what: `the rule \`${name}\``, name, entity, by: mustHold, cell, roles: held.filter(meets) }]
}

function ofStep(app: App, entity: string, step: Transition, held: readonly string[]): readonly Telling[] {
  const { when, name } = step
  if (when === null || isUnspecified(when)) return []
  const roles = held.filter(role => mayTake(app, entity, step, role))
  return [{ what: `the When of \`${name}\``, name, entity, by: when, cell: when.cell, roles }]
}

/** Where a record begins is seen by whoever sees its state. */
function ofStarts(app: App, { entity, starts }: Workflow, held: readonly string[]): readonly Telling[] {
  const roles = seersOf(app, entity, ['state'], held)
  return starts.flatMap(({ state, when: by }) =>
    by === null ? [] : [{ what: `the \`start when\` of \`${state}\``, name: state, entity, by, cell: by.cell, roles }],
  )
}

/** What happens by itself, or does not, is seen by whoever sees what it changes. */
function ofTimer(app: App, timer: Timer | Sweep, held: readonly string[]): readonly Telling[] {
  const { entity, name, then } = timer
  const roles = seersOf(app, entity, changedBy(then), held)
  const conditions = [
    ['When', specified(timer.when)] as const,
    ['where', 'where' in timer ? timer.where : null] as const,
  ]
  return conditions.flatMap(([word, by]) =>
    by === null ? [] : [{ what: `the ${word} of \`${name}\``, name, entity, by, cell: by.cell, roles }],
  )
}

function ofEffect(app: App, { entity, when, then }: Effect, held: readonly string[]): readonly Telling[] {
  const by = specified(when)
  const [field, ...more] = changedBy(then)
  if (by === null || field === undefined) return []
  const roles = seersOf(app, entity, [field, ...more], held)
  return [{ what: `the When that sets \`${field}\``, name: field, entity, by, cell: by.cell, roles }]
}

/** Fields of the record itself. */
const changedBy = (acts: readonly Act[]): readonly string[] =>
  acts.flatMap(act => {
    if (act.kind === 'go to') return ['state']
    if (act.kind === 'assign') return [act.field]
    return act.kind === 'set' && act.of === null ? act.values.map(({ field }) => field) : []
  })

const seersOf = (app: App, entity: string, fields: readonly string[], held: readonly string[]): readonly string[] =>
  held.filter(
    role => mayEver(app, entity, role, 'see') && fields.some(field => mayEverSeeField(app, entity, role, field)),
  )

/** Rules of fields refuse those who fill them, or offer them something. Marks are shown only to those who see all that they read. */
function ofEntity(app: App, { key: entity, fields }: Entity, held: readonly string[]): readonly Telling[] {
  const writers = held.filter(role => writes(app, entity, role))
  return fields.flatMap(field =>
    rulesOf(field).flatMap(([rule, by]) => {
      if (by === null) return []
      const what = `the \`${rule}\` of \`${field.key}\``
      return [{ what, name: field.key, entity, by, cell: by.cell, roles: fillers(app, entity, field, writers) }]
    }),
  )
}

const rulesOf = ({ required, min, max, onlyWhen, readOnlyWhen, chooseFrom }: Field) =>
  [
    ['required when', required?.when ?? null],
    ['min', min],
    ['max', max],
    ['only when', onlyWhen],
    ['read-only when', readOnlyWhen],
    ['choose from', chooseFrom?.where ?? null],
  ] as const

/** Who fills a field: to whom its rules say anything. */
const fillers = (app: App, entity: string, { key, hidden, setBy }: Field, writers: readonly string[]) =>
  hidden !== null || setBy !== null ? [] : writers.filter(role => mayEverSeeField(app, entity, role, key))

/** Numbers and lists of a dashboard, and what a report counts. Of screens that are lists themselves N1237 tells. */
function ofScreen(screen: Screen, held: ReadonlySet<string>): readonly Telling[] {
  const { for: audience, name } = screen
  const { cards, measures } = usesOf(screen)
  const named = specified(audience)
  if (named?.kind !== 'roles') return []
  const roles = named.roles.filter(role => held.has(role))
  const telling = (
    kind: string,
    name: string,
    { entity, where }: Pick<Figure, 'entity' | 'where'>,
  ): readonly Telling[] =>
    where === null ? [] : [{ what: `the ${kind} \`${name}\``, name, entity, by: where, cell: where.cell, roles }]
  return [
    ...cards.flatMap(card => {
      const content: CardContent | null = specified(card.shows)
      if (content === null) return []
      const all = content.kind === 'list' ? [content] : content.measures.map(({ figure }) => figure)
      return all.flatMap(one => telling('card', card.name.text, one))
    }),
    ...measures.flatMap(one => (isUnspecified(one) ? [] : telling('report', name.text, one.figure))),
  ]
}

const writes = (app: App, entity: string, role: string): boolean =>
  (['create', 'change'] as const).some(verb => mayEver(app, entity, role, verb)) ||
  stepsOf(app, entity).some(step => mayTake(app, step.entity, step.transition, role))

function causes(app: App, entity: string, role: string, occasion: string): boolean {
  if (occasion === 'create' || occasion === 'change' || occasion === 'delete')
    return mayEver(app, entity, role, occasion)
  return stepsOf(app, entity).some(
    step => step.transition.key === occasion && mayTake(app, step.entity, step.transition, role),
  )
}

/** Of the record, or of what it is a row of. */
const stepsOf = (app: App, entity: string) =>
  [entity, app.entities.get(entity)!.partOf].flatMap(of =>
    of === null ? [] : (app.workflows.get(of)?.transitions ?? []).map(transition => ({ entity: of, transition })),
  )
