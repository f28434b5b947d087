/** Whether `ninefold verify` sees that a build does not do what its document says. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startNode } from '../desk.ts'
import { mutants } from './mutants.ts'

export interface Judged {
  readonly name: string
  readonly document: string
  /** `broken`: verify itself came to no end. */
  readonly verdict: 'seen' | 'unseen' | 'broken'
  /** What verify says against it, line by line. */
  readonly told: readonly string[]
}

const home = join(import.meta.dirname, '../..')

/** Runs it in a process of its own, on a database of that server. `document`: an example, if not the mutant's own. */
export async function judged(server: string, name: string, document = documentOf(name)): Promise<Judged> {
  const example = join(home, 'examples', document, `${document}.md`)
  const path = existsSync(example) ? example : join(import.meta.dirname, `${document}.md`)
  const started = startNode(['bin/ninefold.mjs', 'verify', path], { DATABASE_URL: server }, [name])
  let output = ''
  started.child.stdout?.on('data', (text: Buffer) => {
    output += text.toString()
  })
  const count = await started.find(/^\d+ passed, (\d+) failed/m).then(Number, () => null)
  await started.kill()
  const told = [...output.matchAll(/ FAILED {2}(.*)/g)].map(([, title]) => title!)
  return { name, document, verdict: count === null ? 'broken' : count > 0 ? 'seen' : 'unseen', told }
}

const documentOf = (name: string): string => mutants[name]!.on ?? 'requests'
