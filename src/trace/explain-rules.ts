/** What `explain` says of rules: of a field, and of heading 5; what holds each of them. */
import type { Cell } from '../document/source.ts'
import type { Expression } from '../expression/expression.ts'
import { needsDatabase } from '../expression/summary.ts'
import type { Field } from '../headings/3-entities/model.ts'
import type { Rule } from '../headings/5-validation/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, specified } from '../headings/specified.ts'
import { lengthInWords } from '../kinds/fields/duration/calendar.ts'
import { enforcement, oneAfterAnother, warning } from './explain-tiers.ts'
import { place, sayExpression, type Thing } from './words.ts'

/** A rule of heading 5: when it must hold, where it runs, and what is said when it does not. */
export function ruleThing(app: App, rule: Rule): Thing {
  return {
    names: [rule.name],
    title: `rule ${rule.name} of ${app.entities.get(rule.entity)?.name ?? rule.entity}`,
    cell: rule.cell,
    lines: () => [
      `  Must hold ${rule.on === null ? 'whenever the record is written' : `on ${rule.on.join(', ')}`}: ${sayExpression(rule.mustHold)}.`,
      ...(isUnspecified(rule.mustHold)
        ? []
        : rule.warns
          ? warning(rule.mustHold)
          : enforcement(rule.mustHold, rule.on === null)),
      `  When it does not hold: ${rule.warns && !isUnspecified(rule.error) ? 'whoever saves is asked to confirm ' : ''}${specified(rule.error) ?? 'unspecified'}${rule.field === null ? '' : `, beside ${rule.field}`}.`,
    ],
  }
}

/** The rules of a field that refuse or fill something. */
export function ruleLines(field: Field): readonly string[] {
  const lines: string[] = []
  const say: Say = (text, cell) => lines.push(`  ${text} (${place(cell)}).`)
  sayAmongOthers(field, say)
  sayConditions(field, say)
  sayFilled(field, say)
  for (const [code, { cell }] of new Map([...field.refusals.values()].map(one => [one.code, one])))
    say(`Refused with ${code}`, cell)
  return lines
}

type Say = (text: string, cell: Cell) => void

function sayAmongOthers({ unique, noOverlap }: Field, say: Say): void {
  if (unique !== null) {
    const whileHolds = unique.while === null ? '' : ` among records of which \`${unique.while.cell.text}\` holds`
    const without = unique.without === null ? '' : ` without ${unique.without}`
    const within = unique.within.length === 0 ? '' : ` within ${unique.within.join(', ')}`
    say(`Unique${without}${within}${whileHolds}, held by a unique index of the database`, unique.cell)
  }
  if (noOverlap !== null) {
    const { begin, end, within, gap, cell } = noOverlap
    const apart = Object.values(gap).every(part => part === 0)
      ? ''
      : `, with ${lengthInWords(gap, 'en')} from ${end} to the next ${begin}`
    const same = within.length === 0 ? 'two' : `two with the same ${within.join(' and ')}`
    say(`No ${same} overlap from ${begin} to ${end}${apart}, held by an exclusion constraint of the database`, cell)
  }
}

function sayConditions({ required, onlyWhen, readOnlyWhen, min, max }: Field, say: Say): void {
  if (required?.when != null)
    say(`Required when \`${required.when.cell.text}\`, ${heldBy(required.when)}`, required.cell)
  if (onlyWhen !== null) say(`There only when \`${onlyWhen.cell.text}\`, ${heldBy(onlyWhen)}`, onlyWhen.cell)
  if (readOnlyWhen !== null) {
    const holds = needsDatabase(readOnlyWhen.root, readOnlyWhen.schema)
      ? heldBy(readOnlyWhen)
      : 'enforced by form and server, because it is about who writes'
    say(`Locked when \`${readOnlyWhen.cell.text}\`, ${holds}`, readOnlyWhen.cell)
  }
  for (const [name, bound] of [
    ['Smallest', min],
    ['Largest', max],
  ] as const)
    if (bound !== null && needsDatabase(bound.root, bound.schema))
      say(`${name}: \`${bound.cell.text}\`, ${heldBy(bound)}`, bound.cell)
}

function sayFilled({ chooseFrom, assignedFrom, personal, givenOn, frozen, gapless, computed }: Field, say: Say): void {
  if (chooseFrom !== null)
    say(
      'Only some records may be chosen: the server checks in the same transaction and locks what was chosen',
      chooseFrom.cell,
    )
  if (assignedFrom !== null)
    say('The application chooses and locks what it chose; whoever comes second gets the next one', assignedFrom.cell)
  if (personal !== null) say('Personal: erased in time, or when the person asks', personal)
  if (givenOn !== null)
    say('The number is given by a step; until then, the record has its id as its address', givenOn.cell)
  if (frozen !== null) {
    const { steps, until, cell } = frozen
    const what = computed === null ? 'people cannot change it' : 'it is what it was worked out to then'
    const end = until.length === 0 ? '' : `, until ${until.join(' or ')}`
    say(`Frozen: from ${steps.join(' or ')} on ${what}${end}`, cell)
  }
  if (gapless !== null)
    say(
      'No number is missing: they are given one after another, in the transaction that writes, and records cannot be deleted',
      gapless,
    )
}

/** A CHECK sees the fields of its own record only, and a form what stands in it. */
const heldBy = ({ tier, root, schema }: Expression): string =>
  needsDatabase(root, schema)
    ? `held by the server when it is saved, as it searches other records: ${oneAfterAnother}`
    : tier === 0
      ? 'held by form, server and a CHECK of the database'
      : 'held by form and server: it reads more than the record itself, which no CHECK can'
