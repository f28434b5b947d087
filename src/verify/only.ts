/** A part of the document that is to be tried: a heading, or an entity. */
import type { Cell } from '../document/source.ts'
import type { App } from '../headings/app.ts'

export type Only = { readonly heading: number } | { readonly entity: string }

/** `6`, `Loan line`; null: the document has no such heading and no such entity. */
export function onlyOf({ entities }: App, text: string): Only | null {
  if (/^[1-9]$/.test(text)) return { heading: Number(text) }
  const entity = [...entities.values()].find(
    ({ key, name }) => key === text || name.toLowerCase() === text.toLowerCase(),
  )
  return entity === undefined ? null : { entity: entity.key }
}

/** The number of the heading under which a cell stands; null: under none. */
export function headingOf({ document }: App, { file, start }: Cell): number | null {
  const before = document.sections.filter(({ title }) => title.file.path === file.path && title.start <= start)
  return before.at(-1)?.number ?? null
}

/** Whether lines of these headings, or of this entity, are wanted. */
export const wants = (only: Only | null, headings: readonly number[], entity: string | null = null): boolean =>
  only === null || ('heading' in only ? headings.includes(only.heading) : only.entity === entity)

/** `12 passed, 1 failed under heading 6`: in the order of the headings. */
export function sumsOf(
  app: App,
  lines: readonly { readonly cell: Cell; readonly passed: boolean; readonly untried?: boolean }[],
) {
  const ofEach = Map.groupBy(lines, ({ cell }) => headingOf(app, cell) ?? 1)
  return [...ofEach]
    .sort(([a], [b]) => a - b)
    .map(([heading, all]) => {
      const untried = all.filter(line => line.untried === true).length
      const failed = all.filter(({ passed }) => !passed).length
      return { heading, passed: all.length - failed - untried, failed, untried }
    })
}
