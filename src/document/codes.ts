/** What the reader of documents itself has to say: N00xx files and parts, N03xx structure and tables, N08xx prose. Numbers are never reused. */
import { type CodeTable, type Diagnostic, type Reporter, reporter } from './diagnostic.ts'

export const documentCodes = {
  N0001: {
    severity: 'error',
    message: 'there is no file `{path}`',
    help: 'Give the path of the root file of the document.',
  },
  N0002: {
    severity: 'error',
    hides: 'document',
    message: 'there is no file `{path}`',
    help: 'A part is linked relative to the folder of the root file: `- **Part:** [Loans](parts/loans.md)`.',
  },
  N0003: {
    severity: 'gap',
    message: 'the application has no name',
    help: 'Start the file with `# ` and the name. Until then, the path of the file is shown instead.',
  },
  N0004: { severity: 'error', message: 'the part `{path}` is linked twice', help: 'Link each part once.' },
  N0005: {
    severity: 'error',
    message: 'a part cannot have parts of its own',
    help: 'Move this line to the root file, `{root}`, before its first heading 2.',
  },
  N0006: {
    severity: 'error',
    message: 'the root file is linked as a part of itself',
    help: 'Remove this line: the root file is always read.',
  },
  N0007: {
    severity: 'error',
    hides: 'document',
    message: '`{written}` is not a link to a part',
    help: 'Write a relative link: `- **Part:** [Loans](parts/loans.md)`.',
  },
  N0008: {
    severity: 'error',
    message: 'a second heading 1; a file has one name',
    help: 'Use heading 2 for the nine headings and heading 3 for what is below them.',
  },
  N0010: {
    severity: 'error',
    message: 'edition `{edition}` is not known; this Ninefold reads edition {known}',
    help: 'Write `- **Ninefold:** {known}`, or use a Ninefold that reads edition `{edition}`.',
  },
  N0012: {
    severity: 'error',
    message: '`{key}` is only allowed in the root file',
    help: 'Move this line to `{root}`, before its first heading 2.',
  },
  N0013: {
    severity: 'error',
    hides: 'document',
    message: 'this {what} is never closed, so nothing below it is read',
    help: 'Close it with {close} on a line of its own.',
  },
  N0014: {
    severity: 'error',
    message: 'the character {character} cannot be stored or shown; {count} in this file',
    help: 'Remove it. It often comes from copying.',
  },
  N0015: {
    severity: 'warning',
    message: 'the invisible character {character} changes the order in which this line is shown; {count} in this file',
    help: 'Remove it: it makes the line read differently from what runs.',
  },
  N0016: {
    severity: 'error',
    hides: 'document',
    message: 'lists or block quotes are nested more than {limit} deep here, so this block is not read',
    help: 'Use fewer levels; only top-level headings, tables and bullets decide anything.',
  },
  N0017: {
    severity: 'error',
    message: 'this list item or block quote has more than {limit} lines, so it is not read',
    help: 'Split it with an empty line and a line that is not indented.',
  },
  N0018: {
    severity: 'error',
    hides: 'document',
    message: 'this file is not UTF-8, but probably {encoding}',
    help: 'Save it as UTF-8: editors have the encoding in *Save as*, or say `iconv -f {encoding} -t UTF-8 {path} > utf-8.md`. If all else is UTF-8, take out this one character.',
  },

  N0301: {
    severity: 'error',
    hides: 'document',
    message: '`{title}` is not one of the nine headings{meant}',
    help: 'The nine are: {titles}. Nothing under another heading 2 is read.',
  },
  N0302: {
    severity: 'error',
    message: '`{title}` is heading {right}, not {wrong}',
    help: 'Write `{right} {title}`, or leave the number out.',
  },
  N0303: {
    severity: 'error',
    hides: 'document',
    message: 'this {what} comes before the first of the nine headings',
    help: 'Move it below the heading it belongs to; to keep a table as an illustration, put it in a block quote.',
  },
  N0304: {
    severity: 'error',
    hides: 'heading',
    message: 'this heading is empty',
    help: 'Write a title, or remove the heading.',
  },
  N0305: {
    severity: 'error',
    message: '`{key}` is not known here{meant}',
    help: 'Known here: {known}{note}. If this is only text, do not start the bullet with a bold word and a colon.',
  },
  N0306: { severity: 'error', message: '`{key}` appears twice', help: 'Keep one of the two lines.' },
  N0307: {
    severity: 'error',
    message: 'the indented text below `{key}` is not read',
    help: 'Write the whole value on the same line as its key.',
  },
  N0308: {
    severity: 'error',
    message: '`{kind}` is not a kind of ninefold fence{meant}',
    help: 'Write ```ninefold mail with the name of a mail for its body. What a call sends stands in its `Send` table.',
  },
  N0309: {
    severity: 'error',
    message: '`{written}` names nothing',
    help: 'Write `(was Booking)` with the old name, `(part of Loan)` with the owner, or remove the parentheses.',
  },
  N0310: {
    severity: 'error',
    hides: 'heading',
    message: 'this table is not understood here{nearest}',
    help: '{edit} To keep it as an illustration, put it in a block quote.',
  },
  N0311: {
    severity: 'error',
    hides: 'heading',
    message: 'this row has {cells} cells, the header has {columns}{edit}',
    help: '{help}',
  },
  N0312: {
    severity: 'error',
    hides: 'heading',
    message: 'the column `{column}` appears twice in this header',
    help: 'Keep one of the two.',
  },
  N0313: {
    severity: 'error',
    hides: 'heading',
    message: 'this is not read as a table: its header has {columns} cells, the line of dashes has {dashes}',
    help: 'Write one `---` for each column.',
  },
  N0314: {
    severity: 'error',
    hides: 'heading',
    message: 'these lines look like a table, but there is no header with a line of dashes',
    help: 'Rows belong directly below their table, without an empty line. A table starts with a header and `| --- | --- |`.',
  },
  N0315: {
    severity: 'warning',
    message: 'this line is read as a row of the table above it',
    help: 'Put an empty line before it if it is text, or bars around its cells if it is a row.',
  },
  N0316: {
    severity: 'warning',
    message: 'heading {number} is titled `{title}`, not `{written}`',
    help: 'It is read as heading {number} because of its number.',
  },
  N0317: {
    severity: 'error',
    hides: 'heading',
    message: 'the lines that look like a table here are part of the HTML above them',
    help: 'Put an empty line between the HTML and the table.',
  },

  N0318: {
    severity: 'error',
    hides: 'heading',
    message: 'this table has {columns} columns; at most {limit} are allowed',
    help: 'Write its rows as blocks: a heading 4 for each, with bold keys for the columns.',
  },
  N0325: {
    severity: 'error',
    message: 'another table begins here, without an empty line before it',
    help: 'Only an empty line ends a table.',
  },
  N0327: {
    severity: 'error',
    message: 'this heading is written `{instead}`',
    help: 'Heading 2 is one of the nine; heading 3 names an entity, a screen or a call; heading 4 is a step, `Sample data`, `Examples: …`, `Fields: …` or `Scenario: …`. It is read as if it were written so.',
  },
  N0328: {
    severity: 'error',
    message: 'this row says the {what} of its table again',
    help: 'A table has its header and its line of dashes once. Where two tables were put together, take them out between their rows.',
  },
  N0331: {
    severity: 'error',
    message: 'this table is text of the {what} above it, because no empty line stands between them',
    help: 'Put an empty line before it. It is read as if one stood there.',
  },

  N0801: {
    severity: 'hint',
    message: 'this reads like a rule (“{word}”), but prose decides nothing',
    help: 'Write it as a row of a table, or put it in a block quote if it is only an explanation.',
  },
} as const satisfies CodeTable

/** Reports a document-level diagnostic. */
export type DocumentReport = Reporter<typeof documentCodes>['report']

/** Binds the document-level codes to a heading (0 for the file as a whole) and to the list that diagnostics are collected in. */
export function documentReport(section: number, found: Diagnostic[]): DocumentReport {
  return reporter(documentCodes, section, found).report
}
