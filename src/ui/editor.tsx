/** The text of the document beside the application: a form, of which a script makes an editor. */
import type { ReactNode } from 'react'
import { type Hidden, HiddenInputs } from './buttons.tsx'
import { Note, PageHead } from './page.tsx'

interface DocumentEditorProps {
  readonly action: string
  /** Where a script asks what is wrong, and what could stand at a place. */
  readonly check: string
  readonly complete: string
  readonly hidden: readonly Hidden[]
  readonly file: string
  readonly files: readonly { readonly label: string; readonly href: string; readonly current: boolean }[]
  readonly text: string
  readonly words: Readonly<
    Record<'text' | 'save' | 'check' | 'saved' | 'unsaved' | 'beside' | 'changed' | 'disk' | 'takeDisk' | 'fix', string>
  >
  /** Buttons that put the text right. */
  readonly fixes: readonly { readonly value: string; readonly label: string }[]
  /** Somebody else changed the file: what it says now, and where it is taken instead. */
  readonly disk: { readonly text: string; readonly href: string } | null
  /** What is wrong with the text. */
  readonly children: ReactNode
}

export function DocumentEditor(props: DocumentEditorProps) {
  const { action, check, complete, hidden, file, files, text, words, fixes, disk, children } = props
  return (
    <div className="editing">
      <div className="stack">
        <PageHead title={file} />
        {files.length > 1 && (
          <p className="tools">
            {files.map(one => (
              <a key={one.href} href={one.href} aria-current={one.current ? 'page' : undefined}>
                {one.label}
              </a>
            ))}
          </p>
        )}
        {disk !== null && (
          <Note tone="bad" icon="alert">
            <p>{words.changed}</p>
            <details>
              <summary>{words.disk}</summary>
              <pre className="letter">{disk.text}</pre>
            </details>
            <a href={disk.href}>{words.takeDisk}</a>
          </Note>
        )}
        <form
          method="post"
          action={action}
          data-editor=""
          data-check={check}
          data-complete={complete}
          data-saved={words.saved}
          data-unsaved={words.unsaved}
        >
          <HiddenInputs inputs={hidden} />
          <label htmlFor="text" className="vh">
            {words.text}
          </label>
          <textarea id="text" name="text" className="code" rows={30} spellCheck={false} defaultValue={text} />
          <div className="acts">
            <button type="submit" className="btn pri">
              {words.save}
            </button>
            <button type="submit" className="btn" name="do" value="check">
              {words.check}
            </button>
            <output className="muted" data-told="" />
          </div>
          {fixes.length > 0 && (
            <fieldset className="fixes" data-plain="">
              <legend>{words.fix}</legend>
              {fixes.map(({ value, label }) => (
                <button key={value} type="submit" className="btn sm" name="fix" value={value}>
                  {label}
                </button>
              ))}
            </fieldset>
          )}
        </form>
        <div data-plain="">{children}</div>
      </div>
      <iframe src="/" title={words.beside} />
    </div>
  )
}
