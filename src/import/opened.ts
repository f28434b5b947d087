/**
 * What opens an imported application: screens for every entity, and one role, which may do everything. Nobody else sees anything until somebody
 * says so.
 */

import { keyOf, nameMeant } from '../expression/names.ts'
import { pluralOf } from '../headings/plural.ts'
import type { DraftEntity, DraftGrant } from './draft.ts'

export const administrator = 'Administrator'

export const everything: DraftGrant = {
  role: administrator,
  see: 'yes',
  create: 'yes',
  change: 'yes',
  delete: 'yes',
  do: 'all',
  export: 'yes',
  import: 'yes',
}

/** The administrator first. */
export const rolesOf = (entities: readonly DraftEntity[]): readonly string[] => [
  ...new Set([administrator, ...entities.flatMap(({ grants }) => grants.map(({ role }) => role))]),
]

/** Who may do something with an entity in any case. */
const forWhom = ({ grants }: DraftEntity, verb: 'see' | 'create' | 'change'): string =>
  [everything, ...grants].flatMap(grant => (grant[verb] === 'no' ? [] : [grant.role])).join(', ')

/** Rows stand on the pages of their parents, and people on the ones that every application has. */
export const isOpened = ({ name, partOf }: DraftEntity): boolean => partOf === null && name !== 'Person'

/** Rows of the table of heading 2: a list, a form for new ones, a page and a form for it, of each entity. */
export function screensOf(entities: readonly DraftEntity[]): readonly (readonly string[])[] {
  const [names, addresses] = [new Set<string>(), new Set(['/api'])]
  const free = (taken: Set<string>, ...candidates: readonly string[]) => {
    const name = candidates.find(candidate => !taken.has(keyOf(candidate)))!
    taken.add(keyOf(name))
    return name
  }
  return entities.filter(isOpened).flatMap(entity => {
    const { name } = entity
    const several = entity.several ?? pluralOf(name)
    const plain = `/${nameMeant(several).replaceAll('_', '-')}`
    const base = free(addresses, plain, `${plain}-list`, `/all-${nameMeant(name).replaceAll('_', '-')}`)
    const inside = /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
    const screen = (route: string, called: readonly string[], shows: string, verb: 'see' | 'create' | 'change') => [
      route,
      free(names, ...called, `${called[0]} (${name})`),
      forWhom(entity, verb),
      shows,
    ]
    return [
      screen(base, [several, `All ${inside}`], `list of ${name}`, 'see'),
      screen(`${base}/new`, [`New ${inside}`], `form for ${name}`, 'create'),
      screen(`${base}/{id}`, [name, `One ${inside}`], `one ${name}`, 'see'),
      screen(`${base}/{id}/edit`, [`Change ${inside}`], `form for ${name}`, 'change'),
    ]
  })
}
