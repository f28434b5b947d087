/** Native controls, as the field types put them into forms and filters. Each takes the aid of its `Field`. */
import {
  type HTMLInputAutoCompleteAttribute,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { type Begun, Combobox, untouched } from './combobox.tsx'
import { isDateType, withPicker, writtenDate } from './dates.ts'
import { useFollowing } from './following.ts'
import type { ControlAid } from './form.tsx'
import { classes, useReader } from './reader.tsx'

export interface ControlProps {
  readonly aid: ControlAid
  readonly name: string
  /** What was typed last time, or canonical text; empty text for none. */
  readonly value: string
  /** Says what it is where no visible label does (cells of child rows). */
  readonly label?: string
  readonly required?: boolean
  readonly readOnly?: boolean
  /** Id of the form that it belongs to, where it stands outside of it. */
  readonly form?: string
  /** Takes the focus when the page arrives: of what somebody has just asked for. */
  readonly first?: boolean
}

/** What every control has of its field, as attributes. */
export function common({ aid, name, label, required, readOnly, form, first }: ControlProps) {
  return { ...aid, name, 'aria-label': label, required, readOnly, form, autoFocus: first }
}

export interface TextControlProps extends ControlProps {
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'search' | 'password' | 'date' | 'time' | 'datetime-local'
  readonly inputMode?: 'numeric' | 'decimal' | 'text' | 'tel' | 'email' | 'url'
  readonly autoComplete?: HTMLInputAutoCompleteAttribute
  /** Right-aligned, for figures. */
  readonly numeric?: boolean
  readonly maxLength?: number
  readonly min?: string
  readonly max?: string
  readonly placeholder?: string
  /** Suggestions, as a native list. */
  readonly suggestions?: readonly string[]
}

export function TextControl(props: TextControlProps) {
  const {
    type = 'text',
    inputMode,
    autoComplete = 'off',
    numeric = false,
    maxLength,
    min,
    max,
    placeholder,
    suggestions,
  } = props
  const { words } = useReader()
  const input = useRef<HTMLInputElement>(null)
  const [isNative, setNative] = useState(false)
  // React writes the type whenever it writes anything of the input.
  useEffect(() => setNative(input.current !== null && withPicker(input.current)), [])
  const list = suggestions === undefined ? undefined : `${props.aid.id}-l`
  const picker = isDateType(type) ? type : undefined
  const written = picker === undefined ? props.value : writtenDate(props.value, words('like.date'))
  return (
    <>
      <input
        {...common(props)}
        ref={input}
        className={classes('in', numeric && 'num')}
        type={picker === undefined || isNative ? type : 'text'}
        data-picker={picker}
        data-iso={written === props.value ? undefined : props.value}
        defaultValue={isNative ? props.value : written}
        inputMode={inputMode}
        autoComplete={autoComplete}
        maxLength={maxLength}
        min={min}
        max={max}
        placeholder={placeholder ?? (picker && words(`like.${picker}`))}
        list={list}
      />
      {suggestions !== undefined && (
        <datalist id={list}>
          {suggestions.map(text => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
    </>
  )
}

/** A figure with its unit or currency beside it. */
export function FigureControl({ unit, ...props }: TextControlProps & { readonly unit: string }) {
  return (
    <span className="affix">
      <TextControl numeric {...props} />
      <span className="unit" aria-hidden="true">
        {unit}
      </span>
    </span>
  )
}

export function AreaControl(props: ControlProps & { readonly maxLength?: number }) {
  return <textarea {...common(props)} className="in" defaultValue={props.value} maxLength={props.maxLength} />
}

export interface Option {
  readonly value: string
  readonly label: string
}

/** A record that was made on the way, chosen as soon as it is there. */
export interface Made {
  readonly option: Option
}

/** Where one was made, the control says that it has changed once it holds it. */
function useMade(made: Made | null | undefined, control: () => HTMLElement | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another record is news
  useEffect(() => {
    if (made == null) return
    const element = control()
    if (element instanceof HTMLSelectElement) element.value = made.option.value
    element?.dispatchEvent(new Event('input', { bubbles: true }))
  }, [made])
}

interface SelectControlProps extends ControlProps {
  readonly made?: Made | null
  readonly options: readonly Option[]
  /** Text of the empty choice; null: there is none. */
  readonly empty?: string | null
  /** Where a script asks when one of `reads` changes, in the row of the control or in its form. */
  readonly source?: string | undefined
  readonly reads?: readonly string[] | undefined
}

export function SelectControl({ options: given, empty, made, source, reads, ...props }: SelectControlProps) {
  const { words } = useReader()
  const select = useRef<HTMLSelectElement>(null)
  const options = useFollowing(select, given, source, reads, props.name)
  useMade(made, () => select.current)
  const { readOnly, ...rest } = common(props)
  const unknown = props.value !== '' && !given.some(option => option.value === props.value)
  return (
    <select {...rest} ref={select} className="in" defaultValue={props.value} disabled={readOnly}>
      {empty !== null && <option value="">{empty ?? words('choose')}</option>}
      {/* A value that is no longer offered stays selected: a form must not change what nobody touched. */}
      {unknown && <option value={props.value}>{props.value}</option>}
      {options.map(option => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
      {made != null && <option value={made.option.value}>{made.option.label}</option>}
    </select>
  )
}

interface RadioControlProps {
  readonly id: string
  readonly name: string
  readonly value: string
  readonly options: readonly (Option & { readonly hint?: string })[]
}

/** Stands in a `FieldGroup`: all choices are seen at once. */
export function RadioControl({ id, name, value, options }: RadioControlProps) {
  return options.map((option, at) => (
    <label className="opt" key={option.value}>
      <input
        id={at === 0 ? `${id}-0` : undefined}
        type="radio"
        name={name}
        value={option.value}
        defaultChecked={option.value === value}
      />
      <span>
        {option.label}
        {option.hint !== undefined && <small className="hint">{option.hint}</small>}
      </span>
    </label>
  ))
}

/** A yes or no with its words beside the box. `off` is posted as well, so that "no" is not taken for "not asked". */
export function CheckControl(
  props: ControlProps & { readonly text: string; readonly on?: string; readonly off?: string },
) {
  const { on = 'yes', off = 'no', text } = props
  const { readOnly, ...rest } = common(props)
  return (
    <span className="opt">
      <input type="hidden" name={props.name} value={off} disabled={readOnly} />
      <label className="opt">
        <input {...rest} type="checkbox" value={on} defaultChecked={props.value === on} disabled={readOnly} />
        <span>{text}</span>
      </label>
    </span>
  )
}

export interface PickControlProps extends ControlProps {
  /** Title of the record that is chosen. */
  readonly chosen: string | null
  /** What was looked for last. */
  readonly query: string
  /** What was found; null: nothing was looked for. */
  readonly results: readonly Option[] | null
  /** What the search left out, in words; empty: nothing. */
  readonly note: string
  /** Where a script asks, with `&q=` and the letters: `{ options, note }`. */
  readonly source: string
  /** What the records go by, in the row of the control and in its form. */
  readonly reads?: readonly string[] | undefined
  /** Makes what is not there; null: it cannot be made here. */
  readonly onCreate?: ((text: string) => void) | null
  readonly made?: Made | null
}

/**
 * What was done by then with a control that the page came with; null: its script has not come. Of one that a script makes, in a new
 * row or a dialog, nothing: it is a combobox from the start, so that the focus it is given stays.
 */
function useBegun(control: RefObject<HTMLDivElement | null>, read: (control: HTMLDivElement) => Begun): Begun | null {
  const isMade = useSyncExternalStore(never, yes, no)
  const [begun, setBegun] = useState<Begun | null>(isMade ? untouched : null)
  // Before the next key can come.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it takes over
  useLayoutEffect(() => {
    if (control.current !== null) setBegun(read(control.current))
  }, [])
  return begun
}

const never = () => () => undefined
const yes = () => true
const no = () => false

interface ListedControlProps extends SelectControlProps {
  readonly source: string
  readonly onCreate: ((text: string) => void) | null
}

/** One of a list of records: a select, which finds only what its texts begin with; where a script runs, the search of one of many. */
export function ListedControl({ onCreate, ...props }: ListedControlProps) {
  const { value, options } = props
  const list = useRef<HTMLDivElement>(null)
  const begun = useBegun(list, element => chosenIn(element.querySelector('select')!))
  if (begun !== null) {
    const chosen = options.find(option => option.value === value)?.label ?? null
    return <Combobox {...props} chosen={chosen} onCreate={onCreate} begun={begun} />
  }
  return (
    <div className="pick" ref={list}>
      <SelectControl {...props} />
    </div>
  )
}

function chosenIn(select: HTMLSelectElement): Begun {
  const { value, selectedOptions } = select
  const label = value === '' ? '' : (selectedOptions[0]?.label ?? '')
  return { text: null, place: select === document.activeElement ? [0, 0] : null, choice: { value, label } }
}

/** One of many records. The page comes with what needs no script; where one runs, it becomes a combobox, with what was done by then. */
export function PickControl(props: PickControlProps) {
  const found = useRef<HTMLDivElement>(null)
  const begun = useBegun(found, begunIn)
  return begun === null ? <SearchAndChoose {...props} found={found} /> : <Combobox {...props} begun={begun} />
}

function begunIn(control: HTMLElement): Begun {
  const input = control.querySelector<HTMLInputElement>('[type=search]')!
  const chosen = control.querySelector<HTMLInputElement>('[type=radio]:checked')
  const { value, selectionStart, selectionEnd } = input
  return {
    text: value === input.defaultValue ? null : value,
    place: input === document.activeElement ? [selectionStart ?? value.length, selectionEnd ?? value.length] : null,
    choice: chosen === null ? null : { value: chosen.value, label: chosen.parentElement?.textContent ?? '' },
  }
}

/**
 * Without a script: letters to look for, a submit that brings the same form back with what was found, and
 * a choice between those. What is chosen travels in a hidden input; a choice made here stands after it and so counts.
 */
function SearchAndChoose(props: PickControlProps & { readonly found: RefObject<HTMLDivElement | null> }) {
  const { aid, name, value, label, chosen, query, results, note } = props
  const { words } = useReader()
  return (
    <div className="pick" ref={props.found}>
      <input type="hidden" name={name} value={value} />
      {chosen !== null && (
        <p className="chosen">
          <span className="muted">{words('pickChosen')}:</span> <b>{chosen}</b>
        </p>
      )}
      <span className="seek">
        <input
          {...aid}
          className="in"
          type="search"
          name={`_q.${name}`}
          defaultValue={query}
          autoComplete="off"
          aria-label={label}
        />
        <button type="submit" className="btn" name="_pick" value={name} formNoValidate>
          {words('search')}
        </button>
      </span>
      {results !== null && (
        <fieldset className="found" id={`${aid.id}-found`}>
          <legend className="hint">
            {results.length === 0 ? words('pickNone') : words('pickFound', { count: results.length })}
            {note !== '' && ` ${note}`}
          </legend>
          {results.map(option => (
            <label className="opt" key={option.value}>
              <input
                type="radio"
                name={name}
                value={option.value}
                defaultChecked={option.value === value || (results.length === 1 && value === '')}
              />
              <span>{option.label}</span>
            </label>
          ))}
        </fieldset>
      )}
    </div>
  )
}

interface SeveralControlProps {
  readonly name: string
  /** The chosen ones, with `parted` between them. */
  readonly value: string
  readonly parted: string
  readonly options: readonly Option[]
  /** As of a select. */
  readonly source?: string | undefined
  readonly reads?: readonly string[] | undefined
  readonly search: { readonly query: string; readonly found: number | null; readonly note: string } | null
  readonly made?: readonly Made[]
  /** The first box, or else the search, has the focus when the page opens. */
  readonly first?: boolean
  /** What the boxes are called in a cell of a row; null: they stand in a `FieldGroup`, which says so. */
  readonly label?: string | null
  readonly aid: ControlAid
}

/** A box for each record or choice. Without a box ticked, the empty input says that none is chosen. */
export function SeveralControl(props: SeveralControlProps) {
  const {
    aid,
    name,
    value,
    parted,
    options: given,
    source,
    reads,
    search,
    made = [],
    first = false,
    label = null,
  } = props
  const { words } = useReader()
  const boxes = useRef<HTMLDivElement>(null)
  const options = useFollowing(boxes, given, source, reads, name)
  useMade(made.at(-1), () => boxes.current)
  // A box that goes and comes again is as it was left.
  const chosen = useRef(new Set(value.split(parted))).current
  const { id, 'aria-describedby': by } = aid
  const group = label === null ? {} : { id, role: 'group', 'aria-label': label, 'aria-describedby': by, tabIndex: -1 }
  return (
    <div className="several" ref={boxes} {...group}>
      <input type="hidden" name={name} value="" />
      {options.map((option, at) => (
        <label className="opt" key={option.value}>
          <input
            id={`${id}-${at}`}
            type="checkbox"
            name={name}
            value={option.value}
            defaultChecked={chosen.has(option.value)}
            // biome-ignore lint/a11y/noAutofocus: somebody has just asked for it
            autoFocus={first && at === 0}
            onChange={({ target }) => (target.checked ? chosen.add(target.value) : chosen.delete(target.value))}
          />
          <span>{option.label}</span>
        </label>
      ))}
      {made.map(({ option }) => (
        <label className="opt" key={option.value}>
          <input type="checkbox" name={name} value={option.value} defaultChecked />
          <span>{option.label}</span>
        </label>
      ))}
      {search !== null && (
        <>
          <span className="seek">
            <input
              className="in"
              type="search"
              name={`_q.${name}`}
              defaultValue={search.query}
              autoComplete="off"
              // biome-ignore lint/a11y/noAutofocus: somebody has just asked for it
              autoFocus={first && options.length === 0}
              aria-label={words('search')}
            />
            <button type="submit" className="btn" name="_pick" value={name} formNoValidate>
              {words('search')}
            </button>
          </span>
          {search.found !== null && (
            <p className="hint">
              {search.found === 0 ? words('pickNone') : words('pickFound', { count: search.found })}
              {search.note !== '' && ` ${search.note}`}
            </p>
          )}
        </>
      )}
    </div>
  )
}
