/** A closed-loop load: `clients` connections, each sending its next request when the answer is there, for a number of requests. */
import { Agent, request } from 'node:http'

export interface Job {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Measured {
  /** Requests per second. */
  readonly rate: number
  /** Milliseconds in which nineteen of twenty were answered. */
  readonly p95: number
}

/** An answer with another status than `expect` is a failed measurement and throws. */
export async function load(
  jobs: (n: number) => Job,
  { clients, requests, expect }: { clients: number; requests: number; expect: number },
): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const times: number[] = []
  let next = 0
  const client = async () => {
    while (next < requests) {
      const job = jobs(next++)
      const sent = performance.now()
      const { status, body } = await send(job, agent)
      times.push(performance.now() - sent)
      if (status !== expect)
        throw new Error(`${job.method} ${job.url} answered ${status}: ${body.toString().slice(0, 500)}`)
    }
  }
  const begun = process.hrtime.bigint()
  await Promise.all(Array.from({ length: clients }, client))
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9
  agent.destroy()
  times.sort((left, right) => left - right)
  return { rate: requests / seconds, p95: times[Math.floor(times.length * 0.95)]! }
}

export function send(job: Job, agent?: Agent): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      job.url,
      { method: job.method, headers: job.headers, ...(agent === undefined ? {} : { agent }) },
      answer => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) })
        })
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(job.body)
  })
}

export interface Came {
  /** 0: no answer. */
  readonly status: number
  readonly retryAfter: boolean
  /** Milliseconds. */
  readonly took: number
  /** Of the operating system, where the connection broke; `TIMEOUT`: whoever asked gave up. */
  readonly failure: string | null
}

/** Milliseconds after which somebody gives up. */
const givesUp = 10_000
/** Somebody each: an address, a connection. */
const addresses = 200

/**
 * An open load: people come by chance (Poisson), so many a second, whether those before them were answered or not, each over a connection
 * of their own and from one of 200 addresses of this machine. Resolves when all have an answer, or gave up.
 */
export async function openLoad(
  jobs: (n: number) => Job,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<readonly Came[]> {
  const all: Promise<Came>[] = []
  const begun = performance.now()
  let due = begun
  while (due < begun + seconds * 1000) {
    const now = performance.now()
    for (; due <= now; due += (-Math.log(1 - Math.random()) * 1000) / rate) all.push(come(jobs(all.length), all.length))
    await new Promise(resolve => setTimeout(resolve, Math.max(0, due - performance.now())))
  }
  return Promise.all(all)
}

export function come(job: Job, n: number): Promise<Came> {
  return new Promise(resolve => {
    const sent = performance.now()
    const end = (status: number, failure: string | null, retryAfter = false) =>
      resolve({ status, failure, retryAfter, took: performance.now() - sent })
    const localAddress = `127.0.0.${2 + (n % addresses)}`
    const asked = request(job.url, { method: job.method, headers: job.headers, agent: false, localAddress }, answer => {
      answer.on('end', () => end(answer.statusCode ?? 0, null, answer.headers['retry-after'] !== undefined))
      answer.on('error', (error: NodeJS.ErrnoException) => end(0, error.code ?? error.message))
      answer.resume()
    })
    asked.setTimeout(givesUp, () => asked.destroy(Object.assign(new Error('gave up'), { code: 'TIMEOUT' })))
    asked.on('error', (error: NodeJS.ErrnoException) => end(0, error.code ?? error.message))
    asked.end(job.body)
  })
}

/** Nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
