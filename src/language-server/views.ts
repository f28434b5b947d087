/** What editors show of the entity at the cursor: its states as a diagram, and who may do what. */

import type { SourceFile } from '../document/source.ts'
import type { App } from '../headings/app.ts'
import { accessTable } from '../trace/access-table.ts'
import { statesOfEntity } from '../trace/states.ts'
import { thingAt } from './names.ts'
import { nearestHeading } from './outline.ts'
import type { Project } from './project.ts'

/** Markdown for a side of its own. */
export interface View {
  readonly title: string
  readonly text: string
}

/** By the names that the server gives as commands: what they show of an entity, null where it has no such thing. */
export const views: Readonly<Record<string, (app: App, entity: string) => View | null>> = {
  'ninefold.states': (app, entity) => {
    const workflow = app.workflows.get(entity)
    return workflow === undefined
      ? null
      : { title: `States of ${app.entities.get(entity)!.name}`, text: statesOfEntity(app, workflow) }
  },
  'ninefold.access': (app, entity) => ({
    title: `Access to ${app.entities.get(entity)!.name}`,
    text: accessTable(app, entity),
  }),
}

/** The key of the entity that is named at an offset, or under whose heading the offset lies; null: there is none. */
export function entityAt(project: Project, file: SourceFile, offset: number): string | null {
  const { app } = project.reading
  if (app === null) return null
  const keyed = (names: readonly string[]) =>
    [...app.entities.values()].find(({ key, name }) => names.includes(name) || names.includes(key))?.key ?? null
  const thing = thingAt(project, file, offset)
  const heading = nearestHeading(file.text, offset)
  return (
    (thing === null ? null : keyed(thing.names)) ?? (heading === null ? null : keyed([heading.replace(/\s*\(.*$/, '')]))
  )
}
