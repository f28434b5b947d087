/** Where a command says what it found: as text for people, or as JSON for programs, whose shapes are in docs/schemas. */
import type { Diagnostic } from '../document/diagnostic.ts'
import { findingOf, printFrames } from '../document/print.ts'

export interface Output {
  /** Text as it is. */
  readonly print: (text: string) => void
  /** A line of text. */
  readonly say: (line: string) => void
  /** What is worth knowing beside the result. */
  readonly warn: (line: string) => void
  /** Why there is no result. */
  readonly fail: (why: string, findings?: readonly Diagnostic[]) => void
  /** What the text says, as a value. */
  readonly result: (value: object) => void
}

/** On the terminal: text, and beside the result what goes wrong. */
export const text: Output = {
  print: part => void process.stdout.write(part),
  say: line => console.log(line),
  warn: line => console.error(line),
  fail: (why, findings = []) => (findings.length > 0 ? text.print(printFrames(findings)) : console.error(why)),
  result: () => {},
}

/** With `--json`: the value alone, one to a line. */
export const json: Output = {
  print: () => {},
  say: () => {},
  warn: line => console.error(line),
  fail: (error, findings = []) => json.result({ error, findings: findings.map(findingOf) }),
  result: value => console.log(JSON.stringify(value)),
}

/** The document has errors, so that nothing can be done with it; the exit code. */
export function refuse(output: Output, errors: readonly Diagnostic[]): 1 {
  output.fail('The document has errors.', errors)
  return 1
}
