/**
 * What the document leaves open although something else needs it: served under a name, listed by `gaps`, accepted by
 * `- **Assume:** A-…` under heading 1. Also derives what follows without any choice: child rows follow their parent.
 */

import { reporter } from '../document/diagnostic.ts'
import { withoutLines } from '../document/fix.ts'
import { didYouMean } from '../document/nearest.ts'
import type { Cell } from '../document/source.ts'
import { productCodes } from './1-product/codes.ts'
import type { Product } from './1-product/model.ts'
import { assumesScreens } from './2-screens/assumed.ts'
import { closedTo } from './3-entities/append-only.ts'
import type { Entity } from './3-entities/model.ts'
import type { Access, Grant, Role } from './6-permissions/model.ts'
import type { Assumption } from './app.ts'
import { type Context, leaveOpen } from './context.ts'
import { open } from './gaps/gap.ts'
import { writeNearest } from './names.ts'
import { isUnspecified, type Specified } from './specified.ts'

/** Access of every entity, written or derived, and what was assumed for it. */
export function completeAccess(
  context: Context,
  written: ReadonlyMap<string, Access>,
  entities: ReadonlyMap<string, Entity>,
): { readonly access: ReadonlyMap<string, Access>; readonly assumptions: readonly Assumption[] } {
  const access = new Map<string, Access>()
  const assumptions: Assumption[] = []
  const needed = neededEntities(written, entities)
  for (const entity of entities.values()) {
    const own = written.get(entity.key)
    const nothing = { entity: entity.key, cell: entity.cell, rows: [], nevers: [], fields: [] }
    // Child rows of which only fields are mentioned are those of their parent; the fields narrow them.
    if (own !== undefined)
      access.set(entity.key, entity.partOf !== null && own.rows.length === 0 ? { ...own, basis: 'parent' } : own)
    else if (entity.partOf !== null) access.set(entity.key, { ...nothing, basis: 'parent' })
    else if (entity.builtIn) access.set(entity.key, { ...nothing, basis: 'assumed' })
    else if (needed.has(entity.key)) {
      access.set(entity.key, { ...nothing, basis: 'assumed' })
      assumptions.push({
        name: `A-SEE-${entity.key.toUpperCase().replaceAll('_', '-')}`,
        section: 6,
        cell: entity.cell,
        what: `everyone signed in may see ${entity.name}, because ${needed.get(entity.key)} names it; nobody may create, change or delete one`,
        accepted: null,
      })
    } else {
      access.set(entity.key, { ...nothing, basis: 'written' })
      // Where heading 6 says nothing at all, that is the gap; every entity would only say it again.
      if (context.roles.all.size === 0 && written.size === 0) continue
      leaveOpen(context, entity.cell, open(6, 'access', { entity: entity.name }))
    }
  }
  for (const entity of entities.values()) access.set(entity.key, closedTo(access.get(entity.key)!, entity))
  return { access, assumptions }
}

/** Entities that records of others name, which some role may see or create → the name of the first that does. Transitive. */
function neededEntities(
  written: ReadonlyMap<string, Access>,
  entities: ReadonlyMap<string, Entity>,
): ReadonlyMap<string, string> {
  const needed = new Map<string, string>()
  const reached = new Set<string>()
  const queue = [...written.values()]
    .filter(({ rows }) => rows.some(row => lets(row.see) || lets(row.create) || lets(row.emergency)))
    .map(({ entity }) => entity)
  for (let key = queue.shift(); key !== undefined; key = queue.shift()) {
    if (reached.has(key)) continue
    reached.add(key)
    const entity = entities.get(key)
    if (entity === undefined) continue
    for (const child of entities.values())
      if (child.partOf === key && (written.get(child.key)?.rows ?? []).length === 0) queue.push(child.key)
    for (const { type } of entity.fields) {
      if (type.kind !== 'reference' || written.has(type.entity)) continue
      if (!needed.has(type.entity)) needed.set(type.entity, entity.name)
      queue.push(type.entity)
    }
  }
  return needed
}

const lets = (grant: Specified<Grant>): boolean => !isUnspecified(grant) && grant.kind !== 'no'

/** What is personal, where nobody said how long it is kept. Rows go with what they are part of. */
export function keepAssumptions(entities: ReadonlyMap<string, Entity>): readonly Assumption[] {
  const parts = Map.groupBy(entities.values(), ({ partOf }) => partOf)
  const isPersonal = ({ key, fields }: Entity): boolean =>
    fields.some(({ personal }) => personal !== null) || (parts.get(key) ?? []).some(isPersonal)
  return [...entities.values()]
    .filter(entity => entity.keep === null && entity.partOf === null && isPersonal(entity))
    .map(({ key, name, cell }) => ({
      name: `A-KEEP-${key.toUpperCase().replaceAll('_', '-')}`,
      section: 3,
      cell,
      what: `what is personal in ${name} is kept until somebody erases it, because nothing says how long`,
      accepted: null,
    }))
}

/** Who appoints people has to find them, also where heading 6 does not say whom they may see. */
export function peopleAssumptions(
  access: ReadonlyMap<string, Access>,
  roles: ReadonlyMap<string, Role>,
): readonly Assumption[] {
  const appointed = [...roles.values()].find(({ who }) => !isUnspecified(who) && who.kind === 'appointed')
  if (appointed === undefined || access.get('person')?.basis !== 'assumed') return []
  const what =
    'whoever may appoint people sees the names and e-mail addresses of all people, because no rows for Person say whom they see'
  return [{ name: 'A-PEOPLE-1', section: 6, cell: appointed.who.cell, what, accepted: null }]
}

/** Assumptions of heading 1: where it does not say the zone, the language or how people sign in. */
export function productAssumptions(product: Product): readonly Assumption[] {
  const { cell } = product
  const assume = (name: string, what: string): Assumption => ({ name, section: 1, cell, what, accepted: null })
  return [
    ...(product.timeZone.cell === null ? [assume('A-ZONE-1', 'days begin and timers fire by UTC')] : []),
    ...(product.languages.every(language => language.cell === null)
      ? [assume('A-LANGUAGE-1', 'screens are in English')]
      : []),
    ...(product.signIn.every(isUnspecified)
      ? [assume('A-SIGNIN-1', 'people sign in with e-mail address and password')]
      : []),
  ]
}

/** Marks the assumptions that heading 1 accepts; a name that nothing is assumed under is reported. */
export function acceptAssumptions(
  context: Context,
  assumed: readonly Assumption[],
  accepted: readonly Cell[],
): readonly Assumption[] {
  const known = assumed.map(({ name }) => name)
  for (const cell of accepted) {
    if (known.includes(cell.text)) continue
    const { report } = reporter(productCodes, 1, context.found)
    const names = [...known, assumesScreens]
    const fixes = [...writeNearest(cell, names), withoutLines('take this line out', cell)]
    report('N1104', cell, { name: cell.text, meant: didYouMean(cell.text, names) }, { fixes })
  }
  return assumed.map(assumption => ({
    ...assumption,
    accepted: accepted.find(cell => cell.text === assumption.name) ?? null,
  }))
}
