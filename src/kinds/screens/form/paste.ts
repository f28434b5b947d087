/** What was copied in a spreadsheet goes over the controls of rows, each as if it had been typed or chosen there. */
import { type Choosing, choosing, meantBy } from '../../../ui/pasted.ts'

const same = (one: string, other: string): boolean =>
  one.trim().toLocaleLowerCase() === other.trim().toLocaleLowerCase()

/** Whether the control took it. `words`: those of *yes* and *no* in the reader's language. */
export async function fillIn(
  control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  text: string,
  words: { readonly yes: string; readonly no: string },
): Promise<boolean> {
  const tell = (...names: readonly string[]) => {
    for (const name of names) control.dispatchEvent(new Event(name, { bubbles: true }))
  }
  if (control.disabled) return false
  if (control.role === 'combobox')
    return new Promise(done => {
      const detail: Choosing = { text: text.trim(), done }
      control.dispatchEvent(new CustomEvent(choosing, { detail }))
    })
  if (control instanceof HTMLSelectElement) {
    const option = text.trim() === '' ? control.options[0] : meantBy([...control.options], text)
    if (option === undefined) return false
    control.value = option.value
    tell('change', 'focusout')
    return true
  }
  if (control.type === 'checkbox') {
    const isYes = [words.yes, 'true', '1', 'x'].some(word => same(word, text))
    if (!isYes && ![words.no, 'false', '0', ''].some(word => same(word, text))) return false
    if ((control as HTMLInputElement).checked !== isYes) control.click()
    return true
  }
  control.value = text
  tell('input', 'focusout')
  return control.value !== '' || text.trim() === ''
}
