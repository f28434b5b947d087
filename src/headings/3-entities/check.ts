/** Checks of heading 3 on the finished model. */

import { reporter } from '../../document/diagnostic.ts'
import { meaningCodes } from '../../expression/codes.ts'
import { circles } from '../../expression/computed.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified } from '../said.ts'
import { entityCodes } from './codes.ts'

const section = 3

/** Computed fields that need themselves, and required fields that heading 6 lets nobody fill. */
export function checkEntities(context: Context, app: App): void {
  const { report } = reporter(entityCodes, section, context.found)
  for (const [entity, key] of circles(context.schema)) {
    const field = app.entities.get(entity)?.fields.find(field => field.key === key)
    if (field !== undefined) reporter(meaningCodes, section, context.found).report('N0225', field.cell, { name: key })
  }
  for (const { key, fields } of app.entities.values()) {
    const access = app.access.get(key)!
    for (const field of fields) {
      const must =
        field.required !== null && field.required.when === null && field.default === null && field.copiedFrom === null
      const change = access.fields.find(permission => permission.field === field.key)?.change ?? null
      if (!must || change === null || isUnspecified(change) || change.roles.length > 0) continue
      const related = [{ span: change.cell, message: 'heading 6 says so' }]
      report('N1312', field.required!.cell, { field: field.key, why: 'heading 6 lets nobody change it' }, { related })
    }
  }
}

/** What can be served but hardly is what was meant. */
export function lintEntities(context: Context, { entities }: App): void {
  const { report } = reporter(entityCodes, section, context.found)
  for (const { key, name, partOf, cell } of entities.values()) {
    const parent = partOf === null ? undefined : entities.get(partOf)
    if (parent === undefined || parent.fields.some(({ type }) => type.kind === 'list' && type.entity === key)) continue
    report('N1315', cell, { parent: parent.name, entity: name })
  }
}
