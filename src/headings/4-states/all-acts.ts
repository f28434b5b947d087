/** Acts wherever the document writes them. */
import type { App } from '../app.ts'
import type { Act, GivenRows } from './model.ts'

/** Every act of the document, those inside of `for each` too. */
export const actsOf = (app: Written): readonly Act[] => cellsOf(app).flatMap(acts => acts.flatMap(withInner))

/** Acts about one record, in the order in which they happen. */
export const sequencesOf = (app: Written): readonly (readonly Act[])[] => [
  ...cellsOf(app),
  ...actsOf(app).flatMap(act => (act.kind === 'for each' ? [act.acts] : [])),
]

type Written = Pick<App, 'workflows' | 'effects' | 'timers' | 'sweeps'>

function cellsOf({ workflows, effects, timers, sweeps }: Written): readonly (readonly Act[])[] {
  const steps = [...workflows.values()].flatMap(({ transitions }) => transitions)
  return [...steps, ...timers, ...effects, ...sweeps].map(({ then }) => then)
}

/** An act and those inside of it. */
export const withInner = (act: Act): readonly Act[] =>
  act.kind === 'for each' ? [act, ...act.acts.flatMap(withInner)] : [act]

type Created = Extract<Act, { readonly kind: 'create' }> | GivenRows

/** What is created, and the rows that it is created with, and theirs. */
export const createdWith = (created: Created): readonly Created[] => [created, ...created.rows.flatMap(createdWith)]

/** Whether the application itself takes a step: an act, an answer of a call or a message does it. */
export const isDone = (app: App, entity: string, step: string): boolean =>
  actsOf(app).some(act => act.kind === 'do' && act.on.entity === entity && act.step === step) ||
  [...app.calls.values()].some(
    call =>
      call.entity === entity &&
      call.answers.some(({ then }) => then.some(act => act.kind === 'do' && act.step === step)),
  ) ||
  [...app.receives.values()].some(
    ({ entity: of, does }) => of === entity && typeof does === 'object' && does.step === step,
  )

/** An act that writes into the record that it is about, or gives a name to what the acts behind it read. */
export const isOwn = (act: Act): boolean =>
  (act.kind === 'set' && act.of === null) || act.kind === 'go to' || act.kind === 'assign' || act.kind === 'let'

/** An act whose result leaves the application, after the commit. */
export const leaves = (act: Act): boolean => act.kind === 'send mail' || act.kind === 'call' || act.kind === 'report'
