/** What findings are about, and what they rest on. A fact is named by keys of the model, never by words of a message. */
import type { Fact } from '../../document/diagnostic.ts'

const fact = (...parts: readonly (string | number)[]) => JSON.stringify(parts) as Fact

export const facts = {
  /** A heading can be read whole, and says something. */
  whole: (heading: number) => fact('whole', heading),
  /** A heading declares a name. */
  name: (heading: number, name: string) => fact('name', heading, name),
} as const
