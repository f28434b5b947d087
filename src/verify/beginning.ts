/** Sample data, as it stands in the database before anything is tried: a record for each row, with what its cells say. */
import type { Cell } from '../document/source.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Entity, Sample } from '../headings/3-entities/model.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import type { Site } from './client.ts'
import { worth } from './judge.ts'
import { isSame } from './stage.ts'
import type { Line } from './verify.ts'
import { visitor, type World } from './world.ts'

const toldOfEach = 3

/** A line for each table of sample data, or for each file of it. */
export async function tryBeginning(site: Site, ofFiles = false): Promise<readonly Line[]> {
  const world = await site.observatory.world(visitor)
  return [...site.app.entities.values()].flatMap(entity =>
    entity.samples.filter(({ isFile }) => isFile === ofFiles).map(sample => tryTable(site, world, entity, sample)),
  )
}

function tryTable(site: Site, world: World, entity: Entity, sample: Sample): Line {
  const all = world.records(entity.key)
  const missing = sample.rows.filter(row => {
    const known = fitsOf(site, world, entity, sample, row)
    const cells = row.filter((_, at) => known[at] !== undefined)
    site.judged.add(...cells, sample.isFile && cells.length > 0 ? sample.cell : null)
    site.judged.add(...row.flatMap((_, at) => (known[at] === undefined ? [] : typeOf(entity, sample, at))))
    return !all.some(record => known.every(fits => fits?.(record) !== false))
  })
  const wrong = missing.map(row => `no record says ${row.map(({ text }) => text).join(', ')}`)
  return {
    cell: sample.cell,
    title: `${entity.name}: its sample data is there, ${sample.rows.length} ${sample.rows.length === 1 ? 'row' : 'rows'}`,
    passed: wrong.length === 0,
    detail: wrong.length === 0 ? null : wrong.slice(0, toldOfEach).join('\n       '),
  }
}

/** The cell by which the value of a column is read. */
const typeOf = ({ fields }: Entity, { columns }: Sample, at: number): readonly Cell[] =>
  fields.flatMap(({ key, typeCell }) => (key === columns[at]?.field ? [typeCell] : []))

type Fits = (record: RecordValue) => boolean

/** Of each cell of a row whether a record says the same; undefined: it cannot be told. */
const fitsOf = (site: Site, world: World, entity: Entity, sample: Sample, row: readonly Cell[]) =>
  row.map((cell, at) => fitOf(site, world, entity, sample, at, cell))

/** Whether a record says what the row does that is called so in its table. */
const isCalled = (site: Site, world: World, entity: Entity, name: string, record: RecordValue): boolean =>
  entity.samples.some(sample =>
    sample.rows.some(
      (row, at) =>
        sample.names[at]?.text === name &&
        fitsOf(site, world, entity, sample, row).every(fits => fits?.(record) !== false),
    ),
  )

/** Whether a record says what a cell does; undefined: it cannot be told. */
function fitOf(site: Site, world: World, entity: Entity, sample: Sample, at: number, cell: Cell): Fits | undefined {
  const { app } = site
  const key = sample.columns[at]?.field
  if (key === undefined || cell.text === '') return undefined
  if (key === 'state') return record => record.state === cell.text
  const field = entity.fields.find(one => one.key === key)
  if (field === undefined) return undefined
  const reckoned = sample.reckoned.get(cell)
  if (reckoned !== undefined) {
    if (reckoned.workingDays !== 0 || reckoned.time !== null) return undefined
    const says = worth({ text: cell.text.replaceAll('`', '') }, world.environment(entity.key, {}))
    return typeof says === 'string' ? record => isSame(field, record[key] ?? null, says) : undefined
  }
  if (field.type.kind === 'reference') {
    const { entity: of } = field.type
    return record => {
      const named = world.record(of, String(record[key]))
      if (named === undefined) return false
      const says = Object.values(named).some(value => value === cell.text)
      return says || isCalled(site, world, app.entities.get(of)!, cell.text, named)
    }
  }
  const kind = fieldKind(field.kind)
  if (['list', 'values', 'file'].includes(field.type.kind) || kind.sealed === true) return undefined
  const parsed = kind.parse(cell.text, field.parameters, 'en', app.product.timeZone.name)
  return 'value' in parsed ? record => isSame(field, record[key] ?? null, parsed.value as Wire) : undefined
}
