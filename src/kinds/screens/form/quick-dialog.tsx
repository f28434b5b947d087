/** The dialog in which a record is made while another form is filled in. The server alone judges it. */
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { HiddenInputs } from '../../../ui/buttons.tsx'
import type { Option } from '../../../ui/controls.tsx'
import { useReader } from '../../../ui/reader.tsx'
import { errorText } from '../value.tsx'
import type { QuickView } from '../view-model.ts'
import { FormField } from './control.tsx'
import { Quick, type Wish } from './quick.tsx'

type Answer = { readonly option: Option } | { readonly view: QuickView }

export function QuickProvider({ children }: { readonly children: ReactNode }) {
  const [started, setStarted] = useState(false)
  const [wish, setWish] = useState<Wish | null>(null)
  useEffect(() => setStarted(true), [])
  return (
    <Quick value={started ? setWish : null}>
      {children}
      {wish !== null && <QuickDialog wish={wish} close={() => setWish(null)} />}
    </Quick>
  )
}

function QuickDialog({ wish, close }: { readonly wish: Wish; readonly close: () => void }) {
  const { words } = useReader()
  const { create, text, take } = wish
  const dialog = useRef<HTMLDialogElement>(null)
  const [view, setView] = useState<QuickView | null>(null)
  const [tries, setTries] = useState(0)
  const [failed, setFailed] = useState(false)
  const busy = useRef(false)
  const id = useId()
  const source = `${create.source}&text=${encodeURIComponent(text.trim())}`

  const answered = (answer: Answer | null) => {
    busy.current = false
    setFailed(answer === null)
    if (answer === null) return
    if ('option' in answer) {
      take(answer.option)
      dialog.current?.close()
    } else {
      setView(answer.view)
      setTries(before => before + 1)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once
  useEffect(() => {
    dialog.current?.showModal()
    void ask(source, {}).then(answered)
  }, [])
  // The first thing to fill in, or to mend, once it is there.
  useEffect(() => {
    if (tries > 0)
      dialog.current?.querySelector<HTMLElement>('[aria-invalid], .in, input:not([type=hidden]), select')?.focus()
  }, [tries])

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy.current) return
    busy.current = true
    const { submitter } = event.nativeEvent as SubmitEvent
    const texts = [...new FormData(event.currentTarget, submitter)].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    )
    void ask(source, { method: 'POST', body: new URLSearchParams(texts) }).then(answered)
  }
  const general = view?.errors.filter(({ href }) => href === null) ?? []
  return (
    <dialog ref={dialog} className="quick" aria-labelledby={`${id}t`} onClose={close}>
      <form noValidate onSubmit={send}>
        <h2 id={`${id}t`}>{create.label}</h2>
        {failed && (
          <p className="err" role="alert">
            {words('quickFailed')}
          </p>
        )}
        {general.map(error => (
          <p key={error.code} className="err" role="alert">
            {errorText(error)}
          </p>
        ))}
        {view !== null && (
          <div key={tries} className="stack">
            <HiddenInputs inputs={view.hidden} />
            {view.fields.map(field => (
              <FormField key={field.name} field={{ ...field, id: `quick-${field.id}` }} errors={field.errors} />
            ))}
          </div>
        )}
        <div className="acts">
          <button type="submit" className="btn pri" disabled={view === null}>
            {view?.submit ?? create.label}
          </button>
          {view?.confirm != null && (
            <button type="submit" className="btn" name={view.confirm.name} value={view.confirm.value}>
              {view.confirm.label}
            </button>
          )}
          <button type="button" className="btn quiet" onClick={() => dialog.current?.close()}>
            {words('cancel')}
          </button>
        </div>
      </form>
    </dialog>
  )
}

/** Null: it did not work, or this person may not. */
async function ask(source: string, init: RequestInit): Promise<Answer | null> {
  const answer = await fetch(source, { ...init, headers: { accept: 'application/json' } }).catch(() => null)
  if (answer === null || !(answer.headers.get('content-type') ?? '').startsWith('application/json')) return null
  const found = (await answer.json()) as Partial<{ option: Option; view: QuickView }>
  return found.option !== undefined || found.view !== undefined ? (found as Answer) : null
}
