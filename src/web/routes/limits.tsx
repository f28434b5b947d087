/** Constants of heading 9 as they hold now, and the form that changes them, for those whom the document lets. */

import { catalogueOf, languageOf } from '../../expression/catalogue.ts'
import { isFixed } from '../../expression/currency.ts'
import { isPercent } from '../../expression/fit.ts'
import { engineLimits } from '../../headings/9-limits/engine.ts'
import type { Constant } from '../../headings/9-limits/model.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { keyName, wordFor } from '../../headings/translate.ts'
import { parseDate } from '../../kinds/fields/dates.ts'
import { calendarLength } from '../../kinds/fields/duration/calendar.ts'
import type { FieldKind } from '../../kinds/fields/field-kind.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { isBlank } from '../../kinds/fields/texts.ts'
import {
  changeConstant,
  type LimitChange,
  type Planned,
  rangeOf,
  readLimitChanges,
  readLimitStates,
  takeBackConstant,
} from '../../run/limits.ts'
import type { Outcome } from '../../run/outcome.ts'
import { germanLimits } from '../../run/problems/german.ts'
import { raise, raiseInvalidValue } from '../../run/problems/raise.ts'
import { isId } from '../../run/values.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { SelectControl, TextControl } from '../../ui/controls.tsx'
import { PageHead, ScrollRegion, Sheet, Stack } from '../../ui/page.tsx'
import { roles as is, PlainTable } from '../../ui/plain-table.tsx'
import { LineMark } from '../../ui/provenance.tsx'
import { ReaderProvider } from '../../ui/reader.tsx'
import { limitsToChange } from '../access.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { valueView } from '../screens/values.ts'
import { say } from '../sentences.ts'
import { statusOf } from '../write.ts'
import { postedForm } from './sign-in.tsx'

export function limitsPage(context: RequestContext): Promise<HttpResponse> | HttpResponse {
  return limitsToChange(context.site.app, context.request.actor).length === 0
    ? notFound(context)
    : render(context, null, null)
}

interface Typed {
  readonly key: string
  readonly value: string
  readonly since: string
}

async function render(
  context: RequestContext,
  refused: Exclude<Outcome, { kind: 'done' }> | null,
  typed: Typed | null,
): Promise<HttpResponse> {
  const { site, request, runtime } = context
  const changeable = limitsToChange(site.app, request.actor)
  const before = context.query.get('before')
  const [changes, states] = await Promise.all([
    readLimitChanges(runtime, request, changeable, before !== null && isId(before) ? before : null, shownChanges + 1),
    readLimitStates(runtime, request),
  ])
  const tenant = request.actor.tenant == null ? null : (site.app.product.tenant?.entity ?? null)
  const problems = refused === null ? [] : refused.kind === 'refused' ? refused.problems : [refused.problem]
  const csrf = csrfInput(context)
  const rows = [...site.app.limits.values()].map(limit => {
    const wire = request.limits[limit.key]
    const label = keyName(site.app, limit.key)
    const mayChange = changeable.includes(limit.key)
    const range = rangeOf(limit)
    const id = `limit-${limit.key}`
    return (
      <tr key={limit.key} {...is.row}>
        <th {...is.head}>
          {label} {limit.meaning !== null && <small className="hint muted">{limit.meaning.text}</small>}
        </th>
        <td className="num" {...is.cell}>
          {mayChange ? (
            <form method="post" action="/-/limits" id={`set-${limit.key}`} className="seek" noValidate>
              <input type="hidden" name="_csrf" value={csrf.value} />
              <input type="hidden" name="key" value={limit.key} />
              <ValueControl
                context={context}
                limit={limit}
                value={
                  typed?.key === limit.key ? typed.value : writingOf(limit).input(wire ?? null, {}, request.locale)
                }
              />
            </form>
          ) : (
            textOf(context, limit, wire)
          )}
          {states[limit.key]!.own && mayChange && (
            <small className="muted">
              {' '}
              {say(site, 'limitOwn')}{' '}
              <Doing context={context} limit={limit} name="do" value="everybodys" text={say(site, 'limitEverybodys')} />
            </small>
          )}
        </td>
        <td {...is.cell}>{unitText(context, limit, mayChange)}</td>
        <td data-label={range === null ? undefined : say(site, 'range')} {...is.cell}>
          {range !== null &&
            say(site, 'rangeOf', {
              min: textOf(context, limit, range.min),
              max: textOf(context, limit, range.max),
            })}
        </td>
        <td className="nw" data-label={say(site, 'whoMayChange')} {...is.cell}>
          {whoChanges(context, limit)}
        </td>
        <td data-label={mayChange ? say(site, 'limitSince') : undefined} {...is.cell}>
          {mayChange && (
            <span className="cellrow">
              <TextControl
                aid={{ id: `${id}-since` }}
                name="since"
                type="date"
                label={say(site, 'limitSinceOf', { name: label })}
                value={typed?.key === limit.key ? typed.since : ''}
                form={`set-${limit.key}`}
              />
              <button type="submit" className="btn sm" form={`set-${limit.key}`}>
                {say(site, 'setLimit')}
                <span className="vh"> {label}</span>
              </button>
            </span>
          )}
          {states[limit.key]!.planned.map(one => (
            <PlannedValue key={one.since} context={context} limit={limit} planned={one} mayChange={mayChange} />
          ))}
        </td>
        <td {...is.cell}>
          <LineMark line={site.mark(limit.cell)} />
        </td>
      </tr>
    )
  })
  const { locale } = site.reader
  const translated = languageOf(locale) === 'de' ? germanLimits : catalogueOf(locale)?.limits
  const engine = engineLimits
    .filter(({ key }) => !site.app.limits.has(key))
    .map(limit => ({
      name: keyName(site.app, limit.key),
      ...limit,
      ...(translated?.[limit.key] as (typeof germanLimits)[typeof limit.key] | undefined),
    }))
    .map(({ key, name, value, unit, meaning }) => (
      <tr key={key} {...is.row}>
        <th {...is.head}>
          {name} <small className="hint muted">{meaning}</small>
        </th>
        <td className="num" {...is.cell}>
          {value === null ? '–' : site.reader.format.integer(value)}
        </td>
        <td {...is.cell}>{value !== null && unit}</td>
        <td {...is.cell} />
        <td className="nw" data-label={say(site, 'whoMayChange')} {...is.cell}>
          {say(site, 'fixed')}
        </td>
        <td {...is.cell} />
        <td {...is.cell} />
      </tr>
    ))
  return pageOf(context, {
    title: [say(site, 'limits')],
    status: problems.length > 0 ? statusOf(problems) : 200,
    faults: problems.map(({ message }) => ({
      text: message,
      control: typed === null ? null : `limit-${typed.key}`,
    })),
    content: (
      <ReaderProvider reader={site.reader}>
        <PageHead title={say(site, 'limits')} />
        {tenant !== null && (
          <p>{say(site, 'limitsOfTenant', { tenant: site.app.entities.get(tenant)?.name ?? tenant })}</p>
        )}
        <Stack>
          <div className="sheet">
            <ScrollRegion className="tw roomy" label={say(site, 'limits')}>
              <table className="t fold" {...is.table}>
                <caption className="vh">{say(site, 'limits')}</caption>
                <thead {...is.group}>
                  <tr {...is.row}>
                    <th {...is.column}>{say(site, 'name')}</th>
                    <th className="num" {...is.column}>
                      {say(site, 'value')}
                    </th>
                    <th {...is.column}>{say(site, 'unit')}</th>
                    <th {...is.column}>{say(site, 'range')}</th>
                    <th {...is.column}>{say(site, 'whoMayChange')}</th>
                    <th {...is.column}>{say(site, 'limitSince')}</th>
                    <td {...is.cell} />
                  </tr>
                </thead>
                <tbody {...is.group}>
                  {rows}
                  {engine}
                </tbody>
              </table>
            </ScrollRegion>
          </div>
          {changes.length > 0 && <Changes context={context} changes={changes.slice(0, shownChanges)} />}
          {changes.length > shownChanges && (
            <p>
              <LinkButton href={`/-/limits?${new URLSearchParams({ before: changes[shownChanges - 1]!.id })}`}>
                {say(site, 'readsOlder')}
              </LinkButton>
            </p>
          )}
        </Stack>
      </ReaderProvider>
    ),
  })
}

interface OfLimit {
  readonly context: RequestContext
  readonly limit: Constant
}

/** A value that will hold, and the button that takes it back. */
function PlannedValue({
  context,
  limit,
  planned,
  mayChange,
}: OfLimit & { readonly planned: Planned; readonly mayChange: boolean }) {
  const { site } = context
  const value = textOf(context, limit, planned.wire)
  const day = dayText(context, limit, planned.since)
  return (
    <small className="muted">
      {' '}
      {say(site, 'valueSince', { value, day })}{' '}
      {planned.own && mayChange && (
        <Doing
          context={context}
          limit={limit}
          name="takeBack"
          value={planned.since}
          text={say(site, 'limitTakeBack')}
        />
      )}
    </small>
  )
}

function Doing({
  context,
  limit,
  name,
  value,
  text,
}: OfLimit & { readonly name: string; readonly value: string; readonly text: string }) {
  return (
    <form method="post" action="/-/limits">
      <input type="hidden" name="_csrf" value={csrfInput(context).value} />
      <input type="hidden" name="key" value={limit.key} />
      <button type="submit" className="btn sm" name={name} value={value}>
        {text}
        <span className="vh"> {keyName(context.site.app, limit.key)}</span>
      </button>
    </form>
  )
}

function Changes({ context, changes }: { readonly context: RequestContext; readonly changes: readonly LimitChange[] }) {
  const { site } = context
  const title = say(site, 'limitChanges')
  const heads = ['limitChangedAt', 'limitChangedBy', 'name', 'limitFrom', 'limitTo'] as const
  return (
    <Sheet title={title} flush>
      <PlainTable
        label={title}
        columns={heads.map(head => ({ key: head, label: say(site, head) }))}
        rows={changes.flatMap(({ id, key, at, by, before, after, since }) => {
          const limit = site.app.limits.get(key)
          if (limit === undefined) return []
          const value = textOf(context, limit, after)
          const to = since === null ? value : say(site, 'valueSince', { value, day: dayText(context, limit, since) })
          const cells = [site.reader.format.moment(at), by, keyName(site.app, key), textOf(context, limit, before), to]
          return [{ id, cells }]
        })}
      />
    </Sheet>
  )
}

function textOf({ site }: RequestContext, { key, type, cell }: Constant, wire: unknown): string {
  if (typeof wire !== 'string' && typeof wire !== 'boolean') return say(site, 'noValue')
  return valueView(site, '', { key, label: key, type, field: null, cell }, wire).text
}

/** An amount says its currency itself, and a percentage its sign; beside a bare figure that is typed stands the same sign. */
function unitText({ site }: RequestContext, { type, unit }: Constant, isTyped: boolean): string | undefined {
  if (isPercent(type)) return isTyped ? '%' : undefined
  if (!isFixed(type)) return unit?.text
  return isTyped ? site.reader.format.currencySign(type.currency) : undefined
}

const dayText = ({ site }: RequestContext, { key, cell }: Constant, day: string): string =>
  valueView(site, '', { key, label: key, type: { kind: 'date' }, field: null, cell }, day).text

const isFigure = ({ type }: Constant): boolean => ['integer', 'decimal', 'money', 'error'].includes(type.kind)

/** How its values are typed, and read: as people of a locale write them, `2500,00`, `3 Tage`. */
function writingOf(limit: Constant): Pick<FieldKind, 'input' | 'parse'> {
  const { type } = limit
  if (type.kind === 'duration' && type.of === 'calendar') return calendarLength
  return fieldKind(isPercent(type) ? 'percent' : isFigure(limit) ? 'decimal' : type.kind)
}

/** What the value is typed into. */
function ValueControl({ context, limit, value }: OfLimit & { readonly value: string }) {
  const { type, key } = limit
  const control = { aid: { id: `limit-${key}` }, name: 'value', label: keyName(context.site.app, key), value }
  if (type.kind === 'yes/no') {
    const options = (['yes', 'no'] as const).map(one => ({ value: one, label: context.site.reader.words(one) }))
    return <SelectControl {...control} options={options} empty={null} />
  }
  if (type.kind === 'date' || type.kind === 'time') return <TextControl {...control} type={type.kind} />
  return <TextControl {...control} inputMode={isFigure(limit) ? 'decimal' : 'text'} numeric={isFigure(limit)} />
}

function whoChanges({ site }: RequestContext, { change }: Constant): string {
  if (change === 'fixed') return say(site, 'fixed')
  return isUnspecified(change)
    ? say(site, 'noValue')
    : site.reader.format.anyOf(change.roles.map(role => wordFor(site.app, role)))
}

/** Changes on a page. */
const shownChanges = 50

export async function setLimit(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, web } = context
  const form = postedForm(context)
  const key = form.get('key') ?? ''
  const value = (form.get('value') ?? '').trim()
  const since = (form.get('since') ?? '').trim()
  const limit = site.app.limits.get(key)
  if (limit === undefined || !limitsToChange(site.app, request.actor).includes(key)) return notFound(context)
  const done = (text: string) => seeOther('/-/limits', [flashCookie(web, text)])
  const name = keyName(site.app, key)
  const takenBack = form.get('takeBack')
  if (takenBack !== null) {
    const outcome = await takeBackConstant(runtime, request, key, takenBack)
    return outcome.kind === 'done' ? done(say(site, 'limitTakenBack', { name })) : render(context, outcome, null)
  }
  const isEverybodys = form.get('do') === 'everybodys'
  const read = isBlank(value) ? null : writingOf(limit).parse(value, {}, request.locale, request.zone)
  if (!isEverybodys && (read === null || 'invalid' in read)) {
    const [place, label] = [{ field: key, because: limit.cell }, name]
    const problem =
      read === null
        ? raise(site.app, 'NF-REQUIRED', { label }, place)
        : raiseInvalidValue(site.app, read.invalid, label, place)
    return render(context, { kind: 'refused', problems: [problem] }, { key, value, since })
  }
  const wire = read === null || 'invalid' in read ? null : read.value
  const day = since === '' ? { value: null } : parseDate(since, request.locale)
  if ('invalid' in day) {
    const label = say(site, 'limitSinceOf', { name })
    const problem = raiseInvalidValue(site.app, day.invalid, label, { field: key, because: limit.cell })
    return render(context, { kind: 'refused', problems: [problem] }, { key, value, since })
  }
  const from = day.value as string | null
  const outcome = await changeConstant(runtime, request, key, isEverybodys ? null : wire, from)
  if (outcome.kind !== 'done') return render(context, outcome, { key, value, since })
  if (isEverybodys) return done(say(site, 'limitNowEverybodys', { name }))
  const shown = textOf(context, limit, wire)
  if (from === null) return done(say(site, 'limitSet', { name, value: shown }))
  return done(say(site, 'limitPlanned', { name, value: shown, day: dayText(context, limit, from) }))
}
