/**
 * Cells of a list that turn into their controls: by Enter or F2 where the focus is, or by a double click. Arrow keys go from cell to
 * cell. The server gives the control, decides whether there is one, and says what is wrong; after saving the row comes from it anew.
 */
import { halfTyped, tellHalfTyped, withPickers } from '../../../ui/dates.ts'
import { alignCells } from '../live/renew.ts'
import { showBeside } from '../undo.ts'
import { editOf, prepareMenus } from './menus.ts'

/** What stood in a cell before it was turned into a control. */
interface Open {
  readonly cell: HTMLTableCellElement
  readonly before: readonly Node[]
  /** As it came: what is typed since is what has changed. */
  was: string
  sending: boolean
}

const fieldOf = (cell: HTMLTableCellElement): string | null =>
  cell.closest('table')?.tHead?.rows[0]?.cells[cell.cellIndex]?.dataset.cell ?? null

/** Rows can be chosen where cells can be changed. */
const boxOf = (row: HTMLTableRowElement): HTMLInputElement | null => row.querySelector('.c-sel input')

const isShown = (cell: HTMLElement): boolean => cell.offsetParent !== null

/** What would be written: letters that only look for something are none of it. */
const textOf = (form: HTMLFormElement): string =>
  JSON.stringify([...new FormData(form)].filter(([name]) => !name.startsWith('_')))

/** What was copied in a spreadsheet goes over the cells from this one on; first it is tried. */
function sendRange(cell: HTMLTableCellElement, text: string): void {
  const [table, row] = [cell.closest('table')!, cell.closest('tr')!]
  const list = table.closest('form')
  // What many records are changed by.
  const edit = list?.querySelector<HTMLButtonElement>('[formaction^="/-/bulk?entity="]:not([formaction*="&"])')
  if (list == null || edit == null) return
  const rows = [...(table.tBodies[0]?.rows ?? [])]
  const heads = [...table.tHead!.rows[0]!.cells].slice(cell.cellIndex).filter(isShown)
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', action: edit.formAction, hidden: true })
  const add = (name: string, value: string) =>
    form.append(Object.assign(document.createElement('textarea'), { name, value }))
  for (const { name, value } of list.querySelectorAll<HTMLInputElement>('input[type=hidden]')) add(name, value)
  for (const one of rows.slice(rows.indexOf(row))) add('id', boxOf(one)?.value ?? '')
  for (const head of heads) {
    add('field', head.dataset.cell ?? '')
    add('column', head.textContent.trim())
  }
  add('_pasted', text)
  document.body.append(form)
  form.requestSubmit()
}

export function changeCells(table: HTMLTableElement): void {
  const opened = new Map<HTMLFormElement, Open>()
  const status = document.createElement('p')
  status.className = 'vh'
  status.setAttribute('role', 'status')

  table.setAttribute('role', 'grid')
  for (const row of table.tBodies[0]?.rows ?? []) prepare(row)
  const first = table.tBodies[0]?.rows[0]?.querySelector<HTMLElement>('[role=rowheader]')
  first?.setAttribute('tabindex', '0')

  function prepare(row: HTMLTableRowElement): void {
    const isOpen = editOf(row) !== null
    for (const cell of row.cells) {
      if (cell.getAttribute('role') === 'cell') cell.setAttribute('role', 'gridcell')
      if (isOpen && fieldOf(cell) !== null) cell.setAttribute('data-edits', '')
      else cell.setAttribute('aria-readonly', 'true')
    }
  }

  function focus(cell: HTMLElement | null | undefined): void {
    if (cell == null) return
    for (const other of table.querySelectorAll('tbody [tabindex="0"]:is(td, th)')) other.setAttribute('tabindex', '-1')
    cell.setAttribute('tabindex', '0')
    cell.focus()
  }

  /** One cell can always be reached by Tab; not the one that is a form, whose control can. */
  function keepReachable(cell: HTMLElement | null | undefined): void {
    if (table.querySelector('tbody [tabindex="0"]:is(td, th)') === null) cell?.setAttribute('tabindex', '0')
  }

  function close(form: HTMLFormElement, andFocus = true): void {
    const open = opened.get(form)
    if (open === undefined) return
    opened.delete(form)
    open.cell.replaceChildren(...open.before)
    if (andFocus) focus(open.cell)
    else keepReachable(open.cell)
  }

  /** Puts what the server gave into the cell; false: it was no piece of a page (signed out, failed). */
  async function put(cell: HTMLTableCellElement, before: readonly Node[], html: string): Promise<boolean> {
    const piece = new DOMParser().parseFromString(html, 'text/html')
    const form = piece.querySelector<HTMLFormElement>('form.cellform')
    const closed = piece.querySelector('.cellwhy')
    if (form !== null) {
      cell.replaceChildren(form)
      cell.setAttribute('tabindex', '-1')
      withPickers(form)
      const island = form.querySelector<HTMLElement>('[data-island=cell]')
      // Where its script does not come, what the server gave looks for records as well.
      if (island !== null) await import('./picker.tsx').then(({ start }) => start(island)).catch(() => null)
      opened.set(form, { cell, before, was: textOf(form), sending: false })
      const control = form.querySelector<HTMLElement>('[aria-invalid], .in, input:not([type=hidden])')
      control?.focus()
      if (control instanceof HTMLInputElement && control.type === 'text') control.select()
    } else if (closed !== null) {
      cell.replaceChildren(...before, closed)
      focus(cell)
      cell.addEventListener('blur', () => closed.remove(), { once: true })
    }
    return form !== null || closed !== null
  }

  async function open(cell: HTMLTableCellElement): Promise<void> {
    const field = fieldOf(cell)
    const edit = editOf(cell.closest('tr') as HTMLTableRowElement)
    if (field === null || edit === null || cell.querySelector('form') !== null || cell.ariaBusy === 'true') return
    cell.ariaBusy = 'true'
    // There before it speaks, or it is not heard.
    table.parentElement?.append(status)
    for (const why of cell.querySelectorAll('.cellwhy')) why.remove()
    try {
      const of = new URL(edit.href).pathname
      const answer = await fetch(`/-/cell?${new URLSearchParams({ of, field })}`)
      if (!(await put(cell, [...cell.childNodes], await answer.text()))) location.assign(edit.href)
    } catch {
      dispatchEvent(new Event('unreached'))
    } finally {
      cell.ariaBusy = null
    }
  }

  async function send(form: HTMLFormElement, by: HTMLElement | null): Promise<void> {
    const state = opened.get(form)
    if (state === undefined || state.sending || tellHalfTyped(form)) return
    state.sending = true
    const { cell, before } = state
    const row = cell.closest('tr') as HTMLTableRowElement
    const hadFocus = form.contains(document.activeElement)
    const body = new URLSearchParams([...new FormData(form, by)].map(([name, value]) => [name, String(value)]))
    try {
      const answer = await fetch(form.action, { method: 'POST', body })
      const html = await answer.text()
      const saved = new DOMParser().parseFromString(html, 'text/html').querySelector('[data-saved]')
      if (saved !== null) {
        opened.delete(form)
        cell.replaceChildren(...before)
        status.textContent = saved.querySelector('.flash > span')?.textContent ?? ''
        if (saved.querySelector('form') !== null) showBeside(saved)
        await renew(row, cell.cellIndex, hadFocus || document.activeElement === document.body)
        return
      }
      opened.delete(form)
      if (await put(cell, before, html)) return
      cell.replaceChildren(form)
      opened.set(form, state)
    } catch {
      // Nothing is lost: it is still there to be sent again.
      dispatchEvent(new Event('unreached'))
    }
    state.sending = false
  }

  /** The row as it is now, sums and count too: other fields may follow from the one that was changed. */
  async function renew(row: HTMLTableRowElement, at: number, andFocus: boolean): Promise<void> {
    const answer = await fetch(location.href)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const id = boxOf(row)?.value
    const rows = [...page.querySelectorAll<HTMLTableRowElement>('main tbody tr')]
    const fresh = rows.find(one => id !== undefined && boxOf(one)?.value === id) ?? null
    // A state that no row was in.
    for (const symbol of page.querySelectorAll('.defs symbol'))
      if (document.getElementById(symbol.id) === null) document.querySelector('.defs')?.append(symbol)
    for (const part of ['main tfoot', 'main .count'])
      document.querySelector(part)?.replaceWith(...[page.querySelector(part)].filter(found => found !== null))
    const next = fresh ?? (row.nextElementSibling as HTMLTableRowElement | null)
    if (fresh !== null) {
      prepareMenus(fresh, page)
      alignCells(fresh, row)
      row.replaceWith(fresh)
      prepare(fresh)
    } else row.remove()
    if (andFocus) focus(next?.cells[at])
    else keepReachable(next?.cells[at])
  }

  table.addEventListener('ninefold:put', ({ target }) => {
    // Behind what makes its menu of it.
    if (target instanceof HTMLTableRowElement) queueMicrotask(() => prepare(target))
  })

  table.addEventListener('dblclick', event => {
    const target = event.target as Element
    const cell = target.closest<HTMLTableCellElement>('[data-edits]')
    if (cell === null || target.closest('a, button, input, select, textarea, form.cellform') !== null) return
    getSelection()?.removeAllRanges()
    void open(cell)
  })

  table.addEventListener('paste', event => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    const cell = event.target as HTMLElement
    if (text === '' || !(cell instanceof HTMLTableCellElement)) return
    event.preventDefault()
    sendRange(cell, text)
  })

  table.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement
    if (!opened.has(form)) return
    event.preventDefault()
    event.stopPropagation()
    void send(form, event.submitter)
  })

  table.addEventListener('click', event => {
    const cancel = (event.target as Element).closest('[data-cancel]')
    if (cancel !== null) close(cancel.closest('form') as HTMLFormElement)
  })

  table.addEventListener('focusout', event => {
    const form = (event.target as Element).closest<HTMLFormElement>('form.cellform')
    const state = form === null ? undefined : opened.get(form)
    // Another window, another tab: nobody has left the cell.
    if (form === null || state === undefined || state.sending || !document.hasFocus()) return
    if (event.relatedTarget instanceof Node && form.contains(event.relatedTarget)) return
    if (textOf(form) !== state.was || halfTyped(form).length > 0) void send(form, null)
    else if (form.querySelector('.err') === null) close(form, false)
  })

  table.addEventListener('keydown', event => {
    const target = event.target as HTMLElement
    const form = target.closest<HTMLFormElement>('form.cellform')
    if (form !== null) return inForm(event, target, form)
    const cell = target.closest<HTMLTableCellElement>('[role=gridcell], [role=rowheader]')
    if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return
    if (target !== cell) {
      if (target.closest('.menu') !== null) return
      // Out of a link or a box to the cell that it stands in, or straight to the next one.
      if (event.key === 'Escape') focus(cell)
      if (!event.key.startsWith('Arrow') || !target.matches('a, button, [type=checkbox]')) return
    }
    const row = cell.closest('tr') as HTMLTableRowElement
    if (event.key === 'Enter' || event.key === 'F2') {
      event.preventDefault()
      if (cell.dataset.edits !== undefined) void open(cell)
      else cell.querySelector<HTMLElement>('a, button, input')?.focus()
      return
    }
    const next = neighbour(row, cell, event.key)
    if (next === undefined) return
    event.preventDefault()
    focus(next)
  })

  function inForm(event: KeyboardEvent, target: HTMLElement, form: HTMLFormElement): void {
    // A list of records that is open takes its own keys.
    if (event.defaultPrevented) return
    if (event.key === 'Escape') {
      event.preventDefault()
      close(form)
    } else if (event.key === 'Enter' && target.matches('select, input[type=checkbox], textarea')) {
      if (target.matches('textarea') && !event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      form.requestSubmit()
    }
  }

  /** Where an arrow key leads; undefined: it is none. Null: there is nothing there. */
  function neighbour(
    row: HTMLTableRowElement,
    cell: HTMLTableCellElement,
    key: string,
  ): HTMLTableCellElement | null | undefined {
    const cells = [...row.cells].filter(isShown)
    const at = cells.indexOf(cell)
    const rows = [...(table.tBodies[0]?.rows ?? [])]
    const place = rows.indexOf(row)
    const end = document.dir === 'rtl' ? -1 : 1
    const across: Readonly<Record<string, number>> = {
      ArrowRight: at + end,
      ArrowLeft: at - end,
      Home: 0,
      End: cells.length - 1,
    }
    const down: Readonly<Record<string, number>> = { ArrowDown: place + 1, ArrowUp: place - 1 }
    if (key in across) return cells[across[key]!] ?? null
    if (key in down) return rows[down[key]!]?.cells[cell.cellIndex] ?? null
    return undefined
  }
}
