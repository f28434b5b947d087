/** Tables under `#### Sample data`, and files of them: their columns are fields, their cells values. */
import { codeless, position, slice, splitAt, trimmed } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { didYouMean } from '../../document/nearest.ts'
import type { Cell, Span } from '../../document/source.ts'
import type { Table } from '../../document/tree.ts'
import type { FieldShape, Type } from '../../expression/type.ts'
import { readRoles } from '../6-permissions/declare.ts'
import type { App } from '../app.ts'
import { commonCodes } from '../codes.ts'
import { type Context, readAt, saysNothing, typeAt } from '../context.ts'
import { demoPeople } from '../demo-people.ts'
import { use } from '../gaps/gap.ts'
import { bothPlaces, evened, writeNearest } from '../names.ts'
import { checkReference, checkValue, eachNamed } from '../values.ts'
import { entityCodes } from './codes.ts'
import { matches } from './matching.ts'
import type { Entity, Reckoned, Sample } from './model.ts'
import { namingFields, namingRows } from './naming.ts'
import { noField } from './no-field.ts'
import type { FieldDraft, TypedEntity } from './shape.ts'

/** Columns that do not resolve are reported and left out, with their cells. */
export function readSamples(context: Context, entity: TypedEntity): readonly Sample[] {
  const { samples, sampleFile } = entity.draft
  const read = samples.flatMap(block =>
    block.tables.map(table => readSample(context, entity, block.title, table, false)),
  )
  if (sampleFile !== null) read.push(readSample(context, entity, sampleFile.cell, sampleFile.table, true))
  const called = new Map<string, Cell>()
  for (const cell of read.flatMap(({ names }) => names)) {
    if (cell === null) continue
    const first = called.get(cell.text)
    if (first === undefined) called.set(cell.text, cell)
    else {
      const { report } = reporter(entityCodes, 3, context.found)
      report('N1355', cell, { entity: entity.draft.name, name: cell.text }, bothPlaces(cell, first))
    }
  }
  return read
}

function readSample(context: Context, entity: TypedEntity, cell: Cell, table: Table, isFile: boolean): Sample {
  const { report } = reporter(entityCodes, 3, context.found)
  const shape = context.schema.get(entity.draft.key)!
  const calls = table.header.findIndex(({ text }) => evened(text) === entity.draft.name)
  // Whoever is made up for `dev` and `verify` may have roles there; a file is not what these stand on.
  const mayGive = entity.draft.builtIn && !isFile && !shape.fields.has('role')
  const given = mayGive ? table.header.findIndex(({ text }) => text === 'role') : -1
  const kept: { readonly cell: Cell; readonly index: number; readonly field: FieldShape }[] = []
  table.header.forEach((cell, index) => {
    if (index === calls || index === given) return
    const field = shape.fields.get(cell.text) ?? null
    const why = field === null ? null : whyNoColumn(entity, field)
    if (field === null) noField(context, 3, shape, cell, [...shape.fields.keys(), ...(mayGive ? ['role'] : [])])
    else if (why !== null) report('N1319', cell, { field: cell.text, why })
    else kept.push({ cell, index, field })
  })
  const { parent } = entity
  if (parent !== null && table.rows.length > 0 && !table.header.some(({ text }) => text === parent.key))
    report('N1356', cell, { entity: entity.draft.name, parent: parent.key, name: parent.name })
  const reckoned = new Map<Cell, Reckoned>()
  const rows = table.rows.map(row =>
    kept.map(({ index, field }) => {
      const cell = row.cells[index]!
      const value = readReckoned(context, field, entity.fields.get(field.key) ?? null, cell)
      if (value !== null) reckoned.set(cell, value)
      return cell
    }),
  )
  const names = table.rows.map(({ cells }) => (calls < 0 || cells[calls]!.text === '' ? null : cells[calls]!))
  const roles = table.rows.map(({ cells }) => {
    const cell = given < 0 ? null : cells[given]!
    return cell === null || cell.text === '' ? [] : (readRoles(context, cell, 3)?.roles ?? [])
  })
  return {
    cell,
    isFile,
    roles,
    columns: kept.map(({ cell, field }) => ({ field: field.key, cell })),
    rows,
    names,
    reckoned,
  }
}

function whyNoColumn(
  { draft, parent, fields }: TypedEntity,
  { key, type, computed, renewed }: FieldShape,
): string | null {
  if (computed !== undefined || renewed === true) return 'it is computed'
  if (key === 'state' && !fields.has(key))
    return parent === null ? null : `rows of ${parent.name} begin in the first state`
  if (!fields.has(key) && key !== parent?.key) return `every ${draft.name} gets it by itself`
  if (type.kind === 'file') return 'it holds files'
  if (fields.get(key)?.kind.entered === false) return 'the application gives it'
  return type.kind === 'list' && fields.get(key)?.kind.links !== true ? 'it is a list of rows' : null
}

const texts: readonly Type['kind'][] = ['text', 'choice', 'choices', 'reference', 'error']

/** `today - 3 days`, `year(today)`, `today + 2 working days at 10:00`. Null: it is a value as it stands, or after a report. */
function readReckoned(context: Context, shape: FieldShape, field: FieldDraft | null, cell: Cell): Reckoned | null {
  if (field === null || texts.includes(shape.type.kind) || !/\b(?:today|now)\b/.test(cell.text)) return null
  const { report } = reporter(commonCodes, 3, context.found)
  const wrong = (why: string) => {
    report('N1009', cell, { value: cell.text, field: shape.key, why, type: field.typeCell.text })
    return null
  }
  const parts = splitAt(cell, 'at')
  const clock = parts === null ? null : /^(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)$/.exec(parts.after.text)
  if (parts !== null && clock === null) return wrong(`\`${parts.after.text}\` is no time like 09:00`)
  const day = codeless(parts?.before ?? cell)
  const working = /\s*([+-])\s*(\d{1,4})\s+working\s+days?$/i.exec(day.text)
  const written = working === null ? day : codeless(trimmed(slice(day, 0, working.index)))
  const place = { section: 3, entity: null }
  const isMoment = shape.type.kind === 'moment'
  if (isMoment && clock === null && (working !== null || typeAt(context, written, place)?.kind === 'date'))
    return wrong(`it says no time; write \`${cell.text} at 09:00\``)
  if (!isMoment && clock !== null) return wrong('a time stands only with a date and time')
  const expected: Type = clock === null && working === null ? shape.type : { kind: 'date' }
  const expression = readAt(context, written, place, expected, use('sampleData', { entity: shape.key }))
  if (expression === null) return null
  return {
    expression,
    workingDays: working === null ? 0 : Number(`${working[1]}${working[2]}`),
    time: clock === null ? null : { hour: Number(clock.groups!.hour), minute: Number(clock.groups!.minute) },
  }
}

type References = Extract<Type, { readonly kind: 'reference' | 'list' }>

/** Cells are checked when all samples are known, because references name each other's records. */
export function checkSamples(context: Context, entities: ReadonlyMap<string, Entity>): void {
  const { report } = reporter(commonCodes, 3, context.found)
  const told = Map.groupBy(
    context.found.map(({ span }) => span),
    lineOf,
  )
  const names = new Map<string, ReadonlySet<string>>()
  const namesOf = (entity: string, isFile: boolean, isParent: boolean) => {
    const name = `${entity} ${isFile} ${isParent}`
    const known = names.get(name) ?? namesIn(entities.get(entity), isFile, isParent)
    names.set(name, known)
    return known
  }
  for (const { key, name, samples, fields: read } of entities.values()) {
    const shape = context.schema.get(key)!
    const { fields, parent } = context.typed.get(key)!
    const checkReferences = (cell: Cell, field: string, type: References, isFile: boolean): void => {
      const isParent = field === parent?.key
      if (cell.text !== '' && !saysNothing(cell)) {
        const named = namesOf(type.entity, isFile, isParent)
        for (const one of type.kind === 'list' ? eachNamed(cell) : [cell])
          checkReference(context, type.entity, one, 3, named)
      } else if (isParent)
        reporter(entityCodes, 3, context.found).report('N1374', cell, { entity: name, field, when: '' })
    }
    const checkValues = (cell: Cell, field: string): void => {
      checkValue(context, shape.fields.get(field)!, fields.get(field) ?? null, cell, 3)
      const pattern = read.find(one => one.key === field)?.pattern ?? null
      if (pattern === null || cell.text === '' || matches(pattern.source, cell.text)) return
      const why = `it does not fit \`${pattern.cell.text}\``
      report('N1009', cell, { value: cell.text, field, why, type: fields.get(field)!.typeCell.text })
    }
    for (const { columns, rows, reckoned, isFile } of samples)
      for (const row of rows)
        for (const [index, cell] of row.entries()) {
          const { field } = columns[index]!
          const { type } = shape.fields.get(field)!
          const refers = type.kind === 'reference' || type.kind === 'list'
          // People are known when the scenarios are.
          if ((refers && type.entity === 'person') || isReckoned(cell, reckoned, told)) continue
          if (refers) checkReferences(cell, field, type, isFile)
          else checkValues(cell, field)
        }
  }
}

const lineOf = ({ file, start }: Span): string => `${file.path} ${position(file, start).line}`

/** Whether it is worked out later; what could not be read as such has its message. `told`: of what was said already, by its line. */
const isReckoned = (cell: Cell, reckoned: Sample['reckoned'], told: ReadonlyMap<string, readonly Span[]>): boolean =>
  reckoned.has(cell) ||
  (cell.text !== '' && (told.get(lineOf(cell)) ?? []).some(({ start, end }) => start >= cell.start && end <= cell.end))

/** What rows are called, and the texts that name their records; of files only what stands in them names what is in one. */
function namesIn(target: Entity | undefined, isFile: boolean, isParent: boolean): ReadonlySet<string> {
  const names = new Set<string>()
  if (target === undefined) return names
  const keys = isParent ? namingRows(target) : new Set(namingFields(target).map(({ key }) => key))
  // What a field may have been meant as has its own message.
  const isUnread = (key: string) => target.fields.find(one => one.key === key)?.type.kind === 'error'
  for (const sample of target.samples) {
    if (sample.isFile && !isFile) continue
    for (const cell of sample.names) if (cell !== null) names.add(evened(cell.text))
    for (const row of sample.rows)
      for (const [index, { text }] of row.entries()) {
        const { field } = sample.columns[index]!
        if (text !== '' && (keys.has(field) || isUnread(field))) names.add(evened(text))
      }
  }
  return names
}

/** Whom samples name: people of the scenarios, of roles that need somebody, and of the samples of Person. */
export function checkSamplePeople(context: Context, app: App): void {
  const demo = demoPeople(app).map(({ name }) => name)
  const person = app.entities.get('person')!
  const known = (isFile: boolean) => new Set([...demo, ...peopleIn(person, isFile)])
  const [inTables, inFiles] = [known(false), known(true)]
  const { report } = reporter(commonCodes, 3, context.found)
  for (const { key, samples } of app.entities.values())
    for (const { columns, rows, isFile } of samples)
      columns.forEach(({ field }, index) => {
        const type = app.schema.get(key)!.fields.get(field)!.type
        if ((type.kind !== 'reference' && type.kind !== 'list') || type.entity !== 'person') return
        const all = isFile ? inFiles : inTables
        const written = rows.map(row => row[index]!)
        for (const cell of type.kind === 'list' ? written.flatMap(eachNamed) : written) {
          if (cell.text === '' || all.has(cell.text)) continue
          const parameters = { value: cell.text, entity: 'Person', meant: didYouMean(cell.text, all) }
          report('N1010', cell, parameters, { fixes: writeNearest(cell, all) })
        }
      })
}

const peopleIn = ({ samples }: Entity, isFile: boolean): readonly string[] =>
  samples
    .filter(sample => isFile || !sample.isFile)
    .flatMap(({ columns, rows }) => {
      const at = columns.findIndex(({ field }) => field === 'name')
      return rows.flatMap(row => (at < 0 ? [] : [row[at]!.text]))
    })
