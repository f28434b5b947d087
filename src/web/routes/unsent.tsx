/** What was given up or refused by the answer, for those who look after it: by mail and call, with sending again; and what was refused of others. */
import type { ComponentProps, ReactNode } from 'react'
import type { Pause } from '../../run/later/breaker.ts'
import { notSet } from '../../run/later/egress.ts'
import { type Overdue, readOverdue } from '../../run/later/overdue.ts'
import { type Refused, readRefused } from '../../run/later/refused.ts'
import { readUnsent, resume, sendAgain, type Unsent, type Which } from '../../run/later/send-again.ts'
import { type Sent, untold } from '../../run/later/sent.ts'
import { atOnce } from '../../store/at-once.ts'
import { PostButton } from '../../ui/buttons.tsx'
import { PageHead, Sheet, Stack } from '../../ui/page.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { LineMark } from '../../ui/provenance.tsx'
import { ReaderProvider } from '../../ui/reader.tsx'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { recordAddress } from '../routes.ts'
import { firstOf } from '../screens/figures.ts'
import { say } from '../sentences.ts'
import type { Site } from '../site.ts'
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
      <PlainTable
        label={title}
        columns={[
          { key: 'record', label: say(site, 'unsentRecord') },
          { key: 'answer', label: say(site, 'unsentAnswer') },
          { key: 'attempts', label: say(site, 'unsentAttempts'), numeric: true },
          { key: 'at', label: say(site, 'unsentAt') },
          ...(state === 'failed' ? [{ key: 'again', label: say(site, 'sendAgain'), bare: true }] : []),
        ]}
        rows={rows.map(row => ({ id: row.id, cells: cellsOf(context, row) }))}
      />
      {Number(alike) > rows.length && (
        <p className="muted body">{firstOf(site, rows.length, Number(alike) - rows.length)}</p>
      )}
    </Sheet>
  )
}

function Timers({ context, rows }: { readonly context: RequestContext; readonly rows: readonly Overdue[] }) {
  const { site } = context
  const { app } = site
  const timers = [...app.timers, ...app.sweeps]
  return (
    <FirstRows
      site={site}
      title={say(site, 'overdue')}
      columns={[
        { key: 'timer', label: say(site, 'overdueTimer') },
        { key: 'record', label: say(site, 'unsentRecord') },
        { key: 'at', label: say(site, 'overdueAt') },
        { key: 'why', label: say(site, 'overdueWhy') },
      ]}
      rows={rows.map(row => {
        const timer = timers.find(({ entity, key }) => entity === row.entity && key === row.timer)
        return {
          id: `${row.record} ${row.timer} ${row.skipped}`,
          cells: [
            <>
              {timer?.name ?? row.timer} {timer !== undefined && <LineMark line={site.mark(timer.cell)} />}
            </>,
            <Named key="record" context={context} row={row} />,
            <Moment key="at" context={context} at={row.due_at} />,
            whyText(context, row),
          ],
        }
      })}
    />
  )
}

function Messages({ context, rows }: { readonly context: RequestContext; readonly rows: readonly Refused[] }) {
  const { site } = context
  return (
    <FirstRows
      site={site}
      title={say(site, 'refused')}
      columns={[
        { key: 'name', label: say(site, 'refusedName') },
        { key: 'why', label: say(site, 'overdueWhy') },
        { key: 'at', label: say(site, 'refusedAt') },
        { key: 'request', label: say(site, 'refusedRequest') },
      ]}
      rows={rows.map(({ at, name, status, codes, words, request: id }) => ({
        id,
        cells: [
          <>
            {name} <LineMark line={site.mark(site.app.receives.get(name)!.cell)} />
          </>,
          <>
            {words} <small className="muted">{[status, ...codes].join(', ')}</small>
          </>,
          <Moment key="at" context={context} at={at} />,
          id,
        ],
      }))}
    />
  )
}

/** A sheet of a table, of which the first rows are shown. */
function FirstRows({
  site,
  title,
  rows,
  columns,
}: Pick<ComponentProps<typeof PlainTable>, 'columns' | 'rows'> & { readonly site: Site; readonly title: string }) {
  return (
    <Sheet title={title} flush>
      <PlainTable label={title} columns={columns} rows={rows.slice(0, shown)} />
      {rows.length > shown && <p className="muted body">{say(site, 'firstShown', { count: shown })}</p>}
    </Sheet>
  )
}

function Moment({ context: { site, request }, at }: { readonly context: RequestContext; readonly at: string }) {
  const { format } = site.reader
  return (
    <>
      {format.moment(at)} <small className="muted">{format.relative(at, request.now)}</small>
    </>
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

/** In the order of the columns. */
function cellsOf(context: RequestContext, row: Unsent): readonly ReactNode[] {
  const { site } = context
  const { format } = site.reader
  const entity = site.app.entities.get(row.entity)?.name ?? row.entity
  const hidden = [csrfInput(context), { name: 'id', value: row.id }]
  return [
    <>
      <Named context={context} row={row} />
      <small className="muted"> {row.because}</small>
      {row.address !== null && <small className="muted"> {say(site, 'unsentTo', { address: row.address })}</small>}
    </>,
    <>
      {row.state === 'unaddressed' ? say(site, 'unaddressed') : `${row.last_status ?? ''} ${row.last_error ?? ''}`}
      {row.reported !== null && (
        <small className="muted"> {[site.app.errors.get(row.reported)?.status, row.reported].join(', ')}</small>
      )}
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
    </>,
    row.attempts,
    format.moment(row.finished_at),
    row.state === 'failed' ? (
      <PostButton key="again" action="/-/unsent" hidden={hidden} small object={row.label ?? entity}>
        {say(site, 'sendAgain')}
      </PostButton>
    ) : null,
  ]
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
