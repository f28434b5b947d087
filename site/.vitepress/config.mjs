/** The pages of `docs/` as a site. Its contents are those of `docs/README.md`; VitePress refuses to build with a link that leads nowhere. */
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const home = fileURLToPath(new URL('../..', import.meta.url))
const pages = fileURLToPath(new URL('../pages', import.meta.url))

// A copy, as VitePress takes pages only from below its own folder, and files that they link to from `public`.
rmSync(pages, { recursive: true, force: true })
/** Folders whose pages are pages of the site, beside those at the top. */
const folders = JSON.parse(readFileSync(new URL('folders.json', import.meta.url), 'utf8'))
const copy = (name, to, isWanted) =>
  cpSync(join(home, name), join(to, name), {
    recursive: true,
    filter: path => (statSync(path).isDirectory() ? !path.endsWith('.ninefold') : isWanted(path)),
  })
const isPage = path => /\.(?:md|png|svg)$/.test(path)
const isFile = path => /\.(?:csv|json|yml|txt|svg|css|tsx?)$/.test(path)
for (const name of [...folders, ...readdirSync(home).filter(name => name.endsWith('.md'))]) copy(name, pages, isPage)
for (const name of [...folders, 'types']) copy(name, join(pages, 'public'), isFile)
cpSync(join(home, 'README.md'), join(pages, 'index.md'))

const index = readFileSync(join(home, 'docs', 'README.md'), 'utf8')

/** `## Reader` and the links of its list. */
const sidebar = index
  .split(/^## /m)
  .slice(1)
  .map(part => ({
    text: part.slice(0, part.indexOf('\n')),
    collapsed: false,
    items: [...part.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, text, link]) => ({
      text: text[0].toUpperCase() + text.slice(1),
      link: new URL(link, 'file:///docs/').href.slice('file://'.length).replace(/\.md(?=#|$)/, ''),
    })),
  }))

export default defineConfig({
  title: 'Ninefold',
  description: 'A document under nine headings, made into a running application on PostgreSQL.',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: true,
  lastUpdated: false,
  // What is no page: files.
  ignoreDeadLinks: [/^http:\/\/localhost/, /\.(?:txt|json|csv|ts|tsx|yml|svg)$/],
  // Pages are Markdown alone: what looks like HTML or like an expression of Vue is text.
  markdown: {
    html: false,
    config(md) {
      // Marks of what is generated are for us.
      const { parse } = md
      md.parse = (text, env) => parse.call(md, text.replaceAll(/^<!-- .* -->$/gm, ''), env)
      const { render } = md.renderer
      md.renderer.render = (...asked) => render.apply(md.renderer, asked).replaceAll('{{', '&#123;&#123;')
    },
  },
  themeConfig: {
    nav: [
      { text: 'Documentation', link: '/docs/README' },
      { text: 'Language', link: '/docs/language/README' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
})
