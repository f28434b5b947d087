/** `/-/reads`: who read which record, and why, for those whom heading 6 names. Filters stand in the address. */
import type { ReactNode } from 'react'
import { type LogEntry, readLog } from '../../run/access/readings.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { PageHead, Stack } from '../../ui/page.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { ReaderProvider } from '../../ui/reader.tsx'
import { notFound, pageOf } from '../pages.tsx'
import { readLogPath } from '../paths.ts'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { recordAddress } from '../routes.ts'
import { say } from '../sentences.ts'

/** Entries on one page. */
const shown = 100

const named = ['entity', 'record', 'person'] as const

export async function readLogPage(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, query } = context
  const [entity, record, person] = named.map(name => query.get(name)) as [string | null, string | null, string | null]
  const emergencies = query.has('emergencies')
  const before = query.get('before')
  const found = await readLog(runtime, request, { entity, record, person, emergencies, before }, shown + 1)
  if (found === null) return notFound(context)
  const entries = found.slice(0, shown)
  const isNarrowed = [entity, record, person].some(value => value !== null) || emergencies
  const title = say(site, 'readLog')
  const older = found.length > shown ? hrefWith(query, { before: entries.at(-1)!.id }) : null
  return pageOf(context, {
    title: [title],
    content: (
      <ReaderProvider reader={site.reader}>
        <PageHead
          title={title}
          actions={
            <>
              {!emergencies && (
                <LinkButton href={hrefWith(query, { emergencies: '' })}>{say(site, 'readsEmergencies')}</LinkButton>
              )}
              {isNarrowed && <LinkButton href={readLogPath}>{say(site, 'readsAll')}</LinkButton>}
            </>
          }
        />
        <Stack>
          {entries.length === 0 ? (
            <EmptyState title={say(site, 'readsNone')} />
          ) : (
            <div className="sheet">
              <PlainTable
                label={title}
                columns={[
                  { key: 'at', label: say(site, 'readsAt') },
                  { key: 'who', label: say(site, 'readsWho') },
                  { key: 'record', label: say(site, 'readsRecord') },
                  { key: 'way', label: say(site, 'readsWay') },
                  { key: 'reason', label: say(site, 'reason') },
                ]}
                rows={entries.map(entry => ({ id: entry.id, cells: cellsOf(context, entry) }))}
              />
            </div>
          )}
          {older !== null && (
            <p>
              <LinkButton href={older}>{say(site, 'readsOlder')}</LinkButton>
            </p>
          )}
        </Stack>
      </ReaderProvider>
    ),
  })
}

/** In the order of the columns. */
function cellsOf({ site }: RequestContext, entry: LogEntry): readonly ReactNode[] {
  const { format } = site.reader
  const entity = site.app.entities.get(entry.entity)?.name ?? entry.entity
  const only = (more: Readonly<Record<string, string>>) => `${readLogPath}?${new URLSearchParams(more)}`
  return [
    format.moment(entry.at),
    <>
      {entry.person === null ? (
        say(site, 'readsNobody')
      ) : (
        <a href={only({ person: entry.person })}>{entry.who ?? say(site, 'readsGone')}</a>
      )}
      {entry.api_key !== null && <small className="muted"> {entry.api_key}</small>}
    </>,
    <>
      <a href={only({ entity: entry.entity, record: entry.record })}>
        {entity} {entry.label ?? entry.record.slice(-6)}
      </a>
      {entry.label !== null && (
        <>
          {' '}
          <a href={recordAddress(entry.entity, entry.record)}>
            <small>{say(site, 'readsOpen')}</small>
            <span className="vh"> {entry.label}</span>
          </a>
        </>
      )}
    </>,
    <>
      {say(site, `reads.${entry.way}`)}
      {entry.ends_at !== null && (
        <small className="muted"> {say(site, 'readsUntil', { until: format.moment(entry.ends_at) })}</small>
      )}
    </>,
    <>
      {entry.reason} {entry.because !== null && <small className="muted">{entry.because}</small>}
    </>,
  ]
}

function hrefWith(query: URLSearchParams, more: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(query)
  next.delete('before')
  for (const [name, value] of Object.entries(more)) next.set(name, value)
  return `${readLogPath}?${next}`
}
