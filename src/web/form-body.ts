/** Bodies of requests, read within bounds. What cannot be read is a problem of the sender's, never a failure of ours. */
import { parseExact } from '../kinds/fields/json/exact.ts'
import { formFields, jsonDepth } from './bounds.ts'

type Refused<Why> = { readonly status: 400 | 413 | 415; readonly why: Why }
type ParsedBody<Value> = { readonly value: Value } | Refused<string>
/** Why a form is refused: a sentence for people. */
type ParsedForm = { readonly value: URLSearchParams } | Refused<'notAForm' | 'tooManyFields'>

/** The media type without its parameters, lower case; empty where there is none. */
export const mediaType = (header: string | undefined): string => (header ?? '').split(';')[0]!.trim().toLowerCase()

/** `application/x-www-form-urlencoded`. Text of people is made NFC by the field kinds; NUL and the like are refused there, with the field's name. */
export function parseForm(type: string | undefined, body: Buffer): ParsedForm {
  if (body.length === 0) return { value: new URLSearchParams() }
  if (mediaType(type) !== 'application/x-www-form-urlencoded') return { status: 415, why: 'notAForm' }
  const text = body.toString('latin1')
  let fields = 1
  for (const letter of text) if (letter === '&') fields++
  if (fields > formFields) return { status: 413, why: 'tooManyFields' }
  return { value: new URLSearchParams(body.toString('utf8')) }
}

export function parseJson(type: string | undefined, body: Buffer): ParsedBody<unknown> {
  const media = mediaType(type)
  if (media !== 'application/json' && !media.endsWith('+json'))
    return { status: 415, why: 'The body must be application/json.' }
  if (!isShallow(body)) return { status: 400, why: `JSON may be nested at most ${jsonDepth} levels deep.` }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body)
    return { value: parseExact(text) }
  } catch {
    return { status: 400, why: 'The body is not JSON.' }
  }
}

/** Counts brackets outside of strings, before anything is built of them. */
function isShallow(body: Buffer): boolean {
  let depth = 0
  let inText = false
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (inText) {
      if (byte === 0x5c) at++
      else if (byte === 0x22) inText = false
    } else if (byte === 0x22) inText = true
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > jsonDepth) return false
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return true
}
