/**
 * Bodies with files. Each file is counted, looked at and kept as it comes; what is left is a form of texts, in which a text names the file.
 * So everything behind this door knows only one kind of form, and a form that comes back with another error still has its file.
 */
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { isPublicForm, type Only, onlyOf } from '../headings/2-screens/public-forms.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import { specified } from '../headings/specified.ts'
import type { InvalidValue } from '../kinds/fields/field-kind.ts'
import { fittingName } from '../kinds/fields/file/ending.ts'
import { fileName, fileText, type HeldFile } from '../kinds/fields/file/held.ts'
import { readingOf } from '../run/access/reading.ts'
import type { Problem } from '../run/outcome.ts'
import { mayComment } from '../run/people/comments.ts'
import { raiseEntry, raiseInvalidValue } from '../run/problems/raise.ts'
import { fileLimit, keepFile, storageLimit } from '../run/read/files.ts'
import { environmentOf, relatedNothing } from '../run/write/environment.ts'
import { brokenFile, type FieldRules } from '../run/write/validate.ts'
import { contentType } from '../store/file-type.ts'
import { discardFile, stageFile } from '../store/files.ts'
import { mayEnter, mayOpen } from './access.ts'
import { bodyBytes, filesOfForm, formFields, lingerBytes, partHead, steady, tableBytes } from './bounds.ts'
import { type Sent, Unfinished } from './given-back.tsx'
import { commentsPath, importPath } from './paths.ts'
import { filesPerAddress } from './rate-limit/allowances.ts'
import { attempt } from './rate-limit/backoff.ts'
import { isSignedIn, type RequestContext } from './request-context.ts'
import { isOwnForm } from './sign-in/csrf.ts'
import { keepsComing } from './slow-body.ts'

/** What a field takes, and who is told what it does not. */
interface Taking extends Pick<FieldRules, 'types' | 'most'> {
  readonly refuse: (invalid: InvalidValue) => void
}

/** What becomes of a file: the text that stands in its place, or null for none. */
type Take = (content: Readable, name: string) => Promise<string | null>

/** Why a body with files is not read. */
export interface Unread {
  readonly status: 400 | 413
  readonly why: 'tooLarge' | 'tooManyFields' | 'brokenForm'
}
type Read<Value> = { readonly value: Value } | Unread

/** A form with files as one of texts. Files go only where a field of the form takes them, and only from whoever may send the form. */
export async function withFiles(context: RequestContext): Promise<Read<RequestContext>> {
  const { stream } = context
  if (stream === null) return { value: context }
  if (context.path === importPath) return withTable(context, stream)
  if (context.path === commentsPath) return withFilesOfComment(context, stream)
  const asked = askedAt(context)
  const refused: Problem[] = []
  const read = await readParts(context, stream, {
    most: asked === null ? bodyBytes : mostOf(context, asked.entity),
    takes(name, form) {
      const found = asked === null || !isOwnForm(context, form) ? null : fieldOf(context, asked, name)
      if (found === null) return null
      const refuse = (invalid: InvalidValue) => void refused.push(problemOf(context, found, name, invalid))
      return keeping(context, { ...found.field, refuse })
    },
  })
  return 'status' in read ? read : { value: { ...ofTexts(context, read.value), refused } }
}

/** The form of a comment: its files are as large as any, and of any kind. */
async function withFilesOfComment(context: RequestContext, stream: Readable): Promise<Read<RequestContext>> {
  const { site, request } = context
  const refused: Problem[] = []
  const label = site.reader.words('attachments')
  const refuse = (invalid: InvalidValue) =>
    void refused.push(raiseInvalidValue(site.app, invalid, label, { field: 'files', because: null }))
  const take = keeping(context, { types: null, most: null, refuse })
  const takes = (name: string, form: URLSearchParams) =>
    name === 'files' && isOwnForm(context, form) && mayComment(site.app, request.actor, form.get('entity') ?? '')
      ? take
      : null
  const read = await readParts(context, stream, {
    most: bodyBytes + 4 * fileLimit(request.limits, null).bytes,
    takes,
  })
  return 'status' in read ? read : { value: { ...ofTexts(context, read.value), refused } }
}

/** The form of an import: its file goes no further than this request. */
async function withTable(context: RequestContext, stream: Readable): Promise<Read<RequestContext>> {
  let table: RequestContext['table'] = null
  const take: Take = async (content, name) => {
    const bytes = Buffer.concat(await content.toArray())
    if (bytes.length > 0) table = { name: fileName(name), bytes }
    return null
  }
  let taken = 0
  const read = await readParts(context, stream, {
    most: bodyBytes + tableBytes,
    takes: (_, form) => (isSignedIn(context) && isOwnForm(context, form) && ++taken === 1 ? take : null),
  })
  return 'status' in read ? read : { value: { ...ofTexts(context, read.value), table } }
}

function ofTexts(context: RequestContext, form: URLSearchParams): RequestContext {
  const headers = { ...context.headers, 'content-type': 'application/x-www-form-urlencoded' }
  return { ...context, stream: null, body: Buffer.from(form.toString()), headers }
}

/** The texts of a body with files, where nothing is there that could keep these. */
export async function textsOf(
  arrival: Pick<RequestContext, 'headers' | 'path'>,
  stream: Readable,
): Promise<Sent | null> {
  const lost = new Set<string>()
  const takes = (name: string) => {
    lost.add(name)
    return null
  }
  const read = await readParts(arrival, stream, { most: bodyBytes + tableBytes, takes })
  return 'status' in read ? null : { form: read.value, lost: [...lost] }
}

export interface Content {
  /** Of the part that it came in. */
  readonly part: string
  readonly name: string
  readonly bytes: Buffer
}

/** The texts of a body with files, and these as they came: nobody knows yet who sent them. */
export async function contentsOf(
  context: RequestContext,
  stream: Readable,
): Promise<{ readonly form: URLSearchParams; readonly files: readonly Content[] } | null> {
  const files: Content[] = []
  const read = await readParts(context, stream, {
    most: bodyBytes + 4 * fileLimit(context.request.limits, null).bytes,
    takes: part => async (content, name) => {
      files.push({ part, name, bytes: Buffer.concat(await content.toArray()) })
      return null
    },
  })
  return 'status' in read ? null : { form: read.value, files }
}

/** Files of any kind, kept as sent by whoever this request is of; or why one of them is not. */
export async function keptContents(
  context: RequestContext,
  files: readonly Content[],
): Promise<readonly string[] | Problem> {
  const kept: string[] = []
  for (const { name, bytes } of files) {
    const outcome = await keptFile(context, Readable.from([bytes]), name, { types: null, most: null })
    if (typeof outcome !== 'string')
      return raiseInvalidValue(context.site.app, outcome, fileName(name), { field: 'files', because: null })
    kept.push(outcome)
  }
  return kept
}

/** A body with one file and nothing else, for the API: the file, or why it is not taken. */
export async function oneFile(context: RequestContext): Promise<Read<string | InvalidValue>> {
  const { stream, site, request } = context
  if (stream === null) return brokenForm
  const fields = [...site.app.entities.values()].flatMap(entity => entity.fields.filter(isFile))
  const largest = fields
    .map(({ most }) => fileLimit(request.limits, most))
    .reduce((left, right) => (left.bytes < right.bytes ? right : left), fileLimit(request.limits, null))
  let why: InvalidValue | null = null
  let taken = 0
  const refuse = (invalid: InvalidValue) => {
    why = invalid
  }
  const read = await readParts(context, stream, {
    most: bodyBytes + 4 * largest.bytes,
    takes: () => (++taken > 1 ? null : keeping(context, { types: null, most: largest, refuse })),
  })
  if ('status' in read) return read
  if (why !== null) return { value: why }
  const [file] = [...read.value].filter(([name]) => name.startsWith(filePart)).map(([, text]) => text)
  return file === undefined || taken > 1 ? brokenForm : { value: file }
}

const filePart = '_file.'

const isFile = ({ type }: Field): boolean => type.kind === 'file'

interface Asked {
  readonly entity: Entity
  /** Of a form for everyone: the fields that it lists. Null: any. */
  readonly only: Only | null
}

/** What the form asks for that is sent to this address, if this person may open it. Visitors have the forms for everyone, and no other. */
function askedAt(context: RequestContext): Asked | null {
  const { site, path, request } = context
  const match = site.routes.match(path)
  if (match === null) return null
  const isKnown = isSignedIn(context) || request.actor.link !== undefined
  if (match.kind !== 'screen')
    return isKnown && mayEnter(match.place, request.actor) ? { entity: match.place.entity, only: null } : null
  const entity = site.app.entities.get(specified(match.screen.shows)?.entity ?? '')
  const isPublic = isPublicForm(match.screen)
  if (entity === undefined || !mayOpen(match.screen, request.actor) || !(isPublic || isKnown)) return null
  return { entity, only: isPublic ? onlyOf(match.screen) : null }
}

interface FieldOfForm {
  readonly entity: Entity
  readonly field: Field
}

/** `photo`, `lines.0.photo`; null: no field of files. */
const fieldOf = ({ site }: RequestContext, asked: Asked, name: string): FieldOfForm | null =>
  fieldIn(site, asked, name.split('.'))

function fieldIn(
  site: RequestContext['site'],
  { entity, only }: Asked,
  [first, number, inner, ...more]: readonly string[],
): FieldOfForm | null {
  const field = entity.fields.find(({ key }) => key === first)
  if (field === undefined || only?.has(field.key) === false) return null
  if (number === undefined) return isFile(field) ? { entity, field } : null
  const child = field.type.kind === 'list' ? site.app.entities.get(field.type.entity) : undefined
  if (child?.partOf !== entity.key || only?.get(field.key)?.has(inner ?? '') === false) return null
  return fieldIn(site, { entity: child, only: null }, [inner ?? '', ...more])
}

/** In the words of the error behind `else`, where there is one; it knows nothing of the record. */
function problemOf(
  { site, request }: RequestContext,
  { entity, field }: FieldOfForm,
  name: string,
  invalid: InvalidValue,
): Problem {
  const { code, detail } = invalid
  const because = (code === 'NF-FILE-SIZE' ? field.most : code === 'NF-FILE-TYPE' ? field.types : null) ?? field
  const place = { field: name, because: because.cell }
  const own = field.refusals.get(code)
  if (own === undefined) return raiseInvalidValue(site.app, { code, detail }, field.label, place)
  const reading = readingOf(site.app, request, environmentOf(request, relatedNothing, {}, null))
  return raiseEntry(site.app, own.code, entity.key, reading, place)
}

/** Beyond this nothing of a body is looked at: texts, and each field's files with some to spare, so that a file too large is told by its field. */
function mostOf({ site, request }: RequestContext, { fields }: Entity): number {
  const own = fields.flatMap(field => {
    if (isFile(field)) return [field]
    const child = field.type.kind === 'list' ? site.app.entities.get(field.type.entity) : undefined
    return child?.fields.filter(isFile) ?? []
  })
  return own.reduce((sum, { most }) => sum + 4 * fileLimit(request.limits, most).bytes, bodyBytes)
}

interface Parts {
  /** Bytes of the whole body. */
  readonly most: number
  /** Who takes a file of this name; null: nobody, and it is thrown away. `form` is what came before it. */
  readonly takes: (name: string, form: URLSearchParams) => Take | null
}

class TooLarge extends Error {}

/** Reads a body part by part. A file that is kept stands in its place as its text; in the API, where parts have any name, under `_file.`. */
async function readParts(
  context: Pick<RequestContext, 'headers' | 'path'>,
  stream: Readable,
  parts: Parts,
): Promise<Read<URLSearchParams>> {
  const form = new URLSearchParams()
  const kept: { readonly at: number; readonly name: string; readonly text: Promise<string | null> }[] = []
  const open = new Set<Readable>()
  let bytes = 0
  let texts = 0
  let files = 0
  let isTooMuch = false
  const declared = Number(context.headers['content-length'] ?? 0)
  if (declared > parts.most + lingerBytes) return tooLarge
  let busboy: InstanceType<typeof Busboy>
  try {
    busboy = new Busboy({
      headers: context.headers as BusboyHeaders,
      // `fileName` makes a name of it; here a file whose name is nothing but a path would be dropped, and nobody told.
      preservePath: true,
      isPartAFile: (_, __, filename) => filename !== undefined,
      limits: { parts: formFields, fieldSize: bodyBytes, ...partHead },
    })
  } catch {
    return brokenForm
  }
  busboy.on('partsLimit', () => {
    isTooMuch = true
  })
  busboy.on('field', (name: string, value: string) => {
    texts += value.length + name.length
    isTooMuch ||= texts > bodyBytes
    if (!isTooMuch) form.append(name, value)
  })
  busboy.on('file', (name: string, content: Readable, filename: string) => {
    const isChosen = (filename ?? '') !== ''
    isTooMuch ||= isChosen && ++files > filesOfForm
    const take = isChosen && !isTooMuch ? parts.takes(name, form) : null
    // It breaks with the body, which says so.
    content.on('error', () => undefined)
    if (take === null) {
      content.resume()
      return
    }
    open.add(content)
    content.once('close', () => open.delete(content))
    const text = take(content, filename)
    // Awaited below; until then it is nobody's failure. What is left of the file has to be read, or the body never comes to its end.
    text.catch(() => content.resume())
    kept.push({ at: form.size, name, text })
  })
  // What is too much is read on for a while and thrown away, so that whoever sends it comes to hear why.
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.byteLength
      if (bytes > parts.most + lingerBytes) done(new TooLarge())
      else if (isTooMuch || Math.max(bytes, declared) > parts.most) done()
      else done(null, chunk)
    },
  })
  const outcome = await pipeline(stream, keepsComing(steady), counted, busboy).then(
    () => null,
    (error: unknown) => error,
  )
  if (outcome !== null) for (const content of open) content.destroy(new Error('The body ended early.'))
  const found = await Promise.allSettled(kept.map(({ text }) => text))
  if (Math.max(bytes, declared) > parts.most || outcome instanceof TooLarge) return tooLarge
  if (isTooMuch) return { status: 413, why: 'tooManyFields' }
  if (outcome !== null) return brokenForm
  const pairs = [...form]
  const failed: { readonly name: string; readonly reason: unknown }[] = []
  for (const [index, { at, name }] of [...kept.entries()].reverse()) {
    const text = found[index]!
    if (text.status === 'rejected') failed.unshift({ name, reason: text.reason })
    else if (text.value !== null) pairs.splice(at, 0, [nameOf(name, context), text.value])
  }
  const whole = new URLSearchParams(pairs)
  if (failed[0] !== undefined)
    throw new Unfinished({ form: whole, lost: failed.map(({ name }) => name) }, failed[0].reason)
  return { value: whole }
}

const nameOf = (name: string, { path }: Pick<RequestContext, 'path'>): string =>
  path.startsWith('/api/') ? `${filePart}${name}` : name

const tooLarge = { status: 413, why: 'tooLarge' } as const
const brokenForm = { status: 400, why: 'brokenForm' } as const

/** Kept as a file of a field, which is told if it does not take it. */
const keeping =
  (context: RequestContext, taking: Taking): Take =>
  async (content, name) => {
    const outcome = await keptFile(context, content, name, taking)
    if (typeof outcome === 'string') return outcome
    taking.refuse(outcome)
    return null
  }

/** The text that names the file, now that it is kept; or why the field does not take it. */
async function keptFile(
  { web, runtime, request, network }: RequestContext,
  content: Readable,
  given: string,
  { types, most }: Omit<Taking, 'refuse'>,
): Promise<string | InvalidValue> {
  const { files, log } = web.options
  const seconds =
    request.actor.id === null ? await attempt(runtime.store, filesPerAddress(request), network, request.now) : 0
  if (seconds > 0) {
    content.resume()
    return { code: 'NF-FILE-WAIT', detail: { seconds } }
  }
  const limit = fileLimit(request.limits, most)
  const staged = await stageFile(files.staging, content.iterator({ destroyOnReturn: false }), limit.bytes)
  if (staged === null) return { code: 'NF-FILE-SIZE', detail: { limit: limit.shown } }
  try {
    const { digest, size, path } = staged
    if (size === 0) return { code: 'NF-FILE-EMPTY', detail: {} }
    const type = await contentType(path)
    const held: HeldFile = { digest, size, type, name: fileName(fittingName(fileName(given), type)) }
    const broken = brokenFile({ types, most: limit }, held)
    if (broken !== null) return { code: broken.code, detail: broken }
    const scanned = await keepFile(runtime, files, request, staged, held)
    if (scanned.kind === 'clean') return fileText(held)
    log({ level: 'warn', event: 'file', request: request.id, detail: { ...scanned, digest } })
    if (scanned.kind === 'full')
      return { code: 'NF-FILE-STORAGE', detail: { limit: storageLimit(request.limits)!.shown } }
    return scanned.kind === 'infected'
      ? { code: 'NF-FILE-VIRUS', detail: { found: scanned.found } }
      : { code: 'NF-FILE-UNSCANNED', detail: {} }
  } finally {
    await discardFile(staged)
  }
}
