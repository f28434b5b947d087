/** Texts of refusals with values that nobody sees who could be refused: in their place stands nothing. */
import { reporter } from '../../document/diagnostic.ts'
import type { Path, Step } from '../../expression/checked.ts'
import { pathsOf } from '../../expression/computed.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Field } from '../3-entities/model.ts'
import { mayEver, mayEverSeeField } from '../6-permissions/held.ts'
import { closedAt } from '../6-permissions/shows.ts'
import type { App } from '../app.ts'
import { seesOf } from '../cascades/facts.ts'
import type { Context } from '../context.ts'
import { specified } from '../specified.ts'
import { errorCodes } from './codes.ts'
import type { ErrorTexts } from './model.ts'

/** N1807, once for each code and field. */
export function lintUntold(context: Context, app: App, held: ReadonlySet<string>): void {
  const { report } = reporter(errorCodes, 8, context.found)
  for (const { code, templates } of app.errors.values()) {
    const told = new Set<string>()
    for (const [entity, texts] of templates) {
      const readers = [...held].filter(role => writes(app, entity, role))
      for (const [expression, path] of pathsIn(texts))
        for (const step of path.steps) {
          const field = app.entities.get(step.entity)?.fields.find(({ key }) => key === step.field)
          const name = `${step.entity}.${step.field}`
          if (field === undefined || told.has(name)) continue
          // What somebody enters they know.
          const isEntered =
            path.base === 'own' && path.steps.length === 1 && step.entity === entity && isByPeople(field)
          if (isEntered || readers.length === 0 || readers.some(role => sees(app, role, step))) continue
          told.add(name)
          const related = [{ span: field.hidden ?? closedAt(app, step), message: 'closed here' }]
          const parameters = { code, field: step.field, entity: app.entities.get(step.entity)!.name }
          report('N1807', expression.cell, parameters, { related, causes: seesOf(held, step.entity) })
        }
    }
  }
}

const pathsIn = ({ message, whatToDo }: ErrorTexts): readonly (readonly [Expression, Path])[] =>
  [message, whatToDo].flatMap(text =>
    (text?.parts ?? []).flatMap(part =>
      part.kind === 'text' ? [] : pathsOf(part.expression.root).map(path => [part.expression, path] as const),
    ),
  )

/** Whether people of a role write records of an entity, or take steps with them: what is refused is refused to them. */
function writes(app: App, entity: string, role: string): boolean {
  if ((['create', 'change', 'delete'] as const).some(verb => mayEver(app, entity, role, verb))) return true
  return app.access.get(entity)!.rows.some(row => row.role === role && specified(row.do) !== null)
}

const sees = (app: App, role: string, { entity, field }: Step): boolean =>
  mayEverSeeField(app, entity, role, field) && (entity === 'person' || mayEver(app, entity, role, 'see'))

const isByPeople = ({ computed, copiedFrom, hidden, setBy }: Field): boolean =>
  [computed, copiedFrom, hidden, setBy].every(rule => rule === null)
