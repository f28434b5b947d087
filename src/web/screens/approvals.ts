/** What a record waits for, in sentences: who has agreed, who is still needed, by which line. And the reason that people may give. */
import type { Choosing } from '../../headings/3-entities/model.ts'
import type { Deciders } from '../../headings/4-states/model.ts'
import { wordFor } from '../../headings/translate.ts'
import type { PendingApproval } from '../../kinds/screens/read-data.ts'
import type { ApprovalView } from '../../kinds/screens/record-view.ts'
import type { FieldView } from '../../kinds/screens/view-model.ts'
import { reasonLimit } from '../../run/approvals/decide.ts'
import { say } from '../sentences.ts'
import { capital, type Site } from '../site.ts'
import { type Building, personIn } from './common.ts'
import { wordsOf } from './conditions.ts'
import { thingsOf } from './things.ts'

export function approvalView({ site, context }: Building, entity: string, approval: PendingApproval): ApprovalView {
  const named = (person: string) => person || say(site, 'somebody')
  const { key, name, stepName, because, needs, from, missing, due, decisions, waiting, others } = approval
  const people = peopleOf(site, entity, from)
  return {
    key,
    label: say(site, 'approvalOf', { name: capital(name), step: stepName }),
    needs:
      needs === null
        ? say(site, 'leftOpen')
        : needs === 'all'
          ? say(site, 'approvalAll', { people })
          : needs === 'majority'
            ? say(site, 'approvalMajority', { people })
            : say(site, 'approvalNeeds', { count: needs, people }),
    decisions: decisions.map(({ who, represents, at, reason }) => ({
      text:
        represents === null
          ? say(site, 'agreed', { who: named(who) })
          : say(site, 'agreedFor', { who: named(who), represents: named(represents) }),
      at,
      when: site.reader.format.relative(at, context.request.now),
      reason,
    })),
    given: missing === 0,
    missing:
      missing === 0
        ? say(site, 'approvalGiven')
        : !due
          ? say(site, 'approvalLater')
          : waiting.length > 0
            ? say(site, 'approvalWaits', {
                people: site.reader.format.anyOf(others ? [...waiting, say(site, 'approvalOthers')] : waiting),
              })
            : say(site, 'approvalMissing', { count: missing ?? 1 }),
    mark: site.mark(because),
  }
}

/** Who is still needed, while it is its turn: the people that fields name, and roles, as any of their holders will do. */
export const awaitedIn = (site: Site, { from, missing, due, waiting }: PendingApproval): readonly string[] =>
  due && missing !== 0 ? [...waiting, ...(from?.roles ?? []).map(role => wordFor(site.app, role))] : []

const peopleOf = (site: Site, entity: string, from: Deciders | null): string =>
  site.reader.format.anyOf(
    from === null
      ? []
      : [
          ...from.roles.map(role => wordFor(site.app, role)),
          ...from.people.map(person => personIn(site, entity, person)),
          ...from.chosen.map(chosen => chosenOf(site, chosen)),
        ],
  )

/** Every decision may say why. */
export const reasonField = (site: Site, value: string): FieldView => ({
  key: '_reason',
  name: '_reason',
  id: '_reason',
  label: say(site, 'reason'),
  hint: say(site, 'reasonHint'),
  required: false,
  value,
  errors: [],
  control: { kind: 'textarea', rows: 4, maxLength: reasonLimit },
  mark: null,
})

/** "Head (where Department is Department of this record)". */
function chosenOf(site: Site, { role, where }: Choosing): string {
  const things = role === null ? thingsOf(site, 'person') : wordFor(site.app, role)
  return where === null ? things : say(site, 'when.where', { things, condition: wordsOf(site, 'person', where, null) })
}
