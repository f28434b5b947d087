/** What is answered to what is no request: before there is one, there is nothing but the connection. */
import type { Socket } from 'node:net'
import { asBytes } from './response.ts'

type Headers = Readonly<Record<string, string>>

/** An answer without a body, after which the connection ends. */
export const refusedHead = (status: 400 | 408 | 431, headers: Headers): Buffer =>
  asBytes({ status, headers: {}, cookies: [], body: '' }, headers)

const statuses: Readonly<Record<string, 408 | 431>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Hears of what Node's HTTP server could not read. */
export const unreadable =
  (headers: Headers) =>
  ({ code = '' }: NodeJS.ErrnoException, socket: Pick<Socket, 'writable' | 'end'>): void => {
    if (code !== 'ECONNRESET' && socket.writable) socket.end(refusedHead(statuses[code] ?? 400, headers))
  }
