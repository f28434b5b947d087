/**
 * Requests to the application that is tried, each with its answer as a whole. A connection that breaks says nothing of the document: what
 * only reads is asked once more; of anything else nobody knows whether it was done, and whoever started this is told so.
 */
import { Unavailable } from '../store/unavailable.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
}

type Asking = RequestInit & { readonly headers?: Readonly<Record<string, string>> }

/** So often something is asked once more that did not arrive in time. */
const lateAtMost = 5

/** Throws `Unavailable` where no answer comes. What did not arrive in time was not done, whatever it is. */
export async function reach(url: string | URL, init: Asking = {}): Promise<Answer> {
  let answer = await answerTo(url, init)
  for (let times = 0; times < lateAtMost && answer.status === 408; times++) answer = await answerTo(url, init)
  return answer
}

const answerTo = (url: string | URL, init: Asking): Promise<Answer> =>
  repeatedly(url, init, async () => {
    // It comes from the same process: what is compressed there is unpacked here.
    const response = await fetch(url, { ...init, headers: { ...init.headers, 'accept-encoding': 'identity' } })
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, bytes, text: bytes.toString() }
  })

/** The same, of an answer that goes on for as long as it is listened to; what it gives ends with that answer, and is each part of it. */
export async function reachFeed(
  url: string | URL,
  init: RequestInit,
): Promise<{ readonly status: number; readonly parts: AsyncIterable<string> }> {
  const { status, body } = await repeatedly(url, init, () => fetch(url, init))
  return { status, parts: partsOf(url, body) }
}

async function* partsOf(url: string | URL, body: Response['body']): AsyncGenerator<string> {
  try {
    if (body !== null) yield* body.pipeThrough(new TextDecoderStream())
  } catch (error) {
    throw unanswered(url, 'GET', error)
  }
}

async function repeatedly<T>(url: string | URL, { method = 'GET' }: RequestInit, act: () => Promise<T>): Promise<T> {
  try {
    return method === 'GET' ? await act().catch(act) : await act()
  } catch (error) {
    throw unanswered(url, method, error)
  }
}

/** `Unavailable` where the connection broke; anything else as it is. */
function unanswered(url: string | URL, method: string, error: unknown): unknown {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
  if (code === undefined) return error
  return new Unavailable(
    `The application that is tried gave no answer to ${method} ${new URL(url).pathname}, since the connection broke`,
    'This says nothing of the document. The machine may have had too much to do: try again when it has less, or a part at a time with --only.',
    error,
    code,
  )
}
