/**
 * Spans for OpenTelemetry, where its variables (`OTEL_…`) ask for them: requests, and attempts to deliver mails and calls, in the trace of
 * whoever asked. What sends them is installed by whoever wants it, and loaded only then; so is the API that they are made by, which takes
 * no part where what sends them came with an older one.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Attributes, SpanKind } from '@opentelemetry/api'
import type { Observation } from '../run/observe.ts'
import type { Answered } from '../web/request-context.ts'
import { CannotRead } from './command.ts'

interface Traces {
  readonly answered: (request: Answered) => void
  readonly observed: (observation: Observation) => void
  /** Sends what is left. */
  readonly close: () => Promise<void>
}

const kit = '@opentelemetry/sdk-node'

/** `by`: the variable that asks for them. `folder`: the project, in which the kit is installed. */
export async function openTraces(by: string, folder = process.cwd()): Promise<Traces> {
  // Figures and the log go their own ways, unless somebody wants them here too.
  process.env.OTEL_METRICS_EXPORTER ??= 'none'
  process.env.OTEL_LOGS_EXPORTER ??= 'none'
  process.env.OTEL_SERVICE_NAME ??= 'ninefold'
  const { NodeSDK, api } = load(by, folder)
  const sdk = new NodeSDK({ instrumentations: [] })
  sdk.start()
  return { ...spans(api), close: () => sdk.shutdown() }
}

type Api = typeof import('@opentelemetry/api')

interface Kit {
  readonly NodeSDK: new (options: object) => { readonly start: () => void; readonly shutdown: () => Promise<void> }
  readonly api: Api
}

function load(by: string, folder: string): Kit {
  try {
    const path = createRequire(join(folder, 'package.json')).resolve(kit)
    const require = createRequire(path)
    return { ...(require(path) as Pick<Kit, 'NodeSDK'>), api: require('@opentelemetry/api') as Api }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    throw new CannotRead(`${by} asks for traces, and what sends them is not installed. Install it: npm install ${kit}`)
  }
}

/** No attribute names a person or a record: the ones that there are stand in the document, or are routes of ours. */
export function spans({ propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }: Api): Omit<Traces, 'close'> {
  const tracer = trace.getTracer('ninefold')
  const span = (
    name: string,
    kind: SpanKind,
    seconds: number,
    traceparent: string | undefined,
    attributes: Attributes,
    failed: boolean,
  ) => {
    const end = Date.now()
    const around = propagation.extract(ROOT_CONTEXT, { traceparent })
    const one = tracer.startSpan(name, { kind, startTime: end - seconds * 1000, attributes }, around)
    if (failed) one.setStatus({ code: SpanStatusCode.ERROR })
    one.end(end)
  }
  return {
    answered: ({ method, route, status, seconds, traceparent }) =>
      span(
        `${method} ${route}`,
        SpanKind.SERVER,
        seconds,
        traceparent,
        { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
        status >= 500,
      ),
    observed(observation) {
      if (observation.kind !== 'delivery') return
      const { of, name, attempt, status, state, seconds, traceparent } = observation
      const told = {
        'ninefold.delivery': of,
        'ninefold.name': name,
        'ninefold.attempt': attempt,
        'ninefold.state': state,
        ...(status === null ? {} : { 'http.response.status_code': status }),
      }
      span(`${of} ${name}`, SpanKind.CLIENT, seconds, traceparent, told, state !== 'delivered')
    },
  }
}
