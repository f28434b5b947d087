/** Two servers on twin databases, asked the same: every byte of the answers must be the same. */
import type { Client, Response } from '../client.ts'
import type { Question } from './questions.ts'

export interface Difference {
  readonly question: string
  readonly here: string
  readonly there: string
}

export interface Compared {
  readonly asked: number
  /** Answers of 200: a comparison of refusals alone would prove little. */
  readonly answered: number
  readonly differences: readonly Difference[]
  /** All answers of the first server, for looking for what must not be in any. */
  readonly answers: readonly { readonly question: Question; readonly response: Response }[]
}

const whole = ({ status, head, text }: Response): string => `${status}\n${head}\n\n${text}`

/** Asks in order. `upTo`: so many differences are enough. `statements`: of both servers since it was last called, which must be as many. */
export async function compare(
  here: Client,
  there: Client,
  questions: readonly Question[],
  { upTo = 3, statements }: { readonly upTo?: number; readonly statements?: () => Promise<readonly number[]> } = {},
): Promise<Compared> {
  const differences: Difference[] = []
  const answers: { question: Question; response: Response }[] = []
  const ask = async (question: Question): Promise<Response | null> => {
    const { path, form } = question
    const [first, second] = await Promise.all(
      [here, there].map(one => (form === undefined ? one.request(path, question) : one.post(path, form))),
    )
    if (first === undefined || second === undefined) return null
    // What the database refuses is no answer, even where it refuses both.
    for (const { status, text } of [first, second])
      if (status >= 500)
        throw new Error(`${question.method ?? 'GET'} ${path} is answered ${status}: ${text.slice(0, 400)}`)
    answers.push({ question, response: first })
    const [sent, sentThere] = (await statements?.()) ?? [0, 0]
    const said = (response: Response, count: number | undefined) => `${whole(response)}\n\n${count} statements`
    const [one, other] = [said(first, sent), said(second, sentThere)]
    if (one === other) return first
    differences.push({ question: `${question.method ?? 'GET'} ${question.path}`, ...around(one, other) })
    return null
  }
  for (const question of questions) {
    if (differences.length >= upTo) break
    let response = await ask(question)
    // At most as many pages as there can be rows: a list that never ends would be a mistake of another kind.
    for (let page = 0; question.walk === true && response !== null && page < 12; page++) {
      const next = nextOf(question.path, response)
      if (next === null) break
      response = await ask({ ...question, path: next })
    }
  }
  const answered = answers.filter(({ response }) => response.status === 200).length
  return { asked: answers.length, answered, differences, answers }
}

function nextOf(path: string, { status, text }: Response): string | null {
  if (status !== 200 || !path.startsWith('/api/')) return null
  const { next } = JSON.parse(text) as { next: string | null }
  if (next === null) return null
  const [base = '', query] = path.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('after', next)
  return `${base}?${parameters}`
}

/** The place where two texts part, with what stands around it. */
function around(here: string, there: string): { here: string; there: string } {
  let at = 0
  while (at < here.length && here[at] === there[at]) at++
  const cut = (text: string) => text.slice(Math.max(0, at - 120), at + 120)
  return { here: cut(here), there: cut(there) }
}
