/** When something happens: one of a heading's own words, or a step of the entity. */
import { didYouMean } from '../document/nearest.ts'
import type { Cell } from '../document/source.ts'
import { type Context, listed } from './context.ts'
import { evened, writeNearest } from './names.ts'

interface Unknown {
  readonly occasion: string
  readonly entity: string
  readonly meant: string
  readonly known: string
}

/** The word, or the key of the step; null after `refuse` was told that it is neither. `above`: an entity whose steps count, too. */
export function readOccasion(
  context: Context,
  entity: string,
  cell: Cell,
  words: readonly string[],
  refuse: (about: Unknown, options: { readonly fixes: ReturnType<typeof writeNearest> }) => void,
  above: string | null = null,
): string | null {
  const word = words.find(known => known === cell.text.toLowerCase())
  if (word !== undefined) return word
  const stepsOf = (of: string | null) => [...(context.workflows.get(of ?? '')?.steps.all ?? [])]
  const steps = new Map([...stepsOf(above), ...stepsOf(entity)])
  const step = steps.get(evened(cell.text))
  if (step !== undefined) return step.key
  const known = [...words, ...steps.keys()]
  const about = {
    occasion: cell.text,
    entity: context.schema.get(entity)!.name,
    meant: didYouMean(cell.text, known),
    known: listed(steps.keys()),
  }
  refuse(about, { fixes: writeNearest(cell, known) })
  return null
}
