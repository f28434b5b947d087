/** Somebody who talks HTTP: keeps a session, follows nothing, hides nothing. Shares no code with what it looks at. */
import { Agent, type IncomingMessage, request as send } from 'node:http'
import { patience } from '../scripts/limits.ts'

export interface Response {
  readonly status: number
  /** Every header line as it came, without what HTTP itself says of the connection and the hour. */
  readonly head: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export interface Message {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const ofTheConnection = /^(date|connection|keep-alive|transfer-encoding): /i

export class Client {
  readonly port: number
  /** Null: a visitor. */
  readonly session: string | null
  readonly #agent: Agent
  #token: string | null = null

  constructor(port: number, session: string | null, connections = 32) {
    this.port = port
    this.session = session
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  /** Rejects where the connection breaks before the whole answer is there. */
  request(path: string, { method = 'GET', headers = {}, body }: Message = {}): Promise<Response> {
    const cookie = this.session === null ? {} : { cookie: `ninefold=${this.session}` }
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    return new Promise((resolve, reject) => {
      const sent = send(
        {
          host: '127.0.0.1',
          port: this.port,
          path,
          method,
          agent: this.#agent,
          headers: { host: 'localhost:3000', ...cookie, ...length, ...headers },
          timeout: patience.step,
        },
        response => {
          const pieces: Buffer[] = []
          response.on('data', (piece: Buffer) => pieces.push(piece))
          response.on('error', reject)
          response.on('aborted', () => reject(new Error('aborted')))
          response.on('end', () => {
            const lines = response.rawHeaders.flatMap((name, index, all) =>
              index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : [],
            )
            resolve({
              status: response.statusCode ?? 0,
              head: lines.filter(line => !ofTheConnection.test(line)).join('\n'),
              headers: response.headers,
              text: Buffer.concat(pieces).toString('utf8'),
            })
          })
        },
      )
      sent.on('error', reject)
      sent.on('timeout', () => sent.destroy(new Error('no answer')))
      sent.end(body)
    })
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.request(path, { headers })
  }

  api(
    method: string,
    path: string,
    value?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const body = value === undefined ? {} : { body: JSON.stringify(value) }
    const type = value === undefined ? {} : { 'content-type': 'application/json' }
    return this.request(`/api/v1${path}`, { method, headers: { ...type, ...headers }, ...body })
  }

  /** A form as a browser sends it, with the token of the session. */
  async post(path: string, fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[]) {
    const pairs = (Array.isArray(fields) ? fields : Object.entries(fields)) as [string, string][]
    const body = new URLSearchParams([...pairs, ['_csrf', await this.token()]]).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
    return this.request(path, { method: 'POST', headers: type, body })
  }

  /** What the forms of this session carry. */
  async token(): Promise<string> {
    if (this.#token === null) {
      const { text } = await this.get(this.session === null ? '/-/sign-in' : '/-/account')
      this.#token = /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
    }
    return this.#token
  }

  close(): void {
    this.#agent.destroy()
  }
}
