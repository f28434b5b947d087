import { oneNeed } from '../one/screen.ts'
import type { ScreenKind } from '../screen-kind.ts'

/** A form: for a new record, or for the one that its address names. */
export const form: ScreenKind = {
  name: 'form',
  written: 'form for Entity',
  opening: 'form for',
  meaning: 'A form for a new record; with a field in braces in its address, for the record that it names.',
  entity: 'required',
  by: 'none',
  record: 'optional',
  entry: 'page',
  properties: [
    {
      name: 'Columns',
      meaning: 'Fields of the form, in order. Absent: all that are entered. A form for everyone must say them.',
    },
    { name: 'Confirmation', meaning: 'What a form for everyone says when it was sent.' },
    { name: 'Confirmation title', meaning: 'What stands over it then. Absent: that it has arrived.' },
    {
      name: 'At most',
      meaning:
        'How many of a form for everyone are taken from one address: `5 per hour`; `else` names an error of heading 8.',
    },
    {
      name: 'Confirm by mail to',
      meaning: 'The field of a form for everyone whose address is confirmed by a link before a record is made.',
    },
    {
      name: 'Embedded in',
      meaning: 'Sites whose pages may show a form for everyone in a frame: `https://www.example.org`. Absent: none.',
    },
  ],
  need: (screen, app, address) => {
    const need = oneNeed(screen, app, address, 0)
    return need === null ? null : { need, ignored: [] }
  },
}
