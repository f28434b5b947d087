/** One menu for all rows: their links become its buttons, and it holds what the row has whose button is pressed. */
const menuId = 'row-menu'

const itemsOf = new WeakMap<Element, readonly HTMLElement[]>()

/** `page`: what the rows came with, to whose menu they refer. */
export function prepareMenus(rows: ParentNode, page: Document): void {
  const all = [...(page.getElementById(menuId)?.children ?? [])]
  for (const link of rows.querySelectorAll<HTMLAnchorElement>('a[data-menu]')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = link.className
    button.ariaLabel = link.ariaLabel
    button.setAttribute('popovertarget', menuId)
    button.append(...link.childNodes)
    const path = link.getAttribute('href')?.split(/[?#]/)[0] ?? ''
    const places = link.dataset.menu?.split(' ') ?? []
    itemsOf.set(
      button,
      places.flatMap(place => withAddress(all[Number(place)], path) ?? []),
    )
    link.replaceWith(button)
  }
}

function withAddress(item: Element | undefined, path: string): HTMLElement | null {
  if (item === undefined) return null
  const own = document.importNode(item, true) as HTMLElement
  const address = own.dataset.href
  if (address === undefined) return own
  const link = document.createElement('a')
  const value = path.slice(path.lastIndexOf('/') + 1)
  link.className = own.className
  link.setAttribute(
    'href',
    address.replace('{path}', () => path).replace('{value}', () => value),
  )
  link.append(...own.childNodes)
  return link
}

/** The menu of a row has Edit where the record may be changed at all. */
export function editOf(row: HTMLTableRowElement): HTMLAnchorElement | null {
  const shared = itemsOf.get(row.querySelector('.c-act button') ?? row) ?? []
  const items = [...shared, ...row.querySelectorAll<HTMLElement>('.menu a')]
  return items.find((item): item is HTMLAnchorElement => item.matches('a[href$="/edit"]')) ?? null
}

// Before the browser opens it.
document.addEventListener('click', event => {
  const button = event.target instanceof Element ? event.target.closest(`[popovertarget=${menuId}]`) : null
  const items = button === null ? undefined : itemsOf.get(button)
  const menu = document.getElementById(menuId)
  if (items === undefined || menu === null) return
  if (menu.matches(':popover-open') && menu.firstElementChild !== items[0]) menu.hidePopover()
  menu.replaceChildren(...items)
})
