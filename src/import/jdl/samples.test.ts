/** The published samples of JDL, from the collection that stands beside the project: each plans to the tables that are expected of it. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Constraint, Physical, Table } from '../../store/physical.ts'
import { schemaOf } from '../../store/schema.ts'
import { snake } from '../draft.ts'
import { readImported } from '../testing.ts'
import { importJdl } from './import.ts'
import { parseJdl } from './parse.ts'

interface Sample {
  readonly file: string
  readonly entities: readonly {
    readonly name: string
    readonly fields: readonly {
      readonly name: string
      readonly type: string
      readonly validations: readonly (readonly [string, string | null])[]
    }[]
  }[]
  readonly enums: readonly { readonly name: string; readonly values: readonly (readonly [string, string | null])[] }[]
  readonly relationships: readonly {
    readonly kind: string
    readonly from: Side
    readonly to: Side
    readonly with: readonly string[]
  }[]
  readonly options: readonly (readonly [string, string])[]
  readonly constants: Readonly<Record<string, string>>
}

interface Side {
  readonly entity: string
  readonly field: string | null
  readonly display: string | null
  readonly required: boolean
}

interface Expected {
  readonly file: string
  readonly entities: number
  readonly joinTables: number
  readonly foreignKeys: readonly {
    readonly on: string
    readonly field: string
    readonly to: string
    readonly required: boolean
    readonly unique: boolean
  }[]
  readonly notNull: readonly string[]
  readonly unique: readonly string[]
  readonly checks: readonly (readonly [string, string, string])[]
  readonly enums: Readonly<Record<string, readonly string[]>>
}

const corpus = (name: string) => new URL(`../../../../shared/corpus/${name}`, import.meta.url)
const read = (name: string) => (existsSync(corpus(name)) ? JSON.parse(readFileSync(corpus(name), 'utf8')) : null)
const samples: readonly Sample[] = read('jdl-samples.json')?.files ?? []
const expectations: readonly Expected[] = read('jdl-expected-schema.json') ?? []

/** The samples are published as trees; this writes them as text again. */
function textOf({ constants, entities, enums, relationships, options }: Sample): string {
  const side = ({ entity, field, display, required }: Side) =>
    field === null
      ? entity
      : `${entity}{${field}${display === null ? '' : `(${display})`}${required ? ' required' : ''}}`
  return [
    ...Object.entries(constants).map(([name, value]) => `${name} = ${value}`),
    ...entities.map(({ name, fields }) => {
      const lines = fields.map(field => {
        const validations = field.validations.map(([validation, argument]) =>
          argument === null ? validation : `${validation}${validation === 'pattern' ? argument : `(${argument})`}`,
        )
        return `  ${[field.name, field.type, ...validations].join(' ')}`
      })
      return `entity ${name} {\n${lines.join('\n')}\n}`
    }),
    ...enums.map(({ name, values }) => {
      const written = values.map(([value, label]) => (label === null ? value : `${value}(${label})`))
      return `enum ${name} {\n  ${written.join(', ')}\n}`
    }),
    ...relationships.map(
      ({ kind, from, to, with: options }) =>
        `relationship ${kind} {\n  ${side(from)} to ${side(to)}${options.map(option => ` with ${option}`).join('')}\n}`,
    ),
    ...options.map(([keyword, rest]) => `${keyword} ${rest}`),
  ].join('\n')
}

const tableOf = (physical: Physical, entity: string): Table =>
  physical.tables.get(entity === 'User' ? 'person' : snake(entity))!

const has = <Kind extends Constraint['kind']>(
  table: Table,
  kind: Kind,
  test: (constraint: Extract<Constraint, { kind: Kind }>) => boolean,
): boolean => table.constraints.some(one => one.kind === kind && test(one as Extract<Constraint, { kind: Kind }>))

test.each(samples)('$file is read as it was written', sample => {
  const reading = parseJdl(textOf(sample))
  if ('mistake' in reading) throw new Error(reading.mistake)
  const { model } = reading
  expect(model.entities.map(({ name, fields }) => [name, fields.map(field => [field.name, field.type])])).toEqual(
    sample.entities.map(({ name, fields }) => [name, fields.map(field => [field.name, field.type])]),
  )
  expect(model.relationships).toMatchObject(
    sample.relationships.map(({ kind, from, to }) => ({ kind, from: plain(from), to: plain(to) })),
  )
  expect(model.enums.map(({ name, values }) => [name, values.map(value => value.name)])).toEqual(
    sample.enums.map(({ name, values }) => [name, values.map(([value]) => value)]),
  )
})

const plain = ({ entity, field, display, required }: Side) => ({ entity, field, display, required })

test.each(samples)('$file becomes a document without a complaint', sample => {
  const imported = importJdl(textOf(sample), sample.file)
  if ('mistake' in imported) throw new Error(imported.mistake)
  expect(readImported(imported.document).wrong).toEqual([])
})

test.each(expectations)('$file plans to the tables, keys, not-nulls and checks that are expected of it', expected => {
  const sample = samples.find(({ file }) => file === expected.file)!
  const imported = importJdl(textOf(sample), sample.file)
  if ('mistake' in imported) throw new Error(imported.mistake)
  const { app } = readImported(imported.document)
  const physical = schemaOf(app)
  const column = (path: string) => {
    const [entity, field] = path.split('.') as [string, string]
    const table = tableOf(physical, entity)
    return { table, name: snake(field), column: table.columns.find(({ name }) => name === snake(field))! }
  }

  expect([...app.entities.values()].filter(({ builtIn, partOf }) => !builtIn && partOf === null)).toHaveLength(
    expected.entities,
  )
  const joins = [...app.entities.values()].filter(({ partOf }) => partOf !== null)
  expect(joins).toHaveLength(expected.joinTables)
  for (const { key } of joins)
    expect(physical.tables.get(key)!.constraints.filter(({ kind }) => kind === 'foreign')).toHaveLength(2)

  const references = [...physical.tables.values()].flatMap(table =>
    joins.some(({ key }) => key === table.name)
      ? []
      : table.constraints.filter(({ kind }) => kind === 'foreign').map(({ name }) => name),
  )
  expect(references).toHaveLength(expected.foreignKeys.length)
  for (const key of expected.foreignKeys) {
    const { table, name, column: found } = column(`${key.on}.${key.field}`)
    expect(has(table, 'foreign', one => one.column === name && one.table === tableOf(physical, key.to).name)).toBe(true)
    expect(found.notNull).toBe(key.required)
    expect(has(table, 'unique', one => one.columns.join() === name)).toBe(key.unique)
  }

  const required = new Set(expected.notNull.map(path => `${column(path).table.name}.${column(path).name}`))
  for (const { entity, field } of sample.entities.flatMap(({ name, fields }) =>
    fields.map(field => ({ entity: name, field })),
  )) {
    const { table, name, column: found } = column(`${entity}.${field.name}`)
    expect([`${table.name}.${name}`, found.notNull]).toEqual([
      `${table.name}.${name}`,
      required.has(`${table.name}.${name}`),
    ])
    expect(has(table, 'unique', one => one.columns.join() === name)).toBe(
      expected.unique.includes(`${entity}.${field.name}`),
    )
    const values = expected.enums[field.type]
    if (values !== undefined)
      expect(
        has(table, 'check', one => one.expression === `"${name}" in (${values.map(value => `'${value}'`).join(', ')})`),
      ).toBe(true)
  }
  for (const [path, rule, value] of expected.checks) {
    const { table, name } = column(path)
    const wanted: Record<string, RegExp> = {
      min: new RegExp(`^"${name}" >= ${value}(?:::numeric)?$`),
      max: new RegExp(`^"${name}" <= ${value}(?:::numeric)?$`),
      minlength: new RegExp(`^char_length\\("${name}"\\) >= ${value}`),
      maxlength: new RegExp(`^char_length\\("${name}"\\) between 1 and ${value}\\b`),
      pattern: new RegExp(`^"${name}" collate "C" ~ `),
    }
    const checks = table.constraints.flatMap(one => (one.kind === 'check' ? [one.expression] : []))
    expect([path, rule, checks.filter(check => wanted[rule]!.test(check)).length]).toEqual([path, rule, 1])
  }
})
