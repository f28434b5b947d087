import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { scannerAt } from './clamd.ts'
import { startClamd } from './testing-clamd.ts'

const folder = mkdtempSync(join(tmpdir(), 'ninefold-clamd-'))
const file = (content: string | Buffer): string => {
  writeFileSync(join(folder, 'content'), content)
  return join(folder, 'content')
}
let server: Server | null = null
afterEach(() => server?.close())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a content is sent whole, over TCP and over a socket, and what is found in it is told', async () => {
  const large = Buffer.alloc(300_000, 'x')
  for (const at of [undefined, join(folder, 'clamd.ctl')]) {
    const clamd = await startClamd(at)
    server = clamd.server
    const scan = scannerAt(clamd.url)
    expect(await scan(file(large))).toEqual({ kind: 'clean' })
    expect(clamd.seen.at(-1)!.equals(large)).toBe(true)
    expect(await scan(file(Buffer.concat([large, Buffer.from('a virus')])))).toEqual({
      kind: 'infected',
      found: 'Test-Virus',
    })
    server.close()
  }
})

/** A server that says this, whatever comes, and hangs up. */
async function saying(text: string): Promise<string> {
  server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(text))
  })
  const port = await new Promise<number>(resolve => {
    server!.listen(0, '127.0.0.1', () => resolve((server!.address() as { port: number }).port))
  })
  return `tcp://127.0.0.1:${port}`
}

test('whatever is not said to be clean is not', async () => {
  const said = ['INSTREAM size limit exceeded. ERROR\0', 'stream: OK', '', 'stream: OK but no\0', 'PONG\0']
  for (const text of said) {
    const scan = scannerAt(await saying(text))
    expect(await scan(file('x'))).toMatchObject({ kind: 'away' })
    server?.close()
  }
  const gone = await saying('')
  await new Promise(resolve => server!.close(resolve))
  expect(await scannerAt(gone)(file('x'))).toMatchObject({ kind: 'away', why: expect.stringContaining('ECONNREFUSED') })
  const missing = await startClamd()
  server = missing.server
  expect(await scannerAt(missing.url)(join(folder, 'nothing'))).toMatchObject({ kind: 'away' })
})

test.each(['clamd:3310', 'http://clamd', 'tcp:///', 'unix://', 'unix://host/x'])('%s is no address of it', address => {
  expect(() => scannerAt(address)).toThrow(`CLAMD_URL is '${address}'`)
})
