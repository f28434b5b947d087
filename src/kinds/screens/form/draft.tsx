/** Drafts of a form: the older one that waits is offered, and what is typed now is kept after each pause. */
import { useEffect, useRef, useState } from 'react'
import { LinkButton, PostButton } from '../../../ui/buttons.tsx'
import type { RecordFormProps } from '../../../ui/form.tsx'
import { Note } from '../../../ui/page.tsx'
import type { Live } from './use-live.tsx'
import type { DraftView, FormView } from './view-model.ts'

/** Milliseconds without a change after which what is typed is kept. */
const pause = 2000

export function DraftOffer({ label, when, href, discard }: NonNullable<DraftView['waiting']>) {
  return (
    <Note icon="pencil">
      <div className="acts">
        <LinkButton href={href}>{label}</LinkButton>
        <PostButton action={discard.action} hidden={discard.hidden} tone="quiet">
          {discard.label}
        </PostButton>
        <span className="muted">{when}</span>
      </div>
    </Note>
  )
}

export interface Keeping {
  /** `Draft kept 14:02`. */
  readonly status: string
  readonly events: NonNullable<RecordFormProps['events']>
}

/** Keeps what is typed. Where that fails nothing is said but that there are unsaved changes, which is true. */
export function useDraft({ draft, action }: FormView, { events, formRef, arranged }: Live): Keeping {
  const [status, setStatus] = useState(draft?.status ?? '')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(0)
  const isKept = useRef(draft?.own === true)

  const stop = () => {
    clearTimeout(timer.current)
    latest.current++
  }
  const keep = async (name: string) => {
    const form = formRef.current
    if (form === null) return
    const mine = ++latest.current
    const texts = [...new FormData(form)].flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []))
    const answer = await fetch(action, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams([...texts, [name, 'auto']]),
    }).catch(() => null)
    // Whoever was signed out, or may not do this any more, is not asked again; who asked too often is, after the next pause.
    if (answer !== null && !answer.ok && answer.status !== 429) isKept.current = false
    if (mine !== latest.current || !answer?.ok) return
    const kept = (await answer.json()) as { readonly status: string }
    if (mine !== latest.current) return
    form.removeAttribute('data-changed')
    form.setAttribute('data-guard', '')
    setStatus(kept.status)
  }
  const later = () => {
    stop()
    if (draft !== null && isKept.current) timer.current = setTimeout(() => void keep(draft.keep.name), pause)
  }

  useEffect(() => () => clearTimeout(timer.current), [])
  // What could not be kept without a connection.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it reads is the same for as long as the form is there
  useEffect(() => {
    const again = () => {
      if (formRef.current?.matches('[data-changed]')) later()
    }
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [])
  // Rows that come and go are changes that no control tells of.
  const first = useRef(arranged)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows alone decide
  useEffect(() => {
    if (arranged !== first.current) later()
  }, [arranged])

  return {
    status,
    events: {
      ...events,
      onInput(event) {
        events.onInput?.(event)
        later()
      },
      onSubmit(event) {
        stop()
        events.onSubmit?.(event)
      },
    },
  }
}
