/** Menus of rows as one menu: what rows have alike is one item, whose address is said by the record's. */
import type { IconName } from '../../../ui/icons.tsx'
import { recordPath, recordValue, type SharedItem } from '../../../ui/row-menu.tsx'
import type { ListView } from './view-model.ts'

type Row = ListView['rows'][number]

export const icons = {
  edit: 'pencil',
  copy: 'copy',
  delete: 'trash',
  archive: 'inbox',
} as const satisfies Record<string, IconName>

export interface RowMenu {
  readonly items: readonly SharedItem[]
  /** Of each row the places of its items; null: it has none, or no page to share them by. */
  readonly places: readonly (string | null)[]
}

export function rowMenu(rows: readonly Row[]): RowMenu {
  const items = new Map<string, { readonly at: number; readonly item: SharedItem }>()
  const placeOf = (item: SharedItem): number => {
    const key = item.kind === 'rule' ? '' : [item.href, item.label, item.icon, item.tone].join('\n')
    const found = items.get(key) ?? { at: items.size, item }
    items.set(key, found)
    return found.at
  }
  const places = rows.map(({ href, actions, more }) => {
    if (href === null || actions.length + more.length === 0) return null
    const addressed = addressIn(href)
    const steps = actions.map(({ label, danger, action, confirm }) =>
      placeOf({
        kind: 'link',
        label,
        href: addressed(confirm ?? action),
        icon: 'arrow',
        tone: danger ? 'bad' : 'plain',
      }),
    )
    const rule = steps.length > 0 && more.length > 0 ? [placeOf({ kind: 'rule' })] : []
    const others = more.map(({ kind, label, href: to }) =>
      placeOf({
        kind: 'link',
        label,
        href: addressed(to),
        icon: icons[kind],
        tone: kind === 'delete' ? 'bad' : 'plain',
      }),
    )
    return [...steps, ...rule, ...others].join(' ')
  })
  return { items: [...items.values()].map(({ item }) => item), places }
}

/** `/loans/7/edit` is `{path}/edit` of `/loans/7`, `/loans/new?_copy=7` is `/loans/new?_copy={value}`; another one is itself. */
function addressIn(record: string): (href: string) => string {
  const path = record.split(/[?#]/)[0]!
  const value = path.slice(path.lastIndexOf('/') + 1)
  return href => {
    if (href.startsWith(`${path}/`)) return recordPath + href.slice(path.length)
    if (value !== '' && href.endsWith(`=${value}`)) return href.slice(0, -value.length) + recordValue
    return href
  }
}
