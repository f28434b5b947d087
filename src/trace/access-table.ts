/** Who may do what with the records of an entity, as a Markdown table: what is left in the end, with what the rows `never` close. */
import type { App } from '../headings/app.ts'
import { isUnspecified } from '../headings/specified.ts'
import { mayOf, sayNevers, sayRoles } from './explain-access.ts'

export function accessTable(app: App, entity: string): string {
  const { name, fields } = app.entities.get(entity)!
  const access = app.access.get(entity)!
  const { rows, fields: closed, basis } = access
  const may = rows.map(row => ({ role: row.role, can: new Map([...mayOf(row, access), ['take', stepsOf(row.do)]]) }))
  const verbs = [...new Set(may.flatMap(({ can }) => [...can.keys()]))]
  const roles = may.map(({ role, can }) => [role, ...verbs.map(verb => can.get(verb) ?? 'no')])
  const nobody = sayNevers(app, entity).map(line => line.trim())
  const parts = closed.map(({ field, see, change, when }) => [
    fields.find(({ key }) => key === field)?.key ?? field,
    sayRoles(see),
    change === null ? 'as the record' : sayRoles(change),
    when === null ? '' : isUnspecified(when) ? 'unspecified' : `\`${when.cell.text}\``,
  ])
  return [
    `## ${name}`,
    rows.length === 0 ? `${basis === 'parent' ? 'As the record that it is part of.' : 'Nobody may anything.'}` : '',
    rows.length === 0 ? '' : table(['Role', ...verbs.map(capital)], roles),
    ...nobody,
    parts.length === 0 ? '' : table(['Field', 'See', 'Change', 'When'], parts),
  ]
    .filter(part => part !== '')
    .join('\n\n')
    .concat('\n')
}

type Steps = Parameters<typeof mayOf>[0]['do']

const stepsOf = (steps: Steps): string =>
  isUnspecified(steps)
    ? 'unspecified, so none'
    : steps.steps === 'all'
      ? 'all steps'
      : steps.steps.map(key => key.replaceAll('_', ' ')).join(', ') || 'none'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows]
    .map(cells => `| ${cells.map(cell => cell.replace(/\|/g, '\\|')).join(' | ')} |`)
    .join('\n')
