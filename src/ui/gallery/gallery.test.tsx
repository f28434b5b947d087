import { beforeAll, expect, test } from 'vitest'
import { readerOf } from '../reader.tsx'
import { renderPage } from '../shell.tsx'
import { gallery } from './gallery.tsx'

const assets = { styles: '/assets/s.css', fonts: ['/assets/f.woff2'], scripts: [], icon: null }
const pages = new Map<string, string>()

beforeAll(async () => {
  const reader = readerOf({
    locale: 'en-GB',
    zone: 'Europe/Berlin',
    provenance: true,
    document: '/_document',
  })
  for (const [name, page] of await gallery({ reader, assets })) pages.set(name, renderPage(page))
})

const all = (pattern: RegExp, html: string) => [...html.matchAll(pattern)].map(match => match[1] as string)
const each = (check: (html: string, name: string) => void) => {
  expect(pages.size).toBeGreaterThan(10)
  for (const [name, html] of pages) check(html, name)
}

test('nothing that a strict content policy would refuse', () => {
  each((html, name) => {
    expect(html, name).not.toMatch(/<[^>]+\sstyle=/)
    expect(html, name).not.toMatch(/<style|<script|javascript:|<[^>]+\son[a-z]+=/)
  })
})

test('every id is there once, and every reference to one is answered', () => {
  each((html, name) => {
    const ids = all(/\sid="([^"]+)"/g, html)
    expect(new Set(ids).size, name).toBe(ids.length)
    const wanted = [
      ...all(/\saria-(?:labelledby|describedby)="([^"]+)"/g, html).flatMap(list => list.split(' ')),
      ...all(/\s(?:for|popovertarget)="([^"]+)"/g, html),
      ...all(/href="#([^"]+)"/g, html),
      ...all(/url\(#([^)]+)\)/g, html),
    ]
    for (const id of wanted) expect(ids, `${name}: ${id}`).toContain(id)
  })
})

test('one h1, a title that ends with the application, landmarks named once', () => {
  each((html, name) => {
    expect(all(/(<h1)/g, html), name).toHaveLength(1)
    expect(all(/<title>(.*?)<\/title>/g, html)[0], name).toMatch(/ · Loan desk$/)
    expect(html, name).toMatch(/^<!doctype html><html lang="en-GB" dir="ltr">/)
    expect(html.indexOf('class="skip"'), name).toBeLessThan(html.indexOf('class="dev"'))
    const navigations = all(/<nav[^>]* aria-label="([^"]+)"/g, html)
    expect(new Set(navigations).size, name).toBe(navigations.length)
  })
  expect(pages.get('form')).toContain('<title>Error: New loan · Loan desk</title>')
})

test('headings do not skip a level', () => {
  each((html, name) => {
    const main = html.slice(html.indexOf('<main'))
    let before = 1
    for (const level of all(/<h([1-6])/g, main.slice(main.indexOf('<h1'))).map(Number)) {
      expect(level - before, name).toBeLessThanOrEqual(1)
      before = level
    }
  })
})

test('every change of data is a POST with its hidden inputs, every filter a GET', () => {
  each((html, name) => {
    for (const form of html.match(/<form[\s\S]*?<\/form>/g) ?? []) {
      if (/^<form[^>]* method="get"/.test(form)) expect(form, name).not.toContain('csrf')
      else {
        expect(form, name).toMatch(/^<form[^>]* method="post"/)
        expect(form, name).toContain('name="csrf"')
      }
    }
  })
})
