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

type Item = SearchGroup['items'][number] & {
  /** What stands on the page itself, and is pressed there. */
  readonly here?: HTMLElement
}

/** What the page offers to whoever types what it is called. */
function hereOf(form: HTMLFormElement, search: string): SearchGroup | null {
  const words = search.trim().toLowerCase().split(/\s+/)
  const items = [...document.querySelectorAll<HTMLElement>('[data-do]')].flatMap((here, at): Item[] => {
    const label = here.ariaLabel ?? here.textContent ?? ''
    const fits = search.trim() !== '' && words.every(word => label.toLowerCase().includes(word))
    return fits ? [{ label, href: `#${at}`, here }] : []
  })
  return items.length === 0 ? null : { title: form.dataset.here ?? '', items, more: null }
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
const optionsOf = ({ items, more }: SearchGroup): readonly Item[] =>
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
    const told = answer?.ok ? ((await answer.json()) as Found) : nothing
    if (mine !== asked.current) return
    const here = hereOf(form, search)
    const there = { ...told, groups: here === null ? told.groups : [...told.groups, here], search }
    const recent = search.trim() === '' ? recentOf(form) : []
    const first = { title: form.dataset.recent ?? '', items: recent, more: null }
    setFound(recent.length === 0 ? there : { ...nothing, search, groups: [first, ...there.groups] })
    setAt(0)
    const best = there.groups.flatMap(optionsOf)[0]
    if (goes && best !== undefined) follow(best)
  }
  const follow = ({ href, here }: Item, apart = false) => {
    if (here !== undefined) here.click()
    else if (apart) window.open(href, '_blank', 'noopener')
    else location.assign(href)
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

  const go = (place: number, apart = false) => {
    const item = items[place]
    if (item !== undefined) follow(item, apart)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined && items.length > 0) {
      event.preventDefault()
      setAt((at + move + items.length) % items.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      // What stands there may still be the answer to something else.
      if (found.search === text) go(at, event.ctrlKey || event.metaKey)
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
                  onClick={event => go(mine, event.ctrlKey || event.metaKey)}
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
      <p className="keys" aria-hidden="true">
        {form.dataset.keys}
      </p>
    </dialog>
  )
}
