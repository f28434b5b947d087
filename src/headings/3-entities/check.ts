/** Checks of heading 3 on the finished model. */

import { reporter } from '../../document/diagnostic.ts'
import { meaningCodes } from '../../expression/codes.ts'
import { circles } from '../../expression/computed.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { actsOf, createdWith } from '../4-states/all-acts.ts'
import type { Act } from '../4-states/model.ts'
import { couldSpare, grants } from '../6-permissions/held.ts'
import { linesOf, rolesOfLines } from '../6-permissions/lines.ts'
import { neverFor } from '../6-permissions/never.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { removePiece } from '../names.ts'
import { isUnspecified } from '../specified.ts'
import { checkAppendOnly } from './append-only.ts'
import { entityCodes } from './codes.ts'
import { checkContradictions } from './contradictions.ts'
import { copyCircles } from './copies.ts'
import type { Entity, Field } from './model.ts'
import { lintSamples } from './sample-rows.ts'

const section = 3

/** Computed and copied fields that need themselves, and required fields that heading 6 lets nobody fill. */
export function checkEntities(context: Context, app: App): void {
  const { report } = reporter(entityCodes, section, context.found)
  for (const [entity, key] of circles(context.schema)) {
    const field = app.entities.get(entity)?.fields.find(field => field.key === key)
    if (field !== undefined) reporter(meaningCodes, section, context.found).report('N0225', field.cell, { name: key })
  }
  for (const { field, way } of copyCircles(app))
    report('N1365', field.copiedFrom!.cell, { field: field.key, way: way.map(key => `\`${key}\``).join(' from ') })
  checkAppendOnly(context, app)
  checkContradictions(context, app)
  const acts = actsOf(app)
  for (const entity of app.entities.values()) {
    const { key, name, partOf, fields, archives } = entity
    const restore = archives && app.workflows.get(key)?.transitions.find(transition => transition.key === 'restore')
    if (restore) report('N1360', restore.cell, { entity: name })
    const given = givenByActs(app, acts, key)
    for (const field of fields) {
      if (partOf !== null && fieldKind(field.kind).sealed)
        report('N1357', field.typeCell, { field: field.key, entity: name })
      if (isAlwaysNeeded(field, entity)) checkFilled(context, app, entity, field, given.has(field.key))
    }
  }
}

/** The fields that acts and received messages give to the records that they create. */
const givenByActs = (app: App, acts: readonly Act[], key: string): ReadonlySet<string> =>
  new Set(
    [
      ...acts.flatMap(act =>
        act.kind === 'create' ? createdWith(act).flatMap(({ entity, values }) => (entity === key ? values : [])) : [],
      ),
      ...[...app.receives.values()].flatMap(({ entity, does, takes }) =>
        entity === key && typeof does === 'string' && does.includes('create') ? takes : [],
      ),
    ].map(({ field }) => field),
  )

/** Whether somebody has to fill a field whenever a record is created. The tenant of a record is that of whoever makes it. */
const isAlwaysNeeded = (field: Field, { shape }: Entity): boolean =>
  field.required !== null &&
  field.required.when === null &&
  !/\bwhen\b/.test(field.required.cell.text) &&
  field.default === null &&
  field.copiedFrom === null &&
  field.computed === null &&
  field.assignedFrom === null &&
  field.onlyWhen === null &&
  (field.hidden === null || field.key !== shape.tenant?.field)

/** Where only effects and received messages create records, what they give is there. */
function checkFilled(context: Context, app: App, { key }: Entity, field: Field, isGiven: boolean): void {
  const { report } = reporter(entityCodes, section, context.found)
  const access = app.access.get(key)!
  const { cell } = field.required!
  const why = whyNeverFilled(field)
  const byPeople =
    couldSpare(neverFor(access, []), 'create', new Map()) && access.rows.some(({ create }) => grants(create))
  if (why !== null && !(isGiven && !byPeople)) {
    report('N1312', cell, { field: field.key, why }, { fixes: [removePiece(cell, 'take out `required`')] })
    return
  }
  const lines = linesOf(access, field.key)
  const change = lines[0]?.change ?? null
  if (change === null || lines.some(line => isUnspecified(line.change ?? line.see)) || isGiven) return
  if (rolesOfLines(lines, 'change')!.length > 0) return
  const related = [{ span: change.cell, message: 'heading 6 says so' }]
  report('N1312', cell, { field: field.key, why: 'heading 6 lets nobody change it' }, { related })
}

/** Why nobody could fill a field when its record is created; null where somebody can. */
function whyNeverFilled({ setBy, readOnly, hidden }: Field): string | null {
  if (setBy?.who === 'steps') return 'only steps write it'
  if (setBy?.who === 'calls') return 'only answers of calls and received messages write it'
  if (readOnly?.after === 'always') return 'it is read-only'
  return hidden === null ? null : 'it is in no form'
}

/** What can be served but hardly is what was meant. */
export function lintEntities(context: Context, app: App): void {
  const { entities, access } = app
  const { report } = reporter(entityCodes, section, context.found)
  for (const { key, name, partOf, cell, archives } of entities.values()) {
    const { basis, rows } = access.get(key)!
    // What is left open may still be said.
    const isClosed = basis !== 'assumed' && rows.every(row => !isUnspecified(row.delete) && row.delete.kind === 'no')
    const isDone = actsOf(app).some(act => act.kind === 'delete' && act.of.entity === key)
    if (archives !== null && isClosed && !isDone) report('N1359', archives, { entity: name })
    lintSamples(context, app, key)
    const parent = partOf === null ? undefined : entities.get(partOf)
    if (parent === undefined || parent.fields.some(({ type }) => type.kind === 'list' && type.entity === key)) continue
    report('N1315', cell, { parent: parent.name, entity: name })
  }
}
