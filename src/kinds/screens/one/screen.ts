import type { Cell } from '../../../document/source.ts'
import type { Screen } from '../../../headings/2-screens/model.ts'
import type { App } from '../../../headings/app.ts'
import { blocks, buttons, sections } from '../member-types.ts'
import { type Member, type Members, partOf } from '../members.ts'
import { oneNeed } from '../one-need.ts'
import type { Address, OneNeed, ScreenKind } from '../screen-kind.ts'

/** Entries of the history that are shown at once. */
const entries = 50

const members = {
  buttons,
  related: { read: reader => reader.related('Related') } satisfies Member<
    readonly { readonly entity: string; readonly cell: Cell }[] | null
  >,
  blocks: blocks(reader => reader.blocks('Block')),
  sections,
} satisfies Members

export const onePart = (screen: Screen) => partOf(members, screen)

/** One record with its rows, what can be done with it, and what happened to it. */
export const one: ScreenKind = {
  name: 'one',
  written: 'one Entity',
  opening: 'one',
  meaning:
    'One record: its fields and rows, its steps, its states as a diagram, and what happened to it. Its address names the record: `/loans/{number}`.',
  entity: 'required',
  by: 'none',
  record: 'required',
  isRecordPage: true,
  properties: [
    { name: 'Buttons', meaning: 'Steps offered here. Absent: all steps of the entity.' },
    {
      name: 'Related',
      meaning:
        'Entities whose records are listed below when they refer to this one, in this order, rows of other records too: `Order line`; `none`. Absent: all that refer to it, without rows.',
    },
    {
      name: 'Block',
      meaning:
        'A React component that shows the record in its own way: a link with its name to the file beside the document.',
      many: true,
    },
  ],
  members,
}

export const recordNeed = (screen: Screen, app: App, address: Address): OneNeed | null =>
  oneNeed(screen, app, address, entries)
