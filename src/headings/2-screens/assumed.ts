/** Entities that people may see and no screen shows: a gap each, or, where heading 1 assumes screens, a list and a page of each. */
import type { Cell } from '../../document/source.ts'
import { languageOf } from '../../expression/catalogue.ts'
import { screenKinds } from '../../kinds/screens/index.ts'
import { readPart } from '../../kinds/screens/members.ts'
import type { Entity } from '../3-entities/model.ts'
import { isNamedAlone } from '../3-entities/rules.ts'
import type { Access } from '../6-permissions/model.ts'
import type { Assumption } from '../app.ts'
import { type Context, leaveOpen } from '../context.ts'
import { open } from '../gaps/gap.ts'
import { pluralOf } from '../plural.ts'
import { isUnspecified, specified } from '../specified.ts'
import type { Audience, Route, Screen } from './model.ts'
import { screenReader } from './reader.ts'

const section = 2

/** What `- **Assume:** screens` says. */
export const assumesScreens = 'screens'

/** The name that the screens of an entity are served under. */
export const assumptionOf = (entity: string): string => `A-SCREENS-${entity.toUpperCase().replaceAll('_', '-')}`

export interface Completed {
  readonly screens: readonly Screen[]
  readonly assumptions: readonly Assumption[]
}

/** Where no screen at all is declared, that is the gap; every entity would only say it again. */
export function completeScreens(
  context: Context,
  declared: readonly Screen[],
  entities: ReadonlyMap<string, Entity>,
  access: ReadonlyMap<string, Access>,
  { isAssumed, language }: { readonly isAssumed: boolean; readonly language: string },
): Completed {
  const shown = new Set(declared.flatMap(({ shows }) => specified(shows)?.entity ?? []))
  const unshown = [...entities.values()].filter(({ key, partOf, builtIn }) => {
    const { basis, rows } = access.get(key)!
    const isSeen = rows.some(({ see }) => !isUnspecified(see) && see.kind !== 'no')
    return partOf === null && !builtIn && !shown.has(key) && (isSeen || (isAssumed && basis === 'assumed'))
  })
  if (!isAssumed) {
    if (declared.length > 0)
      for (const { name, cell } of unshown) leaveOpen(context, cell, open(section, 'screensOf', { entity: name }))
    return { screens: declared, assumptions: [] }
  }
  const taken = new Set(declared.map(({ route }) => specified(route)?.pattern))
  const made = unshown.map(entity => {
    const base = baseOf(entity, taken)
    taken.add(base)
    return { entity, base, screens: screensOf(context, entity, base, access.get(entity.key)!, language) }
  })
  return {
    screens: [...declared, ...made.flatMap(({ screens }) => screens)],
    assumptions: made.map(({ entity: { key, name, cell }, base }) => ({
      name: assumptionOf(key),
      section,
      cell,
      what: `${name} has a list at ${base} and a page for each record, because no screen shows it`,
      accepted: null,
    })),
  }
}

/** `/loan-line`; where a screen lives there already, `/loan-line-list`, and so on. */
function baseOf({ key }: Entity, taken: ReadonlySet<string | undefined>): string {
  const plain = `/${key.replaceAll('_', '-')}`
  let base = plain
  for (let ending = '-list'; taken.has(base) || base === '/api'; ending += '-list') base = plain + ending
  return base
}

/** What they say stands at the name of the entity. */
function screensOf(
  context: Context,
  { key, name, title, cell }: Entity,
  base: string,
  access: Access,
  language: string,
): readonly Screen[] {
  const says = (text: string): Cell => ({ ...cell, text })
  const { fields } = context.typed.get(key)!
  const named = title.find(one => {
    const field = fields.get(one)
    return field !== undefined && (isNamedAlone(field.rules) || !field.kind.entered)
  })
  const roles = access.rows.flatMap(({ role, see }) => (isUnspecified(see) || see.kind === 'no' ? [] : [role]))
  const audience: Audience =
    access.basis === 'assumed'
      ? { kind: 'everyone signed in', cell: says('everyone signed in') }
      : { kind: 'roles', roles, cell: says(roles.join(', ')) }
  const text = base.slice(1)
  const field = named ?? 'id'
  const screen = (
    is: 'isListing' | 'isRecordPage',
    called: string,
    pattern: string,
    segments: Route['segments'],
  ): Screen => {
    const { name: kind, opening, members } = [...screenKinds.values()].find(one => one[is])!
    const shows: Screen['shows'] = { cell: says(`${opening} ${name}`), kind, entity: key, by: null, until: null }
    const written = { name: says(called), shows, subject: null, keys: null, translations: new Map() }
    return {
      key: `assumed_${kind}_${key}`,
      name: written.name,
      route: { cell: says(pattern), pattern, segments },
      for: audience,
      shows,
      homeFor: null,
      part: readPart(members, screenReader(context, written)),
      meaning: null,
    }
  }
  const several = languageOf(language) === 'en' ? pluralOf(name) : name
  return [
    screen('isListing', several, base, [{ text }]),
    screen('isRecordPage', name, `${base}/{${field}}`, [{ text }, { field }]),
  ]
}
