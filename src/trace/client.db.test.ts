/** The client that `ninefold types --client` writes: it compiles as strictly as there is, and works with the application that it is of. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { home } from '../files.ts'
import { readSound } from '../run/testing.ts'
import { makeKey } from '../web/sign-in/api-keys.ts'
import { startTestWeb, type TestWeb } from '../web/testing.ts'
import { clientOf } from './client.ts'

const runtime = readFileSync(join(home, 'types/client.ts'), 'utf8')
const examples = join(home, 'examples')

let folder: string
let web: TestWeb
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'client-'))
  web = await startTestWeb(inject('databaseUrl'))
})
afterAll(async () => {
  await web?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const use = `import { ninefold, Refused } from './loan-desk.ts'
const desk = ninefold({ url: 'http://localhost', key: 'nf_' })
const loan = await desk.loan.create({ due_back: '2026-03-05', lines: [{ item: 'x' }] })
const days: number | null | undefined = loan.days
await desk.loan.list({ where: { state: ['Out', 'Overdue'], 'due_back.before': '2026-03-05' }, sort: '-due_back' })
await desk.loan.take(loan.id, 'submit')
const named = await desk.loan.list({ where: { 'borrower.name.contains': 'Ada', 'lines.item': 'x' }, with: 'names' })
const borrower: string | undefined = named.data[0]?._names?.borrower
const since: string | undefined = named.data[0]?.created_at
await desk.item.restore('x')
// @ts-expect-error There is nothing of that name behind it.
await desk.loan.list({ where: { 'purpose.name': 'x' } })
// @ts-expect-error There is no such state.
await desk.loan.list({ where: { state: 'Lost' } })
// @ts-expect-error There is no such step.
await desk.loan.take(loan.id, 'lose')
// @ts-expect-error What is needed is missing.
await desk.loan.create({})
// @ts-expect-error The application gives it.
await desk.loan.change(loan.id, { number: 'LN-1' })
export { borrower, days, Refused, since }
`

test('the clients of all examples compile under --strict, and take nothing that the API would not', async () => {
  const names = readdirSync(examples).filter(name => existsSync(join(examples, name, `${name}.md`)))
  for (const name of names)
    writeFileSync(join(folder, `${name}.ts`), clientOf(readSound(join(examples, name, `${name}.md`)), runtime))
  writeFileSync(join(folder, 'use.ts'), use)
  const options = [
    '--strict',
    '--noUncheckedIndexedAccess',
    '--exactOptionalPropertyTypes',
    '--noEmit',
    '--allowImportingTsExtensions',
    '--target',
    'es2024',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--lib',
    'es2024,dom',
  ]
  const compiled = promisify(execFile)(
    join(home, 'node_modules/.bin/tsc'),
    [...options, ...names.map(name => `${name}.ts`), 'use.ts'],
    { cwd: folder },
  ).catch((error: { stdout: string }) => error)
  expect((await compiled).stdout).toBe('')
})

test('it lists, reads, creates, changes, takes steps and is refused by the running application', async () => {
  const path = join(folder, 'running.ts')
  writeFileSync(path, clientOf(web.run.runtime.app, runtime))
  const { ninefold, Refused } = (await import(path)) as {
    ninefold: (options: {
      url: string
      key: string
    }) => Record<string, Record<string, (...given: unknown[]) => Promise<never>>>
    Refused: new () => Error
  }
  const made = await web.run.runtime.store.inTransaction(tx =>
    makeKey(tx, size => crypto.getRandomValues(Buffer.alloc(size)), {
      id: crypto.randomUUID(),
      person: web.run.people.Ben!,
      name: 'Client',
      role: 'Borrower',
      now: web.run.now,
      ends: new Date(web.run.now.getTime() + 86_400_000),
      signIn: false,
    }),
  )
  const desk = ninefold({ url: web.url, key: (made as { key: string }).key })
  const items: { id: string; tag: string }[] = []
  for await (const item of desk.item!.all!({ limit: 1, sort: 'tag' }) as unknown as AsyncIterable<{
    id: string
    tag: string
  }>)
    items.push(item)
  expect(items.length).toBeGreaterThan(1)
  expect(items.map(({ tag }) => tag)).toEqual(items.map(({ tag }) => tag).sort())
  const values = { out_on: '2026-03-02', due_back: '2026-03-05', lines: [{ item: items[0]!.id }] }
  const { id, version } = (await desk.loan!.create!(values)) as { id: string; version: number }
  expect(await desk.loan!.change!(id, { due_back: '2026-03-04' }, { version })).toMatchObject({
    due_back: '2026-03-04',
  })
  await expect(desk.loan!.change!(id, { due_back: '2026-03-05' }, { version })).rejects.toMatchObject({ status: 412 })
  expect(await desk.loan!.take!(id, 'submit')).toMatchObject({ state: 'Requested' })
  const refused = await desk.loan!.create!({ ...values, due_back: '2026-02-01' }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Refused)
  expect(refused).toMatchObject({ status: 422, problems: [{ detail: expect.any(String) }] })
  const [listed] = (
    (await desk.loan!.list!({
      where: { 'lines.item': items[0]!.id, 'borrower.name.contains': 'ben' },
      with: 'names',
    })) as {
      data: { id: string }[]
    }
  ).data.filter(one => one.id === id)
  expect([listed, await desk.loan!.get!(id, { with: 'names' })]).toEqual([
    expect.objectContaining({ _names: { borrower: 'Ben' } }),
    expect.objectContaining({ lines: [expect.objectContaining({ _names: { item: expect.any(String) } })] }),
  ])
  expect(await desk.loan!.get!('00000000-0000-7000-8000-000000000000')).toBeNull()
  expect(await desk.loan!.list!({ where: { state: ['Requested', 'Out'] }, count: true, limit: 1 })).toMatchObject({
    data: [{}],
    count: expect.any(Number),
  })
})
