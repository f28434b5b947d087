/** All commands. Each is loaded when it is called: to list them takes none, and `ninefold check` never loads React or the database driver. */
import type { Listed } from './command.ts'

export const commands: Readonly<Record<string, Listed>> = {
  new: {
    usage: 'new FOLDER [--zone …] [--currency …]',
    meaning: 'Makes a folder with a small document to start from, and the scripts that serve and test it.',
    load: async () => (await import('./new.ts')).newProject,
  },
  dev: {
    usage: 'dev FILE',
    meaning:
      'Serves a document while you write it, with demo people, sample data and a mailbox. Each save shows at once.',
    lasts: true,
    load: async () => (await import('./dev.ts')).dev,
  },
  serve: {
    usage: 'serve FILE',
    meaning:
      'Serves a document in production, on your own PostgreSQL. Settings come from the environment: DATABASE_URL, PUBLIC_URL, SMTP_URL and others (docs/serving.md).',
    load: async () => (await import('./serve.ts')).serve,
  },
  check: {
    usage: 'check FILE [--ways]',
    meaning: 'Reads a document and says what is wrong with it. Exit code 1 if it has errors.',
    load: async () => (await import('./check.ts')).check,
  },
  gaps: {
    usage: 'gaps FILE [--texts LANGUAGE]',
    meaning:
      'Lists what a document leaves open, what follows from that, and who owes the answer. Exit code 1 if it has errors.',
    load: async () => (await import('./gaps.ts')).gaps,
  },
  plan: {
    usage: 'plan FILE',
    meaning:
      'Shows what a document would change in the database: statements, locks, and what happens to existing records. Changes nothing.',
    load: async () => (await import('./plan.ts')).plan,
  },
  apply: {
    usage: 'apply FILE',
    meaning: 'Changes the database to match the document. Drops nothing but what you name with --drop.',
    load: async () => (await import('./plan.ts')).apply,
  },
  backlog: {
    usage: 'backlog FILE [--resume CALL]',
    meaning:
      'Lists the mails, calls and timers that wait or were given up, and the calls that pause. With --resume one of these is tried now.',
    load: async () => (await import('./backlog.ts')).backlog,
  },
  backup: {
    usage: 'backup FILE --to FOLDER',
    meaning: 'Writes the database and its files, as they are at one moment, to a folder. The application goes on.',
    load: async () => (await import('./backup.ts')).backup,
  },
  restore: {
    usage: 'restore FILE --from FOLDER',
    meaning: 'Puts a backup into an empty database, and its files where files lie. All of it, or nothing.',
    load: async () => (await import('./backup.ts')).restore,
  },
  person: {
    usage: 'person FILE --email … [--name …] [--role …] [--tenant …] [--give-out FOLDER] [--erase]',
    meaning:
      'Creates a person, or finds them by e-mail address; gives them roles and prints a link that signs them in once. Also gives out or erases all that is held about them.',
    load: async () => (await import('./person.ts')).person,
  },
  verify: {
    usage: 'verify FILE',
    meaning:
      "Tries the application over HTTP: the document's Examples and Scenarios, what it lets each person do in each state, and every screen.",
    lasts: true,
    load: async () => (await import('./verify.ts')).verify,
  },
  explain: {
    usage: 'explain FILE THING | explain FILE --record … --person … | explain N0000',
    meaning:
      'Shows the line that decides a rule, step, field, role, error, constant or screen, and where it is enforced; or what a person may do with a record; or what a code means. Exit code 1 if the document has errors.',
    load: async () => (await import('./explain.ts')).explain,
  },
  reference: {
    usage: 'reference QUESTION [--page …]',
    meaning: 'Prints the parts of the manual, and the articles on codes, that answer a question best.',
    load: async () => (await import('./reference.ts')).reference,
  },
  examples: {
    usage: 'examples TOPIC [--page …]',
    meaning: 'Prints the parts of the documents that come along which show a topic best.',
    load: async () => (await import('./reference.ts')).examples,
  },
  preview: {
    usage: 'preview FILE ADDRESS [--person …]',
    meaning: 'Prints what a demo person reads at an address of the application, with the sample data, as text.',
    load: async () => (await import('./preview.ts')).preview,
  },
  states: {
    usage: 'states FILE',
    meaning: 'Prints the states of each entity as a Mermaid diagram for a Markdown page.',
    load: async () => (await import('./states.ts')).states,
  },
  format: {
    usage: 'format FILE',
    meaning: 'Writes the tables of a document, in all its files, with one space around each cell. Changes no meaning.',
    load: async () => (await import('./format.ts')).format,
  },
  upgrade: {
    usage: 'upgrade FILE',
    meaning:
      'Writes a document of an older Ninefold in what this one reads, where its meaning stays, says what it changed, and lists what you have to decide (docs/upgrading.md). Exit code 1 while there is any of that.',
    load: async () => (await import('./upgrade.ts')).upgrade,
  },
  lsp: {
    usage: 'lsp',
    meaning: 'A language server for editors, on standard input and output (docs/editors.md).',
    load: async () => (await import('./lsp.ts')).lsp,
  },
  mcp: {
    usage: 'mcp',
    meaning: 'A server for assistants (Model Context Protocol), on standard input and output (docs/assistants.md).',
    lasts: true,
    load: async () => (await import('./mcp.ts')).serverOf(commands),
  },
  types: {
    usage: 'types FILE',
    meaning:
      'Writes ninefold.d.ts beside the document: its records, choices, states and functions as TypeScript types. With --client, ninefold-client.ts: a typed client of its API.',
    load: async () => (await import('./types.ts')).types,
  },
  diff: {
    usage: 'diff OLD NEW',
    meaning:
      'Lists what differs between two documents, in business words: rules, steps, who gains or loses access, constants, screens. Exit code 1 if anything does.',
    load: async () => (await import('./diff.ts')).diff,
  },
  import: {
    usage: 'import sheet FILE | import jdl FILE | import prisma FILE | import doctype FOLDER | import database URL',
    meaning:
      'Makes a document from a spreadsheet, a JHipster model (JDL), a Prisma schema, DocTypes of Frappe or the tables of a PostgreSQL database, and lists what it could not carry over.',
    load: async () => (await import('./import.ts')).importDocument,
  },
}
