/**
 * `/-/why?entity=loan&id=…`: what one may and may not do with a record, and which line decides. Whoever appoints others asks it for them
 * as well (`&person=…`), about records that both may see or that only they see.
 */

import { readWhy } from '../../run/access/why.ts'
import { isOfTenant, readPeople, requestsOf } from '../../run/people/people.ts'
import { isId } from '../../run/values.ts'
import { HiddenInputs, LinkButton, Submit } from '../../ui/buttons.tsx'
import { SelectControl } from '../../ui/controls.tsx'
import { Field } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page.tsx'
import { WhyList } from '../../ui/why.tsx'
import { mayReadDocument, rolesToAppoint } from '../access.ts'
import type { Answer } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { notFound, pageOf } from '../pages.tsx'
import { whyPath } from '../paths.ts'
import { whyHref } from '../routes.ts'
import { building, openHref } from '../screens/common.ts'
import { whyView } from '../screens/why.ts'
import { say } from '../sentences.ts'
import { linesShown } from '../site.ts'

/** Of what this person may not see there is nothing, and no page either. */
export async function whyPage(arrived: Exchange): Promise<Answer> {
  const { web, runtime, request, query } = arrived
  const mayRead = mayReadDocument(web.options.mode, arrived.site.app, request.actor)
  const exchange = mayRead ? { ...arrived, site: linesShown(arrived.site) } : arrived
  const { site } = exchange
  const entity = query.get('entity') ?? ''
  const id = query.get('id') ?? ''
  const person = query.get('person') ?? ''
  const appoints = rolesToAppoint(site.app, request.actor).length > 0
  const isOther = appoints && isId(person) && person !== request.actor.id
  const [other] = isOther ? await requestsOf(runtime.store, site.app, [person], request) : []
  if (isOther && (other === undefined || !isOfTenant(site.app, request, other.actor.tenant ?? null)))
    return notFound(exchange)
  const why = await readWhy(runtime, request, { entity, by: { field: 'id', value: id } }, other)
  if (why === null) return notFound(exchange)
  const view = whyView(site, why, other?.actor.name ?? null)
  const href = openHref(building(exchange), entity, why.row)
  return pageOf(exchange, {
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
              exchange={exchange}
              entity={entity}
              id={id}
              other={other?.actor.name ?? null}
              people={isOther ? [] : ((await readPeople(runtime, request)) ?? [])}
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
  readonly exchange: Exchange
  readonly entity: string
  readonly id: string
  readonly other: string | null
  readonly people: readonly { readonly id: string; readonly name: string }[]
}

/** The same question about somebody else. */
function Whom({ exchange, entity, id, other, people }: WhomProps) {
  const { site, request } = exchange
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
      <Field id="person" label={say(site, 'whyWhom')} width="medium">
        {aid => (
          <SelectControl
            aid={aid}
            name="person"
            value={request.actor.id ?? ''}
            options={people.map(one => ({ value: one.id, label: one.name }))}
            empty={null}
          />
        )}
      </Field>
      <Submit>{say(site, 'whyAsk')}</Submit>
    </form>
  )
}
