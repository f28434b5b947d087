/** The control of a file: what is there, another in its place, and how far it has been sent. */
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import { type ControlProps, common } from './controls.tsx'
import { Icon } from './icons.tsx'
import { useReader } from './reader.tsx'

/** A file that is there already. */
export interface HeldFileView {
  readonly name: string
  readonly size: string
  /** Null: it has been sent, and belongs to no record yet. */
  readonly href: string | null
  readonly image: boolean
}

interface FileControlProps extends ControlProps {
  /** Media types that the browser offers; null: any. */
  readonly accept: string | null
  readonly held: HeldFileView | null
  /** It may be taken away. */
  readonly removable: boolean
}

/** Sends a file ahead of its form. */
export type Upload = (
  name: string,
  file: File,
  progress: (part: number) => void,
) => Promise<{ readonly value: string; readonly name: string; readonly size: string } | { readonly message: string }>

/** Null: files travel with their form. */
export const UploadContext = createContext<Upload | null>(null)

interface Sending {
  readonly part: number | null
  readonly message: string
  readonly sent: { readonly value: string; readonly name: string; readonly size: string } | null
}

const idle: Sending = { part: null, message: '', sent: null }

/** A file that is sent as soon as it is chosen, where a script runs; otherwise with the form. The one that is there stays unless another is chosen or the box is ticked. */
export function FileControl({ accept, held: given, removable, ...props }: FileControlProps) {
  const { words } = useReader()
  const { readOnly, required, ...rest } = common(props)
  const upload = useContext(UploadContext)
  const [{ part, message, sent }, setSending] = useState(idle)
  const hidden = useRef<HTMLInputElement>(null)
  const picked = useRef<HTMLInputElement>(null)
  const latest = useRef(0)
  const held = sent === null ? given : { ...sent, href: null, image: false }
  useEffect(() => {
    if (sent === null) return
    // Only now that the form names it: whenever the form is sent, the file is in it.
    if (picked.current !== null) picked.current.value = ''
    hidden.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }, [sent])
  const chosen = async (input: HTMLInputElement) => {
    const [file] = input.files ?? []
    const mine = ++latest.current
    if (file === undefined || upload === null) return setSending(before => ({ ...before, part: null, message: '' }))
    setSending(before => ({ ...before, part: 0, message: '' }))
    const found = await upload(props.name, file, now => {
      if (mine === latest.current) setSending(before => ({ ...before, part: now }))
    })
    if (mine !== latest.current) return
    // What was not taken stays chosen, and is judged with the form.
    if ('message' in found) return setSending(before => ({ ...before, part: null, message: found.message }))
    setSending({ part: null, message: '', sent: found })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was chosen before there was a script
  useEffect(() => {
    if (picked.current?.files?.length) void chosen(picked.current)
  }, [])
  return (
    <div className="file">
      {props.value !== '' && <input type="hidden" name={props.name} value={props.value} />}
      {sent !== null && <input ref={hidden} type="hidden" name={props.name} value={sent.value} />}
      {held !== null && (
        <p className="kept">
          {held.image && held.href !== null ? (
            <img className="thumb" src={held.href} alt="" loading="lazy" />
          ) : (
            <Icon name="clip" />
          )}
          <span>
            {held.href === null ? <b>{held.name}</b> : <a href={held.href}>{held.name}</a>}{' '}
            <span className="muted">{held.size}</span>
          </span>
        </p>
      )}
      {held !== null && removable && (
        <label className="opt">
          <input type="checkbox" name={props.name} value="" />
          <span>{words('takeFileAway')}</span>
        </label>
      )}
      <input
        {...rest}
        ref={picked}
        className="in"
        type="file"
        {...(accept === null ? {} : { accept })}
        onChange={event => void chosen(event.currentTarget)}
      />
      {part !== null && <progress max={1} value={part} aria-label={words('sendingFile')} />}
      <output className={message === '' ? 'vh' : 'err'}>
        {message !== '' ? message : sent !== null && part === null ? words('fileSent', { name: sent.name }) : ''}
      </output>
    </div>
  )
}
