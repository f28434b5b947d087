/** What `ninefold explain` tells of a rule or a guard: where it runs. */
import type { Expression } from '../expression/expression.ts'
import { functionsIn } from '../expression/summary.ts'
import { isUnspecified, type Specified } from '../headings/specified.ts'
import { readsRecords } from '../run/write/together.ts'

export const oneAfterAnother =
  'a serialisable transaction: writers at the same moment are as if one came after the other, and who is late begins again'

/** Where a rule runs, and why: the honest version of "browser, server and database". */
export function enforcement(expression: Expression, always: boolean): string[] {
  const reads = expression.reads.length === 0 ? 'nothing' : expression.reads.join(', ')
  const tiers = [
    ['yes', always ? 'yes, as a CHECK constraint' : 'no: it is about one step, not about every stored record'],
    ['yes', 'no: a CHECK must not depend on constants, people or the day'],
    ['where the records it reads are loaded', 'inside the writing transaction, with the records it reads locked'],
    ['no', 'no: a function in TypeScript is not pushed down'],
  ] as const
  const [browser, database] = readsRecords(expression.root)
    ? (['no: it looks at records that are not in the form', oneAfterAnother] as const)
    : tiers[expression.tier]
  return [
    `  It reads ${reads}: tier ${expression.tier}.`,
    `  Browser: ${browser}. Server: yes, in the writing transaction. Database: ${database}.`,
  ]
}

/** Of a condition that looks at all records of an entity: writers of those are held, too. */
export const whole = (when: Specified<Expression> | null): string[] =>
  when === null || isUnspecified(when) || !readsRecords(when.root)
    ? []
    : [`  It looks at other records, so that it is asked in ${oneAfterAnother}.`]

/** A warning asks; what may be confirmed holds no stored record. */
export const warning = ({ reads, tier }: Expression): string[] => [
  `  It reads ${reads.length === 0 ? 'nothing' : reads.join(', ')}: tier ${tier}.`,
  '  A warning. Browser: shown beside the form. Server: asks people to confirm, and keeps who did in the history; the application itself is not stopped. Database: no, what is confirmed is stored.',
]

/** What a condition asks of TypeScript, which the database cannot. */
export function askedCode(when: Specified<Expression> | null): string[] {
  const asked = when === null || isUnspecified(when) ? [] : functionsIn(when.root)
  return asked.length === 0
    ? []
    : [
        `  ${asked.join(', ')}: asked beforehand about the locked record, and on its page; lists offer the step without asking. If it fails, the step stays closed.`,
      ]
}
