/**
 * A form that answers while somebody types. The controls keep their own texts, so nothing typed before the script came is lost;
 * after each change the whole form is read from them and checked (`run/write/live.ts`). A message appears when its control is left, not
 * at every key; sending is held back while something is wrong, and the server has the last word.
 */
import { type FocusEvent, type FormEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { isPercent } from '../../../expression/fit.ts'
import type { Wire } from '../../../expression/type.ts'
import { learnZone } from '../../../expression/zone.ts'
import { unpackedZone } from '../../../expression/zone-table.ts'
import { shownValue, withDecimals } from '../../../run/problems/shown.ts'
import { type Checked, checkForm, type LiveProblem } from '../../../run/write/live.ts'
import type { LiveField, LiveForm } from '../../../run/write/live-form.ts'
import { withRelated } from '../../../run/write/live-related.ts'
import { halfTyped, isHalfTyped } from '../../../ui/dates.ts'
import type { RecordFormProps, RuleStatus } from '../../../ui/form.tsx'
import { type Reader, useReader } from '../../../ui/reader.tsx'
import { waitingFile } from '../../fields/file/held.ts'
import type { ErrorView, FieldView } from '../view-model.ts'
import { type Arranged, arranged, listAt, listsOf, namesOf, placeOf, rowsAt, withRowsAt } from './arranged.ts'
import type { ConditionalNow } from './conditional.tsx'
import { type LiveRows, liveRows, typeable } from './live-rows.ts'
import { pairsOf } from './names.ts'
import type { FormView, RowsView } from './view-model.ts'

export interface Live {
  /** What stands at a control now. */
  readonly errorsAt: (field: FieldView) => readonly ErrorView[]
  /** A computed field with the value that it has by now. */
  readonly shown: (field: FieldView) => FieldView
  /** What a control is by a condition of its field; null where no condition decides. Without a script everything is there. */
  readonly controlOf: (field: FieldView) => ConditionalNow | null
  readonly ruleStatus: (rule: string) => RuleStatus['status']
  readonly rowsOf: (rows: RowsView) => LiveRows
  readonly summary: readonly ErrorView[]
  /** Counts the attempts to send that were held back. */
  readonly tries: number
  readonly events: NonNullable<RecordFormProps['events']>
  readonly formRef: RefObject<HTMLFormElement | null>
  /** Another one with each row that comes or goes. */
  readonly arranged: unknown
}

interface State {
  readonly found: Checked | null
  /** Names of controls that were changed since the page came. */
  readonly changed: ReadonlySet<string>
  /** Names of controls that were changed and left, or tried to be sent. */
  readonly seen: ReadonlySet<string>
  readonly rows: Arranged
  readonly summary: readonly ErrorView[]
  readonly tries: number
  /** What the server said of values that other records may have, since they were changed last. */
  readonly taken: readonly LiveProblem[]
}

export function useLive(view: FormView): Live {
  const { words, format } = useReader()
  const formRef = useRef<HTMLFormElement>(null)
  const [started, setStarted] = useState(false)
  const [state, setState] = useState<State>(() => beginning(view))
  const nextKey = useRef(0)
  const focus = useRef<string | null>(null)
  const [live, setLive] = useState(view.live)
  const latestLive = useRef(live)
  const sought = useRef(new Set<string>())
  const [seeking, setSeeking] = useState(0)
  /** Of what the server works values out from. */
  const changes = useRef(0)

  /** Reads the form as it stands in the page. */
  const read = (): Checked | null => {
    const form = formRef.current
    const { current: known } = latestLive
    return form === null || known === null
      ? null
      : upToHere(view, checkForm(known, [...elsewhere(view), ...textsOf(form)]))
  }
  const look = (change: (before: State) => Partial<State>) =>
    setState(before => ({ ...before, ...change(before), found: read() ?? before.found }))
  const questions = useRef(0)
  /** Asks the server whether another record has what was filled in; no answer says nothing, and saving says it anyway. */
  const ask = async () => {
    const mine = ++questions.current
    const answer = await asked<{ readonly problems: readonly LiveProblem[] }>(view, formRef.current, '_taken')
    if (mine === questions.current && answer !== null) setState(before => ({ ...before, taken: answer.problems }))
  }
  const know = (now: LiveForm) => {
    latestLive.current = now
    setLive(now)
  }
  /**
   * Asks for what is needed of records that were chosen and did not come with the form, once for each; and, where `again`, for what the
   * server alone can work out of the form as it stands.
   */
  const seek = async (again = false) => {
    const { current: known } = latestLive
    const ids = known === null ? [] : missingIn(known, formRef.current)
    if (!again && ids.every(id => sought.current.has(id))) return
    for (const id of ids) sought.current.add(id)
    setSeeking(before => before + 1)
    const mine = changes.current
    const answer = await asked<Pick<LiveForm, 'related' | 'worked'>>(view, formRef.current, '_needed')
    if (answer !== null) {
      const more = withRelated(latestLive.current!, answer.related)
      know(mine === changes.current ? { ...more, worked: answer.worked } : more)
    }
    setSeeking(before => before - 1)
    look(() => ({}))
  }
  const asks = (name: string) => live !== null && view.wizard === null && (fieldOf(live, name)?.asks ?? false)
  const left = useLeaving((name, isHalf) => {
    look(({ seen, changed }) =>
      isHalf || changed.has(name) ? { seen: new Set(seen).add(name), changed: new Set(changed).add(name) } : {},
    )
    if (state.changed.has(name) && asks(name)) void ask()
    if (state.changed.has(name) && live !== null && worksFrom(live, name)) void seek(true)
  })

  // Rows that came or went are in the page only now; what was typed before the script came is read here, too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows alone decide
  useEffect(() => {
    for (const [zone, table] of Object.entries(live?.clocks ?? {})) learnZone(zone, unpackedZone(table))
    setStarted(true)
    look(() => ({}))
    if (live?.on === 'create' || view.errors.length > 0) void seek(!started && view.wizard === null && hasLater(live))
    if (focus.current !== null) formRef.current?.querySelector<HTMLElement>(focus.current)?.focus()
    focus.current = null
  }, [state.rows])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new attempt moves the focus
  useEffect(() => {
    if (state.tries === 0) return
    const prefix = words('errorPrefix')
    if (!document.title.startsWith(prefix)) document.title = prefix + document.title
    formRef.current?.closest('[data-island]')?.querySelector<HTMLElement>('.summary')?.focus()
  }, [state.tries])

  const events: Live['events'] = {
    onInput(event: FormEvent<HTMLFormElement>) {
      const { name } = event.target as HTMLInputElement
      if (name === '' || name.startsWith('_')) return
      if (asks(name)) questions.current++
      const isWorked = latestLive.current !== null && worksFrom(latestLive.current, name)
      if (isWorked) {
        changes.current++
        know({ ...latestLive.current!, worked: {} })
      }
      look(({ changed, taken }) => ({ changed: new Set(changed).add(name), taken: asks(name) ? [] : taken }))
      void seek(isWorked && (event.target as HTMLElement).matches('select, [type=checkbox], [type=radio]'))
    },
    onBlur(event: FocusEvent<HTMLFormElement>) {
      const { name } = event.target as unknown as HTMLInputElement
      // Of half a date the browser tells no change.
      if (name !== undefined && name !== '') left(name, isHalfTyped(event.target))
    },
    onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
      const down = inRows(event)
      if (down === null) return
      event.preventDefault()
      const { cell, row } = down
      const next = rowBeside(row, down.up)
      if (next !== null) next.children[cell]?.querySelector<HTMLElement>(typeable)?.focus()
      else if (!down.up && event.key === 'Enter') {
        const path = row.closest('fieldset')?.id.split('-') ?? []
        const list = listAt(listsOf(view), state.rows, path)
        if (list !== undefined) rowsOf(list).append?.(cell)
      }
    },
    onSubmit(event: FormEvent<HTMLFormElement>) {
      const { submitter } = event.nativeEvent as SubmitEvent
      if (submitter instanceof HTMLButtonElement && submitter.formNoValidate) return
      const found = read()
      if (found === null || found.problems.length === 0) return
      event.preventDefault()
      const names = namesOf(view, state.rows)
      const order = (problem: LiveProblem) => (names.has(problem.name ?? '') ? [...names].indexOf(problem.name!) : -1)
      const inOrder = (problems: readonly LiveProblem[]) => problems.toSorted((a, b) => order(a) - order(b))
      setState(before => ({
        ...before,
        found,
        seen: new Set([...names, ...before.seen]),
        changed: new Set([...names, ...before.changed]),
        summary: inOrder([...found.problems, ...before.taken]).map(problem => placed(problem, names)),
        tries: before.tries + 1,
      }))
    },
  }

  const untouched = state.changed.size === 0
  const row = (number: number) => words('row', { number })
  const placed = (problem: LiveProblem, names: ReadonlySet<string>): ErrorView => {
    const way = placeOf(listsOf(view), state.rows, (problem.name ?? '').split('.'), { called: textAt, row })
    return { ...errorOf(problem, names), ...(way.length > 0 && { place: way.join(' › ') }) }
  }
  const errorsFor = (name: string, given: readonly ErrorView[]): readonly ErrorView[] => {
    const { found, seen, changed } = state
    if (untouched || found === null || live === null) return given
    const kept = given.filter(({ code }) => !changed.has(name) && !isDecided(live, found, code))
    const names = namesOf(view, state.rows)
    const own = found.problems.filter(problem => problem.name === name && problem.reads.some(read => seen.has(read)))
    const others = state.taken.filter(problem => problem.name === name)
    return [...kept, ...[...own, ...others].map(problem => placed(problem, names))]
  }

  const rowsOf = (rows: RowsView): LiveRows =>
    liveRows(rows, {
      now: rowsAt(state.rows, rows.key.split('.')),
      sums: state.found?.totals[rows.key] ?? {},
      started,
      errorsFor,
      words,
      newKey: () => `${rows.id}-new-${nextKey.current++}`,
      change(next, { name, shift, focused }) {
        questions.current++
        focus.current = focused
        setState(before => ({
          ...before,
          taken: [],
          rows: withRowsAt(before.rows, rows.key.split('.'), next),
          changed: new Set(shift(before.changed)).add(name),
          seen: shift(before.seen),
        }))
      },
    })

  return {
    summary: state.summary,
    tries: state.tries,
    events: started ? events : {},
    formRef,
    arranged: state.rows,
    errorsAt: field => errorsFor(field.name, field.errors),
    controlOf(field) {
      const now = state.found?.controls[field.name] ?? null
      if (started || now === null) return now
      const required = now.absent ? field.required : now.required
      return { absent: false, locked: false, required, early: now.absent }
    },
    ruleStatus: rule => state.found?.rules[rule] ?? 'open',
    shown(field) {
      const now = field.name.includes('.') ? state.found?.inRows[field.name] : state.found?.computed[field.key]
      const reads = live === null ? null : (fieldOf(live, field.name)?.later ?? null)
      const isAsItCame = reads === null ? untouched : ![...state.changed].some(isReadBy(field.name, reads))
      return shownNow(field, live, now, isAsItCame, { format, later: seeking > 0 ? '' : words('computedLater') })
    },
    rowsOf,
  }
}

/** Whether a control is one of those that a computed field beside it reads. */
const isReadBy = (field: string, reads: readonly string[]) => (name: string) => {
  const row = field.slice(0, field.lastIndexOf('.') + 1)
  return row === '' ? reads.includes(headOf(name)) : name.startsWith(row) && reads.includes(name.slice(row.length))
}

/** Whether the server works something out of this control. */
const worksFrom = ({ entity, entities }: LiveForm, name: string): boolean =>
  entities[entity]!.fields.some(({ later }) => later?.includes(headOf(name)) === true)

const hasLater = (live: LiveForm | null): boolean =>
  live?.entities[live.entity]?.fields.some(({ later }) => later !== null) === true

/** What the server says of the form as it stands; null: nothing. */
async function asked<Answer>(view: FormView, form: HTMLFormElement | null, what: string): Promise<Answer | null> {
  if (form === null) return null
  const texts = [...new FormData(form)].flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []))
  const answer = await fetch(view.action, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams([...texts, [what, 'yes']]),
  }).catch(() => null)
  return answer?.ok === true ? ((await answer.json()) as Answer) : null
}

/** Records that stand in the form, of which not all is there that it needs. */
function missingIn(live: LiveForm, form: HTMLFormElement | null): readonly string[] {
  const isThere = (entity: string, id: string, level: number): boolean => {
    const record = live.related[entity]?.[id]
    if (record === undefined || level === live.levels) return record !== undefined
    const leads = Object.entries(live.leads[entity] ?? {})
    return leads.every(([field, to]) => typeof record[field] !== 'string' || isThere(to, record[field], level + 1))
  }
  return [...new FormData(form ?? undefined)].flatMap(([name, value]) => {
    const type = fieldOf(live, name)?.type
    if (typeof value !== 'string' || value === '' || type?.kind !== 'reference' || !(type.entity in live.leads))
      return []
    return isThere(type.entity, value, 1) ? [] : [value]
  })
}

/** Keys that go from row to row, in the column where they are pressed; null: none of these. A list that is open has its own. */
function inRows(event: KeyboardEvent<HTMLFormElement>) {
  const { key, shiftKey: shift, ctrlKey, metaKey, altKey, defaultPrevented } = event
  const target = event.target as HTMLElement
  const cell = target.closest<HTMLTableCellElement>('.lines tbody td')
  const isText = target.matches('input:is([type=text], :not([type]))') && target.role !== 'combobox'
  const moves = key === 'Enter' ? target.matches('input, select') : isText && (key === 'ArrowDown' || key === 'ArrowUp')
  if (cell === null || !moves || defaultPrevented || ctrlKey || metaKey || altKey || target.matches('[type=file]'))
    return null
  return {
    cell: cell.cellIndex,
    row: cell.closest('tr') as HTMLTableRowElement,
    up: key === 'ArrowUp' || (key === 'Enter' && shift),
  }
}

/** The row after this one, or before it. Rows of its own stand between them. */
function rowBeside(row: HTMLTableRowElement, before: boolean): Element | null {
  const next = before ? row.previousElementSibling : row.nextElementSibling
  return next?.className === 'below' ? rowBeside(next as HTMLTableRowElement, before) : next
}

/** What stands in a control, as its reader sees it. */
function textAt({ id, control }: FieldView): string {
  if (control.kind === 'shown') return control.value.text
  const element = document.getElementById(id)
  if (element instanceof HTMLSelectElement) return element.value === '' ? '' : element.selectedOptions[0]!.text
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.value : ''
}

const elsewhere = ({ wizard }: FormView): readonly (readonly [string, string])[] => wizard?.elsewhere ?? []

/** Of a page of a wizard: what stands on it and looks at nothing that is only asked for later. */
function upToHere(view: FormView, found: Checked): Checked {
  const { wizard } = view
  if (wizard === null) return found
  const own = new Set(pairsOf(view).map(([name]) => headOf(name)))
  const later = new Set(wizard.later)
  const isOpen = ({ reads }: LiveProblem) =>
    reads.some(name => own.has(headOf(name))) && !reads.some(name => later.has(headOf(name)))
  return { ...found, problems: found.problems.filter(isOpen) }
}

/** `lines.0.item` → `lines`. */
const headOf = (name: string): string => name.split('.')[0]!

function beginning(view: FormView): State {
  const isWrong = ({ errors }: { readonly errors: readonly ErrorView[] }) => errors.length > 0
  const wrongIn = ({ rows }: RowsView): readonly string[] =>
    rows.flatMap(({ fields, lists }) => [...fields.filter(isWrong).map(({ name }) => name), ...lists.flatMap(wrongIn)])
  const wrong = view.parts.flatMap(part =>
    part.kind === 'rows' ? wrongIn(part.rows) : isWrong(part.field) ? [part.field.name] : [],
  )
  return {
    found: view.live === null ? null : upToHere(view, checkForm(view.live, [...elsewhere(view), ...pairsOf(view)])),
    changed: new Set(),
    seen: new Set(wrong),
    rows: arranged(listsOf(view)),
    summary: view.errors,
    tries: 0,
    taken: [],
  }
}

/**
 * Calls back when a control was left, but not between a press and its release: a message that appears there would move the
 * button away from under the pointer.
 */
function useLeaving(leave: (name: string, isHalf: boolean) => void): (name: string, isHalf: boolean) => void {
  const pressed = useRef(false)
  const waiting = useRef<readonly (readonly [name: string, isHalf: boolean])[]>([])
  const latest = useRef(leave)
  latest.current = leave
  useEffect(() => {
    const down = () => {
      pressed.current = true
    }
    const up = () => {
      pressed.current = false
      const left = waiting.current
      waiting.current = []
      // After the click that belongs to this release.
      const tell = () => {
        for (const one of left) latest.current(...one)
      }
      if (left.length > 0) setTimeout(tell, 50)
    }
    addEventListener('pointerdown', down, true)
    addEventListener('pointerup', up, true)
    addEventListener('pointercancel', up, true)
    return () => {
      removeEventListener('pointerdown', down, true)
      removeEventListener('pointerup', up, true)
      removeEventListener('pointercancel', up, true)
    }
  }, [])
  return (...one) => {
    if (pressed.current) waiting.current = [...waiting.current, one]
    else leave(...one)
  }
}

/** Names and texts as they would be sent; of a file that was chosen, what is known of it; half a date is none. */
function textsOf(form: HTMLFormElement): readonly (readonly [string, string])[] {
  const half = new Set(halfTyped(form).map(({ name }) => name))
  return [...new FormData(form)].flatMap(([name, value]) => {
    if (typeof value === 'string') return [[name, half.has(name) ? '?' : value] as const]
    return value.name === '' ? [] : [[name, waitingFile(value.name, value.size)] as const]
  })
}

const errorOf = ({ name, ...problem }: LiveProblem, names: ReadonlySet<string>): ErrorView => ({
  ...problem,
  href: name !== null && names.has(name) ? `#${name.replaceAll('.', '-')}` : null,
})

/** Whether the browser can say by itself if this still holds; else what the server said stands until the control is changed. */
const isDecided = (live: LiveForm, found: Checked, code: string): boolean =>
  !found.undecided.has(code) &&
  (decidedHere.has(code) || live.rules.some(rule => rule.code === code && !rule.warns) || isRefusal(live, code))

const isRefusal = ({ entities }: LiveForm, code: string): boolean =>
  Object.values(entities).some(({ fields }) =>
    fields.some(({ refusals }) =>
      Object.entries(refusals).some(([builtIn, own]) => own.code === code && decidedHere.has(builtIn)),
    ),
  )

const decidedHere = new Set([
  'NF-REQUIRED',
  'NF-MIN',
  'NF-MAX',
  'NF-SHORT',
  'NF-LONG',
  'NF-PATTERN',
  'NF-FILE-SIZE',
  'NF-FEW',
  'NF-MANY',
  'NF-TWICE',
  'NF-ONLY-WHEN',
  'NF-READ-ONLY',
])

/** The field that a control is named by. */
function fieldOf({ entity, entities }: Pick<LiveForm, 'entity' | 'entities'>, name: string): LiveField | undefined {
  const [head, , ...rest] = name.split('.')
  const own = entities[entity]?.fields.find(field => field.key === head)
  if (rest.length === 0) return own
  return own?.type.kind === 'list' ? fieldOf({ entity: own.type.entity, entities }, rest.join('.')) : undefined
}

/** A field that is only shown, with what it comes to by now: as it stands once it is saved. Exported for its test. */
export function shownNow(
  field: FieldView,
  live: LiveForm | null,
  value: Wire | 'not known' | undefined,
  untouched: boolean,
  { format, later }: { readonly format: Reader['format']; readonly later: string },
): FieldView {
  const { control } = field
  const own = live === null ? undefined : fieldOf(live, field.name)
  if (control.kind !== 'shown' || live === null || value === undefined || own === undefined) return field
  if (value === 'not known' && untouched) return field
  const { type, parameters } = own
  const typed = typeof value === 'string' ? withDecimals(value, type, parameters.scale) : value
  const text =
    value === 'not known'
      ? later
      : type.kind === 'decimal' && typeof typed === 'string'
        ? format[isPercent(type) ? 'percent' : 'decimal'](typed)
        : shownValue(typed, type, live.locale, live.zone)
  return { ...field, control: { ...control, value: { ...control.value, text, datetime: null } } }
}
