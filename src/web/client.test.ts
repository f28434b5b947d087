import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { bundleClient } from './bundle.ts'
import { assetsOf } from './client.ts'
import { standardAssets } from './standard-assets.ts'

const folder = await mkdtemp(join(tmpdir(), 'ninefold client '))
afterAll(() => rm(folder, { recursive: true }))

const kilobytes = (bytes: number | undefined) => (bytes ?? 0) / 1000

test('what every page loads is small, and React comes only with a form', async () => {
  const { files, href } = await standardAssets(folder)
  const size = (name: string) => kilobytes(files.get(href(name))?.brotli?.length ?? files.get(href(name))?.plain.length)
  const everywhere = ['page.js', 'live.js', 'list.js', 'board.js', 'form.js'].map(size)
  expect(everywhere.reduce((sum, one) => sum + one, 0)).toBeLessThan(12)
  expect(size('ninefold.css')).toBeLessThan(15)
  for (const name of ['page.js', 'list.js', 'board.js', 'live.js'])
    expect(files.get(href(name))?.plain.toString()).not.toMatch(/react|jsx/i)
  for (const [path, { plain, gzip, brotli }] of files) {
    expect(path).toMatch(/^\/-\/assets\/[\w.-]+\.(css|js|svg|woff2)$/)
    if (gzip !== null) expect(gunzipSync(gzip).equals(plain)).toBe(true)
    if (brotli !== null) expect(brotliDecompressSync(brotli).equals(plain)).toBe(true)
  }
})

test('a second start takes the bundle of the first', async () => {
  const first = await bundleClient(folder)
  expect(first.map(({ name }) => name)).toContain('page.js')
  const [kept] = (await readdir(folder)).filter(name => name.startsWith('client-'))
  const marked = [{ name: 'page.js', content: 'kept' }]
  await writeFile(join(folder, kept!), JSON.stringify(marked))
  expect(await bundleClient(folder)).toEqual(marked)
  await writeFile(join(folder, kept!), JSON.stringify(first))
})

test('names change with what is in the file, and only with that', () => {
  const one = assetsOf([{ name: 'a.css', content: 'x' }])
  expect(one.href('a.css')).toBe(assetsOf([{ name: 'a.css', content: 'x' }]).href('a.css'))
  expect(one.href('a.css')).not.toBe(assetsOf([{ name: 'a.css', content: 'y' }]).href('a.css'))
  expect(() => one.href('b.css')).toThrow("no asset named 'b.css'")
})
