/** What was given up or refused by the answer, for those who look after it: by mail and call, with sending again; and what was refused of others. */

import { readUnsent, resume, sendAgain, type Unsent, type Which } from '../../run/later/again.ts'
import type { Pause } from '../../run/later/breaker.ts'
import { notSet } from '../../run/later/egress.ts'
import { type Overdue, readOverdue } from '../../run/later/overdue.ts'
import { type Refused, readRefused } from '../../run/later/refused.ts'
import { type Sent, untold } from '../../run/later/sent.ts'
import { atOnce } from '../../store/at-once.ts'
import { PostButton } from '../../ui/buttons.tsx'
import { PageHead, ScrollRegion, Sheet, Stack } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { LineMark } from '../../ui/provenance.tsx'
import { ReaderProvider } from '../../ui/reader.tsx'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { recordAddress } from '../routes.ts'
import { firstOf } from '../screens/figures.ts'
import { say } from '../sentences.ts'
import { postedForm } from './sign-in.tsx'

/** Rows of each table, the newest first. */
const shown = 100

export async function unsentPage(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request } = context
  const reading = { ...runtime, store: atOnce(runtime.store) }
  const [data, overdue, refused] = await Promise.all([
    readUnsent(reading, request, shown, context.web.options.variable),
    readOverdue(reading, request, shown + 1),
    readRefused(reading, request, shown + 1),
  ])
  if (data === null) return notFound(context)
  const { variable } = context.web.options
  const missing = variable === undefined ? [] : notSet(site.app, variable).map(([name]) => name)
  const groups = Object.values(Object.groupBy(data.rows, ({ state, kind, name }) => `${state} ${kind} ${name}`))
  return pageOf(context, {
    title: [say(site, 'unsent')],
    content: (
      <ReaderProvider reader={site.reader}>
        <PageHead title={say(site, 'unsent')} />
        <Stack>
          {data.pauses.map(pause => (
            <div key={pause.call} className="note wait" role="status">
              {pauseText(context, pause)}{' '}
              <PostButton action="/-/unsent" hidden={[csrfInput(context), { name: 'resume', value: pause.call }]} small>
                {say(site, 'tryNow')}
              </PostButton>
            </div>
          ))}
          {missing.length > 0 && (
            <p className="note wait" role="status">
              {say(site, 'unsentNotSet', { names: site.reader.format.allOf(missing) })}
            </p>
          )}
          {groups.length + overdue.length + refused.length === 0 ? (
            <EmptyState title={say(site, 'unsentNone')} />
          ) : (
            groups.length > 0 && <p className="muted">{say(site, 'unsentHelp')}</p>
          )}
          {groups.map(rows => rows !== undefined && <Group key={rows[0]!.id} context={context} rows={rows} />)}
          {overdue.length > 0 && <Timers context={context} rows={overdue} />}
          {refused.length > 0 && <Messages context={context} rows={refused} />}
        </Stack>
      </ReaderProvider>
    ),
  })
}

function pauseText({ site, request }: RequestContext, pause: Pause): string {
  const words = {
    name: nameOf(site.app, 'call', pause.call),
    count: Number(pause.failures),
    waiting: Number(pause.waiting),
  }
  const ends = pause.open_until
  return ends === null || Date.parse(ends) <= request.now.getTime()
    ? say(site, 'unsentTrying', words)
    : say(site, 'unsentPaused', { ...words, time: site.reader.format.time(ends) })
}

/** A call by its key and its name in the document; a mail by its key. */
export function nameOf(app: RequestContext['site']['app'], kind: string, name: string): string {
  const call = kind === 'call' ? app.calls.get(name) : undefined
  return call === undefined || call.name === name ? name : `${name} ${call.name}`
}

function Group({ context, rows }: { readonly context: RequestContext; readonly rows: readonly Unsent[] }) {
  const { site } = context
  const [{ state, kind, name, alike }] = rows as [Unsent]
  const title = say(site, kind === 'call' ? 'unsentCall' : 'unsentMail', { name: nameOf(site.app, kind, name) })
  const cell = (kind === 'call' ? site.app.calls : site.app.mails).get(name)?.cell ?? null
  const csrf = csrfInput(context)
  const all = [csrf, { name: 'kind', value: kind }, { name: 'name', value: name }]
  return (
    <Sheet
      title={title}
      flush
      line={cell === null ? null : site.mark(cell)}
      aside={
        state === 'failed' && (
          <PostButton action="/-/unsent" hidden={all} small>
            {say(site, 'sendAllAgain', { count: Number(alike) })}
          </PostButton>
        )
      }
    >
      <ScrollRegion className="tw" label={title}>
        <table className="t">
          <caption className="vh">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{say(site, 'unsentRecord')}</th>
              <th scope="col">{say(site, 'unsentAnswer')}</th>
              <th scope="col" className="num">
                {say(site, 'unsentAttempts')}
              </th>
              <th scope="col">{say(site, 'unsentAt')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <Row key={row.id} context={context} row={row} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {Number(alike) > rows.length && (
        <p className="muted body">{firstOf(site, rows.length, Number(alike) - rows.length)}</p>
      )}
    </Sheet>
  )
}

function Timers({ context, rows }: { readonly context: RequestContext; readonly rows: readonly Overdue[] }) {
  const { site } = context
  const { app } = site
  const title = say(site, 'overdue')
  return (
    <Sheet title={title} flush>
      <ScrollRegion className="tw" label={title}>
        <table className="t">
          <caption className="vh">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{say(site, 'overdueTimer')}</th>
              <th scope="col">{say(site, 'unsentRecord')}</th>
              <th scope="col">{say(site, 'overdueAt')}</th>
              <th scope="col">{say(site, 'overdueWhy')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map(row => {
              const timers = [...app.timers, ...app.sweeps]
              const timer = timers.find(({ entity, key }) => entity === row.entity && key === row.timer)
              return (
                <tr key={`${row.record} ${row.timer} ${row.skipped}`}>
                  <th scope="row">
                    {timer?.name ?? row.timer} {timer !== undefined && <LineMark line={site.mark(timer.cell)} />}
                  </th>
                  <td>
                    <Named context={context} row={row} />
                  </td>
                  <td>
                    {site.reader.format.moment(row.due_at)}{' '}
                    <small className="muted">{site.reader.format.relative(row.due_at, context.request.now)}</small>
                  </td>
                  <td>{whyText(context, row)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </ScrollRegion>
      {rows.length > shown && <p className="muted body">{say(site, 'firstShown', { count: shown })}</p>}
    </Sheet>
  )
}

function Messages({ context, rows }: { readonly context: RequestContext; readonly rows: readonly Refused[] }) {
  const { site, request } = context
  const title = say(site, 'refused')
  return (
    <Sheet title={title} flush>
      <ScrollRegion className="tw" label={title}>
        <table className="t">
          <caption className="vh">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{say(site, 'refusedName')}</th>
              <th scope="col">{say(site, 'overdueWhy')}</th>
              <th scope="col">{say(site, 'refusedAt')}</th>
              <th scope="col">{say(site, 'refusedRequest')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map(({ at, name, status, codes, words, request: id }) => (
              <tr key={id}>
                <th scope="row">
                  {name} <LineMark line={site.mark(site.app.receives.get(name)!.cell)} />
                </th>
                <td>
                  {words} <small className="muted">{[status, ...codes].join(', ')}</small>
                </td>
                <td>
                  {site.reader.format.moment(at)}{' '}
                  <small className="muted">{site.reader.format.relative(at, request.now)}</small>
                </td>
                <td>{id}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {rows.length > shown && <p className="muted body">{say(site, 'firstShown', { count: shown })}</p>}
    </Sheet>
  )
}

function whyText({ site }: RequestContext, { skipped, last_error, attempts }: Overdue): string {
  if (skipped) return say(site, 'overdueSkipped')
  if (last_error === null) return say(site, 'overdueLate')
  return say(site, 'overdueFailed', { count: Number(attempts), error: last_error })
}

/** What a row is about, as a link where it has a page; the name of its entity where nothing names it. */
function Named({
  context: { site },
  row,
}: {
  readonly context: RequestContext
  readonly row: Pick<Unsent, 'entity' | 'record' | 'label'>
}) {
  if (row.label === null || row.record === null) return site.app.entities.get(row.entity)?.name ?? row.entity
  return site.routes.places.get(row.entity)?.one == null ? (
    row.label
  ) : (
    <a href={recordAddress(row.entity, row.record)}>{row.label}</a>
  )
}

function Row({ context, row }: { readonly context: RequestContext; readonly row: Unsent }) {
  const { site } = context
  const { format } = site.reader
  const entity = site.app.entities.get(row.entity)?.name ?? row.entity
  const hidden = [csrfInput(context), { name: 'id', value: row.id }]
  return (
    <tr>
      <th scope="row">
        <Named context={context} row={row} />
        <small className="muted"> {row.because}</small>
        {row.address !== null && <small className="muted"> {say(site, 'unsentTo', { address: row.address })}</small>}
      </th>
      <td>
        {row.state === 'unaddressed' ? say(site, 'unaddressed') : `${row.last_status ?? ''} ${row.last_error ?? ''}`}
        {row.last_answer !== null && row.last_answer !== '' && <small className="muted"> {row.last_answer}</small>}
        {row.sent !== null && <WhatWasSent context={context} sent={row.sent} />}
        {row.again_at !== null && (
          <small className="muted">
            {' '}
            {say(site, 'unsentBefore', {
              name: row.again_by ?? say(site, 'somebody'),
              time: format.moment(row.again_at),
            })}
          </small>
        )}
      </td>
      <td className="num">{row.attempts}</td>
      <td>{format.moment(row.finished_at)}</td>
      <td>
        {row.state === 'failed' && (
          <PostButton action="/-/unsent" hidden={hidden} small object={row.label ?? entity}>
            {say(site, 'sendAgain')}
          </PostButton>
        )}
      </td>
    </tr>
  )
}

const whyUntold = { unseen: 'unsentUnseen', logged: 'unsentLogged', changed: 'unsentChanged' } as const

function WhatWasSent({
  context: { site },
  sent,
}: {
  readonly context: RequestContext
  readonly sent: Sent | keyof typeof whyUntold
}) {
  if (typeof sent === 'string') return <small className="muted"> {say(site, whyUntold[sent])}</small>
  const text = `${sent.request}\nIdempotency-Key: ${sent.key}\n\n${sent.body}`
  return (
    <details>
      <summary>{say(site, 'unsentSent')}</summary>
      <div className="rich">
        <pre>{text}</pre>
      </div>
      {text.includes(untold) && <small className="muted">{say(site, 'unsentUntold', { mark: untold })}</small>}
    </details>
  )
}

export async function sendAgainPage(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, web } = context
  const form = postedForm(context)
  const call = form.get('resume')
  if (call !== null) {
    const resumed = await resume(runtime, request, call)
    return resumed === null ? notFound(context) : seeOther('/-/unsent', [])
  }
  const id = form.get('id')
  const which: Which = id !== null ? { id } : { kind: form.get('kind') ?? '', name: form.get('name') ?? '' }
  const count = await sendAgain(runtime, request, which)
  if (count === null) return notFound(context)
  return seeOther('/-/unsent', count === 0 ? [] : [flashCookie(web, say(site, 'sentAgain', { count }))])
}
