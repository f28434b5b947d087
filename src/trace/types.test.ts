import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readApp } from '../headings/index.ts'
import { typesOf } from './types.ts'

const read = (files: Readonly<Record<string, string>>) => {
  const { app, found } = readApp('app.md', path => files[path] ?? null)
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
  return app!
}

const document = `# Orders

## 3 Entities and their fields

### Customer

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
| size | choice: Small, Very large | |

### Order line (part of Order)

| Field | Type | Rules |
| --- | --- | --- |
| amount | money EUR | required |
| twice | money EUR | = amount * 2 |

### Order

| Field | Type | Rules |
| --- | --- | --- |
| number | auto number O-{000} | |
| customer | Customer | required |
| others | several Customer | |
| lines | list of Order line | |
| count | integer | |

| Function | Takes | Gives | Code |
| --- | --- | --- | --- |
| fee | of: Order, new: integer, lines: list of Order line | money EUR | [fees.ts](fees.ts) |

## 4 States and transitions

### Order

| State | Kind |
| --- | --- |
| Open | start |
| All done | end |
`

const app = read({ 'app.md': document, 'fees.ts': 'export function fee() {}' })

test('types are exact: null only where a field may be empty, choices and states as words, references as ids', () => {
  expect(typesOf(app)).toMatchInlineSnapshot(`
    "/** Made by \`ninefold types\` from app.md. Not to be changed by hand. */

    import type { DateText, Decimal, Moment } from 'ninefold/functions'
    export type { DateText, Decimal, Moment } from 'ninefold/functions'

    export interface Customer {
      id: string
      name: string
      size: "Small" | "Very large" | null
    }

    export interface OrderLine {
      id: string
      amount: Decimal
    }

    export interface Order {
      id: string
      state: "Open" | "All done"
      number: string | null
      customer: string
      others: string[]
      lines: OrderLine[]
      count: number | null
    }

    export interface Person {
      id: string
      name: string
      email: string
    }

    /** The functions of the document. */
    export interface Functions {
      /** Line 31. */
      fee: (of: Order, new_: number, lines: OrderLine[]) => Decimal | null
    }

    "
  `)
})

test('code that keeps to the types is accepted, and what does not is refused where it is wrong', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-types-'))
  try {
    writeFileSync(join(folder, 'ninefold.d.ts'), typesOf(app))
    // As in a project, where npm has installed it.
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(import.meta.dirname, '../..'), join(folder, 'node_modules', 'ninefold'), 'dir')
    const file = (name: string, body: string) =>
      writeFileSync(
        join(folder, name),
        `import type { Decimal, Functions } from './ninefold.d.ts'\nexport const fee: Functions['fee'] = ${body}\n`,
      )
    file('right.ts', "(of, n, lines) => (of.state === 'All done' && n > 1 ? (lines[0]?.amount ?? null) : of.customer)")
    file('number.ts', '() => 12.5')
    file('state.ts', "of => (of.state === 'Done' ? '1' : null)")
    file('empty.ts', '(of, n) => String(of.count + n)')
    file('computed.ts', '(of, n, lines) => lines[0]!.twice')
    file('amount.ts', '() => { const fee: Decimal = 12; return fee }')
    const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')
    const names = ['right', 'number', 'state', 'empty', 'computed', 'amount'].map(name => join(folder, `${name}.ts`))
    const options = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--allowImportingTsExtensions']
    const told: string = await promisify(execFile)(
      tsc,
      [...options, '--module', 'nodenext', '--target', 'es2024', '--types', '', ...names],
      { cwd: folder },
    ).then(
      ({ stdout }) => stdout,
      (error: { readonly stdout: string }) => error.stdout,
    )
    const wrong = [...told.matchAll(/(\w+)\.ts\(2,\d+\): error TS/g)].map(match => match[1])
    expect([...new Set(wrong)].sort()).toEqual(['amount', 'computed', 'empty', 'number', 'state'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the types beside the example are those of its document', () => {
  const folder = new URL('../../examples/street-defects/', import.meta.url)
  const file = (path: string) => readFileSync(new URL(path, folder), 'utf8')
  const { app } = readApp('street-defects.md', file)
  expect(file('ninefold.d.ts')).toBe(typesOf(app!))
})
