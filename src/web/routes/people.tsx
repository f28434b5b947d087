/** People and their roles: for whoever may appoint somebody. */
import { sql } from '../../expression/sql.ts'
import { wordFor } from '../../headings/translate.ts'
import { parseDate } from '../../kinds/fields/dates.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import { collated } from '../../run/names.ts'
import type { Outcome, Problem } from '../../run/outcome.ts'
import { appoint, type Days, withdraw } from '../../run/people/appointments.ts'
import { absentFrom } from '../../run/people/credentials.ts'
import { addressToAppoint, peopleToAppoint } from '../../run/people/find.ts'
import { appointable } from '../../run/people/people.ts'
import { notOver } from '../../run/people/roles.ts'
import { raiseInvalidValue } from '../../run/problems/raise.ts'
import { bindingsOf } from '../../run/statements.ts'
import { isId } from '../../run/values.ts'
import { create } from '../../run/write/writes.ts'
import { LinkButton, PostButton } from '../../ui/buttons.tsx'
import { CheckControl, SelectControl, SeveralControl, TextControl } from '../../ui/controls.tsx'
import { BesideField, Field, FieldGroup } from '../../ui/form.tsx'
import { PageHead, Sheet, Tag } from '../../ui/page.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { rolesToAppoint } from '../access.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { isLookup } from '../records.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { say } from '../sentences.ts'
import { accountById } from '../sign-in/accounts.ts'
import { mailLink } from '../sign-in/links.ts'
import { inputOf, statusOf } from '../write.ts'
import { peopleSignInHref } from './people-sign-in.tsx'
import { PresenceSheet } from './presence.tsx'
import { postedForm } from './sign-in.tsx'

/** A role that somebody has, or had or will have on some days. */
interface Held {
  readonly role: string
  readonly from: string | null
  readonly until: string | null
}

interface PersonLine {
  readonly id: string
  readonly name: string
  /** Null: there is none, or it may not be seen. */
  readonly email: string | null
  /** Those that are not over. */
  readonly roles: readonly Held[]
  /** Has an address, has not been here, and has no password. */
  readonly awaited: boolean
}

/** People on a page. */
const shown = 100

/** Which of them: found by their name or address (`q`), and behind whom (`after`). Where something is sent, it is there again. */
function placeOf(query: URLSearchParams) {
  const [q, after] = [query.get('q')?.trim() ?? '', query.get('after') ?? '']
  return { q: isLookup(q) ? q : '', after: isId(after) ? after : null }
}

function hrefTo({ q, after }: ReturnType<typeof placeOf>, path = peoplePath): string {
  const query = new URLSearchParams({ ...(q === '' ? {} : { q }), ...(after === null ? {} : { after }) })
  return query.size === 0 ? path : `${path}?${query}`
}

const peoplePath = '/-/people'

export function peoplePage(context: RequestContext): Promise<HttpResponse> | HttpResponse {
  return rolesToAppoint(context.site.app, context.request.actor).length === 0
    ? notFound(context)
    : render(context, null, {})
}

async function render(
  context: RequestContext,
  refused: Exclude<Outcome, { kind: 'done' }> | null,
  typed: { readonly name?: string; readonly email?: string; readonly roles?: readonly string[] },
): Promise<HttpResponse> {
  const { site, runtime, request } = context
  const roles = rolesToAppoint(site.app, request.actor)
  const place = placeOf(context.query)
  const behind = sql`(select last.name from public.person as last where last.id = ${place.after}::uuid and ${appointable(site.app, request, 'last')})`
  const found = await runtime.store.query<PersonLine>(
    sql`select person.id, person.name, ${addressToAppoint(site.app, request, 'person')} as email, coalesce((
        select jsonb_agg(jsonb_build_object('role', a.role, 'from', a.from_on, 'until', a.until_on))
        from ninefold.appointment as a where a.person = person.id and ${notOver('a')}), '[]') as roles,
        person.email is not null
          and not exists (select from ninefold.account where account.person = person.id and account.password is not null)
          and not exists (select from ninefold.session where session.person = person.id) as awaited
      from public.person where ${peopleToAppoint(site.app, request, place.q, 'person')}
        and (${place.after}::uuid is null or (${collated(sql`person.name`)}, person.id) > (${collated(behind)}, ${place.after}::uuid))
      order by ${collated(sql`person.name`)}, person.id limit ${shown + 1}::bigint`,
    bindingsOf(request),
  )
  const account = await accountById(runtime.store, request.actor.id ?? '')
  const people = found.slice(0, shown)
  const isMore = found.length > shown
  const isNarrowed = place.q !== '' || place.after !== null
  const problems = refused === null ? [] : refused.kind === 'refused' ? refused.problems : [refused.problem]
  const hidden = [csrfInput(context)]
  const errorAt = (key: string) => problems.find(({ field }) => field === key)?.message ?? null
  return pageOf(context, {
    title: [say(site, 'people')],
    status: problems.length > 0 ? statusOf(problems) : 200,
    faults: problems.map(({ message, field }) => ({
      text: message,
      control: field === 'name' || field === 'email' || field === 'from' || field === 'until' ? field : null,
    })),
    content: (
      <>
        <PageHead
          title={say(site, 'people')}
          actions={isNarrowed && <LinkButton href={peoplePath}>{say(site, 'peopleAll')}</LinkButton>}
        />
        <div className="stack">
          {account !== null && <PresenceSheet context={context} account={account} next={hrefTo(place)} />}
          <search aria-label={say(site, 'people')}>
            <form method="get" action={peoplePath} className="filters">
              <div className="grow">
                <Field id="q" label={say(site, 'personDataSearch')}>
                  {aid => <TextControl aid={aid} name="q" type="search" value={place.q} />}
                </Field>
              </div>
              <button type="submit" className="btn">
                {say(site, 'personDataFind')}
              </button>
            </form>
          </search>
          {people.length === 0 && <p role="status">{say(site, 'personDataNone')}</p>}
          <div className="sheet">
            <PlainTable
              roomy
              label={say(site, 'people')}
              columns={[
                { key: 'name', label: say(site, 'name') },
                { key: 'email', label: say(site, 'email') },
                { key: 'signIn', label: say(site, 'signInOfLink'), bare: true },
                ...roles.map(role => ({ key: `role ${role}`, label: wordFor(site.app, role) })),
              ]}
              rows={people.map(person => ({
                id: person.id,
                cells: [
                  person.name,
                  person.email,
                  <>
                    {person.awaited && (
                      <PostButton
                        action={hrefTo(place, `${peoplePath}/invite`)}
                        hidden={hidden}
                        name="person"
                        value={person.id}
                        small
                        object={person.name}
                      >
                        {say(site, 'invite')}
                      </PostButton>
                    )}
                    {!person.awaited && person.id !== request.actor.id && (
                      <a className="btn sm" href={peopleSignInHref(person.id)}>
                        {say(site, 'signInOfLink')}
                        <span className="vh"> {person.name}</span>
                      </a>
                    )}
                  </>,
                  ...roles.map(role => {
                    const held = person.roles.find(one => one.role === role)
                    const has = held !== undefined
                    const inputs = [...hidden, { name: 'person', value: person.id }, { name: 'role', value: role }]
                    return (
                      <>
                        {has && (
                          <>
                            <Tag tone={isNow(held, request) ? 'good' : 'wait'} icon="check">
                              {heldText(site, held)}
                            </Tag>{' '}
                          </>
                        )}
                        <PostButton
                          action={hrefTo(place, `${peoplePath}/role`)}
                          hidden={inputs}
                          name="do"
                          value={has ? 'withdraw' : 'appoint'}
                          small
                          tone="quiet"
                          object={`${wordFor(site.app, role)}, ${person.name}`}
                        >
                          {say(site, has ? 'withdraw' : 'appoint')}
                        </PostButton>
                      </>
                    )
                  }),
                ],
              }))}
            />
          </div>
          {isMore && (
            <p>
              <LinkButton href={hrefTo({ ...place, after: people.at(-1)!.id })}>{say(site, 'peopleMore')}</LinkButton>
            </p>
          )}
          <ForATime context={context} people={people} roles={roles} errorAt={errorAt} />
          <Sheet title={say(site, 'newPerson')}>
            <form method="post" action={peoplePath} className="stack" noValidate>
              <input type="hidden" name="_csrf" value={hidden[0]!.value} />
              <Field id="name" label={say(site, 'name')} error={errorAt('name')} width="medium">
                {aid => <TextControl aid={aid} name="name" value={typed.name ?? ''} autoComplete="off" />}
              </Field>
              <Field id="email" label={say(site, 'email')} error={errorAt('email')} width="medium">
                {aid => (
                  <TextControl aid={aid} name="email" type="email" value={typed.email ?? ''} autoComplete="off" />
                )}
              </Field>
              <FieldGroup id="role" label={say(site, 'roles')} optional>
                {aid => (
                  <SeveralControl
                    aid={aid}
                    name="role"
                    value={(typed.roles ?? []).join()}
                    parted=","
                    options={roles.map(role => ({ value: role, label: wordFor(site.app, role) }))}
                    search={null}
                  />
                )}
              </FieldGroup>
              <BesideField id="invite">
                {aid => <CheckControl aid={aid} name="invite" value="yes" text={say(site, 'inviteNow')} />}
              </BesideField>
              <div>
                <button type="submit" className="btn pri">
                  {say(site, 'addPerson')}
                </button>
              </div>
            </form>
          </Sheet>
        </div>
      </>
    ),
  })
}

const isNow = ({ from }: Held, { today }: RequestContext['request']): boolean => from === null || from <= today

/** "yes", "until 5 December 2026", "1 December 2026 to 5 December 2026". */
function heldText(site: RequestContext['site'], { from, until }: Held): string {
  const { format, words } = site.reader
  if (from === null && until === null) return words('yes')
  if (from === null) return say(site, 'heldUntil', { until: format.date(until!) })
  if (until === null) return say(site, 'heldFrom', { from: format.date(from) })
  return say(site, 'heldDays', { from: format.date(from), until: format.date(until) })
}

interface ForATimeProps {
  readonly context: RequestContext
  readonly people: readonly PersonLine[]
  readonly roles: readonly string[]
  readonly errorAt: (key: string) => string | null
}

/** Gives a role from one day to another: for holidays, a project, a time on trial. */
function ForATime({ context, people, roles, errorAt }: ForATimeProps) {
  const { site, request } = context
  const sent = context.path === `${peoplePath}/role` ? postedForm(context) : null
  const choices = [
    { name: 'person', label: 'roleOf', options: people.map(({ id, name }) => ({ value: id, label: name })) },
    { name: 'role', label: 'role', options: roles.map(role => ({ value: role, label: wordFor(site.app, role) })) },
  ] as const
  return (
    <Sheet title={say(site, 'roleForATime')}>
      <form method="post" action={hrefTo(placeOf(context.query), `${peoplePath}/role`)} className="stack" noValidate>
        <input type="hidden" name="_csrf" value={csrfInput(context).value} />
        <input type="hidden" name="do" value="appoint" />
        {choices.map(({ name, label, options }) => (
          <Field key={name} id={`time-${name}`} label={say(site, label)} width="medium">
            {aid => (
              <SelectControl aid={aid} name={name} value={sent?.get(name) ?? ''} options={options} empty={null} />
            )}
          </Field>
        ))}
        {dayNames.map(name => (
          <Field key={name} id={name} label={say(site, dayLabels[name])} error={errorAt(name)} width="small">
            {aid => (
              <TextControl
                aid={aid}
                name={name}
                type="date"
                value={sent?.get(name) ?? (name === 'from' ? request.today : '')}
              />
            )}
          </Field>
        ))}
        <div>
          <button type="submit" className="btn">
            {say(site, 'appoint')}
          </button>
        </div>
      </form>
    </Sheet>
  )
}

const dayNames = ['from', 'until'] as const
const dayLabels = { from: 'deputyFrom', until: 'deputyUntil' } as const

/** The days that the form gives. */
function daysOf({ site, request }: RequestContext, form: URLSearchParams): Days | Problem {
  const days: Record<(typeof dayNames)[number], string | null> = { from: null, until: null }
  for (const name of dayNames) {
    const given = form.get(name)?.trim() ?? ''
    if (given === '') continue
    const read = parseDate(given, request.locale)
    if ('invalid' in read) {
      const about = { field: name, because: null }
      return raiseInvalidValue(site.app, read.invalid, say(site, dayLabels[name]), about)
    }
    days[name] = read.value as string | null
  }
  return days
}

export async function addPerson(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, web } = context
  const mine = rolesToAppoint(site.app, request.actor)
  const form = postedForm(context)
  const roles = form.getAll('role').filter(role => role !== '')
  if (mine.length === 0 || roles.some(role => !mine.includes(role))) return notFound(context)
  const typed = { name: form.get('name') ?? '', email: form.get('email') ?? '' }
  const absent = roles.length === 0 ? null : absentFrom(site.app, request)
  if (absent !== null) return render(context, { kind: 'refused', problems: [absent] }, { ...typed, roles })
  const entity = site.app.entities.get('person')
  if (entity === undefined) return notFound(context)
  const written = inputOf(
    context,
    decodeForm(entity, site.app, Object.entries(typed), site.reader.locale, { zone: request.zone }),
  )
  const { tenant } = site.app.product
  const own = tenant === null ? {} : { [tenant.field]: request.actor.tenant ?? null }
  const input = { ...written, values: { ...written.values, ...own } }
  // Whoever may appoint people may add them, whatever section 6 says of the entity: the right to appoint was asked above.
  const acting = { ...request, actor: { ...request.actor, system: 'seed' as const } }
  const outcome = await create(runtime, acting, 'person', input)
  if (outcome.kind !== 'done') return render(context, outcome, { ...typed, roles })
  for (const role of roles) {
    const given = await appoint(runtime, request, outcome.id, role)
    if (given.kind !== 'done') return render(context, given, {})
  }
  const isInvited = form.getAll('invite').includes('yes') && typed.email.trim() !== ''
  if (isInvited) return invite(context, outcome.id)
  return seeOther(peoplePath, [flashCookie(web, say(site, 'created', { thing: typed.name }))])
}

/** Sends the first way in to somebody, for whoever may appoint people. */
export async function invitePerson(context: RequestContext): Promise<HttpResponse> {
  const { site, request, runtime } = context
  const person = postedForm(context).get('person') ?? ''
  if (rolesToAppoint(site.app, request.actor).length === 0 || !isId(person)) return notFound(context)
  const [known] = await runtime.store.query(
    sql`select from public.person where id = ${person}::uuid and ${appointable(site.app, request, 'person')}`,
    bindingsOf(request),
  )
  return known === undefined ? notFound(context) : invite(context, person)
}

async function invite(context: RequestContext, person: string): Promise<HttpResponse> {
  const { site, runtime, web } = context
  const account = await accountById(runtime.store, person)
  if (account === null) return notFound(context)
  const isSent = account.email !== null && !account.disabled && (await mailLink(context, account, 'invitation'))
  return seeOther(hrefTo(placeOf(context.query)), [
    flashCookie(web, say(site, isSent ? 'invited' : 'inviteNot', { person: account.name })),
  ])
}

export async function changeAppointment(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, web } = context
  const form = postedForm(context)
  const role = form.get('role') ?? ''
  const person = form.get('person') ?? ''
  const isAppointing = form.get('do') === 'appoint'
  if (!rolesToAppoint(site.app, request.actor).includes(role)) return notFound(context)
  const days = daysOf(context, form)
  if ('code' in days) return render(context, { kind: 'refused', problems: [days] }, {})
  const outcome = isAppointing
    ? await appoint(runtime, request, person, role, days)
    : await withdraw(runtime, request, person, role)
  if (outcome.kind !== 'done') return render(context, outcome, {})
  const [named] = await runtime.store.query<{ name: string }>(
    sql`select name from public.person where id = ${person}::uuid`,
  )
  web.options.wake?.()
  const words = { person: named?.name ?? '', role: wordFor(site.app, role) }
  return seeOther(hrefTo(placeOf(context.query)), [
    flashCookie(web, isAppointing ? say(site, 'appointed', words) : say(site, 'withdrawn', words)),
  ])
}
