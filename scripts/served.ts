/** An example as `dev` serves it, for what looks at all of its screens from outside. */
import { spawn } from 'node:child_process'
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(fileURLToPath(import.meta.url), '..', '..')

/** Serves a copy of an example, so that its data are its own; gives the address when it is there. */
export async function served(
  example: string,
  folder: string,
): Promise<{ readonly url: string; readonly stop: () => void }> {
  cpSync(join(root, 'examples', example), folder, { recursive: true, filter: path => !path.includes('.ninefold') })
  const file = readdirSync(folder).find(name => name === `${example}.md`) ?? 'specification.md'
  const child = spawn(process.execPath, [join(root, 'bin', 'ninefold.mjs'), 'dev', join(folder, file)], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let said = ''
  child.stdout.on('data', (text: Buffer) => {
    said += text
    const url = /is served on (http:\/\/\S+)/.exec(said)?.[1]
    if (url !== undefined) resolve(url)
  })
  child.on('exit', () => reject(new Error(`${example} was not served:\n${said}`)))
  return { url: await promise, stop: () => void child.kill('SIGINT') }
}
