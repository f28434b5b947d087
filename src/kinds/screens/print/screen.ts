import type { Expression } from '../../../expression/expression.ts'
import type { Print } from '../../../headings/2-screens/model.ts'
import { oneNeed } from '../one/screen.ts'
import { unread } from '../query.ts'
import type { ScreenKind } from '../screen-kind.ts'

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
      meaning: 'What stands on top; a text with `{fields}`. Absent: the entity and what the record is called by.',
    },
    { name: 'Columns', meaning: 'Fields that stand below the title, in order, as in a part.' },
    { name: 'Text', meaning: 'What stands below the title, before the fields; a text with `{fields}`.' },
    { name: 'Footer', meaning: 'What stands at the foot of each page, beside its number; a text with `{fields}`.' },
  ],
  need: (screen, app, address) => {
    const need = oneNeed(screen, app, address, 0)
    return need === null ? null : { need: { ...need, told: toldOn(screen.print) }, ignored: unread(address.query) }
  },
}

/** Everything on it that is no field or row of the record itself. */
export function toldOn(print: Print | null): readonly Expression[] {
  if (print === null) return []
  const texts = [print.title, print.footer, ...print.parts.map(({ text }) => text)]
  return [
    ...texts.flatMap(text => text?.parts.flatMap(part => (part.kind === 'text' ? [] : [part.expression])) ?? []),
    ...print.parts.flatMap(({ fields }) => fields.flatMap(({ value }) => value ?? [])),
  ]
}
