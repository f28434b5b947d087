import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { raw, type Sql, sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { passwords } from '../../run/people/password.ts'
import { createTestDatabase, type TestDatabase } from '../../store/testing.ts'
import type { FieldKind, FieldParameters } from './field-kind.ts'
import { fieldKinds } from './index.ts'
import { asSeen } from './texts.ts'

const entities = new Map([['Category', 'category']])
let database: TestDatabase
let tables = 0

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  await database.store.query(raw("create collation words (provider = icu, locale = 'und')"))
})
afterAll(() => database.drop())

function parametersOf(kind: FieldKind, type: string): FieldParameters {
  const argument = kind.name === 'reference' ? type : type.slice(kind.name.length).replace(/^:/, '').trim()
  return kind.read(argument, entities) as FieldParameters
}

/** A table with one column of the kind, as the planner makes it. */
async function table(
  kind: FieldKind,
  parameters: FieldParameters,
): Promise<{ readonly name: Sql; readonly type: Sql; readonly held: Sql }> {
  const name = raw(`t${++tables}`)
  const type = raw(kind.column(parameters)!)
  const check = kind.check(parameters, raw('"x"'))
  await database.store.query(
    sql`create table ${name} ("x" ${type}${check === null ? raw('') : sql` check (${check})`})`,
  )
  // As `storedSql` reads it.
  return { name, type, held: raw(kind.column(parameters) === 'jsonb' ? '"x"::text' : '"x"') }
}

type Put = { readonly held: Wire } | { readonly refused: string }

async function put(into: Awaited<ReturnType<typeof table>>, wire: Wire): Promise<Put> {
  try {
    // PostgreSQL knows no minus before a length of time, only before its parts.
    const value = wire === null ? null : String(wire).replace(/^-PT/, 'PT-')
    const [row] = await database.store.query<{ x: Wire }>(
      sql`insert into ${into.name} values (${value}::text::${into.type}) returning ${into.held}`,
    )
    return { held: row!.x }
  } catch (error) {
    return { refused: String((error as { code?: string }).code) }
  }
}

/** Child rows and links have no column. */
const columned = [...fieldKinds.values()].filter(kind => kind.column({}) !== null)
const stored = columned.filter(({ sealed }) => sealed !== true)
const sealed = columned.filter(kind => kind.sealed)

test.each(sealed.map(kind => [kind.name, kind] as const))(
  '%s: the database holds hashes, and no text',
  async (_, kind) => {
    const into = await table(kind, {})
    const hash = await passwords(randomBytes).hash('correct horse')
    expect(await put(into, hash)).toEqual({ held: hash })
    for (const { good, bad } of kind.examples)
      for (const text of [...good.map(({ text }) => text), ...bad, `${hash} `, `x${hash}`])
        expect(await put(into, text), text).toHaveProperty('refused')
  },
)

for (const kind of stored)
  describe(kind.name, () => {
    for (const example of kind.examples) {
      const parameters = parametersOf(kind, example.type)
      const wires = example.good.map(({ wire }) => wire)

      test(`${example.type}: values and empty survive the database`, async () => {
        const into = await table(kind, parameters)
        for (const wire of [...wires, null]) expect(await put(into, wire)).toEqual({ held: wire })
      })

      test(`${example.type}: the database never holds what a form refuses`, async () => {
        const into = await table(kind, parameters)
        for (const text of example.bad) {
          const result = await put(into, text)
          if ('refused' in result) {
            expect(result.refused, text).toMatch(/^22|^23514$|^42/)
            continue
          }
          // The database may read more spellings than a form does, but what it then holds is a value of the kind.
          expect(result.held, text).not.toBe(text)
          expect(kind.parse(kind.input(result.held, parameters), parameters, 'en', 'UTC'), text).toEqual({
            value: result.held,
          })
        }
      })

      if (kind.sortable)
        test(`${example.type}: the database sorts as people expect`, async () => {
          const into = await table(kind, parameters)
          for (const wire of wires.toReversed()) await put(into, wire)
          const isText = kind.column(parameters) === 'text'
          const rows = await database.store.query<{ x: Wire }>(
            sql`select "x" from ${into.name} order by "x"${raw(isText ? ' collate words' : '')}`,
          )
          expect(rows.map(({ x }) => x)).toEqual(wires)
        })

      if (kind.column(parameters) === 'text')
        test(`${example.type}: the check takes exactly what a form takes`, async () => {
          const check = kind.check(parameters, raw('x'))!
          const pieces = example.good.flatMap(({ wire }) => [String(wire), ...String(wire)])
          const unit = fc.constantFrom(...pieces, ...' \t\n\u00a0\u2028\ufeff\u0001\u007f\u0085.@/:-+()é😀', 'e\u0301')
          const texts = fc.sample(fc.string({ unit, maxLength: 30 }), { numRuns: 3000, seed: 7 })
          const rows = await database.store.query<{ x: string; fine: boolean }>(
            sql`select x, coalesce(${check}, false) as fine from unnest(${texts}::text[]) with ordinality as given(x, n) order by n`,
          )
          for (const { x, fine } of rows) {
            const parsed = kind.parse(x, parameters, 'en', 'UTC')
            // Fine for the database ⇒ fine for the form; what the form would store as it is ⇒ fine for the database.
            // Only addresses are looked at more closely by the form than a pattern can, and it alone takes out what cannot be seen
            // and makes line ends of Unicode those of the text.
            if (fine && kind.name !== 'link' && asSeen(x) === x && !/[\u2028\u2029]/.test(x))
              expect(parsed, JSON.stringify(x)).toHaveProperty('value', x.normalize('NFC'))
            if ('value' in parsed && parsed.value === x) expect(fine, JSON.stringify(x)).toBe(true)
          }
          expect(rows.some(({ fine }) => fine)).toBe(true)
          expect(rows.some(({ fine }) => !fine)).toBe(true)
        })
    }
  })
