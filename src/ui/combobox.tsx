/** One of many records, looked for while typing: the ARIA 1.2 combobox with a list (APG), over an address that answers with options. */
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Option, PickControlProps } from './controls.tsx'
import { askedOf } from './following.ts'
import { type Choosing, choosing, meantBy } from './pasted.ts'
import { useReader } from './reader.tsx'

interface Found {
  readonly options: readonly Option[]
  readonly note: string
}

/** What somebody did with it before its script came. */
export interface Begun {
  /** Null: typed nothing. */
  readonly text: string | null
  /** What is selected, where it has the focus. */
  readonly place: readonly [from: number, to: number] | null
  readonly choice: Option | null
}

/** Milliseconds of quiet after a key before it asks. */
const quiet = 150

export const untouched: Begun = { text: null, place: null, choice: null }

type ComboboxProps = Omit<PickControlProps, 'query' | 'results' | 'note'> & { readonly begun?: Begun }

/** The hidden input holds what is chosen and says so with an `input` event; the text is only for looking. */
export function Combobox(props: ComboboxProps) {
  const { aid, name, value, label, chosen, source, reads, onCreate = null, made = null, begun = untouched } = props
  const { words } = useReader()
  const id = useId()
  const [choice, setChoice] = useState<Option>(begun.choice ?? { value, label: chosen ?? '' })
  const [text, setText] = useState(begun.place === null ? choice.label : (begun.text ?? choice.label))
  const [found, setFound] = useState<Found | null>(null)
  const [at, setAt] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const hidden = useRef<HTMLInputElement>(null)
  const asked = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const options = found?.options ?? []
  const wanted = onCreate === null || found === null || text === choice.label ? '' : text.trim()
  const count = options.length + (wanted === '' ? 0 : 1)
  const note = found?.note ?? ''
  const said = found !== null && count === 0 ? words('pickNone') : note
  const isOpen = count > 0 || said !== ''

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it takes over
  useLayoutEffect(() => {
    if (begun.place === null) return
    input.current?.focus()
    if (begun.text === null) return input.current?.select()
    input.current?.setSelectionRange(...begun.place)
    later(begun.text)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    const box = list.current
    if (box === null) return
    if (isOpen && !box.matches(':popover-open')) box.showPopover({ source: input.current as HTMLElement })
    else if (!isOpen && box.matches(':popover-open')) box.hidePopover()
  }, [isOpen])
  useEffect(() => {
    if (at >= 0) list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  // What is chosen is in the page now: whoever reads the form is told.
  const first = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice is news
  useEffect(() => {
    if (!first.current) hidden.current?.dispatchEvent(new Event('input', { bubbles: true }))
    first.current = false
  }, [choice.value])

  const close = () => {
    clearTimeout(timer.current)
    asked.current++
    setFound(null)
    setAt(-1)
  }
  const take = (option: Option | undefined) => {
    if (option === undefined) return
    setChoice(option)
    setText(option.label)
    close()
  }
  const make = () => {
    close()
    onCreate?.(wanted)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another record is news
  useEffect(() => {
    if (made !== null) take(made.option)
  }, [made])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the page came with does not change
  useEffect(() => {
    const control = input.current!
    const reset = () => take({ value, label: chosen ?? '' })
    control.addEventListener('reset', reset)
    return () => control.removeEventListener('reset', reset)
  }, [])
  const ask = async (letters: string): Promise<Found> => {
    const address = askedOf(source, reads, name, hidden.current?.form)
    const answer = await fetch(letters === '' ? address : `${address}&q=${encodeURIComponent(letters)}`, {
      headers: { accept: 'application/json' },
    }).catch(() => null)
    return answer?.ok ? await answer.json() : { options: [], note: '' }
  }
  /** The one that is called so, else the only one that is found. */
  const chooseFor = async ({ text: called, done }: Choosing) => {
    const { options: all } = called === '' ? { options: [{ value: '', label: '' }] } : await ask(called)
    const one = meantBy(all, called) ?? (all.length === 1 ? all[0] : undefined)
    take(one)
    done(one !== undefined)
  }
  // Each time: what it asks with is the form's as it stands.
  useEffect(() => {
    const control = input.current!
    const choose = (event: Event) => void chooseFor((event as CustomEvent<Choosing>).detail)
    control.addEventListener(choosing, choose)
    return () => control.removeEventListener(choosing, choose)
  })
  const find = async (query: string, mark = -1) => {
    const mine = ++asked.current
    const next = await ask(query.trim())
    if (mine !== asked.current) return
    setFound(next)
    setAt(mark === -1 ? -1 : Math.min(mark, next.options.length - 1))
  }
  const later = (typed: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void find(typed), quiet)
  }
  /** What there is; with letters that chose nothing yet, what they find. */
  const open = (mark?: number) => void find(text === choice.label ? '' : text, mark)
  const move = (by: number) => {
    if (!isOpen) open(0)
    else if (count > 0) setAt(at < 0 && by < 0 ? count - 1 : (at + by + count) % count)
  }
  const takeMarked = () => {
    const marked = Math.max(at, 0)
    if (wanted !== '' && marked === options.length) make()
    else take(options[marked])
  }
  /** What a key does instead of what it does in a text; undefined: nothing else. */
  const actionOf = (key: string): (() => void) | undefined => {
    if (key === 'ArrowDown') return () => move(1)
    if (key === 'ArrowUp') return () => move(-1)
    if (!isOpen) return undefined
    return key === 'Enter' ? takeMarked : key === 'Escape' ? close : undefined
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = actionOf(event.key)
    if (act !== undefined) {
      event.preventDefault()
      act()
    } else if (event.key === 'Tab' && isOpen && at >= 0) take(options[at])
    else if (event.key === 'Escape') setText(choice.label)
  }

  return (
    <div className="pick">
      <input ref={hidden} type="hidden" name={name} value={choice.value} />
      <input
        {...aid}
        ref={input}
        className="in"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}l`}
        aria-activedescendant={at >= 0 ? `${id}o${at}` : undefined}
        aria-label={label}
        autoComplete="off"
        value={text}
        onChange={event => {
          const typed = event.target.value
          setText(typed)
          if (typed.trim() === '') {
            setChoice({ value: '', label: '' })
            close()
            return
          }
          later(typed)
        }}
        onKeyDown={onKeyDown}
        onClick={event => {
          if (isOpen) return
          event.currentTarget.select()
          open()
        }}
        onBlur={() => {
          close()
          setText(choice.label)
        }}
      />
      <div
        ref={list}
        className="menu cb"
        id={`${id}l`}
        role="listbox"
        popover="manual"
        aria-label={words('pickOptions')}
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: named by aria-activedescendant
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input
          <div
            key={option.value}
            id={`${id}o${index}`}
            role="option"
            aria-selected={index === at}
            onPointerDown={event => event.preventDefault()}
            onClick={() => take(option)}
          >
            {option.label}
          </div>
        ))}
        {said !== '' && (
          // biome-ignore lint/a11y/useFocusableInteractive: it cannot be chosen
          <div
            className="muted"
            role="option"
            aria-disabled="true"
            aria-selected={false}
            onPointerDown={event => event.preventDefault()}
          >
            {said}
          </div>
        )}
        {wanted !== '' && (
          // biome-ignore lint/a11y/useFocusableInteractive: named by aria-activedescendant
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input
          <div
            id={`${id}o${options.length}`}
            role="option"
            aria-selected={at === options.length}
            onPointerDown={event => event.preventDefault()}
            onClick={make}
          >
            {words('createText', { text: wanted })}
          </div>
        )}
      </div>
      <output className={note === '' ? 'vh' : 'hint'}>
        {found !== null && (options.length === 0 ? words('pickNone') : words('pickFound', { count: options.length }))}
        {note !== '' && ` ${note}`}
      </output>
    </div>
  )
}
