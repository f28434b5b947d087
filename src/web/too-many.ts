/** What those are answered for whom there is no turn. It is made of nothing but what they sent: whoever is refused must cost little. */
import { english } from '../ui/locales/english.ts'
import { german } from '../ui/locales/german.ts'
import { retryLater } from './bounds.ts'
import { html, json, problemType, type TextResponse } from './response.ts'

interface Refused {
  readonly method: string
  readonly url: string
  /** `Accept-Language`: nobody has looked up what they chose. */
  readonly languages: string | undefined
}

export function tooMany({ method, url, languages }: Refused): TextResponse {
  const [language, words] = /^\s*de\b/i.test(languages ?? '') ? ['de', german] : ['en', english]
  const [what, why, notDone] = [words['problem.503.what'], words['problem.503.why'], words['problem.503.notDone']]
  if (url.startsWith('/api/')) {
    const problem = { type: 'about:blank', title: 'Service Unavailable', status: 503, detail: why }
    return json(problem, 503, { ...retryLater, 'content-type': problemType })
  }
  const more = method === 'GET' ? `<a href="">${words.tryAgain}</a>` : notDone
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${what}</title>`
  const page = `<!doctype html><html lang="${language}">${head}<h1>${what}</h1><p>${why}</p><p>${more}</p></html>\n`
  return { ...html('', 503, retryLater), body: page }
}
