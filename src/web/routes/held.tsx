/** Forms for everyone that were held back as if a program had filled them in: looked at, released, or thrown away. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { specified } from '../../headings/specified.ts'
import { type Decoded, decodeForm } from '../../kinds/fields/input.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import type { LinkView } from '../../kinds/screens/view-model.ts'
import { readOptions } from '../../run/read/options.ts'
import { isId } from '../../run/values.ts'
import { countHeld, dropHeld, type HeldForm, heldDays, readHeld } from '../../run/write/held-forms.ts'
import { PostButton } from '../../ui/buttons.tsx'
import { PageHead, Sheet, Stack, When } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { formsToReview } from '../access.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { heldPath } from '../paths.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { namesRecords } from '../screens/filters.ts'
import { textOf } from '../screens/values.ts'
import { say } from '../sentences.ts'
import { fieldInfo, type Site } from '../site.ts'
import { linesOf } from './choices.ts'
import { publicForm } from './forms.tsx'
import { postedForm } from './sign-in.tsx'
import { asSender, formAt } from './unconfirmed.ts'

/** Forms on a page. */
const shown = 50

const hrefOf = (entity: string): string => `${heldPath}?${new URLSearchParams({ entity })}`

const pathsOf = (screens: readonly Screen[]): readonly string[] =>
  screens.flatMap(screen => {
    const route = specified(screen.route)
    return route === null ? [] : [route.pattern]
  })

/** The way to those of an entity from its lists; null: there are none, or not for whoever asks. */
export async function heldLink(context: RequestContext, entity: string): Promise<LinkView | null> {
  const { site, runtime, request } = context
  const screens = formsToReview(site.app, request.actor, entity)
  const count = screens.length === 0 ? 0 : await countHeld(runtime.store, pathsOf(screens), request.now)
  return count === 0 ? null : { label: say(site, 'heldLink', { count }), href: hrefOf(entity) }
}

export async function heldPage(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, query } = context
  const entity = query.get('entity') ?? ''
  const screens = formsToReview(site.app, request.actor, entity)
  if (screens.length === 0) return notFound(context)
  const forms = await readHeld(runtime.store, pathsOf(screens), { now: request.now, limit: shown })
  const readings = forms.map(held => ({ held, ...readingOf(context, held) }))
  const names = await namesIn(context, readings)
  const title = say(site, 'held')
  return pageOf(context, {
    title: [title],
    content: (
      <>
        <PageHead title={title} facts={<span>{site.app.entities.get(entity)!.name}</span>} />
        <Stack>
          {forms.length === 0 ? (
            <EmptyState title={say(site, 'heldNone')} />
          ) : (
            <p className="muted">{say(site, 'heldText', { days: heldDays })}</p>
          )}
          {readings.map(reading => (
            <Held key={reading.held.id} context={context} reading={reading} names={names} />
          ))}
        </Stack>
      </>
    ),
  })
}

/** A form, and its texts as they are read in the language in which it was filled in. */
type Reading = Decoded & { readonly held: HeldForm }

/** What records are called, by id. */
type Names = ReadonlyMap<string, string>

function Held({
  context,
  reading,
  names,
}: {
  readonly context: RequestContext
  readonly reading: Reading
  readonly names: Names
}) {
  const { site, request } = context
  const { held } = reading
  const hidden = [csrfInput(context), { name: 'entity', value: held.entity }, { name: 'id', value: held.id }]
  const when = site.reader.format.relative(held.at, request.now)
  return (
    <Sheet title={formAt(context, held.path)!.screen.name.text} aside={<When iso={held.at} text={when} />}>
      <Stack>
        <dl className="dl long">
          {writtenIn(site, reading, names).map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <div className="acts">
          <PostButton action={heldPath} hidden={hidden} name="do" value="release" object={when}>
            {say(site, 'heldRelease')}
          </PostButton>
          <PostButton action={heldPath} hidden={hidden} name="do" value="discard" tone="bad" object={when}>
            {say(site, 'heldDiscard')}
          </PostButton>
        </div>
      </Stack>
    </Sheet>
  )
}

function readingOf(context: RequestContext, held: HeldForm): Decoded {
  const { app, reader } = asSender(context, held).site
  return decodeForm(app.entities.get(held.entity)!, app, held.form, reader.locale, { zone: context.request.zone })
}

/** The records that stand in these forms, as far as whoever looks at them may know what they are called. One statement, however many there are. */
async function namesIn(context: RequestContext, readings: readonly Reading[]): Promise<Names> {
  const { site } = context
  const { runtime, request } = readingAtOnce(context)
  const named = readings.flatMap(({ held: { entity }, values, children }) =>
    [{ of: entity, values }, ...rowsIn(site, entity, children)].flatMap(({ of, values }) =>
      Object.entries(values).flatMap(([field, wire]) => {
        const info = fieldInfo(site.app, of, field)
        return info !== null && namesRecords(info) ? [{ entity: of, field, ids: linked(wire).filter(isId) }] : []
      }),
    ),
  )
  const found = await Promise.all(
    [...Map.groupBy(named, ({ entity, field }) => `${entity}.${field}`).values()].map(same => {
      const { entity, field } = same[0]!
      const ids = [...new Set(same.flatMap(one => one.ids))]
      return readOptions(runtime, request, { entity, field, search: null, limit: ids.length, ids, named: ids })
    }),
  )
  // What has no title has its id for one, which says nothing to a person.
  return new Map(
    found.flatMap(({ options }) => options.flatMap(({ value, label }) => (label === value ? [] : [[value, label]]))),
  )
}

/** All rows of all lists, with what they are. */
const rowsIn = (site: Site, entity: string, children: Decoded['children']) =>
  Object.entries(children).flatMap(([list, rows]) =>
    rows.map(({ values }) => ({ of: linesOf(site, entity, list) ?? '', values })),
  )

/** What was written, line by line; what could not be read as it was sent. */
function writtenIn(
  site: Site,
  { held, values, children, invalidValues }: Reading,
  names: Names,
): readonly { label: string; text: string }[] {
  const textAt = (of: string, key: string, wire: (typeof values)[string] | undefined) => {
    const info = fieldInfo(site.app, of, key)
    const named = linked(wire).flatMap(id => names.get(id) ?? [])
    return info === null ? '' : textOf(site, of, info, wire, named.join(', '))
  }
  return site.app.entities.get(held.entity)!.fields.flatMap(({ key, label }) => {
    const rows = rowsIn(site, held.entity, { [key]: children[key] ?? [] }).map(row =>
      Object.entries(row.values).map(([name, wire]) => textAt(row.of, name, wire)),
    )
    const isWrong = invalidValues.some(({ path }) => path === key)
    const text = isWrong
      ? (held.form.get(key) ?? '')
      : [textAt(held.entity, key, values[key]), ...rows.map(row => row.filter(Boolean).join(', '))]
          .filter(Boolean)
          .join('; ')
    return text === '' ? [] : [{ label, text }]
  })
}

/** What is released arrives as if whoever filled it in had just sent it; what no longer fits is said in its form. */
export async function changeHeld(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, web } = context
  const form = postedForm(context)
  const entity = form.get('entity') ?? ''
  const id = form.get('id') ?? ''
  const does = form.get('do')
  const paths = pathsOf(formsToReview(site.app, request.actor, entity))
  const [held] = isId(id) ? await readHeld(runtime.store, paths, { now: request.now, limit: 1, id }) : []
  const at = held === undefined ? null : formAt(context, held.path)
  if (held === undefined || at === null || (does !== 'release' && does !== 'discard')) return notFound(context)
  if (does === 'release') {
    const body = new URLSearchParams([...held.form, ['_once', id]])
    const headers = { ...context.headers, 'content-type': 'application/x-www-form-urlencoded' }
    const sent = {
      ...asSender(context, held),
      path: held.path,
      query: new URLSearchParams(),
      headers,
      body: Buffer.from(body.toString()),
      // It is not this network that sends it.
      network: `held ${id}`,
    }
    const response = await publicForm(sent, at.place, at.screen)
    if (response.status >= 400) return response
  }
  await dropHeld(runtime.store, { id })
  const detail = { person: request.actor.id, path: held.path, did: does }
  web.options.log({ level: 'info', event: 'form held back', request: request.id, detail })
  return seeOther(hrefOf(entity), [flashCookie(web, say(site, does === 'release' ? 'heldReleased' : 'heldDiscarded'))])
}
