/**
 * `/-/why?entity=loan&id=…`: what one may and may not do with a record, and which line decides. Whoever appoints others asks it for them
 * as well (`&person=…`), as far as they are told of them, about records that both may see or that only they see.
 */

import { readWhy } from '../../run/access/why.ts'
import { otherPeople, requestMeant, type Somebody } from '../../run/people/find.ts'
import { HiddenInputs, LinkButton, Submit } from '../../ui/buttons.tsx'
import { PageHead } from '../../ui/page.tsx'
import { WhyList } from '../../ui/why.tsx'
import { mayReadDocument, rolesToAppoint } from '../access.ts'
import { notFound, pageOf } from '../pages.tsx'
import { whyPath } from '../paths.ts'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { whyHref } from '../routes.ts'
import { building, openHref } from '../screens/common.ts'
import { whyView } from '../screens/why.ts'
import { say } from '../sentences.ts'
import { linesShown } from '../site.ts'
import { SomebodyField } from './somebody.tsx'

/** Of what this person may not see there is nothing, and no page either. */
export async function whyPage(arrived: RequestContext): Promise<HttpResponse> {
  const { web, runtime, request, query } = arrived
  const mayRead = mayReadDocument(web.options.mode, arrived.site.app, request.actor)
  const context = mayRead ? { ...arrived, site: linesShown(arrived.site) } : arrived
  const { site } = context
  const entity = query.get('entity') ?? ''
  const id = query.get('id') ?? ''
  const appoints = rolesToAppoint(site.app, request.actor).length > 0
  const typed = appoints ? (query.get('person') ?? '') : ''
  const meant = await requestMeant(runtime.store, site.app, request, typed)
  const other = meant === null || meant.actor.id === request.actor.id ? undefined : meant
  const why = await readWhy(runtime, request, { entity, by: { field: 'id', value: id } }, other)
  if (why === null) return notFound(context)
  const view = whyView(site, why, other?.actor.name ?? null)
  const href = openHref(building(context), entity, why.row)
  return pageOf(context, {
    title: [view.title],
    wide: true,
    crumbs: [
      { label: view.thing, href },
      { label: say(site, 'whyLink'), href: null },
    ],
    content: (
      <>
        <PageHead title={view.title} facts={view.who} />
        <div className="stack">
          {appoints && (
            <Whom
              context={context}
              entity={entity}
              id={id}
              other={other?.actor.name ?? null}
              wrong={meant === null ? typed : ''}
              people={other !== undefined ? [] : await otherPeople(runtime.store, site.app, request)}
            />
          )}
          {view.groups.map(({ title, items }) => (
            <WhyList key={title} title={title} items={items} />
          ))}
        </div>
      </>
    ),
  })
}

interface WhomProps {
  readonly context: RequestContext
  readonly entity: string
  readonly id: string
  readonly other: string | null
  /** A name that nobody has, or more than one. */
  readonly wrong: string
  readonly people: readonly Somebody[]
}

/** The same question about somebody else. */
function Whom({ context, entity, id, other, wrong, people }: WhomProps) {
  const { site } = context
  if (other !== null)
    return (
      <p>
        <LinkButton href={whyHref(entity, id)} small>
          {say(site, 'whyMyself')}
        </LinkButton>
      </p>
    )
  return (
    <form method="get" action={whyPath} className="brow">
      <HiddenInputs
        inputs={[
          { name: 'entity', value: entity },
          { name: 'id', value: id },
        ]}
      />
      <SomebodyField
        site={site}
        name="person"
        label={say(site, 'whyWhom')}
        value={wrong}
        error={wrong === '' ? null : say(site, 'personDataNone')}
        people={people}
      />
      <Submit>{say(site, 'whyAsk')}</Submit>
    </form>
  )
}
