/** Whom `dev` and `verify` let sign in: the people of the scenarios, those of the sample data that have a role there, and somebody for every other role. */
import type { App } from './app.ts'
import { isUnspecified } from './specified.ts'

/** A first name for a role without one in a scenario: beginning with the same letter where there is one. */
const firstNames =
  'Anna Ben Cleo Dan Emma Finn Greta Hugo Ida Jonas Kira Leo Mia Nils Olga Paul Quinn Rosa Sven Tara Uwe Vera Willi Xenia Yara Zoe'.split(
    ' ',
  )

/** People that the scenarios and the sample data of `Person` name with roles, and one more for every role that somebody can have and that none of them has. */
export function demoPeople(app: App): readonly { readonly name: string; readonly roles: readonly string[] }[] {
  const people: { name: string; roles: string[] }[] = []
  const add = (name: string, role: string) => {
    if (!app.roles.has(role)) return
    const known = people.find(one => one.name === name)
    if (known === undefined) people.push({ name, roles: [role] })
    else if (!known.roles.includes(role)) known.roles.push(role)
  }
  for (const scenario of app.scenarios) for (const who of scenario.people) add(who.name, who.role)
  for (const { columns, rows, roles } of app.entities.get('person')?.samples ?? []) {
    const at = columns.findIndex(({ field }) => field === 'name')
    rows.forEach((row, index) => {
      for (const role of roles[index]!) if ((row[at]?.text ?? '') !== '') add(row[at]!.text, role)
    })
  }
  for (const { name: role, who } of app.roles.values()) {
    if (
      isUnspecified(who) ||
      who.kind === 'everyone' ||
      who.kind === 'link' ||
      people.some(({ roles }) => roles.includes(role))
    )
      continue
    const free = firstNames.filter(name => !people.some(person => person.name === name))
    const name = free.find(one => one[0] === role[0]?.toUpperCase()) ?? free[0] ?? role
    people.push({ name, roles: [role] })
  }
  return people
}
