/** The commands. Configuration (arguments, environment) is read here and nowhere below. */
import { parseArgs } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { didYouMean } from '../document/nearest.ts'
import { type Command, jsonOption, type Listed, type Options } from './command.ts'
import { commands } from './commands.ts'
import { optimiseLate } from './engine.ts'
import { json, text } from './output.ts'
import { runCommand } from './process.ts'

/** `main` in a process of its own. */
export function start(args: readonly string[]): Promise<number> {
  const name = args[0] ?? 'help'
  if (!Object.hasOwn(commands, name) || commands[name]!.lasts !== true) optimiseLate()
  return main(args)
}

/** Runs the command that the arguments name; gives the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  // `ninefold plan app.md | head`: who reads no further has seen enough, and what is under way goes on.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const [name, ...rest] = args
  if (name === '--version' || name === '-v') {
    console.log(manifest.version)
    return 0
  }
  const asked = name === 'help' ? rest[0] : name
  if (asked === undefined || asked === '--help' || asked === '-h') return help()
  const output = rest.includes('--json') ? json : text
  const listed = Object.hasOwn(commands, asked) ? commands[asked] : undefined
  if (listed === undefined) {
    const near = didYouMean(asked, Object.keys(commands))
    output.fail(`There is no command '${asked}'${near || `. Commands: ${Object.keys(commands).join(', ')}.`}`)
    return 2
  }
  const command = await listed.load()
  if (name === 'help') {
    console.log(describe(listed, command))
    return 0
  }
  let parsed: { values: Options; positionals: string[] }
  try {
    const options = Object.fromEntries(
      Object.entries(command.options).map(([key, { type, multiple }]) => [key, { type, multiple: multiple ?? false }]),
    )
    const known = { ...options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
    const { tokens } = parseArgs({ args: rest, options: known, allowPositionals: true, strict: false, tokens: true })
    const unknown = tokens.find(token => token.kind === 'option' && !Object.hasOwn(known, token.name))
    if (unknown?.kind === 'option')
      throw new Error(
        `'ninefold ${command.name}' has no option '${unknown.rawName}'${
          didYouMean(
            unknown.rawName,
            Object.keys(known).map(option => `--${option}`),
          ) || '.'
        }`,
      )
    parsed = parseArgs({ args: rest, options: known, allowPositionals: true })
  } catch (error) {
    output.fail(`${(error as Error).message}\n\n${describe(listed, command)}`)
    return 2
  }
  if (parsed.values.help === true) {
    console.log(describe(listed, command))
    return 0
  }
  return runCommand(command, parsed.positionals, parsed.values, output)
}

function help(): number {
  console.log('Ninefold turns a document under nine headings into a running application.\n')
  for (const { usage, meaning } of Object.values(commands)) console.log(`  ninefold ${usage}\n      ${meaning}`)
  console.log('\nOptions of a command: ninefold <command> --help')
  return 0
}

function describe({ usage, meaning }: Listed, { options }: Command): string {
  const named = Object.entries({ ...options, json: jsonOption }).map(
    ([name, { type, meaning: what }]) => [`--${name}${type === 'string' ? ' …' : ''}`, what] as const,
  )
  const wide = Math.max(...named.map(([name]) => name.length))
  const lines = named.map(([name, what]) => `  ${name.padEnd(wide)}  ${what}`)
  return [`ninefold ${usage}`, `  ${meaning}`, ...lines].join('\n')
}
