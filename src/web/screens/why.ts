/** What `run/access/why.ts` found out about one record, in sentences: for the page, and for `ninefold explain`. */

import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import { linesOf, rolesOfLines } from '../../headings/6-permissions/lines.ts'
import type { Grant } from '../../headings/6-permissions/model.ts'
import { bansOf, closes, neversOf } from '../../headings/6-permissions/never.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified, type Specified } from '../../headings/specified.ts'
import { wordFor } from '../../headings/translate.ts'
import type { Verdict } from '../../kinds/screens/read-data.ts'
import { conditionsOf, type FieldWhy, type ReadValue, type Why, type WhyOfVerb } from '../../run/access/why.ts'
import { stateIn } from '../../run/names.ts'
import type { WhyLine, WhyView } from '../../ui/why.tsx'
import { say } from '../sentences.ts'
import { branchesOf, capital, fieldInfo, type Site, stateView } from '../site.ts'
import { thingOf, whatFollows, whyClosed } from './common.ts'
import { conditionText, namedAs, wordsOf } from './conditions.ts'
import { valueView } from './values.ts'

interface WhyPage {
  /** "What may you do with Loan LN-1?" */
  readonly title: string
  readonly thing: string
  /** Who it is about, and their roles. */
  readonly who: string
  readonly groups: readonly { readonly title: string; readonly items: readonly WhyView[] }[]
}

/** `other`: the name of whom it is about, where that is not the one who reads. */
export function whyView(site: Site, why: Why, other: string | null): WhyPage {
  const { app } = site
  const { entity, row, actor } = why
  const thing = thingOf(site, entity, row)
  const roles =
    actor.roles.length === 0
      ? say(site, 'rolesNone')
      : site.reader.format.allOf(actor.roles.map(role => wordFor(app, role)))
  return {
    title: other === null ? say(site, 'whyTitle', { thing }) : say(site, 'whyTitleOf', { thing, person: other }),
    thing,
    who: other === null ? say(site, 'whyRoles', { roles }) : say(site, 'whyRolesOf', { roles, person: other }),
    groups: [
      { title: say(site, 'verb.do'), items: stepItems(site, why, other) },
      { title: thing, items: why.verbs.map(one => verbItem(site, why, one, other)) },
      { title: say(site, 'whyFields'), items: why.fields.flatMap(one => fieldItem(site, why, one, other)) },
    ],
  }
}

function stepItems(site: Site, why: Why, other: string | null): readonly WhyView[] {
  const state = stateOf(site, why)
  const sees = seen(why)
  return why.steps.map(step => ({
    id: `step-${step.step}`,
    label: capital(step.name),
    open: step.open,
    why: !sees
      ? notSeen(site, other)
      : step.open
        ? whatFollows(site, why.entity, step)
        : closedTo(site, why.entity, step, state, other),
    decidedBy:
      step.reason === 'never'
        ? neverLines(site, why, stepBars(site.app, why, step.step), other)
        : linesOfStep(site, why, step, other),
  }))
}

const stepBars = (app: App, why: Why, step: string): readonly Specified<Grant>[] =>
  neversAbout(why, app).flatMap(never => [never.do, ...bansOf(never, step).map(({ when }) => when)])

const stateOf = ({ app }: Site, { entity, row }: Why): string | null => stateIn(app, entity, row.values)

const seen = ({ verbs }: Why): boolean => verbs.some(({ verb, verdict }) => verb === 'see' && verdict.open)

const notSeen = (site: Site, other: string | null): string => say(site, 'whyNotSeen', { person: other ?? '' })

/** `whyClosed` speaks to whoever it is about. */
const closedTo = (site: Site, entity: string, verdict: Verdict, state: string | null, other: string | null): string =>
  other !== null && verdict.reason === 'decided'
    ? say(site, 'whyDecided', { person: other })
    : whyClosed(site, entity, verdict, state, other)

function verbItem(site: Site, why: Why, { verb, verdict, rows }: WhyOfVerb, other: string | null): WhyView {
  const { app } = site
  const { entity } = why
  const isUnseen = verb !== 'see' && !seen(why)
  const isPlain = verdict.reason === 'row' || verdict.reason === 'who'
  const closed = isPlain ? say(site, 'whyNoRole') : closedTo(site, entity, verdict, stateOf(site, why), other)
  return {
    id: `verb-${verb}`,
    label: say(site, `verb.${verb}`),
    open: verdict.open,
    why: verdict.open ? say(site, 'whyAllowed') : isUnseen ? notSeen(site, other) : closed,
    decidedBy:
      rows.length === 0 || isUnseen || verb === 'comment' || verb === 'history' || verdict.reason === 'locked'
        ? [lineOf(site, why, verdict.because, null, other)]
        : rows
            .map(row => {
              const grant = row[verb]
              const role = wordFor(app, row.role)
              if (isUnspecified(grant))
                return lineOf(site, why, grant.cell, `${role}: ${site.reader.words('unspecified')}`, other)
              if (grant.kind === 'when') return lineOf(site, why, grant.cell, say(site, 'whyRoleWhen', { role }), other)
              return lineOf(site, why, grant.cell, `${role}: ${say(site, `grant.${grant.kind}`)}`, other)
            })
            .concat(
              neverLines(
                site,
                why,
                neversAbout(why, app).map(never => never[verb]),
                other,
              ),
            ),
  }
}

/** The row, or the rows of several roles, that decide about a step. */
const linesOfStep = (site: Site, why: Why, { because, also = [] }: Verdict, other: string | null) =>
  [because, ...also].map(cell => lineOf(site, why, cell, null, other))

const neversAbout = ({ entity, actor }: Why, app: App) => neversOf(app.access.get(entity)!, actor.roles)

/** What the rows `never` say of it. */
const neverLines = (
  site: Site,
  why: Why,
  closed: readonly Specified<Grant>[],
  other: string | null,
): readonly WhyLine[] =>
  closed.filter(closes).map(grant => {
    const text = isUnspecified(grant)
      ? `${say(site, 'grant.never')}: ${site.reader.words('unspecified')}`
      : say(site, grant.kind === 'when' ? 'whyNeverWhen' : 'neverAtAll')
    return lineOf(site, why, grant.cell, text, other)
  })

function fieldItem(site: Site, why: Why, { key, sees, set }: FieldWhy, other: string | null): readonly WhyView[] {
  const { app } = site
  const info = fieldInfo(app, why.entity, key)
  if (info?.field == null) return []
  const lines = linesOf(app.access.get(why.entity), key).map(({ see }) => see.cell)
  const view = (sentence: string, cells: readonly Cell[]): readonly WhyView[] => [
    {
      id: `field-${key}`,
      label: info.label,
      open: set.open && sees,
      why: sentence,
      decidedBy: cells.map(cell => lineOf(site, why, cell, null, other)),
    },
  ]
  if (!sees)
    return view(
      seen(why) ? say(site, 'whyFieldNotSeen', { person: other ?? '' }) : notSeen(site, other),
      lines.length > 0 ? lines : [set.because],
    )
  return view(fieldSentence(site, why, info.field, set, other), [set.because, ...set.also])
}

function fieldSentence(site: Site, why: Why, field: Field, set: FieldWhy['set'], other: string | null): string {
  const { app } = site
  switch (set.reason) {
    case 'allowed':
      return say(site, 'whySettable')
    case 'record': {
      const change = why.verbs.find(({ verb }) => verb === 'change')!.verdict
      if (!seen(why)) return notSeen(site, other)
      return change.reason === 'locked'
        ? closedTo(site, why.entity, change, stateOf(site, why), other)
        : say(site, 'whyRecordClosed', { change: say(site, 'verb.change') })
    }
    case 'locked':
      return say(site, 'onlyUnlocked', { state: wordFor(app, stateOf(site, why) ?? '') })
    case 'when': {
      const lines = linesOf(app.access.get(why.entity), field.key)
      const texts = [set.because, ...set.also].map(cell => conditionText(site, why.entity, cell, other))
      const condition = site.reader.format.anyOf(texts)
      if (lines.some(({ when }) => when?.cell === set.because)) return say(site, 'whyFieldWhen', { condition })
      return say(site, set.because === field.onlyWhen?.cell ? 'whyOnlyWhen' : 'whyLockedWhen', { condition })
    }
    case 'roles':
    case 'as that role': {
      const lines = linesOf(app.access.get(why.entity), field.key)
      const named = rolesOfLines(lines, 'change') ?? rolesOfLines(lines, 'see') ?? []
      if (named.length === 0) return say(site, 'whyNobodySets')
      const roles = site.reader.format.anyOf(named.map(role => wordFor(app, role)))
      if (set.reason === 'as that role')
        return other === null
          ? say(site, 'whyAsThatRole', { roles })
          : say(site, 'whyAsThatRoleOf', { roles, person: other })
      const who = say(site, 'forRoles', { roles })
      return other === null ? say(site, 'onlyWho', { who }) : say(site, 'onlyWhoOther', { who, person: other })
    }
    case 'nature':
      return natureOf(site, why.entity, field)
  }
}

/** Why nobody sets it in a form. */
function natureOf(site: Site, entity: string, field: Field): string {
  if (field.computed !== null || field.renewed) return say(site, 'whyComputed')
  if (field.setBy !== null) {
    const steps = (site.app.workflows.get(entity)?.transitions ?? []).filter(({ asks }) =>
      asks.some(asked => asked.field === field.key),
    )
    const names = [...new Set(steps.map(({ key }) => branchesOf(site.app, entity, key)[0]!.name))]
    if (names.length > 0) return say(site, 'whyAskedBy', { steps: site.reader.format.anyOf(names) })
    return say(site, field.setBy.who === 'steps' ? 'whyBySteps' : 'whyByCalls')
  }
  if (field.copiedFrom !== null) return say(site, 'whyCopied')
  if (field.readOnly !== null) return say(site, field.readOnly.after === 'create' ? 'whyOnceOnly' : 'whyReadOnly')
  return say(site, 'whyGiven')
}

/** A line with the condition that stands on it, and what that reads. */
function lineOf(site: Site, why: Why, cell: Cell, text: string | null, other: string | null): WhyLine {
  const condition = conditionsOf(site.app, why.entity).find(one => one.cell === cell)
  if (condition === undefined) return { line: site.mark(cell), text, condition: null, values: [] }
  return {
    line: site.mark(cell),
    text: text ?? say(site, 'whyWhen'),
    condition: { words: wordsOf(site, why.entity, condition, other), written: cell.text },
    values: valuesOf(site, why, condition, other),
  }
}

const valuesOf = (site: Site, why: Why, condition: Expression, other: string | null): WhyLine['values'] =>
  why.reads(condition).map(read => ({
    name: { words: namedAs(site, why.entity, read.node, other) ?? read.name, written: read.name },
    value: read.kind === 'value' ? shownOf(site, why, read) : null,
  }))

function shownOf(site: Site, why: Why, read: Extract<ReadValue, { kind: 'value' }>): string {
  const { name, entity, type, wire, label } = read
  if (wire === null || wire === '') return site.reader.words('empty')
  if (name.endsWith('state') && type.kind === 'choice' && entity !== null && typeof wire === 'string')
    return stateView(site, entity, wire).label
  const info = { key: name, label: name, type, field: null, cell: null }
  return valueView(site, entity ?? why.entity, info, wire, { label: label ?? undefined, href: null }).text
}
