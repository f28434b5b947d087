/** What the document wants of the environment, looked at before anything is served. */
import type { Cell } from '../document/source.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified } from '../headings/specified.ts'
import { isCallable } from '../kinds/calls/http/address.ts'
import { variableOf } from '../run/later/egress.ts'
import { place } from '../trace/words.ts'
import { CannotRead } from './command.ts'
import type { Variable } from './environment.ts'

/** Throws `CannotRead` for the first that cannot be used as it stands there. Never repeats the value, in which a password may stand. */
export function checkSettings(app: App, variable: Variable): void {
  const refuse = (name: string, cell: Cell, why: string) => {
    throw new CannotRead(`${name}, which the document names at ${place(cell)}, ${why}`)
  }
  for (const { request } of app.calls.values()) {
    const first = isUnspecified(request) ? undefined : request.url.parts[0]
    if (first === undefined || first.kind === 'text' || first.expression.root.op !== 'setting') continue
    const name = variableOf(app, first.expression.root.name)
    const address = variable(name)
    if (address !== undefined && !isCallable(URL.parse(address)))
      refuse(
        name,
        request.cell,
        'is no address that can be called. It is written like https://assets.example.org/api; a user name or a password goes into a Header of the call.',
      )
  }
  for (const { proof } of app.receives.values()) {
    if (proof === null) continue
    const until = `${proof.variable}_OLD_UNTIL`
    const moment = variable(until)
    if (moment !== undefined && Number.isNaN(Date.parse(moment)))
      refuse(until, proof.cell, 'is no moment. It is written like 2027-03-30T12:00Z.')
  }
}
