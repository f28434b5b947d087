/** Many records of an entity: what they are called, and how many there are. */
import { languageOf } from '../../expression/catalogue.ts'
import { pluralOf } from '../../headings/plural.ts'
import type { Problem } from '../../run/outcome.ts'
import { mayOpen } from '../access.ts'
import { recordAddress } from '../routes.ts'
import { say } from '../sentences.ts'
import { inSentence, type Site } from '../site.ts'
import type { Building } from './common.ts'

/** "loans", for counts and sentences. */
export function thingsOf(site: Site, entity: string): string {
  const name = inSentence(site, site.app.entities.get(entity)?.name ?? entity)
  return languageOf(site.reader.locale) === 'en' ? pluralOf(name) : name
}

/** "146 loans", "1,000+ loans", "1 loan"; where the plural is not known, "146 Datensätze". */
export function countText(site: Site, entity: string, count: { readonly n: number; readonly more: boolean }): string {
  const { words, locale } = site.reader
  if (languageOf(locale) !== 'en')
    return count.more ? words('atLeastRecords', { count: count.n }) : words('records', { count: count.n })
  const things =
    count.n === 1 && !count.more
      ? inSentence(site, site.app.entities.get(entity)?.name ?? entity)
      : thingsOf(site, entity)
  return say(site, 'countOf', { count: countNumber(site, count), things })
}

/** As `countText`, beside counts of other things: where the plural is not known, "Loan: 146". */
export const namedCount = (site: Site, entity: string, count: Parameters<typeof countText>[2]): string =>
  languageOf(site.reader.locale) === 'en'
    ? countText(site, entity, count)
    : `${site.app.entities.get(entity)?.name ?? entity}: ${countNumber(site, count)}`

/** "146", "1,000+". */
export const countNumber = ({ reader }: Site, { n, more }: { readonly n: number; readonly more: boolean }): string =>
  `${reader.format.count(n)}${more ? '+' : ''}`

/** The record that refused what follows from a write, for whoever sees it; null: there is no other one to name. */
export function otherRecord(
  { site, context }: Building,
  { of }: Problem,
): { readonly title: string; readonly href: string | null } | null {
  if (of?.title === undefined || of.id === null) return null
  const one = site.routes.places.get(of.entity)?.one
  const opens = one != null && mayOpen(one, context.request.actor)
  return { title: of.title, href: opens ? recordAddress(of.entity, of.id) : null }
}
