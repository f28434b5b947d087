/** States in which the clock of a timer stands, behind those of its While: `Open, In work; stands in Waiting`. */
import { after, splitCell } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import type { Cell } from '../../document/source.ts'
import type { Context } from '../context.ts'
import { evened, misspelt } from '../names.ts'
import { stateCodes } from './codes.ts'
import { findStates } from './declare.ts'

/** `during`: the cell without it. `wrong`: after a report. */
export function readStands(
  context: Context,
  entity: string,
  cell: Cell,
  at: Cell,
  name: string,
): { readonly during: Cell; readonly stands: readonly string[] | null | 'wrong' } {
  const [during = cell, behind, more] = splitCell(cell, ';')
  if (behind === undefined) return { during: cell, stands: null }
  const wrong = (why: string, place: Cell, fix?: readonly [Cell, string]) => {
    const fixes = fix === undefined ? [] : [writeInstead(...fix)]
    reporter(stateCodes, 4, context.found).report('N1474', place, { name, why }, { fixes })
    return { during, stands: 'wrong' } as const
  }
  const said = after(behind, 'stands in')
  const near = said === null ? misspelt(behind, ['stands in']) : null
  if (said === null || said.text === '' || more !== undefined)
    return wrong(
      'behind the semicolon stands `stands in`, and states',
      behind,
      near === null ? undefined : [near.begin, near.meant],
    )
  if (/^`?every\b/i.test(at.text)) return wrong('it comes back at times that the clocks of everybody show', behind)
  if (/^waiting for\b/i.test(during.text))
    return wrong('how long an approval is waited for ends with its state', behind)
  const stands = findStates(context, entity, said)
  if (stands === null) return { during, stands: 'wrong' }
  const runs = new Set(splitCell(during, ',').map(({ text }) => evened(text)))
  const both = stands.find(state => runs.has(state))
  return both === undefined ? { during, stands } : wrong(`it runs in ${both} as well`, behind)
}
