import type { Page, Screen } from '../../../headings/2-screens/model.ts'
import { askedFor, optional, said } from '../member-types.ts'
import { type Member, type Members, partOf } from '../members.ts'
import type { ScreenKind } from '../screen-kind.ts'

const pages: Member<readonly Page[]> = {
  read: reader => reader.pages(),
  divides: true,
  uses: all => ({ asked: all.flatMap(({ fields }) => fields) }),
  compared: {
    told: ', its pages',
    as: all => ({
      value: all.map(({ name, fields }) => [name.text, ...askedFor(fields)]),
      words:
        all.length === 0
          ? null
          : all.map(({ name, fields }) => `${name.text} (${askedFor(fields).join(', ')})`).join(', '),
    }),
  },
  texts: all => all.flatMap(({ name, meaning }) => [...said(name), ...optional(meaning)]),
  translated: (all, to) => all.map(page => ({ ...page, name: to.cell(page.name), meaning: to.cell(page.meaning) })),
}

const members = { pages } satisfies Members

export const pagesOf = (screen: Screen): readonly Page[] => partOf(members, screen).pages

/** A form in steps: each page asks for some of its fields, and the last one shows them all before anything is saved. */
export const wizard: ScreenKind = {
  name: 'wizard',
  written: 'wizard for Entity',
  opening: 'wizard for',
  meaning:
    'A form in steps: each heading 4 below it is a page that asks for some of the fields. With a field in braces in its address, for the record that it names.',
  entity: 'required',
  by: 'none',
  record: 'optional',
  entry: 'steps',
  keeps: () => 'a wizard keeps what was typed until its end',
  properties: [],
  members,
}
