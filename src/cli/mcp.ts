/** `ninefold mcp`: commands as tools for assistants, over the Model Context Protocol on standard input and output. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { printFrames } from '../document/print.ts'
import { home } from '../files.ts'
import type { Command, Listed, Options } from './command.ts'
import { type Output, text as terminal } from './output.ts'
import { runCommand, untilStopped } from './process.ts'

/** An argument of a tool is what the command takes in this place, or its option of this name. */
interface Tool {
  readonly takes: z.ZodRawShape
  /** Words of one argument are words of the command. */
  readonly places: readonly string[]
  readonly always?: Options
  /** It changes files. */
  readonly writes?: true
}

const page = z.number().int().min(1).optional().describe('2, 3 …: goes on where a long answer was cut.')
const file = z.string().describe("Path of the document's root file, e.g. desk.md")

/** By the command that each is. */
const tools: Readonly<Record<string, Tool>> = {
  check: {
    takes: {
      file,
      strict: z.boolean().optional().describe('Also fail on assumptions that the document does not accept.'),
      format: z.enum(['frames', 'json']).optional().describe('json: one finding a line, with the edits that cure it.'),
    },
    places: ['file'],
    always: { 'no-color': true },
  },
  gaps: { takes: { file }, places: ['file'] },
  explain: {
    takes: {
      file: file.optional(),
      thing: z
        .string()
        .describe('A rule, step, field, role, error, constant or screen, as the document names it; or a code, N1234.'),
    },
    places: ['file', 'thing'],
  },
  plan: { takes: { file }, places: ['file'] },
  diff: {
    takes: {
      before: file,
      after: z.string().describe('Path of the root file of the other version.'),
    },
    places: ['before', 'after'],
  },
  verify: {
    takes: {
      file,
      scenarios: z.boolean().optional().describe('Only Examples and Scenarios, which is much quicker.'),
    },
    places: ['file'],
  },
  format: {
    takes: { file, check: z.boolean().optional().describe('Write nothing; say what would change.') },
    places: ['file'],
    writes: true,
  },
  reference: { takes: { question: z.string().describe('A few words.'), page }, places: ['question'] },
  examples: { takes: { topic: z.string().describe('A few words.'), page }, places: ['topic'] },
  preview: {
    takes: {
      file,
      address: z.string().describe('An address of heading 2, e.g. /requests'),
      person: z.string().optional().describe('A demo person, by name; nobody: a visitor.'),
    },
    places: ['file', 'address'],
  },
}

const instructions = `Ninefold runs a web application from one Markdown document. Read the resource ninefold://core before you write or change a document, \
check after each change, and ask reference where a form is not in it. Nothing is guessed: what the document does not say is refused.`

/** The command that offers some of all commands. */
export const serverOf = (commands: Readonly<Record<string, Listed>>): Command => ({
  name: 'mcp',
  options: {},
  async run() {
    const server = new McpServer({ name: 'ninefold', version: manifest.version }, { instructions })
    for (const [name, tool] of Object.entries(tools)) register(server, name, commands[name]!, tool)
    registerManual(server)
    await server.connect(new StdioServerTransport())
    // The client ends it by closing its side.
    await Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close'), untilStopped()])
    await server.close()
    return 0
  },
})

function register(
  server: McpServer,
  name: string,
  { meaning, load }: Listed,
  { takes, places, always = {}, writes }: Tool,
): void {
  const about = {
    description: meaning,
    inputSchema: z.strictObject(takes),
    annotations: { readOnlyHint: writes !== true },
  }
  server.registerTool(name, about, async (given: Readonly<Record<string, unknown>>) => {
    const words = places.flatMap(place => (given[place] === undefined ? [] : [String(given[place])]))
    const options = Object.entries(given).filter(([key]) => !places.includes(key))
    const said: string[] = []
    const exit = await runInto(said, await load(), words, { ...always, ...(Object.fromEntries(options) as Options) })
    return { content: [{ type: 'text' as const, text: said.join('') }], isError: exit === 2 }
  })
}

/** What the command says, in its order, whatever the stream; standard output belongs to the protocol. */
async function runInto(said: string[], command: Command, words: readonly string[], options: Options): Promise<number> {
  const say = (line: string) => void said.push(`${line}\n`)
  const output: Output = {
    ...terminal,
    print: part => void said.push(part),
    say,
    warn: say,
    fail: (why, findings = []) => say(findings.length > 0 ? printFrames(findings) : why),
  }
  return runCommand(command, words, options, output)
}

/** The language in one page, which a client may put before everything else. */
function registerManual(server: McpServer): void {
  const about = { title: 'The language in one page', mimeType: 'text/markdown' }
  server.registerResource('core', 'ninefold://core', about, ({ href: uri }) => ({
    contents: [{ uri, text: readFileSync(join(home, 'docs', 'language', 'core.md'), 'utf8') }],
  }))
}
