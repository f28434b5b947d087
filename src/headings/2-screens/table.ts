/** The columns and keys of heading 2, as data: reading, "unknown column" and the reference are made from them. */

export const routes = {
  name: 'routes',
  columns: [
    {
      name: 'Route',
      required: true,
      meaning: 'The address: `/loans/{number}`; braces name a field of the shown entity.',
    },
    { name: 'Screen', required: true, meaning: 'What people call it.' },
    { name: 'For', required: true, meaning: 'Who may open it: roles, everyone, or everyone signed in.' },
    {
      name: 'Shows',
      required: true,
      meaning: 'The kind of screen and its entity: `list of Loan`, `board of Loan by state`, `one Loan`.',
    },
  ],
} as const

/** Keys under a screen's heading 3. The first three say what the table's columns say. */
export const properties = {
  name: 'screen',
  columns: [
    { name: 'Route', required: false, meaning: 'As the column of the routes table.' },
    { name: 'For', required: false, meaning: 'As the column of the routes table.' },
    { name: 'Shows', required: false, meaning: 'As the column of the routes table.' },
    {
      name: 'Home for',
      required: false,
      meaning: 'Roles that come to this screen after signing in, and at `/`.',
    },
    { name: 'Where', required: false, meaning: 'Rows it shows, besides what permissions allow.' },
    { name: 'Columns', required: false, meaning: 'Fields of a list, in order.' },
    {
      name: 'Filters',
      required: false,
      meaning: 'Fields that stand over a list as filters, in order: `state, borrower.name, due_back`.',
    },
    {
      name: 'Totals',
      required: false,
      meaning: 'Numbers and amounts of a list that are added up below it: `net, gross`.',
    },
    {
      name: 'Card',
      required: false,
      meaning: 'Fields on a card of a board, or beside an entry of a calendar, in order.',
    },
    {
      name: 'Sort',
      required: false,
      meaning: 'Fields to sort by: `due_back, then number`; `down` after a field turns it round.',
    },
    {
      name: 'View',
      required: false,
      meaning:
        'A view of a list, as a tab over it: `Late where state = Overdue; columns number, due_back; sort due_back down`. May stand there several times.',
      many: true,
    },
    {
      name: 'Views shared by',
      required: false,
      meaning: 'Roles that may share views of the list that they saved, with any role.',
    },
    {
      name: 'By',
      required: false,
      meaning: 'What a report is grouped by, outermost first: `item.category, month of out_on`.',
    },
    {
      name: 'Measure',
      required: false,
      meaning:
        'A number that a report shows of each group: `sum of total_value as Value`. May stand there several times.',
      many: true,
    },
    {
      name: 'Asks',
      required: false,
      meaning:
        'What a report asks its reader; `asked.from` in its expressions: `from: date default today - 30`. May stand there several times.',
      many: true,
    },
    { name: 'Steps', required: false, meaning: 'Steps that an inbox waits for. Absent: all.' },
    { name: 'Buttons', required: false, meaning: 'Steps offered here. Absent: all steps of the entity.' },
    {
      name: 'Related',
      required: false,
      meaning:
        'Entities whose records are listed below when they refer to this one, in this order, rows of other records too: `Order line`; `none`. Absent: all that refer to it, without rows.',
    },
    {
      name: 'Block',
      required: false,
      meaning:
        'A React component on the page of a record: a link with its name to the file beside the document that exports it. May stand there several times.',
      many: true,
    },
    {
      name: 'Title',
      required: false,
      meaning: 'What stands on top of a print; a text with `{fields}`.',
    },
    { name: 'Text', required: false, meaning: 'What stands below the title of a print; a text with `{fields}`.' },
    {
      name: 'Footer',
      required: false,
      meaning: 'What stands at the foot of each page of a print; a text with `{fields}`.',
    },
    { name: 'Confirmation', required: false, meaning: 'What a form for everyone says when it was sent.' },
    { name: 'Confirmation title', required: false, meaning: 'What stands over it then. Absent: that it has arrived.' },
    {
      name: 'At most',
      required: false,
      meaning:
        'How many of a form for everyone are taken from one address: `5 per hour`; `else` names an error of heading 8.',
    },
    {
      name: 'Confirm by mail to',
      required: false,
      meaning: 'The field of a form for everyone whose address is confirmed by a link before a record is made.',
    },
    {
      name: 'Embedded in',
      required: false,
      meaning: 'Sites whose pages may show a form for everyone in a frame: `https://www.example.org`. Absent: none.',
    },
    { name: 'Empty text', required: false, meaning: 'What stands there when there is nothing to show.' },
    { name: 'Meaning', required: false, meaning: 'Prose for help and documentation.' },
  ],
} as const

/** Keys under a heading 4 of a wizard: a page. */
export const pageKeys = {
  name: 'page',
  columns: [
    { name: 'Columns', required: true, meaning: 'Fields that it asks for, in order.' },
    { name: 'Meaning', required: false, meaning: 'Prose that stands above them.' },
  ],
} as const

/** Keys under a heading 4 of a record's page or form: a section. */
export const sectionKeys = {
  name: 'section',
  columns: [
    { name: 'Columns', required: true, meaning: 'Fields and child rows that stand in it, in order.' },
    {
      name: 'Tab',
      required: false,
      meaning: 'The tab that it stands on, on the page of a record. Absent: the first one.',
    },
    { name: 'Meaning', required: false, meaning: 'Prose that stands above them.' },
  ],
} as const

/** Keys under a heading 4 of a print: a part. */
export const partKeys = {
  name: 'part',
  columns: [
    {
      name: 'Columns',
      required: false,
      meaning:
        'Fields, also of records that it names (`supplier.name`), and rows with their columns (`lines.product, lines.net`), in order.',
    },
    { name: 'Text', required: false, meaning: 'What stands above them; a text with `{fields}`.' },
  ],
} as const

/** Keys under a heading 4 of a dashboard: a card. */
export const cardKeys = {
  name: 'card',
  columns: [
    { name: 'Measure', required: false, meaning: 'The number that it shows: `count of Loan where state = Out`.' },
    {
      name: 'By',
      required: false,
      meaning: 'With it the card is a chart: a number for each `state`, `item.category` or `month of out_on`.',
    },
    { name: 'Chart', required: false, meaning: '`bars` or `line`. Absent: a line over time, bars otherwise.' },
    { name: 'Shows', required: false, meaning: 'A list instead of a number: `list of Loan`.' },
    { name: 'Where', required: false, meaning: 'Rows of the list, besides what permissions allow.' },
    { name: 'Columns', required: false, meaning: 'Fields of the list, in order.' },
    { name: 'Sort', required: false, meaning: 'The order of the list.' },
    { name: 'Meaning', required: false, meaning: 'Prose that stands below it.' },
  ],
} as const
