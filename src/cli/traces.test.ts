import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Attributes, Context, Span, SpanOptions, Tracer } from '@opentelemetry/api'
import * as api from '@opentelemetry/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CannotRead } from './command.ts'
import { tracesAskedBy } from './environment.ts'
import { openTraces, spans } from './traces.ts'

interface Told {
  readonly name: string
  readonly kind: number | undefined
  readonly attributes: Attributes | undefined
  readonly milliseconds: number
  readonly failed: boolean
}
const told: Told[] = []

/** What a kit registers: takes spans down as they end. */
const tracer = {
  startSpan(name: string, { kind, startTime, attributes }: SpanOptions = {}, _around?: Context) {
    let failed = false
    return {
      setStatus: () => {
        failed = true
      },
      end: (at: number) =>
        told.push({ name, kind, attributes, milliseconds: Math.round(at - Number(startTime)), failed }),
    } as unknown as Span
  },
} as unknown as Tracer

beforeAll(() => void api.trace.setGlobalTracerProvider({ getTracer: () => tracer }))
afterAll(() => api.trace.disable())

test('requests and attempts to deliver are spans of what they took, named by routes and by the document', () => {
  const { answered, observed } = spans(api)
  answered({ method: 'GET', route: '/loans/:id', status: 200, seconds: 0.25 })
  answered({ method: 'POST', route: '/loans/new', status: 503, seconds: 0.02 })
  const attempt = { kind: 'delivery', of: 'call', name: 'C-2', id: 'x', attempt: 2, error: null, seconds: 1.5 } as const
  observed({ ...attempt, status: 201, state: 'delivered' })
  observed({ ...attempt, status: null, state: 'waiting' })
  observed({ kind: 'timer', entity: 'loan', record: 'y', timer: 'remind', error: null })
  expect(told.map(({ name, kind, milliseconds, failed }) => [name, kind, milliseconds, failed])).toEqual([
    ['GET /loans/:id', 1, 250, false],
    ['POST /loans/new', 1, 20, true],
    ['call C-2', 2, 1500, false],
    ['call C-2', 2, 1500, true],
  ])
  expect(told[0]!.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/loans/:id',
    'http.response.status_code': 200,
  })
  expect(Object.values(told[2]!.attributes!)).not.toContain('x')
})

test('nothing is loaded that nobody asks for, and what is asked for and missing is said', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-'))
  const asked = (variables: Readonly<Record<string, string>>) => tracesAskedBy(name => variables[name])
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  expect(asked({})).toBeNull()
  expect(asked({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeNull()
  expect(asked({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeNull()
  const by = asked(endpoint)!
  await expect(openTraces(by, folder)).rejects.toThrow(CannotRead)
  await expect(openTraces(by, folder)).rejects.toThrow(`${by} asks for traces, and what sends them is not installed`)
  rmSync(folder, { recursive: true })
})

test('a kit that came with an older API gets its spans, by that one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-'))
  const installed = (name: string) => join(folder, 'node_modules/@opentelemetry', name)
  cpSync(join(import.meta.dirname, '../../node_modules/@opentelemetry/api'), installed('api'), { recursive: true })
  const code = join(installed('api'), 'dist/version.cjs')
  const older = readFileSync(code, 'utf8').replaceAll('1.10.0', '1.9.1')
  writeFileSync(code, older)
  mkdirSync(installed('sdk-node'))
  writeFileSync(join(installed('sdk-node'), 'package.json'), '{ "main": "index.js" }')
  writeFileSync(
    join(installed('sdk-node'), 'index.js'),
    `const { trace } = require('@opentelemetry/api')
    const names = (exports.names = [])
    const getTracer = () => ({ startSpan: name => (names.push(name), { setStatus() {}, end() {} }) })
    exports.NodeSDK = class { start() { trace.setGlobalTracerProvider({ getTracer }) } async shutdown() { trace.disable() } }`,
  )
  api.trace.disable()
  const { answered, close } = await openTraces('OTEL_TRACES_EXPORTER', folder)
  answered({ method: 'GET', route: '/loans', status: 200, seconds: 0.1 })
  await close()
  const { names } = createRequire(join(folder, 'package.json'))('@opentelemetry/sdk-node') as { names: string[] }
  expect(older).toContain('1.9.1')
  expect(names).toEqual(['GET /loans'])
  rmSync(folder, { recursive: true })
})
