/** `/-/calls-received`, only in `dev`: calls that had nowhere else to go, and what they are answered. */
import { type Call, isSent, type Sent } from '../../headings/7-calls/model.ts'
import { standingValue } from '../../run/later/egress.ts'
import {
  choose,
  chosenFor,
  messageOf,
  type ReceivedCall,
  readOneReceived,
  readReceived,
  statusesOf,
} from '../../run/later/stand-in.ts'
import { AnswerForm, CallReceived, CallsReceived } from '../../ui/calls-received.tsx'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { receivedPath } from '../paths.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { postedForm } from './sign-in.tsx'

/** So many calls are listed, newest first. */
const shown = 200
/** In the form: nothing is answered. */
const silence = 'none'

export async function receivedPage(context: RequestContext): Promise<HttpResponse> {
  const { query } = context
  const [id, key] = [query.get('id'), query.get('call')]
  if (id !== null) return onePage(context, id)
  if (key !== null) return answerPage(context, key)
  const { site, runtime } = context
  const { app } = site
  const calls = [...app.calls.values()]
  const reading = readingAtOnce(context)
  const answers = await Promise.all(
    calls.map(async call => ({
      key: call.key,
      call: titleOf(call),
      href: `${receivedPath}?call=${encodeURIComponent(call.key)}`,
      answer: answerText(context, (await chosenFor(reading.runtime.store, app, call)).status),
    })),
  )
  return pageOf(context, {
    title: [site.reader.words('received')],
    wide: true,
    content: (
      <CallsReceived
        calls={(await readReceived(runtime.store, shown)).map(one => ({
          id: one.id,
          href: `${receivedPath}?id=${one.id}`,
          ...viewOf(context, one),
        }))}
        answers={answers}
        messages={[...app.receives.values()].filter(isSent).map(message => ({
          key: message.key,
          command: commandFor(context, message),
        }))}
      />
    ),
  })
}

async function onePage(context: RequestContext, id: string): Promise<HttpResponse> {
  const one = await readOneReceived(context.runtime.store, id)
  if (one === null) return notFound(context)
  const view = viewOf(context, one)
  return pageOf(context, {
    title: [view.call],
    wide: true,
    crumbs: crumbs(context, view.call),
    content: (
      <CallReceived
        {...view}
        headers={Object.entries(one.headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
        body={readable(one.body)}
      />
    ),
  })
}

async function answerPage(context: RequestContext, key: string): Promise<HttpResponse> {
  const { site, runtime } = context
  const call = site.app.calls.get(key)
  if (call === undefined) return notFound(context)
  const { status, body } = await chosenFor(runtime.store, site.app, call)
  return pageOf(context, {
    title: [titleOf(call)],
    crumbs: crumbs(context, titleOf(call)),
    content: (
      <AnswerForm
        call={titleOf(call)}
        action={receivedPath}
        hidden={[csrfInput(context), { name: 'call', value: key }]}
        statuses={[...statusesOf(call).map(String), silence].map(value => ({
          value,
          label: value === silence ? answerText(context, null) : value,
        }))}
        status={String(status ?? silence)}
        body={body}
      />
    ),
  })
}

export async function chooseAnswer(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, web } = context
  const form = postedForm(context)
  const call = site.app.calls.get(form.get('call') ?? '')
  const given = form.get('status')
  const status = call === undefined ? undefined : statusesOf(call).find(one => String(one) === given)
  if (call === undefined || (status === undefined && given !== silence)) return notFound(context)
  await choose(runtime.store, call.key, { status: status ?? null, body: form.get('body') ?? '' })
  const text = `${titleOf(call)}: ${answerText(context, status ?? null)}`
  return seeOther(receivedPath, [flashCookie(web, text)])
}

const titleOf = ({ key, name }: Pick<Call, 'key' | 'name'>): string => (key === name ? key : `${key} ${name}`)

const answerText = ({ site }: RequestContext, status: number | null): string =>
  status === null ? site.reader.words('receivedNone') : String(status)

const crumbs = ({ site }: RequestContext, label: string) => [
  { label: site.reader.words('received'), href: receivedPath },
  { label, href: null },
]

function viewOf(context: RequestContext, { name, method, address, answered, at }: ReceivedCall) {
  const { site, request } = context
  const { format } = site.reader
  const call = site.app.calls.get(name)
  return {
    call: call === undefined ? name : titleOf(call),
    request: `${method} ${address}`,
    answered: answerText(context, answered),
    received: { iso: at, text: format.relative(at, request.now), full: format.fullMoment(at) },
  }
}

/** JSON over several lines. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Sends such a message, with the key where that is no secret. */
function commandFor({ site, web, request }: RequestContext, message: Sent): string {
  const { kind, variable } = message.proof
  const key = web.options.variable?.(variable) === standingValue(variable) ? standingValue(variable) : `$${variable}`
  const address = `${web.origin}/api/v1/-/${message.key}`
  const body = `body='${messageOf(site.app, message).replaceAll("'", "'\\''")}'`
  const send = `curl -X POST ${address} -H 'Content-Type: application/json'`
  if (kind === 'key') return `${body}\n${send} -H "Authorization: Bearer ${key}" -d "$body"`
  const seconds = Math.floor(request.now.getTime() / 1000)
  const sign = `$(printf '${seconds}.%s' "$body" | openssl dgst -sha256 -hmac "${key}" -r | cut -d ' ' -f 1)`
  return `${body}\n${send} -H "Ninefold-Signature: t=${seconds},v1=${sign}" -d "$body"`
}
