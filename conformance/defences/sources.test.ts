/** What the sources may do in few places alone, or nowhere: each list names the files that do. */
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'

const sources = ['src/**/*.{ts,tsx}', 'bin/*.mjs']
  .flatMap(pattern => globSync(pattern))
  .filter(path => !/\.test\.tsx?$|\/testing(-[\w-]+)?\.ts$/.test(path))
  .map(path => ({ path, text: readFileSync(path, 'utf8') }))

const doing = (pattern: RegExp) => sources.flatMap(({ path, text }) => (pattern.test(text) ? [path] : [])).sort()

test('the sources are all here', () => {
  expect(sources.length).toBeGreaterThan(500)
})

test('Node reads what is no JSX as it is, as it does where it runs a clone', () => {
  const unread = sources.flatMap(({ path, text }) => {
    if (!path.endsWith('.ts')) return []
    try {
      stripTypeScriptTypes(text)
      return []
    } catch (error) {
      return [`${path}: ${error}`]
    }
  })
  expect(unread).toEqual([])
})

test.each<readonly [string, RegExp, readonly string[]]>([
  ['run text as code', /\beval\(|new Function\(|setTimeout\(['"`]/, []],
  // What stands beside the document as TypeScript, in a world of its own; and the word `gc`, which a new world alone knows.
  [
    'run code in a world of its own',
    /['"](?:node:)?vm['"]/,
    ['src/cli/engine.ts', 'src/run/write/code.ts', 'src/web/blocks.ts'],
  ],
  // PostgreSQL that comes along, and the Node that comes along; with lists of arguments, never by a shell.
  [
    'start a program',
    /['"](?:node:)?child_process['"]/,
    ['bin/ninefold.mjs', 'src/store/binaries.ts', 'src/store/embedded.ts'],
  ],
  ['start a program by a shell', /import \{[^}]*\bexec(?:Sync)?\b[^}]*\} from 'node:child_process'|shell: true/, []],
  ['believe any certificate', /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/, []],
  ['weaken TLS', /secureProtocol|minVersion|maxVersion|ciphers:/, []],
  ['use a hash that is broken', /(?:createHash|createHmac|hash|hkdfSync)\('(?!sha(?:256|384|512)')[\w-]+'/, []],
  ['encrypt without protecting against changes', /create(?:De|C)ipheriv\('(?!aes-256-gcm')/, []],
  // The wait before something is tried again; and where functions of the document are kept from it.
  ['use chance that can be guessed', /Math\.random/, ['src/cli/serving.ts', 'src/run/write/code.ts']],
  [
    // What React has made already, JSON without `<`, and Markdown by a library that escapes HTML.
    'put markup into a page past React',
    /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\s*=|insertAdjacentHTML|document\.write/,
    ['src/ui/block.tsx', 'src/ui/island.tsx', 'src/ui/prose.tsx', 'src/ui/row-menu.tsx', 'src/ui/table.tsx'],
  ],
  // Of other pages of its own, by a channel that only those have: that somebody signed out there, and what was written.
  [
    'listen to other windows',
    /addEventListener\(['"]message['"]|\.onmessage\b/,
    ['src/web/client/live.ts', 'src/web/client/page/session.ts'],
  ],
  ['open a socket of the web', /new WebSocket\(|['"]ws['"]/, []],
  [
    'keep something in the browser',
    /localStorage|sessionStorage|indexedDB/,
    ['src/web/client/again.ts', 'src/web/client/page.ts', 'src/web/client/recent.ts'],
  ],
  ['read XML that may name entities', /['"](?:libxmljs\w*|xml2js|fast-xml-parser|@xmldom\/xmldom|sax)['"]/, []],
])('none but these %s', (_, pattern, where) => {
  expect(doing(pattern)).toEqual(where)
})
