/** The first minute in `dev`: who of its people makes something, who decides what waits, and who looks at the whole. */
import { specified } from '../../headings/specified.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import { countFor } from '../../run/people/counted.ts'
import { waitingRecords } from '../../run/read/inbox.ts'
import type { Request } from '../../run/request.ts'
import type { TryView } from '../../ui/sign-in.tsx'
import { openScreens } from '../access.ts'
import { awaitedBy, inboxOf } from '../counts.ts'
import type { RequestContext } from '../request-context.ts'
import { newHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { inSentence } from '../site.ts'
import { creatable } from './create.ts'

/** So many of its people are looked at. */
const mostPeople = 12

/** One statement for each of those who have an inbox. */
export async function triesOf(context: RequestContext): Promise<readonly TryView[]> {
  const { site, web, runtime, request } = context
  const all = web.served().people.slice(0, mostPeople)
  const people = all.map(({ id, name, roles }): Request & { readonly name: string } => ({
    ...request,
    name,
    actor: { ...request.actor, id, name, roles },
  }))
  const tried = new Set<string>()
  const next = (person: (typeof people)[number], text: string, href: string): TryView => {
    tried.add(person.name)
    return { person: person.actor.id!, name: person.name, text, next: href }
  }
  const tries: TryView[] = []

  // What has states has a way to go; best made by whoever may do little else.
  const made = [...site.routes.places.values()]
    .toSorted((a, b) => Number(site.app.workflows.has(b.entity.key)) - Number(site.app.workflows.has(a.entity.key)))
    .flatMap(({ entity }) => {
      const makers = people
        .filter(person => creatable({ site, request: person }, entity.key) !== null)
        .toSorted((a, b) => a.actor.roles.length - b.actor.roles.length)
      return makers[0] === undefined ? [] : [{ entity, maker: makers[0] }]
    })[0]
  if (made !== undefined) {
    const { entity, maker } = made
    const thing = inSentence(site, entity.name)
    tries.push(
      next(maker, say(site, 'tryMake', { person: maker.name, thing }), newHref(site.routes.places.get(entity.key)!)),
    )
  }

  const waiting = await Promise.all(
    people.map(async person => {
      const inbox = inboxOf(site.app, person.actor)
      const href = inbox === null ? undefined : specified(inbox.route)?.pattern
      const awaited = awaitedBy(site, person.actor)
      const count = awaited && (await countFor(runtime.store, runtime.app, person, waitingRecords(awaited)))
      return { person, href, count: count ?? 0 }
    }),
  )
  const [most] = waiting
    .filter(({ count, person }) => count > 0 && !tried.has(person.name))
    .toSorted((a, b) => b.count - a.count)
  if (most?.href !== undefined)
    tries.push(next(most.person, say(site, 'tryDecide', { person: most.person.name, count: most.count }), most.href))

  const looks = people.flatMap(person =>
    openScreens(site.app, person.actor).map(screen => ({ person, screen, kind: kindOf(screen) })),
  )
  const look =
    looks.find(({ person, kind }) => !tried.has(person.name) && kind?.shows === 'figures') ??
    looks.find(({ person, kind }) => !tried.has(person.name) && kind?.isListing === true)
  const href = look === undefined ? undefined : specified(look.screen.route)?.pattern
  if (look !== undefined && href !== undefined)
    tries.push(
      next(look.person, say(site, 'tryLook', { person: look.person.name, screen: look.screen.name.text }), href),
    )
  return tries
}
