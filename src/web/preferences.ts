/** What somebody chose for themselves: language, time zone, density, theme, keys. Kept with the person, asked of no cookie. */
import { sql } from '../expression/sql.ts'
import type { Product } from '../headings/1-product/model.ts'
import type { Preferences } from '../run/people/people.ts'
import type { Store } from '../store/pool.ts'

export const densities = ['comfortable', 'compact'] as const
export const notifications = ['all', 'mentions', 'none'] as const
export const notifyWays = ['mail', 'daily', 'page'] as const
export const shortcuts = ['on', 'off'] as const
export const themes = ['system', 'light', 'dark'] as const

/** What was posted, where it is something that can be chosen; the rest stays as the application has it. */
export function readPreferences(form: URLSearchParams, product: Pick<Product, 'languages'>): Preferences {
  const language = form.get('language')
  const timeZone = form.get('time_zone')
  const theme = form.get('theme')
  const notify = form.get('notify')
  const notifyBy = form.get('notify_by')
  return {
    language: product.languages.some(({ tag }) => tag === language) ? language : null,
    timeZone: timeZone !== null && isZone(timeZone) ? timeZone : null,
    density: form.get('density') === 'compact' ? 'compact' : null,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    notify: notify === 'mentions' || notify === 'none' ? notify : null,
    notifyBy: notifyBy === 'daily' || notifyBy === 'page' ? notifyBy : null,
    shortcuts: form.get('shortcuts') === 'off' ? 'off' : null,
  }
}

export async function keepPreferences(store: Store, person: string, kept: Preferences, now: Date): Promise<void> {
  const { language, timeZone, density, theme, notify, notifyBy, shortcuts: keys } = kept
  await store.inTransaction(tx =>
    tx.write(sql`
      insert into ninefold.preference (person, language, time_zone, density, theme, notify, notify_by, shortcuts, changed_at)
      values (${person}::uuid, ${language}, ${timeZone}, ${density}, ${theme}, ${notify}, ${notifyBy}, ${keys}, ${now})
      on conflict (person) do update set language = excluded.language, time_zone = excluded.time_zone,
        density = excluded.density, theme = excluded.theme, notify = excluded.notify, notify_by = excluded.notify_by, shortcuts = excluded.shortcuts, changed_at = excluded.changed_at`),
  )
}

/** Names that people can choose, and that this platform can count with. */
export const zones: readonly string[] = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].sort()
const known: ReadonlySet<string> = new Set(zones)

export const isZone = (name: string): boolean => known.has(name)
