/** Heading 2 as things that can be compared: screens, and the cards of dashboards. */

import type { Card, Screen } from '../../headings/2-screens/model.ts'
import type { App } from '../../headings/app.ts'
import { specified } from '../../headings/specified.ts'
import { kindOf, screenKinds } from '../../kinds/screens/index.ts'
import { sortWords } from '../../kinds/screens/member-types.ts'
import type { Members } from '../../kinds/screens/members.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import { type Renames, wordsOf } from './meaning.ts'
import { aspects, list, type Part, rest } from './parts.ts'
import { type Aspect, changed, type Thing } from './thing.ts'

/** Who can open it now and could not, and the other way round; audiences that are no lists of roles as they are written. */
const tellFor =
  (title: string): Aspect['tell'] =>
  (was, is) => {
    const names = (text: string | null) => (text ?? '').split(',').map(name => name.trim())
    const [old, now] = [names(was), names(is)]
    const all = [...old, ...now].some(name => /^(?:everyone|not specified|$)/.test(name))
    const gained = now.filter(name => !old.includes(name))
    const lost = old.filter(name => !now.includes(name))
    if (all || gained.length + lost.length === 0) return changed(`${title}, for`)(was, is)
    const parts = [
      ...(gained.length === 0 ? [] : [`may now be opened by ${gained.join(', ')}`]),
      ...(lost.length === 0 ? [] : [`may no longer be opened by ${lost.join(', ')}`]),
    ]
    return `${title} ${parts.join(', and ')}`
  }

/** Screens, comparable. */
export function screens(app: App, renames: Renames): readonly Thing[] {
  return app.screens.flatMap(screen => {
    const title = `screen ${screen.name.text}`
    const { route, shows } = screen
    const entity = specified(shows)?.entity ?? null
    const parts: readonly Part[] = [
      { name: 'route', value: specified(route)?.pattern ?? route, tell: changed(`${title}, its address`) },
      { name: 'for', value: screen.for, tell: tellFor(title) },
      { name: 'shows', value: shows, tell: changed(`${title} shows`) },
      {
        name: 'homeFor',
        value: screen.homeFor?.roles ?? null,
        words: screen.homeFor?.roles.join(', ') ?? null,
        tell: changed(`${title}, the home of`),
      },
      ...partsOf(screen, title),
    ]
    const id = `screen ${screen.key}`
    const whole: Thing = {
      id,
      cell: screen.name,
      section: 2,
      comes: `${title} is new: ${wordsOf(shows) ?? 'shows nothing yet'}, for ${wordsOf(screen.for) ?? 'nobody'}`,
      goes: `${title} is gone`,
      aspects: aspects(parts, screen.name, renames, entity),
    }
    return [whole, ...usesOf(screen).cards.map(card => cardThing(card, id, screen.name.text, renames))]
  })
}

function cardThing({ name, width, shows }: Card, within: string, screen: string, renames: Renames): Thing {
  const title = `card ${name.text} of ${screen}`
  const content = specified(shows)
  const part = (of: string, value: unknown, words?: string | null): Part => ({
    name: of,
    value,
    ...(words === undefined ? {} : { words }),
    tell: changed(`${title}, ${of}`),
  })
  const parts: readonly Part[] =
    content === null
      ? [part('shows', shows)]
      : content.kind === 'list'
        ? [
            part('shows', { list: content.entity, where: content.where }, content.cell.text),
            part('where', content.where),
            part('columns', content.columns, list(content.columns.map(({ field }) => field))),
            part('sorted by', content.sort, sortWords(content.sort)),
          ]
        : [
            part('shows', content.measures.length === 1 ? content.measures[0] : content.measures),
            ...(content.kind === 'chart'
              ? [part('by', content.by), part('parted by', content.across), part('drawn as', content.drawn)]
              : [part('better', content.better)]),
            part('aim', content.aim),
            part('date', content.date),
          ]
  return {
    id: `${within} card ${name.text}`,
    cell: name,
    section: 2,
    within,
    comes: `${title} is new: ${wordsOf(shows) ?? 'shows nothing yet'}`,
    goes: `${title} is gone`,
    aspects: aspects([...parts, part('width', width)], name, renames, content?.kind === 'list' ? content.entity : null),
  }
}

/**
 * What its kind has below its heading, and, as absent, what other kinds have: one that is shown as another kind loses it. Cards are things
 * of their own.
 */
function partsOf(screen: Screen, title: string): readonly Part[] {
  const own = kindOf(screen)?.members ?? {}
  const all = Object.assign({}, ...[...screenKinds.values()].map(({ members }) => members), own) as Members
  return Object.entries(all)
    .filter(([name]) => name !== 'cards')
    .flatMap(([name, { compared }]): readonly Part[] => {
      const value = own[name] === undefined ? null : screen.part[name]
      if (compared === undefined) return rest({ [name]: isNothing(value) ? null : value }, [], title)
      const { value: meant, words } = (own[name] && compared.as?.(value)) ?? { value, words: undefined }
      const as = isNothing(meant) ? null : meant
      return [{ name, value: as, ...(words === undefined ? {} : { words }), tell: changed(title + compared.told) }]
    })
}

const isNothing = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)
