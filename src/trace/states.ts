/** The life of an entity's records as a diagram in the notation of Mermaid, which GitHub and others draw from a Markdown file. */
import type { Workflow } from '../headings/4-states/model.ts'
import { movesOf } from '../headings/4-states/moves.ts'
import type { App } from '../headings/app.ts'

/** A heading and a fence for each entity that has states, in the document's order. */
export const statesOf = (app: App): string =>
  [...app.workflows.values()].map(workflow => statesOfEntity(app, workflow)).join('\n')

export const statesOfEntity = (app: App, workflow: Workflow): string =>
  `## ${app.entities.get(workflow.entity)!.name}\n\n\`\`\`mermaid\n${diagramOf(app, workflow)}\n\`\`\`\n`

function diagramOf(app: App, workflow: Workflow): string {
  const { states, starts } = workflow
  const ids = new Map(states.map(({ name }, index) => [name, idOf(name, index)]))
  const id = (state: string) => ids.get(state)!
  const named = states.flatMap(({ name }) => (id(name) === name ? [] : [`state "${plain(name)}" as ${id(name)}`]))
  const ways = movesOf(app, workflow).map(({ from, to, name }) => `${id(from)} --> ${id(to)}: ${plain(name)}`)
  const ends = states.flatMap(({ name, kind }) => (kind === 'end' ? [`${id(name)} --> [*]`] : []))
  const begins = starts.map(
    ({ state, when }) => `[*] --> ${id(state)}${when === null ? '' : `: ${plain(when.cell.text)}`}`,
  )
  const lines = [...named, ...begins, ...new Set(ways), ...ends]
  return ['stateDiagram-v2', ...lines.map(line => `  ${line}`)].join('\n')
}

/** Names of the notation are letters and digits; `end` and others are words of its own. */
const idOf = (name: string, index: number): string => (/^[A-Z][A-Za-z0-9]*$/.test(name) ? name : `s${index + 1}`)

/** What would end a text of the notation. */
const plain = (text: string): string => text.replaceAll('"', "'").replaceAll(/[;#:]/g, ' ')
