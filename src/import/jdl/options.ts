/** Options, applications, constants: what JDL says to JHipster rather than of the application. */

import type { Importing } from './importing.ts'
import type { JdlOption } from './model.ts'

const means: Readonly<Record<string, string>> = {
  readOnly: 'nobody may create, change or delete these records: say so under heading 6',
  search: 'lists are searched in fields with the rule `searchable`',
  filter: 'every list can be filtered here',
  paginate: 'every list has pages here',
  pagination: 'every list has pages here',
}

export function noteOptions({ model, drafting }: Importing): void {
  const technical = 'tells JHipster how to build, not what the application does'
  for (const option of model.options) drafting.note(null, written(option), means[option.keyword] ?? technical)
  if (model.applications.length > 1)
    drafting.note(
      null,
      model.applications.map(({ baseName }) => baseName ?? 'application').join(', '),
      'several applications are one document here',
    )
  for (const { baseName } of model.applications)
    drafting.note(null, `application ${baseName ?? ''}`.trim(), 'its configuration is not carried over')
  if (model.deployments.length > 0) drafting.note(null, 'deployment', technical)
  for (const [name, { value }] of model.constants)
    drafting.note(null, `${name} = ${value}`, 'the number is written where it is used')
}

function written({ keyword, entities, with: method, except }: JdlOption): string {
  const rest = except.length === 0 ? '' : ` except ${except.join(', ')}`
  return keyword === 'use'
    ? `use ${method} for ${entities.join(', ')}${rest}`
    : `${keyword} ${entities.join(', ')}${method === null ? '' : ` with ${method}`}${rest}`
}
