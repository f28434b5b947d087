/** The pages of `docs/` as a site. Its contents are those of `docs/README.md`; VitePress refuses to build with a link that leads nowhere. */
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const home = fileURLToPath(new URL('../..', import.meta.url))
const pages = fileURLToPath(new URL('../pages', import.meta.url))

// A copy, as VitePress takes pages only from below its own folder. With them what they link to beside `docs`: examples, and what stands at the top.
rmSync(pages, { recursive: true, force: true })
/** Folders whose pages are pages of the site, beside those at the top. */
const folders = JSON.parse(readFileSync(new URL('folders.json', import.meta.url), 'utf8'))
const isPage = path => statSync(path).isDirectory() ? !/[/\\](?:proof|\.ninefold)$/.test(path) : /\.(?:md|png|svg)$/.test(path)
for (const name of [...folders, ...readdirSync(home).filter(name => name.endsWith('.md'))])
  cpSync(join(home, name), join(pages, name), { recursive: true, filter: isPage })

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
      // The README at the top is the first page.
      link: new URL(link, 'file:///docs/').href
        .slice('file://'.length)
        .replace(/\.md(?=#|$)/, '')
        .replace(/^\/README(?=#|$)/, '/'),
    })),
  }))

export default defineConfig({
  title: 'Ninefold',
  description: 'A document under nine headings, made into a running application on PostgreSQL.',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: true,
  lastUpdated: false,
  rewrites: { 'README.md': 'index.md' },
  // What is no page: files of an example, a folder.
  ignoreDeadLinks: [/^http:\/\/localhost/, /\.(?:txt|json|csv|ts|tsx|yml|yaml|png|js)$/, /(?:^|\/)(?:src|scripts|\.changes)\//],
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
