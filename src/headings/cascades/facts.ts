/** What findings are about, and what they rest on. A fact is named by keys of the model, never by words of a message. */
import type { Fact } from '../../document/diagnostic.ts'

const fact = (...parts: readonly (string | number)[]) => JSON.stringify(parts) as Fact

export const facts = {
  /** A heading can be read whole, and says something. */
  whole: (heading: number) => fact('whole', heading),
  /** No line of a heading stands where nothing reads it. */
  placed: (heading: number) => fact('placed', heading),
  /** Whatever names something that a heading declares finds it. */
  known: (heading: number) => fact('known', heading),
  /** Where a name is declared, it is written as names are. */
  spelt: (name: string) => fact('spelt', name),
  /** The names that stand for entities do. */
  entities: fact('entities'),
  /** Whoever the sample data names is introduced. */
  people: fact('people'),
  /** There is a field of that name. */
  fieldNamed: (name: string) => fact('field named', name),
  /** What stands at a place is read: in a line, in a list, below a heading; each by where it begins. */
  read: (what: 'line' | 'list' | 'below', path: string, start: number) => fact('read', what, path, start),
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
