/** Bytes on a socket, for what no HTTP client sends. */
import { connect } from 'node:net'

/** Everything that comes back until the other side closes, or has been silent for a moment. */
export function exchange(port: number, bytes: string | Buffer, patience = 400): Promise<string> {
  return new Promise(resolve => {
    let found = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const end = () => {
      socket.destroy()
      resolve(found)
    }
    socket.setTimeout(patience, end)
    socket.on('data', piece => {
      found += piece.toString('latin1')
    })
    socket.on('error', end)
    socket.on('end', end)
  })
}

const host = 'Host: localhost:3000\r\n'
const close = 'Connection: close\r\n\r\n'

export const rawRequests: readonly (readonly [name: string, bytes: string | Buffer])[] = [
  ['nothing but line ends', '\r\n\r\n\r\n\r\n'],
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['TLS', Buffer.from('16030100c8010000c40303', 'hex')],
  ['HTTP/0.9', 'GET /\r\n'],
  ['HTTP/1.0 without a host', 'GET / HTTP/1.0\r\n\r\n'],
  ['HTTP/1.1 without a host', `GET / HTTP/1.1\r\n${close}`],
  ['HTTP/3.7', `GET / HTTP/3.7\r\n${host}${close}`],
  ['two hosts', `GET / HTTP/1.1\r\n${host}Host: evil.example\r\n${close}`],
  ['another host', `GET / HTTP/1.1\r\nHost: evil.example\r\n${close}`],
  ['a host that is none', `GET / HTTP/1.1\r\nHost: [::1\r\n${close}`],
  ['an absolute address', `GET http://evil.example/loans HTTP/1.1\r\n${host}${close}`],
  ['an address of two slashes', `GET //evil.example/ HTTP/1.1\r\n${host}${close}`],
  ['an address of a backslash', `GET /\\evil.example/ HTTP/1.1\r\n${host}${close}`],
  ['an address that leads back', `GET /x/..//evil.example/ HTTP/1.1\r\n${host}${close}`],
  ['an address without a slash', `GET loans HTTP/1.1\r\n${host}${close}`],
  [
    'an address of bytes',
    Buffer.concat([Buffer.from('GET /'), Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(` HTTP/1.1\r\n${host}${close}`)]),
  ],
  ['an address with NUL', `GET /a\0b HTTP/1.1\r\n${host}${close}`],
  ['an address of 20,000 letters', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}${close}`],
  ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${host}${close}`],
  ['CONNECT', `CONNECT evil.example:443 HTTP/1.1\r\n${host}${close}`],
  ['TRACE', `TRACE / HTTP/1.1\r\n${host}${close}`],
  ['a method that is none', `BREW / HTTP/1.1\r\n${host}${close}`],
  ['an upgrade', `GET / HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
  ['a header of 20,000 letters', `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(20_000)}\r\n${close}`],
  ['3,000 headers', `GET / HTTP/1.1\r\n${host}${'X: 1\r\n'.repeat(3000)}${close}`],
  ['a cookie of 12,000 letters', `GET / HTTP/1.1\r\n${host}Cookie: ninefold=${'a'.repeat(12_000)}\r\n${close}`],
  ['4,000 cookies', `GET / HTTP/1.1\r\n${host}Cookie: ${'a=1;'.repeat(3500)}\r\n${close}`],
  [
    'cookies that are none',
    `GET / HTTP/1.1\r\n${host}Cookie: ;;;=;=a;__proto__=1;ninefold=%00;ninefold-flash=bm8\r\n${close}`,
  ],
  ['a header with NUL', `GET / HTTP/1.1\r\n${host}X: a\0b\r\n${close}`],
  ['a header on two lines', `GET / HTTP/1.1\r\n${host}X: a\r\n b\r\n${close}`],
  ['a header name with a space', `GET / HTTP/1.1\r\n${host}X y: a\r\n${close}`],
  ['two lengths', `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
  [
    'a length and chunks',
    `POST / HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n`,
  ],
  ['chunks that are none', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  ['a length below zero', `POST / HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`],
  ['a length of 9e99', `POST / HTTP/1.1\r\n${host}Content-Length: 9e99\r\n\r\n`],
  ['a body that never comes', `POST /loans/new HTTP/1.1\r\n${host}Content-Length: 100\r\n\r\na`],
  ['more than may be taken', `POST /loans/new HTTP/1.1\r\n${host}Content-Length: 99999999\r\n\r\na`],
  ['something that is expected', `POST / HTTP/1.1\r\n${host}Expect: 200-maybe\r\nContent-Length: 1\r\n\r\na`],
  ['requests one after another', `GET /livez HTTP/1.1\r\n${host}\r\n`.repeat(200)],
]
