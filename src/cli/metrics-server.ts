/** `/metrics` at an address of its own, which the proxy does not lead to: figures of an application are not for its visitors. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { CannotRead } from './command.ts'
import type { Variable } from './environment.ts'
import { portOf } from './process.ts'

interface MetricsAddress {
  readonly host: string
  readonly port: number
}

/** `METRICS_PORT`, and `METRICS_HOST`, which is this machine alone unless it says otherwise. Null: nothing is measured. */
export function metricsAddressOf(variable: Variable): MetricsAddress | null {
  const port = variable('METRICS_PORT')
  return port === undefined
    ? null
    : { host: variable('METRICS_HOST') ?? '127.0.0.1', port: portOf(port, 'METRICS_PORT') }
}

/** Answers with the text format of Prometheus; 503 where a process does not say its figures in time. */
export async function serveMetrics({ host, port }: MetricsAddress, figures: () => Promise<string>) {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') return response.writeHead(404).end()
    try {
      const text = await figures()
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
    } catch {
      response.writeHead(503).end()
    }
  })
  server.listen(port, host)
  await once(server, 'listening').catch(({ code }) => {
    throw new CannotRead(
      `METRICS_PORT ${port} of METRICS_HOST '${host}' cannot be listened at (${code}). Choose another.`,
    )
  })
  // Where nothing is served, or no more, it keeps no process from ending.
  server.unref()
  const address = server.address() as { port: number }
  return {
    url: `http://${host}:${address.port}/metrics`,
    close: async () => {
      server.closeAllConnections()
      await new Promise(closed => server.close(closed))
    },
  }
}
