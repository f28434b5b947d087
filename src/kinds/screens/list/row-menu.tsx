/** Menus of rows as one menu: what rows have alike is one item, whose address is said by the record's. */
import { memoize } from '../../../expression/memoize.ts'
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

/** What a row has of it, and all of that as one text: rows mostly have the same. */
interface OwnItems {
  readonly key: string
  readonly items: readonly { readonly key: string; readonly item: SharedItem }[]
}

const known = new WeakMap<Row, OwnItems>()

export function rowMenu(rows: readonly Row[]): RowMenu {
  const items = new Map<string, { readonly at: number; readonly item: SharedItem }>()
  const same = new Map<string, string>()
  const places = rows.map(row => {
    if (row.href === null || row.actions.length + row.more.length === 0) return null
    const own = memoize(known, row, () => itemsOf(row, row.href!))
    return memoize(same, own.key, () =>
      own.items.map(({ key, item }) => memoize(items, key, () => ({ at: items.size, item })).at).join(' '),
    )
  })
  return { items: [...items.values()].map(({ item }) => item), places }
}

function itemsOf({ actions, more }: Row, record: string): OwnItems {
  const addressed = addressIn(record)
  const steps = actions.map(
    ({ label, danger, action, confirm }): SharedItem => ({
      kind: 'link',
      label,
      href: addressed(confirm ?? action),
      icon: 'arrow',
      tone: danger ? 'bad' : 'plain',
    }),
  )
  const others = more.map(
    ({ kind, label, href }): SharedItem => ({
      kind: 'link',
      label,
      href: addressed(href),
      icon: icons[kind],
      tone: kind === 'delete' ? 'bad' : 'plain',
    }),
  )
  const rule: readonly SharedItem[] = steps.length > 0 && others.length > 0 ? [{ kind: 'rule' }] : []
  const items = [...steps, ...rule, ...others].map(item => ({
    key: item.kind === 'rule' ? '' : [item.href, item.label, item.icon, item.tone].join('\n'),
    item,
  }))
  return { key: items.map(({ key }) => key).join('\0'), items }
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
