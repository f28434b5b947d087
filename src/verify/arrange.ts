/** Brings records to a state, and takes steps, as whoever is let. */
import { specified } from '../headings/specified.ts'
import { ask, insisting, isOk, type Player, playersFrom, type Reply, type Site, verdictOf } from './client.ts'
import { anyValue, CannotArrange, type Values } from './drafts.ts'
import { visitor } from './world.ts'

/** Brings a new record to a state along the shortest way of steps, each taken by whoever is let. */
export async function bringTo(
  site: Site,
  entity: string,
  id: string,
  state: string,
  first: Player | null,
): Promise<void> {
  const { state: is } = (await site.observatory.world(visitor)).record(entity, id) ?? {}
  const way = wayTo(site, entity, String(is), state)
  if (way === null) throw new CannotArrange(`no steps lead to ${state}`)
  for (const { step, to } of way) {
    const tries: string[] = []
    let isTaken = false
    for (const player of playersFrom(site, first)) {
      const reply = await insisting(site, as => stepOf(as, player, entity, id, step))
      // A decision that others have to follow leaves the state as it is.
      isTaken = isOk(reply) && (reply.body.state === undefined || reply.body.state === to)
      if (isTaken) break
      tries.push(`${player.name}: ${isOk(reply) ? 'agreed' : verdictOf(reply)}`)
    }
    if (!isTaken)
      throw new CannotArrange(`nobody can take the step ${step} on the way to ${state} (${tries.join('; ')})`)
  }
}

/** Takes a step. Where it asks for what nobody gave, `fill` gives something, as `completed` does for records. */
export async function stepOf(
  site: Site,
  player: Player,
  entity: string,
  id: string,
  step: string,
  fill: (reply: Reply) => boolean = () => true,
  given?: Values,
): Promise<Reply> {
  const path = `${entity}/${id}/${step}`
  const reply = await ask(site, player, 'POST', path, given)
  if (isOk(reply) || !fill(reply)) return reply
  const errors = (reply.body.errors ?? []) as readonly { readonly code?: string; readonly pointer?: string }[]
  const missing = errors.flatMap(({ code, pointer }) => {
    const key = code === 'NF-REQUIRED' ? pointer?.slice(1) : undefined
    return site.app.entities.get(entity)!.fields.filter(field => field.key === key)
  })
  if (missing.length === 0 || missing.length < errors.length) return reply
  const values: Values = { ...given }
  for (const field of missing) values[field.key] = await anyValue(site, player, field)
  return await ask(site, player, 'POST', path, values)
}

interface Taken {
  readonly step: string
  readonly to: string
}

function wayTo(site: Site, entity: string, begin: string, state: string): readonly Taken[] | null {
  const workflow = site.app.workflows.get(entity)
  if (workflow === undefined) return null
  const ways = new Map<string, readonly Taken[]>([[begin, []]])
  for (const [from, way] of ways) {
    if (from === state) return way
    for (const { from: sources, to, key } of workflow.transitions) {
      const target = specified(to)
      if (target !== null && specified(sources)?.includes(from) === true && !ways.has(target))
        ways.set(target, [...way, { step: key, to: target }])
    }
  }
  return null
}
