/** What heading 1 says stands in bullets with a bold key; only the words of another language stand in a table. */

/** The keys of heading 1, in the order in which the reference lists them. */
export const properties = {
  name: 'product',
  columns: [
    { name: 'Serves', required: false, meaning: 'For whom it is, and for how many people.' },
    {
      name: 'Colour',
      required: false,
      meaning:
        'One colour, as `#0b6e4f` or by its CSS name: buttons, links and marks are made of it, in light and in dark.',
    },
    { name: 'Logo', required: false, meaning: 'A link to an image beside the document: SVG, PNG, JPEG or WebP.' },
    {
      name: 'Theme',
      required: false,
      meaning: 'A link to a style sheet beside the document: tokens, fonts and rules.',
    },
    {
      name: 'Letterhead',
      required: false,
      meaning: 'Who writes, at the head of printed pages: a name, then the lines of an address, parted by `;`.',
    },
    { name: 'Sign-in text', required: false, meaning: 'A sentence above the form of the sign-in.' },
    {
      name: 'Time zone',
      required: false,
      meaning: 'IANA name; decides what `today` is and when timers fire. Assumed UTC (A-ZONE-1).',
    },
    {
      name: 'Week begins',
      required: false,
      meaning:
        'The day on which weeks begin, in calendars, filters and charts: `Sunday`. Default: as in the first language.',
    },
    {
      name: 'Languages',
      required: false,
      meaning: 'Languages of the screens; the document is written in the first. Assumed English (A-LANGUAGE-1).',
    },
    {
      name: 'Default language',
      required: false,
      meaning: 'The one of them for whoever chose none. Default: the first.',
    },
    {
      name: 'Sign-in',
      required: false,
      meaning: 'Ways to sign in: e-mail link, password, single sign-on, passkey. Assumed password (A-SIGNIN-1).',
    },
    {
      name: 'Sign-up',
      required: false,
      meaning:
        'Who becomes a person by themselves, and with which roles: domains of e-mail addresses, or everyone, `as Borrower`. Default: nobody.',
    },
    {
      name: 'Tenant',
      required: false,
      meaning:
        'The entity that keeps people apart: `Company`. Each sees, counts and names only what belongs to their own; whoever works for several needs conditions under heading 6 instead: `house.company = my.company`.',
    },
    {
      name: 'Document for',
      required: false,
      meaning:
        'Roles that read this document inside the application: its lines, gaps, diagrams and permissions. Default: nobody.',
    },
    {
      name: 'Assistants',
      required: false,
      meaning: 'Roles in which assistants may act, at `/-/mcp`; `none`: in none. Default: in all.',
    },
    {
      name: 'Assistants ask before',
      required: false,
      meaning:
        'Steps by name, `pay of Order`, and `delete`: an assistant does not do them, its person does, at an address that it is given. Default: none.',
    },
    {
      name: 'Assume',
      required: false,
      meaning:
        'Accepts assumptions by name: `A-SEE-ITEM`. `screens`: serves a list and a page of every entity that no screen shows.',
      many: true,
    },
    {
      name: 'Accept',
      required: false,
      meaning: 'Accepts warnings by code, perhaps with the words that they stand at: `N1404 Lost`.',
      many: true,
    },
  ],
} as const

/** Under a heading 3 that names the language. */
export const translations = {
  name: 'translations',
  columns: [
    {
      name: 'Text',
      required: true,
      meaning: 'A name, label or message as it stands elsewhere in the document: `Loan`, `Due back`, `hand out`.',
    },
    { name: 'Translation', required: true, meaning: 'The same in this language; `{fields}` are filled in as there.' },
  ],
} as const
