/** Sample data in the middle of its life was frozen by the steps that lead there. */
import type { Cell } from '../../document/source.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { Act, Given } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { declared } from '../names.ts'
import type { Draft } from './draft-record.ts'
import { isBehind } from './numbers.ts'
import type { Scope } from './scope.ts'
import { type Named, workedOutAsHeld } from './worked-out.ts'

/** Freezes a record, and its rows, that begins its life behind a step. */
export async function freezeSampled(scope: Scope, entity: string, record: Draft): Promise<void> {
  const { app } = scope
  const about = { entity, record, old: null, this: null }
  for (const { cell, steps } of frozenBy(app, entity)) {
    if (!isBehind(app, entity, steps, record.state)) continue
    const step = app.workflows.get(entity)!.transitions.find(({ key }) => steps.includes(key))!
    for (const act of step.then) {
      if (act.kind === 'set') await put(scope, about, record, valuesOf(act, cell))
      if (act.kind !== 'for each' || act.of.kind !== 'path') continue
      const values = act.acts.flatMap(inner => valuesOf(inner, cell))
      const rows = values.length === 0 ? [] : (record[act.of.path.reads[0]!] as readonly RecordValue[])
      for (const row of rows as readonly Draft[])
        await put(scope, { entity: act.of.entity, record: row, old: null, this: about }, row, values)
    }
  }
}

const frozenBy = ({ entities }: App, entity: string) =>
  [...entities.values()].flatMap(({ frozen, fields }) =>
    [frozen, ...fields.map(field => field.frozen)].filter(one => one?.of === entity).map(one => one!),
  )

const valuesOf = (act: Act, cell: Cell): readonly Given[] =>
  act.kind === 'set' ? act.values.filter(value => value.cell === cell) : []

async function put(
  { tx, app, request, related }: Scope,
  named: Named,
  record: Draft,
  values: readonly Given[],
): Promise<void> {
  related.put(named.entity, record)
  for (const { field, value } of values)
    record[field] = await workedOutAsHeld(declared(app, named.entity, field), tx, app, request, related, value, named)
}
