/** `- **Append only:** yes`: records are added, and never changed or deleted by anybody. Rows are held with what they are part of. */
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { Access, Grant, Never } from '../6-permissions/model.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified, type Specified } from '../specified.ts'
import { entityCodes } from './codes.ts'
import type { Entity } from './model.ts'
import type { TypedEntity } from './shape.ts'

const section = 3

/** The line that holds the records of an entity: its own, or that of what they are part of. */
export function heldBy(context: Pick<Context, 'typed'>, entity: string, below: readonly string[] = []): Cell | null {
  const typed = context.typed.get(entity)
  if (typed === undefined) return null
  const { draft, parent } = typed
  if (draft.appendOnly !== null && /^yes$/i.test(draft.appendOnly.text) && !draft.builtIn) return draft.appendOnly
  // What is part of itself was told.
  const isOver = parent === null || below.includes(entity)
  return isOver ? null : heldBy(context, parent.key, [...below, entity])
}

export function readAppendOnly(context: Context, { draft }: TypedEntity): Cell | null {
  const cell = draft.appendOnly
  if (cell !== null && nothing(cell) === null) {
    const { report } = reporter(entityCodes, section, context.found)
    const refuse = (why: string, fixes = {}) => report('N1362', cell, { written: cell.text, why }, fixes)
    if (!/^yes$/i.test(cell.text))
      refuse('an entity only says whether its records are added alone', { fixes: [writeInstead(cell, 'yes')] })
    else if (draft.builtIn) refuse('people change')
    else if (draft.table !== null) refuse('the table of another application keeps what holds in it')
    else if (draft.archives !== null) refuse('what is archived is changed')
  }
  return heldBy(context, draft.key)
}

/** What heading 6 says, and that nobody may change or delete what is only added. */
export function closedTo(access: Access, { appendOnly: cell }: Entity): Access {
  if (cell === null) return access
  const no: Specified<Grant> = { kind: 'no', cell }
  const yes: Specified<Grant> = { kind: 'yes', cell }
  const closed: Never = {
    cell,
    roles: [],
    steps: [],
    see: no,
    create: no,
    change: yes,
    delete: yes,
    do: no,
    export: no,
    import: no,
    changeTo: null,
    emergency: no,
  }
  return { ...access, nevers: [...access.nevers, closed] }
}

/** States, grants and messages that would change what is only added. Acts are told where they are read. */
export function checkAppendOnly(context: Context, app: App): void {
  const { report } = reporter(entityCodes, section, context.found)
  for (const { key, name, appendOnly } of app.entities.values()) {
    if (appendOnly === null) continue
    const related = [{ span: appendOnly, message: 'this line says so' }]
    const states = app.workflows.get(key)
    if (states !== undefined) report('N1363', states.cell, { entity: name, does: 'its states change it' }, { related })
    for (const row of app.access.get(key)!.rows)
      for (const verb of ['change', 'delete'] as const) {
        const grant = row[verb]
        if (isUnspecified(grant) || grant.kind === 'no') continue
        report('N1363', grant.cell, { entity: name, does: `${row.role} cannot ${verb} it` }, { related })
      }
    for (const { entity, does, cell } of app.receives.values())
      if (entity === key && does !== 'create')
        report('N1363', cell, { entity: name, does: 'a message cannot change it' }, { related })
  }
}
