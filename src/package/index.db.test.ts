/** The package as programs use it: here the sources; `conformance/package` has the same of what is packed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, inject, test, vi } from 'vitest'
import { loadApp } from '../cli/load.ts'
import { applyMigration } from '../store/migrate.ts'
import { createTestDatabase } from '../store/testing.ts'
import { DocumentError, readDocument, serve } from './index.ts'
import { startApplication } from './testing.ts'

const desk = 'examples/requests/requests.md'
const folder = mkdtempSync(join(tmpdir(), 'ninefold-library-'))
const wrong = join(folder, 'wrong.md')
writeFileSync(wrong, '# Wrong\n\n## 3 Entities and their fields\n\n### Loan\n\n| Feld |\n| --- |\n| a |\n')
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

test('a document is read from disk, with places that begin at 1', () => {
  const { app, found } = loadApp(desk)
  const read = readDocument(desk)
  expect(read).toMatchObject({ name: app!.name, version: app!.version, files: ['requests.md'], errors: [] })
  expect(read.findings.map(({ code }) => code)).toEqual(found.map(({ code }) => code))
  const { errors } = readDocument(wrong)
  expect(errors[0]).toMatchObject({ path: 'wrong.md', line: 7, column: 3, severity: 'error', fixes: expect.any(Array) })
  expect(() => readDocument('nowhere.md')).toThrow("There is no file 'nowhere.md'")
})

test('a document is read from texts that are on no disk', () => {
  const asked: string[] = []
  const { name, errors } = readDocument('app.md', path => {
    asked.push(path)
    return path === 'app.md' ? '# Desk\n\n- **Ninefold:** 1\n' : null
  })
  expect([name, errors, asked]).toEqual(['Desk', [], ['app.md']])
})

test('it is served with the settings that are given, and not with those of this process', async () => {
  const { store, url, drop } = await createTestDatabase(inject('databaseUrl'))
  vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/nowhere')
  const settings = { DATABASE_URL: url, PORT: '0', HOST: '127.0.0.1', FILES_URL: `file://${folder}/files` }
  try {
    await expect(serve(desk, { settings })).rejects.toThrow(/does not match the document[\s\S]*npx ninefold apply/)
    await applyMigration(store, loadApp(desk).app!, null, { now: new Date() })
    const lines: string[] = []
    const service = await serve(desk, { settings, log: line => lines.push(line) })
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    await service.close()
    await expect(fetch(`${service.url}/readyz`)).rejects.toThrow('fetch failed')
    const events = lines.map(line => JSON.parse(line).event)
    expect(events).toEqual(expect.arrayContaining(['serving', 'request', 'stopped']))
  } finally {
    await drop()
  }
})

test('what cannot be served is refused with what keeps it from that', async () => {
  const refused = await serve(wrong, { settings: {} }).catch(error => error)
  expect(refused).toBeInstanceOf(DocumentError)
  expect(refused.message).toContain('wrong.md:7:3 error')
  expect(refused.errors).toEqual(readDocument(wrong).errors)
  await expect(startApplication(wrong)).rejects.toBeInstanceOf(DocumentError)
  await expect(serve(desk, { settings: {} })).rejects.toThrow('DATABASE_URL is not set')
  await expect(serve(desk, { settings: { DATABASE_URL: 'mysql://x' } })).rejects.toThrow('is not the address')
})

test('a test of an application acts as its people, moves its clock and sees what is sent', async () => {
  vi.stubEnv('DATABASE_URL', inject('databaseUrl'))
  const application = await startApplication('examples/loan-desk/loan-desk.md')
  try {
    const { people, clock } = application
    expect(people.map(({ name }) => name)).toEqual(expect.arrayContaining(['Ben', 'Cleo']))
    await clock.set(new Date('2027-03-01T09:00:00Z'))
    expect(clock.now().toISOString()).toBe('2027-03-01T09:00:00.000Z')
    const asBen = async (path: string, body?: unknown) => {
      const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const answer = await application.fetch(`/api/v1/${path}`, 'Ben', body === undefined ? {} : sent)
      return { status: answer.status, ...(await answer.json()) }
    }
    const { data } = await asBen('item')
    const values = { purpose: 'A film', out_on: '2027-03-02', due_back: '2027-03-04', lines: [{ item: data[0].id }] }
    const loan = await asBen('loan', values)
    expect(loan).toMatchObject({ status: 201, state: 'Draft' })
    expect(await asBen(`loan/${loan.id}/submit`, {})).toMatchObject({ status: 200, state: 'Requested' })
    expect((await application.fetch('/api/v1/loan', null)).status).toBe(401)
    await expect(application.fetch('/', 'Nobody')).rejects.toThrow("Nobody is named 'Nobody'. There are: ")
    expect(application.troubles()).toEqual([])
    expect(await application.sent()).toContainEqual({ kind: 'mail', name: 'new_request', to: 'Cleo' })
  } finally {
    await application.close()
  }
})
