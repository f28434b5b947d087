/** Whom `dev` and `verify` let sign in: the people of the scenarios, those of the sample data that have a role, and somebody for every other role. */
import type { Cell } from '../document/source.ts'
import type { RecordValue } from '../expression/type.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { holdsOf, newPerson } from './6-permissions/by-record.ts'
import { boundTo } from './6-permissions/links.ts'
import type { App } from './app.ts'
import { isUnspecified } from './specified.ts'

/** A first name for a role without one in a scenario: beginning with the same letter where there is one. */
const firstNames =
  'Anna Ben Cleo Dan Emma Finn Greta Hugo Ida Jonas Kira Leo Mia Nils Olga Paul Quinn Rosa Sven Tara Uwe Vera Willi Xenia Yara Zoe'.split(
    ' ',
  )

/**
 * People that the scenarios and the sample data of `Person` name with roles. For a role by a condition that none of them has, the first
 * of the sample data who fulfils it; and for every other role that somebody can have, somebody more.
 */
export function demoPeople(app: App): readonly { readonly name: string; readonly roles: readonly string[] }[] {
  const people: { name: string; roles: string[] }[] = []
  const add = (name: string, role: string) => {
    if (!app.roles.has(role)) return
    const known = people.find(one => one.name === name)
    if (known === undefined) people.push({ name, roles: [role] })
    else if (!known.roles.includes(role)) known.roles.push(role)
  }
  for (const scenario of app.scenarios) for (const who of scenario.people) add(who.name, who.role)
  const sampled = sampledPeople(app)
  for (const { name, roles } of sampled) for (const role of roles) add(name, role)
  const isHeld = (role: string) => people.some(({ roles }) => roles.includes(role))
  for (const { name: role, who } of app.roles.values()) {
    if (isUnspecified(who) || who.kind === 'everyone' || boundTo(app, role) !== null || isHeld(role)) continue
    const holder = who.kind === 'when' ? sampled.find(({ record }) => holdsOf(who.when, record)) : undefined
    if (holder !== undefined) {
      add(holder.name, role)
      continue
    }
    const free = firstNames.filter(name => !people.some(person => person.name === name))
    const name = free.find(one => one[0] === role[0]?.toUpperCase()) ?? free[0] ?? role
    people.push({ name, roles: [role] })
  }
  return people
}

interface Sampled {
  readonly name: string
  readonly roles: readonly string[]
  readonly record: RecordValue
}

/** Rows of the sample data of `Person` that name somebody; nobody is made up for what files say. */
function sampledPeople({ entities, product }: App): readonly Sampled[] {
  const person = entities.get('person')!
  const valueIn = (key: string, { text }: Cell) => {
    const field = person.fields.find(one => one.key === key)
    if (field === undefined || text === '') return []
    const parsed = fieldKind(field.kind).parse(text, field.parameters, 'en', product.timeZone.name)
    return 'value' in parsed ? [[key, parsed.value] as const] : []
  }
  return person.samples.flatMap(({ columns, rows, roles, isFile }) =>
    rows.flatMap((row, index) => {
      const name = row[columns.findIndex(({ field }) => field === 'name')]?.text ?? ''
      if (name === '' || isFile) return []
      const values = columns.flatMap(({ field }, column) => valueIn(field, row[column]!))
      return [{ name, roles: roles[index]!, record: { ...newPerson(person), ...Object.fromEntries(values) } }]
    }),
  )
}
