/** The commands. Configuration (arguments, environment) is read here and nowhere below. */
import { parseArgs } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { CannotRead, type Command, type Options } from './command.ts'

/** Loaded one by one, so that `ninefold check` never loads React or the database driver. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  dev: async () => (await import('./dev.ts')).dev,
  serve: async () => (await import('./serve.ts')).serve,
  check: async () => (await import('./check.ts')).check,
  gaps: async () => (await import('./gaps.ts')).gaps,
  plan: async () => (await import('./plan.ts')).plan,
  apply: async () => (await import('./plan.ts')).apply,
  person: async () => (await import('./person.ts')).person,
  verify: async () => (await import('./verify.ts')).verify,
  explain: async () => (await import('./explain.ts')).explain,
  states: async () => (await import('./states.ts')).states,
  types: async () => (await import('./types.ts')).types,
  diff: async () => (await import('./diff.ts')).diff,
  import: async () => (await import('./import.ts')).importDocument,
}

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
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return await help()
  const load = commands[name]
  if (load === undefined) {
    console.error(`There is no command '${name}'. Commands: ${Object.keys(commands).join(', ')}.`)
    return 2
  }
  const command = await load()
  let parsed: { values: Options; positionals: string[] }
  try {
    const options = Object.fromEntries(
      Object.entries(command.options).map(([key, { type, multiple }]) => [key, { type, multiple: multiple ?? false }]),
    )
    parsed = parseArgs({ args: rest, options: { ...options, help: { type: 'boolean' } }, allowPositionals: true })
  } catch (error) {
    console.error(`${(error as Error).message}\n${describe(command)}`)
    return 2
  }
  if (parsed.values.help === true) {
    console.log(describe(command))
    return 0
  }
  try {
    return await command.run(parsed.positionals, parsed.values)
  } catch (error) {
    if (!(error instanceof CannotRead)) throw error
    console.error(error.message)
    return 2
  }
}

async function help(): Promise<number> {
  console.log('ninefold: a document under nine headings, made into a running application.\n')
  for (const load of Object.values(commands)) {
    const { usage, meaning } = await load()
    console.log(`  ninefold ${usage}\n      ${meaning}`)
  }
  console.log('\n`ninefold <command> --help` tells its options.')
  return 0
}

function describe({ usage, meaning, options }: Command): string {
  const lines = Object.entries(options).map(
    ([name, option]) => `  --${name}${option.type === 'string' ? ' …' : ''}  ${option.meaning}`,
  )
  return [`ninefold ${usage}`, `  ${meaning}`, ...lines].join('\n')
}
