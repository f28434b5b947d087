/** What was given up or refused by the answer, for those who look after it: by mail and call, with sending again; and what was refused of others. */

import { readUnsent, sendAgain, type Unsent, type Which } from '../../run/later/again.ts'
import type { Pause } from '../../run/later/breaker.ts'
import { notSet } from '../../run/later/egress.ts'
import { type Overdue, readOverdue } from '../../run/later/overdue.ts'
import { type Refused, readRefused } from '../../run/later/refused.ts'
import { atOnce } from '../../store/at-once.ts'
import { PostButton } from '../../ui/buttons.tsx'
import { PageHead, ScrollRegion, Sheet, Stack } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { LineMark } from '../../ui/provenance.tsx'
import { ReaderProvider } from '../../ui/reader.tsx'
import { type Answer, seeOther } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { firstOf } from '../screens/figures.ts'
import { say } from '../sentences.ts'
import { recordAddress } from './record.ts'
import { postedForm } from './sign-in.tsx'

/** Rows of each table, the newest first. */
const shown = 100

export async function unsentPage(exchange: Exchange): Promise<Answer> {
  const { site, runtime, request } = exchange
  const reading = { ...runtime, store: atOnce(runtime.store) }
  const [data, overdue, refused] = await Promise.all([
    readUnsent(reading, request, shown),
    readOverdue(reading, request, shown + 1),
    readRefused(reading, request, shown + 1),
  ])
  if (data === null) return notFound(exchange)
  const { variable } = exchange.web.options
  const missing = variable === undefined ? [] : notSet(site.app, variable).map(([name]) => name)
  const groups = Object.values(Object.groupBy(data.rows, ({ state, kind, name }) => `${state} ${kind} ${name}`))
  return pageOf(exchange, {
    title: [say(site, 'unsent')],
    content: (
      <ReaderProvider reader={site.reader}>
        <PageHead title={say(site, 'unsent')} />
        <Stack>
          {data.pauses.map(pause => (
            <p key={pause.call} className="note wait" role="status">
              {pauseText(exchange, pause)}
            </p>
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
          {groups.map(rows => rows !== undefined && <Group key={rows[0]!.id} exchange={exchange} rows={rows} />)}
          {overdue.length > 0 && <Timers exchange={exchange} rows={overdue} />}
          {refused.length > 0 && <Messages exchange={exchange} rows={refused} />}
        </Stack>
      </ReaderProvider>
    ),
  })
}

function pauseText({ site, request }: Exchange, pause: Pause): string {
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

function nameOf(app: Exchange['site']['app'], kind: string, name: string): string {
  const call = kind === 'call' ? app.calls.get(name) : undefined
  return call === undefined || call.name === name ? name : `${name} ${call.name}`
}

function Group({ exchange, rows }: { readonly exchange: Exchange; readonly rows: readonly Unsent[] }) {
  const { site } = exchange
  const [{ state, kind, name, alike }] = rows as [Unsent]
  const title = say(site, kind === 'call' ? 'unsentCall' : 'unsentMail', { name: nameOf(site.app, kind, name) })
  const cell = (kind === 'call' ? site.app.calls : site.app.mails).get(name)?.cell ?? null
  const csrf = csrfInput(exchange)
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
              <Row key={row.id} exchange={exchange} row={row} />
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

function Timers({ exchange, rows }: { readonly exchange: Exchange; readonly rows: readonly Overdue[] }) {
  const { site } = exchange
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
                    <Named exchange={exchange} row={row} />
                  </td>
                  <td>
                    {site.reader.format.moment(row.due_at)}{' '}
                    <small className="muted">{site.reader.format.relative(row.due_at, exchange.request.now)}</small>
                  </td>
                  <td>{whyText(exchange, row)}</td>
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

function Messages({ exchange, rows }: { readonly exchange: Exchange; readonly rows: readonly Refused[] }) {
  const { site, request } = exchange
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

function whyText({ site }: Exchange, { skipped, last_error, attempts }: Overdue): string {
  if (skipped) return say(site, 'overdueSkipped')
  if (last_error === null) return say(site, 'overdueLate')
  return say(site, 'overdueFailed', { count: Number(attempts), error: last_error })
}

/** What a row is about, as a link where it has a page; the name of its entity where nothing names it. */
function Named({
  exchange: { site },
  row,
}: {
  readonly exchange: Exchange
  readonly row: Pick<Unsent, 'entity' | 'record' | 'label'>
}) {
  if (row.label === null || row.record === null) return site.app.entities.get(row.entity)?.name ?? row.entity
  return site.routes.places.get(row.entity)?.one == null ? (
    row.label
  ) : (
    <a href={recordAddress(row.entity, row.record)}>{row.label}</a>
  )
}

function Row({ exchange, row }: { readonly exchange: Exchange; readonly row: Unsent }) {
  const { site } = exchange
  const { format } = site.reader
  const entity = site.app.entities.get(row.entity)?.name ?? row.entity
  const hidden = [csrfInput(exchange), { name: 'id', value: row.id }]
  return (
    <tr>
      <th scope="row">
        <Named exchange={exchange} row={row} />
        <small className="muted"> {row.because}</small>
        {row.address !== null && <small className="muted"> {say(site, 'unsentTo', { address: row.address })}</small>}
      </th>
      <td>
        {row.state === 'unaddressed' ? say(site, 'unaddressed') : `${row.last_status ?? ''} ${row.last_error ?? ''}`}
        {row.last_answer !== null && row.last_answer !== '' && <small className="muted"> {row.last_answer}</small>}
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

export async function sendAgainPage(exchange: Exchange): Promise<Answer> {
  const { site, runtime, request, web } = exchange
  const form = postedForm(exchange)
  const id = form.get('id')
  const which: Which = id !== null ? { id } : { kind: form.get('kind') ?? '', name: form.get('name') ?? '' }
  const count = await sendAgain(runtime, request, which)
  if (count === null) return notFound(exchange)
  return seeOther('/-/unsent', count === 0 ? [] : [flashCookie(web, say(site, 'sentAgain', { count }))])
}
