/**
 * What checks clean can be used: of generated entities about which `check` has nothing to say, somebody creates a record, changes it and
 * takes it through its step. All of them are served as one document. `NINEFOLD_CLEAN` sets how many are generated.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Wire } from '../../expression/type.ts'
import { readApp } from '../../headings/index.ts'
import { appOf } from '../../kinds/testing.ts'
import { codes, input, startTestRun, type TestRun } from '../testing.ts'
import { change, create, takeStep } from './writes.ts'

const amount = Number(process.env.NINEFOLD_CLEAN ?? 100)
const seed = Number(process.env.NINEFOLD_CLEAN_SEED ?? 20_261_128)

type Kind = keyof typeof values
/** All that is tried of each type; what rules compare with lies among them. */
const values = {
  integer: ['-1', '0', '1', '2', '3', '4', '5', '6', '7', '8'],
  'decimal 4.1': ['-1', ...Array.from({ length: 18 }, (_, half) => String(half / 2))],
  'text 4': ['a', 'ab', 'abc', 'abcd', 'A-1'],
  'choice: Low, High': ['Low', 'High'],
  'yes/no': [true, false],
  date: ['2025-12-31', '2026-01-01', '2026-01-02', '2026-01-03'],
  duration: ['PT0S', 'PT1800S', 'PT3600S', 'PT5400S', 'PT7200S'],
  'several of: Low, High': ['Low', 'High', 'Low, High'],
} as const

interface FieldText {
  readonly kind: Kind
  readonly rules: readonly string[]
}

/** Rows of the record: their one field, and how many there must be. */
interface RowsText {
  readonly field: FieldText
  readonly rules: readonly string[]
  readonly ruled: readonly string[]
}

interface EntityText {
  readonly fields: readonly FieldText[]
  readonly lines: RowsText | null
  /** The field, with another one, has every value once. */
  readonly together: boolean
  readonly rules: readonly string[]
  readonly asks: readonly boolean[]
}

const names = ['a', 'b', 'c'] as const
const number = fc.integer({ min: 0, max: 7 }).map(String)
const only = (states: string) => [`required; only when ${states}`, `required when ${states}`, `only when ${states}`]

const bounds: Record<Kind, fc.Arbitrary<string>> = {
  integer: fc.oneof(
    number.map(n => `min ${n}`),
    number.map(n => `max ${n}`),
    number.map(n => `default ${n}`),
    fc.tuple(number, number).map(([low, high]) => `from ${low} to ${high}`),
  ),
  'decimal 4.1': fc.oneof(
    number.map(n => `min ${n}`),
    number.map(n => `max ${n}.5`),
  ),
  'text 4': fc.oneof(fc.constantFrom('pattern A-9', 'pattern [a-z]+', 'min 3', 'max 2', 'min 5', 'default "abc"')),
  'choice: Low, High': fc.constantFrom('default Low', 'default High'),
  'yes/no': fc.constantFrom('default no', 'default yes'),
  duration: fc.constantFrom('min 1 hour', 'max 90 minutes', 'default 30 minutes'),
  'several of: Low, High': fc.constantFrom('min 1', 'min 2', 'max 1', 'default "Low"'),
  date: fc.constantFrom('min 2026-01-02', 'max 2026-01-02', 'default 2026-01-01', 'max 2025-12-31'),
}

const field: fc.Arbitrary<FieldText> = fc
  .constantFrom(...(Object.keys(values) as Kind[]))
  .chain(kind =>
    fc
      .tuple(
        fc.constantFrom('', '', 'required', ...only('state = Done'), ...only('state = Open')),
        fc.uniqueArray(bounds[kind], { maxLength: 2, selector: rule => rule.split(' ')[0] }),
      )
      .map(([need, more]) => ({ kind, rules: [...(need === '' ? [] : [need]), ...more] })),
  )

const filled = fc.constantFrom('NAME is empty', 'NAME is not empty')
const comparisons: Record<Kind, fc.Arbitrary<string>> = {
  integer: fc.tuple(fc.constantFrom('>', '<', '>=', '<=', '='), number).map(([sign, n]) => `NAME ${sign} ${n}`),
  'decimal 4.1': fc.tuple(fc.constantFrom('>', '<'), number).map(([sign, n]) => `NAME ${sign} ${n}`),
  'text 4': fc.constantFrom(
    'NAME != "zzzz"',
    'NAME = "abc"',
    'length(NAME) > 2',
    'length(NAME) < 3',
    'length(NAME) > 4',
  ),
  'choice: Low, High': fc.constantFrom('NAME = Low', 'NAME = High'),
  'yes/no': fc.constantFrom('NAME', 'NAME = no'),
  date: fc.constantFrom('NAME > 2026-01-01', 'NAME < 2026-01-03'),
  duration: fc.constantFrom('NAME > 30 minutes', 'NAME <= 1 hour', 'NAME < 5 minutes'),
  'several of: Low, High': fc.constantFrom(
    'Low in NAME',
    'High in NAME',
    'Low not in NAME',
    'NAME is empty or Low in NAME',
  ),
}

/** How many rows there are, and what stands in them. */
const rowsRule = (kind: Kind): fc.Arbitrary<string> => {
  const of = fc.oneof({ arbitrary: comparisons[kind], weight: 3 }, filled).map(text => text.replaceAll('NAME', 'of'))
  const few = fc.nat({ max: 2 })
  return fc.oneof(
    fc.tuple(fc.constantFrom('>', '<', '='), few).map(([sign, n]) => `count(lines) ${sign} ${n}`),
    fc.tuple(fc.constantFrom('any', 'all', 'none'), of).map(([name, where]) => `${name}(lines where ${where})`),
    fc.tuple(of, few).map(([where, n]) => `count(lines where ${where}) > ${n}`),
    fc.constant('count(lines) < 4 or a is empty'),
  )
}

const lines: fc.Arbitrary<RowsText> = field.chain(of =>
  fc.record({
    field: fc.constant({ ...of, rules: of.rules.filter(rule => !rule.includes('state')) }),
    rules: fc.subarray(['required', 'min 1', 'min 2', 'max 1', 'max 2', 'required when state = Done']),
    ruled: fc.array(rowsRule(of.kind), { maxLength: 2 }),
  }),
)

const entity: fc.Arbitrary<EntityText> = fc.array(field, { minLength: 1, maxLength: names.length }).chain(fields => {
  const one = fc
    .nat({ max: fields.length - 1 })
    .chain(index =>
      fc
        .oneof({ arbitrary: comparisons[fields[index]!.kind], weight: 4 }, filled)
        .map(text => text.replaceAll('NAME', names[index]!)),
    )
  const rule = fc.oneof(
    one,
    fc.tuple(one, one).map(([left, right]) => `${left} and ${right}`),
    fc.tuple(one, one).map(([left, right]) => `${left} or ${right}`),
  )
  return fc.record({
    fields: fc.constant(fields),
    lines: fc.option(lines),
    together: fc.boolean(),
    rules: fc.array(rule, { maxLength: 3 }),
    asks: fc.array(fc.boolean(), { minLength: fields.length, maxLength: fields.length }),
  })
})

/** The entities as one document. */
function documentOf(entities: readonly (readonly [name: string, of: EntityText])[]): string {
  const each = (write: (name: string, of: EntityText) => string) =>
    entities.map(([name, of]) => write(name, of)).join('\n')
  const fieldRow = (name: string, { kind, rules }: FieldText, more: readonly string[] = []) =>
    `| ${name} | ${kind} | ${[...rules, ...more].join('; ')} |\n`
  const table = '| Field | Type | Rules |\n| --- | --- | --- |\n'
  const fieldsOf = (name: string, { fields, lines, together }: EntityText) => {
    const own = fields.map((of, index) =>
      fieldRow(names[index]!, of, together && index === 0 && fields.length > 1 ? [`unique within ${names[1]}`] : []),
    )
    if (lines === null) return `### ${name}\n\n${table}${own.join('')}`
    const list = `| lines | list of ${name} line | ${lines.rules.join('; ')} |\n`
    return `### ${name}\n\n${table}${own.join('')}${list}\n### ${name} line (part of ${name})\n\n${table}${fieldRow('of', lines.field)}`
  }
  return `# Clean

## 3 Entities and their fields

${each(fieldsOf)}
## 4 States and transitions

${each((name, { fields, asks }) => `### ${name}\n\n| State | Kind |\n| --- | --- |\n| Open | start |\n| Done | end |\n\n| Transition | From | To | Who | Asks |\n| --- | --- | --- | --- | --- |\n| finish | Open | Done | Member | ${fields.flatMap((_, index) => (asks[index] ? [names[index]] : [])).join(', ')} |\n`)}
## 5 Validation rules

| Rule | Applies to | Must hold | Error |
| --- | --- | --- | --- |
${each((name, { rules, lines }) => [...rules, ...(lines?.ruled ?? [])].map((rule, index) => `| V-${name}-${index} | ${name} | \`${rule}\` | E-1 |`).join('\n'))}

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |

${each(name => `### ${name}\n\n| Role | See | Create | Change | Delete | Do |\n| --- | --- | --- | --- | --- | --- |\n| Member | yes | yes | yes | no | all |\n`)}
## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-1 | No. |
`.replace(/^\n+(?=\| V-)/gm, '')
}

const isClean = (of: EntityText): boolean =>
  readApp('clean.md', () => documentOf([['Thing', of]])).found.every(
    ({ severity }) => severity !== 'error' && severity !== 'warning',
  )

let run: TestRun
let clean: readonly (readonly [string, EntityText])[]
beforeAll(async () => {
  const generated = fc.sample(entity, { numRuns: amount, seed })
  clean = generated.filter(isClean).map((of, index) => [`Thing${index}`, of] as const)
  run = await startTestRun(inject('databaseUrl'), appOf(documentOf(clean)))
})
afterAll(() => run?.drop())

/** Every combination of the values of some fields, empty ones last. */
function* every(fields: readonly (readonly [string, Kind])[]): Generator<Record<string, Wire>> {
  const [first, ...rest] = fields
  if (first === undefined) return yield {}
  for (const value of [...values[first[1]], null]) for (const more of every(rest)) yield { [first[0]]: value, ...more }
}

type Given = ReturnType<typeof input>

/** The same with rows: up to three that are alike, none, or two that are not. */
function* withLines(given: Iterable<Record<string, Wire>>, lines: RowsText | null): Generator<Given> {
  for (const own of given) {
    if (lines === null) yield input(own)
    else for (const rows of rowsOf(lines.field.kind)) yield input(own, { lines: rows.map(of => ({ of })) })
  }
}

function* rowsOf(kind: Kind): Generator<readonly Wire[]> {
  const all: readonly Wire[] = [...values[kind], null]
  for (const count of [1, 2, 3]) for (const of of all) yield Array.from({ length: count }, () => of)
  yield []
  for (const [at, one] of all.entries()) for (const other of all.slice(0, at)) yield [one, other]
}

test('somebody creates a record, changes it, and takes it through its step', { timeout: 600_000 }, async () => {
  expect(clean.length).toBeGreaterThan(amount / 10)
  const request = await run.as(Object.keys(run.people)[0]!)
  const stuck: string[] = []
  for (const [name, of] of clean) {
    const { fields, asks, lines } = of
    const key = name.toLowerCase()
    const all = fields.map(({ kind }, index) => [names[index]!, kind] as const)
    const refusals = new Set<string>()
    const first = async (tries: Iterable<Given>, act: (given: Given) => ReturnType<typeof create>) => {
      for (const given of tries) {
        const outcome = await act(given)
        if (outcome.kind === 'done') return { id: outcome.id, given }
        for (const code of codes(outcome)) refusals.add(code)
      }
      return null
    }
    const document = documentOf([[name, of]])
    const made = await first(withLines(every(all), lines), given => create(run.runtime, request, key, given))
    if (made === null) {
      stuck.push(`nobody creates (${[...refusals].join()}):\n${document}`)
      continue
    }
    const changed = await first([made.given], given => change(run.runtime, request, key, made.id, null, given))
    if (changed === null) stuck.push(`nobody changes (${[...refusals].join()}):\n${document}`)
    refusals.clear()
    const asked = all.filter((_, index) => asks[index])
    // What it has may be in the way of the step: then it is changed first.
    let taken = null
    for (const before of [made.given, ...withLines(every(all), lines)]) {
      if (before !== made.given) {
        const outcome = await change(run.runtime, request, key, made.id, null, before)
        if (outcome.kind !== 'done') continue
      }
      taken = await first(withLines(every(asked), null), given =>
        takeStep(run.runtime, request, key, made.id, 'finish', null, given),
      )
      if (taken !== null) break
    }
    if (taken === null) stuck.push(`nobody finishes (${[...refusals].join()}):\n${document}`)
  }
  expect(stuck.slice(0, 3).join('\n')).toBe('')
})
