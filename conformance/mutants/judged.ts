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

/** Runs it in a process of its own, on a database of that server, to its end or until something was said against it. */
export async function judged(server: string, name: string, toTheEnd = false): Promise<Judged> {
  const document = mutants[name]!.on ?? 'requests'
  const example = join(home, 'examples', document, `${document}.md`)
  const path = existsSync(example) ? example : join(import.meta.dirname, `${document}.md`)
  const started = startNode(['bin/ninefold.mjs', 'verify', path], { DATABASE_URL: server }, [name])
  let output = ''
  started.child.stdout?.on('data', (text: Buffer) => {
    output += text.toString()
  })
  const end = toTheEnd ? /^\d+ passed, \d+ failed/m : /FAILED|^\d+ passed, \d+ failed/m
  const isJudged = await started.find(end).then(
    () => true,
    () => false,
  )
  await started.kill()
  const told = [...output.matchAll(/ FAILED {2}(.*)/g)].map(([, title]) => title!)
  return { name, document, verdict: !isJudged ? 'broken' : told.length > 0 ? 'seen' : 'unseen', told }
}
