/**
 * A list: filters apply as soon as they are set, and the focus stays where it was; one box selects all rows, Shift a range,
 * `j` and `k` go from row to row, cells are changed in place. A form over it that is closed leads back to the link that opened it.
 */
import { keepPlace, openerOf } from './again.ts'
import { changeCells } from './list/cells.ts'
import { prepareMenus } from './list/menus.ts'

prepareMenus(document, document)
addEventListener('ninefold:put', ({ target, detail }) => prepareMenus(target as Element, detail))

/**
 * `send` when one of the selects is set: at once by a pointer. Whoever goes through its choices by keys has made one with Enter, or when
 * it is left.
 */
function whenSet(form: HTMLFormElement, controls: string, send: (focus: EventTarget | null) => void): void {
  let stepped: EventTarget | null = null
  const isOne = (target: EventTarget | null): target is HTMLElement =>
    target instanceof HTMLElement && target.matches(controls)
  form.addEventListener('keydown', ({ key, target }) => {
    if (target instanceof HTMLSelectElement && !['Tab', 'Shift', 'Enter', 'Escape', ' '].includes(key)) stepped = target
  })
  form.addEventListener('keyup', ({ key, target }) => {
    if (key === 'Enter' && stepped !== null && stepped === target && isOne(target)) send(target)
  })
  form.addEventListener('pointerdown', () => {
    stepped = null
  })
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target !== stepped && isOne(target)) send(target)
  })
  form.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (isOne(target) && target === stepped && isChanged(target)) send(relatedTarget)
  })
}

for (const form of document.querySelectorAll<HTMLFormElement>('form.filters')) {
  whenSet(form, 'select', focus => {
    keepPlace(focus instanceof Element ? focus : null)
    form.requestSubmit()
  })
  form.addEventListener('submit', () => keepPlace(document.activeElement))
  // What is not set is not in the address.
  form.addEventListener('formdata', ({ formData }) => {
    for (const name of new Set(formData.keys())) {
      const values = formData.getAll(name).filter(value => value !== '')
      formData.delete(name)
      for (const value of values) formData.append(name, value)
    }
  })
}

for (const form of document.querySelectorAll<HTMLFormElement>('form.builder')) {
  const add = form.querySelector<HTMLElement>('[name=_build][value=add]')
  whenSet(form, '[name=_add]', focus => {
    if (focus !== add && new FormData(form).get('_add') !== '') form.requestSubmit(add)
  })
}

/** Whether another one is chosen than when the page came. */
const isChanged = (control: EventTarget | null): boolean =>
  control instanceof HTMLSelectElement &&
  control.selectedIndex !==
    Math.max(
      0,
      [...control.options].findIndex(option => option.defaultSelected),
    )

/** Whether Shift is held: a label passes a press on without it. */
let isRange = false
for (const name of ['pointerdown', 'keydown'] as const)
  addEventListener(name, ({ shiftKey }) => {
    isRange = shiftKey
  })

for (const all of document.querySelectorAll<HTMLInputElement>('[data-all]')) {
  const boxes = () => [...(all.closest('table')?.querySelectorAll<HTMLInputElement>('tbody .c-sel input') ?? [])]
  all.addEventListener('change', () => {
    for (const box of boxes()) box.checked = all.checked
  })
  let last: HTMLInputElement | null = null
  all.closest('table')?.addEventListener('change', ({ target }) => {
    const rows = boxes()
    const [from, to] = [rows.indexOf(last!), rows.indexOf(target as HTMLInputElement)]
    // From the one that was chosen last to this one, all are as this one is.
    if (isRange && from >= 0 && to >= 0)
      for (const box of rows.slice(Math.min(from, to), Math.max(from, to))) box.checked = rows[to]!.checked
    last = rows[to] ?? last
    const chosen = boxes().filter(box => box.checked).length
    all.checked = chosen > 0 && chosen === boxes().length
    all.indeterminate = chosen > 0 && !all.checked
  })
}

/** Somebody has turned single keys off. */
const isOff = document.querySelector('[data-find]:not([data-shortcuts])') !== null

addEventListener('keydown', event => {
  const { key, target } = event
  if (isOff) return
  if (event.metaKey || event.ctrlKey || event.altKey || !(target instanceof Element)) return
  if (target.closest('input:not([type=checkbox]), select, textarea, [contenteditable], [popover]') !== null) return
  if (document.querySelector('dialog[open]') !== null) return
  const row = target.closest('tr')
  if (key === 'v') row?.querySelector<HTMLInputElement>('.c-sel input')?.click()
  if (key !== 'j' && key !== 'k') return
  const rows = [...document.querySelectorAll<HTMLElement>('tbody a.ttl')]
  const at = rows.indexOf(row?.querySelector<HTMLElement>('a.ttl') as HTMLElement)
  rows[Math.max(0, Math.min(rows.length - 1, at + (key === 'j' ? 1 : -1)))]?.focus()
})

const panel = document.querySelector<HTMLElement>('[data-close]')
addEventListener('keydown', ({ key, target, defaultPrevented }) => {
  const isHere = target === document.body || (target instanceof Node && panel?.contains(target))
  if (panel === null || !isHere || key !== 'Escape' || defaultPrevented) return
  keepPlace(openerOf())
  location.assign(panel.dataset.close!)
})
panel?.addEventListener('submit', () => keepPlace(openerOf()))

for (const table of document.querySelectorAll('table'))
  if (table.querySelector('th[data-cell]') !== null) changeCells(table)
