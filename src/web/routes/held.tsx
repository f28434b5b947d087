/** Forms for everyone that were held back as if a program had filled them in: looked at, released, or thrown away. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { specified } from '../../headings/specified.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import type { LinkView } from '../../kinds/screens/view-model.ts'
import { isId } from '../../run/values.ts'
import { countHeld, dropHeld, type HeldForm, heldDays, readHeld } from '../../run/write/held.ts'
import { PostButton } from '../../ui/buttons.tsx'
import { PageHead, Sheet, Stack, When } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { formsToReview } from '../access.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { heldPath } from '../paths.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { textOf } from '../screens/values.ts'
import { say } from '../sentences.ts'
import { faceOf } from '../site.ts'
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
          {forms.map(held => (
            <Held key={held.id} context={context} held={held} />
          ))}
        </Stack>
      </>
    ),
  })
}

function Held({ context, held }: { readonly context: RequestContext; readonly held: HeldForm }) {
  const { site, request } = context
  const hidden = [csrfInput(context), { name: 'entity', value: held.entity }, { name: 'id', value: held.id }]
  const when = site.reader.format.relative(held.at, request.now)
  return (
    <Sheet title={formAt(context, held.path)!.screen.name.text} aside={<When iso={held.at} text={when} />}>
      <Stack>
        <dl className="dl long">
          {writtenIn(context, held).map(({ label, text }) => (
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

/** What was written, as far as it can be read without asking for other records. */
function writtenIn(context: RequestContext, held: HeldForm): readonly { label: string; text: string }[] {
  const { site, request } = context
  const { app, reader } = asSender(context, held).site
  const entity = app.entities.get(held.entity)!
  const { values, children, invalidValues } = decodeForm(entity, app, held.form, reader.locale, { zone: request.zone })
  const textAt = (of: string, key: string, wire: (typeof values)[string] | undefined) => {
    const face = faceOf(site.app, of, key)
    return face === null || face.type.kind === 'reference' ? '' : textOf(site, of, face, wire)
  }
  return entity.fields.flatMap(({ key, type }) => {
    const rows = (children[key] ?? []).map(row =>
      Object.entries(row.values).map(([name, wire]) => textAt(type.kind === 'list' ? type.entity : '', name, wire)),
    )
    const isWrong = invalidValues.some(({ path }) => path === key)
    const text = isWrong
      ? (held.form.get(key) ?? '')
      : [textAt(entity.key, key, values[key]), ...rows.map(row => row.filter(Boolean).join(', '))]
          .filter(Boolean)
          .join('; ')
    return text === '' ? [] : [{ label: faceOf(site.app, entity.key, key)!.label, text }]
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
