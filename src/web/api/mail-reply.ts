/**
 * `POST /api/v1/-/mail-reply`: answers to notices that came by mail, as mail services bring them in (Postmark as JSON, Mailgun and SendGrid
 * as forms). Whoever brings them shows `REPLY_KEY`; the address that was answered says to what and by whom, and becomes a comment of theirs.
 */
import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Problem } from '../../run/outcome.ts'
import { addComment, commentedOn } from '../../run/people/commenting.ts'
import { requestFor } from '../../run/people/people.ts'
import { isPresent } from '../../run/people/present.ts'
import { answerIn, isProvenTo, type Replies, repliedTo, repliesOf } from '../../run/people/reply-address.ts'
import { wordsIn } from '../../run/problems/words.ts'
import { accompanied } from '../../run/write/accompanied.ts'
import { mediaType, parseForm, parseJson } from '../form-body.ts'
import { idempotency } from '../idempotency.ts'
import { attempt } from '../rate-limit/backoff.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'
import { accountOf, enqueueOwnMail } from '../sign-in/accounts.ts'
import { type Content, contentsOf, keptContents } from '../uploads.ts'
import { problem } from './problem.ts'
import { isSame, strangers } from './receive.ts'

/** Name of its address, which no message of a document can have. */
export const mailReply = 'mail-reply'

export async function takeMailReply(context: RequestContext): Promise<HttpResponse> {
  const { web, runtime, request, network } = context
  const replies = repliesOf(web.options.variable ?? (() => undefined))
  if (replies === null) return problem(context, 404)
  if (!isLetIn(context, replies)) {
    const delay = await attempt(runtime.store, strangers, network, request.now)
    if (delay > 0) return problem(context, 429, { headers: { 'retry-after': String(delay) } })
    const headers = { 'www-authenticate': 'Basic realm="mail replies"' }
    return problem(context, 401, {
      headers,
      more: { title: STATUS_CODES[401]! },
      detail: 'The key is missing or wrong.',
    })
  }
  const mail = await mailOf(context)
  if (mail === null) return problem(context, 415, { detail: 'The body must be JSON or a form.' })
  const why = await taken(context, replies, mail)
  // What was not taken is not taken at the next attempt either: the service shall not try again.
  return json(why === null ? { taken: true } : { taken: false, why })
}

/** As services send it that are given `https://name:key@desk.example.org/…`, or as a key. */
function isLetIn({ headers }: RequestContext, { key }: Replies): boolean {
  const [, scheme = '', given = ''] = /^(basic|bearer) (.+)$/i.exec(headers.authorization ?? '') ?? []
  const shown =
    scheme.toLowerCase() === 'basic'
      ? Buffer.from(given, 'base64')
          .toString()
          .replace(/^[^:]*:/, '')
      : given
  return isSame(shown, key)
}

interface Mail {
  /** All that names where it went. */
  readonly to: string
  readonly from: string
  readonly text: string
  /** Its head, as far as it is known. */
  readonly head: string
  /** Its `Message-ID`; empty where none is known. */
  readonly id: string
  readonly files: readonly Content[]
}

interface Fields {
  /** Empty: there is none of this name. */
  readonly of: (name: string) => string
  readonly files: readonly Content[]
}

/** Bytes: a picture that stands in the text of a mail is the sign of a firm, if it is smaller. */
const smallestPicture = 20_000

async function mailOf(context: RequestContext): Promise<Mail | null> {
  const fields = await fieldsIn(context)
  if (fields === null) return null
  const { of, files } = fields
  const head = ['Headers', 'message-headers', 'headers'].map(of).join('\n')
  const first = (...names: readonly string[]) => names.map(of).find(text => text.trim() !== '') ?? ''
  return {
    to: ['OriginalRecipient', 'ToFull', 'To', 'recipient', 'envelope', 'to'].map(of).join(' '),
    from: first('FromFull', 'From', 'from', 'sender'),
    text: first('StrippedTextReply', 'stripped-text', 'TextBody', 'body-plain', 'text'),
    head,
    id: first('MessageID', 'Message-Id') || (idIn.exec(head)?.[1] ?? ''),
    files: files.filter(({ bytes }) => bytes.length > 0),
  }
}

/** The texts of the body by their names, what is no text as JSON, and its files. Null: it cannot be read. */
async function fieldsIn(context: RequestContext): Promise<Fields | null> {
  const { headers, body, stream } = context
  const type = headers['content-type']
  if (mediaType(type) === 'application/json') {
    const read = parseJson(type, body)
    const values = 'status' in read ? null : read.value
    if (typeof values !== 'object' || values === null) return null
    const fields = values as Readonly<Record<string, unknown>>
    const of = (name: string) => {
      const value = Object.hasOwn(fields, name) ? fields[name] : ''
      return typeof value === 'string' ? value : JSON.stringify(value)
    }
    return { of, files: attachmentsIn(fields.Attachments) }
  }
  if (stream === null) {
    const form = parseForm(type, body)
    return 'status' in form ? null : { of: name => form.value.get(name) ?? '', files: [] }
  }
  const sent = await contentsOf(context, stream)
  if (sent === null) return null
  const of = (name: string) => sent.form.get(name) ?? ''
  // They name the parts that stand in the text.
  const inText = `${of('content-id-map')} ${of('content-ids')}`
  return { of, files: sent.files.filter(file => !isSign(file, inText.includes(`"${file.part}"`))) }
}

const isSign = ({ bytes }: Content, isInText: boolean): boolean => isInText && bytes.length < smallestPicture

/** As JSON has them: `[{ "Name": "list.pdf", "Content": "JVBERi0…", "ContentID": "" }]`. */
function attachmentsIn(json: unknown): readonly Content[] {
  return (Array.isArray(json) ? json : []).flatMap((one: Readonly<Record<string, unknown>> | null) => {
    const { Name: name, Content: content, ContentID: id } = one ?? {}
    if (typeof name !== 'string' || typeof content !== 'string') return []
    const file = { part: name, name, bytes: Buffer.from(content, 'base64') }
    return isSign(file, typeof id === 'string' && id !== '') ? [] : [file]
  })
}

/** Why it became no comment; null: it did, or had before. */
async function taken(context: RequestContext, replies: Replies, mail: Mail): Promise<string | null> {
  const { site, runtime, request } = context
  if (isAutomatic(mail)) return 'It was written by a program.'
  const to = repliedTo(mail.to)
  if (to === null) return 'It was sent to no address of a notice.'
  const account = await accountOf(runtime.store, addressIn(mail.from))
  if (
    account === null ||
    account.disabled ||
    !(await isPresent(runtime, request, account.person)) ||
    !isProvenTo(replies, to, account.person)
  )
    return 'No notice with this address went to whoever sent it.'
  const about = await commentedOn(runtime, to.source)
  if (about === null) return 'What it was about is not there any more.'
  const text = answerIn(mail.text) || mail.files.map(({ name }) => name).join(', ')
  if (text === '') return 'Nothing stands above what it answers.'
  const asking = await requestFor(runtime, account.person, request)
  // Whoever wrote it is told, with what they wrote: nothing of it is lost.
  const refused = async ({ message }: Problem) => {
    const subject = `${site.app.name}: ${wordsIn(asking.locale).notTaken}`
    const why = { name: 'reply', subject, text: `${message}\n\n${text}` }
    await enqueueOwnMail(runtime.store, request, site.app.version, account, why)
    return message
  }
  const files = await keptContents({ ...context, request: asking }, mail.files)
  if ('message' in files) return refused(files)
  const key = createHash('sha256')
    .update(`${to.source} ${mail.id || text}`)
    .digest('base64url')
  const once = idempotency(
    site.app,
    { scope: `reply ${account.person}`, key, request: to.source, entity: null },
    request.now,
  )
  const outcome = await addComment(accompanied(runtime, once), asking, about.entity, about.record, {
    text,
    replyTo: about.comment,
    files,
  })
  if (outcome.kind === 'done') return null
  return refused(outcome.kind === 'refused' ? outcome.problems[0]! : outcome.problem)
}

/** Answers of absence and the like say so (RFC 3834): a comment of theirs would be mailed, and answered. */
const isAutomatic = ({ head }: Mail): boolean => /auto-submitted["',:\s{}\w]*auto-/i.test(head)

/** In lines, and in JSON as `"Name": "Message-ID", "Value": …` or a pair. */
const idIn = /(?<![-\w])message-id"?[\s,:"]*(?:value"?[\s:"]*)?(<[^<>\s]+>)/i

/** `Ada <ada@example.org>`, an object with it, or it alone. */
const addressIn = (from: string): string => /[^\s<>"',:{}]+@[^\s<>"',:{}]+/.exec(from)?.[0] ?? ''
