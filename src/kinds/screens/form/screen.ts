import type { Cell } from '../../../document/source.ts'
import type { AtMost, Column, Screen } from '../../../headings/2-screens/model.ts'
import { specified } from '../../../headings/specified.ts'
import { askedColumns, listed, sections, text } from '../member-types.ts'
import { type Member, type Members, type PartOf, partOf } from '../members.ts'
import type { ScreenKind } from '../screen-kind.ts'

const atMost: Member<AtMost | null> = {
  read: reader => reader.atMost('At most'),
  compared: {
    told: ', taken from one address at most',
    as: limit => ({
      value: limit && [limit.most, limit.span, limit.error],
      words: limit?.cell.text ?? null,
    }),
  },
  explained: limit =>
    limit === null ? [] : [{ text: `Taken from one address: at most ${limit.cell.text}`, cell: limit.cell }],
}

const confirmTo: Member<Column | null> = {
  read: reader => reader.confirmTo('Confirm by mail to'),
  compared: {
    told: ', confirmed by mail to',
    as: column => ({ value: column?.field ?? null, words: column?.field ?? null }),
  },
  explained: column =>
    column === null
      ? []
      : [
          {
            text: `What is sent becomes a record once the link mailed to ${column.field} is followed`,
            cell: column.cell,
          },
        ],
}

const embeddedIn: Member<readonly { readonly origin: string; readonly cell: Cell }[]> = {
  read: reader => reader.sites('Embedded in'),
  compared: { told: ', embedded in', as: sites => listed(sites.map(({ origin }) => origin)) },
  explained: sites =>
    sites.slice(0, 1).map(({ cell }) => ({
      text: `May be shown in a frame on ${sites.map(({ origin }) => origin).join(', ')}`,
      cell,
    })),
}

const members = {
  columns: askedColumns,
  confirmation: text('Confirmation'),
  confirmationTitle: text('Confirmation title'),
  embeddedIn,
  atMost,
  confirmTo,
  sections,
} satisfies Members

/** Null: it is another kind of screen. */
export const formPart = (screen: Screen): PartOf<typeof members> | null =>
  specified(screen.shows)?.kind === form.name ? partOf(members, screen) : null

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
  keeps: screen => (partOf(members, screen).confirmTo === null ? null : 'what is sent is kept until it is confirmed'),
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
  members,
}
