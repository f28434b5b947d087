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
    help: 'Write it in the document, or accept it under heading 1 with `- **Assume:** {name}`. Only a strict check requires this.',
  },
  N1004: {
    severity: 'error',
    looksAt: [2],
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
    message: 'this cannot be read as {expected}',
    help: 'Write it like `{example}`.',
  },
  N1008: {
    severity: 'error',
    message: 'nothing in this scenario is called `{name}`{meant}',
    help: 'Introduce {introduced}.',
  },
  N1009: {
    severity: 'error',
    message: '`{value}` is not a value of `{field}`: {why}',
    help: 'The field is of type {type}.',
  },
  N1010: {
    severity: 'error',
    declaredIn: 3,
    message: '`{value}` names no {entity} of the sample data{meant}',
    help: 'Write the name of the record, or another unique text from its row under `Sample data`; other sample data can also use the name that a row has there. Auto numbers are given later and cannot be used. People are those of the scenarios and of `### Person`. Only files can name what is in a file.',
  },
  N1011: {
    severity: 'error',
    declaredIn: 8,
    message: '`{result}` is not a result{meant}',
    help: 'A result is ok, denied, or a code of the error catalogue; in a scenario also `ok with E-LATE confirmed`, if a warning is confirmed.',
  },
  N1013: {
    severity: 'error',
    message: '`{key}` is not known here{where}',
    help: 'No bold keys are read here. If this is only text, do not start the bullet with a bold word and a colon.',
  },
  N1012: {
    severity: 'error',
    message: '`{name}` has a different role here: {role}, but {first} before',
    help: 'Introduce a person once: `Cleo the Clerk`, then `Cleo`.',
  },
  N1027: {
    severity: 'error',
    older: 'the result was passed over',
    message: 'a row `Then` tries nothing, so that nothing can be `{result}`',
    help: 'Leave `Result` empty. What is refused stands in the row `When` that tries it: `| When | Ben | approve L1 | {result} |`.',
  },
  N1028: {
    severity: 'error',
    message: '`{field}` has a value in this row already',
    help: 'Keep one of the two. A field is only repeated where it names several records: `readers Ralf, readers Rosa`.',
  },
} as const satisfies CodeTable

/** What stands where, once it is known what it is: N0319 and above. */
export const structureCodes = {
  N0319: {
    severity: 'hint',
    message: 'heading {number} comes after heading {before}',
    help: 'Put the headings in order, from 1 to 9, so that readers find a line faster.',
  },
  N0320: {
    severity: 'warning',
    message: '`{key}` decides nothing without {lacks}',
    help: 'Write `**{key}:**`, or start with another word if this is only text.',
  },
  N0321: {
    severity: 'error',
    message: 'the heading `{heading}` is missing above this',
    help: 'Write it above this line. What follows is read as if it were there.',
  },
  N0322: {
    severity: 'error',
    hides: 'heading',
    message: 'a heading 3 is missing above this: {which}',
    help: 'Write `### ` and the name of the entity above this line. Without the heading, what follows belongs to the entity above, or to none.',
  },
  N0323: {
    severity: 'error',
    message: 'the heading `#### Scenario: …` is missing above this table{instead}',
    help: 'Write `#### Scenario: ` and what it shows above the table.',
  },
  N0324: {
    severity: 'error',
    message: 'this table belongs under heading {number}, {title}',
    help: 'Move it there. To keep it here as an illustration, put it in a block quote.',
  },
  N0326: {
    severity: 'error',
    hides: 'heading',
    message: 'this table is not read: it stands {where}',
    help: 'A table begins at the beginning of a line, outside of code and lists, with bars between its cells. To keep it as an illustration, put it in a block quote.',
  },
  N0329: {
    severity: 'error',
    message: "`{one}` and `{other}` stand in each other's place in this {where}",
    help: 'Exchange the two. What stands there is read as if they were exchanged.',
  },
  N0330: {
    severity: 'error',
    hides: 'heading',
    message: 'a list decides nothing; {what} stand in a table',
    help: 'Write a row for each, so that the rest of the document can name them.',
  },
} as const satisfies CodeTable
