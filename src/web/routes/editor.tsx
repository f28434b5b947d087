/**
 * `/-/dev/editor?file=…`: the text of the document beside the application, only in `dev` and only on this machine. A form that saves the file; a
 * script makes an editor of it, which asks `check` and `complete` while somebody types.
 */

import type { Diagnostic } from '../../document/diagnostic.ts'
import { applyFix } from '../../document/fix.ts'
import { completions } from '../../headings/complete.ts'
import { DiagnosticList } from '../../ui/development.tsx'
import { DocumentEditor } from '../../ui/editor.tsx'
import type { EditedFile, Editing } from '../editing.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { editorPath } from '../paths.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json, seeOther } from '../response.ts'
import { say } from '../sentences.ts'
import { linesShown } from '../site.ts'
import { diagnosticView } from './dev.tsx'
import { postedForm } from './sign-in.tsx'

const loopback = /^(127\.|::1$|::ffff:127\.)/

/** Null: this is not `dev`, or somebody asks over a network. */
const editingFor = ({ web, address }: RequestContext): Editing | null =>
  loopback.test(address) ? (web.options.editing ?? null) : null

export function editorPage(context: RequestContext): Promise<HttpResponse> {
  const editing = editingFor(context)
  const path = context.query.get('file') ?? editing?.files()[0] ?? ''
  const file = editing?.read(path) ?? null
  if (editing === null || file === null) return notFound(context)
  return page(context, editing, {
    path,
    text: file.text,
    seen: file.seen,
    found: editing.check(path, file.text).found,
  })
}

export async function saveDocument(context: RequestContext): Promise<HttpResponse> {
  const editing = editingFor(context)
  const form = postedForm(context)
  const path = form.get('file') ?? ''
  const before = editing?.read(path) ?? null
  if (editing === null || before === null) return notFound(context)
  const text = textIn(form)
  const seen = form.get('seen') ?? ''
  const { found } = editing.check(path, text)
  const fix = form.get('fix')
  if (fix !== null) return page(context, editing, { path, seen, ...fixed(editing, path, text, found, fix) })
  if (form.get('do') === 'check') return page(context, editing, { path, text, seen, found })
  const { written, now } = editing.write(path, text, seen)
  if (form.has('json')) return json({ seen: now.seen }, written ? 200 : 409)
  if (!written) return page(context, editing, { path, text, seen: now.seen, found, disk: now, status: 409 })
  return seeOther(`${editorPath}?${new URLSearchParams({ file: path })}`, [
    flashCookie(context.web, say(context.site, 'editorSaved', { file: path })),
  ])
}

/** Forms send line ends as CR LF. */
const textIn = (form: URLSearchParams): string => (form.get('text') ?? '').replaceAll('\r\n', '\n')

/** `fix`: the number of a diagnostic and of its fix, `3.0`. */
function fixed(editing: Editing, path: string, text: string, found: readonly Diagnostic[], fix: string) {
  const [at, which] = fix.split('.').map(Number)
  const chosen = found[at ?? -1]?.fixes[which ?? -1]
  const after = chosen === undefined ? undefined : [...applyFix(chosen)].find(([file]) => file.path === path)?.[1]
  return after === undefined ? { text, found } : { text: after, found: editing.check(path, after).found }
}

/** Where each thing is in this file, and the edits that cure it. */
export async function checkDocument(context: RequestContext): Promise<HttpResponse> {
  const editing = editingFor(context)
  const form = postedForm(context)
  const path = form.get('file') ?? ''
  if (editing === null || editing.read(path) === null) return notFound(context)
  const text = textIn(form)
  const { found } = editing.check(path, text)
  return json({
    found: found
      .filter(({ span }) => span.file.path === path)
      .map(({ code, severity, message, help, span, fixes }) => ({
        from: span.start,
        to: Math.max(span.end, span.start),
        severity,
        message: `${code} ${message}`,
        help: help ?? null,
        fixes: fixes
          .filter(({ edits }) => edits.every(edit => edit.span.file.path === path))
          .map(({ title, edits }) => ({
            title,
            edits: edits.map(edit => ({ from: edit.span.start, to: edit.span.end, insert: edit.text })),
          })),
      })),
  })
}

export async function completeDocument(context: RequestContext): Promise<HttpResponse> {
  const editing = editingFor(context)
  const form = postedForm(context)
  const path = form.get('file') ?? ''
  if (editing === null || editing.read(path) === null) return notFound(context)
  const text = textIn(form)
  const at = Math.min(Math.max(Number(form.get('at')) || 0, 0), text.length)
  return json(completions(editing.check(path, text).app ?? context.site.app, text, at))
}

interface Edited {
  readonly path: string
  readonly text: string
  readonly seen: string
  readonly found: readonly Diagnostic[]
  /** What the file says now, where somebody else changed it. */
  readonly disk?: EditedFile
  readonly status?: number
}

function page(
  given: RequestContext,
  editing: Editing,
  { path, text, seen, found, disk, status = 200 }: Edited,
): Promise<HttpResponse> {
  const context = { ...given, site: linesShown(given.site) }
  const { site } = context
  const shown = found.flatMap((one, at) =>
    one.severity === 'error' || one.severity === 'warning' ? [{ one, at }] : [],
  )
  return pageOf(context, {
    title: [path],
    wide: true,
    status,
    error: disk !== undefined,
    scripts: ['dev-editor.js'],
    content: (
      <DocumentEditor
        action={editorPath}
        check="/-/dev/check"
        complete="/-/dev/complete"
        hidden={[csrfInput(context), { name: 'file', value: path }, { name: 'seen', value: seen }]}
        file={path}
        files={editing.files().map(file => ({
          label: file,
          href: `${editorPath}?${new URLSearchParams({ file })}`,
          current: file === path,
        }))}
        text={text}
        words={{
          text: say(site, 'editorText', { file: path }),
          save: say(site, 'editorSave'),
          check: say(site, 'editorCheck'),
          saved: say(site, 'editorSaved', { file: path }),
          unsaved: say(site, 'editorUnsaved'),
          beside: say(site, 'editorBeside'),
          changed: say(site, 'editorChanged'),
          disk: say(site, 'editorDisk'),
          takeDisk: say(site, 'editorTakeDisk'),
          fix: site.reader.words('fix'),
        }}
        fixes={shown.flatMap(({ one, at }) =>
          one.fixes.map(({ title }, which) => ({ value: `${at}.${which}`, label: `${one.code}: ${title}` })),
        )}
        disk={
          disk === undefined ? null : { text: disk.text, href: `${editorPath}?${new URLSearchParams({ file: path })}` }
        }
      >
        {shown.length > 0 && <DiagnosticList diagnostics={shown.map(({ one }) => diagnosticView(one))} />}
      </DocumentEditor>
    ),
  })
}
