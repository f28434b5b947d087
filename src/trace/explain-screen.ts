/** What `explain` says of a screen. */
import type { Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import { explainedPart } from '../kinds/screens/parts.ts'
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
      ...explainedPart(screen).map(({ text, cell }) => `  ${text} (${place(cell ?? screen.name)}).`),
    ],
  }
}
