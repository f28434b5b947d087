/** What the database keeps of records (decision 19), after all that was done with them: the same as their rows say. */
import { keptOf } from '../expression/kept-columns.ts'
import type { Wire } from '../expression/type.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { Site } from './client.ts'
import { worth } from './judge.ts'
import { isSame } from './stage.ts'
import type { Line } from './verify.ts'
import { visitor } from './world.ts'

/** Records that are told of one field. */
const toldOfEach = 3

/** A line for each field that is kept. */
export async function tryKept(site: Site): Promise<readonly Line[]> {
  const { app } = site
  site.observatory.forget()
  const lines: Line[] = []
  for (const entity of app.entities.values())
    for (const field of entity.fields)
      if (keptOf(app.schema, entity.key, field.key) !== null) lines.push(await tryField(site, entity, field))
  return lines
}

async function tryField({ observatory, judged }: Site, entity: Entity, field: Field): Promise<Line> {
  const { records, environment } = await observatory.world(visitor)
  const kept = await observatory.kept(entity.key, field.key)
  const all = records(entity.key)
  if (all.length > 0) judged.add(field.computed!.cell)
  const wrong = all.flatMap(row => {
    const [is, says] = [
      kept.get(row.id as string) ?? null,
      worth(field.computed!, environment(entity.key, row)) as Wire,
    ]
    return isSame(field, is, says) ? [] : [`${nameOf(entity, row)}: ${shown(is)} is kept, its rows say ${shown(says)}`]
  })
  const more = wrong.length > toldOfEach ? [`and ${wrong.length - toldOfEach} more`] : []
  const none = all.length === 0 ? `there is no ${entity.name}` : null
  return {
    cell: field.computed!.cell,
    title: `${entity.name}, ${field.key}: what is kept is what the rows say, ${all.length} ${all.length === 1 ? 'record' : 'records'}`,
    passed: wrong.length === 0,
    untried: none !== null,
    detail: wrong.length === 0 ? none : [...wrong.slice(0, toldOfEach), ...more].join('\n       '),
  }
}

/** What a record is called in a report. */
export const nameOf = (entity: Entity, row: Readonly<Record<string, unknown>>): string =>
  [entity.name, ...entity.title.flatMap(key => (typeof row[key] === 'string' ? [row[key]] : [])), row.id].join(' ')

const shown = (value: Wire): string => (value === null ? 'nothing' : String(value))
