/** What is answered to what is no request: before there is one, there is nothing but the connection. */
import type { Socket } from 'node:net'

type Headers = Readonly<Record<string, string>>

const texts = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' } as const

/** The head of an answer without a body, after which the connection ends. */
export function refusedHead(status: keyof typeof texts, headers: Headers): string {
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': '0' })
  return `HTTP/1.1 ${status} ${texts[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

const statuses: Readonly<Record<string, keyof typeof texts>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Hears of what Node's HTTP server could not read. */
export const unreadable =
  (headers: Headers) =>
  ({ code = '' }: NodeJS.ErrnoException, socket: Pick<Socket, 'writable' | 'end'>): void => {
    if (code !== 'ECONNRESET' && socket.writable) socket.end(refusedHead(statuses[code] ?? 400, headers))
  }
