/** What was given up or refused by the answer, for those who look after it: by mail and call, with sending again. */

import { readUnsent, sendAgain, type Unsent, type Which } from '../../run/later/again.ts'
import type { Pause } from '../../run/later/breaker.ts'
import { notSet } from '../../run/later/egress.ts'
import { PostButton } from '../../ui/buttons.tsx'
import { PageHead, ScrollRegion, Sheet, Stack } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { ReaderProvider } from '../../ui/reader.tsx'
import { type Answer, seeOther } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { say } from '../sentences.ts'
import { recordAddress } from './record.ts'
import { postedForm } from './sign-in.tsx'

/** Rows on the page, the newest of each name first. */
const shown = 200

export async function unsentPage(exchange: Exchange): Promise<Answer> {
  const { site, runtime, request } = exchange
  const data = await readUnsent(runtime, request, shown)
  if (data === null) return notFound(exchange)
  const { variable } = exchange.web.options
  const missing = variable === undefined ? [] : notSet(site.app, variable).map(([name]) => name)
  const groups = Object.values(Object.groupBy(data.rows, ({ kind, name }) => `${kind} ${name}`))
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
          {groups.length === 0 ? (
            <EmptyState title={say(site, 'unsentNone')} />
          ) : (
            <p className="muted">{say(site, 'unsentHelp')}</p>
          )}
          {groups.map(rows => rows !== undefined && <Group key={rows[0]!.name} exchange={exchange} rows={rows} />)}
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
  const [{ kind, name, alike }] = rows as [Unsent]
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
        <PostButton action="/-/unsent" hidden={all} small>
          {say(site, 'sendAllAgain', { count: Number(alike) })}
        </PostButton>
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
    </Sheet>
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
        {row.label === null || row.record === null ? (
          entity
        ) : site.routes.places.get(row.entity)?.one == null ? (
          row.label
        ) : (
          <a href={recordAddress(row.entity, row.record)}>{row.label}</a>
        )}
        <small className="muted"> {row.because}</small>
        {row.address !== null && <small className="muted"> {say(site, 'unsentTo', { address: row.address })}</small>}
      </th>
      <td>
        {row.last_status} {row.last_error}
        {row.last_answer !== null && row.last_answer !== '' && <small className="muted"> {row.last_answer}</small>}
        {row.again_at !== null && (
          <small className="muted">
            {' '}
            {say(site, 'unsentBefore', { name: row.again_by ?? '', time: format.moment(row.again_at) })}
          </small>
        )}
      </td>
      <td className="num">{row.attempts}</td>
      <td>{format.moment(row.finished_at)}</td>
      <td>
        <PostButton action="/-/unsent" hidden={hidden} small object={row.label ?? entity}>
          {say(site, 'sendAgain')}
        </PostButton>
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
