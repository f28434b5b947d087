/**
 * Deputies: somebody who is asked to decide names another person on their account page, who decides for them from then on, and no longer
 * once that is taken back.
 */
import { attempt, bring } from './attempts.ts'
import type { Player } from './client.ts'
import { posted, tokenOf } from './many.ts'
import * as oracle from './oracle/rights.ts'
import { dayOf, wireDay } from './oracle/values.ts'
import { openPage } from './page.ts'
import { type Case, caseOf, doorOf, type Subject, type Trial, whereOf } from './trial.ts'
import { triesOf } from './tries.ts'
import { visitor } from './world.ts'

const path = '/-/account/deputies'

/** Each step that waits for several people, in the first state in which one of them decides and somebody else does not. */
export async function tryDeputies(trial: Trial, subject: Subject): Promise<void> {
  const { site, entity } = trial
  const { approvals } = oracle.toldOf({ world: await site.observatory.world(visitor), entity: entity.key })
  for (const step of approvals.keys())
    for (const { name: state } of site.app.workflows.get(entity.key)?.states ?? []) {
      const isFrom = site.app.workflows
        .get(entity.key)!
        .transitions.some(({ key, from }) => key === step && Array.isArray(from) && from.includes(state))
      if (isFrom && (await bring(trial, subject, state)) && (await tryStandIn(trial, subject, state, step))) break
    }
}

const nextDay = (day: string): string => wireDay(dayOf(day) + 1)

/** As if somebody else had named them. */
const standingInFor = (known: Case, { id }: Player, { world }: Case): Case => ({
  ...known,
  world: { ...known.world, represented: [{ id, roles: world.actor.roles }] },
})

/** False: nobody can stand in for anybody here. */
async function tryStandIn(trial: Trial, subject: Subject, state: string, step: string): Promise<boolean> {
  const { site } = trial
  for (const asked of site.players)
    for (const deputy of site.players) {
      const [own, other] = [await caseOf(trial, subject, asked), await caseOf(trial, subject, deputy)]
      if (own === null || other === null || asked === deputy || oracle.takes(own, step) !== true) continue
      if (oracle.takes(other, step) !== false || oracle.takes(standingInFor(other, asked, own), step) !== true) continue
      const { today } = own.world
      const _csrf = await tokenOf(site, asked)
      const name = async (from: string) => {
        const until = nextDay(from)
        await posted(site, asked, path, new URLSearchParams({ _csrf, deputy: deputy.id, from, until }))
        site.observatory.forget()
      }
      await name(nextDay(nextDay(today)))
      await tryAs(trial, subject, state, step, deputy, false, `for ${asked.name} in some days`)
      await name(today)
      await tryAs(trial, subject, state, step, deputy, true, `for ${asked.name}`)
      const account = await openPage(site, asked, '/-/account')
      const html = account.kind === 'shown' ? account.html : ''
      for (const [, end] of html.matchAll(/value="([^"]+)" name="end"/g))
        await posted(site, asked, path, new URLSearchParams({ _csrf, end: end! }))
      site.observatory.forget()
      subject.id = (await subject.again?.()) ?? subject.id
      if (await bring(trial, subject, state))
        await tryAs(trial, subject, state, step, deputy, false, `for ${asked.name} no more`)
      return true
    }
  return false
}

/** The step as this person, whatever else they are. */
async function tryAs(
  trial: Trial,
  subject: Subject,
  state: string,
  step: string,
  player: Player,
  expected: boolean,
  how: string,
): Promise<void> {
  const known = await caseOf(trial, subject, player)
  const one =
    known === null ? undefined : triesOf(trial, known, subject, state, player).find(({ does }) => does === step)
  const tally = doorOf(trial, 'a deputy decides for whoever named them, and no longer')
  if (known === null || one === undefined) return
  await attempt(
    trial,
    subject,
    state,
    { ...one, tally, expected, what: `${whereOf(player, subject, state)}: ${step} ${how}` },
    known,
  )
  const rows = oracle.toldOf(known).approvals.get(step) ?? []
  trial.site.judged.add(...rows.flatMap(row => row('Deputy') ?? []))
}
