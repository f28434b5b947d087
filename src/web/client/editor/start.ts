/** CodeMirror over the text of the document: what is wrong is underlined, with its fixes; names are completed; Ctrl-S saves. */
import { autocompletion, type CompletionContext } from '@codemirror/autocomplete'
import { markdown } from '@codemirror/lang-markdown'
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint'
import { EditorView, keymap } from '@codemirror/view'
import { basicSetup } from 'codemirror'

interface Found {
  readonly from: number
  readonly to: number
  readonly severity: 'error' | 'warning' | 'gap' | 'hint'
  readonly message: string
  readonly help: string | null
  readonly fixes: readonly {
    readonly title: string
    readonly edits: readonly { readonly from: number; readonly to: number; readonly insert: string }[]
  }[]
}

interface Completed {
  readonly from: number
  readonly options: readonly { readonly label: string; readonly kind: string; readonly detail: string }[]
}

const severities = { error: 'error', warning: 'warning', gap: 'info', hint: 'hint' } as const

export function start(form: HTMLFormElement): void {
  const area = form.querySelector('textarea')
  const told = form.querySelector<HTMLOutputElement>('[data-told]')
  const seen = form.querySelector<HTMLInputElement>('[name=seen]')
  if (area === null || told === null || seen === null) return
  const { check = '', complete = '', saved = '', unsaved = '' } = form.dataset
  const fields = (text: string, more: Readonly<Record<string, string>> = {}) => {
    const sent = new URLSearchParams(more)
    for (const name of ['_csrf', 'file', 'seen'])
      sent.set(name, form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '')
    sent.set('text', text)
    return sent
  }
  const ask = async (address: string, body: URLSearchParams): Promise<Response> =>
    fetch(address, { method: 'POST', body })

  const save = (view: EditorView): boolean => {
    area.value = view.state.doc.toString()
    void ask(form.getAttribute('action') ?? '', fields(area.value, { json: 'yes' })).then(async answer => {
      // Somebody else was faster, or the session ended: the page of the form says what now.
      if (!answer.ok) return form.submit()
      seen.value = ((await answer.json()) as { seen: string }).seen
      told.value = saved
    })
    return true
  }

  const found = linter(
    async ({ state }): Promise<readonly Diagnostic[]> => {
      const answer = await ask(check, fields(state.doc.toString()))
      if (!answer.ok) return []
      const { found } = (await answer.json()) as { found: readonly Found[] }
      return found.map(({ from, to, severity, message, help, fixes }) => ({
        from: Math.min(from, state.doc.length),
        to: Math.min(to, state.doc.length),
        severity: severities[severity],
        message: help === null ? message : `${message}\n${help}`,
        actions: fixes.map(({ title, edits }) => ({
          name: title,
          apply: view => view.dispatch({ changes: [...edits] }),
        })),
      }))
    },
    { delay: 400 },
  )

  const names = autocompletion({
    override: [
      async (context: CompletionContext) => {
        const word = context.matchBefore(/[\p{L}\p{N}_.-]+$/u)
        const opens = context.matchBefore(/[|`*(,] ?$/) !== null
        if (word === null && !opens && !context.explicit) return null
        const answer = await ask(complete, fields(context.state.doc.toString(), { at: String(context.pos) }))
        if (!answer.ok || context.aborted) return null
        const { from, options } = (await answer.json()) as Completed
        return {
          from,
          options: options.map(({ label, kind, detail }) => ({ label, type: kind, detail: detail.slice(0, 60) })),
          validFor: /^[\p{L}\p{N}_-]*$/u,
        }
      },
    ],
  })

  // In a shadow tree its style sheets are adopted: the page allows no style that is written into it.
  const host = document.createElement('div')
  host.className = 'codemirror'
  const root = host.attachShadow({ mode: 'open' })
  const view = new EditorView({
    doc: area.value,
    root,
    parent: root,
    extensions: [
      keymap.of([{ key: 'Mod-s', run: save, preventDefault: true }]),
      basicSetup,
      markdown(),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': form.querySelector('label')?.textContent ?? '' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (!docChanged) return
        area.value = state.doc.toString()
        told.value = unsaved
      }),
      EditorView.theme({
        '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--surface)', color: 'var(--text)' },
        '.cm-scroller': { fontFamily: 'var(--mono)', overflow: 'auto' },
        '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--text-3)', border: '0' },
        '.cm-content': { caretColor: 'var(--text)' },
        '.cm-line span': { color: 'inherit !important' },
        '.cm-tooltip': { maxWidth: '36rem' },
        '.cm-diagnosticText': { whiteSpace: 'pre-wrap' },
        '.cm-cursor': { borderLeftColor: 'var(--text)' },
        '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
        '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
          backgroundColor: 'var(--accent-soft) !important',
        },
        '.cm-tooltip, .cm-panels': {
          backgroundColor: 'var(--raised)',
          color: 'var(--text)',
          border: '1px solid var(--line-2)',
        },
      }),
      lintGutter(),
      found,
      names,
    ],
  })
  area.hidden = true
  area.before(host)
  form.addEventListener('submit', event => {
    area.value = view.state.doc.toString()
    if ((event.submitter as HTMLButtonElement | null)?.value !== '') return
    event.preventDefault()
    save(view)
  })
  // The editor shows them where they are.
  for (const plain of document.querySelectorAll<HTMLElement>('[data-plain]')) plain.hidden = true
}
