/** Functions in TypeScript as things that can be compared. */
import type { App } from '../../headings/app.ts'
import type { Renames } from './meaning.ts'
import { aspects, type Part, rest } from './parts.ts'
import { changed, type Thing } from './thing.ts'

/** The functions of a document, comparable. */
export function functions(app: App, renames: Renames): readonly Thing[] {
  return [...app.functions.values()].map(of => {
    const title = `function ${of.name}`
    const takes = of.takes.map(({ name, kind, parameters, type }) => ({ name, kind, parameters, type }))
    const parts: readonly Part[] = [
      { name: 'takes', value: takes, tell: () => `${title} takes other values` },
      { name: 'gives', value: { ...of.gives }, words: of.gives.kind, tell: changed(`${title} gives`) },
      { name: 'code', value: of.file?.text ?? null, tell: () => `${title} may give something else: its code changes` },
      ...rest(of, ['takes', 'gives', 'file'], title),
    ]
    return {
      id: title,
      cell: of.cell,
      section: 1,
      comes: `${title} is new, written in TypeScript`,
      goes: `${title} is gone`,
      aspects: aspects(parts, of.cell, renames, null),
    }
  })
}
