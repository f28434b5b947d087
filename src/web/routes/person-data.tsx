/** `/-/person-data`: all that is held about one person, given out or erased, for those whom heading 6 names. */
import { sql } from '../../expression/sql.ts'
import { collated } from '../../run/names.ts'
import {
  erasePerson,
  findPerson,
  mayHandlePeople,
  type RecordAboutPerson,
  recordsAbout,
} from '../../run/people/erasure.ts'
import { peopleFound } from '../../run/people/find.ts'
import { giveOut } from '../../run/people/give-out.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { CheckControl, TextControl } from '../../ui/controls.tsx'
import { BesideField, Field } from '../../ui/form.tsx'
import { Note, PageHead, Sheet } from '../../ui/page.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { LineMark } from '../../ui/provenance.tsx'
import { ReaderProvider } from '../../ui/reader.tsx'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { personDataPath } from '../paths.ts'
import { isLookup } from '../records.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, jsonType, seeOther } from '../response.ts'
import { say } from '../sentences.ts'
import { postedForm } from './sign-in.tsx'

/** People that a search finds, at most. */
const found = 20
/** Records that the page lists; all of them are given out and erased. */
const listed = 200

const hrefOf = (person: string, below = ''): string => `${personDataPath}${below}?${new URLSearchParams({ person })}`

export async function personDataPage(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, query } = context
  if (!mayHandlePeople(site.app, request.actor)) return notFound(context)
  const person = query.get('person')
  if (person === null) return searchPage(context, query.get('q') ?? '')
  const name = await findPerson(runtime.store, site.app, request, person)
  return name === null ? notFound(context) : showPerson(context, person, name, [])
}

async function searchPage(context: RequestContext, typed: string): Promise<HttpResponse> {
  const { site, runtime, request } = context
  const search = isLookup(typed) ? typed.trim() : ''
  const people =
    search === ''
      ? []
      : await runtime.store.query<{ id: string; name: string; email: string | null }>(
          sql`select p.id, p.name, p.email from public.person as p
            where ${peopleFound(site.app, request, search, 'p')}
            order by ${collated(sql`p.name`)}, p.id limit ${found + 1}::bigint`,
        )
  return pageOf(context, {
    title: [say(site, 'personData')],
    content: (
      <ReaderProvider reader={site.reader}>
        <PageHead title={say(site, 'personData')} />
        <form method="get" action={personDataPath} className="stack">
          <Field id="q" label={say(site, 'personDataSearch')} width="medium">
            {aid => <TextControl aid={aid} name="q" value={search} />}
          </Field>
          <div>
            <button type="submit" className="btn pri">
              {say(site, 'personDataFind')}
            </button>
          </div>
        </form>
        {search !== '' && people.length === 0 && <p role="status">{say(site, 'personDataNone')}</p>}
        {people.length > 0 && (
          <Sheet title={say(site, 'people')}>
            <ul className="rows">
              {people.slice(0, found).map(({ id, name, email }) => (
                <li key={id}>
                  <a href={hrefOf(id)}>{name}</a> <span className="muted">{email}</span>
                </li>
              ))}
            </ul>
            {people.length > found && <p className="muted">{say(site, 'firstShown', { count: found })}</p>}
          </Sheet>
        )}
      </ReaderProvider>
    ),
  })
}

async function showPerson(
  context: RequestContext,
  person: string,
  name: string,
  faults: readonly { readonly control: string | null; readonly text: string }[],
): Promise<HttpResponse> {
  const { site, runtime, request } = context
  const held = await recordsAbout(runtime.store, site.app, request, person)
  const [before] = await runtime.store.query<{ asked_at: string; done_at: string | null }>(
    sql`select asked_at, done_at from ninefold.erasure where person = ${person}::uuid`,
  )
  const title = say(site, 'personDataOf', { name })
  return pageOf(context, {
    title: [title],
    faults,
    crumbs: [
      { label: say(site, 'personData'), href: personDataPath },
      { label: name, href: null },
    ],
    content: (
      <ReaderProvider reader={site.reader}>
        <PageHead
          title={title}
          actions={
            <LinkButton href={hrefOf(person, '/json')} icon="download">
              {say(site, 'personDataGet')}
            </LinkButton>
          }
        />
        <div className="stack">
          <p>{say(site, 'personDataText', { name })}</p>
          {before !== undefined && before.done_at === null && (
            <Note tone="wait" icon="clock">
              {say(site, 'personErasedBefore', { day: site.reader.format.moment(before.asked_at) })}
            </Note>
          )}
          <HeldSheet context={context} held={held} />
          {before?.done_at == null && (
            <Sheet title={say(site, 'personErase')}>
              <form method="post" action={personDataPath} className="stack" noValidate>
                <input type="hidden" name="_csrf" value={csrfInput(context).value} />
                <input type="hidden" name="person" value={person} />
                <p>{say(site, 'personEraseText')}</p>
                <BesideField id="sure" error={faults.find(({ control }) => control === 'sure')?.text ?? null}>
                  {aid => (
                    <CheckControl aid={aid} name="sure" value="no" text={say(site, 'personEraseSure', { name })} />
                  )}
                </BesideField>
                <div>
                  <button type="submit" className="btn bad">
                    {say(site, 'personErase')}
                  </button>
                </div>
              </form>
            </Sheet>
          )}
        </div>
      </ReaderProvider>
    ),
  })
}

function HeldSheet({
  context,
  held,
}: {
  readonly context: RequestContext
  readonly held: readonly RecordAboutPerson[]
}) {
  const { site } = context
  const title = say(site, 'personDataRecords')
  return (
    <Sheet title={title} aside={<span className="muted">{held.length}</span>} flush={held.length > 0}>
      {held.length === 0 ? (
        <p className="muted">{say(site, 'personDataNoRecords')}</p>
      ) : (
        <PlainTable
          label={title}
          columns={[
            { key: 'record', label: say(site, 'readsRecord') },
            { key: 'kept', label: say(site, 'personDataKept') },
          ]}
          rows={held.slice(0, listed).map(one => ({
            id: one.id,
            cells: [
              `${site.app.entities.get(one.entity)?.name} ${one.label ?? one.id.slice(-6)}`,
              <>
                {keptText(context, one)} {one.because !== null && <LineMark line={site.mark(one.because)} />}
              </>,
            ],
          }))}
        />
      )}
      {held.length > listed && <p className="muted">{say(site, 'firstShown', { count: listed })}</p>}
    </Sheet>
  )
}

function keptText({ site }: RequestContext, { because, until }: RecordAboutPerson): string {
  if (because === null) return say(site, 'personDataGoes')
  const time =
    until === null
      ? say(site, 'personDataKeptOpen')
      : say(site, 'personDataKeptUntil', { until: site.reader.format.moment(until) })
  return `${because.text}: ${time}`
}

/** `/-/person-data/json?person=…`; its files are named in it, and got one by one below the same address. */
export async function personDataJson(context: RequestContext): Promise<HttpResponse> {
  const { runtime, request, query } = context
  const given = await giveOut(runtime, request, query.get('person') ?? '')
  if (given === null) return notFound(context)
  const files = given.files.map(({ digest: _, ...file }, number) => ({
    ...file,
    address: `${personDataPath}/file?${new URLSearchParams({ person: query.get('person') ?? '', number: String(number) })}`,
  }))
  return {
    status: 200,
    headers: {
      'content-type': jsonType,
      'content-disposition': 'attachment; filename="person.json"',
      'cache-control': 'no-store',
    },
    cookies: [],
    body: JSON.stringify({ ...given.json, files }, null, 2),
  }
}

/** `/-/person-data/file?person=…&number=0`: a file that the JSON names, to be kept and not to be shown in place. */
export async function personDataFile(context: RequestContext): Promise<HttpResponse> {
  const { runtime, request, query, web } = context
  const given = await giveOut(runtime, request, query.get('person') ?? '')
  const file = given?.files[Number(query.get('number') ?? '')]
  const content = file === undefined ? null : await web.options.files.open(file.digest)
  if (file === undefined || content === null) return notFound(context)
  return {
    status: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(file.size),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name).replaceAll("'", '%27')}`,
      'cache-control': 'no-store',
    },
    cookies: [],
    body: content,
  }
}

export async function erasePersonPage(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, web } = context
  if (!mayHandlePeople(site.app, request.actor)) return notFound(context)
  const form = postedForm(context)
  const person = form.get('person') ?? ''
  const name = await findPerson(runtime.store, site.app, request, person)
  if (name === null) return notFound(context)
  if (!form.getAll('sure').includes('yes')) {
    return showPerson(context, person, name, [{ control: 'sure', text: say(site, 'personEraseNotSure') }])
  }
  const came = await erasePerson(runtime, request, person)
  if ('kind' in came) {
    const problems = came.kind === 'refused' ? came.problems : [came.problem]
    return showPerson(
      context,
      person,
      name,
      problems.map(({ message, whatToDo }) => ({ control: null, text: [message, whatToDo].join(' ').trim() })),
    )
  }
  const failed = came.failed.map(({ held, problem }) =>
    [
      site.app.entities.get(held.entity)?.name,
      held.label,
      say(site, 'personEraseFailed', { why: problem.message }),
    ].join(' '),
  )
  const comments = came.comments === 0 ? [] : [say(site, 'personComments', { count: came.comments })]
  const words = [say(site, came.done ? 'personErased' : 'personErasedPartly'), ...failed, ...comments].join(' ')
  return seeOther(hrefOf(person), [flashCookie(web, words, failed.length > 0 ? 'bad' : 'good')])
}
