/** `- **Accept:** N1441 sort`: warnings that the document has looked at and leaves as they are. */
import { slice, splitCell, trimmed } from '../document/cell.ts'
import { type Diagnostic, reporter } from '../document/diagnostic.ts'
import { withoutLines } from '../document/fix.ts'
import type { Cell } from '../document/source.ts'
import { productCodes } from './1-product/codes.ts'
import { type Context, listed } from './context.ts'
import { evened } from './names.ts'

/** Takes the accepted warnings out of what was found; an acceptance that no warning answers to is one itself. */
export function acceptWarnings(context: Context, written: readonly Cell[]): void {
  const { report } = reporter(productCodes, 1, context.found)
  for (const cell of written.flatMap(all => splitCell(all, ','))) {
    const end = cell.text.search(/\s|$/)
    const code = cell.text.slice(0, end)
    const place = evened(trimmed(slice(cell, end)).text)
    const known = context.found.filter(found => found.severity === 'warning' && found.code === code)
    const isMeant = (found: Diagnostic) => known.includes(found) && (place === '' || aboutOf(found).includes(place))
    const left = context.found.filter(found => !isMeant(found))
    if (left.length < context.found.length) context.found.splice(0, context.found.length, ...left)
    // Beside an error not everything is looked at; and what another warning says is missing may be what this one was about.
    else if (
      !context.found.some(({ severity }) => severity === 'error' || (severity === 'warning' && known.length === 0))
    ) {
      const takes = listed(new Set(known.map(found => `${code} ${aboutOf(found)[0]}`)))
      const help = known.length === 0 ? 'It is gone: remove the line.' : `It takes ${takes}, or ${code} alone.`
      report('N1108', cell, { name: cell.text, help }, { fixes: [withoutLines('take this line out', cell)] })
    }
  }
}

/** The words that a warning is about: the names in its message, and the text that it stands at. */
const aboutOf = ({ span, params }: Diagnostic): readonly string[] =>
  [...Object.values(params), span.file.text.slice(span.start, span.end)].map(word => evened(String(word)))
