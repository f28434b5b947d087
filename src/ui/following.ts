/** Choices that go by what stands in other controls of their form. */
import { type RefObject, useEffect, useState } from 'react'
import type { Option } from './controls.tsx'

/** The address of the choices, with what stands in those controls now. */
export function askedOf(source: string, reads: readonly string[] = [], form: HTMLFormElement | null = null): string {
  if (reads.length === 0 || form === null) return source
  const [path, query] = source.split('?')
  const asked = new URLSearchParams(query)
  const now = new FormData(form)
  for (const name of reads) {
    const text = now.getAll(name).at(-1)
    if (typeof text === 'string') asked.set(`this.${name}`, text)
  }
  return `${path}?${asked}`
}

/** The options as they are after a change of what they go by. What is chosen already stays among them until something else is. */
export function useFollowing(
  select: RefObject<HTMLSelectElement | null>,
  given: readonly Option[],
  source: string | undefined,
  reads: readonly string[] | undefined,
): readonly Option[] {
  const [options, setOptions] = useState(given)
  useEffect(() => {
    const form = select.current?.form
    if (source === undefined || reads === undefined || form == null) return
    let last = askedOf(source, reads, form)
    const look = async () => {
      const address = askedOf(source, reads, form)
      if (address === last) return
      last = address
      const answer = await fetch(address, { headers: { accept: 'application/json' } }).catch(() => null)
      if (answer?.ok !== true || address !== last) return
      const found = ((await answer.json()) as { readonly options: readonly Option[] }).options
      const chosen = [...(select.current?.selectedOptions ?? [])].filter(
        ({ value }) => value !== '' && !found.some(option => option.value === value),
      )
      setOptions([...chosen.map(({ value, label }) => ({ value, label })), ...found])
    }
    const changed = ({ target }: Event) => {
      if (reads.includes((target as HTMLInputElement).name)) void look()
    }
    form.addEventListener('input', changed)
    void look()
    return () => form.removeEventListener('input', changed)
  }, [select, source, reads])
  return options
}
