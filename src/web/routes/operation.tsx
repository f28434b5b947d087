/** What the application has to do without anybody asking, and since when: for those who look after what was not delivered. */

import { type Backlog, readBacklog } from '../../run/later/backlog.ts'
import { mailServer } from '../../run/later/breaker.ts'
import { mayOperate } from '../../run/later/send-again.ts'
import { atOnce } from '../../store/at-once.ts'
import { PageHead, Sheet, Stack } from '../../ui/page.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { notFound, pageOf } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { say } from '../sentences.ts'
import { nameOf } from './unsent.tsx'

export async function operationPage(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request } = context
  if (!mayOperate(site.app, request.actor)) return notFound(context)
  const backlog = await readBacklog(atOnce(runtime.store), request.now)
  return pageOf(context, {
    title: [say(site, 'operation')],
    content: (
      <>
        <PageHead title={say(site, 'operation')} />
        <Stack>
          <Waiting context={context} backlog={backlog} />
          <Rest context={context} backlog={backlog} />
        </Stack>
      </>
    ),
  })
}

interface Part {
  readonly context: RequestContext
  readonly backlog: Backlog
}

function Waiting({ context: { site }, backlog: { outbox, paused } }: Part) {
  const { format } = site.reader
  const title = say(site, 'operationWaiting')
  return (
    <Sheet title={title} flush>
      {outbox.length === 0 ? (
        <p className="muted body">{say(site, 'operationNothing')}</p>
      ) : (
        <PlainTable
          label={title}
          columns={[
            { key: 'what', label: say(site, 'operationWhat') },
            { key: 'waiting', label: say(site, 'operationCount'), numeric: true },
            { key: 'oldest', label: say(site, 'operationOldest') },
            { key: 'failed', label: say(site, 'operationFailed'), numeric: true },
          ]}
          rows={outbox.map(({ kind, name, waiting, failed, age }) => ({
            id: `${kind} ${name}`,
            cells: [
              <>
                {say(site, kind === 'call' ? 'unsentCall' : 'unsentMail', { name: nameOf(site.app, kind, name) })}
                {paused.includes(kind === 'mail' ? mailServer : name) && (
                  <small className="muted"> {say(site, 'operationPaused')}</small>
                )}
              </>,
              format.count(waiting),
              waiting === 0 ? null : format.wait(Math.round(age)),
              failed === 0 ? (
                '0'
              ) : (
                <a key="failed" href="/-/unsent">
                  {format.count(failed)}
                </a>
              ),
            ],
          }))}
        />
      )}
    </Sheet>
  )
}

function Rest({ context: { site, request }, backlog: { timers, jobs, tables } }: Part) {
  const { format } = site.reader
  const applied = new Date(tables.appliedAt * 1000).toISOString()
  const open = jobs.reduce((sum, one) => sum + one.open, 0)
  const late = timers.due === 0 ? '' : say(site, 'operationLate', { time: format.wait(Math.round(timers.late)) })
  const facts = [
    [say(site, 'operationTimers'), `${format.count(timers.due)} ${late}`],
    [say(site, 'operationFailing'), format.count(timers.failed)],
    [say(site, 'operationJobs'), format.count(open)],
    [
      say(site, 'operationDocument'),
      `${site.app.version}, ${format.moment(applied)} (${format.relative(applied, request.now)})`,
    ],
    ...(tables.changing ? [[say(site, 'operationTables'), say(site, 'operationChanging')] as const] : []),
  ] as const
  return (
    <Sheet title={say(site, 'operationRest')}>
      <dl className="dl long">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  )
}
