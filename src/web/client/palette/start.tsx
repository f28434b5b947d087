/** The palette: a dialog over the page, with what the search page would show, one key away from each. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { SearchGroup } from '../../../ui/search.tsx'
import { StateLabel } from '../../../ui/state.tsx'
import type { Recent } from '../recent.ts'

interface Found {
  /** What was looked for. */
  readonly search: string
  readonly groups: readonly SearchGroup[]
  /** What was not looked for as it was typed. */
  readonly notes: readonly string[]
  /** How many there are, in the reader's language. */
  readonly told: string
}

const nothing: Omit<Found, 'search'> = { groups: [], notes: [], told: '' }

/** Milliseconds of quiet after a key before it asks. */
const quiet = 120

let open: ((before: HTMLElement | null) => void) | null = null

type RecentOf = (form: HTMLFormElement) => readonly Recent[]

/**
 * Opens it over the form that finds the same without scripts; `recentOf`: what it offers first while nothing is typed; `before`: what has
 * the focus again when it is closed.
 */
export function start(form: HTMLFormElement, recentOf: RecentOf, before: HTMLElement | null): void {
  if (open === null) {
    const host = document.createElement('div')
    document.body.append(host)
    createRoot(host).render(<Palette form={form} recentOf={recentOf} before={before} />)
  } else open(before)
}

interface PaletteProps {
  readonly form: HTMLFormElement
  readonly recentOf: RecentOf
  readonly before: HTMLElement | null
}

/** What answers, and behind it the list with all of it. */
const optionsOf = ({ items, more }: SearchGroup): SearchGroup['items'] =>
  more === null || more.href === null ? items : [...items, { label: more.label, href: more.href }]

function Palette({ form, recentOf, before }: PaletteProps) {
  const field = form.elements.namedItem('q') as HTMLInputElement
  const label = form.getAttribute('aria-label') ?? ''
  const dialog = useRef<HTMLDialogElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const asked = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [text, setText] = useState('')
  const [found, setFound] = useState<Found>({ ...nothing, search: '' })
  const [at, setAt] = useState(0)
  const items = found.groups.flatMap(optionsOf)

  /** `goes`: to the first of what is found, as soon as it is. */
  const find = async (search: string, goes = false) => {
    clearTimeout(timer.current)
    const mine = ++asked.current
    const query = new URLSearchParams({ q: search, from: location.pathname })
    const answer = await fetch(`${form.getAttribute('action')}.json?${query}`).catch(() => null)
    if (mine !== asked.current) return
    const there = { ...(answer?.ok ? ((await answer.json()) as Found) : nothing), search }
    if (mine !== asked.current) return
    const recent = search.trim() === '' ? recentOf(form) : []
    const first = { title: form.dataset.recent ?? '', items: recent, more: null }
    setFound(recent.length === 0 ? there : { ...nothing, search, groups: [first, ...there.groups] })
    setAt(0)
    const best = there.groups[0]?.items[0]
    if (goes && best !== undefined) location.assign(best.href)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; what it calls only reads references
  useEffect(() => {
    open = from => {
      if (dialog.current?.open === true) return
      const typed = field.value === field.defaultValue ? null : field.value
      field.value = field.defaultValue
      from?.focus()
      dialog.current?.showModal()
      if (typed === null) input.current?.select()
      else setText(typed)
      void find(typed ?? input.current?.value ?? '')
    }
    open(before)
    return () => clearTimeout(timer.current)
  }, [])
  useEffect(() => {
    dialog.current?.querySelector(`#palette-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at])

  const go = (place: number) => {
    const item = items[place]
    if (item !== undefined) location.assign(item.href)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined && items.length > 0) {
      event.preventDefault()
      setAt((at + move + items.length) % items.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      // What stands there may still be the answer to something else.
      if (found.search === text) go(at)
      else void find(text, true)
    }
  }
  let place = 0
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes every dialog
    <dialog
      ref={dialog}
      className="palette"
      aria-label={label}
      onClick={event => event.target === dialog.current && dialog.current.close()}
    >
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={items.length > 0}
        aria-controls="palette-list"
        aria-activedescendant={items.length > 0 ? `palette-${at}` : undefined}
        placeholder={field.placeholder}
        autoComplete="off"
        value={text}
        onChange={event => {
          const { value } = event.target
          setText(value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => void find(value), quiet)
        }}
        onKeyDown={onKeyDown}
      />
      <output className={items.length === 0 || found.notes.length > 0 ? 'none' : 'vh'}>
        {[...found.notes, found.told].join(' ')}
      </output>
      <div id="palette-list" role="listbox" aria-label={label}>
        {found.groups.map((group, index) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no set of fields
          <div key={group.title} role="group" aria-labelledby={`palette-g${index}`}>
            <div className="nh" id={`palette-g${index}`}>
              {group.title}
              {group.more?.href === null && <small className="muted"> {group.more.label}</small>}
            </div>
            {optionsOf(group).map(({ label: name, href, state, note }) => {
              const mine = place++
              return (
                // biome-ignore lint/a11y/useFocusableInteractive: named by aria-activedescendant
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input
                <div
                  key={href}
                  id={`palette-${mine}`}
                  role="option"
                  aria-selected={mine === at}
                  onPointerMove={() => setAt(mine)}
                  onClick={() => go(mine)}
                >
                  <span>
                    {name}
                    {note !== undefined && <small className="muted"> {note}</small>}
                  </span>
                  {state !== undefined && <StateLabel name={state.label} ring={state.ring} />}
                </div>
              )
            })}
          </div>
        ))}
      </div>
    </dialog>
  )
}
