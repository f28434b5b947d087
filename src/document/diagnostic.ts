/** What Ninefold has to say about a document: typed, with a place, a reason and, where possible, the edit that cures it. */
import type { Cell, Span } from './source.ts'

export type Severity = 'error' | 'warning' | 'gap' | 'hint'

/** A change of the document that cures a diagnostic. Edits do not overlap and are given in source order. */
export interface Fix {
  readonly title: string
  /** What it does, for whoever judges findings by their cures: `write` puts what was meant in the place of what stands there. */
  readonly kind?: 'write' | 'insert cell'
  readonly edits: readonly { readonly span: Span; readonly text: string }[]
}

/** Something that a document says or ought to say, as a value that compares. Made by `headings/cascades/facts.ts`; nobody takes one apart. */
export type Fact = string & { readonly __fact: never }

export type Params = Readonly<Record<string, string | number>>

export interface Diagnostic {
  /** `N` and four digits; never reused. */
  readonly code: string
  readonly severity: Severity
  /** The values of this finding by the names of the holes in its code's texts: code reads these, people read the texts. */
  readonly params: Params
  /** What is wrong, in one sentence without a full stop. */
  readonly message: string
  /** Why it matters or what to write instead. */
  readonly help?: string
  readonly span: Span
  readonly related: readonly { readonly span: Span; readonly message: string }[]
  readonly fixes: readonly Fix[]
  /** What does not hold. */
  readonly subject?: Fact
  /** What would have to hold for this to be worth saying. */
  readonly causes?: readonly Fact[]
  /** The heading (1 to 9) that it belongs to; 0 for the file as a whole. */
  readonly section: number
}

/** A row of a code table: what a diagnostic with this code says. `{name}` is filled from the report's parameters. */
export interface Code {
  readonly severity: Severity
  readonly message: string
  readonly help?: string
  /** How a version before this one took it: `ninefold upgrade` writes its fix, where it has one alone, or tells it. */
  readonly older?: string
  /** It does not know a name, which this heading would declare. */
  readonly declaredIn?: number
  /** Headings that it judges as a whole: no news while one of them lacks something. */
  readonly looksAt?: readonly number[]
  /** What is not read because of it: its own heading, or whatever the document says. */
  readonly hides?: 'heading' | 'document'
}

export type CodeTable = Readonly<Record<string, Code>>

/** The names of the holes in a text. */
export type Holes<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Holes<Rest>
  : never

/** The parameters that a code's message and help need, as a type: a forgotten one does not compile. */
export type Parameters<C extends Code> = Holes<C['message']> | (C['help'] extends string ? Holes<C['help']> : never)

export interface ReportOptions {
  readonly related?: Diagnostic['related']
  readonly fixes?: readonly Fix[]
  readonly subject?: Fact
  readonly causes?: readonly Fact[]
}

/** Collects diagnostics of one code table, for one heading. */
export interface Reporter<Table extends CodeTable> {
  readonly report: <Name extends keyof Table & string>(
    code: Name,
    span: Span | Cell,
    parameters: Readonly<Record<Parameters<Table[Name]>, string | number>>,
    options?: ReportOptions,
  ) => void
}

/** A text of a code table with its holes filled. */
export const filled = (text: string, params: Params): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))

/** Binds a code table and a heading number to the list that diagnostics are collected in. */
export function reporter<const Table extends CodeTable>(
  table: Table,
  section: number,
  found: Diagnostic[],
): Reporter<Table> {
  return {
    report(code, span, parameters, options = {}) {
      const { severity, message, help } = table[code] as Code
      const params: Params = parameters
      found.push({
        code,
        severity,
        params,
        message: filled(message, params),
        ...(help === undefined ? {} : { help: filled(help, params) }),
        span,
        section,
        related: [],
        fixes: [],
        ...options,
      })
    },
  }
}
