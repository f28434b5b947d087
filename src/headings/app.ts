/** The whole application as the document says it: what every later layer reads, and nothing writes. */
import type { Diagnostic } from '../document/diagnostic.ts'
import type { Cell, SourceFile } from '../document/source.ts'
import type { Document } from '../document/tree.ts'
import type { Schema } from '../expression/type.ts'
import type { Product } from './1-product/model.ts'
import type { AwaitedStep, Screen } from './2-screens/model.ts'
import type { Entity } from './3-entities/model.ts'
import type { Effect, Sweep, Timer, Workflow } from './4-states/model.ts'
import type { Rule } from './5-validation/model.ts'
import type { Access, NamedRoles, Role } from './6-permissions/model.ts'
import type { Call, Mail, QuietHours, Receive, Setting } from './7-calls/model.ts'
import type { ErrorEntry } from './8-errors/model.ts'
import type { Constant, WorkingTime } from './9-limits/model.ts'
import type { CodeFunction, DecidedInCode } from './code/model.ts'
import type { Gap } from './gaps/gap.ts'
import type { Specified } from './specified.ts'

export interface App {
  readonly document: Document
  readonly name: string
  /** Heading 1's cell; the start of the root file where it is missing. */
  readonly title: Cell
  /** SHA-256 of all files, first 12 hexadecimal digits. The caller gives it: headings do not hash. */
  readonly version: string
  /** Tag of the language that this is in: the first of heading 1, or another that it declares (`translate.ts`). */
  readonly language: string
  readonly product: Product
  readonly screens: readonly Screen[]
  /** By key, in the document's order; the built-in `person` is always there. */
  readonly entities: ReadonlyMap<string, Entity>
  readonly schema: Schema
  /** Entities whose records stand above each other, by key: the field that leads upwards. */
  readonly trees: ReadonlyMap<string, Tree>
  /** By entity key. */
  readonly workflows: ReadonlyMap<string, Workflow>
  /** In the document's order. */
  readonly effects: readonly Effect[]
  /** Of records and of rows, in the document's order. */
  readonly timers: readonly Timer[]
  /** Timers that look for their records, in the document's order. */
  readonly sweeps: readonly Sweep[]
  readonly rules: readonly Rule[]
  /** By name. */
  readonly roles: ReadonlyMap<string, Role>
  /** By entity key; every entity has one. */
  readonly access: ReadonlyMap<string, Access>
  /** Who sees which records were read. */
  readonly readLog: NamedRoles
  /** Whose people must have a second factor. */
  readonly secondFactor: NamedRoles
  /** Who gives out all that is held about a person, and erases it. */
  readonly personalDataFor: NamedRoles
  /** Who may act as another person. */
  readonly actAs: NamedRoles
  readonly calls: ReadonlyMap<string, Call>
  readonly mails: ReadonlyMap<string, Mail>
  readonly settings: ReadonlyMap<string, Setting>
  /** Who sees what was not delivered, and sends it again. */
  readonly sendAgain: NamedRoles
  readonly quietHours: QuietHours | null
  /** Who reads this document inside the application. */
  readonly documentFor: NamedRoles
  /** Roles in which assistants may act. Null: in all. */
  readonly assistants: NamedRoles | null
  /** What an assistant leaves to its person. */
  readonly assistantsAsk: readonly AwaitedStep[]
  /** What whoever signs up is appointed to. Left open: nobody can. */
  readonly signUpAs: Specified<NamedRoles>
  readonly receives: ReadonlyMap<string, Receive>
  readonly errors: ReadonlyMap<string, ErrorEntry>
  readonly limits: ReadonlyMap<string, Constant>
  /** Null: the document does not say; then Monday to Friday are working days. */
  readonly workingTime: WorkingTime | null
  readonly scenarios: readonly Scenario[]
  /** Written in TypeScript, by name. */
  readonly functions: ReadonlyMap<string, CodeFunction>
  /** Where code decides instead of the document. */
  readonly inCode: readonly DecidedInCode[]
  readonly gaps: readonly Gap[]
  readonly assumptions: readonly Assumption[]
}

export interface Tree {
  readonly field: string
  /** What makes it one: the first expression that climbs it (`within`), or the field itself, where it is named `parent`. */
  readonly cell: Cell
}

/** A default that something else makes unavoidable, served under a name until the document says it or accepts it. */
export interface Assumption {
  /** `A-SEE-ITEM`. */
  readonly name: string
  readonly section: number
  /** The nearest line that is silent. */
  readonly cell: Cell
  readonly what: string
  readonly accepted: Cell | null
}

/** `#### Scenario: …`: steps in the document's order; `verify` runs them. */
export interface Scenario {
  readonly title: Cell
  /** "Cleo the Clerk": name and role, introduced once. */
  readonly people: readonly ScenarioPerson[]
  /** Records of the sample data with which something is done: their entities by what names them. */
  readonly samples: ReadonlyMap<string, string>
  readonly steps: readonly ScenarioStep[]
}

interface ScenarioPerson {
  readonly name: string
  readonly role: string
}

/** `a visitor`, `the link of R1`: somebody without an account, with the link of a record (its name in the scenario) or without. */
interface ScenarioVisitor {
  readonly name: string
  readonly role: null
  readonly link: string | null
}

export interface ScenarioStep {
  readonly cell: Cell
  readonly step: 'given' | 'when' | 'then'
  /** Who does it; null: nobody in particular. */
  readonly who: ScenarioPerson | ScenarioVisitor | null
  readonly what: ScenarioWhat
  /** `ok`, `ok with E-HIGH confirmed`, `denied` or an error code; null where the column is empty. */
  readonly result: Cell | null
  /** Codes of warnings that are shown first, and confirmed. */
  readonly confirms: readonly string[]
}

/** A value that a row writes. `child`: the field is one of the child rows of that list. */
export interface ScenarioValue {
  readonly field: string
  readonly child: string | null
  readonly cell: Cell
}

export type ScenarioWhat =
  /**
   * "Loan L1 by Cleo with item CA-0001, state Requested without due_back": `with` values of child fields make one child row; `without`:
   * fields that nothing is sent of, required or not.
   */
  | {
      readonly kind: 'record'
      readonly entity: string
      readonly name: string
      readonly by: string | null
      readonly values: readonly ScenarioValue[]
      readonly without: readonly string[]
      readonly state: string | null
    }
  /** "decline L1 with reason Broken": a step, and what it asks for. */
  | { readonly kind: 'step'; readonly step: string; readonly record: string; readonly values: readonly ScenarioValue[] }
  /** "see L1", "change L1 with purpose A film", "delete L1". */
  | {
      readonly kind: 'verb'
      readonly verb: ScenarioVerb
      readonly record: string
      readonly values: readonly ScenarioValue[]
    }
  /** "today 2026-03-02", "today 2026-03-02 at 16:00": the clock stands there, without a time at nine in the morning. */
  | {
      readonly kind: 'today'
      readonly date: string
      readonly hour: number
      readonly minute: number
      readonly second: number
    }
  /** "limits.max_loan_days = 7": a constant has this value from here to the end of the scenario. */
  | { readonly kind: 'constant'; readonly constant: string; readonly value: Cell }
  /** "3 days pass": the clock goes on, and what is due happens. */
  | { readonly kind: 'passes'; readonly count: number; readonly unit: ScenarioUnit }
  /** "Order O1 was made with day 2026-03-02": by the row before; from here on it is called O1. `name` null: "no Order was made". */
  | {
      readonly kind: 'made'
      readonly entity: string
      readonly name: string | null
      readonly values: readonly ScenarioValue[]
      readonly state: string | null
    }
  /**
   * "mail returned was sent to Anna", "2 mails were sent to Anna and Ben", "no call C-2 was made": by the row before. `name` null: of any name.
   * `count`: exactly so many, to each of `to` where it names somebody; null: one at least. `saying`: words of a mail; `sends`: values of a call.
   */
  | {
      readonly kind: 'left'
      readonly of: 'mail' | 'call'
      readonly name: string | null
      readonly to: readonly string[]
      readonly count: number | null
      readonly saying: string | null
      readonly sends: readonly { readonly name: string; readonly value: string }[]
    }
  /** "call C-2 of L1 is answered 200 with id R-77", "call C-2 of L1 gets no answer" (`status` null): names in the answer, and what they say. */
  | {
      readonly kind: 'answered'
      readonly call: string
      readonly record: string
      readonly status: number | null
      readonly body: readonly { readonly name: string; readonly value: string | number | boolean }[]
    }
  /** "message dispatch is sent with order L1, arrives_on 2026-03-02": names in it, and what they say; `record`: what a record is found by. */
  | {
      readonly kind: 'sent'
      readonly message: string
      readonly body: readonly ({ readonly name: string } & (
        | { readonly value: string | number | boolean }
        | { readonly record: string }
      ))[]
    }
  /** "L1 shows amount 12.00, note", "L1 does not show amount": `fields` are all of them, `values` and `state` what some of them say. */
  | {
      readonly kind: 'told'
      readonly record: string
      readonly fields: readonly string[]
      readonly values: readonly ScenarioValue[]
      readonly state: string | null
      readonly not: boolean
    }
  /** "My loans shows L1", "search "pump" does not show L1": the key of a screen, or what is looked for. */
  | ({ readonly kind: 'listed'; readonly record: string; readonly not: boolean } & (
      | { readonly screen: string }
      | { readonly search: string }
    ))
  /** "Overview shows Open orders 3", "Use shows Cleo 2": the key of a dashboard, report or chart, and a line of it as it is read there. */
  | { readonly kind: 'figured'; readonly screen: string; readonly line: string; readonly not: boolean }
  /** "L1.state = Approved": `record` is the one that the name before the dot was given to. */
  | {
      readonly kind: 'holds'
      readonly record: string
      readonly expression: import('../expression/expression.ts').Expression
    }

export const scenarioVerbs = ['see', 'change', 'delete', 'restore'] as const
export type ScenarioVerb = (typeof scenarioVerbs)[number]
export const scenarioUnits = ['minute', 'hour', 'day', 'week', 'month'] as const
type ScenarioUnit = (typeof scenarioUnits)[number]

/** What reading a document gives. `app` is null only where errors leave nothing that could be served. */
export interface Reading {
  readonly app: App | null
  readonly files: readonly SourceFile[]
  /** Those of them that only hold sample data. */
  readonly samples: ReadonlySet<SourceFile>
  readonly found: readonly Diagnostic[]
}
