/** What concerns all headings: N10xx. The hundred of every other code here is its heading: N14xx is heading 4. Numbers are never reused. */
import type { CodeTable } from '../document/diagnostic.ts'

export const commonCodes = {
  N1001: {
    severity: 'error',
    message: 'not supported yet: {what}',
    help: '{instead}',
  },
  N1002: { severity: 'gap', message: '{what} is unspecified: {consequence}' },
  N1003: {
    severity: 'error',
    message: 'assumption {name} is not accepted: {what}',
    help: 'Say it in the document, or accept it under heading 1 with `- **Assume:** {name}`. Only a strict check asks for this.',
  },
  N1004: {
    severity: 'error',
    message: '`{title}` is not read here{meant}',
    help: 'A heading 4 here is {known}, or begins with `Notes`.',
  },
  N1006: {
    severity: 'error',
    message: '`{step}` is not a step of a scenario{meant}',
    help: 'The steps are Given, When, Then and And.',
  },
  N1007: {
    severity: 'error',
    message: 'this is not understood as {expected}',
    help: 'Write it as in `{example}`.',
  },
  N1008: {
    severity: 'error',
    message: 'nothing in this scenario is called `{name}`{meant}',
    help: 'A record is introduced by `Loan L1 by Cleo …`, a person by `Cleo the Clerk`.',
  },
  N1009: {
    severity: 'error',
    message: '`{value}` is not a value of `{field}`: {why}',
    help: 'The field is of type {type}.',
  },
  N1010: {
    severity: 'error',
    message: '`{value}` names no {entity} of the sample data{meant}',
    help: 'Write the name or another unique text that stands in its row under `Sample data`; other sample data may say what the row is called there. An auto number is given later and names nothing here. People are those of the scenarios and of `### Person`; what a file says is known to files alone.',
  },
  N1011: {
    severity: 'error',
    message: '`{result}` is not a result{meant}',
    help: 'A result is ok, denied, or a code of the error catalogue; in a scenario also `ok with E-LATE confirmed`, where a warning is confirmed.',
  },
  N1013: {
    severity: 'error',
    message: '`{key}` is not known here',
    help: 'No bold keys are read here. A bullet that is only text does not begin with a bold word and a colon.',
  },
  N1012: {
    severity: 'error',
    message: '`{name}` has another role here: {role}, before {first}',
    help: 'A person of a scenario is introduced once: `Cleo the Clerk`, then `Cleo`.',
  },
} as const satisfies CodeTable

/** What stands where, once it is known what it is: N0319 and above. */
export const structureCodes = {
  N0319: {
    severity: 'hint',
    message: 'heading {number} stands behind heading {before}',
    help: 'The nine headings are read from 1 to 9; everybody finds a line faster where they stand in that order.',
  },
  N0320: {
    severity: 'warning',
    message: '`{key}` decides nothing without {lacks}',
    help: 'Write `**{key}:**`, or begin otherwise where it is only text.',
  },
} as const satisfies CodeTable
