/**
 * The page of the commands, made from the code: `node scripts/run.mjs docs/commands.ts` writes it anew, and `commands.test.ts` fails where it
 * says something else.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { commands } from '../src/cli/commands.ts'

const intro = `# Commands

\`npx ninefold COMMAND --help\` says on the terminal what stands here. Settings come from the environment ([Serving it](serving.md)).

| Exit code | Means |
| --- | --- |
| \`0\` | fine |
| \`1\` | the document or the application is not as it should be: errors, failures, a database that cannot be reached; of \`diff\`, that something differs; of \`format --check\`, that something would change |
| \`2\` | the call is wrong: an option or a file that is not there, a setting that cannot be used; of \`diff\`, a document with errors |
| \`130\` | somebody ended it (Ctrl-C) before there was a result |

With \`--json\` a command prints its result as one line of JSON on standard output, and nothing else there; where it has none, an object as [error.json](schemas/error.json) has it, with the same exit code. Each command below names
its schema (JSON Schema 2020-12); a later version may add keys. \`serve\` always writes lines of JSON, its log; \`lsp\` and \`mcp\` speak protocols of their own.
`

/** Of commands that talk until they are ended. */
const speaking = ['serve', 'lsp', 'mcp']

export async function commandsPage(): Promise<string> {
  const parts = await Promise.all(
    Object.entries(commands).map(async ([name, { usage, meaning, load }]) => {
      const { options } = await load()
      const schema = `schemas/${name}.json`
      const rows = Object.entries(options).map(
        ([option, { type, meaning: what }]) => `| \`--${option}${type === 'string' ? ' …' : ''}\` | ${what} |`,
      )
      return [
        `## ${name}`,
        `\`ninefold ${usage.replaceAll(' | ', '`, `ninefold ')}\``,
        meaning,
        ...(rows.length === 0 ? [] : [['| Option | Meaning |', '| --- | --- |', ...rows].join('\n')]),
        ...(speaking.includes(name) ? [] : [`With \`--json\`: [${name}.json](${schema}).`]),
      ].join('\n\n')
    }),
  )
  return `${[intro, ...parts].join('\n')}\n`.replaceAll(/\n(## )/g, '\n\n$1').replaceAll(/\n{3,}/g, '\n\n')
}

const page = new URL('commands.md', import.meta.url)

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, await commandsPage())
