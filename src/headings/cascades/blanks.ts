/** Empty cells that other lines depend on: all that is found because of one is one message, which names the empty cell. */
import type { Diagnostic } from '../../document/diagnostic.ts'
import type { Span } from '../../document/source.ts'
import type { Context } from '../context.ts'
import { isInside, textAt } from './about.ts'

export interface Blank {
  readonly cell: Span
  readonly message: string
  readonly causes: (found: Diagnostic) => boolean
}

/** Warnings of what nobody can do, or may not see. */
const ofNobody = new Set(['N1211', 'N1212', 'N1409', 'N1616', 'N1807'])

/** Types of fields and holders of roles whose cells are empty, without a TBD. */
export function blanksOf({ typed, roles }: Context): readonly Blank[] {
  const types = [...typed.values()].flatMap(({ draft }) =>
    draft.rows.flatMap(row => {
      const [name, cell] = [row.cell('Field')!.text.split(/\s/)[0]!, row.cell('Type')]
      if (cell?.text !== '' || !/^\w+$/.test(name)) return []
      const named = new RegExp(`\\b${name}\\b`)
      const causes = ({ severity, params, span }: Diagnostic) =>
        severity === 'error' &&
        (isInside(span, row) || [...Object.values(params), textAt(span)].some(text => named.test(String(text))))
      return [{ cell, message: `\`${name}\` has no type here, so it is a text`, causes }]
    }),
  )
  const holders = [...roles.all.values()].flatMap(({ name, row }) => {
    const cell = row.cell('Who')
    return cell?.text === ''
      ? [{ cell, message: `it is not said who is ${name}`, causes: ({ code }: Diagnostic) => ofNobody.has(code) }]
      : []
  })
  return [...types, ...holders]
}
