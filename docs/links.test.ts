/** Pages lead to each other, to parts of each other and to files beside them, all of which are there; and the index by reader has them all. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import published from '../site/.vitepress/folders.json' with { type: 'json' }
import { decisionsPage, pagesIn } from './llms.ts'

const home = join(import.meta.dirname, '..')
const folders = ['', 'language/', 'decisions/', 'codes/', 'briefs/', 'approvals/', 'prometheus/']
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...folders.flatMap(pagesIn).map(path => `docs/${path}`)]
const text = (path: string) => readFileSync(join(home, path), 'utf8')
/** Without what is shown as it is written. */
const prose = (path: string) =>
  text(path)
    .replace(/^(`{3,})[\s\S]*?^\1$/gm, '')
    .replace(/`[^`\n]*`/g, word => word.replaceAll(/[[\]()]/g, ''))

const anchorsOf = (path: string): ReadonlySet<string> =>
  new Set(
    Array.from(text(path).matchAll(/^#+ (.+)$/gm), ([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )

/** The site has pages, and no folders; sources are nothing of it. */
function isPublished(path: string): boolean {
  const [top] = path.split('/') as [string]
  if (path.endsWith('.md')) return path === top || published.includes(top) || top === '.changes'
  return !statSync(join(home, path)).isDirectory() || !published.includes(top)
}

/** Links of a page to files and folders; `target` is null where they lead to the web. */
const linksOf = (page: string) =>
  Array.from(prose(page).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g), ([link, target = '', anchor]) => {
    const path = target === '' ? page : normalize(join(dirname(page), decodeURI(target)))
    return { link: link.slice(1), target: /^[a-z]+:/.test(target) ? null : path, anchor }
  })

test('links lead somewhere, on the site too', () => {
  const dead = pages.flatMap(page =>
    linksOf(page).flatMap(({ link, target, anchor }) => {
      if (target === null) return []
      const isThere = existsSync(join(home, target)) && (anchor === undefined || anchorsOf(target).has(anchor))
      return isThere && isPublished(target) ? [] : [`${page}: ${link}`]
    }),
  )
  expect(pages.length).toBeGreaterThan(500)
  expect(dead).toEqual([])
})

test('what the package holds leads nowhere out of it', () => {
  const pack = ['pack', '--dry-run', '--ignore-scripts', '--json']
  const { stdout } = spawnSync('npm', pack, { cwd: home, encoding: 'utf8', shell: process.platform === 'win32' })
  const packed = [...stdout.matchAll(/"path": "([^"]+)"/g)].map(([, path]) => path!)
  const holds = (path: string) => packed.some(one => one === path || one.startsWith(`${path.replace(/\/$/, '')}/`))
  const read = packed.filter(path => path.endsWith('.md'))
  const dead = read.flatMap(page =>
    linksOf(page).flatMap(({ link, target }) => (target === null || holds(target) ? [] : [`${page}: ${link}`])),
  )
  expect(read.length).toBeGreaterThan(500)
  expect(dead).toEqual([])
})

test('the index by reader leads to every page', () => {
  const index = text('docs/README.md')
  expect(pagesIn('').filter(page => page !== 'README.md' && !index.includes(`](${page})`))).toEqual([])
  expect(text('docs/decisions/README.md')).toBe(decisionsPage())
})
