/** Who may bring in a file of records, and that what stands in it is there afterwards. */
import type { Entity } from '../headings/3-entities/model.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { importHref } from '../web/routes.ts'
import { madeOf } from './came.ts'
import { ask, isOk, type Player } from './client.ts'
import type { Values } from './drafts.ts'
import { worked } from './many.ts'
import * as oracle from './oracle/rights.ts'
import { openPage } from './page.ts'
import { rowAs } from './rows.ts'
import { cellOf, type Trial, tallyOf } from './trial.ts'
import type { World } from './world.ts'

export async function tryImport(trial: Trial): Promise<void> {
  const { site, entity } = trial
  const about = { app: site.app, entity: entity.key }
  const tally = tallyOf(trial, 'import', cellOf(about), `${entity.name}: who may bring in a file of them`)
  for (const player of site.players) {
    const world = await site.observatory.world(player)
    const may = oracle.mayAtAll({ world, entity: entity.key }, 'Import')
    const page = await openPage(site, player, importHref(entity.key))
    tally.tried++
    site.judged.add(...oracle.decidedBy({ world, entity: entity.key }, 'Import'))
    if (page.kind === 'shown') tally.through++
    if ((page.kind === 'shown') !== may)
      tally.wrong.push(
        `${player.name}: the application ${page.kind === 'shown' ? 'lets' : 'does not let'} them, the document ${may ? 'does' : 'refuses it'}`,
      )
  }
}

/** A file with one new record, which somebody could make. */
export async function tryNewRow(trial: Trial, player: Player, values: Values): Promise<void> {
  const { site, entity } = trial
  const world = await site.observatory.world(player)
  const cells = cellsOf(world, site.app.entities, entity, values)
  if (cells === null || !oracle.mayAtAll({ world, entity: entity.key }, 'Import')) return
  const keys = cells.map(([key]) => key)
  const lines = [keys, cells.map(([, text]) => text)].map(line =>
    line.map(text => `"${text.replaceAll('"', '""')}"`).join(','),
  )
  const read = Object.fromEntries([...keys.map((key, at) => [`c${at}`, key]), ['key', '']])
  const before = new Set(world.records(entity.key).map(({ id }) => id))
  await worked(site, player, importHref(entity.key), read, `${lines.join('\n')}\n`)
  const made = (await site.observatory.world(player)).records(entity.key).filter(({ id }) => !before.has(id))
  const tally = tallyOf(
    trial,
    'imported',
    cellOf({ app: site.app, entity: entity.key }),
    `${entity.name}: a file makes what stands in it`,
  )
  tally.tried++
  const [one] = made
  if (one === undefined || made.length > 1) {
    const reply = await ask(site, player, 'POST', entity.key, values)
    if (isOk(reply)) tally.wrong.push(`${player.name}: a file of one makes ${made.length}, which the API makes`)
    if (isOk(reply) && entity.appendOnly === null) await site.observatory.remove(entity.key, String(reply.body.id))
    return
  }
  tally.through++
  for (const wrong of await madeOf(trial, String(one.id), rowAs(site, world, entity, values), player))
    tally.wrong.push(`${player.name}, by a file: ${wrong}`)
  if (entity.appendOnly === null) await site.observatory.remove(entity.key, String(one.id))
}

/** By its fields; what is named is told by its title. Null: a cell cannot say all of it. */
function cellsOf(
  world: World,
  entities: ReadonlyMap<string, Entity>,
  { fields }: Entity,
  values: Values,
): readonly (readonly [string, string])[] | null {
  const cells: (readonly [string, string])[] = []
  for (const { key, kind, type, parameters } of fields) {
    const value = values[key] ?? null
    if (value === null || (Array.isArray(value) && value.length === 0)) continue
    if (typeof value === 'object' || type.kind === 'file') return null
    if (type.kind === 'reference') {
      const [title, ...more] = entities.get(type.entity)!.title
      const text = world.record(type.entity, String(value))?.[title ?? '']
      const named = world.records(type.entity).filter(one => one[title ?? ''] === text)
      if (typeof text !== 'string' || more.length > 0 || named.length > 1) return null
      cells.push([key, text])
      continue
    }
    const { fromJson, input } = fieldKind(kind)
    const read = fromJson(value, parameters)
    if (!('value' in read)) return null
    cells.push([key, input(read.value, parameters)])
  }
  return cells.length === 0 ? null : cells
}
