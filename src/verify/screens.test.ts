/** Pages that fail, that have no heading, or of which the log says something, are found. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { readApp } from '../headings/index.ts'
import type { Site } from './client.ts'
import { Judged } from './judged.ts'
import { headingIn } from './page.ts'
import { tryScreens } from './screens.ts'

const screens = ['/sound', '/broken', '/bare', '/other', '/loud', '/closed', '/foreign']
const source = `# Pages

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
${screens.map((path, index) => `| ${path} | Page ${index + 1} | everyone | text |`).join('\n')}
${screens.map((_, index) => `\n### Page ${index + 1}\n\nSome text.\n`).join('')}`

test('a page that fails, without its heading, refused, in another language, or with an error in the log fails its screen', async () => {
  const { app } = readApp('pages.md', () => source)
  const told: string[] = []
  const server = createServer(({ url }, response) => {
    if (url === '/loud') told.push('code failed: a block')
    if (url === '/broken') response.statusCode = 500
    if (url === '/closed') response.statusCode = 404
    const name = url === '/other' ? 'Something else' : `Page ${screens.indexOf(url ?? '') + 1}`
    const heading = url === '/bare' ? '<p>Page 3</p>' : `<h1 class="a">${name.replace(' ', '&nbsp;')}</h1>`
    response.end(`<html lang="${url === '/foreign' ? 'fr' : 'en'}">${heading}</html>`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const actor = { id: null, roles: [] }
  const site = {
    app,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    players: [],
    headersFor: async () => ({}),
    observatory: { world: async () => ({ actor, records: () => [] }), forget: () => undefined },
    judged: new Judged(app!.document),
    told: new Map(),
    troubles: () => told.splice(0),
  } as unknown as Site
  try {
    const lines = await tryScreens(site, () => undefined)
    expect(lines.map(({ title, passed, detail }) => [title, passed, detail])).toEqual([
      ['Page 1 as a visitor: shown', true, null],
      ['Page 2 as a visitor: failed', false, '/broken fails: 500'],
      ['Page 3 as a visitor: failed', false, '/bare fails: it has no heading'],
      ['Page 4 as a visitor: shown', false, "the heading of /other is 'Something else'"],
      ['Page 5 as a visitor: shown', false, 'the log says: code failed: a block'],
      ['Page 6 as a visitor: refused', false, 'the application says 404, the document shows it'],
      ['Page 7 as a visitor: shown', false, '/foreign is not in en'],
    ])
  } finally {
    server.close()
  }
})

test('a heading is read as people read it', () => {
  expect(headingIn('<h1><span>Ada &amp; B&#x27;s</span> loan</h1>')).toBe("Ada & B's loan")
  expect(headingIn('<h2>Loan</h2>')).toBe('')
})
