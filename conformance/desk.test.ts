/** What the tests of this folder start ends with them, whichever way they end. */
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('a server ends with the process that started it, though that is killed', async () => {
  const server = "const server = require('node:net').createServer().listen(0, () => console.log(server.address().port))"
  const script = `
    await import('./scripts/tsx-hook.mjs')
    const { startNode } = await import('./conformance/desk.ts')
    console.log(await startNode(['--eval', ${JSON.stringify(server)}], {}).find(/(\\d+)/))`
  const starter = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = Number(await new Promise(resolve => starter.stdout.once('data', resolve)))
  expect(await listens(port)).toBe(true)
  starter.kill('SIGKILL')
  await expect.poll(() => listens(port)).toBe(false)
})

const listens = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('connect', () => socket.destroy())
    socket.on('error', () => resolve(false))
  })
