/** What a step asks for: values given with it, laid against its Asks cell. Who may take the step may set what it asks for. */
import type { Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { Transition } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { notSettable } from '../access/settable.ts'
import { declared, labelOf } from '../names.ts'
import type { Input, Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import type { Actor } from '../request.ts'
import { heldBy } from './check.ts'
import type { Draft } from './draft-record.ts'
import { withUnseen } from './input.ts'
import type { Locked } from './record.ts'

/** Nothing is given: by one click, by timers, by answers of calls. */
export const nothingGiven: Input = { values: {}, children: {}, invalidValues: [] }

interface GivenToStep {
  readonly problems: readonly Problem[]
  /** Keys that got a value, to be written. */
  readonly fields: ReadonlySet<string>
  /** Keys that have their problem already. */
  readonly reported: ReadonlySet<string>
}

/**
 * Puts what is given into the draft. What is required has to be given anew, also where the field has a value already: a reason
 * belongs to the step that it is given for. The application itself is asked for nothing, and may bring more: what a message maps
 * into a field is written with the step. Of people, a value that the branch does not ask for is refused; what another branch asks
 * for may come back as it stands, because one form serves them all. Of several records those stay that this person does not see, and
 * so does what stands in a field that they do not see, unless they give something else.
 */
export function takeAsked(
  app: App,
  actor: Pick<Actor, 'system'>,
  entity: string,
  { name, asks }: Pick<Transition, 'name' | 'asks'>,
  branches: readonly Pick<Transition, 'asks'>[],
  { draft, unseen, seesField }: Pick<Locked, 'unseen' | 'seesField'> & { readonly draft: Draft },
  input: Input,
): GivenToStep {
  const problems: Problem[] = []
  const fields = new Set<string>()
  const reported = new Set<string>()
  const report = (problem: Problem) => {
    problems.push(problem)
    if (problem.field !== null) reported.add(problem.field)
  }
  for (const invalid of input.invalidValues) report(invalid)
  const isBrought = (key: string) => {
    const field = actor.system === null ? undefined : declared(app, entity, key)
    return field !== undefined && notSettable(field, 'change', actor) === null
  }
  const brought = Object.keys(input.values).filter(key => isBrought(key) && !asks.some(({ field }) => field === key))
  const taken = [...asks, ...brought.map(field => ({ field, required: false, cell: null }))]
  for (const { field: key, required, cell } of taken) {
    if (reported.has(key)) continue
    const field = declared(app, entity, key)
    if (field === undefined) continue
    const given = input.values[key]
    const held = given === undefined ? null : withUnseen(field, heldBy(app, field, given, key), unseen(key))
    if (held !== null && 'problem' in held) {
      report(held.problem)
      continue
    }
    if (held?.value === null && !required && !seesField(key)) continue
    if (actor.system === null && isMissing(field, required, held)) {
      report(raise(app, 'NF-REQUIRED', { label: field.label }, { field: key, because: cell }))
      continue
    }
    if (held === null || held.value === (draft[key] ?? null)) continue
    draft[key] = held.value
    fields.add(key)
  }
  const isElsewhere = (key: string) => branches.some(other => other.asks.some(({ field }) => field === key))
  const isAsStored = (key: string, value: Wire) =>
    wholeOf(app, entity, key, value, unseen(key)) === (draft[key] ?? null)
  const isNothing = (key: string, value: Wire) =>
    value === null || value === '' || (isElsewhere(key) && isAsStored(key, value))
  const isTaken = (key: string) => taken.some(({ field }) => field === key)
  const others = Object.entries(input.values).filter(([key, value]) => !isTaken(key) && !isNothing(key, value))
  for (const key of [...others.map(([other]) => other), ...Object.keys(input.children)])
    report(raise(app, 'NF-NOT-ASKED', { step: name, label: labelOf(app, entity, key) }, { field: key }))
  return { problems, fields, reported }
}

const isMissing = (field: Field, required: boolean, held: { readonly value: Wire } | null): boolean => {
  const mayBeNone = field.optional || (field.type.kind === 'list' && field.required === null)
  return held === null ? required : held.value === null && (required || !mayBeNone)
}

/** A value with what of it this person does not see. */
function wholeOf(app: App, entity: string, key: string, value: Wire, unseen: ReturnType<Locked['unseen']>): Wire {
  const field = declared(app, entity, key)
  const held = field === undefined ? { value } : withUnseen(field, { value }, unseen)
  return 'value' in held ? held.value : value
}
