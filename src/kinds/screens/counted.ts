import type { Grouping, Measure } from '../../headings/2-screens/model.ts'

/** What is measured where the document names nothing: how many records there are. */
export function counted(entity: string, cell: Measure['cell']): Measure {
  return {
    cell,
    name: null,
    figure: { cell, kind: 'count', entity, of: null, where: null, type: { kind: 'integer' } },
    whole: null,
  }
}

/** How a group is called in an address. */
export const groupingKey = ({ cell }: Grouping): string => cell.text.replaceAll('`', '').trim()
