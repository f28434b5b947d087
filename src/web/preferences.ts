/** What somebody chose for themselves: language, time zone, density, theme, keys. Kept with the person, asked of no cookie. */
import { sql } from '../expression/sql.ts'
import type { Product } from '../headings/1-product/model.ts'
import type { Mail } from '../headings/7-calls/model.ts'
import type { Preferences } from '../run/people/people.ts'
import { mailName, mailWays, noticeKinds, type Told, ways } from '../run/people/told.ts'
import type { Store } from '../store/pool.ts'

export const densities = ['comfortable', 'compact'] as const
export const shortcuts = ['on', 'off'] as const
export const themes = ['system', 'light', 'dark'] as const

/** What was posted, where it is something that can be chosen; the rest stays as the application has it. */
export function readPreferences(
  form: URLSearchParams,
  { product, mails }: { readonly product: Pick<Product, 'languages'>; readonly mails: Mails },
): Preferences {
  const language = form.get('language')
  const timeZone = form.get('time_zone')
  const theme = form.get('theme')
  return {
    language: product.languages.some(({ tag }) => tag === language) ? language : null,
    timeZone: timeZone !== null && isZone(timeZone) ? timeZone : null,
    density: form.get('density') === 'compact' ? 'compact' : null,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    told: readTold(form, mails),
    shortcuts: form.get('shortcuts') === 'off' ? 'off' : null,
  }
}

type Mails = ReadonlyMap<string, Pick<Mail, 'key' | 'optional'>>

/** Mails of the document that people may choose not to get. */
export const optionalMails = <Of extends Pick<Mail, 'optional'>>(mails: ReadonlyMap<string, Of>): readonly Of[] =>
  [...mails.values()].filter(({ optional }) => optional)

/** What is chosen as it is for everybody is kept as well: it stays so when that becomes another. */
function readTold(form: URLSearchParams, mails: Mails): Told {
  const kinds = noticeKinds.map(kind => [kind, ways] as const)
  const ofMails = optionalMails(mails).map(({ key }) => [mailName(key), mailWays] as const)
  return Object.fromEntries(
    [...kinds, ...ofMails].flatMap(([name, known]) => {
      const way = known.find(one => one === form.get(toldName(name)))
      return way === undefined ? [] : [[name, way]]
    }),
  )
}

/** Name of its control. */
export const toldName = (name: string): string => `told ${name}`

export async function keepPreferences(store: Store, person: string, kept: Preferences, now: Date): Promise<void> {
  const { language, timeZone, density, theme, told, shortcuts: keys } = kept
  await store.inTransaction(tx =>
    tx.write(sql`
      insert into ninefold.preference (person, language, time_zone, density, theme, told, shortcuts, changed_at)
      values (${person}::uuid, ${language}, ${timeZone}, ${density}, ${theme}, ${JSON.stringify(told)}::jsonb, ${keys}, ${now})
      on conflict (person) do update set language = excluded.language, time_zone = excluded.time_zone,
        density = excluded.density, theme = excluded.theme, told = excluded.told, shortcuts = excluded.shortcuts, changed_at = excluded.changed_at`),
  )
}

/** Names that people can choose, and that this platform can count with. */
export const zones: readonly string[] = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].sort()
const known: ReadonlySet<string> = new Set(zones)

export const isZone = (name: string): boolean => known.has(name)
