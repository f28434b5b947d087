/** How the lines of `explain` name things of the document, and where they stand. */
import { position } from '../document/cell.ts'
import type { Cell } from '../document/source.ts'
import type { Expression } from '../expression/expression.ts'
import type { Act, Effect, Timer } from '../headings/4-states/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, type Specified, specified } from '../headings/specified.ts'

/** Something that can be asked for. Several may answer to one name (`approve` of two entities): all are told. */
export interface Thing {
  /** `Loan.approve`, `V-2`. */
  readonly names: readonly string[]
  readonly title: string
  readonly cell: Cell
  readonly lines: () => readonly string[]
}

/** "created Fine". */
export const titleOf = (app: App, { on, entity }: Effect): string =>
  `${on.join(', ').replaceAll('_', ' ')} ${app.entities.get(entity)?.name ?? entity}`

/** What happens at once, and what leaves only after the commit. */
export function sayAct(act: Act): string {
  const isLeaving = act.kind === 'send mail' || act.kind === 'call'
  const target = act.kind === 'do' ? act.on : 'of' in act ? act.of : null
  const isFirst = target !== null && target.kind === 'records' && target.first
  const first = isFirst
    ? ', for one record or none, which is locked: whoever comes at the same moment gets the next one'
    : ''
  return `  Then ${act.cell.text} (${isLeaving ? 'leaves after the commit' : 'in the same transaction'}${first}, ${place(act.cell)})`
}

/** "Asked, Sent; stands in Waiting", "waiting for manager"; null: always. */
export function whileOf({ workflows }: App, { entity, while: states, stands, waits }: Timer): string | null {
  const approval = workflows.get(entity)?.approvals.find(({ key }) => key === waits)
  if (approval !== undefined) return `waiting for ${approval.name}`
  return states === null
    ? null
    : [states.join(', '), ...(stands === null ? [] : [`stands in ${stands.join(', ')}`])].join('; ')
}

export const written = (expression: Expression) => `\`${expression.cell.text}\``

export const sayExpression = (expression: Specified<Expression>) =>
  isUnspecified(expression) ? 'unspecified' : written(expression)

export const list = (names: readonly string[]) => (names.length === 0 ? 'nothing' : [...new Set(names)].join(', '))

/** `loan-desk.md:12:3`. */
export function place({ file, start }: Cell): string {
  const { line, column } = position(file, start)
  return `${file.path}:${line}:${column}`
}

/** Where a thing stands and what it is, then the line itself. */
export function frame(title: string, cell: Cell): string[] {
  const { line } = position(cell.file, cell.start)
  return [
    `${place(cell)} ${title}`,
    `  ${String(line).padStart(4)} | ${cell.file.text.split('\n')[line - 1]?.trimEnd() ?? ''}`,
  ]
}

/** "everyone with an address at example.org or example.com, as Borrower"; null: nobody. */
export function saySignUp({ product: { signUp }, signUpAs }: App): string | null {
  const roles = specified(signUpAs)?.roles
  if (signUp === null || roles === undefined) return null
  const { domains } = signUp
  return [
    domains === null ? 'everyone' : `everyone with an address at ${[...domains].sort().join(' or ')}`,
    ...(roles.length === 0 ? [] : [`as ${[...roles].sort().join(', ')}`]),
  ].join(', ')
}
