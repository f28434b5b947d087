/** What was written, before names mean anything. Offsets are in the cell's text, half-open. */

export interface TextRange {
  readonly from: number
  readonly to: number
}

export interface Name extends TextRange {
  readonly text: string
}

export type Sign = '=' | '!=' | '<' | '<=' | '>' | '>='

export type ArithmeticSign = '+' | '-' | '*' | '/'

/** What stands between the brackets of a call: `lines where damaged`, `other Loan where item = this.item order by due_back down`, `lines.net by lines.rate`. */
export interface Argument {
  readonly value: Ast
  /** `other`, before an entity: not the record that the rule is about. */
  readonly other: TextRange | null
  readonly where: Ast | null
  /** What the records are grouped by. */
  readonly by: Ast | null
  /** `order by`, the most important first. */
  readonly order: readonly Ordering[] | null
}

export interface Ordering {
  readonly field: Name
  readonly down: boolean
}

export type Ast = TextRange &
  (
    | { readonly kind: 'number'; readonly value: string; readonly percent?: true }
    | { readonly kind: 'duration'; readonly amount: string; readonly unit: Unit }
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'date' | 'moment' | 'time'; readonly value: string }
    | { readonly kind: 'boolean'; readonly value: boolean }
    /** `empty`, behind `then` or `else`. */
    | { readonly kind: 'nothing' }
    | { readonly kind: 'choice'; readonly name: string }
    /** `item.category.keeper`; the first name may be an entity's (`Loan.value`) in an aggregate. */
    | { readonly kind: 'path'; readonly names: readonly Name[] }
    /** `decisions of approve`, `decisions of approve.by.name`: many, so only within a call. */
    | { readonly kind: 'decisions'; readonly of: Name; readonly behind: readonly Name[] }
    /** `limits.rate on invoiced_on`. */
    | { readonly kind: 'dated'; readonly of: Extract<Ast, { kind: 'path' }>; readonly day: Ast }
    /** `behind`: what stands behind `first(…)`. */
    | {
        readonly kind: 'call'
        readonly name: Name
        readonly arguments: readonly Argument[]
        readonly behind: readonly Name[]
      }
    | { readonly kind: 'if'; readonly condition: Ast; readonly then: Ast; readonly otherwise: Ast }
    | { readonly kind: 'not'; readonly of: Ast }
    | { readonly kind: 'and' | 'or'; readonly parts: readonly Ast[] }
    | { readonly kind: 'compare'; readonly sign: Sign; readonly at: TextRange; readonly left: Ast; readonly right: Ast }
    | { readonly kind: 'is'; readonly not: boolean; readonly left: Ast; readonly right: Ast }
    | { readonly kind: 'empty'; readonly not: boolean; readonly of: Ast }
    | { readonly kind: 'in'; readonly not: boolean; readonly of: Ast; readonly list: readonly Ast[] }
    /** `me in project.members`. */
    | { readonly kind: 'member'; readonly not: boolean; readonly of: Ast; readonly list: Ast }
    /** `department within my.department`. */
    | { readonly kind: 'within'; readonly not: boolean; readonly of: Ast; readonly tree: Ast }
    | { readonly kind: 'between'; readonly not: boolean; readonly of: Ast; readonly low: Ast; readonly high: Ast }
    | { readonly kind: 'contains' | 'starts'; readonly not: boolean; readonly left: Ast; readonly right: Ast }
    | { readonly kind: 'negate'; readonly of: Ast }
    | {
        readonly kind: 'arithmetic'
        readonly sign: ArithmeticSign
        readonly at: TextRange
        readonly left: Ast
        readonly right: Ast
      }
  )

export const clockUnits = { second: 1000, minute: 60_000, hour: 3_600_000 } as const

/** Months and days that a unit is worth. */
export const calendarUnits = { day: [0, 1], week: [0, 7], month: [1, 0], year: [12, 0] } as const

export type Unit = keyof typeof clockUnits | keyof typeof calendarUnits

/** Words of the grammar: no field, constant or function can have such a name. */
export const reservedWords: ReadonlySet<string> = new Set(
  'or and not is empty in between contains starts with within where if then else true false yes no other me my today now limits settings old this'.split(
    ' ',
  ),
)
