/** What editors show of the entity at the cursor: its states as a diagram, who may do what, and who leads it where. */

import type { SourceFile } from '../document/source.ts'
import type { App } from '../headings/app.ts'
import { questionsAbout } from '../headings/questions/index.ts'
import { accessTable } from '../trace/access-table.ts'
import { statesOfEntity } from '../trace/states.ts'
import { sayWays, waysOutOfEntity } from '../trace/ways.ts'
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
  'ninefold.ways': (app, entity) => {
    const workflow = app.workflows.get(entity)
    if (workflow === undefined) return null
    const questions = questionsAbout(app, workflow).map(
      ({ code, message, help }) => `- **${code}** ${message}. ${help}`,
    )
    const ways = `\`\`\`text\n${sayWays(waysOutOfEntity(app, workflow))}\`\`\`\n`
    return {
      title: `Ways of ${app.entities.get(entity)!.name}`,
      text: questions.length === 0 ? ways : `${ways}\n${questions.join('\n')}\n`,
    }
  },
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
