/** What `explain` says of a screen. */
import type { Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import { list, place, type Thing } from './words.ts'

/** Its address, for whom it is, what it shows, and most of the keys below its heading, each with its line. */
export function screenThing(screen: Screen): Thing {
  return {
    names: [screen.name.text, specified(screen.route)?.pattern ?? screen.key],
    title: `screen ${screen.name.text}`,
    cell: screen.name,
    lines: () => [
      `  At ${specified(screen.route)?.pattern ?? 'an unspecified route'}, for ${specified(screen.for)?.cell.text ?? 'nobody: unspecified'}.`,
      `  Shows ${specified(screen.shows)?.cell.text ?? 'nothing yet: unspecified'}.`,
      ...(screen.homeFor === null
        ? []
        : [`  ${list(screen.homeFor.roles)} come here after signing in (${place(screen.homeFor.cell)}).`]),
      ...(screen.sharedBy === null
        ? []
        : [`  Saved views are shared by ${screen.sharedBy.cell.text} (${place(screen.sharedBy.cell)}).`]),
      ...(screen.filters.length === 0
        ? []
        : [
            `  Filters over it: ${screen.filters.map(({ path }) => path).join(', ')} (${place(screen.filters[0]!.cell)}).`,
          ]),
      ...(screen.totals.length === 0
        ? []
        : [`  Adds up: ${screen.totals.map(({ field }) => field).join(', ')} (${place(screen.totals[0]!.cell)}).`]),
      ...(screen.embeddedIn.length === 0
        ? []
        : [
            `  May be shown in a frame on ${screen.embeddedIn.map(({ origin }) => origin).join(', ')} (${place(screen.embeddedIn[0]!.cell)}).`,
          ]),
      ...(screen.atMost === null
        ? []
        : [`  Taken from one address: at most ${screen.atMost.cell.text} (${place(screen.atMost.cell)}).`]),
      ...(screen.confirmTo === null
        ? []
        : [
            `  What is sent becomes a record once the link mailed to ${screen.confirmTo.field} is followed (${place(screen.confirmTo.cell)}).`,
          ]),
      ...(screen.print?.parts ?? []).map(
        ({ name, fields }) =>
          `  ${name === null ? 'First' : name.text}: ${fields.length === 0 ? 'a text' : fields.map(({ cell }) => cell.text).join(', ')} (${place(name ?? fields[0]?.cell ?? screen.name)}).`,
      ),
      ...screen.views.map(({ cell }) => `  View ${cell.text} (${place(cell)}).`),
    ],
  }
}
