/** The types of members that kinds of screens have in common. `name`: the bold key that says it. */
import type { Cell } from '../../document/source.ts'
import type { Card, Column, SortKey } from '../../headings/2-screens/model.ts'
import type { ScreenReader } from '../../headings/2-screens/reader.ts'
import { specified } from '../../headings/specified.ts'
import type { Compared, Member, MemberText } from './members.ts'

type Read<Name extends keyof ScreenReader> = ScreenReader[Name] extends (...given: never[]) => infer V ? V : never

export const said = (...cells: readonly (Cell | null)[]): readonly MemberText[] =>
  cells.flatMap(cell => (cell === null ? [] : [{ text: cell.text }]))
export const optional = (...cells: readonly (Cell | null)[]): readonly MemberText[] =>
  said(...cells).map(one => ({ ...one, optional: true }))

/** Names one after the other; null where there are none. */
const list = (names: readonly string[]): string | null => (names.length === 0 ? null : names.join(', '))
export const listed = (names: readonly string[]): Compared => ({ value: names, words: list(names) })

/** `title`, `lines.item`. */
export const askedFor = (columns: readonly Column[]): readonly string[] =>
  columns.flatMap(({ field, rows }) => rows?.map(row => `${field}.${row}`) ?? [field])

export const sortWords = (sort: readonly SortKey[]): string | null =>
  list(sort.map(({ field, descending }) => `${field}${descending ? ' down' : ''}`))

/** What it says to people, as a cell. */
export const text = (name: string, told?: string): Member<Cell | null> => ({
  read: reader => reader.text(name),
  texts: cell => said(cell),
  translated: (cell, to) => to.cell(cell),
  ...(told === undefined ? {} : { compared: { told } }),
})

export const emptyText = text('Empty text', ', when it is empty')

export const where: Member<Read<'condition'>> = {
  read: reader => reader.condition('Where'),
  uses: condition => ({ where: condition }),
  compared: { told: ' shows only where' },
}

const columnsCompared = {
  told: ', its columns',
  as: (fields: readonly Column[]): Compared => ({
    value: fields.map(({ field, rows = null }) => ({ field, rows })),
    words: list(askedFor(fields)),
  }),
}

/** Fields that stand on it. */
export const columns = (name = 'Columns'): Member<readonly Column[]> => ({
  read: reader => reader.columns(name),
  uses: fields => ({ shown: fields }),
  compared: columnsCompared,
})

/** Fields that it asks for, and fields of rows. */
export const askedColumns: Member<readonly Column[]> = {
  read: reader => reader.formColumns('Columns'),
  uses: fields => ({ asked: fields }),
  compared: columnsCompared,
}

export const sort: Member<readonly SortKey[]> = {
  read: reader => reader.sort('Sort'),
  uses: order => ({ sort: order }),
  compared: { told: ', sorted by', as: order => ({ value: order, words: sortWords(order) }) },
}

export const filters: Member<Read<'filters'>> = {
  read: reader => reader.filters('Filters'),
  uses: all => ({ filters: all.map(({ path }) => path) }),
  compared: { told: ', its filters', as: all => listed(all.map(({ path }) => path)) },
  explained: all => each(all, `Filters over it: ${all.map(({ path }) => path).join(', ')}`),
}

/** One line of them all, at the first of them. */
const each = (all: readonly { readonly cell: Cell }[], line: string) =>
  all.slice(0, 1).map(({ cell }) => ({ text: line, cell }))

export const totals: Member<Read<'totals'>> = {
  read: reader => reader.totals('Totals'),
  uses: all => ({ measures: all.map(({ measure }) => measure) }),
  compared: { told: ', its totals', as: all => listed(all.map(({ cell }) => cell.text)) },
  explained: all => each(all, `Adds up: ${all.map(({ cell }) => cell.text).join(', ')}`),
}

export const views: Member<Read<'views'>> = {
  read: reader => reader.views('View'),
  uses: all => ({ views: all }),
  compared: {
    told: ', its views',
    as: all => ({ value: all.map(({ cell }) => cell.text), words: list(all.map(({ cell }) => `\`${cell.text}\``)) }),
  },
  explained: all => all.map(({ cell }) => ({ text: `View ${cell.text}`, cell })),
  texts: all => said(...all.map(({ name }) => name)),
  translated: (all, to) => all.map(view => ({ ...view, name: to.cell(view.name) })),
}

export const sharedBy: Member<Read<'roles'>> = {
  read: reader => reader.roles('Views shared by'),
  uses: by => ({ sharedBy: by }),
  compared: {
    told: ', its views are shared by',
    as: by => ({ value: by?.roles ?? null, words: by?.roles.join(', ') ?? null }),
  },
  explained: by => (by === null ? [] : [{ text: `Saved views are shared by ${by.cell.text}`, cell: by.cell }]),
}

export const buttons: Member<Read<'buttons'>> = {
  read: reader => reader.buttons('Buttons'),
  uses: steps => ({ buttons: steps }),
  compared: {
    told: ', its buttons',
    as: steps => ({
      value: steps?.map(({ step }) => step) ?? null,
      words: steps === null ? 'all steps' : (list(steps.map(({ cell }) => cell.text)) ?? 'none'),
    }),
  },
}

export const cards = (read: Member<readonly Card[]>['read']): Member<readonly Card[]> => ({
  read,
  uses: all => ({ cards: all }),
  texts: all => [
    ...said(...all.map(({ name }) => name)),
    ...all.flatMap(({ shows }) => {
      const content = specified(shows)
      const all = content === null || content.kind === 'list' ? [] : content.measures
      return all.flatMap(({ name }) => (name === null ? [] : [{ text: name }]))
    }),
    ...optional(...all.map(({ meaning }) => meaning)),
  ],
  translated: (all, to) => all.map(card => ({ ...card, name: to.cell(card.name), meaning: to.cell(card.meaning) })),
})

/** What the page of a record, or a form, is divided into. Empty: it is not. */
export const sections: Member<Read<'sections'>> = {
  read: reader => reader.sections(),
  divides: true,
  uses: all => ({ sections: all }),
  compared: {
    told: ', its sections',
    as: all => ({
      value: all.map(({ name, tab, fields }) => [name.text, tab?.text ?? null, ...fields.map(({ field }) => field)]),
      words: list(
        all.map(({ name, tab, fields }) => {
          const what = fields.map(({ field }) => field).join(', ')
          return `${name.text} (${tab === null ? what : `on ${tab.text}: ${what}`})`
        }),
      ),
    }),
  },
  texts: all => [
    ...said(...all.flatMap(({ name, tab }) => [name, tab])),
    ...optional(...all.map(({ meaning }) => meaning)),
  ],
  translated: (all, to) =>
    all.map(one => ({ ...one, name: to.cell(one.name), tab: to.cell(one.tab), meaning: to.cell(one.meaning) })),
}

/** React components that it shows. */
export const blocks = (read: Member<Read<'blocks'>>['read']): Member<Read<'blocks'>> => ({
  read,
  uses: all => ({ blocks: all }),
})
