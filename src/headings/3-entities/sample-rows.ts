/** Rows of sample data that their own fields refuse, as far as their cells alone tell. */
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import { couldHold, type Facts } from '../../expression/outcomes.ts'
import type { Wire } from '../../expression/type.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { entityCodes } from './codes.ts'
import type { Field, Sample } from './model.ts'

/** `only when`: a cell that is filled where the others say that the field is not there. */
export function lintSamples(context: Context, app: App, key: string): void {
  const { fields, samples, name } = app.entities.get(key)!
  const conditional = fields.filter(({ onlyWhen }) => onlyWhen !== null)
  if (conditional.length === 0) return
  const { report } = reporter(entityCodes, 3, context.found)
  for (const sample of samples)
    for (const row of sample.rows) {
      const facts = factsOf(fields, sample, row)
      for (const { key: field, onlyWhen } of conditional) {
        const cell = row[sample.columns.findIndex(one => one.field === field)]
        if (cell === undefined || cell.text === '' || couldHold(onlyWhen!.root, facts)) continue
        const related = [{ span: onlyWhen!.cell, message: 'needed here' }]
        report('N1372', cell, { entity: name, field, when: onlyWhen!.cell.text }, { related })
      }
    }
}

/** What the cells of a row say of fields with values of their own. What is worked out, or filled in by a default, may be anything. */
function factsOf(fields: readonly Field[], { columns, reckoned }: Sample, row: readonly Cell[]): Facts {
  const facts = new Map<string, Wire>()
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
])
