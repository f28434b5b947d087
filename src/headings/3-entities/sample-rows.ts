/** Rows of sample data that their own fields refuse, as far as their cells alone tell. */

import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import { couldHold, type Facts, limitFact, mustFail, mustHold } from '../../expression/outcomes.ts'
import type { Wire } from '../../expression/type.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { startOf } from '../4-states/ways.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified } from '../specified.ts'
import { entityCodes } from './codes.ts'
import { beyondBounds } from './contradictions.ts'
import type { Field, Sample } from './model.ts'

/** A cell that is filled where the others say that the field is not there (`only when`), or empty where they say that it must not be. */
export function lintSamples(context: Context, app: App, key: string): void {
  const { fields, samples, name } = app.entities.get(key)!
  const { report } = reporter(entityCodes, 3, context.found)
  // Of people, what is required and not said is made up.
  const isMadeUp = key === 'person'
  const conditional = fields.filter(({ onlyWhen, required }) => onlyWhen !== null || (required !== null && !isMadeUp))
  for (const sample of samples) {
    const missed = new Map<Field, Cell[]>()
    for (const row of sample.rows) {
      const facts = factsOf(app, key, sample, row)
      tellRefused(context, app, key, sample, row, facts)
      for (const field of conditional) {
        const { onlyWhen } = field
        const cell = row[sample.columns.findIndex(one => one.field === field.key)]
        const isEmpty = cell === undefined || cell.text === ''
        if (!isEmpty && onlyWhen !== null && !couldHold(onlyWhen.root, facts)) {
          const related = [{ span: onlyWhen.cell, message: 'needed here' }]
          report('N1372', cell, { entity: name, field: field.key, when: onlyWhen.cell.text }, { related })
        } else if (isEmpty && !isMadeUp && isMissed(field, facts))
          missed.set(field, [...(missed.get(field) ?? []), cell ?? row[0] ?? sample.cell])
      }
    }
    for (const [{ key: field, required }, [first, ...others]] of missed) {
      const when = required!.when === null ? '' : ` when ${required!.when.cell.text}`
      const related = [
        { span: required!.cell, message: 'required here' },
        ...others.slice(0, mostNamed).map(span => ({ span, message: 'also here' })),
      ]
      report('N1374', first!, { entity: name, field, when }, { related })
    }
  }
}

/** Rows that lack the same as the one that is told. */
const mostNamed = 8

/** Whether whoever fills in sample data must fill it in: the application gives it nothing, and the other cells of the row ask for it. */
function isMissed(field: Field, facts: Facts): boolean {
  const { required, onlyWhen, setBy, type } = field
  if (required === null || type.kind === 'list' || type.kind === 'file' || !fieldKind(field.kind).entered) return false
  if (field.default !== null || field.copiedFrom !== null || field.assignedFrom !== null || field.computed !== null)
    return false
  // What steps and calls fill is not missing before they did.
  if (setBy !== null && required.when === null && onlyWhen === null) return false
  return [required.when, onlyWhen].every(condition => condition === null || mustHold(condition.root, facts))
}

/** Bounds of fields and rules of heading 5, as far as the cells of the row alone tell. */
function tellRefused(
  context: Context,
  app: App,
  key: string,
  { columns }: Sample,
  row: readonly Cell[],
  facts: Facts,
): void {
  const { fields, name } = app.entities.get(key)!
  const { report } = reporter(entityCodes, 3, context.found)
  const cellOf = (read: string) => row[columns.findIndex(({ field }) => field === read)]
  for (const [read, value] of facts) {
    const field = fields.find(one => one.key === read)
    const beyond = field === undefined ? null : beyondBounds(app, field, value)
    if (beyond === null) continue
    const related = [{ span: beyond.cell, message: 'refuses it' }]
    report('N1375', cellOf(read)!, { entity: name, why: `\`${read}\` is ${value}, and ${beyond.why}` }, { related })
  }
  for (const { name: rule, entity, on, warns, mustHold: must } of app.rules) {
    if (entity !== key || on !== null || warns || isUnspecified(must) || !mustFail(must.root, facts)) continue
    const at = must.reads.flatMap(read => cellOf(read) ?? [])[0] ?? row[0]!
    const related = [{ span: must.cell, message: `${rule} says so` }]
    report('N1375', at, { entity: name, why: `${rule} does not hold` }, { related })
  }
}

/** Constants as a database begins with them, into which sample data comes. What they are from a day on depends on the day. */
const constantsOf = ({ limits }: App) =>
  [...limits.values()].flatMap(({ key, value, later }) =>
    isUnspecified(value) || later.length > 0 ? [] : [[limitFact(key), value.wire] as const],
  )

/** What the cells of a row say of fields with values of their own. What is worked out, or filled in by a default, may be anything. */
function factsOf(app: App, key: string, { columns, reckoned }: Sample, row: readonly Cell[]): Facts {
  const { fields } = app.entities.get(key)!
  const facts = new Map<string, Wire>(constantsOf(app))
  const workflow = app.workflows.get(key)
  if (workflow !== undefined) {
    const state = row[columns.findIndex(({ field }) => field === 'state')]?.text ?? ''
    if (state !== '' || workflow.starts.length === 1) facts.set('state', state === '' ? startOf(workflow) : state)
  }
  columns.forEach(({ field: key }, index) => {
    const [field, cell] = [fields.find(one => one.key === key), row[index]!]
    if (field === undefined || reckoned.has(cell) || !plain.has(field.type.kind)) return
    if (cell.text === '') {
      if (field.default === null && field.copiedFrom === null) facts.set(key, null)
      return
    }
    const parsed = fieldKind(field.kind).parse(cell.text, field.parameters, 'en', 'UTC')
    if ('value' in parsed) facts.set(key, parsed.value)
  })
  return facts
}

const plain: ReadonlySet<Field['type']['kind']> = new Set([
  'text',
  'choice',
  'yes/no',
  'integer',
  'decimal',
  'money',
  'date',
  'time',
  'duration',
  'choices',
])
