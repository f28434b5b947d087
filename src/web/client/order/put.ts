/** A record is put elsewhere in an order by hand, one after the other; the server judges it, and the page then shows what is there. */
import { spoken } from '../move/spoken.ts'
import { showBeside } from '../undo.ts'

/** The submits of a row or a card; null: it has no place that could be changed. */
export const submitOf = (item: Element): HTMLButtonElement | null =>
  item.querySelector<HTMLButtonElement>('button[name=_move]')

/** Its record. */
export const recordOf = (submit: HTMLButtonElement): string => submit.value.split('.')[0]!

let before: Promise<void> = Promise.resolve()

/** `way`: as the submits say it, `up`, or `before.` and the record that it shall stand before. */
export function put(item: Element, way: string): void {
  const submit = submitOf(item)
  if (submit === null) return
  before = before.then(() => sent(submit, way))
}

async function sent(submit: HTMLButtonElement, way: string): Promise<void> {
  const record = recordOf(submit)
  const token = document.querySelector<HTMLInputElement>('input[name=_csrf]')?.value ?? ''
  const body = new URLSearchParams({
    _csrf: token,
    _list: location.pathname + location.search,
    _move: `${record}.${way}`,
    _piece: 'yes',
  })
  const answer = await fetch(submit.formAction, { method: 'POST', body }).catch(() => null)
  if (answer === null) return void dispatchEvent(new Event('unreached'))
  const said = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-saved]')
  if (said === null) return location.reload()
  spoken(said.querySelector('.flash > span')?.textContent ?? '')
  const { lookNow } = await import('../live/look.ts')
  if (answer.ok) await lookNow()
  showBeside(said)
  handleOf(record)?.focus({ preventScroll: true })
}

/** What opens the menu with the submits of this record. */
function handleOf(record: string): HTMLElement | null {
  const menu = document.querySelector(`button[name=_move][value^="${record}."]`)?.closest('[popover]')
  return menu == null ? null : document.querySelector(`[popovertarget="${menu.id}"]`)
}
