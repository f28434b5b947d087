/** Dev: tells open pages that the document changed, by server-sent events. */
import type { ServerResponse } from 'node:http'

export interface Live {
  /** Keeps the response open until the browser goes away or the server closes. */
  readonly listen: (response: ServerResponse) => void
  readonly tell: (event: 'reload' | 'mail') => void
  readonly close: () => void
}

const beat = 20_000

export function liveEvents(): Live {
  const open = new Set<ServerResponse>()
  const timer = setInterval(() => {
    for (const response of open) response.write(': still here\n\n')
  }, beat)
  timer.unref()
  return {
    listen(response) {
      open.add(response)
      response.on('close', () => open.delete(response))
      // The browser asks again one second after the connection was lost, which is also how it notices a restart.
      response.write('retry: 1000\nevent: hello\ndata: {}\n\n')
    },
    tell(event) {
      for (const response of open) response.write(`event: ${event}\ndata: {}\n\n`)
    },
    close() {
      clearInterval(timer)
      for (const response of open) response.end()
    },
  }
}
