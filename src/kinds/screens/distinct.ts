/** What records are called where several have the same title: so that a name that is read out tells which one it is. */
import type { ValueView } from './view-model.ts'

interface Named {
  readonly title: string
  readonly cells: readonly Pick<ValueView, 'text'>[]
}

/** One per row: its title; of those that share it, with the first values that tell them apart, else with their place. */
export function distinctNames(rows: readonly Named[]): readonly string[] {
  const names = rows.map(({ title }) => title)
  const most = Math.max(0, ...rows.map(({ cells }) => cells.length))
  for (let column = 0; column <= most && new Set(names).size < names.length; column++) {
    const shared = Map.groupBy(names.keys(), at => names[at]!)
    for (const places of shared.values()) {
      if (places.length < 2) continue
      const values = places.map((at, place) =>
        column === most ? `${place + 1}` : (rows[at]!.cells[column]?.text ?? ''),
      )
      if (new Set(values).size < 2) continue
      places.forEach((at, place) => {
        if (values[place] !== '') names[at] = `${names[at]}, ${values[place]}`
      })
    }
  }
  return names
}
