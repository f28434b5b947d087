/** A list: filters apply as soon as they are set, one box selects all rows, `j` and `k` go from row to row, cells are changed in place. */
import { changeCells } from './list/cells.ts'
import { prepareMenus } from './list/menus.ts'

prepareMenus(document, document)

for (const form of document.querySelectorAll<HTMLFormElement>('form.filters')) {
  form.addEventListener('change', event => {
    const control = event.target as HTMLElement
    // A date is changed by each of its parts; it counts when it is left, or when Enter is pressed.
    if (control.matches('select')) form.requestSubmit()
  })
  form.addEventListener('focusout', event => {
    const control = event.target
    if (control instanceof HTMLInputElement && control.type === 'date' && control.value !== control.defaultValue)
      form.requestSubmit()
  })
}

for (const all of document.querySelectorAll<HTMLInputElement>('[data-all]')) {
  const boxes = () => [...(all.closest('table')?.querySelectorAll<HTMLInputElement>('tbody .c-sel input') ?? [])]
  all.addEventListener('change', () => {
    for (const box of boxes()) box.checked = all.checked
  })
  all.closest('table')?.addEventListener('change', () => {
    const chosen = boxes().filter(box => box.checked).length
    all.checked = chosen > 0 && chosen === boxes().length
    all.indeterminate = chosen > 0 && !all.checked
  })
}

addEventListener('keydown', event => {
  const { key, target } = event
  if (event.metaKey || event.ctrlKey || event.altKey || !(target instanceof Element)) return
  if (target.closest('input:not([type=checkbox]), select, textarea, [contenteditable], [popover]') !== null) return
  if (key !== 'j' && key !== 'k') return
  const rows = [...document.querySelectorAll<HTMLElement>('tbody a.ttl')]
  const at = rows.indexOf(target.closest('tr')?.querySelector<HTMLElement>('a.ttl') as HTMLElement)
  rows[Math.max(0, Math.min(rows.length - 1, at + (key === 'j' ? 1 : -1)))]?.focus()
})

for (const table of document.querySelectorAll('table'))
  if (table.querySelector('th[data-cell]') !== null) changeCells(table)
