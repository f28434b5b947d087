/** What those are answered for whom there is no turn. It is made of nothing but what they sent: whoever is refused must cost little. */
import { english } from '../ui/locales/english.ts'
import { german } from '../ui/locales/german.ts'
import { retryLater } from './bounds.ts'
import { asBytes, html, json, problemType, type TextResponse } from './response.ts'

interface Refused {
  readonly method: string
  readonly url: string
  /** `Accept-Language`: nobody has looked up what they chose. */
  readonly languages: string | undefined
}

const isGerman = (languages: string | undefined): boolean => /^\s*de\b/i.test(languages ?? '')

export function tooMany({ method, url, languages }: Refused): TextResponse {
  const [language, words] = isGerman(languages) ? ['de', german] : ['en', english]
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

interface RefusedAtOnce {
  readonly bytes: Buffer
  /** The connection ends with it; else another request may follow. */
  readonly isLast: boolean
}

/**
 * The same, as it is sent to whom the whole of what was read is a request that nothing more comes of. Null: it is another, whose end has
 * to be read before an answer arrives. `headers`: what every answer has. `ends`: nothing is to follow, whatever whoever asks would like.
 */
export function tooManyAtOnce(
  headers: Readonly<Record<string, string>>,
): (read: string, ends: boolean) => RefusedAtOnce | null {
  const made = new Map<string, RefusedAtOnce>()
  return (read, ends) => {
    const url = whole.exec(read)?.[1]
    if (url === undefined || comesWithMore.test(read) || read.indexOf('\r\n\r\n') !== read.length - 4) return null
    const languages = acceptLanguage.exec(read)?.[1]
    const isLast = ends || asksForEnd.test(read)
    const kind = `${url.startsWith('/api/')} ${isGerman(languages)} ${isLast}`
    const known = made.get(kind)
    if (known !== undefined) return known
    const bytes = asBytes(tooMany({ method: 'GET', url, languages }), headers, isLast ? 'close' : 'keep-alive')
    made.set(kind, { bytes, isLast })
    return { bytes, isLast }
  }
}

const whole = /^GET (\S+) HTTP\/1\.1\r\n/
const comesWithMore = /^(?:content-length|transfer-encoding|expect|upgrade):/im
const asksForEnd = /^connection:.*\bclose\b/im
const acceptLanguage = /^accept-language:(.*)$/im
