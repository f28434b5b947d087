/** Choices that go by what stands in other controls of their form. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Option } from './controls.tsx'

/** The control by which the choices of another one go: `this.model` stands in the same row, `above.day` in the form around it. */
function controlOf(read: string, name: string): string {
  const [base, key] = read.split('.')
  return base === 'this' ? [...name.split('.').slice(0, -1), key].join('.') : key!
}

/** The address of the choices of a control, with what stands in the others now. */
export function askedOf(
  source: string,
  reads: readonly string[] = [],
  name = '',
  form: HTMLFormElement | null = null,
): string {
  const [path, query] = source.split('?')
  const asked = new URLSearchParams(query)
  const now = form === null ? null : new FormData(form)
  for (const read of reads) {
    const texts = now?.getAll(controlOf(read, name)) ?? []
    if (texts.length === 0) continue
    asked.delete(read)
    for (const text of texts) if (typeof text === 'string' && text !== '') asked.append(read, text)
  }
  return `${path}?${asked}`
}

/** What is chosen in a list, or ticked among boxes. */
function chosenIn(control: HTMLElement | null): readonly Option[] {
  if (control instanceof HTMLSelectElement)
    return [...control.selectedOptions]
      .filter(({ value }) => value !== '')
      .map(({ value, label }) => ({ value, label }))
  const ticked = control?.querySelectorAll<HTMLInputElement>('[type=checkbox]:checked') ?? []
  return [...ticked].map(box => ({ value: box.value, label: box.parentElement?.textContent ?? '' }))
}

/** The options as they are after a change of what they go by. What is chosen already stays among them until something else is. */
export function useFollowing(
  control: RefObject<HTMLElement | null>,
  given: readonly Option[],
  source: string | undefined,
  reads: readonly string[] | undefined,
  name: string,
): readonly Option[] {
  const [options, setOptions] = useState(given)
  const asked = useRef(source === undefined ? '' : askedOf(source))
  useEffect(() => {
    const form = control.current?.closest('form')
    if (source === undefined || reads === undefined || form == null) return
    const controls = reads.map(read => controlOf(read, name))
    const look = async () => {
      const address = askedOf(source, reads, name, form)
      if (address === asked.current) return
      asked.current = address
      const answer = await fetch(address, { headers: { accept: 'application/json' } }).catch(() => null)
      if (answer?.ok !== true || address !== asked.current) return
      const found = ((await answer.json()) as { readonly options: readonly Option[] }).options
      const kept = chosenIn(control.current).filter(({ value }) => !found.some(option => option.value === value))
      setOptions([...kept, ...found])
    }
    const changed = ({ target }: Event) => {
      if (controls.includes((target as HTMLInputElement).name)) void look()
    }
    form.addEventListener('input', changed)
    void look()
    return () => form.removeEventListener('input', changed)
  }, [control, source, reads, name])
  return options
}
