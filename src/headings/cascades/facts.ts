/** What findings are about, and what they rest on. A fact is named by keys of the model, never by words of a message. */
import type { Fact } from '../../document/diagnostic.ts'

const fact = (...parts: readonly (string | number)[]) => JSON.stringify(parts) as Fact

export const facts = {
  /** A heading can be read whole, and says something. */
  whole: (heading: number) => fact('whole', heading),
  /** A heading declares a name. */
  name: (heading: number, name: string) => fact('name', heading, name),
  /** Somebody has one of the roles. */
  held: (roles: readonly string[]) => fact('held', ...roles),
  /** A role sees some record of an entity. */
  sees: (role: string, entity: string) => fact('sees', role, entity),
  /** A role sees records of an entity, so that a line about one of their fields says something. */
  meets: (role: string, entity: string) => fact('meets', role, entity),
  /** Some role sees records of an entity in the states in which it takes a step. */
  seesThen: (roles: readonly string[], entity: string) => fact('sees then', entity, ...roles),
  /** A role takes steps of an entity, as far as heading 6 says; null: anybody. */
  takes: (role: string | null, entity: string) => fact('takes', entity, role ?? ''),
  /** Something happens on which a rule is asked. */
  happens: (occasions: string, entity: string) => fact('happens', occasions, entity),
  /** Whoever is to see or change a field may see it. */
  open: (field: string, entity: string) => fact('open', entity, field),
  /** What is made of an entity's records tells nobody what is closed to them. */
  untold: (entity: string) => fact('untold', entity),
} as const

/** Each of several roles sees some record of an entity. */
export const seesOf = (roles: Iterable<string>, entity: string): readonly Fact[] =>
  [...roles].map(role => facts.sees(role, entity))
