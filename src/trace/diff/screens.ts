/** Heading 2 as things that can be compared: screens, and the cards of dashboards. */
import type { Card, Print, Screen } from '../../headings/2-screens/model.ts'
import type { App } from '../../headings/app.ts'
import { specified } from '../../headings/specified.ts'
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

/** `title`, `lines.item`. */
const askedFor = (columns: Screen['columns']): readonly string[] =>
  columns.flatMap(({ field, rows }) => rows?.map(row => `${field}.${row}`) ?? [field])

/** Screens, comparable. */
export function screens(app: App, renames: Renames): readonly Thing[] {
  return app.screens.flatMap(screen => {
    const title = `screen ${screen.name.text}`
    const { route, shows, where } = screen
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
      { name: 'where', value: where, tell: changed(`${title} shows only where`) },
      {
        name: 'columns',
        value: screen.columns.map(({ field, rows = null }) => ({ field, rows })),
        words: list(askedFor(screen.columns)),
        tell: changed(`${title}, its columns`),
      },
      {
        name: 'filters',
        value: screen.filters.map(({ path }) => path),
        words: list(screen.filters.map(({ path }) => path)),
        tell: changed(`${title}, its filters`),
      },
      {
        name: 'totals',
        value: screen.totals.map(({ field }) => ({ field })),
        words: list(screen.totals.map(({ field }) => field)),
        tell: changed(`${title}, its totals`),
      },
      {
        name: 'sort',
        value: screen.sort,
        words: sortWords(screen.sort),
        tell: changed(`${title}, sorted by`),
      },
      {
        name: 'views',
        value: screen.views.map(({ cell }) => cell.text),
        words: list(screen.views.map(({ cell }) => `\`${cell.text}\``)),
        tell: changed(`${title}, its views`),
      },
      {
        name: 'sharedBy',
        value: screen.sharedBy?.roles ?? null,
        words: screen.sharedBy?.roles.join(', ') ?? null,
        tell: changed(`${title}, its views are shared by`),
      },
      {
        name: 'buttons',
        value: screen.buttons?.map(({ step }) => step) ?? null,
        words: screen.buttons === null ? 'all steps' : (list(screen.buttons.map(({ cell }) => cell.text)) ?? 'none'),
        tell: changed(`${title}, its buttons`),
      },
      {
        name: 'pages',
        value: screen.pages.map(({ name, fields }) => [name.text, ...askedFor(fields)]),
        words: list(screen.pages.map(({ name, fields }) => `${name.text} (${askedFor(fields).join(', ')})`)),
        tell: changed(`${title}, its pages`),
      },
      {
        name: 'sections',
        value: screen.sections.map(({ name, tab, fields }) => [
          name.text,
          tab?.text ?? null,
          ...fields.map(({ field }) => field),
        ]),
        words: list(
          screen.sections.map(({ name, tab, fields }) => {
            const what = fields.map(({ field }) => field).join(', ')
            return `${name.text} (${tab === null ? what : `on ${tab.text}: ${what}`})`
          }),
        ),
        tell: changed(`${title}, its sections`),
      },
      {
        name: 'print',
        value: screen.print === null ? null : printed(screen.print),
        words: screen.print === null ? null : list(printed(screen.print)),
        tell: changed(`${title}, what stands on it`),
      },
      {
        name: 'embeddedIn',
        value: screen.embeddedIn.map(({ origin }) => origin),
        words: list(screen.embeddedIn.map(({ origin }) => origin)),
        tell: changed(`${title}, embedded in`),
      },
      {
        name: 'confirmTo',
        value: screen.confirmTo?.field ?? null,
        words: screen.confirmTo?.field ?? null,
        tell: changed(`${title}, confirmed by mail to`),
      },
      {
        name: 'atMost',
        value: screen.atMost === null ? null : [screen.atMost.most, screen.atMost.span, screen.atMost.error],
        words: screen.atMost?.cell.text ?? null,
        tell: changed(`${title}, taken from one address at most`),
      },
      { name: 'emptyText', value: screen.emptyText, tell: changed(`${title}, when it is empty`) },
    ]
    const others = rest(screen, [...parts.map(({ name }) => name), 'cards'], title)
    const id = `screen ${screen.key}`
    const whole: Thing = {
      id,
      cell: screen.name,
      section: 2,
      comes: `${title} is new: ${wordsOf(shows) ?? 'shows nothing yet'}, for ${wordsOf(screen.for) ?? 'nobody'}`,
      goes: `${title} is gone`,
      aspects: aspects([...parts, ...others], screen.name, renames, entity),
    }
    return [whole, ...screen.cards.map(card => cardThing(card, id, screen.name.text, renames))]
  })
}

function cardThing({ name, shows }: Card, within: string, screen: string, renames: Renames): Thing {
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
            part('shows', content.measure),
            ...(content.kind === 'chart' ? [part('by', content.by), part('drawn as', content.drawn)] : []),
          ]
  return {
    id: `${within} card ${name.text}`,
    cell: name,
    section: 2,
    within,
    comes: `${title} is new: ${wordsOf(shows) ?? 'shows nothing yet'}`,
    goes: `${title} is gone`,
    aspects: aspects(parts, name, renames, content?.kind === 'list' ? content.entity : null),
  }
}

/** Texts and fields of a print, in their order. */
const printed = ({ title, parts, footer }: Print): readonly string[] => [
  ...(title === null ? [] : [`\`${title.cell.text}\``]),
  ...parts.flatMap(({ name, text, fields }) => [
    ...(name === null ? [] : [name.text]),
    ...(text === null ? [] : [`\`${text.cell.text}\``]),
    ...fields.map(({ cell }) => cell.text),
  ]),
  ...(footer === null ? [] : [`\`${footer.cell.text}\``]),
]

export const sortWords = (sort: Screen['sort']): string | null =>
  list(sort.map(({ field, descending }) => `${field}${descending ? ' down' : ''}`))
