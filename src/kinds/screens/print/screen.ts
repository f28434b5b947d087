import type { Expression, Template } from '../../../expression/expression.ts'
import type { Column, Print, Screen } from '../../../headings/2-screens/model.ts'
import type { App } from '../../../headings/app.ts'
import { type Member, type Members, partOf } from '../members.ts'
import { oneNeed } from '../one-need.ts'
import type { Address, OneNeed, ScreenKind } from '../screen-kind.ts'

/** Texts and fields, in their order. */
const printed = ({ title, parts, footer }: Print): readonly string[] => [
  ...texts(title),
  ...parts.flatMap(({ name, text, fields }) => [
    ...(name === null ? [] : [name.text]),
    ...texts(text),
    ...fields.map(({ cell }) => cell.text),
  ]),
  ...texts(footer),
]

const texts = (text: Template | null): readonly string[] => (text === null ? [] : [`\`${text.cell.text}\``])

const paper: Member<Print | null> = {
  read: reader => reader.print(),
  divides: true,
  uses: print => ({ shown: print === null ? [] : fieldsOn(print), paper: print }),
  compared: {
    told: ', what stands on it',
    as: print => ({ value: print && printed(print), words: print && printed(print).join(', ') }),
  },
  explained: print =>
    (print?.parts ?? []).map(({ name, fields }) => ({
      text: `${name === null ? 'First' : name.text}: ${fields.length === 0 ? 'a text' : fields.map(({ cell }) => cell.text).join(', ')}`,
      cell: name ?? fields[0]?.cell ?? null,
    })),
  texts: print =>
    print === null
      ? []
      : [print.title?.cell, ...print.parts.flatMap(({ name, text }) => [name, text?.cell]), print.footer?.cell].flatMap(
          cell => (cell == null ? [] : [{ text: cell.text }]),
        ),
  translated: (print, { language, template }) => {
    if (print === null) return null
    const { title, footer, parts, ...rest } = { ...print, ...print.translated.get(language) }
    return {
      ...rest,
      title: title && template(title),
      footer: footer && template(footer),
      parts: parts.map(part => ({ ...part, text: part.text && template(part.text) })),
    }
  },
}

/** Fields of the record itself that stand on it, each once. */
const fieldsOn = ({ parts }: Print): readonly Column[] => [
  ...new Map(
    parts.flatMap(({ fields }) => fields.map(({ field, cell }) => [field, { field, cell }] as const)),
  ).values(),
]

const members = { paper } satisfies Members

export const paperOf = (screen: Screen): Print | null => partOf(members, screen).paper

/** One record on paper: under the letterhead, laid out by the document. */
export const print: ScreenKind = {
  name: 'print',
  written: 'print of Entity',
  opening: 'print of',
  meaning:
    'One record on paper, A4, under the letterhead. Each heading 4 below it is a part with fields, rows and text.',
  entity: 'required',
  by: 'none',
  record: 'required',
  isPaper: true,
  properties: [
    {
      name: 'Title',
      meaning: 'On top; a text with `{fields}`. Absent: the entity and what the record is called by.',
    },
    { name: 'Columns', meaning: 'Fields below the title, in order, as in a part.' },
    { name: 'Text', meaning: 'Below the title, before the fields; a text with `{fields}`.' },
    { name: 'Footer', meaning: 'At the foot of each page, beside its number; a text with `{fields}`.' },
  ],
  members,
}

export function printNeed(screen: Screen, app: App, address: Address): OneNeed | null {
  const need = oneNeed(screen, app, address, 0)
  return need && { ...need, told: toldOn(screen) }
}

/** Everything on it that is no field or row of the record itself. */
export function toldOn(screen: Screen): readonly Expression[] {
  const print = paperOf(screen)
  if (print === null) return []
  const texts = [print.title, print.footer, ...print.parts.map(({ text }) => text)]
  return [
    ...texts.flatMap(text => text?.parts.flatMap(part => (part.kind === 'text' ? [] : [part.expression])) ?? []),
    ...print.parts.flatMap(({ fields }) => fields.flatMap(({ value }) => value ?? [])),
  ]
}
