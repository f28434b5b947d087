/** What `ninefold explain` tells of an approval: who decides, when it is needed, and how decisions count. */
import type { Entity } from '../headings/3-entities/model.ts'
import type { Approval, Workflow } from '../headings/4-states/model.ts'
import { isUnspecified } from '../headings/specified.ts'
import type { Thing } from './words.ts'

/** "2 of Accountant, when `net > limits.finance_above`". */
export function sayApproval({ needs, from, when }: Approval): string {
  const people = isUnspecified(from) ? 'people that are unspecified, so nobody' : from.cell.text
  const number = isUnspecified(needs) ? 'an unspecified number' : String(needs)
  const condition =
    when === null
      ? 'always'
      : `when ${isUnspecified(when) ? 'an unspecified condition holds' : `\`${when.cell.text.replaceAll('`', '')}\``}`
  return `${number} of ${people}, ${condition}`
}

/** Who decides, when, who never counts, and what a decision is worth. */
export function approvalThing(entity: Entity, workflow: Workflow, approval: Approval): Thing {
  const { name, key, cell } = approval
  return {
    names: [name, `${entity.name}.${name}`, `${entity.key}.${key}`],
    title: `approval ${name} of ${entity.name}`,
    cell,
    lines: () => approvalLines(workflow, approval),
  }
}

function approvalLines({ transitions, approvals }: Workflow, approval: Approval): readonly string[] {
  const { step, after, except, deputy, when, survives } = approval
  const earlier = approvals.filter(({ key }) => after.includes(key)).map(one => one.name)
  const name = transitions.find(({ key }) => key === step)?.name ?? step
  const deputies =
    deputy === null
      ? []
      : [
          ...(deputy.named ? ['whom they name on their account page'] : []),
          ...deputy.people.map(({ cell }) => cell.text),
        ]
  return [
    `  Guards the step ${name}: ${sayApproval(approval)}.${when === null ? '' : ' Unknown counts as needed.'}`,
    ...(earlier.length === 0 ? [] : [`  Nobody is asked before it is given, or not needed: ${earlier.join(', ')}.`]),
    ...(except.length === 0 ? [] : [`  Never counts: ${except.map(({ cell }) => cell.text).join(', ')}.`]),
    ...(deputies.length === 0
      ? []
      : [`  May decide for them, and see the record as long as it waits for that: ${deputies.join(', ')}.`]),
    '  Whoever decides needs See and Do under heading 6 as for the step itself, and counts once, for the first row that still needs somebody.',
    '  Whatever would refuse the step, such as a rule, refuses each decision about it.',
    `  A decision is about one version of the record: once the record or its state changes, it no longer counts${survives === null ? '' : `, except by what it survives: ${survives.cell.text}`}.`,
    '  The last decision and the step are one transaction. The application itself (effects, timers, calls) waits for nobody.',
  ]
}
