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
