/** Samples of JDL: what is read, and the tables that are planned for it. Our own, and the published ones where they stand beside the repository. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { beside } from '../../../scripts/beside.ts'
import type { Constraint, Physical, Table } from '../../store/physical.ts'
import { schemaOf } from '../../store/schema.ts'
import { snake } from '../draft.ts'
import { readImported } from '../testing.ts'
import { importJdl } from './import.ts'
import { parseJdl } from './parse.ts'

interface Sample {
  readonly file: string
  readonly text: string
  /** Each with its fields, and each of these with its type. */
  readonly entities: readonly (readonly [string, readonly (readonly [string, string])[]])[]
  readonly enums: readonly (readonly [string, readonly string[]])[]
  readonly relationships: readonly { readonly kind: string; readonly from: Side; readonly to: Side }[]
  /** Null where nobody wrote down what to expect. */
  readonly schema: Expected | null
}

interface Side {
  readonly entity: string
  readonly field: string | null
  readonly display: string | null
  readonly required: boolean
}

interface Expected {
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

/** A published sample, which is a tree. */
interface Published {
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

const own = ['clinic', 'choir'].map((name): Sample => {
  const read = (ending: string) => readFileSync(new URL(`fixtures/${name}.${ending}`, import.meta.url), 'utf8')
  return { ...JSON.parse(read('json')), text: read('jdl') }
})

function published(): readonly Sample[] {
  const [trees, schemas] = [beside('jdl-samples.json'), beside('jdl-expected-schema.json')]
  if (trees === null || schemas === null) return []
  const expected: readonly (Expected & { readonly file: string })[] = JSON.parse(schemas)
  return (JSON.parse(trees).files as readonly Published[]).map(tree => ({
    file: tree.file,
    text: textOf(tree),
    entities: tree.entities.map(({ name, fields }) => [name, fields.map(field => [field.name, field.type] as const)]),
    enums: tree.enums.map(({ name, values }) => [name, values.map(([value]) => value)]),
    relationships: tree.relationships.map(({ kind, from, to }) => ({ kind, from: plain(from), to: plain(to) })),
    schema: expected.find(({ file }) => file === tree.file) ?? null,
  }))
}

/** The samples are published as trees; this writes them as text again. */
function textOf({ constants, entities, enums, relationships, options }: Published): string {
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

const plain = ({ entity, field, display, required }: Side) => ({ entity, field, display, required })

const samples = [...own, ...published()]

const tableOf = (physical: Physical, entity: string): Table =>
  physical.tables.get(entity === 'User' ? 'person' : snake(entity))!

const has = <Kind extends Constraint['kind']>(
  table: Table,
  kind: Kind,
  test: (constraint: Extract<Constraint, { kind: Kind }>) => boolean,
): boolean => table.constraints.some(one => one.kind === kind && test(one as Extract<Constraint, { kind: Kind }>))

test.each(samples)('$file is read as it was written', ({ text, entities, relationships, enums }) => {
  const reading = parseJdl(text)
  if ('mistake' in reading) throw new Error(reading.mistake)
  const { model } = reading
  expect(model.entities.map(({ name, fields }) => [name, fields.map(field => [field.name, field.type])])).toEqual(
    entities,
  )
  expect(model.relationships).toMatchObject(relationships)
  expect(model.enums.map(({ name, values }) => [name, values.map(value => value.name)])).toEqual(enums)
})

test.each(samples)('$file becomes a document without a complaint', ({ text, file }) => {
  const imported = importJdl(text, file)
  if ('mistake' in imported) throw new Error(imported.mistake)
  expect(readImported(imported.document).wrong).toEqual([])
})

const planned = samples.flatMap(({ schema, ...sample }) => (schema === null ? [] : [{ ...sample, expected: schema }]))

test.each(planned)(
  '$file plans to the tables, keys, not-nulls and checks that are expected of it',
  ({ text, file, entities, expected }) => {
    const imported = importJdl(text, file)
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
      expect(has(table, 'foreign', one => one.column === name && one.table === tableOf(physical, key.to).name)).toBe(
        true,
      )
      expect(found.notNull).toBe(key.required)
      expect(has(table, 'unique', one => one.columns.join() === name)).toBe(key.unique)
    }

    const required = new Set(expected.notNull.map(path => `${column(path).table.name}.${column(path).name}`))
    for (const [entity, field, type] of entities.flatMap(([entity, fields]) =>
      fields.map(([name, type]) => [entity, name, type] as const),
    )) {
      const { table, name, column: found } = column(`${entity}.${field}`)
      expect([`${table.name}.${name}`, found.notNull]).toEqual([
        `${table.name}.${name}`,
        required.has(`${table.name}.${name}`),
      ])
      expect(has(table, 'unique', one => one.columns.join() === name)).toBe(
        expected.unique.includes(`${entity}.${field}`),
      )
      const values = expected.enums[type]
      if (values !== undefined)
        expect(
          has(
            table,
            'check',
            one => one.expression === `"${name}" in (${values.map(value => `'${value}'`).join(', ')})`,
          ),
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
  },
)
