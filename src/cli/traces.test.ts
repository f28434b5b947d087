import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Attributes, type Context, type Span, type SpanOptions, type Tracer, trace } from '@opentelemetry/api'
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

beforeAll(() => void trace.setGlobalTracerProvider({ getTracer: () => tracer }))
afterAll(() => trace.disable())

test('requests and attempts to deliver are spans of what they took, named by routes and by the document', () => {
  const { answered, observed } = spans()
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
