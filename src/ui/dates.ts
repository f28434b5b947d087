/**
 * Dates and times: the page comes with text as its reader writes it, which keeps whatever somebody types; a script turns it into the
 * browser's own control, which is easier to use and is sent as if it were empty while only a part of it is filled in.
 */

/** `2026-03-28T09:30`, like `TT.MM.JJJJ` → `28.03.2026 09:30`. What is no such text is given back. */
export function writtenDate(text: string, like: string): string {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?$/.exec(text) ?? []
  if (year === undefined) return text
  const date = like.replace(/(\w)\1+/g, ({ length }, letter) => (length === 4 ? year : letter === 'M' ? month! : day!))
  return time === undefined ? date : `${date} ${time}`
}

/** What the browser's own controls can hold; anything else they would lose. */
const shapes = {
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d$/,
  'datetime-local': /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/,
} as const

type DateType = keyof typeof shapes

export const isDateType = (type: string): type is DateType => Object.hasOwn(shapes, type)

/** Turns it into the browser's own, unless that could not hold what stands in it or somebody is typing there; whether it is one. */
export function withPicker(input: HTMLInputElement): boolean {
  const { picker: type = '', iso = '' } = input.dataset
  if (!isDateType(type)) return false
  if (input === document.activeElement) return input.type === type
  const isUntouched = input.value === input.defaultValue && shapes[type].test(iso)
  const hold = (text: string) => {
    input.defaultValue = text
    input.value = text
  }
  // Browsers complain of text that the type cannot hold.
  if (isUntouched) hold('')
  if (input.value === '' || shapes[type].test(input.value)) input.type = type
  if (isUntouched) hold(iso)
  return input.type === type
}

/** All of them in it. */
export function withPickers(root: ParentNode): void {
  for (const input of root.querySelectorAll<HTMLInputElement>('input[data-picker]')) withPicker(input)
}

export const isHalfTyped = (element: Element | EventTarget | null): element is HTMLInputElement =>
  element instanceof HTMLInputElement && element.validity.badInput

export const halfTyped = (form: HTMLFormElement): readonly HTMLInputElement[] =>
  [...form.elements].filter(element => isHalfTyped(element))

/** Says it at the first of them, in the browser's words, and takes the focus there; whether there was one. */
export function tellHalfTyped(form: HTMLFormElement): boolean {
  const [first] = halfTyped(form)
  first?.reportValidity()
  return first !== undefined
}
