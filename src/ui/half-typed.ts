/** Dates and times of which only a part is filled in: the browser sends such a control as if it were empty. */

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
