/** Pairs of roles that nobody may hold both: that they can be kept apart, and that the document itself does. */
import { reporter } from '../../document/diagnostic.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { demoPeople } from '../demo-people.ts'
import { isUnspecified, specified } from '../specified.ts'
import { permissionCodes } from './codes.ts'

const section = 6

export function checkApart(context: Context, app: App): void {
  const { report } = reporter(permissionCodes, section, context.found)
  const holders = [
    ...demoPeople(app).map(({ name, roles }) => ({ who: name, roles })),
    { who: 'Whoever signs up', roles: specified(app.signUpAs)?.roles ?? [] },
  ]
  const isAppointed = (name: string) => {
    const who = app.roles.get(name)!.who
    return isUnspecified(who) || who.kind === 'appointed'
  }
  for (const [role, other, cell] of pairsOf(app)) {
    const given = [role, other].find(name => !isAppointed(name))
    if (role === other) report('N1630', cell, { role, other, why: 'they are one role' })
    else if (given !== undefined)
      report('N1630', cell, { role, other, why: `nobody is appointed to ${given}, so nobody can be refused it` })
    else
      for (const { who, roles } of holders)
        if (roles.includes(role) && roles.includes(other)) report('N1631', cell, { who, role, other })
  }
}

/** Each once. */
const pairsOf = ({ roles }: App) =>
  [...roles.values()].flatMap(({ name, neverWith }, index) =>
    (neverWith?.roles ?? []).flatMap(other =>
      [...roles.keys()].indexOf(other) < index ? [] : [[name, other, neverWith!.cell] as const],
    ),
  )
