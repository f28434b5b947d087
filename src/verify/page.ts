/** A page of the application, as a browser without scripts meets it. */
import type { Player, Site } from './client.ts'
import { reach } from './reach.ts'

export type Page =
  | { readonly kind: 'shown'; readonly heading: string; readonly html: string }
  /** Not for this person, or not there: 403, 404, or the page to sign in. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string }

/** Where whoever may not open a page is led to: to sign in, or to the link of a record. */
const doors: ReadonlySet<string> = new Set(['/-/sign-in', '/-/case'])
/** A list leads to its first view. */
const redirects = 3

/** Opens a page as somebody, following a few redirects. */
export async function openPage(site: Site, player: Player, path: string): Promise<Page> {
  const headers = { ...(await site.headersFor(player)), accept: 'text/html' }
  let url = new URL(path, site.url)
  for (let times = 0; times <= redirects; times++) {
    const { status, text, headers: told } = await reach(url, { headers, redirect: 'manual' })
    const location = told.get('location')
    if (status >= 300 && status < 400 && location !== null) {
      url = new URL(location, url)
      if (doors.has(url.pathname)) return { kind: 'refused', why: 'sign in' }
      continue
    }
    if (status === 403 || status === 404) return { kind: 'refused', why: String(status) }
    if (status !== 200) return { kind: 'failed', why: String(status) }
    const heading = headingIn(text)
    return heading === '' ? { kind: 'failed', why: 'it has no heading' } : { kind: 'shown', heading, html: text }
  }
  return { kind: 'failed', why: `more than ${redirects} redirects, one after the other` }
}

/** Whether a page says that it is in this language. */
export const isIn = (language: string, html: string): boolean => new RegExp(`<html[^>]* lang="${language}`).test(html)

/** Pages of a list that are looked through. */
export const pagesAtMost = 40

/** Where a list goes on; undefined: this is its last page. */
export const nextPage = (html: string): string | undefined =>
  /<a href="([^"]*)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&')

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** The text of the one h1; empty: there is none. */
export const headingIn = (html: string): string => plainText(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? '')

/** What people read of a piece of a page. */
export const plainText = (html: string): string =>
  unescaped(html.replace(/<[^>]*>/g, ''))
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()

/** The text that stands there, with its lines. */
export const unescaped = (html: string): string =>
  html
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
