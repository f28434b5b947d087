/** The page of a record: behind an `@` in a comment, people are offered whom it can bring in. Typed out, names work without this. */

interface Found {
  readonly names: readonly string[]
  /** How many there are, and what the list is, in the reader's language. */
  readonly told: string
  readonly label: string
}

/** Milliseconds of quiet after a key before it asks. */
const quiet = 150
/** What is typed of a name: one or two words behind the `@`. */
const begun = /(?:^|[^\p{L}\p{N}._-])@([\p{L}\p{N}'’-]+(?: [\p{L}\p{N}'’-]*)?)$/u

for (const [index, area] of document.querySelectorAll<HTMLTextAreaElement>('form.talk textarea').entries())
  offerPeople(area, `mentions-${index}`)

function offerPeople(area: HTMLTextAreaElement, id: string): void {
  const form = area.form as HTMLFormElement
  const list = document.createElement('div')
  Object.assign(list, { id, className: 'menu cb', role: 'listbox', popover: 'manual' })
  const told = document.createElement('output')
  told.className = 'vh'
  area.after(list, told)
  for (const [name, value] of [
    ['aria-autocomplete', 'list'],
    ['aria-haspopup', 'listbox'],
    ['aria-controls', id],
  ] as const)
    area.setAttribute(name, value)
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  let at = -1

  const of = (name: string) => (form.elements.namedItem(name) as HTMLInputElement | null)?.value ?? ''
  const typed = () => begun.exec(area.value.slice(0, area.selectionStart))?.[1] ?? null
  const close = () => {
    clearTimeout(timer)
    asked++
    at = -1
    if (list.matches(':popover-open')) list.hidePopover()
    list.replaceChildren()
    told.textContent = ''
    area.removeAttribute('aria-activedescendant')
  }
  const mark = (next: number) => {
    at = (next + list.children.length) % list.children.length
    for (const [place, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(place === at))
    area.setAttribute('aria-activedescendant', `${id}-${at}`)
    list.children[at]?.scrollIntoView({ block: 'nearest' })
  }
  const take = (name: string) => {
    const before = typed()
    if (before !== null) area.setRangeText(`${name} `, area.selectionStart - before.length, area.selectionStart, 'end')
    area.dispatchEvent(new Event('input', { bubbles: true }))
    close()
  }
  const find = async (text: string) => {
    const mine = ++asked
    const query = new URLSearchParams({ entity: of('entity'), record: of('record'), q: text })
    const answer = await fetch(`/-/mentions?${query}`, { headers: { accept: 'application/json' } }).catch(() => null)
    const found = answer?.ok ? ((await answer.json()) as Found) : null
    if (mine !== asked || found === null) return
    if (found.names.length === 0) close()
    told.textContent = found.told
    list.setAttribute('aria-label', found.label)
    list.replaceChildren(
      ...found.names.map((name, place) => {
        const option = document.createElement('div')
        Object.assign(option, { id: `${id}-${place}`, role: 'option', textContent: name })
        option.addEventListener('pointerdown', event => event.preventDefault())
        option.addEventListener('click', () => take(name))
        return option
      }),
    )
    if (found.names.length === 0) return
    if (!list.matches(':popover-open')) list.showPopover({ source: area })
    mark(0)
  }

  area.addEventListener('input', () => {
    const text = typed()
    clearTimeout(timer)
    if (text === null) close()
    else timer = setTimeout(() => void find(text), quiet)
  })
  area.addEventListener('blur', close)
  area.addEventListener('keydown', event => {
    if (!list.matches(':popover-open')) return
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined) mark(at + move)
    else if (event.key === 'Enter' || event.key === 'Tab') take(list.children[at]?.textContent ?? '')
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  })
}
