import type { Attempt, CallEnvironment, CallKind } from '../call-kind.ts'
import { htmlOf, logoCid, type MailBrand } from './html.ts'

/** A mail to one person, as it lies in the outbox: nobody sees who else got it, and one bad address fails alone. */
export interface MailPayload {
  /** `person`: whose address it is. */
  readonly to: { readonly name: string; readonly address: string; readonly person?: string }
  readonly subject: string
  /** Plain text; empty where the document says `none`. */
  readonly text: string
  /** Its text has a place for the link of its record, which is made when it leaves. */
  readonly opens?: true
  /** What its reader has not read when it leaves takes the place of the text; without any it does not leave. */
  readonly digest?: true
  /** The same of these notices alone, by their ids. */
  readonly notices?: readonly string[]
  /** Where answers go; absent: to the sender. */
  readonly replyTo?: string
  /** Whose mail it is: stands above the text. */
  readonly brand?: MailBrand
  /** The same for every attempt: mail programs show one mail with a `Message-ID` once. */
  readonly idempotencyKey: string
}

/** Milliseconds that a mail server may take for each of its answers. */
const patience = 15_000

/** One mail over SMTP. Without a mail server it is kept, and that is all. */
export const mail: CallKind<MailPayload> = {
  name: 'mail',
  meaning: 'A mail over SMTP.',
  attempt,
}

/** The logo goes with the mail: programs do not load pictures from elsewhere unasked. */
const logoOf = ({ brand }: MailPayload) =>
  brand?.logo == null
    ? {}
    : {
        attachments: [
          {
            cid: logoCid,
            contentType: brand.logo.type,
            content: Buffer.from(brand.logo.content),
            filename: 'logo',
            contentDisposition: 'inline' as const,
          },
        ],
      }

async function attempt(payload: MailPayload, environment: CallEnvironment): Promise<Attempt> {
  if (environment.smtp === null) return { kind: 'kept' }
  // Loaded with the first mail, and not with each start.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: environment.smtp,
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // Nodemailer cannot be told to stop waiting; the process need not wait with it.
  const { promise: stopped, reject: stop } = Promise.withResolvers<never>()
  const onAbort = () => stop(new Error('stopped'))
  environment.signal.addEventListener('abort', onAbort)
  try {
    const sending = transport.sendMail({
      from: environment.from,
      to: { name: payload.to.name, address: payload.to.address },
      ...(payload.replyTo === undefined ? {} : { replyTo: payload.replyTo }),
      subject: payload.subject,
      text: payload.text,
      ...(payload.text.trim() === ''
        ? {}
        : { html: htmlOf(payload.subject, payload.text, payload.brand), ...logoOf(payload) }),
      date: environment.now,
      messageId: `<${payload.idempotencyKey}@ninefold>`,
      // So that no absence notice answers, and no list takes it for a person's mail (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    const sent = await Promise.race([sending, stopped])
    return { kind: 'answered', status: statusOf(sent.response) ?? 250, body: sent.response, retryAfter: null }
  } catch (error) {
    const { responseCode, code, message } = error as { responseCode?: number; code?: string; message?: string }
    if (environment.signal.aborted)
      return { kind: 'failed', error: 'the server was stopped meanwhile', permanent: false }
    if (responseCode === undefined && code === 'ETIMEDOUT') return { kind: 'timeout' }
    // Whom it does not let in, and whom it asks to come later, it sends away whatever the mail is (421).
    const refused = (responseCode ?? 421) !== 421 && code !== 'EAUTH'
    const permanent = refused && responseCode! >= 500
    return { kind: 'failed', error: message ?? String(error), permanent, refused }
  } finally {
    environment.signal.removeEventListener('abort', onAbort)
    transport.close()
  }
}

function statusOf(response: string): number | null {
  const digits = /^\d{3}/.exec(response)?.[0]
  return digits === undefined ? null : Number(digits)
}
