/**
 * One record that is shared: whom it is shared with may what the role may, on this record alone; nobody else may more than before, and
 * they themselves not once it has ended.
 */
import { ask, isOk, type Player } from './client.ts'
import * as oracle from './oracle/rights.ts'
import { type Case, caseOf, doorOf, type Subject, type Trial } from './trial.ts'
import { visitor } from './world.ts'

interface Shared {
  readonly role: string
  readonly by: readonly string[]
  readonly days: number | null
}

/** What heading 6 says of sharing records of the entity with single people. */
async function sharedIn({ site, entity }: Trial): Promise<readonly Shared[]> {
  const { told } = await site.observatory.world(visitor)
  return [...told.roles].flatMap(([role, { text }]) => {
    const {
      of = '',
      people = 'Person',
      by = '',
      count,
      unit = 'day',
    } = /^shared (?<of>.+?)(?: with (?<people>.+?))? by (?<by>.+?)(?: for (?<count>\d+) (?<unit>day|week)s?)?$/i.exec(
      text,
    )?.groups ?? {}
    if (of !== entity.name || !people.split(/\s*,\s*/).includes('Person')) return []
    const days = count === undefined ? null : Number(count) * (unit.toLowerCase() === 'week' ? 7 : 1)
    return [{ role, by: by.split(/\s*,\s*/), days }]
  })
}

export async function tryShares(trial: Trial, subject: Subject, other: Subject | undefined): Promise<void> {
  for (const shared of await sharedIn(trial))
    for (const sharer of trial.site.players) if (await tryShare(trial, shared, sharer, subject, other)) break
}

const givenVerbs = ['Change', 'Delete', 'Export'] as const

/** They have a role that shares it, and may all that they give, as far as those who share it ever may. */
function mayShare(known: Case, { role, by }: Shared): boolean {
  const rowsFor = (roles: readonly string[]) => oracle.rowsOf(withRoles(known, roles))
  const could = (roles: readonly string[], verb: (typeof givenVerbs)[number]) =>
    rowsFor(roles).some(row => !['', 'no', 'none'].includes(row(verb)?.text.toLowerCase() ?? ''))
  const may = { Change: oracle.changes, Delete: oracle.deletes, Export: oracle.takesOut }
  return (
    by.some(one => known.world.actor.roles.includes(one)) &&
    oracle.sees(known) &&
    givenVerbs.every(verb => !could([role], verb) || !could(by, verb) || may[verb](known))
  )
}

const withRoles = (known: Case, roles: readonly string[]): Case => ({
  ...known,
  world: { ...known.world, actor: { ...known.world.actor, roles } },
})

/** False: this person has no part in it, or nobody is there to share it with. */
async function tryShare(
  trial: Trial,
  shared: Shared,
  sharer: Player,
  subject: Subject,
  other: Subject | undefined,
): Promise<boolean> {
  const { site, entity } = trial
  const known = await caseOf(trial, subject, sharer)
  if (known === null || !oracle.sees(known)) return false
  const may = mayShare(known, shared)
  const path = `${entity.key}/${subject.id}/shares`
  const tally = doorOf(trial, `shared as ${shared.role}, it is open to that person, and to nobody else`)
  const guests = site.players.filter(player => player.id !== sharer.id && player.link === undefined)
  const unseen: Player[] = []
  for (const guest of guests) {
    const own = await caseOf(trial, subject, guest)
    if (own !== null && !oracle.sees(own)) unseen.push(guest)
  }
  const [guest, third] = unseen.length > 0 ? unseen : guests
  if (guest === undefined) return false
  const sharing = { role: shared.role, with: guest.id }
  tally.tried++
  if (shared.days !== null) {
    const late = new Date(site.clock.now().getTime() + (shared.days + 2) * 86_400_000).toISOString().slice(0, 10)
    if (isOk(await ask(site, sharer, 'POST', path, { ...sharing, until: late })))
      tally.wrong.push(`it is shared until ${late}`)
  }
  const reply = await ask(site, sharer, 'POST', path, sharing)
  if (reply.codes.includes('NF-NO-RECORD')) return false
  site.judged.add(known.world.told.roles.get(shared.role), ...oracle.decidedBy(known, 'See'))
  if (isOk(reply) !== may)
    tally.wrong.push(
      `${sharer.name}: sharing it is answered with ${reply.status}, the document ${may ? 'allows' : 'refuses'} it`,
    )
  if (!isOk(reply)) return false
  await tryAs(trial, subject, guest, [shared.role], tally.wrong, 'shared with them')
  if (third !== undefined) await tryAs(trial, subject, third, [], tally.wrong, 'shared with somebody else')
  if (other !== undefined) await tryAs(trial, other, guest, [], tally.wrong, 'where another one is shared with them')
  const ended = await ask(site, sharer, 'DELETE', `${path}/${String(reply.body.id)}`)
  if (!isOk(ended)) tally.wrong.push(`${sharer.name}: ending it is answered with ${ended.status}`)
  await tryAs(trial, subject, guest, [], tally.wrong, 'once that has ended')
  tally.through++
  return true
}

/** Whether somebody, with these roles besides, sees the record and may change it. */
async function tryAs(
  trial: Trial,
  subject: Subject,
  player: Player,
  roles: readonly string[],
  wrong: string[],
  how: string,
): Promise<void> {
  const { site, entity } = trial
  const own = await caseOf(trial, subject, player)
  if (own === null) return
  const known = withRoles(own, [...own.world.actor.roles, ...roles])
  const sees = oracle.sees(known)
  if (roles.length > 0) site.judged.add(...oracle.decidedBy(known, 'See', 'Change'))
  const seen = isOk(await ask(site, player, 'GET', `${entity.key}/${subject.id}`))
  if (seen !== sees) wrong.push(`${player.name}, ${how}: the application ${seen ? 'shows' : 'hides'} it`)
  const changed = await ask(site, player, 'PATCH', `${entity.key}/${subject.id}`, {})
  const mayChange = ![403, 404, 409].includes(changed.status)
  if (mayChange !== oracle.changes(known))
    wrong.push(`${player.name}, ${how}: a change is answered with ${changed.status}`)
}
